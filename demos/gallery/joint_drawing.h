#pragma once
/// @file joint_drawing.h
/// What an element on a joint of a robot looks like.

#include "gallery/element_drawing.h"
#include "gallery/guest.h"

namespace elasto::gallery {

/// A joint as one of its elements sees it, now.
struct JointPlace {
    Eigen::Vector3d pivot;     ///< [m]
    Eigen::Vector3d axis;      ///< unit vector, world: along (about) it the element's coordinate s grows
    Eigen::Quaterniond frame;  ///< z is the axis; it moves with the link
    Eigen::Vector3d side;      ///< unit vector across the axis, world: of all elements of the joint the same
    double sign = 1;           ///< of s against the joint's coordinate
};

/// On a joint that turns: a coupling with play, a spring wound about two pins, a drum of a damper, a stop that a pin
/// meets. On one that slides: spring and damper beside the links, and stops. Without a look its force alone.
void drawOnJoint(SceneDrawing::ElementState& state, bool turns, const JointPlace& place,
                 const std::optional<JointLook>& look, const ElementView& view, view::Picture& picture,
                 std::vector<Label>& labels);

}  // namespace elasto::gallery
