#pragma once
// What an element or motor measures between its ends.

#include "relation.h"

namespace elasto::reference {

/// An element's geometry at one instant.
struct Coordinate {
    double s = 0;
    double v = 0;
    double speed = 0;  ///< of the ends against each other, >= |v|
    Form form;         ///< v; the force f acts along it, on a's side with +f: f > 0 pulls
    double bend = 0;   ///< dv/dt = form . accelerations + bend
    Eigen::Vector3d pointA = Eigen::Vector3d::Zero();  ///< attachments, world
    Eigen::Vector3d pointB = Eigen::Vector3d::Zero();
};

/// @param geared of a gear pair: its second coordinate as an element of its own, else not used
/// @param phi AboutAxis: the angle is the one nearest to it; a gear pair's is it
Coordinate measured(const FlowElement& element, const FlowElement& geared, const StateOf& stateOf, double phi);

}  // namespace elasto::reference
