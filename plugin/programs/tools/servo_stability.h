#pragma once
/// @file servo_stability.h
/// Which sampled servos of a scene go wild because they act too rarely.

#include <elasto/robot/robot_scene.h>

#include <string>
#include <vector>

namespace elasto::tools {

/// The joints, with their robot's prefix, whose servos are unstable at the rate at which they act: the scene's, or
/// their own (RobotControl::rate).
///
/// Robots are linear about their start: inertias of links and rotors, springs and dampers of elements that join a motor
/// to its joint or act in any place, no stops, gravity, friction and contacts, and no bounds of the servos. What servos
/// of one rate and delay say holds between their readings, others are springs and dampers. A mode of that grows if an
/// eigenvalue of the way from one reading to the next is outside the unit circle; the servo that has the largest part
/// in it is named. For one joint of inertia I that is where damping / rate exceeds 2 I, or 2 damping is less than
/// stiffness / rate.
std::vector<std::string> unstableServos(const RobotScene& scene);

}  // namespace elasto::tools
