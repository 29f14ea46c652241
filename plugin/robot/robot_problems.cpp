#include "robot_problems.h"

#include <elasto/robot/load_robot.h>
#include <elasto/scene/printable.h>

#include <algorithm>
#include <cstdio>

namespace elasto::robot {

void Problems::add(const std::string& file, int line, const scene::MakeMessage& message) {
    if (++m_count > scene::kMostMessages) return;
    auto place = std::find(m_files.begin(), m_files.end(), file);
    if (place == m_files.end()) place = m_files.insert(m_files.end(), file);
    const std::string where = line > 0 ? file + ":" + std::to_string(line) : file;
    m_lines.push_back({static_cast<int>(place - m_files.begin()), line, where + ": " + message()});
}

void Problems::addOnce(const std::string& kind, const std::string& file, int line, const scene::MakeMessage& message) {
    const auto [place, isNew] = m_kinds.emplace(std::pair(file, kind), m_lines.size());
    if (isNew) return add(file, line, message);
    if (place->second < m_lines.size()) ++m_lines[place->second].more;
}

void Problems::throwIfAny() const {
    if (!m_lines.empty()) throw RobotError(scene::messagesText(sortedTexts(), m_count));
}

std::vector<std::string> Problems::lines() const {
    std::vector<std::string> lines = sortedTexts();
    for (std::string& line : lines) line = printableLine(line);
    if (m_count > lines.size()) lines.push_back("and " + std::to_string(m_count - lines.size()) + " more");
    return lines;
}

std::vector<std::string> Problems::sortedTexts() const {
    std::vector<Entry> sorted = m_lines;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) {
        return a.file != b.file ? a.file < b.file : a.line < b.line;
    });
    std::vector<std::string> texts;
    for (const Entry& entry : sorted) {
        const std::string more = "; and " + std::to_string(entry.more) + " more like it";
        texts.push_back(entry.text + (entry.more > 0 ? more : ""));
    }
    return texts;
}

std::string briefText(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

}  // namespace elasto::robot
