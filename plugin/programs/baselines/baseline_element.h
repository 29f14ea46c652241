#pragma once
/// @file baseline_element.h
/// One element as Bullet's users build it without Elasto.

#include "baseline_contact.h"
#include "baseline_kind.h"

#include <elasto/flow.h>
#include <elasto/scene/sample.h>

#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>

#include <memory>
#include <optional>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class BaselineElement {
public:
    /// @param a, b bodies of the element, the world's fixed body where it has none
    /// @param h tick [s]
    /// @param contactPoints that carry it as a contact of its bodies' shapes; 0: it is none
    BaselineElement(BaselineKind kind, const FlowElement& placed, btRigidBody& a, btRigidBody& b, double h,
                    int contactPoints);
    ~BaselineElement();
    BaselineElement(const BaselineElement&) = delete;
    BaselineElement& operator=(const BaselineElement&) = delete;

    /// Its constraint; null: it acts as a force or as a contact.
    btTypedConstraint* constraint() { return m_constraint.get(); }
    /// Applies the force for the next tick, where it is one. @param network bodies as they are now
    void beforeTick(const FlowNetwork& network);
    /// The element after a tick, or at the start.
    ElementSample sample(const FlowNetwork& network, btDispatcher& dispatcher);

    const Law& law() const { return m_element.law; }
    /// Other numbers for the same kind of law.
    void setLaw(const Law& law);
    void setEnabled(bool enabled, btCollisionWorld& world);

private:
    void makeConstraint();
    void placeLimits();
    void setContact();
    double inverseMass() const;

    BaselineKind m_kind;
    FlowElement m_element;  ///< in double precision, with its state
    btRigidBody& m_a;
    btRigidBody& m_b;
    double m_h;
    bool m_isEnabled = true;
    double m_meanForce = 0;
    std::unique_ptr<btGeneric6DofSpring2Constraint> m_constraint;
    btJointFeedback m_feedback;
    std::optional<BaselineContact> m_contact;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
