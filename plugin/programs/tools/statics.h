#pragma once
/// @file statics.h
/// Forces and stiffness of a network at rest, as functions of the bodies' poses.

#include <elasto/flow.h>

#include <Eigen/Core>

namespace elasto::tools {

/// Which law an ElastoBacklash follows.
enum class BacklashLaw {
    Initial,  ///< Modelica's characteristic during initialisation: slope c/3 in and near the play, so never singular
    Actual,   ///< the law itself: no torque in the play
};

/// Static force of a law at rest (v = 0, damper of a series element relaxed) and its slope df/ds >= 0.
struct StaticForce {
    double f = 0;
    double slope = 0;
};
StaticForce staticForce(const Law& law, double s, BacklashLaw backlash);

/// Six coordinates per body: displacement of the centre of mass and rotation vector, world axes.
/// All vectors below have size 6 x bodies.
class Statics {
public:
    explicit Statics(FlowNetwork network) : m_network(std::move(network)) {}

    const FlowNetwork& network() const { return m_network; }
    Eigen::Index size() const { return 6 * static_cast<Eigen::Index>(m_network.bodies.size()); }

    /// Forces and torques that nothing but the poses decides: constant loads and the elements' static forces.
    /// @param scale if not null: sum of the absolute values of all contributions, entry by entry, and of what an
    ///        element's force changes over 1e-5 of its distance from the origin: the size that rounding is seen against
    Eigen::VectorXd forces(BacklashLaw backlash, Eigen::VectorXd* scale = nullptr) const;
    /// Derivative of -forces() by the coordinates, made symmetric.
    Eigen::MatrixXd stiffness(BacklashLaw backlash) const;
    /// Root B of the mobility: accelerations are B B^T forces. Zero where nothing can move.
    Eigen::MatrixXd mobilityRoot() const;

    /// Displaces and turns the bodies.
    void move(const Eigen::VectorXd& step);

private:
    Eigen::VectorXd gradient(const FlowNetwork& network, const FlowElement& element) const;

    FlowNetwork m_network;
};

/// A body displaced by step[0..2] and turned by the rotation vector step[3..5], world axes.
void moveBody(BodyState& body, const Eigen::Matrix<double, 6, 1>& step);

}  // namespace elasto::tools
