// One spring and damper in series alone, under a constant load:
//     f'' + (c/d) f' + W c f = c a,   f(0) = c (s - s_unstretched - s_damper),   f'(0) = c v - (c/d) f(0)

#include "straight/closed_form.h"
#include "straight/linear_mode.h"

namespace elasto::flow {

namespace {

struct ForceIntegrals {
    double P = 0;
    double sigma = 0;
};

ForceIntegrals integrateForce(const HybridLaw& law, double w, double a, double f, double v, double duration) {
    const double rate = law.c / law.d;
    const double slope = law.c * v - rate * f;
    const double push = law.c * (a - w * f);
    const LinearMode::Integrals integrals = LinearMode(w * law.c, rate).integrals(duration);
    ForceIntegrals whole;
    whole.P = f * duration + slope * integrals.I + push * integrals.J;
    whole.sigma = 0.5 * f * duration * duration + slope * integrals.J + push * integrals.K;
    return whole;
}

}  // namespace

void advanceSeries(const SingleProblem& problem, SingleState& state, double h, RowLog& log) {
    const auto& [law, w, a] = problem;
    const double duration = h - state.t;
    const double v = state.v;

    const double f = forceInPhase(law, state.phase, state.s, v, state.z);
    const ForceIntegrals whole = law.neverActs() ? ForceIntegrals{} : integrateForce(law, w, a, f, v, duration);
    const double storedBefore = energyInPhase(law, state.phase, state.s, state.z);

    state.s += duration * (v + 0.5 * a * duration) - w * whole.sigma;
    state.v += a * duration - w * whole.P;
    state.z = innerState(law, state.phase, state.s, state.z + damperRate(law, whole.P));
    if (!law.neverActs()) {
        // int f v dt with v = v(0) + a t - w P(t)
        const double work = v * whole.P + a * (duration * whole.P - whole.sigma) - 0.5 * w * whole.P * whole.P;
        state.heat += work - (energyInPhase(law, state.phase, state.s, state.z) - storedBefore);
    }
    state.sigma += state.P * duration + whole.sigma;
    state.P += whole.P;
    state.t = h;
    log.steps += 1;
}

void solveSeries(const RowNetwork& network, RowState& state, double h, RowLog& log) {
    SingleState alone = SingleState::of(state);
    advanceSeries(SingleProblem::of(network), alone, h, log);
    alone.writeTo(state);
}

}  // namespace elasto::flow
