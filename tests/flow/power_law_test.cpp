// Elements with n != 1 by explicit steps: against integrations written out here, over long times, in networks.

#include "numerics/dop853.h"
#include "numerics/hybrid_integrator.h"
#include "numerics/rodas4.h"
#include "row_driver.h"
#include "row_random_network.h"
#include "straight/row_system.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <iostream>

using namespace elasto;
using namespace elasto::flow;
using namespace elasto::test;
using Eigen::VectorXd;

namespace {

constexpr double kMass = 0.2;
constexpr double kGravity = 9.80665;

/// One tick of one element, free flight in closed form as solveTaylor has it.
RowLog tickAlone(const RowNetwork& network, RowState& state, double h) {
    beginTick(state);
    RowLog log;
    while (state.t < h) {
        const double a = network.a(0, 0);
        if (state.phases[0].inContact()) {
            solveExplicit(network, state, h, {}, log);
            continue;
        }
        const double y = state.s[0] - network.laws[0].edgeLow;
        const double toFloor = (state.v[0] + std::sqrt(state.v[0] * state.v[0] - 2 * a * y)) / -a;
        const double dt = std::min(toFloor, h - state.t);
        state.sigma[0] += dt * state.P[0];
        state.s[0] += dt * (state.v[0] + dt * a / 2);
        state.v[0] += dt * a;
        state.t = dt < toFloor ? h : state.t + dt;
        if (dt == toFloor) {
            state.s[0] = network.laws[0].edgeLow;
            state.phases[0] = classify(network.laws[0], state.s[0], state.v[0], a, 0);
        }
    }
    return log;
}

/// Height and speed of a mass above a stop, by Runge's and Kutta's classical method with steps far below the contact
/// time and flight in closed form; it knows the law only by its formula.
class Oracle {
public:
    Oracle(const ElastoGapLaw& law, double s, double v) : m_law(law), m_s(s), m_v(v) {}

    void advance(double duration) {
        double rest = duration;
        while (rest > 0) {
            if (m_s > 0 || (m_s == 0 && m_v > 0)) {
                const double toFloor = (m_v + std::sqrt(m_v * m_v + 2 * kGravity * m_s)) / kGravity;
                const double dt = std::min(rest, toFloor);
                m_s = dt < toFloor ? m_s + dt * (m_v - dt * kGravity / 2) : 0;
                m_v -= dt * kGravity;
                rest -= dt;
                continue;
            }
            double dt = std::min(rest, 5e-8);
            const double s = m_s, v = m_v;
            step(dt);
            if (m_s >= 0 && m_v > 0) {  // the last bit of the contact, at constant speed
                dt *= s / (s - m_s);
                m_s = s;
                m_v = v;
                step(dt);
                m_s = 0;
            }
            rest -= dt;
        }
    }
    double s() const { return m_s; }
    double v() const { return m_v; }

private:
    /// In contact; on the edge the force that contact begins or ends with.
    double acceleration(double s, double v) const {
        return -kGravity - m_law.evaluate(std::min(s, -1e-15), v).f / kMass;
    }
    void step(double dt) {
        const double v1 = m_v, a1 = acceleration(m_s, v1);
        const double v2 = m_v + dt / 2 * a1, a2 = acceleration(m_s + dt / 2 * v1, v2);
        const double v3 = m_v + dt / 2 * a2, a3 = acceleration(m_s + dt / 2 * v2, v3);
        const double v4 = m_v + dt * a3, a4 = acceleration(m_s + dt * v3, v4);
        m_s += dt / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
        m_v += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }

    ElastoGapLaw m_law;
    double m_s, m_v;
};

double energyOf(const RowNetwork& network, const RowState& state) {
    return 0.5 * kMass * state.v[0] * state.v[0] + kMass * kGravity * state.s[0] + storedEnergy(network, state);
}

}  // namespace

TEST_CASE("0.2 kg dropped 0.3 m on n = 1.5, c = 1e7", "[flow][powerlaw]") {
    const double d = GENERATE(0., 5.);
    const double rate = GENERATE(60., 240., 1000.);
    const ElastoGapLaw law({.c = 1e7, .d = d, .n = 1.5});
    const RowNetwork network = alone(law, 1 / kMass, -kGravity);
    RowState state = startState(network, VectorXd::Constant(1, 0.3), VectorXd::Zero(1));
    Oracle oracle(law, 0.3, 0);
    Deviation position;
    int steps = 0;
    double heat = 0;
    const double energy0 = energyOf(network, state);
    const int ticks = static_cast<int>(2 * rate);
    for (int k = 0; k < ticks; ++k) {
        steps += tickAlone(network, state, 1 / rate).steps;
        heat += state.heat[0];
        oracle.advance(1 / rate);
        position.add(state.s[0], oracle.s());
    }
    std::cout << "drop n = 1.5, d = " << d << ", " << rate << " Hz: position " << position.nrmse()
              << ", steps per tick " << static_cast<double>(steps) / ticks << "\n";
    CHECK(position.nrmse() < 1e-6);
    CHECK(energyOf(network, state) + heat == Approx(energy0).epsilon(1e-6));
    if (d == 0) CHECK(heat == 0);
}

TEST_CASE("an undamped mass bounces for 1e5 ticks without gaining energy", "[flow][powerlaw]") {
    const RowNetwork network = alone(ElastoGapLaw({.c = 1e7, .d = 0, .n = 1.5}), 1 / kMass, -kGravity);
    RowState state = startState(network, VectorXd::Constant(1, 0.3), VectorXd::Zero(1));
    const double energy0 = energyOf(network, state);
    double most = 0;
    for (int k = 0; k < 100000; ++k) {
        tickAlone(network, state, 1. / 60);
        most = std::max(most, energyOf(network, state) / energy0 - 1);
    }
    const double drift = energyOf(network, state) / energy0 - 1;
    std::cout << "bouncing, n = 1.5, 1e5 ticks of 1/60 s: highest energy " << most << ", drift " << drift
              << " of the start\n";
    CHECK(most < 1e-6);
    CHECK(drift > -1e-4);
}

TEST_CASE("contacts of other exponents and characteristics keep the energy book", "[flow][powerlaw][slow]") {
    const double n = GENERATE(1.2, 1.5, 2., 3.);
    const GapCharacteristic characteristic = GENERATE(GapCharacteristic::BoundedDamper, GapCharacteristic::Linear,
                                                      GapCharacteristic::NoPull, GapCharacteristic::LankaraniNikravesh);
    const bool lankarani = characteristic == GapCharacteristic::LankaraniNikravesh;
    // Stiffness 1e5 N/m and a damping ratio of about 0.1 at 1 mm.
    const double c = 1e5 * std::pow(1e-3, 1 - n) / n;
    const double d = lankarani ? 0.3 * c : 28;
    const ElastoGapLaw law({.c = c, .d = d, .n = n, .characteristic = characteristic});
    const RowNetwork network = alone(law, 1 / kMass, -kGravity);
    RowState state = startState(network, VectorXd::Constant(1, 0.05), VectorXd::Zero(1));
    Oracle oracle(law, 0.05, 0);
    const double energy0 = energyOf(network, state);
    double heat = 0;
    int begins = 0, ends = 0;
    for (int k = 0; k < 40; ++k) {
        const double before = energyOf(network, state);
        const double v0 = state.v[0];
        const double stored0 = storedEnergy(network, state);
        const RowLog log = tickAlone(network, state, 1. / 120);
        REQUIRE(state.heat[0] > -1e-9 * energy0);
        CHECK(before - energyOf(network, state) == Approx(state.heat[0]).margin(1e-7 * energy0));
        CHECK(-energyHandedOut(network, VectorXd::Constant(1, v0), stored0, state) ==
              Approx(state.heat[0]).margin(1e-7 * energy0));
        heat += state.heat[0];
        for (const ContactEvent& event : log.events) {
            (event.begin ? begins : ends) += 1;
            CHECK(event.time >= 0);
            CHECK(event.time <= 1. / 120);
        }
        oracle.advance(1. / 120);
        CHECK(state.s[0] == Approx(oracle.s()).margin(2e-7));
    }
    CHECK(heat > 0.1 * energy0);
    CHECK(begins == 0);  // contacts begin in free flight, which is not this method's part
    CHECK(ends > 0);
}

TEST_CASE("explicit steps end where the last nonlinear contact does", "[flow][powerlaw]") {
    RowNetwork network = alone(ElastoGapLaw({.c = 1e7, .d = 0, .n = 1.5}), 1 / kMass, -kGravity);
    RowState state = startState(network, VectorXd::Zero(1), VectorXd::Constant(1, -2));
    RowLog log;
    solveExplicit(network, state, 1. / 60, {}, log);
    CHECK(state.t > 0);
    CHECK(state.t < 1. / 60);
    CHECK(state.phases[0] == Phase{});
    CHECK(state.s[0] == 0);
    CHECK(state.v[0] == Approx(2).epsilon(1e-7));
    REQUIRE(log.events.size() == 1);
    CHECK_FALSE(log.events[0].begin);
    CHECK(log.events[0].time == state.t);
    CHECK(log.events[0].speed == Approx(2).epsilon(1e-7));

    SECTION("and do nothing where there is none") {
        const double t = state.t;
        const int steps = log.steps;
        solveExplicit(network, state, 1. / 60, {}, log);
        CHECK(state.t == t);
        CHECK(log.steps == steps);
    }
    SECTION("or when the budget ends") {
        state = startState(network, VectorXd::Zero(1), VectorXd::Constant(1, -2));
        FlowSettings settings;
        settings.maxSteps = 5;
        RowLog brief;
        solveExplicit(network, state, 1. / 60, settings, brief);
        CHECK(brief.steps == 5);
        CHECK(state.t < 1e-3);
        CHECK(state.phases[0].inContact());
    }
}

TEST_CASE("a row of spheres: both methods agree", "[flow][powerlaw]") {
    // Newton's cradle of five with Hertz contacts, the first one arriving; a spring-damper and a series element
    // besides.
    const double d = GENERATE(0., 3.);
    RowNetwork network;
    network.laws.assign(4, HybridLaw::from(ElastoGapLaw({.c = 1e8, .d = d, .n = 1.5})));
    network.laws.push_back(HybridLaw::from(SpringDamperLaw({.c = 1e4, .d = 2})));
    network.laws.push_back(HybridLaw::from(SpringDamperSeriesLaw({.c = 1e4, .d = 20})));
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, 5);
    for (Eigen::Index i = 0; i < 4; ++i) {
        J(i, i) = -1;
        J(i, i + 1) = 1;
    }
    J(4, 4) = J(5, 2) = 1;
    network.W.assign(J * J.transpose());
    network.a = Eigen::MatrixXd::Zero(6, 3);
    VectorXd bodies = VectorXd::Zero(5);
    bodies[0] = 1;
    RowState start = startState(network, VectorXd::Zero(6), J * bodies);
    start.s[0] = 1e-3;
    start.phases[0] = {};

    RowState byRodas = start, byExplicit = start;
    RowLog log, explicitLog;
    FlowSettings settings;
    settings.maxSteps = 100000;
    settings.tolerance = 1e-12;
    // Both can start only in contact or end early: bring the first sphere in.
    RowState* states[] = {&byRodas, &byExplicit};
    for (RowState* state : states) {
        state->s[0] = 0;
        state->phases[0] = classify(network.laws[0], 0, state->v[0], 0, 0);
    }
    solveExplicit(network, byExplicit, 0.02, settings, explicitLog);
    solveRodas4(network, byRodas, byExplicit.t, settings, log);
    CHECK(byExplicit.t > 1e-4);
    CHECK((byRodas.v - byExplicit.v).cwiseAbs().maxCoeff() < 2e-7);
    CHECK((byRodas.P - byExplicit.P).cwiseAbs().maxCoeff() < 2e-7);
    CHECK((byRodas.heat - byExplicit.heat).cwiseAbs().maxCoeff() < 1e-6);
}

TEST_CASE("both methods agree on random networks with power laws", "[flow][powerlaw]") {
    RandomNumbers random(8);
    test::Errors v, sigma, heat;
    for (int i = 0; i < 120; ++i) {
        const RandomNetwork network = randomNetwork(random, {.mostElements = 5, .changingLoads = true});
        RowProblem problem = network.problem;
        for (Law& law : problem.network.laws) {
            const auto* gap = std::get_if<ElastoGapLaw>(&law);
            if (gap == nullptr) continue;
            // The same force at a depth that its contact may reach.
            ElastoGapParameters p = gap->parameters();
            p.n = 1 + 0.5 * random.below(5);
            p.s_ref = network.speed * problem.h / 10;
            if (random.chance(0.2)) p.characteristic = GapCharacteristic::LankaraniNikravesh;
            law = ElastoGapLaw(p);
        }
        const RowNetwork rows = problem.rows();
        const auto solve = [&](Stepper& stepper, RowSystem::Method method) {
            RowState state = problem.state();
            RowLog log;
            RowSystem system(rows, state, problem.h, method, 1e-3, log);
            VectorXd y = system.start();
            double t = 0;
            int steps = 0;
            const Ended ended = flow::integrate(system, stepper, t, problem.h, y, 20000, steps);
            system.finish(t, y, state);
            return std::make_pair(ended, state);
        };
        Dop853 explicitStepper;
        Rodas4 implicitStepper;
        const auto [explicitEnd, a] = solve(explicitStepper, {.tolerance = 1e-11, .isExplicit = true});
        const auto [implicitEnd, b] = solve(implicitStepper, {.tolerance = 1e-7});
        REQUIRE(explicitEnd == Ended::AtEnd);
        REQUIRE(implicitEnd == Ended::AtEnd);
        const double impulse = network.speed / rows.W.dense().diagonal().minCoeff();
        v.add((a.v - b.v).cwiseAbs().maxCoeff() / network.speed);
        sigma.add((a.sigma - b.sigma).cwiseAbs().maxCoeff() / (impulse * problem.h));
        heat.add((a.heat - b.heat).cwiseAbs().maxCoeff() / network.energy);
    }
    std::cout << "explicit and RODAS4, random power laws:\n  v " << v.summary() << "\n  sigma " << sigma.summary()
              << "\n  heat " << heat.summary() << "\n";
    for (test::Errors* errors : {&v, &sigma, &heat}) {
        CHECK(errors->quantile(0.5) < 2e-9);
        CHECK(errors->quantile(0.9) < 1e-6);
        CHECK(errors->worst() < 1e-5);
    }
}

TEST_CASE("resting and touching power-law contacts do not hold explicit steps", "[flow][powerlaw]") {
    SECTION("a chain of five touching at rest") {
        RowNetwork chain;
        chain.laws.assign(5, HybridLaw::from(ElastoGapLaw({.c = 1e7, .d = 5, .n = 1.5})));
        Eigen::MatrixXd W = Eigen::MatrixXd::Zero(5, 5);
        for (Eigen::Index i = 0; i < 5; ++i) {
            W(i, i) = i == 0 ? 1 : 2;
            if (i > 0) W(i, i - 1) = W(i - 1, i) = -1;
        }
        chain.W.assign(W);
        chain.a = Eigen::MatrixXd::Zero(5, 3);
        chain.a(0, 0) = -kGravity;  // only the lowest gap is driven: all bodies fall together
        RowState state = startState(chain, VectorXd::Zero(5), VectorXd::Zero(5));
        RowLog log;
        solveExplicit(chain, state, 1. / 60, {}, log);
        CHECK(log.steps < 2000);
        CHECK(state.s.allFinite());
        CHECK(state.s.minCoeff() > -1e-3);
    }
    SECTION("a mass on its stop, at its equilibrium") {
        const RowNetwork network = alone(ElastoGapLaw({.c = 1e7, .d = 5, .n = 1.5}), 1 / kMass, -kGravity);
        const double depth = std::pow(kMass * kGravity / 1e7, 1 / 1.5);
        RowState state = startState(network, VectorXd::Constant(1, -depth), VectorXd::Zero(1));
        RowLog log;
        solveExplicit(network, state, 1. / 60, {}, log);
        CHECK(state.t == 1. / 60);
        CHECK(state.s[0] == Approx(-depth).epsilon(1e-9));
        CHECK(log.events.empty());
        CHECK(log.steps < 100);
    }
    SECTION("a mass that just reaches its stop") {
        const double v = GENERATE(-1e-3, -1e-6, -1e-9, -1e-12, 0.);
        const RowNetwork network = alone(ElastoGapLaw({.c = 1e7, .d = 5, .n = 1.5}), 1 / kMass, 1.);
        RowState state = startState(network, VectorXd::Zero(1), VectorXd::Constant(1, v));
        RowLog log;
        solveExplicit(network, state, 1. / 60, {}, log);
        CHECK(log.steps < 300);
        CHECK_FALSE(state.phases[0].inContact());
        CHECK(std::abs(state.v[0]) <= 1.01 * std::abs(v) + 1e-9);
    }
}
