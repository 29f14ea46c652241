#pragma once
/// @file rival.h
/// What Bullet does with the same scene and the same inputs without Elasto.

#include "history.h"
#include "session.h"

#include <memory>
#include <string>
#include <vector>

namespace elasto::play {

/// How the elements are replaced.
enum class RivalKind {
    ExplicitForce,  ///< the law's force at the tick's start, applied over the tick
    /// btGeneric6DofSpring2Constraint: a limit with the ERP and CFM that c, d and the tick ask for, as far as Bullet
    /// can: its iterations on a row run away where the CFM exceeds 1 (the tick is short against the oscillation), so
    /// that softer limits become stiffer than they should be.
    SoftLimit,
    /// btGeneric6DofSpring2Constraint: a hard limit with the restitution that c, d and the masses ask for, and ERP 1:
    /// with less Bullet brakes bodies before the limit, and nothing bounces.
    Restitution,
    /// Bullet's contact of the two bodies' shapes with the stiffness and damping of the gap
    /// (btCollisionObject::setContactStiffnessAndDamping, changeDynamics() in PyBullet), shared by the contact points.
    SoftContact,
    /// The same contact without these numbers: hard (contactStiffness=-1 in PyBullet).
    HardContact,
};
inline constexpr int kRivalKinds = 5;
/// In a few words, e.g. "6-dof limit with ERP and CFM".
/// @param scene one without gaps and backlashes has no limits but springs
const char* rivalName(RivalKind kind, const Scene& scene);

inline namespace ELASTO_BULLET_NAMESPACE {

class RivalElement;

/// The scene of a session in a world of Bullet alone. It follows the session: each tick once, with the session's
/// inputs.
///
/// Gaps and backlashes along or about an axis become limits. Springs and dampers there become springs of the same
/// constraint where the kind is one of limits; gaps along an axis become contacts of their bodies' shapes where it is
/// one of contacts. What Bullet has nothing for (elements along lines, in series, gaps of bodies without shapes) acts
/// as an explicit force.
class Rival {
public:
    Rival(const Session& session, RivalKind kind);
    ~Rival();
    Rival(const Rival&) = delete;
    Rival& operator=(const Rival&) = delete;

    RivalKind kind() const { return m_kind; }
    /// Goes as far as the session is, from the start again where the session's past has changed. Where the session has
    /// gone back nothing happens: the rows of the history are still there.
    void follow(const Session& session);

    /// Rows 0 .. as far as it has come; elements' forces are means over the tick.
    const History& history() const { return *m_history; }
    /// Tick at which a state left all bounds (not finite, or farther than 1e6 m away), where it stopped; -1: none.
    long failedAt() const { return m_failedAt; }
    /// Elements that act as an explicit force although the kind is another, by name.
    const std::vector<std::string>& fallbacks() const { return m_fallbacks; }
    /// Whether a kind does anything in a scene that the explicit force does not.
    static bool suits(RivalKind kind, const Scene& scene);

private:
    void begin(const Session& session);
    void step(const Session& session);
    void perform(const Action& action);
    void addRow();
    static void ignoreEachOther(btRigidBody& a, btRigidBody& b);

    RivalKind m_kind;
    std::unique_ptr<SceneWorld> m_world;
    FlowNetwork m_network;  ///< bodies as they are now
    std::vector<std::unique_ptr<RivalElement>> m_elements;
    std::unique_ptr<History> m_history;
    Controls m_controls;
    std::size_t m_balls = 0;
    int m_run = 0;  ///< Session::run() that it follows
    long m_failedAt = -1;
    std::vector<std::string> m_fallbacks;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
