#pragma once
/// @file tick_file.h
/// A tick of a network as a file: what was solved, with which settings, and what came out.

#include <elasto/export.h>
#include <elasto/flow_tree.h>

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <variant>

namespace elasto {

/// All that a tick depends on, and a fingerprint of its end. Who solves it again gets the same bits (with the same
/// build of the library).
struct TickRecord {
    std::string label;                               ///< one line: whose tick it is
    double time = 0;                                 ///< when it began [s]
    double h = 0;                                    ///< its length [s]
    FlowSettings settings;                           ///< that it was solved with
    std::variant<FlowNetwork, TreeNetwork> network;  ///< as it began
    std::uint64_t fingerprint = 0;                   ///< of what it ended with
    TickGrade grade;                                 ///< that it had
};

/// Of all numbers that a tick ends with: bodies or trees, elements, contacts. The same for the same bits.
ELASTO_API std::uint64_t fingerprintOf(const TickResult& tick);
ELASTO_API std::uint64_t fingerprintOf(const TreeTickResult& tick);  ///< the same of trees

/// Writes text: a name and its values per line, numbers in hexadecimal so that they are the same when they are read.
/// The stream tells whether it could be written.
ELASTO_API void writeTick(std::ostream& out, const TickRecord& tick);
/// @param source name in messages
/// @throws InvalidParameter naming the source, the line, what it has and what is allowed there
ELASTO_API TickRecord readTick(std::istream& in, const std::string& source);

}  // namespace elasto
