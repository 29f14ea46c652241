#include "gallery/body_surface.h"

#include <algorithm>
#include <cmath>

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
        case SceneShape::Type::None:
        case SceneShape::Type::Plane:
            break;
    }
    return 0;
}

}  // namespace

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
