#pragma once
// What of a collision shape matters where it touches another: is it round there, does it have a face there.

#include <elasto/precision.h>

#include <LinearMath/btTransform.h>

#include <array>
#include <optional>
#include <vector>

class btCollisionObject;
class btCollisionShape;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// The simple shape of a body that touches.
struct TouchingShape {
    const btCollisionShape* shape = nullptr;  ///< null: not known (a compound in a compound)
    btTransform frame;                        ///< in the body's frame
};

/// Children of a compound; -1 if it is none.
int childCount(const btCollisionObject& object);

/// @param index m_index0 or m_index1 of the contact point: for a compound the child that touches
TouchingShape touchingShape(const btCollisionObject& object, int index);

/// Calls visit with each simple shape of a body, and its index: -1 if it is no compound.
template <class Visit>
void forEachShape(const btCollisionObject& object, const Visit& visit) {
    const int children = childCount(object);
    for (int child = 0; child < children; ++child) visit(touchingShape(object, child), child);
    if (children < 0) visit(touchingShape(object, -1), -1);
}

/// A part of the surface that is round: all points at a distance from a centre, or from an axis through it.
struct Rounding {
    btVector3 centre;  ///< in the body's frame; of a part round about an axis: where the touching point's plane cuts it
    btScalar radius;   ///< [m]
    btVector3 axis = btVector3(0, 0, 0);    ///< in the body's frame; 0 where it is round about the centre
    btVector3 lowest = btVector3(0, 0, 0);  ///< the point of it that lies farthest out, in the body's frame
};

/// The rounding of the surface at a point with an outward normal (both in the body's frame), if it is round there:
/// spheres, capsules and multi-spheres everywhere, cylinders on their side. Margins are no rounding here.
std::optional<Rounding> roundingAt(const TouchingShape& touching, const btVector3& point, const btVector3& outward);

/// The ends of the axis, in the body's frame, of a cylinder or a capsule that lies on a plane with this normal: it
/// touches along a line.
std::optional<std::array<btVector3, 2>> lineAt(const TouchingShape& touching, const btVector3& outward);

/// The same of a capsule, however it stands: its ends are round.
std::optional<std::array<btVector3, 2>> roundEnds(const TouchingShape& touching);

/// Adds the corners that may touch a plane which the shape lies on, in the body's frame: all of a box or polyhedron,
/// with its margin, and of a cylinder or cone four of each end, one of which is the lowest unless it stands.
/// @param down against the plane's normal, in the body's frame
void addCorners(const TouchingShape& touching, const btVector3& down, std::vector<btVector3>& corners);

/// True if a corner of a box or polyhedron, with its margin along a direction, is there (both in the body's frame).
bool isCorner(const TouchingShape& touching, const btVector3& point, const btVector3& outward);

/// True for surfaces without vertices of their own: planes, meshes, height fields.
bool isSurface(const TouchingShape& touching);

/// The outward normal of the shape's flat face that has this one within 1e-3 rad (both in the body's frame), if there
/// is such a face. Boxes, cylinders, cones and polyhedra have faces here.
std::optional<btVector3> faceNormal(const TouchingShape& touching, const btVector3& outward);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
