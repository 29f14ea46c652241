#pragma once
// Work in processes of its own, several at a time: crashes and hangs are findings like others, and results do not
// depend on how many there are.

#include <functional>
#include <string>
#include <vector>

namespace elasto::differential {

/// How a piece of work ended.
struct Ended {
    std::string text;     ///< what it returned
    std::string failure;  ///< "signal 11", "not done after 600 s"; empty if it ended as it should
};

/// Does pieces of work side by side and hands the results over in their order.
/// @param jobs at most so many at a time @param limit how long a piece may take [s]
/// @param next says whether there is another piece, by its number from 0 on; asked in their order
/// @param work what a child does; returns what its parent is to know
/// @param take gets each result, in the order of the pieces
void inChildren(int jobs, int limit, const std::function<bool(int)>& next, const std::function<std::string(int)>& work,
                const std::function<void(int, const Ended&)>& take);

}  // namespace elasto::differential
