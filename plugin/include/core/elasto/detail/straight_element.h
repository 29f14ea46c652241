#pragma once
// Of Elasto for Bullet's own use: what ticks of a single element have in common, kept from one to the next. It may
// change with any version.

#include <elasto/export.h>
#include <elasto/flow_single.h>

namespace elasto {

namespace flow {
struct SingleState;
struct HybridLaw;
}  // namespace flow

/// One tick of a StraightElement; as in SingleTick. The body's orientation stays as it was, and it does not turn.
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
class ELASTO_API StraightElement {
public:
    /// @param element with the world at flange a
    /// @return false where the body may turn, or the motion is not known in closed form; solve is not to be called then
    bool prepare(const FlowBody& body, const SingleElement& element, double h);
    double h() const { return m_h; }

    /// The tick from another position [m] and velocity [m/s], which are finite. The result has the bits of
    /// solveSingle's.
    /// @param element the one that it was made ready with; s_damper may be another
    /// @return false where solveSingle is to be asked
    bool solve(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity, const SingleElement& element,
               StraightTick& tick, std::vector<ContactEvent>& events) const;

private:
    bool isOutOfReach(double s, double v) const;
    bool advancePressed(const flow::HybridLaw& law, flow::SingleState& state) const;

    double m_h = 0;
    double m_a = 0;  ///< s'' = a - W f
    double m_W = 0;
    double m_edgeLow = 0;  ///< of the free range
    bool m_slips = false;  ///< the upper edge gives way
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
