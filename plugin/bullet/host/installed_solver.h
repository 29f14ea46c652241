#pragma once
// Our solver in the place of the world's, for as long as this object lives.

#include <elasto/precision.h>

class btConstraintSolver;
class btDiscreteDynamicsWorld;
class btDynamicsWorld;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class SolverEvents;

/// The world owns our solver while it is installed, so that a world that is destroyed first tells us by destroying it.
class InstalledSolver {
public:
    /// @throws std::invalid_argument if the world's solver cannot be taken over; nothing is changed then
    InstalledSolver(btDiscreteDynamicsWorld& world, SolverEvents& events);
    /// Puts the user's solver back, with the random seed that ours has reached, if the world still lives.
    ~InstalledSolver();
    InstalledSolver(const InstalledSolver&) = delete;
    InstalledSolver& operator=(const InstalledSolver&) = delete;

    /// Call it from SolverEvents::solverDestroyed: the world is going away.
    void worldIsGone() { m_world = nullptr; }
    /// False if the user has put another solver into the world, which he must not do.
    bool isInPlace() const;

private:
    btDiscreteDynamicsWorld* m_world;
    btConstraintSolver* m_users;
    btConstraintSolver* m_ours = nullptr;
    bool m_worldOwnedUsers;
};

/// Why elements cannot work with this solver; null if they can, or do already.
const char* whyUnsupported(const btConstraintSolver& solver);
/// Why elements cannot work in this world, because of its class or of its solver; null if they can.
const char* whyUnsupported(const btDynamicsWorld& world);
/// True if Bullet searches all constraints for every island of this world.
bool isSearchQuadratic(const btDynamicsWorld& world);
/// Whom a solver that a Plugin has installed tells; null: it is another one.
SolverEvents* eventsOf(const btConstraintSolver& solver);
/// True for a solver that a Plugin has installed.
bool isOurs(const btConstraintSolver& solver);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
