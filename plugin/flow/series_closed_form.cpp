// One spring and damper in series alone, under a constant load:
//     f'' + (c/d) f' + W c f = c a,   f(0) = c (s - s_unstretched - s_damper),   f'(0) = c v - (c/d) f(0)

#include "linear_mode.h"
#include "row_network.h"

namespace elasto::flow {

namespace {

struct ForceIntegrals {
    double P = 0;
    double sigma = 0;
};

ForceIntegrals integrateForce(const RowLaw& law, double w, double a, double f, double v, double duration) {
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

void solveSeries(const RowNetwork& network, RowState& state, double h, RowLog& log) {
    const RowLaw& law = network.laws[0];
    const double w = network.W(0, 0);
    const double a = network.a(0, 0);
    const double duration = h - state.t;
    const double v = state.v(0);
    const Phase phase = state.phases[0];

    const double f = forceInPhase(law, phase, state.s(0), v, state.z(0));
    const ForceIntegrals whole = law.neverActs() ? ForceIntegrals{} : integrateForce(law, w, a, f, v, duration);
    const double storedBefore = energyInPhase(law, phase, state.s(0), state.z(0));

    state.s(0) += duration * (v + 0.5 * a * duration) - w * whole.sigma;
    state.v(0) += a * duration - w * whole.P;
    state.z(0) = settledDamper(law, state.s(0), state.z(0) + damperRate(law, whole.P));
    if (!law.neverActs()) {
        // int f v dt with v = v(0) + a t - w P(t)
        const double work = v * whole.P + a * (duration * whole.P - whole.sigma) - 0.5 * w * whole.P * whole.P;
        state.heat(0) += work - (energyInPhase(law, phase, state.s(0), state.z(0)) - storedBefore);
    }
    state.sigma(0) += state.P(0) * duration + whole.sigma;
    state.P(0) += whole.P;
    state.t = h;
    log.steps += 1;
}

}  // namespace elasto::flow
