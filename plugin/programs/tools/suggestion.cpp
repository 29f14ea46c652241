#include "suggestion.h"

#include <elasto/scene/printable.h>

#include <algorithm>

#include "problems.h"

namespace elasto::tools {

std::string suggestion(const std::string& name, const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 12;
    const std::string near = scene::nearest(name, names);
    if (!near.empty()) return "; did you mean '" + printableLine(near) + "'?";
    const auto count = static_cast<std::ptrdiff_t>(std::min(kMost, names.size()));
    return "; it has " + printableNames({names.begin(), names.begin() + count}) + (names.size() > kMost ? ", ..." : "");
}

std::string notOneOf(const std::string& name, const std::vector<std::string>& names) {
    const std::string near = scene::nearest(name, names);
    return "'" + printableLine(name) + "' is not allowed; " +
           (near.empty() ? "it must be one of " + printableNames(names) : "did you mean '" + near + "'?");
}

}  // namespace elasto::tools
