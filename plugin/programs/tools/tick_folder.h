#pragma once
/// @file tick_folder.h
/// Ticks of a run that were not exact, as files.

#include <elasto/plugin.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace elasto::tools {

/// Writes each network's tick that is not exact into a folder, the first kMostFiles of them.
class TickFolder {
public:
    static constexpr int kMostFiles = 100;

    /// @param folder empty: nothing is written @throws IoError if it cannot be made @throws InputError if it
    /// holds ticks of another run
    /// @param plugin must outlive the folder
    TickFolder(const std::string& folder, Plugin& plugin);
    ~TickFolder();
    TickFolder(const TickFolder&) = delete;
    TickFolder& operator=(const TickFolder&) = delete;

private:
    void write(const TickRecord& tick);

    std::filesystem::path m_folder;
    Plugin& m_plugin;
    int m_files = 0;
    std::int64_t m_tick = 0;  ///< of the last one
    int m_place = 0;          ///< the same
};

}  // namespace elasto::tools
