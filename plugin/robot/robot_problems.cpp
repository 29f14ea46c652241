#include "robot_problems.h"

#include <elasto/robot/load_robot.h>

#include <algorithm>

namespace elasto::robot {

void Problems::add(const std::string& file, int line, const std::string& message) {
    auto place = std::find(m_files.begin(), m_files.end(), file);
    if (place == m_files.end()) place = m_files.insert(m_files.end(), file);
    const std::string where = line > 0 ? file + ":" + std::to_string(line) : file;
    m_lines.push_back({static_cast<int>(place - m_files.begin()), line, where + ": " + message});
}

void Problems::throwIfAny() const {
    if (m_lines.empty()) return;
    std::vector<Entry> sorted = m_lines;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) {
        return a.file != b.file ? a.file < b.file : a.line < b.line;
    });
    std::string text;
    for (const Entry& entry : sorted) text += (text.empty() ? "" : "\n") + entry.text;
    throw RobotError(text);
}

}  // namespace elasto::robot
