#include "contacts/contact_shape.h"
#include "contacts/tuning.h"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btMultiSphereShape.h>
#include <BulletCollision/CollisionShapes/btPolyhedralConvexShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>

#include <algorithm>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr btScalar kNearlyOne = btScalar(1) - kFaceAngle * kFaceAngle / 2;

// As Bullet does: what says that it is polyhedral is derived from this class.
const btPolyhedralConvexShape* polyhedronOf(const btCollisionShape& shape) {
    return shape.isPolyhedral() ? static_cast<const btPolyhedralConvexShape*>(&shape) : nullptr;
}

// The point of the axis at the same height as the given one, at most halfLength from the centre.
btVector3 onAxis(const btVector3& point, int axis, btScalar halfLength) {
    btVector3 result(0, 0, 0);
    result[axis] = std::clamp(point[axis], -halfLength, halfLength);
    return result;
}

Rounding nearestSphere(const btMultiSphereShape& shape, const btVector3& point) {
    Rounding nearest{};
    btScalar least = SIMD_INFINITY;
    for (int i = 0; i < shape.getSphereCount(); ++i) {
        const btVector3 centre = shape.getSpherePosition(i) * shape.getLocalScaling();
        const btScalar radius = shape.getSphereRadius(i) * shape.getLocalScaling().x();
        const btScalar distance = btFabs((point - centre).length() - radius);
        if (distance < least) {
            least = distance;
            nearest = {centre, radius};
        }
    }
    return nearest;
}

// Of three corners, not in a line, that lie as far out as any.
std::optional<btVector3> normalOfCorners(const btPolyhedralConvexShape& shape, const btVector3& outward) {
    const int count = shape.getNumVertices();
    btScalar farthest = -SIMD_INFINITY;
    btVector3 lower(SIMD_INFINITY, SIMD_INFINITY, SIMD_INFINITY);
    btVector3 upper = -lower;
    for (int i = 0; i < count; ++i) {
        btVector3 corner;
        shape.getVertex(i, corner);
        farthest = btMax(farthest, corner.dot(outward));
        lower.setMin(corner);
        upper.setMax(corner);
    }
    const btScalar size = (upper - lower).length();
    btVector3 first(0, 0, 0);
    btVector3 across(0, 0, 0);
    btVector3 normal(0, 0, 0);
    btScalar reach = 0;  // of the farthest corner from the first one, then of the next ones from the line through both
    for (int pass = 0; pass < 3; ++pass) {
        bool isFound = false;
        for (int i = 0; i < count; ++i) {
            btVector3 corner;
            shape.getVertex(i, corner);
            const btScalar below = farthest - corner.dot(outward);
            if (pass == 0 && below <= kFaceAngle * btScalar(1e-3) * size) {
                first = corner;
                isFound = true;
                break;
            }
            const btVector3 offset = corner - first;
            if (pass == 1 && below <= kFaceAngle * offset.length() && offset.length() > reach) {
                across = offset;
                reach = offset.length();
                isFound = true;
            }
            if (pass == 2 && below <= kFaceAngle * offset.length() &&
                across.cross(offset).length() > btScalar(1e-2) * across.length2()) {
                normal = across.cross(offset).normalized();
                isFound = true;
                break;
            }
        }
        if (!isFound) return std::nullopt;
    }
    return normal.dot(outward) < 0 ? -normal : normal;
}

// Along an axis, the way the direction points.
btVector3 alongAxis(const btVector3& direction, int axis) {
    btVector3 result(0, 0, 0);
    result[axis] = direction[axis] < 0 ? btScalar(-1) : btScalar(1);
    return result;
}

std::optional<btVector3> ownFaceNormal(const btCollisionShape& shape, const btVector3& outward) {
    int axis = outward.absolute().maxAxis();
    bool isFace = true;
    switch (shape.getShapeType()) {
        case BOX_SHAPE_PROXYTYPE:
            break;
        case CYLINDER_SHAPE_PROXYTYPE:
            axis = static_cast<const btCylinderShape&>(shape).getUpAxis();
            break;
        case CONE_SHAPE_PROXYTYPE:
            axis = static_cast<const btConeShape&>(shape).getConeUpIndex();
            isFace = outward[axis] < 0;
            break;
        default: {
            const auto* polyhedron = polyhedronOf(shape);
            return polyhedron != nullptr ? normalOfCorners(*polyhedron, outward) : std::nullopt;
        }
    }
    if (!isFace || btFabs(outward[axis]) < kNearlyOne) return std::nullopt;
    return alongAxis(outward, axis);
}

// On the edge of the end at this height: a quarter of it apart, the lowest one first. Those of an end that the shape
// stands on do not turn with its tremor.
void addCornersOfEnd(const btVector3& half, int axis, btScalar height, const btVector3& down,
                     std::vector<btVector3>& corners) {
    const int x = (axis + 1) % 3, y = (axis + 2) % 3;
    const bool isUpright = btFabs(down[axis]) > static_cast<btScalar>(kAlongDirection);
    const btScalar across = btSqrt(down[x] * down[x] + down[y] * down[y]);
    btScalar alongX = isUpright ? btScalar(1) : down[x] / across;
    btScalar alongY = isUpright ? btScalar(0) : down[y] / across;
    for (int quarter = 0; quarter < 4; ++quarter) {
        btVector3& corner = corners.emplace_back(0, 0, 0);
        corner[axis] = height;
        corner[x] = alongX * half[x];
        corner[y] = alongY * half[y];
        std::swap(alongX, alongY);
        alongX = -alongX;
    }
}

}  // namespace

int childCount(const btCollisionObject& object) {
    const btCollisionShape* shape = object.getCollisionShape();
    const bool isCompound = shape != nullptr && shape->isCompound();
    return isCompound ? static_cast<const btCompoundShape*>(shape)->getNumChildShapes() : -1;
}

TouchingShape touchingShape(const btCollisionObject& object, int index) {
    TouchingShape touching{object.getCollisionShape(), btTransform::getIdentity()};
    if (touching.shape != nullptr && touching.shape->isCompound()) {
        const auto& compound = static_cast<const btCompoundShape&>(*touching.shape);
        if (index < 0 || index >= compound.getNumChildShapes() || compound.getChildShape(index)->isCompound() ||
            compound.getChildShape(index)->isConcave()) {
            touching.shape = nullptr;
            return touching;
        }
        touching.shape = compound.getChildShape(index);
        touching.frame = compound.getChildTransform(index);
    }
    return touching;
}

std::optional<Rounding> roundingAt(const TouchingShape& touching, const btVector3& point, const btVector3& outward) {
    if (touching.shape == nullptr) return std::nullopt;
    const btVector3 local = touching.frame.invXform(point);
    const btVector3 normal = outward * touching.frame.getBasis();
    std::optional<Rounding> rounding;
    btVector3 lowest = normal;  // from the centre
    switch (touching.shape->getShapeType()) {
        case SPHERE_SHAPE_PROXYTYPE: {
            const auto& sphere = static_cast<const btSphereShape&>(*touching.shape);
            rounding = {btVector3(0, 0, 0), sphere.getRadius()};
            break;
        }
        case CAPSULE_SHAPE_PROXYTYPE: {
            const auto& capsule = static_cast<const btCapsuleShape&>(*touching.shape);
            const int axis = capsule.getUpAxis();
            // The normal may be that of another time, by which the capsule has turned: the point alone tells.
            rounding = {onAxis(local, axis, capsule.getHalfHeight()), capsule.getRadius()};
            // At the end of the axis of one that stands rounding does not make it a side.
            const bool isLying = btFabs(normal[axis]) < static_cast<btScalar>(kLying);
            const btScalar side = capsule.getHalfHeight() * (isLying ? btScalar(1) : 1 - kFlat);
            if (btFabs(rounding->centre[axis]) < side) rounding->axis[axis] = 1;
            break;
        }
        case MULTI_SPHERE_SHAPE_PROXYTYPE:
            rounding = nearestSphere(static_cast<const btMultiSphereShape&>(*touching.shape), local);
            break;
        case CYLINDER_SHAPE_PROXYTYPE: {
            const auto& cylinder = static_cast<const btCylinderShape&>(*touching.shape);
            const int axis = cylinder.getUpAxis();
            const btVector3 half = cylinder.getHalfExtentsWithMargin();
            const bool isCircular = half[(axis + 1) % 3] == half[(axis + 2) % 3];
            if (isCircular && btFabs(normal[axis]) < static_cast<btScalar>(kLying)) {
                rounding = {onAxis(local, axis, half[axis]), cylinder.getRadius()};
                rounding->axis[axis] = 1;
                lowest[axis] = 0;
                lowest.normalize();
            }
            break;
        }
        default:
            break;
    }
    if (!rounding) return std::nullopt;
    rounding->lowest = touching.frame * (rounding->centre + rounding->radius * lowest);
    rounding->centre = touching.frame * rounding->centre;
    rounding->axis = touching.frame.getBasis() * rounding->axis;
    return rounding;
}

namespace {

// Of a cylinder or a capsule: half its axis, in its own frame.
struct HalfAxis {
    int axis = 0;
    btScalar length = 0;

    std::array<btVector3, 2> ends(const btTransform& frame) const {
        btVector3 end(0, 0, 0);
        end[axis] = length;
        return {frame * -end, frame * end};
    }
};

HalfAxis halfAxis(const btCapsuleShape& capsule) {
    return {capsule.getUpAxis(), capsule.getHalfHeight()};
}

}  // namespace

std::optional<std::array<btVector3, 2>> lineAt(const TouchingShape& touching, const btVector3& outward) {
    if (touching.shape == nullptr) return std::nullopt;
    HalfAxis half;
    switch (touching.shape->getShapeType()) {
        case CYLINDER_SHAPE_PROXYTYPE: {
            const auto& cylinder = static_cast<const btCylinderShape&>(*touching.shape);
            half = {cylinder.getUpAxis(), cylinder.getHalfExtentsWithMargin()[cylinder.getUpAxis()]};
            break;
        }
        case CAPSULE_SHAPE_PROXYTYPE:
            half = halfAxis(static_cast<const btCapsuleShape&>(*touching.shape));
            break;
        default:
            return std::nullopt;
    }
    const btScalar along = (outward * touching.frame.getBasis())[half.axis];
    if (btFabs(along) >= static_cast<btScalar>(kLying)) return std::nullopt;
    return half.ends(touching.frame);
}

std::optional<std::array<btVector3, 2>> roundEnds(const TouchingShape& touching) {
    const bool isCapsule = touching.shape != nullptr && touching.shape->getShapeType() == CAPSULE_SHAPE_PROXYTYPE;
    if (!isCapsule) return std::nullopt;
    return halfAxis(static_cast<const btCapsuleShape&>(*touching.shape)).ends(touching.frame);
}

namespace {

/// A corner with the shape's margin along a direction, both in its own frame.
btVector3 cornerOf(const btPolyhedralConvexShape& polyhedron, int index, const btVector3& direction) {
    btVector3 corner;
    polyhedron.getVertex(index, corner);
    const bool hasMargin = polyhedron.getShapeType() != BOX_SHAPE_PROXYTYPE;  // outside its corners
    return hasMargin ? corner + polyhedron.getMargin() * direction : corner;
}

}  // namespace

void addCorners(const TouchingShape& touching, const btVector3& down, std::vector<btVector3>& corners) {
    if (touching.shape == nullptr) return;
    const btVector3 direction = down * touching.frame.getBasis();
    const std::size_t first = corners.size();
    switch (touching.shape->getShapeType()) {
        case CYLINDER_SHAPE_PROXYTYPE: {
            const auto& cylinder = static_cast<const btCylinderShape&>(*touching.shape);
            const btVector3 half = cylinder.getHalfExtentsWithMargin();
            const int axis = cylinder.getUpAxis();
            for (const btScalar height : {-half[axis], half[axis]}) {
                addCornersOfEnd(half, axis, height, direction, corners);
            }
            break;
        }
        case CONE_SHAPE_PROXYTYPE: {
            const auto& cone = static_cast<const btConeShape&>(*touching.shape);
            const int axis = cone.getConeUpIndex();
            const btVector3 half(cone.getRadius(), cone.getRadius(), cone.getRadius());
            addCornersOfEnd(half, axis, -cone.getHeight() / 2, direction, corners);
            corners.emplace_back(0, 0, 0)[axis] = cone.getHeight() / 2;
            break;
        }
        default: {
            const auto* polyhedron = polyhedronOf(*touching.shape);
            if (polyhedron == nullptr) return;
            for (int i = 0; i < polyhedron->getNumVertices(); ++i) {
                corners.push_back(cornerOf(*polyhedron, i, direction));
            }
            break;
        }
    }
    for (std::size_t i = first; i < corners.size(); ++i) corners[i] = touching.frame * corners[i];
}

bool isCorner(const TouchingShape& touching, const btVector3& point, const btVector3& outward) {
    const auto* polyhedron = polyhedronOf(*touching.shape);
    if (polyhedron == nullptr) return false;
    const btVector3 there = touching.frame.invXform(point);
    const btVector3 direction = outward * touching.frame.getBasis();
    btVector3 centre;
    btScalar radius = 0;
    polyhedron->getBoundingSphere(centre, radius);
    for (int i = 0; i < polyhedron->getNumVertices(); ++i) {
        if (cornerOf(*polyhedron, i, direction).distance(there) <= kFlat * radius) return true;
    }
    return false;
}

bool isSurface(const TouchingShape& touching) {
    return touching.shape != nullptr && touching.shape->isConcave();
}

std::optional<btVector3> faceNormal(const TouchingShape& touching, const btVector3& outward) {
    if (touching.shape == nullptr) return std::nullopt;
    const auto normal = ownFaceNormal(*touching.shape, outward * touching.frame.getBasis());
    if (!normal) return std::nullopt;
    return touching.frame.getBasis() * *normal;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
