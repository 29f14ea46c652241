#include "contact/contact_stand.h"
#include "contact/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

void standStill(const ContactProblem& problem, double h, const Eigen::Vector3d& velocity, ContactState& state) {
    // What moves on is driven, or along axes that factors lock.
    const std::vector<FlowBody>& bodies = problem.network().bodies;
    Vector6 common = Vector6::Zero();
    common.head<3>() = velocity;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!bodies[i].isImmovable()) state.u[i] += changeableMotion(bodies[i], common - state.u[i]);
    }
    std::vector<Vector6> displacement = state.u;
    for (Vector6& w : displacement) w *= h;
    for (std::size_t e = 0; e < problem.laws().size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        const HybridLaw& law = problem.laws()[e];
        const double v = problem.elementRate(e, state.u);
        const auto phaseAt = [&](double s) { return classify(law, s, v, 0, state.z[k]); };
        const auto stored = [&](double s) { return energyInPhase(law, phaseAt(s), s, state.z[k]); };
        const double end = state.s[k] + h * v;
        const double before = stored(state.s[k]);
        double impulse = h * forceInPhase(law, phaseAt(end), end, v, state.z[k]);
        if (law.kind == HybridLaw::Kind::Series && law.d > 0) {
            impulse /= 1 + law.c * h / law.d;  // backward Euler: its damper goes on
        } else if (!law.slips() && h * std::abs(v) > kLeastDisplacement * std::abs(end)) {
            impulse = (stored(end) - before) / v;
        }
        const bool was = phaseAt(state.s[k]).inContact(), is = phaseAt(end).inContact();
        state.s[k] = end;
        if (law.kind == HybridLaw::Kind::Series) state.z[k] += damperRate(law, impulse);
        state.z[k] = innerState(law, phaseAt(end), end, state.z[k]);
        state.heat[k] += std::max(0., impulse * v - (stored(end) - before));
        problem.countElement(e, impulse, state);
        if (problem.contactOf(e) < 0 && law.kind == HybridLaw::Kind::Contact && was != is) {
            state.events.push_back({static_cast<int>(e), is, state.t + h, std::abs(v)});
        }
    }
    problem.move(displacement, h, state);
    state.t = h;
}

}  // namespace elasto::flow
