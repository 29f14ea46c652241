#pragma once
/// @file robot_problems.h
/// Collects what is wrong with a robot's files.

#include <string>
#include <vector>

namespace elasto::robot {

/// A list of mistakes that ends in one RobotError. Order: as they were found, by file and line.
class Problems {
public:
    /// @param line 0: the whole file
    void add(const std::string& file, int line, const std::string& message);
    bool empty() const { return m_lines.empty(); }
    /// @throws RobotError with one line per mistake, if there are any
    void throwIfAny() const;

private:
    struct Entry {
        int file;
        int line;
        std::string text;
    };
    std::vector<std::string> m_files;
    std::vector<Entry> m_lines;
};

}  // namespace elasto::robot
