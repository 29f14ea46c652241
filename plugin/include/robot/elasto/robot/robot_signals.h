#pragma once
/// @file robot_signals.h
/// What can be recorded from a robot scene.

#include <elasto/export.h>
#include <elasto/robot/robot_scene.h>

#include <string>
#include <vector>

namespace elasto {

/// Kinds of signals; names are `<joint>.phi` and so on.
enum class RobotSignalKind {
    JointCoordinate,     ///< .phi [rad], counts turns; prismatic .s [m]
    JointRate,           ///< .w [rad/s]; prismatic .v [m/s]
    MotorAngle,          ///< .motor.phi [rad], on the motor's side of the gear; counts turns
    MotorSpeed,          ///< .motor.w [rad/s]
    DriveTorque,         ///< .drive.tau [N.m], .drive.f [N]: what loads and servos do in the tick that begins now, in
                         ///< its middle; a motor's on its own side
    ElementCoordinate,   ///< .phi_rel [rad], prismatic .s_rel [m]
    ElementRate,         ///< .w_rel [rad/s], .v_rel [m/s]
    ElementForce,        ///< .tau [N.m], .f [N]: > 0 pulls the coordinate back
    ElementMeanForce,    ///< .tau_mean, .f_mean: over the tick that ends now
    ElementSpringForce,  ///< .tau_c, .f_c: share of the spring
    ElementDamperForce,  ///< .tau_d_limited, .f_d: share of the damper that acts
    ElementUnlimitedDamperForce,  ///< .tau_d, .f_d2: share of the damper before its limit
    ElementFlangeA,  ///< .flange_a.tau, .flange_a.f = -tau: cut torque at the parent, of a drive at the motor's gear
    ElementFlangeB,  ///< .flange_b.tau, .flange_b.f = tau
    ElementDamperLength,     ///< .phi_damper [rad], .s_damper [m] of a series element
    ElementContact,          ///< .contact: 1 past the free range
    ElementLossPower,        ///< .lossPower [W]
    ElementDissipatedPower,  ///< .dissipatedPower [W], closes the energy balance
    ElementTemperature,      ///< .TheatPort [K]
    ElementHeat,             ///< .heat [J] since the start
    ElementStoredEnergy,     ///< .storedEnergy [J]
    LinkPosition,            ///< .r_0[1..3] of the link's frame, world [m]
    LinkOrientation,         ///< .q[1..4]: quaternion x, y, z, w of the link's frame
    LinkVelocity,            ///< .v_0[1..3] of the link's frame's origin, world axes [m/s]
    LinkAngularVelocity,     ///< .w_a[1..3], in the link's axes: what a gyroscope reads [rad/s]
    LinkSpecificForce,       ///< .a_imu[1..3], in the link's axes: what an accelerometer in the origin of the link's
                             ///< frame reads, mean over the tick [m/s2]
    LinkContactForce,        ///< .contact.f_0[1..3] of all contacts on the link, mean over the tick, world axes [N]
    LinkContactNormalForce,  ///< .contact.f_n: sum of the contacts' normal forces [N]
    LinkContactFriction,     ///< .contact.f_t: size of the sum of their tangential forces [N]
    LinkContactPlace,        ///< .contact.r_0[1..3]: where the link is touched, weighted by normal force [m]
    JointForce,              ///< .f[1..3]: what the joint does to the link it carries, mean over the tick, in the
                             ///< joint's frame on that link [N]
    JointTorque,             ///< .t[1..3]: the same about the frame's origin [N.m]
    JointEffort,             ///< .tau_net [N.m], prismatic .f_net [N]: share along the coordinate, friction in it
    CentreOfMass,            ///< com.r_0[1..3] of the robot, world [m]
    Momentum,                ///< com.p[1..3] of the robot, world axes [kg.m/s]
    AngularMomentum,         ///< com.L[1..3] of the robot about its centre of mass, world axes [kg.m2/s]
    KineticEnergy,           ///< kineticEnergy of links and rotors [J]
    Around,                  ///< of a body, joint, element or heat port around the robots, as in scenes (signals.h)
    TotalHeat,               ///< totalHeat [J] of all elements since the start, those around the robots too
    TickGrade,               ///< grade of the tick that ends now: 0 exact, 1 approximate, 2 failed (Grade)
    TickError,               ///< gradeError [m, rad]: estimate of what that tick got wrong (TickGrade::error)
};

/// One scalar signal.
struct RobotSignal {
    RobotSignalKind kind = RobotSignalKind::JointCoordinate;  ///< what it is; decides the unit
    int index = 0;                                            ///< of the joint, element or link; Around: in
                                                              ///< availableSignals(RobotScene::around)
    int component = 0;                                        ///< of a vector, counted from 0 (names count from 1)
    std::string name;                                         ///< e.g. "elbow.phi"
    std::string column;     ///< header of its column: the name, or what the scene calls it
    std::size_t robot = 0;  ///< whose it is: index for RobotScene::at; not of Around and of totals
};

/// Everything that can be recorded: of each robot joints, elements, links, each in the description's order; then what
/// is around them, and totals. Names of a robot begin with its prefix.
ELASTO_API std::vector<RobotSignal> availableRobotSignals(const RobotScene& scene);
/// What scene.record picks, in its order, or the main signals. @throws SceneError for one that fits nothing
ELASTO_API std::vector<RobotSignal> recordedRobotSignals(const RobotScene& scene);

}  // namespace elasto
