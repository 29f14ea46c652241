#pragma once
// What the plugin remembers of bodies that are in a network only because joints or contacts tie them to it, or because
// they fly; those of elements are remembered by the elements.

#include <elasto/element_state.h>
#include <elasto/precision.h>

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>

#include <deque>
#include <optional>
#include <vector>

#include "network/kinematic_path.h"

class btRigidBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class BodyTable {
public:
    /// The cache of a body in the world; empty for one that was not tied in the last tick. Valid until restore.
    SavedBody& at(const btRigidBody& body);
    /// The motion of a body that others move in this tick: its path goes on once, however many networks it is tied to.
    /// @param h [s] of the tick
    const KinematicStep& step(const btRigidBody& body, double h);
    /// A new tick begins, whatever became of the last one.
    void beginTick();
    /// Null if the body was not tied in the last tick.
    const SavedBody* find(const btRigidBody& body) const;

    bool isEmpty() const { return m_size == 0; }

    /// The body was tied in this tick: its cache is up to date. @param kinetic its energy in the book [J]
    void keep(const btRigidBody& body, double kinetic);
    /// Ends the tick: forgets the bodies that were not tied in it. @return energy that the book counted of them [J]
    double forgetOthers();

    /// A body's cache between ticks, by the body's place in the world.
    struct Kept {
        int place = 0;
        bool isGone = false;  ///< the body was removed since; its energy is still to be booked
        SavedBody cache;
        double kinetic = 0;
    };
    std::vector<Kept> save(const btCollisionObjectArray& objects) const;
    void restore(const std::vector<Kept>& kept, const btCollisionObjectArray& objects);

private:
    struct Entry {
        const btRigidBody* body = nullptr;  ///< compared only: it may be gone
        SavedBody cache;
        double kinetic = 0;
        bool isTied = false;
        std::optional<KinematicStep> step;  ///< in this tick
    };
    std::deque<Entry> m_entries;  // by place in the world; growing leaves references to entries valid
    std::size_t m_size = 0;       // those after it are empty, kept for their storage
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
