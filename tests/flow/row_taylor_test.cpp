#include "row_random_network.h"

#include <catch2/catch.hpp>

#include <Eigen/LU>

#include <cmath>
#include <cstdio>

using namespace elasto;
using namespace elasto::test;
using Row = OracleState::Row;

namespace {

struct Run {
    flow::RowState state;
    flow::RowLog log;
    double energyHandedOut = 0;
};

Run solve(const RowProblem& problem, const FlowSettings& settings = {}) {
    const flow::RowNetwork rows = problem.rows();
    Run run{problem.state(), {}, 0};
    const Eigen::VectorXd v0 = run.state.v;
    const double energy0 = flow::storedEnergy(rows, run.state);
    flow::solveTaylor(rows, run.state, problem.h, settings, run.log);
    run.energyHandedOut = flow::energyHandedOut(rows, v0, energy0, run.state);
    return run;
}

double largestDifference(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    return (a - b).cwiseAbs().maxCoeff();
}

/// Balls of 1 kg in a row along s, each touching the next: element i lies between ball i and ball i + 1.
RowProblem cradle(int balls, double c, double d, double speed, double h) {
    const Eigen::Index m = balls - 1;
    RowProblem problem;
    problem.network.W = Eigen::MatrixXd::Zero(m, m);
    problem.network.a = Eigen::MatrixXd::Zero(m, 3);
    problem.start = OracleState(m);
    problem.h = h;
    for (Eigen::Index i = 0; i < m; ++i) {
        problem.network.laws.push_back(ElastoGapLaw({.c = c, .d = d, .s_rel0 = 0.1}));
        problem.network.W(i, i) = 2;
        if (i > 0) problem.network.W(i, i - 1) = problem.network.W(i - 1, i) = -1;
        problem.start.y(OracleState::kS, i) = 0.1;
    }
    problem.start.y(OracleState::kV, 0) = -speed;
    return problem;
}

}  // namespace

TEST_CASE("Taylor series agree with an independent integrator on random networks", "[slow]") {
    const bool changing = GENERATE(false, true);
    RandomNumbers random(21);
    Errors s, v, z, P, sigma, sigmaT, sigmaTT, heat, balance;
    int tooDear = 0;
    int steps = 0;
    for (int i = 0; i < 800; ++i) {
        const RandomNetwork network = randomNetwork(random, {.mostStiff = 5, .changingLoads = changing});
        const RowProblem& problem = network.problem;
        const double h = problem.h;
        const auto oracle =
            integrate(problem.network, problem.start, h, std::min(h / 20, 0.5 / network.frequency), 1500, 1e-12);
        if (!oracle) {
            ++tooDear;
            continue;
        }
        const Run run = solve(problem);
        REQUIRE(run.state.t == h);
        const auto error = [&](const Eigen::VectorXd& value, Row row) {
            return largestDifference(value, oracle->row(row));
        };
        const double length = network.speed * h;
        const double impulse = network.speed / problem.network.W.diagonal().minCoeff();
        s.add(error(run.state.s, Row::kS) / length);
        v.add(error(run.state.v, Row::kV) / network.speed);
        z.add(error(run.state.z, Row::kZ) / length);
        P.add(error(run.state.P, Row::kP) / impulse);
        sigma.add(error(run.state.sigma, Row::kSigma) / (impulse * h));
        if (changing) sigmaT.add(error(run.state.sigmaT, Row::kSigmaT) / (impulse * h * h));
        if (changing) sigmaTT.add(error(run.state.sigmaTT, Row::kSigmaTT) / (impulse * h * h * h));
        const double energy = network.energy + impulse * network.speed;
        heat.add(error(run.state.heat, Row::kHeat) / energy);
        balance.add(std::abs(run.energyHandedOut + run.state.heat.sum()) / energy);
        REQUIRE(run.state.heat.minCoeff() >= -1e-12 * energy);
        steps += run.log.steps;
    }
    std::printf(
        "Taylor, %s loads: %d too dear for the oracle, %d steps in all\n   s       %s\n   v       %s\n"
        "   P       %s\n   heat    %s\n   balance %s\n",
        changing ? "changing" : "constant", tooDear, steps, s.summary().c_str(), v.summary().c_str(),
        P.summary().c_str(), heat.summary().c_str(), balance.summary().c_str());
    CHECK(tooDear < 40);
    for (Errors* errors : {&s, &v, &z, &P, &sigma, &heat}) {
        CHECK(errors->quantile(0.5) < 1e-10);
        CHECK(errors->quantile(0.99) < 1e-8);
        CHECK(errors->worst() < 1e-6);
    }
    if (changing) CHECK(sigmaT.quantile(0.99) < 1e-6);
    if (changing) CHECK(sigmaTT.quantile(0.99) < 1e-6);
    CHECK(balance.worst() < 1e-8);
}

TEST_CASE("Taylor series agree with the closed form on one element") {
    RandomNumbers random(22);
    Errors s, v, heat;
    for (int i = 0; i < 3000; ++i) {
        const RandomNetwork network = randomNetwork(random, {.mostElements = 1, .mostStiff = 7});
        const RowProblem& problem = network.problem;
        flow::RowState exact = problem.state();
        flow::RowLog log;
        const bool series = problem.rows().laws[0].kind == flow::HybridLaw::Kind::Series;
        (series ? flow::solveSeries : flow::solveClosedForm)(problem.rows(), exact, problem.h, log);
        const Run run = solve(problem);
        REQUIRE(run.state.t == problem.h);
        s.add(std::abs(run.state.s(0) - exact.s(0)) / (network.speed * problem.h));
        v.add(std::abs(run.state.v(0) - exact.v(0)) / network.speed);
        heat.add(std::abs(run.state.heat(0) - exact.heat(0)) / network.energy);
    }
    std::printf("Taylor against closed form\n   s    %s\n   v    %s\n   heat %s\n", s.summary().c_str(),
                v.summary().c_str(), heat.summary().c_str());
    CHECK(v.quantile(0.5) < 1e-10);
    CHECK(v.quantile(0.99) < 1e-7);
    CHECK(v.worst() < 1e-5);
    CHECK(s.worst() < 1e-5);
    CHECK(heat.worst() < 1e-5);
}

TEST_CASE("Taylor series end by themselves in free flight, also under changing loads") {
    RowProblem problem = singleElement(ElastoGapLaw({.c = 1e9, .d = 5}), 5, -9.80665, 0.3, 1, 0.1);
    problem.network.a.row(0) << -9.80665, 3, -7;
    const double h = problem.h;
    const Run run = solve(problem);
    CHECK(run.log.steps == 1);
    CHECK(run.state.s(0) ==
          Approx(0.3 + h - 9.80665 / 2 * h * h + 0.5 * h * h * h - 7.0 / 12 * h * h * h * h).epsilon(1e-15));
    CHECK(run.state.P(0) == 0);

    // Two steps and the impact: the first one ends at the ground exactly.
    problem.h = 0.4;
    const Run impact = solve(problem);
    REQUIRE_FALSE(impact.log.events.empty());
    const double t = impact.log.events[0].time;
    CHECK(0.3 + t - 9.80665 / 2 * t * t + 0.5 * t * t * t - 7.0 / 12 * t * t * t * t == Approx(0).margin(1e-14));
    CHECK(impact.log.events[0].speed == Approx(-(1 - 9.80665 * t + 1.5 * t * t - 7.0 / 3 * t * t * t)));
}

TEST_CASE("Taylor series do not hang where balls touch at rest") {
    const double d = GENERATE(0.0, 20.0);
    const double speed = GENERATE(0.0, 1.0);
    const RowProblem problem = cradle(10, 1e5, d, speed, 1.0 / 60);
    const flow::RowNetwork rows = problem.rows();
    flow::RowState state = problem.state();
    const double mass = 1;
    int steps = 0;
    double heat = 0;
    // Positions and speeds of the balls themselves, from the impulses: 20 ticks.
    Eigen::VectorXd velocity = Eigen::VectorXd::Zero(10);
    velocity(0) = speed;
    for (int tick = 0; tick < 20; ++tick) {
        const Eigen::VectorXd s0 = state.s;
        const Eigen::VectorXd v0 = state.v;
        flow::RowLog log;
        flow::solveTaylor(rows, state, problem.h, {}, log);
        REQUIRE(state.t == problem.h);
        steps += log.steps;
        heat += state.heat.sum();
        for (Eigen::Index i = 0; i < 9; ++i) {
            velocity(i) += state.P(i) / mass;
            velocity(i + 1) -= state.P(i) / mass;
        }
        writeEnd(rows, state, s0, v0);
    }
    std::printf("cradle, d = %g, %g m/s: %d steps in 20 ticks\n", d, speed, steps);
    CHECK(steps < 2000);
    CHECK(velocity.sum() == Approx(speed).margin(1e-13));
    const double energy = 0.5 * velocity.squaredNorm() + flow::storedEnergy(rows, state);
    CHECK(energy + heat == Approx(0.5 * speed * speed).margin(1e-9));
}

namespace {

/// Masses in a row on the ground, some apart from the next and all with a speed of their own: contacts come and go.
struct Clatter {
    static constexpr double kInverse = 3;  ///< of a mass [1/kg]
    OracleNetwork network;
    Eigen::VectorXd s, v;

    Clatter(RandomNumbers& random, Eigen::Index links, double damping) {
        network.W = Eigen::MatrixXd::Zero(links, links);
        network.a = Eigen::MatrixXd::Zero(links, 3);
        network.a(0, 0) = -9.80665;
        s.resize(links);
        v.resize(links);
        double below = 0;
        for (Eigen::Index i = 0; i < links; ++i) {
            network.laws.push_back(ElastoGapLaw({.c = 1e4, .d = damping, .s_rel0 = 0.1}));
            network.W(i, i) = i == 0 ? kInverse : 2 * kInverse;
            if (i > 0) network.W(i, i - 1) = network.W(i - 1, i) = -kInverse;
            const double speed = random.uniform(-1, 1);
            s(i) = 0.1 + random.uniform(-2e-3, 4e-3);
            v(i) = speed - below;
            below = speed;
        }
    }
    flow::RowNetwork rows() const {
        RowProblem problem;
        problem.network = network;
        return problem.rows();
    }
    flow::RowState start() const {
        const flow::RowNetwork rows = this->rows();
        flow::RowState state;
        state.resize(rows.size());
        state.s = s;
        state.v = v;
        for (std::size_t i = 0; i < rows.laws.size(); ++i) {
            const auto e = static_cast<Eigen::Index>(i);
            state.phases[i] = flow::classify(rows.laws[i], s(e), v(e), rows.a(e, 0), 0);
        }
        return state;
    }
};

}  // namespace

TEST_CASE("events of a long chain agree with an independent integrator", "[slow]") {
    constexpr double kTick = 1.0 / 60;
    const double d = GENERATE(0.0, 3.0);
    RandomNumbers random(23);
    Errors s, v, P;
    std::size_t events = 0;
    for (int i = 0; i < 20; ++i) {
        const Clatter clatter(random, OracleState::kMostElements, d);
        OracleState start(OracleState::kMostElements);
        start.y.row(Row::kS) = clatter.s.transpose();
        start.y.row(Row::kV) = clatter.v.transpose();
        const auto oracle = integrate(clatter.network, start, kTick, kTick / 20, 5000, 1e-12);
        REQUIRE(oracle);
        flow::RowState state = clatter.start();
        flow::RowLog log;
        flow::solveTaylor(clatter.rows(), state, kTick, {}, log);
        events += log.events.size();
        s.add(largestDifference(state.s, oracle->row(Row::kS)) / kTick);
        v.add(largestDifference(state.v, oracle->row(Row::kV)));
        P.add(Clatter::kInverse * largestDifference(state.P, oracle->row(Row::kP)));
    }
    std::printf("chain of 16, d = %g: %zu events in 20 ticks\n   s %s\n   v %s\n   P %s\n", d, events,
                s.summary().c_str(), v.summary().c_str(), P.summary().c_str());
    CHECK(events > 100);
    for (Errors* errors : {&s, &v, &P}) {
        CHECK(errors->quantile(0.5) < 1e-8);
        CHECK(errors->worst() < 1e-6);
    }
}

TEST_CASE("what an event does is followed as far as it is felt") {
    // Far from an event series go on as they are; the impulses must still be those of the speeds.
    constexpr double kTick = 1.0 / 60;
    const int links = GENERATE(10, 100, 1000);
    const double d = GENERATE(0.0, 3.0);
    RandomNumbers random(24);
    const Clatter clatter(random, links, d);
    const flow::RowNetwork rows = clatter.rows();
    const flow::RowState start = clatter.start();
    flow::RowState state = start;
    flow::RowLog log;
    flow::solveTaylor(rows, state, kTick, {}, log);
    REQUIRE(state.t == kTick);
    const Eigen::VectorXd gained = kTick * rows.a.col(0);
    const double inconsistent = largestDifference(state.v, start.v + gained - rows.W.times(state.P));
    const double energy0 = flow::storedEnergy(rows, start);
    const double balance = flow::energyHandedOut(rows, start.v, energy0, state) + state.heat.sum();
    FlowSettings settings;
    settings.tolerance = 1e-13;
    flow::RowState exact = start;
    flow::RowLog exactLog;
    flow::solveTaylor(rows, exact, kTick, settings, exactLog);
    const double error = largestDifference(state.v, exact.v);
    std::printf("chain of %d, d = %g: %zu events, %d steps, inconsistent by %.1e m/s, error %.1e m/s, balance %.1e J\n",
                links, d, log.events.size(), log.steps, inconsistent, error, balance);
    CHECK(log.events.size() > static_cast<std::size_t>(links) / 2);
    CHECK(log.steps < 40);  // of the whole chain: an event costs the same in a long one as in a short one
    CHECK(inconsistent < 1e-9);
    CHECK(error < 1e-8);
    CHECK(std::abs(balance) < 1e-9 * links);
}

TEST_CASE("an undamped stack never gains energy") {
    const double c = GENERATE(1e5, 1e9);
    // Three blocks of 1 kg, 5 cm above the ground; element i carries block i.
    RowProblem problem = cradle(4, c, 0, 0, 1.0 / 60);
    problem.network.W(0, 0) = 1;
    problem.network.a(0, 0) = -9.80665;
    problem.start.y(Row::kS, 0) = 0.15;
    const flow::RowNetwork rows = problem.rows();
    const Eigen::MatrixXd M = rows.W.dense().inverse();
    const auto energy = [&](const flow::RowState& state) {
        const Eigen::VectorXd weight = M * rows.a.col(0);
        return 0.5 * state.v.dot(M * state.v) - weight.dot(state.s) + flow::storedEnergy(rows, state);
    };
    flow::RowState state = problem.state();
    const double start = energy(state);
    const double impact = 3 * 9.80665 * 0.05;
    double rise = 0;
    double largestHeight = 0;
    for (int tick = 0; tick < 600; ++tick) {
        const Eigen::VectorXd s0 = state.s;
        const Eigen::VectorXd v0 = state.v;
        const double energy0 = flow::storedEnergy(rows, state);
        flow::RowLog log;
        flow::solveTaylor(rows, state, problem.h, {}, log);
        REQUIRE(state.t == problem.h);
        flow::repairEnergy(rows, v0, energy0, state);
        writeEnd(rows, state, s0, v0);
        rise = std::max(rise, (energy(state) - start) / impact);
        if (tick > 500) largestHeight = std::max(largestHeight, state.s(0));
    }
    std::printf("undamped stack, c = %g: energy rises by %.1e of the impact's\n", c, rise);
    CHECK(rise < 1e-9);
    CHECK(energy(state) - start > -1e-4 * impact);  // and loses little
    CHECK(largestHeight > 0.11);
}

TEST_CASE("Taylor series hand nonlinear elements over at first contact") {
    RowProblem problem = cradle(3, 1e5, 20, 0, 1.0 / 60);
    problem.network.laws[0] = ElastoGapLaw({.c = 1e5, .d = 20, .s_rel0 = 0.1, .n = 1.5});
    problem.start.y(OracleState::kS, 0) = 0.105;
    problem.start.y(OracleState::kV, 0) = -1;
    const Run run = solve(problem);
    CHECK(run.state.t == Approx(0.005));
    CHECK(run.state.phases[0] == flow::Phase{flow::Mode::Clipped, -1});
    CHECK(run.state.s(0) == 0.1);
    REQUIRE(run.log.events.size() == 1);
    CHECK(run.log.events[0].element == 0);
    CHECK(run.log.events[0].speed == Approx(1));

    problem.network.laws[0] =
        ElastoGapLaw({.c = 1e5, .d = 20, .s_rel0 = 0.1, .characteristic = GapCharacteristic::LankaraniNikravesh});
    CHECK(solve(problem).state.phases[0] == flow::Phase{flow::Mode::Linear, -1});
}

TEST_CASE("Taylor series stop at the budget") {
    const RowProblem problem = singleElement(SpringDamperLaw({.c = 1e9, .d = 0}), 10, 0, 0.1, 1, 1.0 / 60);
    FlowSettings settings;
    settings.maxSteps = 7;
    const Run run = solve(problem, settings);
    CHECK(run.log.steps == 7);
    CHECK(run.state.t > 0);
    CHECK(run.state.t < problem.h);
}

TEST_CASE("Taylor series follow a damper in series between given motions") {
    // Bodies that nothing can accelerate: only the force has dynamics. f' = c v - (c/d) f at constant v.
    const double c = 1e4;
    const double d = 10;
    const double h = 0.02;
    const RowProblem problem = singleElement(SpringDamperSeriesLaw({.c = c, .d = d}), 0, 0, 0, 1, h);
    const Run run = solve(problem);
    const double decay = std::exp(-c / d * h);
    CHECK(run.state.P(0) == Approx(d * (h - d / c * (1 - decay))).epsilon(1e-9));
    CHECK(run.state.z(0) == Approx(h - d / c * (1 - decay)).epsilon(1e-9));
    const double stored = 0.5 * d * d / c * (1 - decay) * (1 - decay);
    CHECK(run.state.heat(0) == Approx(run.state.P(0) - stored).epsilon(1e-8));
}
