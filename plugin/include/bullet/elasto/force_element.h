#pragma once
/// @file force_element.h
/// Base of all force elements.

#include <elasto/element_common.h>
#include <elasto/element_state.h>
#include <elasto/export.h>
#include <elasto/placement.h>

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

#include <functional>
#include <memory>
#include <string>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class ElementAccess;
struct SingleRecord;
struct SolvedNetwork;
class ElementHome;

/// User constraint type that new elements carry ("Elas" in ASCII); users may set another one.
inline constexpr int kForceElementType = 0x456c6173;

/// A force element: a btTypedConstraint without rows, solved by the world's elasto::Plugin.
///
/// Add it with `world->addConstraint(element, disableCollisionsBetweenLinkedBodies)` and remove it with
/// `world->removeConstraint(element)`. In a world without a Plugin its first tick throws std::logic_error before any
/// body has moved.
///
/// Units are SI in a world whose length unit is the metre. Flange a is body A, flange b is body B. Sign, as in
/// Modelica: f = flange_b.f; **f > 0 pulls a and b together**, so body B gets -f along the direction from A to B and
/// body A gets +f. Readouts are measured when they are called, from the bodies' present poses and velocities and the
/// inner state, in double precision; a disabled element reads zero force, power and energy.
///
/// Ownership: the user owns elements; they refer to their bodies. Delete an element only after it was removed from
/// the world, and before its bodies (as with Bullet's constraints). Before, after or without the Plugin is all right.
/// Removing and deleting elements and bodies inside the element's callbacks is legal.
class ELASTO_API ForceElement : public btTypedConstraint, public ElementCommon {
public:
    /// Called with the element, and when and how fast its contact began or ended.
    using ContactCallback = std::function<void(ForceElement&, const ContactInfo&)>;

    ~ForceElement() override;
    ForceElement(const ForceElement&) = delete;
    ForceElement& operator=(const ForceElement&) = delete;

    // --- Geometry ---
    /// What s_rel is and along (about) what f acts.
    Geometry geometry() const { return m_placement.geometry(); }
    const Placement& placement() const { return m_placement; }  ///< bodies and frames, as given
    btVector3 pointA() const;                                   ///< origin of frame A now, world [m]
    btVector3 pointB() const;                                   ///< origin of frame B now, world [m]
    /// Unit vector along (about) which f acts on A now, world: from A to B. Of an Euler angle and a swing's clearance
    /// the gradient, whose length counts: the torque is f times it.
    btVector3 axis() const;
    double s_small() const { return m_small; }  ///< s_small [m]: guard of line elements against a zero distance
    /// @throws InvalidParameter unless finite and > 0 (1e-10 m, Modelica's default)
    void setS_small(double s_small);

    // --- Readouts now ---
    double s_rel() const;  ///< s_rel: along the axis or the line, about the axis the angle [m, rad]
    double v_rel() const;  ///< v_rel: its rate [m/s, rad/s]
    double phi_rel() const { return s_rel(); }  ///< phi_rel: the angle; counts turns, does not wrap at pi [rad]
    double w_rel() const { return v_rel(); }    ///< w_rel [rad/s]
    double length() const;                      ///< length: distance of the two frames' origins [m]
    double s() const;                           ///< s: max(length, s_small) for line elements, else s_rel [m, rad]
    double f() const;                           ///< f: force, > 0 pulls [N, N.m]
    double tau() const { return f(); }          ///< tau: the torque of a rotational element [N.m]
    double f_c() const;                         ///< f_c (tau_c): share of the spring [N, N.m]
    double f_d() const;                         ///< f_d: share of the damper that acts [N, N.m]
    double f_d2() const;  ///< f_d2, of a backlash Modelica's tau_d: share before it is limited [N, N.m]
    double flange_a_f() const { return -f(); }  ///< flange_a.f (flange_a.tau) [N, N.m]
    double flange_b_f() const { return f(); }   ///< flange_b.f (flange_b.tau) [N, N.m]
    double lossPower() const;                   ///< lossPower, Modelica's formula [W]
    double dissipatedPower() const;             ///< power that closes the energy balance [W]
    double storedEnergy() const;        ///< energy in the spring [J]; where it is uncoupled, what it may give back
    bool contact() const;               ///< contact: the element is past its free range; springs and dampers: always
    Readout readout() const;            ///< all of these at once
    btVector3 r_rel_0() const;          ///< r_rel_0: from the origin of frame A to that of frame B, world [m]
    btVector3 e_rel_0() const;          ///< e_rel_0: r_rel_0 / its length, world [-]
    btVector3 r_rel_a() const;          ///< r_rel_a: r_rel_0 resolved in frame A [m]
    btVector3 e_a() const;              ///< e_a: e_rel_0 resolved in frame A [-]
    btVector3 forceOnA() const;         ///< force on body A now, world [N]; zero for rotational elements
    btVector3 forceOnB() const;         ///< force on body B now, world [N]; zero for rotational elements
    btVector3 torqueOnA() const;        ///< torque on body A about its centre of mass now, world [N.m]
    btVector3 torqueOnB() const;        ///< torque on body B about its centre of mass now, world [N.m]
    btVector3 torqueOnCarrier() const;  ///< of a gear pair: torque on its carrier now, world [N.m]; else zero

    // --- Readouts of the last tick ---
    bool uncoupled() const { return m_uncoupled; }  ///< solved without its bodies' joints and contacts
    /// The solution inside the last tick. While uncoupled it is that of the bodies' free response.
    /// @param t [s] from the tick's start, 0 <= t <= the tick's length
    /// @throws std::logic_error before the first tick, std::out_of_range for another t
    Readout solutionAt(double t) const;

    // --- Contact ---
    /// Called after the tick in which contact began, once per event, in the order of time. Bodies, elements
    /// and the callback itself may be removed and deleted inside; new ones may be added.
    void onContactBegin(ContactCallback callback) { contactCallbacks().begin = std::move(callback); }
    /// The same where contact ended.
    void onContactEnd(ContactCallback callback) { contactCallbacks().end = std::move(callback); }

    // --- State ---
    /// All that it remembers from tick to tick, between two ticks.
    ElementState saveState() const;
    void restoreState(const ElementState& state);  ///< bit for bit; parameters, name, port and callbacks stay
    /// Gives the states that the bodies' values are the roundings of (which matters in single precision): they count as
    /// long as Bullet's values stay as they are now. Null for a body of which nothing more is known.
    void setExactStates(const BodyState* a, const BodyState* b, const BodyState* carrier = nullptr);

    // --- btTypedConstraint ---
    /// @throws std::logic_error in a world without a Plugin
    void buildJacobian() override;
    void getInfo1(btConstraintInfo1* info) override;  ///< no rows
    void getInfo2(btConstraintInfo2* info) override;  ///< never called by Bullet, as there are no rows
    /// Elements have none of Bullet's parameters (ERP, CFM). @throws std::logic_error always
    void setParam(int num, btScalar value, int axis = -1) override;
    /// @throws std::logic_error always
    btScalar getParam(int num, int axis = -1) const override;
    int calculateSerializeBufferSize() const override;  ///< Bullet's; see serialize()
    /// Refuses: Bullet's file format has no place for an element, and its reader would make another constraint of
    /// it. Describe elements in a scene file instead. @throws std::logic_error always
    const char* serialize(void* dataBuffer, btSerializer* serializer) const override;

    /// Changes the law's parameters between ticks, and wakes bodies that sleep; the last tick stays one under the law
    /// before.
    /// @throws InvalidParameter for a law of another type, which belongs to another class of elements
    void setLaw(Law law);

protected:
    /// @param typeName Modelica's name of the type, for messages only
    /// @throws InvalidParameter if the placement is not valid (Placement::validate), or the law is friction along a
    ///         line or in a gear pair
    ForceElement(const Placement& placement, Law law, const char* typeName);

private:
    Measure presentMeasure() const;
    void wakeBodies() override;
    void keepLastTick();

    friend class ElementAccess;  // the solver's side: see plugin/bullet/element_access.h

    // The plugin's notes. The last tick is in m_single, in m_lastTick, or in none.
    std::unique_ptr<SingleRecord> m_single;
    std::weak_ptr<ElementHome> m_home;

    // State (see ElementState).
    bool m_uncoupled = false;
    double m_debt = 0;
    double m_rest = 0;
    double m_angle = 0;
    double m_angle2 = 0;  // of a gear pair's second wheel

    struct ContactCallbacks {
        ContactCallback begin, end;
    };
    ContactCallbacks& contactCallbacks();
    std::unique_ptr<ContactCallbacks> m_contactCallbacks;  // null: nobody wants to know
    Placement m_placement;
    double m_small = 1e-10;

    // What it remembers of its bodies, besides m_single. Null: nothing, or the world.
    std::unique_ptr<SavedBody> m_savedA;
    std::unique_ptr<SavedBody> m_savedB;
    std::unique_ptr<SavedBody> m_savedCarrier;  // of a gear pair

    std::shared_ptr<const SolvedNetwork> m_lastTick;
    int m_indexInTick = 0;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
