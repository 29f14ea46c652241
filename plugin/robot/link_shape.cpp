#include "link_shape.h"

#include "bullet_values.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btEmptyShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <LinearMath/btConvexHullComputer.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// Bullet puts its margin around a hull; its default of 4 cm is more than many links are thick.
constexpr btScalar kHullMargin = btScalar(0.001);  // [m]

std::unique_ptr<btCollisionShape> makeHull(const std::vector<Eigen::Vector3d>& points) {
    btAlignedObjectArray<btVector3> given;
    for (const Eigen::Vector3d& point : points) given.push_back(toBullet(point));
    btConvexHullComputer computer;
    computer.compute(&given[0].x(), sizeof(btVector3), given.size(), 0, 0);
    auto hull = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < computer.vertices.size(); ++i) hull->addPoint(computer.vertices[i], false);
    hull->recalcLocalAabb();
    hull->setMargin(kHullMargin);
    return hull;
}

std::unique_ptr<btCollisionShape> makePart(const RobotShape& shape) {
    const btScalar radius = static_cast<btScalar>(shape.radius);
    switch (shape.type) {
        case RobotShape::Type::Box:
            return std::make_unique<btBoxShape>(toBullet(Eigen::Vector3d(shape.size / 2)));
        case RobotShape::Type::Sphere:
            return std::make_unique<btSphereShape>(radius);
        case RobotShape::Type::Cylinder:
            return std::make_unique<btCylinderShapeZ>(
                btVector3(radius, radius, static_cast<btScalar>(shape.length / 2)));
        case RobotShape::Type::Capsule:
            return std::make_unique<btCapsuleShapeZ>(radius, static_cast<btScalar>(shape.length));
        case RobotShape::Type::Hull:
            break;
    }
    return makeHull(shape.points);
}

bool isIdentity(const RobotPose& pose) {
    return pose.position.isZero(0) && pose.orientation.vec().isZero(0);
}

}  // namespace

btCollisionShape& makeLinkShape(const RobotLink& link, std::vector<std::unique_ptr<btCollisionShape>>& parts) {
    if (link.collisions.empty()) return *parts.emplace_back(std::make_unique<btEmptyShape>());
    const RobotPose toPrincipal = inverse(link.principalFrame);
    if (link.collisions.size() == 1 && isIdentity(toPrincipal * link.collisions[0].pose)) {
        return *parts.emplace_back(makePart(link.collisions[0]));
    }
    auto compound = std::make_unique<btCompoundShape>();
    for (const RobotShape& shape : link.collisions) {
        btCollisionShape& part = *parts.emplace_back(makePart(shape));
        compound->addChildShape(toBullet(toPrincipal * shape.pose), &part);
    }
    return *parts.emplace_back(std::move(compound));
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
