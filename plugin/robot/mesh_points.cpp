#include "mesh_points.h"

#include "collada_points.h"

#include <elasto/scene/input_file.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace elasto::robot {

namespace {

std::vector<Eigen::Vector3d> withoutDoubles(const std::vector<Eigen::Vector3d>& points) {
    std::set<std::tuple<double, double, double>> seen;
    std::vector<Eigen::Vector3d> kept;
    for (const Eigen::Vector3d& point : points) {
        if (seen.emplace(point.x(), point.y(), point.z()).second) kept.push_back(point);
    }
    return kept;
}

/// Farthest point by some measure.
template <typename Measure>
const Eigen::Vector3d& farthest(const std::vector<Eigen::Vector3d>& points, const Measure& measure) {
    return *std::max_element(points.begin(), points.end(), [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
        return measure(a) < measure(b);
    });
}

/// Whether the points lie in one plane, on a line or in a point, up to rounding.
bool isFlat(const std::vector<Eigen::Vector3d>& points) {
    constexpr double kThin = 1e-9;  // of the size
    const Eigen::Vector3d& first = points.front();
    const Eigen::Vector3d length =
        farthest(points, [&](const Eigen::Vector3d& p) { return (p - first).norm(); }) - first;
    const double size = length.norm();
    if (!(size > 0)) return true;
    const Eigen::Vector3d along = length / size;
    const Eigen::Vector3d width =
        farthest(points, [&](const Eigen::Vector3d& p) { return along.cross(p - first).norm(); }) - first;
    const Eigen::Vector3d normal = along.cross(width);
    if (normal.norm() <= kThin * size) return true;
    const Eigen::Vector3d up = normal.normalized();
    const auto height = [&](const Eigen::Vector3d& p) { return std::abs(up.dot(p - first)); };
    return height(farthest(points, height)) <= kThin * size;
}

}  // namespace

std::vector<Eigen::Vector3d> meshPoints(std::string_view content, std::string_view ending) {
    std::vector<Eigen::Vector3d> points;
    if (ending == ".obj" || ending == ".stl") {
        points = scene::meshVertices(content, ending);
    } else if (ending == ".dae") {
        points = colladaPoints(content);
    } else {
        throw MeshError("the format \"" + std::string(ending) +
                        "\" is not allowed; a mesh must be a .obj, .stl or .dae file");
    }
    points = withoutDoubles(points);
    if (points.size() < 4) {
        throw MeshError("it has " + std::to_string(points.size()) + " different vertices; a hull must have at least 4");
    }
    if (isFlat(points)) throw MeshError("all its vertices lie in one plane; a hull must have a volume");
    return points;
}

std::vector<Eigen::Vector3d> meshPoints(const std::filesystem::path& file) {
    std::string problem;
    const std::string content = readFile(file, problem);
    if (!problem.empty()) throw MeshError("it cannot be read: " + problem);
    return meshPoints(content, scene::meshEnding(file));
}

}  // namespace elasto::robot
