#pragma once
// Networks with contacts that are left to Bullet, as if there were no elements, because none can act.

#include <elasto/load.h>
#include <elasto/precision.h>

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "joints/group_joints.h"
#include "network/gather.h"
#include "network/solved_network.h"
#include "network/tuning.h"

struct btSolverBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What the bodies of a network do, and what loads and joints may make of it in a tick.
class NetworkMotion {
public:
    /// Of no body yet.
    NetworkMotion(const LoadTable& loads, double h);

    void add(const btCollisionObject& object);
    /// One that the solver has set up, with what Bullet's forces make of it in the tick.
    void add(const btSolverBody& body);
    /// Its bodies, and what its motors and springs can make of them.
    void add(const HeldJoint& held);
    /// Bodies of another motion, in which no joint was added.
    void add(const NetworkMotion& others);

    double speed() const { return m_speed; }                ///< of the fastest point [m/s]
    double fastest() const { return m_fastest + m_loads; }  ///< the most that loads can make of it in the tick
    /// More bodies than the flow follows unasked.
    bool isLarge() const { return m_count > kMostFollowed; }

private:
    double speedBy(const btRigidBody& body, double reach, double force, double torque) const;
    void count(const btRigidBody& body);

    double m_h;
    double m_speed = 0;
    double m_fastest = 0;
    double m_loads = 0;
    std::array<const btRigidBody*, kMostFollowed + 1> m_bodies{};  // no more than tell whether it is large
    std::size_t m_count = 0;                                       // of them
};

/// Whose a network's tick is.
enum class Idleness {
    Active,       ///< the flow's
    IfUncoupled,  ///< Bullet's own if the flow could not follow it anyway
    Idle          ///< Bullet's own
};

/// False if a gap of the network is closed, or any of its elements is no gap. Notes then that it does not rest.
bool areGapsOpen(const SolvedNetwork& gathered);

/// A network's tick is Bullet's own, at Bullet's cost and with Bullet's accuracy, if its elements are gaps that are
/// open, and stay open even if their ends approach each other at twice the speed that the fastest point of all the
/// bodies can have at the end of the tick (contacts hand speed on), and
/// - the network has rested like that for a while, or
/// - it has more than eight bodies: following a pile that no element touches would cost much and show nothing, or
/// - the flow could not follow it anyway.
/// Smaller networks that move stay with the flow, or a crate on its way to a stop would get there by Bullet's
/// integration. Notes how long the network has rested.
/// @param gathered the network's elements, which are open gaps
/// @param known motion of its bodies, of more than eight of them if not of all
/// @param most of all its bodies, and maybe of others @param h tick [s]
/// @return empty, and nothing noted, if that depends on which of the others are in the network
std::optional<Idleness> idlenessOf(const SolvedNetwork& gathered, const NetworkMotion& known, const NetworkMotion& most,
                                   double h);

/// The tick of an idle network before Bullet has moved its bodies: elements without force.
void setIdleResult(SolvedNetwork& gathered);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
