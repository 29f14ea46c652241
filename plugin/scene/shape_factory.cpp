#include "shape_factory.h"

#include "host/conversion.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btEmptyShape.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>

#include <algorithm>
#include <cmath>

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

std::unique_ptr<btCollisionShape> makeMesh(const SceneShape& shape, ShapeMeshes& meshes) {
    auto mesh = std::make_unique<btTriangleMesh>();
    const auto corner = [&](int index) { return toBullet(shape.points[static_cast<std::size_t>(index)]); };
    for (const auto& [a, b, c] : shape.triangles) mesh->addTriangle(corner(a), corner(b), corner(c));
    meshes.push_back(std::move(mesh));
    constexpr bool kIsQuantized = true;
    return std::make_unique<btBvhTriangleMeshShape>(meshes.back().get(), kIsQuantized);
}

std::unique_ptr<btCollisionShape> makeHeightField(const SceneShape& shape) {
    // Bullet puts the middle between the lowest and the highest height into its origin.
    double reach = 0;
    for (const double height : shape.heights) reach = std::max(reach, std::abs(height));
    const auto most = static_cast<btScalar>(reach);
    const int rows = static_cast<int>(shape.heights.size()) / shape.columns;
    auto field = std::make_unique<btHeightfieldTerrainShape>(shape.columns, rows, shape.heights.data(), -most, most,
                                                             shape.axis, false);
    Eigen::Vector3d scaling = Eigen::Vector3d::Ones();
    scaling[shape.axis == 0 ? 1 : 0] = shape.spacing[0];
    scaling[shape.axis == 2 ? 1 : 2] = shape.spacing[1];
    field->setLocalScaling(toBullet(scaling));
    return field;
}

}  // namespace

std::unique_ptr<btCollisionShape> makeShape(const SceneShape& shape, ShapeMeshes& meshes) {
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
        case SceneShape::Type::Mesh:
        case SceneShape::Type::HeightField: {
            auto skin = shape.type == SceneShape::Type::Mesh ? makeMesh(shape, meshes) : makeHeightField(shape);
            skin->setMargin(0);  // Bullet's own of 4 cm would lie on top of it
            return skin;
        }
        case SceneShape::Type::None:
            break;
    }
    return std::make_unique<btEmptyShape>();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
