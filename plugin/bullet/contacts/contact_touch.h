#pragma once
// Where two bodies touch, or nearly do, whether Bullet has found it or not.

#include <elasto/precision.h>

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>

#include <optional>
#include <utility>
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
    bool isFlat = false;      ///< the normal is that of a face; of two boxes: both lie on each other
    bool isNormalOfB = true;  ///< of b's face, else of a's
    btVector3 onFace;         ///< a point of that face
    btScalar time = 0;        ///< of what was swept: when they are there [s]

    /// Exchanges a and b.
    void swap() {
        pointB += distance * normal;
        normal = -normal;
        isNormalOfB = !isNormalOfB;
        std::swap(a, b);
        std::swap(childA, childB);
        std::swap(poseA, poseB);
    }

    btTransform shapePoseA() const { return poseA * a.frame; }
    btTransform shapePoseB() const { return poseB * b.frame; }
};

/// A shape for Bullet's search for nearest points, with sharp edges if it is a box: against other boxes Bullet sees
/// them so, while this search rounds edges by the margin, and a corner by 0.7 times it.
class SearchedShape {
public:
    SearchedShape(const btCollisionShape& shape, bool isSharp);
    const btConvexShape& shape() const { return m_box ? *m_box : *m_shape; }

private:
    const btConvexShape* m_shape;
    std::optional<btBoxShape> m_box;
};

/// False for what is neither convex nor a plane, and for two planes: of those nothing below is known.
bool mayBeSearched(const TouchingShape& a, const TouchingShape& b);

/// True if the boxes around the shapes are no farther apart along any axis of the world [m].
bool areBoxesWithin(const Touch& touch, btScalar reach);

/// Fills in the nearest points of shapes at their poses. @return false if the search has no result
bool findNearest(Touch& touch);

/// All points are known of what is found of them: of a ball the one, of two boxes all corners and edges, of others on a
/// face their corners, or the ends of their axes. Else they would be struck at one corner.
bool hasAllPoints(const Touch& touch);

/// Points of two surfaces, in the world where they touch.
struct TouchPlace {
    btVector3 onA, onB;
};

/// All points that are known: of two boxes the corners of where their faces lie over each other, or of what else of
/// them is as near; of others on a face the ends of the line on which they lie, or their corners over the face that are
/// not higher than this; else the nearest. @param reach [m]
std::vector<TouchPlace> placesOf(Touch& touch, btScalar reach);

/// The corners of where the faces of two boxes lie over each other, however far apart they are: the face that has the
/// normal carries it, the other one has the corners. None if they do not lie flat on each other.
/// @param touch its shapes and poses, the normal, whose it is, and a point of that face are needed
std::vector<TouchPlace> facesOf(const Touch& touch);

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
