#pragma once
/// @file robot_facts.h
/// What the elements of a robot mean for a simulation at a given tick rate.

#include <elasto/robot/robot_scene.h>

#include <Eigen/Core>

#include <optional>
#include <string>
#include <vector>

#include "element_facts.h"

namespace elasto::tools {

/// At the robot's start, each element alone: nothing but the joints themselves holds the others.
struct RobotElementFacts {
    ElementFacts element;     ///< effectiveMass: that of a drive's two sides, against each other
    std::string joint;        ///< that it sits on; empty: it lies between links
    double jointInertia = 0;  ///< of the joint (between links: of the distance) with all that it moves [kg.m^2, kg]
    std::optional<double> rotorInertia;  ///< drives: of the rotor, on the joint's side of the gear [kg.m^2, kg]
};

/// Facts of all elements of a robot. @param rate ticks per second [Hz], > 0
/// @throws InvalidParameter naming a joint that moves nothing
std::vector<RobotElementFacts> explainRobot(const RobotScene& scene, double rate);

/// Facts of the elements of a scene that have an end on a link: of bodies as if free, of links with all that their
/// robots' joints move at the start. @param rate ticks per second [Hz], > 0
std::vector<ElementFacts> explainOnLinks(const RobotScene& scene, double rate);

/// Inertia of a robot in its coordinates at the start: those of its base if that is free (velocity and angular velocity
/// in the world's axes), then one per joint isScalar() and three per planar one.
/// @param columnOf filled by joint: its column; -1: it has none
Eigen::MatrixXd robotInertia(const RobotScene& scene, std::vector<int>& columnOf);

}  // namespace elasto::tools
