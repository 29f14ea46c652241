#include "host/installed_action.h"

#include <BulletDynamics/Dynamics/btActionInterface.h>

#include "host/bullet_internals.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Actions = btAlignedObjectArray<btActionInterface*>;

/// Where an action was. Closes when Bullet comes to it, and calls the one that moves up to its place, which Bullet
/// would leave out. It knows nothing and is never deleted, so a world may end with it in its list.
class Gap final : public btActionInterface {
public:
    void updateAction(btCollisionWorld* world, btScalar h) override {
        Actions& actions = WorldInternals::actions(*static_cast<btDiscreteDynamicsWorld*>(world));
        const int place = actions.findLinearSearch(this);
        for (int i = place; i + 1 < actions.size(); ++i) actions.swap(i, i + 1);
        actions.pop_back();
        if (place < actions.size()) actions[place]->updateAction(world, h);
    }
    void debugDraw(btIDebugDraw*) override {}
};

}  // namespace

InstalledAction::InstalledAction(btDiscreteDynamicsWorld& world, btActionInterface& action)
    : m_world(&world), m_action(&action) {
    world.addAction(&action);
}

InstalledAction::~InstalledAction() {
    if (m_world == nullptr) return;
    Actions& actions = WorldInternals::actions(*m_world);
    const int place = actions.findLinearSearch(m_action);
    if (place == actions.size()) return;  // the user has taken it out
    static Gap gap;
    actions[place] = &gap;
    if (actions.size() == 1) actions.pop_back();
}

void InstalledAction::goFirst() {
    Actions& actions = WorldInternals::actions(*m_world);
    if (actions.size() == 0 || actions[0] == m_action) return;
    const int place = actions.findLinearSearch(m_action);
    if (place == actions.size()) return;
    for (int i = place; i > 0; --i) actions.swap(i, i - 1);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
