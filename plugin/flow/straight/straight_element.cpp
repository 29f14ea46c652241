// An isolated element whose body moves straight. Each formula is that of solveSingle (straight/single_element.cpp)
// and of its closed form (straight/closed_form.cpp), with what is zero left out and what stays the same from tick to
// tick found once, so that the bits are the same.

#include <elasto/detail/straight_element.h>

#include "bodies/single_element_row.h"
#include "straight/closed_form.h"
#include "straight/linear_mode.h"

#include <cmath>
#include <limits>

namespace elasto {

using flow::HybridLaw;
using flow::Mode;
using flow::SingleProblem;
using flow::SingleState;

bool StraightElement::prepare(const FlowBody& body, const SingleElement& element, double h) {
    const bool isAlongAxis = element.geometry == Geometry::AlongAxis && !element.isBodyA;
    if (!isAlongAxis || !body.angularVelocity.isZero(0) || !body.torque.constant.isZero(0)) return false;
    if (!flow::isKnown(body, element)) return false;
    const flow::Row row = flow::alongWorldAxis(body, element);
    if (!row.angularB.isZero(0)) return false;
    m_h = h;
    m_offset = body.orientation * element.pointB;
    m_hasOffset = !m_offset.isZero(0);
    m_load = flow::linearResponse(body, body.force.constant);
    m_push = -flow::linearResponse(body, element.axis);
    m_a = element.axis.dot(m_load);
    m_W = -element.axis.dot(m_push);
    if (!(m_W > 0)) return false;  // what the force gives cannot be told from the motion

    const HybridLaw law = HybridLaw::from(element.law);
    m_hasFreeRange = law.kind == HybridLaw::Kind::Contact;
    m_edgeLow = law.below ? law.edgeLow : -std::numeric_limits<double>::infinity();
    m_edgeHigh = law.above ? law.edgeHigh : std::numeric_limits<double>::infinity();
    m_slips = law.isLimited();
    const flow::LinearMode mode(m_W * law.c, m_W * law.d);
    const bool isPlain = !law.hasRebound && !law.isLimited();
    m_hasPressed =
        isPlain && (law.kind == HybridLaw::Kind::SpringDamper || law.kind == HybridLaw::Kind::Contact) && mode.k() > 0;
    if (m_hasPressed) {
        const flow::LinearMode::Response response = mode.response(h);
        const double equilibrium = m_a / mode.k();
        m_pressed = {response.S,         response.rate, response.I,
                     mode.k(),           equilibrium,   law.c / std::sqrt(mode.k()) + law.d,
                     law.c * equilibrium};
    }
    return true;
}

/// By more than rounding, so that no search for the contact could find one.
bool StraightElement::isOutOfReach(double s, double v) const {
    const double displacement = 1.01 * m_h * (std::fabs(v) + 0.5 * m_h * std::fabs(m_a));
    return m_hasFreeRange && s - m_edgeLow > displacement && m_edgeHigh - s > displacement;
}

/// In contact from the tick's start to its end. @return false if something may end it
bool StraightElement::advancePressed(const HybridLaw& law, SingleState& state) const {
    if (!m_hasPressed || state.phase.mode != Mode::Linear) return false;
    const auto& [S, rate, I, k, equilibrium, reach, force] = m_pressed;
    const double edge = law.edge(state.phase.side);
    const double x = state.s - edge;
    const double v = state.v;
    if (law.kind == HybridLaw::Kind::Contact) {
        if (equilibrium * state.phase.side <= 0) return false;
        const double offset = x - equilibrium;
        const double radiusSquared = v * v + k * offset * offset;
        if (!(force * force >= radiusSquared * reach * reach)) return false;
    }
    const double push = m_a - k * x;
    const double endX = x + (v * S + push * I);
    const double endV = v * rate + push * S;
    const double displacement = endX - x;
    state.s = edge + endX;
    state.v = endV;
    state.P = (v + m_a * m_h - endV) / m_W;
    state.sigma = (m_h * (v + 0.5 * m_a * m_h) - displacement) / m_W;
    if (law.d != 0) {
        const double kineticLoss = 0.5 * (v - endV) * (v + endV);
        state.heat = (kineticLoss + m_a * displacement) / m_W + (law.springEnergy(x) - law.springEnergy(endX));
    }
    return true;
}

bool StraightElement::solve(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity,
                            const SingleElement& element, StraightTick& tick, std::vector<ContactEvent>& events) const {
    const Eigen::Vector3d& direction = element.axis;
    const Law& law = element.law;
    const double s_damper = element.s_damper;
    const Eigen::Vector3d pointB = position + m_offset;
    // A lever that rounding makes would turn the body.
    if (m_hasOffset && !(pointB - position).cross(direction).isZero(0)) return false;
    const double h = m_h;
    const double s = direction.dot(pointB - element.pointA);
    const double v = direction.dot(velocity);
    const auto path = [&](const Eigen::Vector3d& load) -> Eigen::Vector3d { return h * h * (load / 2); };
    events.clear();
    tick.s_damper = s_damper;
    tick.steps = 1;
    if (isOutOfReach(m_slips ? s - s_damper : s, v)) {
        tick.position = position + (h * velocity + path(m_load));
        tick.velocity = velocity + h * m_load;
        tick.acceleration = m_load;
        tick.force = tick.impulse = tick.heat = tick.storedBefore = tick.storedEnergy = 0;
        tick.method = FlowMethod::Free;
        return true;
    }
    const HybridLaw row = HybridLaw::from(law);
    SingleState state;
    state.s = s;
    state.v = v;
    state.z = s_damper;
    state.phase = classify(row, s, v, m_a, s_damper);
    if (!advancePressed(row, state)) {
        const SingleProblem problem{row, m_W, m_a};
        flow::RowLog log;
        std::swap(log.events, events);  // its storage
        (row.kind == HybridLaw::Kind::Series ? flow::advanceSeries : flow::advanceClosedForm)(problem, state, h, log);
        std::swap(log.events, events);
        tick.steps = log.steps;
    }
    tick.position = position + (h * velocity + (path(m_load) + state.sigma * m_push));
    tick.velocity = velocity + (h * m_load + state.P * m_push);
    tick.force = evaluate(law, state.s, state.v, state.z).f;
    tick.acceleration = m_load + tick.force * m_push;
    tick.s_damper = state.z;
    tick.impulse = state.P;
    tick.heat = state.heat;
    tick.storedBefore = storedEnergy(law, s, s_damper);
    tick.storedEnergy = storedEnergy(law, state.s, state.z);
    tick.method = state.P != 0 || !events.empty() ? FlowMethod::ClosedForm : FlowMethod::Free;
    return true;
}

}  // namespace elasto
