#pragma once
/// @file robots_models.h
/// The robots of `elasto verify robots`, as plain data: the oracle is computed from it, and the Bullet world is built
/// from it.

#include <elasto/reference/tree_reference.h>

#include <string>
#include <vector>

namespace elasto::tools {

/// Trees, elements and what drives them.
struct RobotModel {
    TreeReferenceProblem problem;  ///< the links' forces hold their weight; inertias are diagonal
    Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
    double duration = 2;  ///< [s]
    /// Of its coordinates, in the order of coordinateNames(); empty: "joint0.phi_rel", "rotor0.phi" and so on.
    std::vector<std::string> names = {};
};

/// A bar of 1 kg and 1 m that falls from the horizontal onto a stop at 0.8 rad.
RobotModel barOnStop(double c, double d);

/// An arm of two links of 0.5 m and 1 kg that hangs, with a rotor of 1e-4 kg.m^2 behind a gear of 100 and a backlash of
/// 0.01 rad in each joint, driven by sine torques.
RobotModel armWithDrives(double c, double d);

/// One link of 1 kg.m^2 without gravity, driven as those of the arm by a torque that reverses.
RobotModel reversingDrive(double c, double d);

/// Wheels on axes of their own, each in mesh with the next with a backlash of 0.01 rad (on the first of two); the first
/// one is driven by a sine torque of 0.3 N.m.
/// @param inertias [kg.m^2], one more than ratios
/// @param f [Hz]
RobotModel gearTrain(const std::vector<double>& inertias, const std::vector<double>& ratios, double c, double d,
                     double f);

/// A free body with two links that strike their stops.
RobotModel flyingPair();

/// Six axes with backlash and a rotor in each, falling freely from a bent pose. Nothing is damped.
RobotModel sixAxes();

/// Time up to which the model can be compared: until a start 1e-9 rad off is 1e-7 rad off, at most its duration [s].
/// @param times rising, the last one at the duration
double horizon(const RobotModel& model, const std::vector<double>& times);

/// Angles of all joints and rotors at these times.
Trajectory oracleOf(const RobotModel& model, const std::vector<double>& times);
/// Names of these, in the order of trees, then links, then rotors.
std::vector<std::string> coordinateNames(const RobotModel& model);
/// Their values in a state.
std::vector<double> coordinatesOf(const std::vector<TreeTick>& trees);

}  // namespace elasto::tools
