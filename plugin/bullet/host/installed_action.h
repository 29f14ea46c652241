#pragma once
// An action in a world's list that may come and go while Bullet goes through that list.

#include <elasto/precision.h>

class btActionInterface;
class btDiscreteDynamicsWorld;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Puts an action into the world's list for as long as this object lives. Bullet counts places while it calls actions:
/// none of the others moves then, so that each is called once in a tick in which one of them makes or destroys this.
class InstalledAction {
public:
    /// Last in the list, until goFirst.
    InstalledAction(btDiscreteDynamicsWorld& world, btActionInterface& action);
    ~InstalledAction();
    InstalledAction(const InstalledAction&) = delete;
    InstalledAction& operator=(const InstalledAction&) = delete;

    /// Before all others; not while Bullet calls them.
    void goFirst();
    /// It has destroyed its list with itself.
    void worldIsGone() { m_world = nullptr; }

private:
    btDiscreteDynamicsWorld* m_world;
    btActionInterface* m_action;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
