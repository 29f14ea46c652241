#pragma once
/// @file multibody_element.h
/// Force elements on a btMultiBody.

#include <elasto/element_common.h>
#include <elasto/export.h>
#include <elasto/flow_load.h>
#include <elasto/multibody_placement.h>

#include <BulletDynamics/Featherstone/btMultiBodyConstraint.h>

#include <functional>
#include <memory>
#include <string>
#include <variant>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class ElementHome;

/// getConstraintType() of every MultiBodyElement.
inline constexpr int kMultiBodyElementType = 0x456c6173;

/// Copy of an element's state (MultiBodyElement::saveState). Plain data.
struct MultiBodyElementState {
    bool enabled = true;      ///< as setEnabled
    double s_damper = 0;      ///< [m, rad]
    double phi = 0;           ///< LinkPlacement about an axis: last known angle [rad]
    double heat = 0;          ///< dissipated since the start [J]
    double storedEnergy = 0;  ///< at the end of the last tick [J]
    double impulse = 0;       ///< of the last tick [N.s, N.m.s]
    double tick = 0;          ///< length of the last tick [s]; 0 before the first
    int method = 0;           ///< FlowMethod of the last tick
    TickGrade grade;          ///< of the last tick
    AuditState audit;         ///< of its network
    double motorAngle = 0;    ///< Drive [rad]
    double motorSpeed = 0;    ///< Drive [rad/s]
    ImplicitPause pause;      ///< of its network
};

/// An element on a btMultiBody: a btMultiBodyConstraint without rows, solved by the world's elasto::Plugin.
///
/// Add it with `world->addMultiBodyConstraint(&element)` and remove it with `world->removeMultiBodyConstraint`, before
/// its multibody is removed. The Plugin then moves the whole multibody, with its joint limits, motors and contacts.
///
/// Sign, as in Modelica: f = flange_b.f, **f > 0 pulls the coordinate s_rel back**. Flanges:
/// - JointCoordinate: a is the parent's side, b the link's: s_rel = sign (q - offset); -sign f acts on q.
/// - Drive: a is the motor's side, b the link's: phi_rel = q - phi / ratio; -f acts on q and f / ratio on phi, so that
///   the parent link feels f - f / ratio about the axis, the motor's reaction besides.
/// - GearPair: a is the second joint, b the first: phi_rel = q1 - ratio q2, q1 and q2 as with JointCoordinate; -f acts
///   on q1 and ratio f on q2.
/// - LinkPlacement: as ForceElement.
/// - RotorCoordinate: a is the parent link that carries the rotor, b the rotor: s_rel = phi; -f acts on phi.
///
/// Angles count turns. The user owns elements; they refer to their bodies.
class ELASTO_API MultiBodyElement : public btMultiBodyConstraint, public ElementCommon {
public:
    /// Called with the element, and when and how fast its contact began or ended.
    using ContactCallback = std::function<void(MultiBodyElement&, const ContactInfo&)>;
    /// Where an element may act.
    using Placing = std::variant<JointCoordinate, Drive, GearPair, LinkPlacement, RotorCoordinate>;

    /// On a joint. @throws InvalidParameter naming the field, if there is no such joint, or it is neither revolute nor
    ///         prismatic
    MultiBodyElement(const JointCoordinate& joint, Law law);
    /// Between a rotor and a joint. @throws InvalidParameter as above, and unless inertia > 0 and ratio is not 0; if
    /// the law is friction, which would be a clutch here: it acts on the joint, or on the rotor, beside the drive
    MultiBodyElement(const Drive& drive, Law law);
    /// Between two joints. @throws InvalidParameter as above, and if both joints are the same, ratio is 0, or the
    ///         law is friction
    MultiBodyElement(const GearPair& pair, Law law);
    /// Between frames. @throws InvalidParameter if no end is on a multibody, both are on one link, there is no such
    /// link,
    ///         or the law is friction and acts along a line
    MultiBodyElement(const LinkPlacement& placement, Law law);
    /// On a motor, before its gear. @throws InvalidParameter if there is no drive, or the law is another one than
    /// friction
    MultiBodyElement(const RotorCoordinate& rotor, Law law);
    ~MultiBodyElement() override;

    const char* typeName() const override;                ///< that of the law
    const Placing& placing() const { return m_placing; }  ///< as given
    /// Changes law or parameters between ticks. @throws InvalidParameter as the constructor
    void setLaw(Law law);

    bool isEnabled() const { return m_isEnabled; }  ///< true at first
    /// Between ticks: a disabled element has no force. A drive's rotor stays as it is, whatever rubs on it.
    void setEnabled(bool isEnabled) {
        m_isEnabled = isEnabled;
        wakeBodies();
    }

    // --- Readouts now ---
    double s_rel() const { return readout().s_rel; }                      ///< s_rel [m, rad]
    double v_rel() const { return readout().v_rel; }                      ///< v_rel [m/s, rad/s]
    double phi_rel() const { return s_rel(); }                            ///< phi_rel: counts turns [rad]
    double w_rel() const { return v_rel(); }                              ///< w_rel [rad/s]
    double f() const { return readout().force.f; }                        ///< f: > 0 pulls back [N, N.m]
    double tau() const { return f(); }                                    ///< tau [N.m]
    double f_c() const { return readout().force.f_c; }                    ///< share of the spring [N, N.m]
    double f_d() const { return readout().force.f_d; }                    ///< share of the damper that acts [N, N.m]
    double flange_a_f() const { return -f(); }                            ///< flange_a.f (flange_a.tau) [N, N.m]
    double flange_b_f() const { return f(); }                             ///< flange_b.f (flange_b.tau) [N, N.m]
    double lossPower() const { return readout().lossPower; }              ///< lossPower, Modelica's formula [W]
    double dissipatedPower() const { return readout().dissipatedPower; }  ///< closes the energy balance [W]
    double storedEnergy() const { return readout().storedEnergy; }        ///< in the spring [J]
    bool contact() const { return readout().force.contact; }              ///< past its free range
    Readout readout() const;                                              ///< all of these at once

    // --- Drive; @throws std::logic_error for an element that is none ---
    double motorAngle() const;  ///< phi of the rotor against the parent link, motor side [rad]; counts turns
    double motorSpeed() const;  ///< its rate [rad/s]
    double linkAngle() const;   ///< q [rad]
    double linkSpeed() const;   ///< [rad/s]
    /// Between parent link and rotor [N.m], > 0 turns the rotor forwards; until it is set again; 0 at first.
    void setMotorTorque(double tau);
    /// A torque that changes inside the tick: t [s] is the Plugin's time. It must be a function of t alone.
    /// @param nextBreak where it jumps or has a kink, as that of JointLoad
    void setMotorTorque(std::function<double(double t)> tau, NextBreak nextBreak = {});
    double motorTorque(double t) const;     ///< [N.m]
    double nextMotorBreak(double t) const;  ///< [s] later than t; infinity if none is known
    /// Sets the rotor between ticks [rad, rad/s]. @throws InvalidParameter unless finite
    void setMotor(double phi, double w);

    // --- Contact ---
    /// Called after the tick in which contact began, once per event, in the order of time. Elements and bodies
    /// may be removed and deleted inside.
    void onContactBegin(ContactCallback callback) { m_contactBegin = std::move(callback); }
    /// The same where contact ended.
    void onContactEnd(ContactCallback callback) { m_contactEnd = std::move(callback); }

    // --- State ---
    /// All that it remembers from tick to tick, between two ticks.
    MultiBodyElementState saveState() const;
    void restoreState(const MultiBodyElementState& state);  ///< parameters, name, port and callbacks stay

    // --- btMultiBodyConstraint ---
    void finalizeMultiDof() override {}  ///< Bullet's; nothing is left to do
    /// Bullet's: island of its first multibody or rigid body; -1: none.
    int getIslandIdA() const override;
    /// Bullet's: island of its second one; -1: none.
    int getIslandIdB() const override;
    /// Makes none. @throws std::logic_error in a world without a Plugin
    void createConstraintRows(btMultiBodyConstraintArray& rows, btMultiBodyJacobianData& data,
                              const btContactSolverInfo& info) override;
    void debugDraw(btIDebugDraw* drawer) override;  ///< draws its joints or its ends; null: nothing

private:
    friend class ElementAccess;

    MultiBodyElement(const Placing& placing, Law law);
    void wakeBodies() override;
    void requirePlace(const Law& law) const;
    const Drive& drive() const;
    double linkCoordinate(bool isRate) const;

    Placing m_placing;
    bool m_isEnabled = true;
    double m_angle = 0;
    double m_motorAngle = 0;
    double m_motorSpeed = 0;
    std::function<double(double)> m_motorTorque;
    NextBreak m_motorBreak;
    ContactCallback m_contactBegin;
    ContactCallback m_contactEnd;
    std::weak_ptr<ElementHome> m_home;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
