#pragma once
// A network at one instant: its rows, its mass and momentum, and what is reported of it.

#include "bodies/body_kinematics.h"

#include <Eigen/Core>

#include <span>
#include <vector>

namespace elasto::flow {

/// Of a body of the network.
inline const FlowBody& bodyAt(const FlowNetwork& network, int body) {
    return network.bodies[static_cast<std::size_t>(body)];
}
inline bool isMovable(const FlowNetwork& network, int body) {
    return body != kWorld && !bodyAt(network, body).isImmovable();
}

Motion motionOf(const FlowNetwork& network, int body);
Row rowOf(const FlowNetwork& network, std::size_t element);
void readRows(const FlowNetwork& network, std::vector<Row>& rows);
std::vector<Row> rowsOf(const FlowNetwork& network);
/// Of a motor or limit.
Row boundedRowOf(const FlowNetwork& network, std::size_t bounded);
/// Of reactions that rows ask for.
std::size_t reactionCount(const FlowNetwork& network);

/// True if joints pass on work of what nothing can accelerate: driven bodies, and others along and about locked axes.
bool isDrivenThroughJoints(const FlowNetwork& network);

/// Gives bodies the velocities that they have in another network of the same bodies.
void takeVelocities(const FlowNetwork& from, FlowNetwork& to);

/// What is reported of a body: its end, and what elements and joints made of its velocity.
/// @param free the end of its own motion; not read for a body that nothing can move
BodyTick bodyTick(const FlowBody& start, const BodyState& end, const BodyState& free);
/// What is reported of an element that ends with coordinate s, rate v and this damper length.
ElementTick elementTick(const Law& law, double s, double v, double s_damper, double impulse, double heat);

/// By how much the coordinate of a limit is beyond its bound: < 0 below a lower one; 0 where it is less than `least`.
double overrun(const FlowNetwork& network, std::size_t bounded, double least);
/// Velocity with which the network can be at rest: that of the driven bodies it hangs on, or, where nothing holds it,
/// of its centre of mass.
Eigen::Vector3d restVelocity(const FlowNetwork& network);
/// A rotor that turns and rides on a body (GearedCoordinate::carried).
struct CarriedRotor {
    std::size_t body = 0, carrier = 0;  ///< the carrier has the smaller index
    Eigen::Vector3d axis;               ///< in the carrier's frame
    Eigen::Vector3d ownAxis;            ///< that its body turns about, world
    double inertia = 0;                 ///< about that
    double carried = 0;                 ///< as GearedCoordinate's: its body's speed is this share of what it spins with

    Eigen::Vector3d axisNow(const Eigen::Quaterniond& ofCarrier) const { return ofCarrier * axis; }
    /// Moment of momentum about the axis, in the carrier's frame, at a speed of its own body.
    Eigen::Vector3d momentum(double speed) const { return inertia * carried * speed * axis; }
    /// Moment about the axis that a moment on its own body is.
    double momentOf(const Eigen::Vector3d& onBody) const { return carried * ownAxis.dot(onBody); }
};
std::vector<CarriedRotor> carriedRotors(const FlowNetwork& network);
/// Those whose carriers have gyroscopic terms by them.
std::vector<CarriedRotor> spinningRotors(const FlowNetwork& network);
/// Gives carriers the momentum that their rotors have now.
/// @param spinOf gives the angular velocity of a body @param momentumOf the FlowBody::spinMomentum of one, to be set
template <class SpinOf, class MomentumOf>
void spinCarriers(std::span<const CarriedRotor> rotors, const SpinOf& spinOf, const MomentumOf& momentumOf) {
    for (const CarriedRotor& rotor : rotors) momentumOf(rotor.carrier).setZero();
    for (const CarriedRotor& rotor : rotors) {
        momentumOf(rotor.carrier) += rotor.momentum(spinOf(rotor.body).dot(rotor.ownAxis));
    }
}

/// True where nothing but loads acts on the network from outside.
bool isFloating(const FlowNetwork& network);
/// Mass and momentum of the bodies that can move.
double massOf(const FlowNetwork& network);
Eigen::Vector3d momentum(const FlowNetwork& network);

/// Loads as seen from the time t on.
void shiftLoads(FlowNetwork& network, double t);
/// Strengths of friction as seen from the time t on. @param network of bodies, or of trees
template <class Network>
void shiftStrengths(Network& network, double t) {
    for (auto& element : network.elements) element.f_normalized = element.f_normalized.from(t);
    for (auto& row : network.bounded) row.friction.share = row.friction.share.from(t);
}
/// A load's integral over h, and the integral of that.
Eigen::Vector3d secondIntegralOf(const QuadraticLoad& load, double h);

}  // namespace elasto::flow
