#include "host/installed_islands.h"

#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>
#include <LinearMath/btAlignedAllocator.h>

#include <new>
#include <typeinfo>
#include <utility>

#include "host/bullet_internals.h"
#include "host/class_of.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class InstalledIslands::Manager final : public btSimulationIslandManager {
public:
    Manager(InstalledIslands& owner, btSimulationIslandManager& users, bool isUsersOwned, std::function<void()> begins)
        : m_owner(&owner), m_users(&users), m_isUsersOwned(isUsersOwned), m_begins(std::move(begins)) {
        setSplitIslands(users.getSplitIslands());
    }
    /// By the world, which destroys itself, or by release.
    ~Manager() override {
        if (m_owner == nullptr) return;
        m_owner->m_ours = nullptr;
        if (m_isUsersOwned) {
            m_users->~btSimulationIslandManager();
            btAlignedFree(m_users);
        }
    }

    /// Destroys itself. @return the world's own, as the user would have it now
    btSimulationIslandManager* release() {
        btSimulationIslandManager* users = m_users;
        users->setSplitIslands(getSplitIslands());
        m_owner = nullptr;
        this->~Manager();
        btAlignedFree(this);
        return users;
    }

    void updateActivationState(btCollisionWorld* world, btDispatcher* dispatcher) override {
        m_begins();
        btSimulationIslandManager::updateActivationState(world, dispatcher);
    }

private:
    InstalledIslands* m_owner;
    btSimulationIslandManager* m_users;
    bool m_isUsersOwned;
    std::function<void()> m_begins;
};

InstalledIslands::InstalledIslands(btDiscreteDynamicsWorld& world, std::function<void()> begins) : m_world(&world) {
    btSimulationIslandManager*& place = WorldInternals::islandManager(world);
    if (place == nullptr || classOf(*place) != typeid(btSimulationIslandManager)) return;
    // As the world makes its own, for it may have to free ours.
    void* memory = btAlignedAlloc(sizeof(Manager), 16);
    m_ours = new (memory) Manager(*this, *place, WorldInternals::ownsIslandManager(world), std::move(begins));
    place = m_ours;
}

InstalledIslands::~InstalledIslands() {
    if (m_ours == nullptr) return;
    btSimulationIslandManager*& place = WorldInternals::islandManager(*m_world);
    if (place == m_ours) place = m_ours->release();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
