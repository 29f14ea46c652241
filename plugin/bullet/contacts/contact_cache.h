#pragma once
// Contact points that Bullet drops for single ticks.
//
// Bullet keeps four points of a pair and replaces them as it likes: in single ticks a resting box has no contact at one
// of its corners, and what presses it there would tip it. So the last tick's points are kept, and those that are
// missing are added again while the bodies are where they touch.

#include <elasto/precision.h>

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>

#include <span>
#include <vector>

#include "contacts/contact_points.h"
#include "contacts/resting_contacts.h"

class btDispatcher;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class ContactCache {
public:
    /// No pair was noted in the last tick.
    bool isEmpty() const { return m_last.empty(); }
    /// The pair was noted in the last tick.
    bool has(const btCollisionObject& a, const btCollisionObject& b) const { return lastOf(a, b) != nullptr; }
    /// It bore something then.
    bool hasBorne(const btCollisionObject& a, const btCollisionObject& b) const;
    /// Adds the pairs that did whose bodies are in the world still, in the order of their places in the broadphase.
    void findBearing(const btCollisionObjectArray& objects, std::vector<TouchingPair>& pairs) const;

    /// Adds the points that a pair without any had on surfaces such as meshes, if it bore there and is closed still.
    /// @param points null: it is only asked @return true if there are any
    bool recallOnSurfaces(const btCollisionObject& a, const btCollisionObject& b,
                          std::vector<ContactPoint>* points) const;

    /// Finds among the points of a network, which are in order, the pairs that rest as Bullet left them (see
    /// contacts/resting_contacts.h).
    void recogniseRest(std::vector<ContactPoint>& points) const;

    /// What Bullet is to begin with where a network, whose points are in order, is its own again (see
    /// contacts/resting_contacts.h).
    std::vector<WarmStart> resume(const std::vector<ContactPoint>& points) const;

    /// Before Bullet's solver begins with what its points bore in the last tick: impacts do not go on, and whoever is
    /// Bullet's own now would be thrown by them.
    void fadeImpacts(btDispatcher& dispatcher) const;

    /// Adds to the points of a network, which are in order, those of the last tick that are missing. A point is missing
    /// if no other one of its pair is near, and it still is one if it is nearly closed, the pair's normal has not
    /// turned, and it has hardly slid or, projected on the face that it slid on, is still on it. Up to eight points per
    /// pair. Rounded parts touch where they touch: they have no memory.
    /// @return number of points added
    int recall(std::vector<ContactPoint>& points);

    /// True if there are such points, and room for more in Bullet's memory of their pair.
    bool lacksPoints(std::span<const ContactPoint> points) const;

    /// Gives the slack of the last tick's soft contacts to the points of the same pair with the same normal, and slack
    /// to what is deeper than any spring of the pair was compressed. Bodies that are found inside each other for the
    /// first time have as much as their speed has not brought them in.
    /// @param points in order
    void slacken(std::vector<ContactPoint>& points) const;

    /// Gives points that were closed by a hairline the gap that the flow had left there: it knows it better than
    /// Bullet, and what an impact has parted is apart.
    /// @param points in order
    void reopen(std::vector<ContactPoint>& points) const;

    /// Gives the creep of the last tick's points to those at the same places.
    /// @param points in order
    void carryCreep(std::vector<ContactPoint>& points) const;

    /// Notes the points of a network that was solved in this tick; those of a pair follow each other.
    void note(const std::vector<ContactPoint>& points);

    /// Points that were added by others; they are among the places.
    void noteAdded(std::span<const ContactPoint> added);

    /// Where points were added in the last tick, in world coordinates [m].
    const std::vector<Eigen::Vector3d>& places() const { return m_lastPlaces; }

    /// A remembered point between ticks, its bodies by their places in the world.
    struct Kept {
        int placeA = 0;
        int placeB = 0;
        ContactPoint point;
    };
    std::vector<Kept> save(const btCollisionObjectArray& objects) const;
    void restore(const std::vector<Kept>& kept, const btCollisionObjectArray& objects);

    /// Ends the tick: what was not noted in it is forgotten.
    void endTick();

    /// Forgets what was noted since the last tick ended.
    void abandonTick();

private:
    struct Pair {
        const btCollisionObject* bodyA = nullptr;  // compared only: they may be gone
        const btCollisionObject* bodyB = nullptr;
        int uidA = -1;  // of their places in the broadphase, which are not used twice
        int uidB = -1;
        int placeA = -1;  // in the world, when it was noted
        int placeB = -1;
        std::size_t first = 0;  // of its points among all of the tick
        std::size_t count = 0;
    };
    static Pair pairOf(const btCollisionObject& a, const btCollisionObject& b);
    static Pair pairOf(const ContactPoint& point) { return pairOf(*point.bodyA, *point.bodyB); }
    std::span<const ContactPoint> pointsOf(const Pair& last) const { return {&m_lastPoints[last.first], last.count}; }
    bool hasStruck(const Pair& last) const { return pointsOf(last).front().hasStruck; }
    const Pair* lastOf(const btCollisionObject& a, const btCollisionObject& b) const;
    std::vector<const ContactPoint*> missing(std::span<const ContactPoint> pair) const;
    const Pair* lastOf(const ContactPoint& point) const { return lastOf(*point.bodyA, *point.bodyB); }
    template <class IsWanted, class Visit>
    void forEachKept(std::vector<ContactPoint>& points, const IsWanted& isWanted, const Visit& visit) const;
    static bool comesBefore(const Pair& x, const Pair& y);

    std::vector<Pair> m_last;  // of the last tick, by the bodies' places in the broadphase
    std::vector<ContactPoint> m_lastPoints;
    std::vector<Pair> m_present;  // of this tick
    std::vector<ContactPoint> m_presentPoints;
    std::vector<Eigen::Vector3d> m_lastPlaces;
    std::vector<Eigen::Vector3d> m_places;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
