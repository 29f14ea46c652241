#pragma once
/// @file flow_isolated.h
/// The tick of one body with one element to the world: what solveTick does with a network of these two, without a
/// network's storage, for engines that have thousands of them.

#include <elasto/flow.h>

#include <vector>

namespace elasto {

namespace flow {
struct AloneState;
struct HybridLaw;
}  // namespace flow

/// An element between a body and the world. Refers to its law, points and frames, which must outlive it.
struct IsolatedElement {
    const Law& law;
    Geometry geometry = Geometry::AlongAxis;  ///< AlongAxis, AlongLine or AboutAxis
    bool isBodyA = false;                     ///< the body is at flange a, the world at flange b; false: the other way
    const Eigen::Vector3d& pointA;            ///< as FlowElement's
    const Eigen::Vector3d& pointB;
    const Eigen::Vector3d& axis;
    const Eigen::Quaterniond& frameA;
    const Eigen::Quaterniond& frameB;
    double s_small = 1e-10;
    double s_damper = 0;
    double phi = 0;
};

/// One tick of both; as in TickResult.
struct IsolatedTick {
    BodyTick body;
    ElementTick element;
    FlowMethod method = FlowMethod::Free;  ///< Free or ClosedForm
    int steps = 0;                         ///< its cost, too
    double energyHandedOut = 0;
    double storedBefore = 0;                 ///< energy in the spring at the tick's start [J]
    Eigen::Vector3d endAcceleration;         ///< of the body at the tick's end [m/s^2]
    Eigen::Vector3d endAngularAcceleration;  ///< without the gyroscopic term [rad/s^2]
};

/// Moves a body over a tick of h [s] > 0 where its motion is known in closed form: the element is piecewise linear or
/// in series, the loads are constant, and no direction turns within the tick. The result has the bits of solveTick's.
/// @param events the contacts that began and ended, in the order of time; what was in it before is lost
/// @return false where solveTick is to be asked, which says too what is wrong with values that are not finite; tick and
///         events are then of no use
bool solveIsolated(const FlowBody& body, const IsolatedElement& element, double h, IsolatedTick& tick,
                   std::vector<ContactEvent>& events);

/// One tick of a StraightElement; as in IsolatedTick. The body's orientation stays as it was, and it does not turn.
struct StraightTick {
    Eigen::Vector3d position;
    Eigen::Vector3d velocity;
    Eigen::Vector3d acceleration;  ///< at the tick's end [m/s^2]
    double force = 0;              ///< f at the tick's end [N]
    double s_damper = 0;
    double impulse = 0;
    double heat = 0;
    double storedBefore = 0;
    double storedEnergy = 0;
    FlowMethod method = FlowMethod::Free;
    int steps = 0;
};

/// An isolated element along an axis of the world whose body nothing turns, made ready for ticks of one length: what
/// their solutions have in common as long as the law, the body's mass and orientation and the load stay the same.
class StraightElement {
public:
    /// @param element with the world at flange a
    /// @return false where the body may turn, or the motion is not known in closed form; solve is not to be called then
    bool prepare(const FlowBody& body, const IsolatedElement& element, double h);
    double h() const { return m_h; }

    /// The tick from another position [m] and velocity [m/s], which are finite. The result has the bits of
    /// solveIsolated's.
    /// @param element the one that it was made ready with; s_damper may be another
    /// @return false where solveIsolated is to be asked
    bool solve(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity, const IsolatedElement& element,
               StraightTick& tick, std::vector<ContactEvent>& events) const;

private:
    bool isOutOfReach(double s, double v) const;
    bool advancePressed(const flow::HybridLaw& law, flow::AloneState& state) const;

    double m_h = 0;
    double m_a = 0;  ///< s'' = a - W f
    double m_W = 0;
    double m_edgeLow = 0;  ///< of the free range
    double m_edgeHigh = 0;
    bool m_hasFreeRange = false;
    bool m_hasOffset = false;
    bool m_hasPressed = false;
    Eigen::Vector3d m_offset;  ///< of the body's point from its centre of mass, world
    Eigen::Vector3d m_load;    ///< acceleration by the load
    Eigen::Vector3d m_push;    ///< acceleration by a unit force of the element

    /// Of a whole tick in contact: the response at h, and what tells that the contact lasts.
    struct Pressed {
        double S, rate, I, k;
        double equilibrium, reach, force;
    };
    Pressed m_pressed{};
};

}  // namespace elasto
