#pragma once
/// @file element_kinds.h
/// What robot files call elements, and what each of these names is made of.

#include <elasto/law.h>

#include <string>
#include <vector>

namespace elasto::robot {

/// One name of elements in robot files.
struct ElementKind {
    /// What its elements act on.
    enum class Place {
        Joint,  ///< a joint's coordinate
        Stop,   ///< an end of it
        Line,   ///< the distance of two points on links
    };
    /// Which joints it is for. Two types may have one name: what rubs in a bearing has a torque, in a guide a force.
    enum class Joints {
        All,
        Turning,  ///< revolute and continuous
        Sliding,  ///< prismatic
    };
    /// Whether there is a rotor behind it.
    enum class Motor {
        None,      ///< there can be none
        Optional,  ///< where `inertia` is given
        Required,  ///< `inertia` must be given
        Other,     ///< it may be on the motor that another element has given the joint
    };
    std::string name;                            ///< without `elasto:`
    const ElementTypeInfo* info = nullptr;       ///< the type that it is
    std::vector<ElementTypeInfo::Field> fields;  ///< the parameters that it has; others are at their defaults
    Place place = Place::Joint;
    Joints joints = Joints::All;
    Motor motor = Motor::Optional;

    /// Its attributes, in the order in which a person would write them.
    std::vector<std::string> attributes() const;
};

/// All of them, by their names; of one name the one for turning joints first.
const std::vector<ElementKind>& elementKinds();
/// Their names as files have them, each once: `elasto:backlash` and so on.
std::vector<std::string> elementNames();

}  // namespace elasto::robot
