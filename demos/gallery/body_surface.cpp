#include "gallery/body_surface.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace elasto::gallery {

namespace {

/// Support of a shape in a direction [m]: the largest direction . point over the shape.
double support(const SceneShape& shape, const Eigen::Vector3d& direction) {
    switch (shape.type) {
        case SceneShape::Type::Box:
            return direction.cwiseAbs().dot(shape.size) / 2;
        case SceneShape::Type::Sphere:
            return shape.radius;
        case SceneShape::Type::Cylinder: {
            const double along = std::abs(direction[shape.axis]);
            return along * shape.length / 2 + std::sqrt(std::max(0.0, 1 - along * along)) * shape.radius;
        }
        case SceneShape::Type::Capsule:
            return std::abs(direction[shape.axis]) * shape.length / 2 + shape.radius;
        case SceneShape::Type::Mesh:
        case SceneShape::Type::HeightField: {
            double most = 0;
            for (const Eigen::Vector3d& corner : skinCorners(shape)) most = std::max(most, direction.dot(corner));
            return most;
        }
        case SceneShape::Type::None:
        case SceneShape::Type::Plane:
            break;
    }
    return 0;
}

}  // namespace

std::vector<Eigen::Vector3d> skinCorners(const SceneShape& shape) {
    if (shape.type == SceneShape::Type::Mesh) return shape.points;
    std::vector<Eigen::Vector3d> corners;
    if (shape.type != SceneShape::Type::HeightField) return corners;
    const int rows = static_cast<int>(shape.heights.size()) / shape.columns;
    for (std::size_t i = 0; i < shape.heights.size(); ++i) {
        const int row = static_cast<int>(i) / shape.columns;
        const int column = static_cast<int>(i) % shape.columns;
        Eigen::Vector3d corner;
        corner[shape.axis] = shape.heights[i];
        corner[shape.axis == 0 ? 1 : 0] = shape.spacing[0] * (column - (shape.columns - 1) / 2.0);
        corner[shape.axis == 2 ? 1 : 2] = shape.spacing[1] * (row - (rows - 1) / 2.0);
        corners.push_back(corner);
    }
    return corners;
}

std::vector<std::array<int, 2>> skinEdges(const SceneShape& shape) {
    std::set<std::array<int, 2>> edges;
    for (const std::array<int, 3>& triangle : shape.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto [least, most] = std::minmax(triangle[k], triangle[(k + 1) % 3]);
            edges.insert({least, most});
        }
    }
    if (shape.type == SceneShape::Type::HeightField) {
        const int count = static_cast<int>(shape.heights.size());
        for (int i = 0; i < count; ++i) {
            if ((i + 1) % shape.columns != 0) edges.insert({i, i + 1});
            if (i + shape.columns < count) edges.insert({i, i + shape.columns});
        }
    }
    return {edges.begin(), edges.end()};
}

double reach(const SceneShape& shape, const Eigen::Vector3d& point, const Eigen::Vector3d& direction) {
    return std::max(0.0, support(shape, direction) - direction.dot(point));
}

Eigen::Vector3d halfSize(const SceneShape& shape) {
    return {support(shape, Eigen::Vector3d::UnitX()), support(shape, Eigen::Vector3d::UnitY()),
            support(shape, Eigen::Vector3d::UnitZ())};
}

Eigen::Vector3d pointOf(const SceneFrame& frame, const Scene& scene, const BodyPose& body) {
    if (frame.body == kWorld) return frame.position;
    return body * (frame.position - scene.bodies[static_cast<std::size_t>(frame.body)].centreOfMass);
}

}  // namespace elasto::gallery
