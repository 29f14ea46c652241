#pragma once
// Bodies without elements that the flow moves all the same: those that fly.

#include <elasto/precision.h>

#include <vector>

#include "network/body_table.h"

class btRigidBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

struct SolverGroup;

/// Whose flights the flow follows.
enum class Flights {
    Left,  ///< of bodies that have left a network, until they touch something
    All    ///< of all that touch nothing; what the flow moved when it met something stays with the flow
};

/// The bodies of a group that nothing but contacts can hold, and of these the ones that fly: each is a network of one
/// body without elements, which what it meets belongs to.
class FreeBodies {
public:
    /// @param table what the flow moved in the last tick without an element
    void find(const SolverGroup& group, const BodyTable& table, Flights flights);
    void clear() { m_bodies.clear(); }

    bool isEmpty() const { return m_bodies.empty(); }
    /// By their places in the world.
    const std::vector<btRigidBody*>& bodies() const { return m_bodies; }

private:
    std::vector<btRigidBody*> m_bodies;
    std::vector<char> m_isTied;     // by solver body: by an element or a joint
    std::vector<char> m_isTouched;  // by solver body: it has a contact that Bullet knows of
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
