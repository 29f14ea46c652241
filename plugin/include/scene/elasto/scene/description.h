#pragma once
/// @file description.h
/// What a scene file says, as plain structs: no physics engine, no precision, no JSON.
///
/// Indices point into the vectors of the same Scene, in the order of the file; kWorld is the world frame.
/// SI units in a world whose length unit is the metre. Field names are those of the file (docs/scene.md).

#include <elasto/export.h>
#include <elasto/flow.h>
#include <elasto/scene/time_course.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace elasto {

/// Highest tick rate [Hz]: above it a tick is shorter than what Bullet takes for zero in single precision.
inline constexpr double kHighestRate = 1e6;

/// How a body moves.
enum class BodyMotion {
    Dynamic,    ///< by forces
    Fixed,      ///< never
    Kinematic,  ///< along its path, whatever acts on it
};

/// A point of a kinematic body's path. Between two points the body frame moves linearly and turns at a constant rate.
struct ScenePathPoint {
    double time = 0;                                                  ///< [s]
    Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< of the body frame's origin, world [m]
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< body frame -> world
};

/// Collision shape, centred on the centre of mass with its axes along the body frame's.
struct SceneShape {
    /// Which of the fields below count.
    enum class Type {
        None,         ///< collides with nothing
        Box,          ///< size
        Sphere,       ///< radius
        Cylinder,     ///< radius, length, axis
        Capsule,      ///< radius, length, axis
        Plane,        ///< normal; all that is below it is solid
        Mesh,         ///< points, triangles; a skin that is touched from both sides
        HeightField,  ///< heights, columns, spacing, axis; a skin as well
    };
    Type type = Type::None;                          ///< none: the body touches nothing
    Eigen::Vector3d size = Eigen::Vector3d::Ones();  ///< Box: full edge lengths [m]
    double radius = 0.5;                             ///< Sphere, Cylinder, Capsule [m]
    double length = 1;                               ///< Cylinder: height; Capsule: straight part without its caps [m]
    /// Cylinder, Capsule: along it they lie. HeightField: along it heights count. 0 = x, 1 = y, 2 = z of the body frame
    int axis = 1;
    Eigen::Vector3d normal = Eigen::Vector3d::UnitY();  ///< Plane: outward unit normal, body frame; through its origin
    std::vector<Eigen::Vector3d> points = {};           ///< Mesh: vertices, body frame [m]
    std::vector<std::array<int, 3>> triangles = {};     ///< Mesh: corners, indices of points; none without area
    /// HeightField: row after row [m]. A row runs along the first of the two other axes (in the order x, y, z), rows
    /// follow one another along the second; the field's middle is the body frame's origin.
    std::vector<double> heights = {};
    int columns = 0;                             ///< HeightField: heights in a row, >= 2; rows >= 2
    std::array<double, 2> spacing = {0.1, 0.1};  ///< HeightField: along a row, and between rows [m]
};

/// A rigid body. Its frame is Modelica's frame_a: `position` and `velocity` belong to the frame's origin, the centre of
/// mass lies at centreOfMass in it, and the principal axes are parallel to the frame's axes.
struct SceneBody {
    std::string name;                         ///< unique in the scene; not "world" or "time"
    BodyMotion motion = BodyMotion::Dynamic;  ///< what moves it
    double mass = 1;                          ///< [kg]; not used unless Dynamic
    /// Principal moments of inertia about the centre of mass [kg.m^2]. Zero: never turns about that axis.
    Eigen::Vector3d inertia = Eigen::Vector3d::Zero();
    Eigen::Vector3d centreOfMass = Eigen::Vector3d::Zero();           ///< in the body frame [m]
    Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< of the frame's origin, world [m]
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< body frame -> world, unit length
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();               ///< of the frame's origin, world [m/s]
    Eigen::Vector3d angularVelocity = Eigen::Vector3d::Zero();        ///< world axes [rad/s]
    Eigen::Vector3d linearFactor = Eigen::Vector3d::Ones();   ///< per world axis: acceleration = factor force / mass
    Eigen::Vector3d angularFactor = Eigen::Vector3d::Ones();  ///< per world axis
    bool gyroscopic = true;                                   ///< integrate w x I w
    double linearDamping = 0;                                 ///< Bullet's, share of velocity lost per second
    double angularDamping = 0;                                ///< Bullet's
    double friction = 0.5;                                    ///< Bullet's coefficient of the shape
    double rollingFriction = 0;                               ///< Bullet's coefficient of the shape [m]
    double spinningFriction = 0;                              ///< Bullet's coefficient of the shape [m]
    double restitution = 0;                                   ///< Bullet's coefficient of the shape
    bool sleeping = false;                                    ///< the engine may put it to sleep
    SceneShape shape;                                         ///< for collisions; none at first
    std::vector<ScenePathPoint> path;                         ///< Kinematic: at least one point, times rising
};

/// One end of an element or joint.
struct SceneFrame {
    int body = kWorld;                                   ///< index in Scene::bodies, or kWorld
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< in the body frame; world for kWorld [m]
    /// In the body frame; elements AboutAxis, joints but balls.
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
};

/// Start values of an element; only those that were given. See start.h for what they do. (That of a damper's length is
/// the law's s_damper_start, whichever way the file states it.)
struct SceneStart {
    std::optional<double> s;  ///< s_rel (AlongAxis), s (AlongLine) [m] or phi_rel (AboutAxis) [rad]
    std::optional<double> v;  ///< v_rel, v [m/s] or w_rel [rad/s]
};

/// 8-bit red, green, blue as in Modelica.
using SceneColor = std::array<int, 3>;

/// How an element is drawn: names and defaults of Modelica.Mechanics.MultiBody.Forces.SpringDamperSeries.
struct SceneAnimation {
    bool animation = true;                 ///< draw it at all
    double length_a = 0.1;                 ///< length of the damper's cylinder at frame_a [m]
    double diameter_a = 0.05;              ///< its diameter [m]
    double diameter_b = 0.03;              ///< diameter of the damper's rod [m]; default 0.6 diameter_a
    SceneColor color_a = {100, 100, 100};  ///< of the damper's cylinder
    SceneColor color_b = {155, 155, 155};  ///< of the damper's rod
    double specularCoefficient = 0.7;      ///< reflection of light, 0 (none) .. 1
    double width = 0.05;                   ///< of the spring [m]
    double coilWidth = 0.005;              ///< of the spring's wire [m]; default width / 10
    int numberOfWindings = 5;              ///< of the spring, > 0
    SceneColor color = {0, 0, 255};        ///< of the spring
};

/// Makes a rotational element a gear pair: phi_rel = phi_b - ratio phi_a, the angles by which the bodies of frame_b and
/// frame_a have turned against the carrier since the scene's start.
struct SceneGear {
    double ratio = 1;      ///< < 0: external gears; not 0
    int carrier = kWorld;  ///< index in Scene::bodies, or kWorld
    /// Unit vector in frame_b's body about which it turns; none: along the element's axis, as the bodies start.
    std::optional<Eigen::Vector3d> axis_b;
};

/// A force element.
struct SceneElement {
    std::string name;                                 ///< unique in the scene
    ElementType type = ElementType::SpringDamper;     ///< as the file names it
    Geometry geometry = Geometry::AlongAxis;          ///< AlongAxis, AlongLine or AboutAxis
    SceneFrame frame_a;                               ///< flange a
    SceneFrame frame_b;                               ///< flange b
    Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  ///< unit vector in body a's frame; not used AlongLine
    Law law = SpringDamperLaw({.c = 0, .d = 0});      ///< made of the parameters in the file
    std::optional<TimeCourse> f_normalized = {};      ///< friction: share of its force, as a brake's; none: 1 always
    std::optional<SceneGear> gear;                    ///< AboutAxis
    SceneStart start;                                 ///< where and how fast it begins; nothing: as the bodies stand
    int heatPort = -1;                                ///< index in Scene::heatPorts; -1: none
    double T = 293.15;                                ///< Modelica's T, temperature without a heat port [K], > 0
    double s_small = 1e-10;    ///< AlongLine: Modelica's s_small, guard against a zero distance [m], > 0
    SceneAnimation animation;  ///< no physics
};

/// Range of a joint's coordinate: phi_rel of a hinge [rad], s_rel of a slider [m].
struct SceneLimits {
    double lower = 0;        ///< of the coordinate [rad, m]
    double upper = 0;        ///< >= lower
    double restitution = 0;  ///< share of the speed that comes back from a limit, 0 .. 1
};

/// Drives a joint's coordinate at a speed as far as its force reaches.
struct SceneMotor {
    double velocity = 0;  ///< wanted w_rel of a hinge [rad/s], v_rel of a slider [m/s]
    double maxForce = 0;  ///< largest torque of a hinge [N.m], force of a slider [N]; >= 0
};

/// A joint of Bullet between two bodies, or a body and the world. The bodies do not collide with each other.
struct SceneJoint {
    /// Which of Bullet's joints it is, and what its coordinate means.
    enum class Type {
        Hinge,   ///< btHingeConstraint: turns about the axis; phi_rel = 0 where both frames coincide
        Slider,  ///< btSliderConstraint: moves along the axis and does not turn; s_rel = 0 where both points meet
        Ball,    ///< btPoint2PointConstraint: holds the points together
        Fixed,   ///< btFixedConstraint: holds the frames together
    };
    std::string name;                                 ///< unique in the scene
    Type type = Type::Hinge;                          ///< decides which of the fields below count
    SceneFrame frame_a;                               ///< the joint's frame in the first body
    SceneFrame frame_b;                               ///< and in the second one
    Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< Hinge, Slider: unit vector in body a's frame
    std::optional<SceneLimits> limits;                ///< Hinge, Slider
    std::optional<SceneMotor> motor;                  ///< Hinge, Slider
};

/// A force on a body, or a torque, as a function of time; see loadWrench().
struct SceneLoad : TimeCourse {
    /// What `vector` is.
    enum class Quantity {
        Force,   ///< [N]
        Torque,  ///< [N.m]
    };
    /// Whose axes `vector` is in.
    enum class Axes {
        World,  ///< fixed in the world
        Body,   ///< they turn with the body
    };
    std::string name;                                  ///< unique in the scene
    int body = 0;                                      ///< index in Scene::bodies
    Quantity quantity = Quantity::Force;               ///< force or torque
    Axes resolveInFrame = Axes::World;                 ///< whose axes `vector` is in
    Eigen::Vector3d vector = Eigen::Vector3d::Zero();  ///< [N, N.m]; what the factor of time multiplies
    std::optional<Eigen::Vector3d> point;  ///< Force: where it pulls, in the body's frame [m]; none: the centre of mass
};

/// A heat port with convection to the ambience (class HeatPort).
struct SceneHeatPort {
    std::string name;                    ///< unique in the scene
    double conductance = 20;             ///< G [W/K], > 0
    double ambientTemperature = 298.15;  ///< [K], > 0
};

/// What to record: a pattern over signal names (see signals.h), or one signal under a name of its own.
struct SceneRecord {
    std::string signal;  ///< a signal's name; `*` stands for any text, `?` for one character
    std::string as;      ///< column name; empty: the signal's own
};

/// A whole scene, with the bodies where they are at t = 0 (start values are resolved).
struct Scene {
    /// How bodies without elements fly while they touch nothing.
    enum class Flight {
        Exact,   ///< as Plugin::setFreeFlight says
        Bullet,  ///< by Bullet's steps
    };
    std::string name;                            ///< of the scene, for lists and titles
    std::string description;                     ///< says what to look at
    Eigen::Vector3d gravity = {0, -9.80665, 0};  ///< [m/s^2], world
    double rate = 240;                           ///< ticks per second [Hz], > 0 and <= kHighestRate
    double duration = 10;                        ///< [s], at least one tick
    int solverIterations = 10;                   ///< Bullet's, >= 1
    Flight flight = Flight::Exact;               ///< of bodies without elements
    std::vector<SceneBody> bodies;               ///< in the file's order, as all that follow
    std::vector<SceneJoint> joints;              ///< Bullet's, between the bodies
    std::vector<SceneElement> elements;          ///< Elasto's, between the bodies
    std::vector<SceneLoad> loads;                ///< forces and torques over time
    std::vector<SceneHeatPort> heatPorts;        ///< where elements' heat goes
    std::vector<SceneRecord> record;             ///< never empty after loading
};

/// "ElastoGap" and so on, as in the file.
ELASTO_API const char* elementTypeName(ElementType type);
/// "axis", "line" or "rotation", as in the file.
ELASTO_API const char* geometryName(Geometry geometry);
/// "hinge", "slider", "ball" or "fixed", as in the file.
ELASTO_API const char* jointTypeName(SceneJoint::Type type);

}  // namespace elasto
