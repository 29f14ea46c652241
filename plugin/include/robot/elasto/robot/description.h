#pragma once
/// @file description.h
/// What a URDF or SDF file says about a robot, as plain structs: no physics engine, no precision, no XML.
///
/// SI units. URDF's conventions: the frame of a link is that of the joint that carries it, with all joints at zero;
/// roll, pitch and yaw have become quaternions.

#include <elasto/eigen.h>
#include <elasto/export.h>
#include <elasto/law.h>

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elasto {

/// A frame in another one.
struct RobotPose {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< of its origin [m]
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< from its axes to the other frame's

    /// The pose of `inner`, which is given in this frame, in the frame this one is given in.
    RobotPose operator*(const RobotPose& inner) const {
        return {position + orientation * inner.position, orientation * inner.orientation};
    }
};

/// A collision shape of a link.
struct RobotShape {
    /// Which of the fields below count.
    enum class Type {
        Box,       ///< size
        Sphere,    ///< radius
        Cylinder,  ///< about the z axis of its frame
        Hull,      ///< convex hull of points, mostly those of a mesh
        Capsule,   ///< about the z axis of its frame: a cylinder with half a sphere at either end
    };
    std::string name;                                ///< often empty
    int line = 0;                                    ///< in the URDF file
    Type type = Type::Box;                           ///< as in the file; Hull for `<mesh>`
    RobotPose pose;                                  ///< in the link's frame
    Eigen::Vector3d size = Eigen::Vector3d::Zero();  ///< Box: full edge lengths [m]
    double radius = 0;                               ///< Sphere, Cylinder, Capsule [m]
    double length = 0;                               ///< Cylinder; Capsule: without its ends [m]
    std::filesystem::path file;                      ///< Hull: the mesh; empty: there is none
    std::vector<Eigen::Vector3d> points;             ///< Hull: the mesh's vertices, scaled, none twice [m]
};

/// What a link's collision shapes are like where they touch; what is not given is as RobotOptions say.
struct RobotSurface {
    std::optional<double> friction;          ///< Bullet's coefficient, >= 0: a pair has the product of its two
    std::optional<double> rollingFriction;   ///< Bullet's, >= 0 [m]
    std::optional<double> spinningFriction;  ///< Bullet's, >= 0 [m]
    std::optional<double> restitution;       ///< Bullet's coefficient, >= 0
    /// Of contacts: Bullet's setContactStiffnessAndDamping. Both or none, > 0 and >= 0 [N/m], [N.s/m].
    std::optional<double> stiffness;
    std::optional<double> damping;  ///< see stiffness
};

/// A rigid body of the robot.
struct RobotLink {
    std::string name;  ///< unique among the links
    int line = 0;      ///< in the URDF file
    double mass = 0;   ///< [kg]; 0: the file gives no `<inertial>`
    /// Centre of mass and principal axes in the link's frame. Axes that the file gives as principal ones are kept.
    RobotPose principalFrame;
    Eigen::Vector3d principalMoments = Eigen::Vector3d::Zero();  ///< about the centre of mass [kg.m^2]
    std::vector<RobotShape> collisions;                          ///< what touches; none: nothing does
    RobotSurface surface;                                        ///< of all its shapes
    /// The frame that the file calls the link's, in the link's frame. SDF places it anywhere; URDF's are the same.
    RobotPose statedFrame;
};

/// Spring and damper of the stops that take the place of a joint's limits.
struct RobotStops {
    double c = kRequired;  ///< [N.m/rad, N/m], >= 0; must be given
    double d = kRequired;  ///< [N.m.s/rad, N.s/m], >= 0; must be given
};

/// Range of a joint's coordinate.
struct RobotLimits {
    double lower = 0;             ///< [rad, m]
    double upper = 0;             ///< below `lower`: the joint has no range, as in Bullet
    bool isLowerElastic = false;  ///< an ElastoGap takes the limit's place: nothing else holds the joint there
    bool isUpperElastic = false;  ///< the same of the upper end
    double effort = std::numeric_limits<double>::infinity();    ///< what the drive can do, as stated [N.m, N]
    double velocity = std::numeric_limits<double>::infinity();  ///< as stated [rad/s, m/s]
};

/// A joint that follows another one of the same robot, as a gear does: q = multiplier q_leader + offset.
struct RobotMimic {
    int leader = 0;         ///< index in RobotDescription::joints; isScalar(), another joint
    double multiplier = 1;  ///< [-, rad/m, m/rad]; 0: it is held at the offset
    double offset = 0;      ///< [rad, m]
};

/// Carries one link by another one.
struct RobotJoint {
    /// URDF's types, and one more.
    enum class Type {
        Revolute,    ///< q [rad] about the axis, within limits
        Continuous,  ///< q [rad] about the axis, any number of turns
        Prismatic,   ///< q [m] along the axis, within limits
        Fixed,       ///< no coordinate
        Planar,      ///< moves in the plane whose normal is the axis
        Floating,    ///< moves and turns freely
        Ball,        ///< turns freely about a point: SDF's `ball`, `spherical` in Bullet's URDF
    };
    std::string name;                                 ///< unique among the joints
    int line = 0;                                     ///< in the URDF file
    Type type = Type::Fixed;                          ///< how the child moves against the parent
    int parent = 0;                                   ///< index of the link that carries
    int child = 0;                                    ///< index of the link that is carried
    RobotPose pose;                                   ///< of the child's frame in the parent's, at zero
    Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  ///< unit vector in the child's frame; Planar: the plane's normal
    std::optional<RobotLimits> limits;                ///< Continuous: without a range; none: nothing bounds it
    double damping = 0;                               ///< [N.m.s/rad, N.s/m]; what acts is an element
    /// Coulomb's, whatever the load [N.m, N]; 0 beside an element of friction, which takes its place.
    double friction = 0;
    double springStiffness = 0;       ///< SDF's and Gazebo's [N.m/rad, N/m]; what acts is an element
    double springReference = 0;       ///< where that spring has no force [rad, m]
    std::optional<RobotStops> stops;  ///< of the limits, as SDF states them; what acts are elements
    /// It follows another joint; what couples them is an element. Its own limits do not hold: the leader's do.
    std::optional<RobotMimic> mimic;

    /// True if one number says where it is: Revolute, Continuous and Prismatic.
    bool isScalar() const { return type == Type::Revolute || type == Type::Continuous || type == Type::Prismatic; }
    /// True if `limits` has a lower and an upper bound that hold.
    bool hasRange() const {
        return (type == Type::Revolute || type == Type::Prismatic) && limits && limits->lower <= limits->upper;
    }
};

/// A motor behind an element: a rotor that the element connects to the joint through a gear. It rides on the joint's
/// parent link and turns about the joint's axis, see Drive.
struct RobotDrive {
    double inertia = 0;  ///< of the rotor, on its own side of the gear [kg.m^2]; Prismatic with ratio in rad/m: too
    double ratio = 1;    ///< turns of the rotor per turn of the joint [-], or rad/m
    /// Of the element between rotor and joint at the start: phi_rel = q - phi / ratio [rad, m]. Without it the rotor
    /// starts where the element has no force.
    std::optional<double> start = {};
};

/// The ends of an element between links: it acts on the distance of two points, and on no joint.
struct RobotSpan {
    int linkA = 0;                                     ///< index in RobotDescription::links: what flange a is fixed to
    int linkB = 0;                                     ///< the same of flange b; moves against linkA
    Eigen::Vector3d pointA = Eigen::Vector3d::Zero();  ///< in linkA's frame [m]
    Eigen::Vector3d pointB = Eigen::Vector3d::Zero();  ///< in linkB's frame [m]
};

/// An element of Elasto on a joint or between links: `<elasto:backlash>`, `<elasto:line>` and so on
/// (ElementTypeInfo::robotElement), or what URDF and SDF themselves give a joint: damping, a spring, stops.
struct RobotElement {
    std::string name;  ///< unique among the elements; without a `name` attribute "<joint>.<kind>"
    int line = 0;      ///< in the file it stands in
    /// ElementType::Damper: `<dynamics damping>` of the joint, which Bullet ignores: "<joint>.damping", after all
    /// others.
    ElementType type = ElementType::ElastoBacklash;
    bool isDamping() const { return type == ElementType::Damper; }  ///< it is URDF's own damping
    int joint = 0;  ///< index in RobotDescription::joints; isScalar(). -1 where `span` is
    /// Acts on q, the joint's coordinate (behind a drive on q - phi/ratio, phi the rotor's angle), or on -q where
    /// isUpper. Constants of a drive's element hold on the joint's side of the gear, whatever side the file states.
    Law law = SpringDamperLaw({.c = 0, .d = 0});
    bool isUpper = false;  ///< ElastoGap, BumpStop: the stop at the upper end, on s = -q
    /// Friction: it rubs on the rotor of the joint's motor, whose element stands before it, and acts on phi. Its law
    /// holds there.
    bool isOnMotor = false;
    std::optional<RobotDrive> drive;  ///< not of ElastoGap, BumpStop, Damper and friction
    std::optional<RobotSpan> span;    ///< it lies between two links; s_rel is their points' distance [m]
    double T = 293.15;                ///< Modelica's T, its temperature [K], > 0
};

/// A whole robot. Parents come before their children: joints[i] carries links[i + 1], links[0] is the root.
struct ELASTO_API RobotDescription {
    std::string name;                    ///< of the robot
    std::vector<RobotLink> links;        ///< links[0] is the root
    std::vector<RobotJoint> joints;      ///< one less than links
    std::vector<RobotElement> elements;  ///< in the files' order, then those on motors, dampings last

    int linkIndex(std::string_view linkName) const;    ///< -1: there is none
    int jointIndex(std::string_view jointName) const;  ///< -1: there is none
};

/// "revolute" and so on, as URDF has it.
ELASTO_API const char* jointTypeName(RobotJoint::Type type);
/// What robot files call a type, e.g. "backlash" (which "sea" is with a motor); that of joints' own damping is
/// "damping".
ELASTO_API const char* robotElementName(ElementType type);

/// Sets the coordinates of the joints that follow others (RobotJoint::mimic) to what they follow.
/// @param q      as many as joints
/// @param isKept of each joint: it stays as it is; empty: none does
ELASTO_API void placeFollowers(const RobotDescription& robot, std::vector<double>& q,
                               const std::vector<bool>& isKept = {});

/// Where limits without an ElastoGap let a joint be [rad, m]; infinite where they do not hold it.
struct RobotRange {
    double lower = -std::numeric_limits<double>::infinity();  ///< <= upper
    double upper = std::numeric_limits<double>::infinity();   ///< >= lower
};
/// That of a joint: its own limits, and those of joints that follow it. Of these, one that leaves nothing of what the
/// others do does not count.
/// @param joint isScalar(), one that follows none
/// @param ignored where not null: gets the joints whose limits do not count
ELASTO_API RobotRange heldRange(const RobotDescription& robot, int joint, std::vector<int>* ignored = nullptr);

/// Frames of all links for given coordinates of the joints.
/// @param base of the root link
/// @param q    as many as joints; used where isScalar() [rad, m]
ELASTO_API std::vector<RobotPose> linkPoses(const RobotDescription& robot, const RobotPose& base,
                                            const std::vector<double>& q);

}  // namespace elasto
