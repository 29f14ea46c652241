#pragma once
/// @file robot_problems.h
/// Collects what is wrong with a robot's files, and what is doubtful.

#include "problems.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace elasto::robot {

/// A list of mistakes that ends in one RobotError, or of warnings. Kept are those that were found first, as in
/// scene::Problems; their order is by file and line.
class Problems {
public:
    /// @param line 0: the whole file
    void add(const std::string& file, int line, const scene::MakeMessage& message);
    /// The same of what is said once: of messages of one kind in a file the first is kept, and the others are counted.
    /// @param kind not empty
    void addOnce(const std::string& kind, const std::string& file, int line, const scene::MakeMessage& message);
    bool empty() const { return m_count == 0; }
    /// @throws RobotError with one line per mistake, if there are any
    void throwIfAny() const;
    /// One line per mistake, then "and N more": what throwIfAny() would throw, in parts. For warnings.
    std::vector<std::string> lines() const;

private:
    struct Entry {
        int file;
        int line;
        std::string text;
        int more = 0;  ///< others of the same kind
    };
    std::vector<std::string> sortedTexts() const;

    std::size_t m_count = 0;
    std::vector<std::string> m_files;
    std::vector<Entry> m_lines;
    std::map<std::pair<std::string, std::string>, std::size_t> m_kinds;  ///< of file and kind: index in m_lines
};

/// A number as messages show it: three digits.
std::string briefText(double value);

}  // namespace elasto::robot
