#pragma once
// Bodies whose end poses are known: Bullet need not move them first.

#include <elasto/precision.h>

#include <cstddef>
#include <functional>
#include <vector>

class btDiscreteDynamicsWorld;
class btRigidBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Bodies that are not in the list of those that the world moves, from the end of its solver to the first of its
/// actions.
class UnmovedBodies {
public:
    /// Takes bodies out of the list, unless the user's code is called while it is gone through, which might throw.
    /// @param bodyAt gives each of them, from 0 to count - 1; they are in the world
    /// @return false if Bullet will move them
    bool takeOut(btDiscreteDynamicsWorld& world, std::size_t count,
                 const std::function<const btRigidBody*(std::size_t)>& bodyAt);
    /// Makes the list what it was.
    void putBack();
    /// The world is gone.
    void forget() { m_world = nullptr; }

private:
    btDiscreteDynamicsWorld* m_world = nullptr;  // whose list is shortened
    std::vector<btRigidBody*> m_all;             // that list
    std::vector<char> m_isOut;                   // by place in the world
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
