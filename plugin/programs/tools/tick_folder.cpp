#include "tick_folder.h"

#include <elasto/scene/output_file.h>
#include <fmt/format.h>

#include <sstream>
#include <system_error>

#include "tool_errors.h"

namespace elasto::tools {

TickFolder::TickFolder(const std::string& folder, Plugin& plugin) : m_folder(folder), m_plugin(plugin) {
    if (folder.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(m_folder, error);
    if (error) throw IoError(fmt::format("--capture: '{}' cannot be created: {}", folder, error.message()));
    for (const auto& entry : std::filesystem::directory_iterator(m_folder, error)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with("tick-")) continue;
        throw InputError(fmt::format(
            "--capture: '{}' is not allowed; it holds {} of another run, and must hold no ticks", folder, name));
    }
    plugin.setTickHandler([this](const TickRecord& tick) { write(tick); }, Grade::Approximate);
}

TickFolder::~TickFolder() {
    if (!m_folder.empty()) m_plugin.setTickHandler(nullptr);
}

void TickFolder::write(const TickRecord& tick) {
    if (m_files == kMostFiles) return;
    ++m_files;
    const std::int64_t number = m_plugin.totals().ticks;
    m_place = number == m_tick ? m_place + 1 : 1;
    m_tick = number;
    std::ostringstream text;
    writeTick(text, tick);
    writeFile(m_folder / fmt::format("tick-{:06}-{}.txt", number, m_place), text.str());
}

}  // namespace elasto::tools
