#pragma once
// Where two bodies touch, or nearly do, whether Bullet has found it or not.

#include <elasto/precision.h>

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>

#include <optional>
#include <vector>

#include "contacts/contact_points.h"
#include "contacts/contact_shape.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Two shapes at some poses of their bodies, and their nearest points, in the world; the normal points from b to a.
struct Touch {
    TouchingShape a, b;  ///< convex ones; one may be a plane
    int childA = -1;     ///< of compounds
    int childB = -1;
    btTransform poseA, poseB;  ///< of the bodies
    btVector3 pointB;
    btVector3 normal;
    btScalar distance = 0;
    btVector3 onFace;         ///< of two boxes: a point of the face that has the normal
    bool isNormalOfB = true;  ///< of two boxes: of b's face, else of a's
    bool isFlat = false;      ///< of two boxes: their faces lie on each other

    btTransform shapePoseA() const { return poseA * a.frame; }
    btTransform shapePoseB() const { return poseB * b.frame; }
};

/// False for what is neither convex nor a plane, and for two planes: of those nothing below is known.
bool mayBeSearched(const TouchingShape& a, const TouchingShape& b);

/// Of such a pair all points that may touch are known: a ball has one, what has corners those over a plane, and two
/// boxes those of their faces, if they lie flat on each other.
bool hasAllPoints(const TouchingShape& a, const TouchingShape& b);

/// Fills in the nearest points of shapes at their poses. @return false if the search has no result
bool findNearest(Touch& touch);

/// Points of two surfaces, in the world where they touch.
struct TouchPlace {
    btVector3 onA, onB;
};

/// All points that are known: of what has corners over a plane those of them that are not higher than this; of two
/// boxes the corners of where their faces lie over each other, or of what else of them is as near; of others the
/// nearest. @param reach [m]
std::vector<TouchPlace> placesOf(Touch& touch, btScalar reach);

/// A point as Bullet would have it, where the bodies are now. @param place where they touch
btManifoldPoint manifoldPoint(const btCollisionObject& a, const btCollisionObject& b, const Touch& touch,
                              const TouchPlace& place);

/// Adds a point to the manifold, if that has room, and to the points.
/// @return it; null if the flow has it not
ContactPoint* addPoint(btPersistentManifold& manifold, const Touch& touch, const TouchPlace& place,
                       const btContactSolverInfo& info, std::vector<ContactPoint>& points);

/// @name What a body is
///@{
bool isBall(const btCollisionShape& shape);
bool isBox(const btCollisionShape& shape);
///@}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
