#include "input.h"

#include <array>

namespace elasto::play {

const char* actionName(const Action& action) {
    static constexpr std::array names = {"dragBegin",  "dragMove", "dragEnd",      "turnBegin",   "turnMove",
                                         "turnEnd",    "throw",    "parameter",    "switch",      "motor",
                                         "iterations", "gravity",  "jointPlacing", "jointTarget", "jointsHold"};
    static_assert(names.size() == std::variant_size_v<Action>);
    return names[action.index()];
}

std::string refusalOf(const Action& action, const std::exception& error) {
    return std::string("input ") + actionName(action) + ": " + error.what();
}

}  // namespace elasto::play
