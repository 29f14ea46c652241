#pragma once
// Bullet's contact points in the flow's terms.

#include <elasto/flow.h>
#include <elasto/flow_contact.h>
#include <elasto/precision.h>

#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <array>
#include <optional>

class btCollisionObject;
struct btContactSolverInfo;

#include "contacts/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What Bullet bore two bodies with at one of its points.
struct BorneThere {
    Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< in a's frame
    double impulse = 0;                               ///< of its last tick [N.s]
};

/// Two bodies where Bullet left them at rest (see contacts/resting_contacts.h).
struct ContactRest {
    bool isKnown = false;
    BodyState pose;                                     ///< b's in a's frame; without velocities
    double height = 0;                                  ///< gap up to which points there are closed [m]
    double reach = 0;                                   ///< how far the bodies may move from there [m]
    std::array<BorneThere, MANIFOLD_CACHE_SIZE> borne;  ///< zero where it had no point
};

/// A contact point that the flow can solve. In `contact` a is the manifold's body 0 and b its body 1; their indices are
/// open, points and normal are in the bodies' own frames, those of static bodies too.
struct ContactPoint {
    FlowContact contact;
    Eigen::Vector3d anchor = Eigen::Vector3d::Zero();  ///< where it touches the surface that has the normal
    btCollisionObject* bodyA = nullptr;
    btCollisionObject* bodyB = nullptr;
    int childA = -1;  ///< of a compound: which shape touches
    int childB = -1;
    double impulse = 0;                ///< what it bore in the last tick [N.s]
    double risen = 0;                  ///< of a round part on a face: how far Bullet's point has risen by rolling [m]
    double compressed = 0;             ///< of one that is remembered: its depth then, less its slack [m]
    double hairline = 0;               ///< gap that was taken for none [m], see closeHairline
    bool hasStruck = false;            ///< of one that is remembered: there were impacts in its network then
    bool isReplaced = false;           ///< the normal is not Bullet's, which was that of an edge inside a mesh
    ContactRest rest;                  ///< of bodies that Bullet left at rest
    btManifoldPoint* point = nullptr;  ///< Bullet's; null for one that is remembered from earlier ticks

    bool hasBorne() const { return impulse > 0; }
    int vertexChild() const { return contact.isVertexOnA ? childA : childB; }  ///< which shape has the vertex
};

/// Two bodies that Bullet's solver keeps apart, at one point at least as the flow can do it.
struct TouchingPair {
    const btCollisionObject* a = nullptr;
    const btCollisionObject* b = nullptr;
};

/// Who has what: the vertex is of the body that is round there (its centre then), else of the body without a face
/// against the other, and of two faces of the body whose corner is there: it stays at its corner as that slides. Planes
/// and meshes have the normal; of faces that cross at their edges the immovable body has it, else body 1.
///
/// The gap is what Bullet measured, with its slop; where bodies bore each other in the last tick a gap of less than a
/// tenth of a millimetre is none: faces are no flatter than Bullet's distances, and bodies at rest would tip until it
/// closes. Edges inside meshes and height fields are none: what Bullet finds with one, over another triangle, is
/// replaced by the same part of the body over that triangle. Restitution, friction and the softness of CFM and ERP are
/// as Bullet's solver uses them: spinning friction only together with rolling friction, a softness as the spring and
/// damper that Bullet's formula stands for.
/// @return empty for what the flow has not: friction anchors, anisotropic friction, soft friction, a softness without
/// a spring, a normal that is none (of a degenerate triangle)
std::optional<ContactPoint> contactPoint(const btPersistentManifold& manifold, btManifoldPoint& point,
                                         const btContactSolverInfo& info);

/// False for friction and softness that the flow has not, where contactPoint is empty.
bool isSolvable(const btPersistentManifold& manifold, const btManifoldPoint& point, const btContactSolverInfo& info);

/// True if the user has set the point's friction directions, and with them the motion of a conveyor.
bool hasUsersDirections(const btManifoldPoint& point, const btContactSolverInfo& info);

/// The bodies' distance at a contact point [m]; the poses are those of contact.a and contact.b.
double gapOf(const FlowContact& contact, const BodyState& a, const BodyState& b);

/// Of the face that it touches, in world coordinates, from the manifold's body 1 to its body 0. A unit vector, but for
/// rounding.
btVector3 normalOf(const ContactPoint& point);

/// Makes a gap none that is: of a point whose pair bore there in the last tick.
void closeHairline(ContactPoint& point);

/// A body's pose as Bullet's collision detection saw it; without velocities.
BodyState poseOf(const btCollisionObject& body);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
