#include "straight/row_system.h"

#include "numerics/dop853.h"
#include "numerics/elementary.h"
#include "numerics/hybrid_integrator.h"
#include "numerics/rodas4.h"
#include "straight/tuning.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {

namespace {

/// The damper of a contact phase or of a spring-damper, and a slider: power that becomes heat at once, and its slopes.
struct DamperPower {
    double value = 0;
    double byS = 0;
    double byV = 0;
};

DamperPower damperPower(const HybridLaw& law, Phase phase, double s, double v) {
    if (law.isLimited() && (phase.mode == Mode::Slips || phase.mode == Mode::Full)) {
        const double taken = phase.side * law.f_max - springForceInPhase(law, phase, s);
        const double y = penetrationInPhase(law, phase, s);
        return {taken * v, phase.mode == Mode::Full ? -law.springSlope(y) * v : 0, taken};
    }
    if (phase.mode == Mode::Slips) {
        const double sliding = phase.side * law.f_slip;
        return {(law.d * v + sliding) * v, 0, 2 * law.d * v + sliding};
    }
    const double d = law.damping(phase.side);
    if (law.kind == HybridLaw::Kind::Series || phase.mode != Mode::Linear || d == 0) return {};
    if (!law.lankarani) return {d * v * v, 0, 2 * d * v};
    // The slopes of f without those of the spring belong to the damper's force.
    const ForceSlopes slopes = slopesInPhase(law, phase, s, v);
    const double byS = slopes.byS - law.springSlope(law.penetration(s, phase.side));
    return {slopes.byV * v * v, byS * v, 2 * slopes.byV * v};
}

}  // namespace

RowSystem::RowSystem(const RowNetwork& network, const RowState& state, double h, const Method& method,
                     double velocityFloor, RowLog& log)
    : m_network(network),
      m_W(network.W.dense()),
      m_m(network.size()),
      m_h(h),
      m_method(method),
      m_log(log),
      m_start(size()),
      m_phases(state.phases),
      m_energyAtStart(m_m),
      m_force(m_m),
      m_sigmaT(state.sigmaT),
      m_sigmaTT(state.sigmaTT),
      m_stepTime(state.t),
      m_stepForce(m_m),
      m_stepImpulse(state.P),
      m_stepSigma(state.sigma),
      m_byS(m_m),
      m_byV(m_m),
      m_heatByS(m_m),
      m_heatByV(m_m),
      m_theta(m_m),
      m_phi(m_m) {
    m_start << state.s, state.v, state.z, state.P, state.sigma, state.heat;
    const double gained = network.a.col(0).cwiseAbs().maxCoeff() * h / 10;
    m_speed = std::max({velocityFloor, state.v.cwiseAbs().maxCoeff(), gained});
    for (Eigen::Index i = 0; i < m_m; ++i) m_energyAtStart[i] = springEnergy(i, m_start);
    calcForces(m_start, m_stepForce);
    listEvents();
}

void RowSystem::finish(double t, Eigen::VectorXd& y, RowState& state) {
    for (Eigen::Index i = 0; i < m_m; ++i) {
        bookSpringHeat(i, y);
        block(y, Z)[i] = innerState(law(i), phase(i), y[i], block(y, Z)[i]);
    }
    state.t = t;
    state.s = block(y, S);
    state.v = block(y, V);
    state.z = block(y, Z);
    state.P = block(y, P);
    state.sigma = block(y, Sigma);
    state.sigmaT = m_sigmaT;
    state.sigmaTT = m_sigmaTT;
    state.heat = block(y, Heat);
    state.phases = m_phases;
}

bool RowSystem::hasNonlinearContact() const {
    for (Eigen::Index i = 0; i < m_m; ++i) {
        if (!law(i).isPiecewiseLinear() && phase(i).inContact()) return true;
    }
    return false;
}

void RowSystem::calcForces(const Eigen::VectorXd& y, Eigen::VectorXd& f) const {
    for (Eigen::Index i = 0; i < m_m; ++i) {
        f[i] = forceInPhase(law(i), phase(i), block(y, S)[i], block(y, V)[i], block(y, Z)[i]);
    }
}

void RowSystem::derivative(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) {
    const auto s = block(y, S);
    const auto v = block(y, V);
    calcForces(y, m_force);
    for (Eigen::Index i = 0; i < m_m; ++i) {
        const bool series = law(i).kind == HybridLaw::Kind::Series;
        const double damperSpeed = series ? damperRate(law(i), m_force[i]) : 0;
        block(dydt, Z)[i] = damperSpeed;
        block(dydt, Heat)[i] = series ? m_force[i] * damperSpeed : damperPower(law(i), phase(i), s[i], v[i]).value;
    }
    block(dydt, S) = v;
    block(dydt, V) = m_network.a.col(0) + t * (m_network.a.col(1) + t * m_network.a.col(2));
    block(dydt, V).noalias() -= m_W * m_force;
    block(dydt, P) = m_force;
    block(dydt, Sigma) = block(y, P);
}

void RowSystem::linearise(double t, const Eigen::VectorXd& y) {
    m_linearisedAt = t;
    m_acting.clear();
    for (Eigen::Index i = 0; i < m_m; ++i) {
        const double s = block(y, S)[i];
        const double v = block(y, V)[i];
        const ForceSlopes slopes = slopesInPhase(law(i), phase(i), s, v);
        m_byS[i] = slopes.byS;
        m_byV[i] = slopes.byV;
        if (slopes.byS != 0 || slopes.byV != 0) m_acting.push_back(i);
        if (law(i).kind == HybridLaw::Kind::Series) {
            // heat' = f^2 / d = 2 f f' / d: a slope by the force, kept in the place of the slope by the speed.
            m_heatByS[i] = 0;
            m_heatByV[i] = 2 * damperRate(law(i), forceInPhase(law(i), phase(i), s, v, block(y, Z)[i]));
        } else {
            const DamperPower power = damperPower(law(i), phase(i), s, v);
            m_heatByS[i] = power.byS;
            m_heatByV[i] = power.byV;
        }
    }
}

// With x the unknowns, r the right-hand side and phi the linearised force:
//     g x_s - x_v = r_s
//     g x_v + W phi = r_v
//     phi = byS x_s + byV x_v,    series: phi = c (x_s - x_z),  g x_z - phi/d = r_z
// so that phi = alpha + theta x_v with known alpha, and (g I + W theta) x_v = r_v - W alpha remains, of which only the
// columns of acting elements differ from g I. W and theta may be singular.
bool RowSystem::factor(double g) {
    m_g = g;
    const auto n = static_cast<Eigen::Index>(m_acting.size());
    for (const Eigen::Index i : m_acting) {
        const HybridLaw& l = law(i);
        m_theta[i] = l.kind == HybridLaw::Kind::Series ? l.c / (g + l.c / l.d) : m_byS[i] / g + m_byV[i];
    }
    if (n == 0) return true;
    m_matrix.resize(n, n);
    for (Eigen::Index q = 0; q < n; ++q) {
        const Eigen::Index j = m_acting[static_cast<std::size_t>(q)];
        for (Eigen::Index p = 0; p < n; ++p) {
            m_matrix(p, q) = m_W(m_acting[static_cast<std::size_t>(p)], j) * m_theta[j];
        }
        m_matrix(q, q) += g;
    }
    m_lu.compute(m_matrix);
    return isRegular(m_lu.matrixLU());
}

void RowSystem::solve(Eigen::VectorXd& r) const {
    auto s = block(r, S);
    auto v = block(r, V);
    auto z = block(r, Z);
    Eigen::VectorXd& phi = m_phi;
    phi.setZero();
    for (const Eigen::Index i : m_acting) {
        const HybridLaw& l = law(i);
        phi[i] = l.kind == HybridLaw::Kind::Series ? l.c * (s[i] - z[i]) / (m_g + l.c / l.d) : m_byS[i] * s[i] / m_g;
    }
    m_slowed.noalias() = m_W * phi;
    m_right = (v - m_slowed)(m_acting);
    if (!m_acting.empty()) m_speeds = m_lu.solve(m_right);
    for (std::size_t q = 0; q < m_acting.size(); ++q) {
        phi[m_acting[q]] += m_theta[m_acting[q]] * m_speeds[static_cast<Eigen::Index>(q)];
    }
    m_slowed.noalias() = m_W * phi;
    v = (v - m_slowed) / m_g;
    // The acting elements' own equation cancels less than the difference just taken.
    for (std::size_t q = 0; q < m_acting.size(); ++q) v[m_acting[q]] = m_speeds[static_cast<Eigen::Index>(q)];
    s = (s + v) / m_g;
    auto heat = block(r, Heat);
    for (Eigen::Index i = 0; i < m_m; ++i) {
        const bool series = law(i).kind == HybridLaw::Kind::Series;
        z[i] = (z[i] + (series ? damperRate(law(i), phi[i]) : 0)) / m_g;
        heat[i] = (heat[i] + m_heatByS[i] * s[i] + m_heatByV[i] * (series ? phi[i] : v[i])) / m_g;
    }
    block(r, P) = (block(r, P) + phi) / m_g;
    block(r, Sigma) = (block(r, Sigma) + block(r, P)) / m_g;
}

void RowSystem::timeDerivative(Eigen::VectorXd& dfdt) const {
    dfdt.setZero();
    block(dfdt, V) = m_network.a.col(1) + 2 * m_linearisedAt * m_network.a.col(2);
}

double RowSystem::errorNorm(const Eigen::VectorXd& error, const Eigen::VectorXd& /*y*/, double dt) const {
    // One scale for all elements: a scale of its own would make a quiet element decide the step. P, sigma and heat
    // follow from s and v.
    const double speed = block(error, V).cwiseAbs().maxCoeff();
    const double displacement = std::max(block(error, S).cwiseAbs().maxCoeff(), block(error, Z).cwiseAbs().maxCoeff());
    const double norm = std::max(speed, displacement / dt) / (m_method.tolerance * m_speed);
    return error.allFinite() ? norm : std::numeric_limits<double>::infinity();
}

// A contact reaches its largest penetration after about y_max/u; an oscillation asks for a part of 1/omega.
double RowSystem::firstStep(double /*t*/, const Eigen::VectorXd& y) const {
    constexpr double kShare = 0.2;
    double dt = std::numeric_limits<double>::infinity();
    for (Eigen::Index i = 0; i < m_m; ++i) {
        const HybridLaw& l = law(i);
        const double W = m_W(i, i);
        if (!(W > 0) || l.c == 0) continue;
        const double s = block(y, S)[i];
        const double v = block(y, V)[i];
        if (l.kind == HybridLaw::Kind::Contact && phase(i).inContact() && v != 0) {
            const double speed = v / l.s_ref;
            const double largest = l.s_ref * elementary::pow((l.n + 1) * speed * speed / (2 * l.c * W), 1 / (l.n + 1));
            dt = std::min(dt, kShare * (std::abs(penetrationInPhase(l, phase(i), s)) + largest) / std::abs(v));
        }
        if (m_method.isExplicit) {
            const double slope = slopesInPhase(l, phase(i), s, v).byS;
            if (slope > 0) dt = std::min(dt, kShare / std::sqrt(slope * W));
        }
    }
    return dt;
}

double RowSystem::eventValue(int i, double /*t*/, const Eigen::VectorXd& y) const {
    const Event& event = m_events[static_cast<std::size_t>(i)];
    const Eigen::Index e = event.element;
    return exitValue(law(e), phase(e), event.exit.kind, y[e], y[m_m + e]);
}

// By the cubic through positions and speeds at both ends, in Bernstein's form: it lies between the least and the
// largest of four values, and steps that are accepted are so short that it is a few per cent wrong at most.
bool RowSystem::isFarFromEvents(double /*t*/, const Eigen::VectorXd& y, double dt, const Eigen::VectorXd& end) const {
    constexpr double kClear = 0.25;  // of the largest value
    constexpr double kFaster = 1.5;  // than at the ends
    return std::all_of(m_events.begin(), m_events.end(), [&](const Event& event) {
        using Kind = Exit::Kind;
        const Kind kind = event.exit.kind;
        const Eigen::Index e = event.element;
        const Kind edge = isByPlace(kind) ? kind : Kind::Lift;
        const double v = block(y, V)[e], vEnd = block(end, V)[e];
        const double slope = linearExit(law(e), phase(e), edge).byS;
        const double first = exitValue(law(e), phase(e), edge, block(y, S)[e], v);
        const double last = exitValue(law(e), phase(e), edge, block(end, S)[e], vEnd);
        const auto [least, most] = std::minmax({first, first + dt / 3 * slope * v, last - dt / 3 * slope * vEnd, last});
        if (isByPlace(kind)) return least > kClear * most;
        // A damper that has not reached its limit.
        const double damper = kFaster * law(e).d * std::max(std::abs(v), std::abs(vEnd));
        if (kind == Kind::Slackens && law(e).lankarani) return (1 - kClear) * law(e).c * law(e).s_ref > damper;
        const bool isWithin = kind == Kind::Saturated || kind == Kind::Slackens;
        return isWithin && law(e).springForce(least) - damper > kClear * law(e).springForce(most);
    });
}

void RowSystem::crossEvent(int i, double t, Eigen::VectorXd& y) {
    const Event event = m_events[static_cast<std::size_t>(i)];
    const Eigen::Index e = event.element;
    if (isOnEdge(event.exit.kind)) {
        // What rounding left; an event that is crossed late keeps its place.
        const double edge = linearExit(law(e), phase(e), event.exit.kind).edge;
        if (std::abs(y[e] - edge) <= kRowRounding * m_speed * m_h) y[e] = edge;
    }
    if (isAtRest(event.exit.kind) && std::abs(y[m_m + e]) <= kRowRounding * m_speed) y[m_m + e] = 0;
    bookSpringHeat(e, y);
    if (phase(e).inContact() != event.exit.next.inContact()) {
        m_log.events.push_back({static_cast<int>(e), event.exit.next.inContact(), t, std::abs(y[m_m + e])});
    }
    phase(e) = entered(law(e), phase(e), event.exit.next, y[e]);
    m_energyAtStart[e] = springEnergy(e, y);
    calcForces(y, m_stepForce);
    listEvents();
}

bool RowSystem::stepAccepted(double t, Eigen::VectorXd& y) {
    addMoments(t, y);
    m_speed = std::max(m_speed, block(y, V).cwiseAbs().maxCoeff());
    return false;
}

// A step may be as long as the tick where damping is strong. The stages of RODAS4 then are too coarse to integrate t^2
// P, but P itself is smooth: of degree 4 through its values and slopes at both ends and its integral.
void RowSystem::addMoments(double t, const Eigen::VectorXd& y) {
    const double dt = t - m_stepTime;
    calcForces(y, m_force);
    for (Eigen::Index i = 0; i < m_m; ++i) {
        const double P0 = m_stepImpulse[i], P1 = block(y, P)[i];
        const double f0 = dt * m_stepForce[i], f1 = dt * m_force[i];
        const double gained = block(y, Sigma)[i] - m_stepSigma[i];
        // Moments of x^0, x^1, x^2 over 0 <= x <= 1: the cubic, then what x^2 (1 - x)^2 must add to it.
        const double rest = gained / dt - ((P0 + P1) / 2 + (f0 - f1) / 12);
        const double first = (3 * P0 + 7 * P1) / 20 + (2 * f0 - 3 * f1) / 60 + rest / 2;
        const double second = (P0 + 4 * P1) / 15 + (f0 - 2 * f1) / 60 + rest * 2 / 7;
        m_sigmaT[i] += m_stepTime * gained + dt * dt * first;
        m_sigmaTT[i] += m_stepTime * (m_stepTime * gained + 2 * dt * dt * first) + dt * dt * dt * second;
    }
    m_stepTime = t;
    m_stepForce.swap(m_force);
    m_stepImpulse = block(y, P);
    m_stepSigma = block(y, Sigma);
}

void RowSystem::listEvents() {
    m_events.clear();
    for (Eigen::Index i = 0; i < m_m; ++i) {
        const Exits exits = exitsOf(law(i), phase(i));
        for (int k = 0; k < exits.count; ++k) m_events.push_back({i, exits.exits[k]});
    }
}

double RowSystem::springEnergy(Eigen::Index i, const Eigen::VectorXd& y) const {
    if (law(i).kind != HybridLaw::Kind::Contact) return 0;
    // A contact whose end is found late lies beyond it, where no spring is and a power or a table goes on into
    // nonsense.
    const bool isBeyond = phase(i).inContact() && penetrationInPhase(law(i), phase(i), y[i]) < 0;
    return isBeyond ? 0 : energyInPhase(law(i), phase(i), y[i], 0);
}

void RowSystem::bookSpringHeat(Eigen::Index i, Eigen::VectorXd& y) {
    const double gained = springEnergy(i, y) - m_energyAtStart[i];
    if (phase(i).mode == Mode::Clipped) block(y, Heat)[i] += gained;  // the damper takes as much as the spring
    if (phase(i).mode == Mode::Slack) block(y, Heat)[i] -= gained;    // the damper takes all that the spring gives
}

namespace {

void solve(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings,
           const RowSystem::Method& method, Stepper& stepper, RowLog& log) {
    RowSystem system(network, state, h, method, settings.velocityFloor, log);
    if (system.shouldReturn()) return;
    Eigen::VectorXd y = system.start();
    double t = state.t;
    integrate(system, stepper, t, h, y, settings.maxSteps, log.steps);
    system.finish(t, y, state);
}

}  // namespace

void solveRodas4(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings, RowLog& log) {
    Rodas4 stepper;
    solve(network, state, h, settings, {.tolerance = kRodas4Looseness * settings.stepTolerance()}, stepper, log);
}

void solveExplicit(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings, RowLog& log) {
    Dop853 stepper;
    solve(network, state, h, settings,
          {.tolerance = kPowerLawShare * settings.stepTolerance(), .isExplicit = true, .returnWhenLinear = true},
          stepper, log);
}

}  // namespace elasto::flow
