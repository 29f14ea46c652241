// One body and one element to the world. Each formula is that of StraightFrame (straight/straight_frame.h) and
// RowSolver (straight/solve_rows.h) for this case, in the same order, so that the bits are the same.

#include <elasto/flow_single.h>

#include "balance/network_energy.h"
#include "balance/network_state.h"
#include "bodies/direction_rules.h"
#include "bodies/single_element_row.h"
#include "straight/closed_form.h"

#include <algorithm>
#include <cmath>

namespace elasto {
namespace flow {
namespace {

/// What validation (network.cpp) accepts, in fewer comparisons.
bool isSound(const FlowBody& body, const SingleElement& element) {
    // A sum with something that is not finite is not finite.
    const double state = body.position.sum() + body.velocity.sum() + body.angularVelocity.sum() +
                         body.force.constant.sum() + body.torque.constant.sum() + element.pointA.sum() +
                         element.pointB.sum() + element.s_damper + element.phi + element.s_small;
    const double mass =
        body.inverseMass + body.inverseInertia.sum() + body.linearFactor.sum() + body.angularFactor.sum();
    const double least = std::min({body.inverseMass, body.inverseInertia.minCoeff(), body.linearFactor.minCoeff(),
                                   body.angularFactor.minCoeff()});
    const auto isUnit = [](double squaredNorm) { return std::fabs(squaredNorm - 1) < 1e-6; };
    const bool isGeometry = element.geometry == Geometry::AlongAxis || element.geometry == Geometry::AlongLine ||
                            element.geometry == Geometry::AboutAxis;
    return isGeometry && std::isfinite(state) && least >= 0 && mass > 0 && mass <= kLargestParameter &&
           !body.isImmovable() && isUnit(body.orientation.squaredNorm()) && element.s_small > 0 &&
           (element.geometry == Geometry::AlongLine || isUnit(element.axis.squaredNorm()));
}

bool isPiecewiseLinear(const Law& law) {
    const HybridLaw hybrid = HybridLaw::from(law);
    return hybrid.isPiecewiseLinear() && hybrid.kind != HybridLaw::Kind::Friction;
}

Row rowOf(const FlowBody& body, const SingleElement& element) {
    if (element.isBodyA) return measureOwnRow(element, Motion::of(body), Motion(), element.phi);
    if (element.geometry == Geometry::AlongAxis) return alongWorldAxis(body, element);
    return measureOwnRow(element, Motion(), Motion::of(body), element.phi);
}

class SingleMotion {
public:
    SingleMotion(const FlowBody& body, const SingleElement& element)
        : m_body(body),
          m_element(element),
          m_row(rowOf(body, element)),
          m_angularGradient(element.isBodyA ? m_row.angularA : m_row.angularB),
          m_sign(element.isBodyA ? -1 : 1) {
        const bool hasTorque = !body.torque.constant.isZero(0);
        const bool isTurned = !m_angularGradient.isZero(0);
        m_linearLoad = linearResponse(body, body.force.constant);
        m_linearPush = -m_sign * linearResponse(body, m_row.linear);
        if (hasTorque || isTurned) {
            const Eigen::Matrix3d inverse = inverseInertiaWorld(body, body.orientation);
            m_angularLoad = inverse * body.torque.constant;
            m_angularPush = -(inverse * m_angularGradient);
        }
        m_gyroscopic = gyroscopicAcceleration(body, body.orientation, body.angularVelocity);
    }

    bool isStraight(double h) const;
    bool solve(double h, SingleTick& tick, std::vector<ContactEvent>& events) const;

private:
    bool keepsAxis(const Displacement (&motions)[4]) const;
    bool turnsFreely() const;

    const FlowBody& m_body;
    const SingleElement& m_element;
    const Row m_row;
    const Eigen::Vector3d m_angularGradient;
    const double m_sign;
    Eigen::Vector3d m_linearLoad;
    Eigen::Vector3d m_angularLoad = Eigen::Vector3d::Zero();
    Eigen::Vector3d m_gyroscopic;
    Eigen::Vector3d m_linearPush;  // accelerations by a unit force of the element
    Eigen::Vector3d m_angularPush = Eigen::Vector3d::Zero();
};

bool SingleMotion::isStraight(double h) const {
    // A body that nothing turns, along an axis of the world.
    if (m_element.geometry == Geometry::AlongAxis && !m_element.isBodyA && m_body.angularVelocity.isZero(0) &&
        m_angularLoad.isZero(0) && m_angularPush.isZero(0)) {
        return true;
    }
    const double pushSize = std::max({0.0, m_linearPush.norm(), m_angularPush.norm()});
    Displacement push;
    if (pushSize > 0) push = {m_linearPush / pushSize, m_angularPush / pushSize};
    const double weight = 0.5 * h * h;
    const Displacement motions[4] = {{h * m_body.velocity, h * m_body.angularVelocity},
                                     {Eigen::Vector3d::Zero(), weight * m_gyroscopic},
                                     {weight * m_linearLoad, weight * m_angularLoad},
                                     push};
    const bool isBodyA = m_element.isBodyA;
    const Eigen::Vector3d zero = Eigen::Vector3d::Zero();
    const StartingElement start{m_element.geometry,
                                m_element.s_small,
                                m_row,
                                m_row.pointA - (isBodyA ? m_body.position : zero),
                                m_row.pointB - (isBodyA ? zero : m_body.position),
                                isBodyA && isTurnable(m_body)};
    TurnsOfB turns;
    const Displacement none;
    for (const Displacement& motion : motions) {
        if (!start.keepsDirection(isBodyA ? motion : none, isBodyA ? none : motion)) return false;
        if (!isBodyA) turns.add(start, motion);
    }
    if (m_element.geometry == Geometry::AlongAxis && !turns.areLegal()) return false;
    if (m_element.geometry == Geometry::AboutAxis) {
        const Eigen::Vector3d axis = isBodyA ? Eigen::Vector3d(m_body.orientation * m_element.axis) : m_element.axis;
        if ((m_row.direction - axis).norm() > kTurnTolerance) return false;
    }
    return keepsAxis(motions);
}

/// A body that the element turns must keep its axis of rotation, or its response changes.
bool SingleMotion::keepsAxis(const Displacement (&motions)[4]) const {
    if (!(m_angularPush.norm() > kTurnTolerance * m_body.inverseInertia.maxCoeff())) return true;
    const Eigen::Vector3d axis = m_angularPush.normalized();
    return std::all_of(std::begin(motions), std::end(motions),
                       [&](const Displacement& motion) { return isParallel(motion.rotation, axis, kTurnTolerance); });
}

/// As StraightFrame::turnsFreely.
bool SingleMotion::turnsFreely() const {
    const Eigen::Vector3d& w = m_body.angularVelocity;
    if (!m_gyroscopic.isZero(1e-13 * (1 + w.squaredNorm()))) return true;
    const double size = m_angularLoad.norm();
    if (!(size > 0)) return false;
    const bool isotropic = m_body.inverseInertia == Eigen::Vector3d::Constant(m_body.inverseInertia[0]);
    return !isotropic || !isParallel(w, m_angularLoad / size, 1e-13 * w.norm());
}

bool SingleMotion::solve(double h, SingleTick& tick, std::vector<ContactEvent>& events) const {
    const HybridLaw law = HybridLaw::from(m_element.law);
    SingleProblem problem{law};
    problem.a = m_sign * m_row.linear.dot(m_linearLoad) + m_angularGradient.dot(m_angularLoad);
    problem.W = -(m_sign * m_row.linear.dot(m_linearPush) + m_angularGradient.dot(m_angularPush));
    SingleState state;
    state.s = m_row.s;
    state.v = m_row.v;
    state.z = m_element.s_damper;
    state.phase = classify(law, state.s, state.v, problem.a, state.z);
    RowLog log;
    events.clear();
    std::swap(log.events, events);  // its storage
    (law.kind == HybridLaw::Kind::Series ? advanceSeries : advanceClosedForm)(problem, state, h, log);
    std::swap(log.events, events);
    if (m_element.geometry == Geometry::AlongLine && state.s < m_element.s_small) return false;  // turned round

    BodyTick& end = tick.body;
    end.elementVelocity = state.P * m_linearPush;
    end.elementAngularVelocity = state.P * m_angularPush;
    const Eigen::Vector3d turn = state.sigma * m_angularPush;
    if (turn.isZero(0) && end.elementAngularVelocity.isZero(0) && turnsFreely()) return false;
    const auto path = [&](const Eigen::Vector3d& load) -> Eigen::Vector3d { return h * h * (load / 2); };
    end.position = m_body.position + (h * m_body.velocity + (path(m_linearLoad) + state.sigma * m_linearPush));
    end.velocity = m_body.velocity + (h * m_linearLoad + end.elementVelocity);
    end.orientation = turned(m_body.orientation, h * m_body.angularVelocity + (path(m_angularLoad) + turn));
    end.angularVelocity = m_body.angularVelocity + (h * m_angularLoad + end.elementAngularVelocity);

    tick.element = elementTick(m_element.law, state.s, state.v, state.z, state.P, state.heat);
    tick.method = state.P != 0 || !events.empty() ? FlowMethod::ClosedForm : FlowMethod::Free;
    tick.steps = log.steps;
    tick.energyHandedOut = -state.heat;
    tick.storedBefore = elasto::storedEnergy(m_element.law, m_row.s, m_element.s_damper);
    tick.endAcceleration = m_linearLoad + tick.element.force.f * m_linearPush;
    tick.endAngularAcceleration = m_angularLoad + tick.element.force.f * m_angularPush;
    return true;
}

}  // namespace

Row alongWorldAxis(const FlowBody& body, const SingleElement& element) {
    Row row;
    row.pointA = element.pointA;
    row.pointB = body.position + body.orientation * element.pointB;
    row.direction = row.linear = element.axis;
    row.s = row.direction.dot(row.pointB - row.pointA);
    row.angularB = (row.pointB - body.position).cross(row.direction);
    row.v = row.linear.dot(body.velocity) + row.angularB.dot(body.angularVelocity);
    return row;
}

bool isKnown(const FlowBody& body, const SingleElement& element) {
    return isPiecewiseLinear(element.law) && body.force.isConstant() && body.torque.isConstant() &&
           isSound(body, element);
}

}  // namespace flow

bool solveSingle(const FlowBody& body, const SingleElement& element, double h, SingleTick& tick,
                 std::vector<ContactEvent>& events) {
    if (!flow::isKnown(body, element)) return false;
    const flow::SingleMotion motion(body, element);
    return motion.isStraight(h) && motion.solve(h, tick, events);
}

}  // namespace elasto
