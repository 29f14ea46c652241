#pragma once
/// @file signals.h
/// Names of everything that can be recorded from a scene.

#include <elasto/export.h>
#include <elasto/scene/description.h>

#include <string>
#include <string_view>
#include <vector>

namespace elasto {

/// What a signal is. Names in Modelica's spelling; rotational elements have torques.
enum class SignalKind {
    BodyPosition,                 ///< `<body>.r_0[1..3]`: origin of the body frame, world [m]
    BodyVelocity,                 ///< `<body>.v_0[1..3]`: its velocity, world [m/s]
    BodyAngularVelocity,          ///< `<body>.w_a[1..3]`: angular velocity resolved in the body frame [rad/s]
    BodyOrientation,              ///< `<body>.q[1..4]`: unit quaternion x, y, z, w, body frame -> world
    ElementS,                     ///< .s_rel (axis), .s (line) [m], .phi_rel (rotation) [rad]
    ElementV,                     ///< .v_rel (axis), .v (line) [m/s], .w_rel (rotation) [rad/s]
    ElementForce,                 ///< .f [N] or .tau [N.m] now
    ElementMeanForce,             ///< .f_mean or .tau_mean over the tick that ends now; at t = 0 the value of f
    ElementSpringForce,           ///< .f_c or .tau_c
    ElementDamperForce,           ///< .f_d or .tau_d_limited: share of the damper that acts
    ElementUnlimitedDamperForce,  ///< .f_d2 or .tau_d: share of the damper before its limit
    ElementFlangeA,               ///< .flange_a.f or .flange_a.tau = -f; not on a line
    ElementFlangeB,               ///< .flange_b.f or .flange_b.tau = f; not on a line
    ElementPlaceA,                ///< .flange_a.s: place of frame a along the axis, world [m]; .flange_a.phi: angle by
                                  ///< which a's body has turned about the axis since the start, within -pi .. pi [rad]
    ElementPlaceB,                ///< .flange_b.s = flange_a.s + s_rel; .flange_b.phi = flange_a.phi + phi_rel
    ElementFrameForceA,      ///< .frame_a.f[1..3] [N]: cut force on the element, resolved in frame_a; not rotational
    ElementFrameForceB,      ///< .frame_b.f[1..3] [N]
    ElementFrameTorqueA,     ///< .frame_a.t[1..3] [N.m]: cut torque on the element about frame_a, resolved in it
    ElementFrameTorqueB,     ///< .frame_b.t[1..3] [N.m]
    ElementContactAngle,     ///< .phi_contact [rad] of a backlash: how far outside the play, signed; 0 within
    ElementLossPower,        ///< .lossPower [W], Modelica's formula
    ElementDissipatedPower,  ///< .dissipatedPower [W], closes the energy balance
    ElementHeat,             ///< .heat [J] since the start
    ElementStoredEnergy,     ///< .storedEnergy [J]
    ElementContact,          ///< .contact: 0 or 1
    ElementDamperLength,     ///< .s_damper [m]; SpringDamperSeries only
    ElementTemperature,      ///< .TheatPort [K]: of its heat port, 293.15 without one
    ElementLength,           ///< .length [m]: distance of the two points, not guarded; line only, as the next four
    ElementRelativeWorld,    ///< .r_rel_0[1..3] [m]: from frame_a to frame_b, world axes
    ElementDirectionWorld,   ///< .e_rel_0[1..3]: unit vector of the same
    ElementRelativeA,        ///< .r_rel_a[1..3] [m]: from frame_a to frame_b, resolved in frame_a
    ElementDirectionA,       ///< .e_a[1..3]: unit vector of the same
    JointCoordinate,         ///< .phi_rel of a hinge, within -pi .. pi [rad]; .s_rel of a slider [m]
    JointRate,               ///< .w_rel of a hinge [rad/s]; .v_rel of a slider [m/s]
    PortPower,               ///< `<port>.power` [W] now
    PortEnergy,              ///< `<port>.energy` [J] since the start
    PortTemperature,         ///< `<port>.T` [K]
    TotalLossPower,          ///< totalLossPower [W]: sum over all elements
    TotalHeat,               ///< totalHeat [J]: sum over all elements since the start
    TickGrade,               ///< grade of the tick that ends now, the worst of its networks: 0 exact, 1 approximate, 2
                             ///< failed (Grade); 0 at the start and in the reference
    TickError,               ///< gradeError [m, rad]: estimate of what that tick got wrong (TickGrade::error)
};

/// One scalar signal.
struct Signal {
    SignalKind kind = SignalKind::BodyPosition;  ///< what it is; decides the unit
    int index = 0;       ///< of the body, joint, element or heat port in the scene; 0 for totals
    int component = 0;   ///< of a vector, counted from 0 (names count from 1); 0 for scalars
    std::string name;    ///< e.g. "mass1.r_0[1]"
    std::string column;  ///< header of its column: the name, or what the scene calls it
};

/// True for signals of motion (positions, angles, s_damper): what is compared as "positions".
ELASTO_API bool isPosition(SignalKind kind);
/// True for velocities and angular velocities.
ELASTO_API bool isVelocity(SignalKind kind);

/// Everything that can be recorded from the scene: bodies, joints, elements, heat ports, totals, each in the file's
/// order.
ELASTO_API std::vector<Signal> availableSignals(const Scene& scene);
/// The signals that scene.record picks, in its order. A column that two entries pick stands once.
ELASTO_API std::vector<Signal> recordedSignals(const Scene& scene);
/// Whether a name fits a pattern in which `*` stands for any text and `?` for one character (brackets are plain).
ELASTO_API bool matchesPattern(std::string_view pattern, std::string_view name);

}  // namespace elasto
