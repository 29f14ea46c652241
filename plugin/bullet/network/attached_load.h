#pragma once
// Loads that turn with their body: those that pull at a point of it, and those in its own axes.

#include <elasto/flow.h>
#include <elasto/flow_load.h>
#include <elasto/precision.h>

#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// How a body's orientation goes over a tick: it turns at its angular velocity of the start, with a correction that
/// begins with t^2 and meets the end's orientation and angular velocity.
class RotationPath {
public:
    /// As if nothing changed the angular velocity.
    explicit RotationPath(const BodyState& start);
    /// @param h [s] > 0 from start to end
    RotationPath(const BodyState& start, const BodyState& end, double h);

    Eigen::Quaterniond at(double t) const;  ///< t [s] from the tick's start

private:
    Eigen::Quaterniond m_start;
    Eigen::Vector3d m_angularVelocity;
    Eigen::Vector3d m_quadratic = Eigen::Vector3d::Zero();  // of the correction, a rotation vector [rad/s^2]
    Eigen::Vector3d m_cubic = Eigen::Vector3d::Zero();      // [rad/s^3]
};

/// A load over a tick, as its body sees it.
struct AttachedLoad {
    std::vector<LoadPiece> pieces;  ///< in the load's own axes
    Eigen::Vector3d point =
        Eigen::Vector3d::Zero();  ///< at which the force pulls, from the centre of mass [m], body axes
    bool isInBodyAxes = false;
};

/// The sum of loads on a body over a tick of h [s].
/// @param fixed those that do not turn with it, in world axes about the centre of mass
std::vector<LoadPiece> turnWith(const RotationPath& path, const std::vector<LoadPiece>& fixed,
                                const std::vector<AttachedLoad>& attached, double h);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
