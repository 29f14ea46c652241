#pragma once
// Our manager of islands in the place of the world's, for as long as this object lives: it is Bullet's own, and tells
// when Bullet begins to look for its islands.

#include <elasto/precision.h>

#include <functional>

class btDiscreteDynamicsWorld;
class btSimulationIslandManager;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class InstalledIslands {
public:
    /// Installs nothing in a world whose manager is another class than Bullet's.
    InstalledIslands(btDiscreteDynamicsWorld& world, std::function<void()> begins);
    /// Puts the world's own back, if the world still lives.
    ~InstalledIslands();
    InstalledIslands(const InstalledIslands&) = delete;
    InstalledIslands& operator=(const InstalledIslands&) = delete;

private:
    class Manager;

    btDiscreteDynamicsWorld* m_world;
    Manager* m_ours = nullptr;  // null: there is none, or the world has destroyed it with itself
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
