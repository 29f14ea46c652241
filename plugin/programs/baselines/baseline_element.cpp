#include "baseline_element.h"

#include "host/conversion.h"

#include <elasto/errors.h>
#include <elasto/parameter_forms.h>

#include <algorithm>
#include <cmath>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// Above 1 the iterations on a row run away; Bullet's own constraints stop here.
constexpr double kLargestCfm = 0.99;
/// A limit that is never reached [m, rad].
constexpr double kNoLimit = 1e6;

/// A frame whose x axis is the given one.
Eigen::Matrix3d basisAlong(const Eigen::Vector3d& axis) {
    Eigen::Matrix3d basis;
    basis.col(0) = axis;
    basis.col(1) = axis.unitOrthogonal();
    basis.col(2) = axis.cross(basis.col(1));
    return basis;
}

btTransform frameOf(const Eigen::Matrix3d& basis, const Eigen::Vector3d& origin) {
    return btTransform(toBullet(basis), toBullet(origin));
}

Eigen::Matrix3d rotationOf(const btRigidBody& body) {
    return toEigen(body.getWorldTransform().getBasis());
}

/// Range within which a law has no force; nothing for laws without one.
struct FreeRange {
    double lower = 0;
    double upper = 0;
    double c = 0;
    double d = 0;
    GapCharacteristic characteristic = GapCharacteristic::BoundedDamper;
};

std::optional<FreeRange> freeRangeOf(const Law& law) {
    const ReducedLaw form = reduced(law);
    if (form.kind != ReducedLaw::Kind::Contact) return std::nullopt;
    GapCharacteristic characteristic = GapCharacteristic::Linear;
    if (form.noPull) characteristic = GapCharacteristic::NoPull;
    if (form.bounded) characteristic = GapCharacteristic::BoundedDamper;
    return FreeRange{form.below ? form.edgeLow : -kNoLimit, form.above ? form.edgeHigh : kNoLimit, form.c, form.d,
                     characteristic};
}

/// Restitution that a person works out for a limit from the element's numbers.
double restitutionOf(const FreeRange& range, double mass) {
    // Where damping grows with the penetration it depends on the speed; that d is taken as a linear damper's.
    return impactOf({range.c, range.d}, mass, range.characteristic).restitution;
}

}  // namespace

BaselineElement::BaselineElement(BaselineKind kind, const FlowElement& placed, btRigidBody& a, btRigidBody& b, double h,
                                 int contactPoints)
    : m_kind(kind), m_element(placed), m_a(a), m_b(b), m_h(h) {
    if (contactPoints > 0) {
        m_contact.emplace(a, b, contactPoints);
        setContact();
        return;
    }
    const bool isSeries = std::holds_alternative<SpringDamperSeriesLaw>(placed.law);
    const bool isOfLimits = kind == BaselineKind::SoftLimit || kind == BaselineKind::Restitution;
    if (isOfLimits && placed.geometry != Geometry::AlongLine && !isSeries) makeConstraint();
}

BaselineElement::~BaselineElement() = default;

void BaselineElement::makeConstraint() {
    const Eigen::Matrix3d basisA = basisAlong(m_element.axis);
    Eigen::Matrix3d basisB = rotationOf(m_b).transpose() * rotationOf(m_a) * basisA;
    if (m_element.geometry == Geometry::AboutAxis) {
        // The frames coincide where the element's angle is 0.
        basisB = (m_element.frameB * m_element.frameA.conjugate()).toRotationMatrix() * basisA;
    }
    m_constraint = std::make_unique<btGeneric6DofSpring2Constraint>(m_a, m_b, frameOf(basisA, m_element.pointA),
                                                                    frameOf(basisB, m_element.pointB));
    // All else is free.
    m_constraint->setLinearLowerLimit(btVector3(1, 1, 1));
    m_constraint->setLinearUpperLimit(btVector3(-1, -1, -1));
    m_constraint->setAngularLowerLimit(btVector3(1, 1, 1));
    m_constraint->setAngularUpperLimit(btVector3(-1, -1, -1));
    for (btVector3* vector : {&m_feedback.m_appliedForceBodyA, &m_feedback.m_appliedForceBodyB,
                              &m_feedback.m_appliedTorqueBodyA, &m_feedback.m_appliedTorqueBodyB}) {
        vector->setZero();
    }
    m_constraint->setJointFeedback(&m_feedback);
    placeLimits();
}

/// The inverse of the mass that the element sees along (about) its axis, both bodies turning freely.
double BaselineElement::inverseMass() const {
    const Eigen::Vector3d axis = rotationOf(m_a) * m_element.axis;
    double sum = 0;
    for (const btRigidBody* body : {&m_a, &m_b}) {
        if (body->isStaticOrKinematicObject()) continue;
        Eigen::Matrix3d inverseInertia;
        for (int i = 0; i < 3; ++i) inverseInertia.row(i) = toEigen(body->getInvInertiaTensorWorld()[i]).transpose();
        if (m_element.geometry == Geometry::AboutAxis) {
            sum += axis.dot(inverseInertia * axis);
        } else {
            const Eigen::Vector3d arm = rotationOf(m_b) * m_element.pointB +
                                        toEigen(m_b.getCenterOfMassPosition() - body->getCenterOfMassPosition());
            const Eigen::Vector3d turning = arm.cross(axis);
            sum += static_cast<double>(body->getInvMass()) + turning.dot(inverseInertia * turning);
        }
    }
    return sum;
}

/// Puts the law's numbers into the constraint.
void BaselineElement::placeLimits() {
    const bool turns = m_element.geometry == Geometry::AboutAxis;
    const int axis = turns ? 3 : 0;
    const auto scalar = [](double value) { return static_cast<btScalar>(value); };
    const std::optional<FreeRange> range = freeRangeOf(m_element.law);
    const double w = inverseMass();
    if (!range) {
        const ReducedLaw form = reduced(m_element.law);
        const double rest = unstretched(m_element.law);
        m_constraint->enableSpring(axis, true);
        m_constraint->setStiffness(axis, scalar(form.c));
        m_constraint->setDamping(axis, scalar(form.d));
        m_constraint->setEquilibriumPoint(axis, scalar(turns ? -rest : rest));
        return;
    }
    // Bullet counts these angles from b to a.
    if (turns) {
        m_constraint->setLimit(axis, scalar(-range->upper), scalar(-range->lower));
    } else {
        m_constraint->setLimit(axis, scalar(range->lower), scalar(range->upper));
    }
    if (m_kind == BaselineKind::SoftLimit) {
        // Implicit Euler of the spring and damper. Bullet's CFM of joints counts in units of the row's own mobility.
        const double hardness = m_h * range->c + range->d;
        const double erp = hardness > 0 ? m_h * range->c / hardness : 0;
        const double cfm = w > 0 && hardness > 0 ? 1 / (m_h * hardness * w) : kLargestCfm;
        m_constraint->setParam(BT_CONSTRAINT_STOP_ERP, scalar(erp), axis);
        m_constraint->setParam(BT_CONSTRAINT_STOP_CFM, scalar(std::min(cfm, kLargestCfm)), axis);
    } else if (range->c > 0 && w > 0) {
        // With less than 1, the default, Bullet brakes the body before it is there, and nothing bounces.
        m_constraint->setParam(BT_CONSTRAINT_STOP_ERP, 1, axis);
        m_constraint->setBounce(axis, scalar(restitutionOf(*range, 1 / w)));
    }
}

void BaselineElement::setContact() {
    if (m_kind != BaselineKind::SoftContact) return;
    const ReducedLaw form = reduced(m_element.law);
    m_contact->soften(form.c, form.d);
}

void BaselineElement::beforeTick(const FlowNetwork& network) {
    if (m_constraint || m_contact || !m_isEnabled) return;
    const Measure now = measure(network, m_element);
    if (m_element.geometry == Geometry::AboutAxis) m_element.phi = now.s;
    const double f = evaluate(m_element.law, now.s, now.v, m_element.s_damper).f;
    if (const auto* series = std::get_if<SpringDamperSeriesLaw>(&m_element.law)) {
        m_element.s_damper += m_h * series->damperRate(f);
    } else if (const ReducedLaw form = reduced(m_element.law); form.kind == ReducedLaw::Kind::Slip) {
        const double x = now.s - form.edgeHigh, reach = form.f_slip / form.c_slip;
        m_element.s_damper = std::clamp(m_element.s_damper, x - reach, x + reach);
    }
    m_meanForce = f;
    const btVector3 onA = toBullet(Eigen::Vector3d(f * now.direction));
    if (m_element.geometry == Geometry::AboutAxis) {
        m_a.applyTorque(onA);
        m_b.applyTorque(-onA);
        return;
    }
    const Eigen::Vector3d& pointOnA = m_element.geometry == Geometry::AlongAxis ? now.pointB : now.pointA;
    const auto apply = [](btRigidBody& body, const btVector3& force, const Eigen::Vector3d& point) {
        if (!body.isStaticOrKinematicObject()) body.applyForce(force, toBullet(point) - body.getCenterOfMassPosition());
    };
    apply(m_a, onA, pointOnA);
    apply(m_b, -onA, now.pointB);
}

ElementSample BaselineElement::sample(const FlowNetwork& network, btDispatcher& dispatcher) {
    const Measure now = measure(network, m_element);
    if (m_element.geometry == Geometry::AboutAxis) m_element.phi = now.s;
    ElementSample sample;
    sample.s = now.s;
    sample.v = now.v;
    sample.s_damper = m_element.s_damper;
    sample.pointA = now.pointA;
    sample.pointB = now.pointB;
    if (m_constraint) {
        const bool turns = m_element.geometry == Geometry::AboutAxis;
        const btVector3& onA = turns ? m_feedback.m_appliedTorqueBodyA : m_feedback.m_appliedForceBodyA;
        m_meanForce = m_isEnabled ? toEigen(onA).dot(now.direction) : 0;
    }
    if (m_contact) m_meanForce = m_contact->meanForce(dispatcher, m_h);
    sample.meanForce = m_meanForce;
    sample.force.f = m_meanForce;
    sample.force.contact = m_meanForce != 0;
    if (m_isEnabled) sample.storedEnergy = storedEnergy(m_element.law, now.s, m_element.s_damper);
    return sample;
}

void BaselineElement::setLaw(const Law& law) {
    m_element.law = law;
    if (m_constraint) placeLimits();
    if (m_contact) setContact();
}

void BaselineElement::setEnabled(bool enabled, btCollisionWorld& world) {
    m_isEnabled = enabled;
    m_meanForce = 0;
    if (m_constraint) m_constraint->setEnabled(enabled);
    if (m_contact) m_contact->setEnabled(enabled, world);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
