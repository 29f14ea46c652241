#pragma once
/// @file coupling_law.h
/// What holds a joint to the one that it follows.

#include <elasto/robot/description.h>

namespace elasto::robot {

/// A spring and damper on q - multiplier q_leader, unstretched at the offset. It is as stiff as makes the two inertias
/// that it couples swing at 1 kHz, critically damped: where the follower accelerates by 1 rad/s^2 it is wound up by
/// 2.5e-8 rad (1 + multiplier^2 follower / leader).
/// @param follower inertia of the joint that follows, by itself [kg.m^2, kg], > 0
/// @param leader   that of the joint it follows, > 0
SpringDamperLaw couplingLaw(const RobotMimic& mimic, double follower, double leader);

}  // namespace elasto::robot
