#include "shape_factory.h"

#include "host/conversion.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btEmptyShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

std::unique_ptr<btCollisionShape> makeCylinder(int axis, btScalar radius, btScalar halfLength) {
    btVector3 halfExtents(radius, radius, radius);
    halfExtents[axis] = halfLength;
    if (axis == 0) return std::make_unique<btCylinderShapeX>(halfExtents);
    if (axis == 1) return std::make_unique<btCylinderShape>(halfExtents);
    return std::make_unique<btCylinderShapeZ>(halfExtents);
}

std::unique_ptr<btCollisionShape> makeCapsule(int axis, btScalar radius, btScalar length) {
    if (axis == 0) return std::make_unique<btCapsuleShapeX>(radius, length);
    if (axis == 1) return std::make_unique<btCapsuleShape>(radius, length);
    return std::make_unique<btCapsuleShapeZ>(radius, length);
}

}  // namespace

std::unique_ptr<btCollisionShape> makeShape(const SceneShape& shape) {
    const btScalar radius = static_cast<btScalar>(shape.radius);
    const btScalar length = static_cast<btScalar>(shape.length);
    switch (shape.type) {
        case SceneShape::Type::Box:
            return std::make_unique<btBoxShape>(toBullet(Eigen::Vector3d(shape.size / 2)));
        case SceneShape::Type::Sphere:
            return std::make_unique<btSphereShape>(radius);
        case SceneShape::Type::Cylinder:
            return makeCylinder(shape.axis, radius, length / 2);
        case SceneShape::Type::Capsule:
            return makeCapsule(shape.axis, radius, length);
        case SceneShape::Type::Plane:
            return std::make_unique<btStaticPlaneShape>(toBullet(shape.normal), btScalar(0));
        case SceneShape::Type::None:
            break;
    }
    return std::make_unique<btEmptyShape>();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
