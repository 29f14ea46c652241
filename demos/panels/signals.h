#pragma once
/// @file signals.h
/// A session's records as curves, brought up to date once a frame.

#include "curve.h"

#include <play/session.h>

#include <map>
#include <utility>

namespace elasto::panels {

/// The energy of the elements and their bodies over time [J].
struct EnergyCurves {
    Curve gauge;  ///< less what was put into them (History::energyGauge): it must not rise
    Curve own;    ///< the same, and less what joints and contacts gave that Bullet solved
    Curve size;   ///< the largest energy that took part so far: what rounding is measured by

    void truncate(std::size_t count);
};

/// Curves of a session's history over time [s]. Only what is asked for is kept, and each frame only what is new is
/// added; where the run has branched off or begun again, what no longer holds is taken out.
class Signals {
public:
    /// Call once a frame, before any curve is asked for.
    void update(const play::Session& session);

    /// A quantity of an element in the present branch.
    const Curve& curve(const play::Session& session, int element, play::Quantity quantity);
    /// The same in a branch that was left. Empty if there is no such ghost.
    const Curve& ghost(const play::Session& session, int id, int element, play::Quantity quantity);
    /// What is shown of a joint.
    enum class JointQuantity { Position, Rate, Target };
    /// A joint of a robot in the present branch; where nothing has a target there is a gap.
    const Curve& joint(const play::Session& session, int joint, JointQuantity quantity);
    /// Temperature of a heat port of the scene in the present branch [K].
    const Curve& temperature(const play::Session& session, int port);
    const EnergyCurves& energy(const play::Session& session);

private:
    using Key = std::pair<int, play::Quantity>;
    void cut(std::size_t count);

    std::map<Key, Curve> m_curves;
    std::map<int, std::map<Key, Curve>> m_ghosts;  ///< by id
    std::map<int, Curve> m_temperatures;           ///< by heat port
    std::map<std::pair<int, JointQuantity>, Curve> m_joints;
    EnergyCurves m_energy;
    const play::Session* m_session = nullptr;
    double m_tickLength = 0;
    long m_first = 0;  ///< tick of the first sample of all curves
    long m_last = -1;  ///< last tick that update() has seen: what came after it may still be replaced unnoticed
    int m_run = 0;     ///< Session::run() of the curves
};

}  // namespace elasto::panels
