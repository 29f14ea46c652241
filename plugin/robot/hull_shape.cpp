#include "hull_shape.h"

#include "mesh_file.h"
#include "mesh_points.h"

namespace elasto::robot {

namespace {

/// The first places that were searched, and how many more.
std::string placesText(const std::vector<std::filesystem::path>& places) {
    constexpr std::size_t kMost = 3;
    std::string text;
    for (std::size_t i = 0; i < places.size() && i < kMost; ++i)
        text += (i > 0 ? ", '" : "'") + places[i].string() + "'";
    if (places.size() > kMost) text += " and " + std::to_string(places.size() - kMost) + " more places";
    return text;
}

}  // namespace

bool makeHull(const MeshReading& reading, const std::string& uri, const Eigen::Vector3d& scale, RobotShape& shape) {
    const auto leaveOut = [&](const std::string& kind, const std::string& why) {
        reading.file.warnOnce(kind, reading.element,
                              [&] { return "the shape is left out (of " + reading.owner + "): " + why; });
        return false;
    };
    const FoundFile found = findFile(uri, reading.file.folder(), reading.options);
    if (found.path.empty()) {
        return leaveOut("missing mesh", "there is no file \"" + uri + "\"; looked for as " + placesText(found.looked));
    }
    shape.type = RobotShape::Type::Hull;
    shape.file = found.path;
    try {
        shape.points = meshPoints(found.path);
        for (Eigen::Vector3d& point : shape.points) point = point.cwiseProduct(scale);
        return true;
    } catch (const MeshError& refused) {
        return leaveOut("mesh", "'" + found.path.string() + "': " + refused.what());
    }
}

}  // namespace elasto::robot
