#pragma once
/// @file input.h
/// What a person does to a running scene, as data: a run is a function of its scene, its tick rate and these inputs.
///
/// Indices of bodies, elements and joints are those of a session (Session::bodies, Session::elements): the scene's come
/// first. World frame, SI units. Points in a body are given in Bullet's frame of the body: its origin is the centre of
/// mass, its axes are those of the scene's body frame.

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <exception>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace elasto::play {

/// A spring and damper from a point of a body to a target in the world begins to pull; it takes the place of one that
/// pulls already.
struct DragBegin {
    int body = 0;
    Eigen::Vector3d point = Eigen::Vector3d::Zero();   ///< in the body [m]
    Eigen::Vector3d target = Eigen::Vector3d::Zero();  ///< world [m]
    double c = 0;                                      ///< stiffness [N/m], >= 0
    double d = 0;                                      ///< damping [N.s/m], >= 0
};
/// The target moves; it stays there until the next input.
struct DragMove {
    Eigen::Vector3d target = Eigen::Vector3d::Zero();  ///< world [m]
};
struct DragEnd {};

/// A rotational spring and damper between a body and a wanted orientation begins to turn the body.
struct TurnBegin {
    int body = 0;
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< wanted, body -> world
    double c = 0;                                                     ///< stiffness [N.m/rad], >= 0
    double d = 0;                                                     ///< damping [N.m.s/rad], >= 0
};
struct TurnMove {
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< wanted, body -> world
};
struct TurnEnd {};

/// One of the session's balls flies off.
struct Throw {
    int ball = 0;                                        ///< counted from 0
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of its centre [m]
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< [m/s]
};

/// A parameter of an element's law gets another value (parameters.h).
struct ParameterEdit {
    enum class Kind { New, Undo, Redo };
    int element = 0;
    std::string parameter;   ///< Modelica's symbol
    double value = 0;        ///< in the parameter's unit; a choice: its index
    double before = 0;       ///< the value until then
    bool continues = false;  ///< goes on with the edit before (a slider that is still held): undone together with it
    Kind kind = Kind::New;
};

/// An element is switched off or on.
struct ElementSwitch {
    int element = 0;
    bool enabled = true;
};

/// A joint's motor gets another speed and strength.
struct MotorEdit {
    int joint = 0;
    double velocity = 0;  ///< [rad/s] of a hinge, [m/s] of a slider
    double maxForce = 0;  ///< [N.m], [N], >= 0
};

/// Bullet's solver iterations per tick.
struct IterationsEdit {
    int iterations = 10;  ///< >= 1
};

struct GravityEdit {
    Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  ///< [m/s^2]
};

/// A joint of a robot is placed, at rest, and the joints that follow it.
struct JointPlacing {
    int joint = 0;  ///< of a session (Session::joints)
    double q = 0;   ///< [rad, m]
    /// Its servo is to hold it there: its target is the same. False for joints that nothing drives to a position.
    bool isTarget = false;
};

/// The servo of a joint gets another target.
struct JointTarget {
    int joint = 0;                ///< of a session
    std::optional<double> value;  ///< [rad, m], or what else its servo wants; nothing: the robot scene's again
};

/// How a joint is held (JointHold).
struct HeldJoint {
    double target = 0;  ///< [rad, m]
    double c = 0;       ///< stiffness [N.m/rad, N/m]; 0: it is free
    double d = 0;       ///< damping [N.m.s/rad, N.s/m]
};

/// Joints of robots without servos are held, or let go.
struct JointsHold {
    std::vector<HeldJoint> joints;  ///< as many as the session has; empty: let go
};

using Action =
    std::variant<DragBegin, DragMove, DragEnd, TurnBegin, TurnMove, TurnEnd, Throw, ParameterEdit, ElementSwitch,
                 MotorEdit, IterationsEdit, GravityEdit, JointPlacing, JointTarget, JointsHold>;

/// An action and when it happens.
struct Input {
    long tick = 0;  ///< it acts from the start of the tick that leads from here to tick + 1
    Action action;
};

/// All inputs of a run, in the order in which they act (ticks do not fall).
using Inputs = std::vector<Input>;

/// Name of an action as recordings have it, e.g. "dragBegin".
const char* actionName(const Action& action);
/// @return what is said of an input that the world has refused with an error
std::string refusalOf(const Action& action, const std::exception& error);

}  // namespace elasto::play
