// Networks in element coordinates by RODAS4: strongly damped reference cases, linear algebra, singular networks.

#include "numerics/rodas4.h"
#include "numerics/hybrid_integrator.h"
#include "row_driver.h"
#include "row_random_network.h"
#include "straight/row_system.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <iostream>
#include <map>

using namespace elasto;
using namespace elasto::flow;
using namespace elasto::test;
using Eigen::VectorXd;

namespace {

const std::string kReferences = ELASTO_TEST_DATA "/references/";

/// Spool between two spring plates; ends of an element are body indices (-1: housing) with offsets on them.
struct PreLoad {
    struct End {
        int body;
        double offset;
    };
    struct Element {
        const char* name;
        End a, b;
        Law law;
    };
    static constexpr const char* kBodies[3] = {"spool", "springPlateA", "springPlateB"};
    const Eigen::Vector3d inverseMass{1 / 0.15, 1 / 0.01, 1 / 0.01};
    const std::vector<Element> elements{
        {"outerContactA", {-1, -0.0955}, {1, -0.001}, contact(0.0015)},
        {"outerContactB", {2, 0.001}, {-1, -0.065}, contact(0.0015)},
        {"innerContactA", {0, -0.10075}, {1, 0.008}, contact(0.001)},
        {"innerContactB", {2, -0.008}, {0, -0.08925}, contact(0.001)},
        {"spring", {1, 0.001}, {2, -0.001}, SpringDamperLaw({.c = 20000, .d = 0, .s_rel0 = 0.025})},
        {"friction", {-1, -0.0955}, {0, -0.10075}, SpringDamperLaw({.c = 0, .d = 2500})},
    };
    Eigen::Vector3d s{0.01475, -0.093, -0.06925};
    Eigen::Vector3d v = Eigen::Vector3d::Zero();
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, 3);
    RowNetwork network;
    RowState state;
    VectorXd meanForce = VectorXd::Zero(6);
    int steps = 0;

    PreLoad() {
        for (Eigen::Index i = 0; i < 6; ++i) {
            const Element& element = elements[static_cast<std::size_t>(i)];
            if (element.a.body >= 0) J(i, element.a.body) -= 1;
            if (element.b.body >= 0) J(i, element.b.body) += 1;
            network.laws.push_back(HybridLaw::from(element.law));
        }
        network.W.assign(J * inverseMass.asDiagonal() * J.transpose());
        network.a = Eigen::MatrixXd::Zero(6, 3);
        state = startState(network, measured(), J * v);
    }
    static Law contact(double s_rel0) { return ElastoGapLaw({.c = 1e6, .d = 250, .s_rel0 = s_rel0}); }

    VectorXd measured() const {
        VectorXd lengths(6);
        const auto place = [this](const End& end) { return (end.body < 0 ? 0 : s[end.body]) + end.offset; };
        for (Eigen::Index i = 0; i < 6; ++i) {
            const Element& element = elements[static_cast<std::size_t>(i)];
            lengths[i] = place(element.b) - place(element.a);
        }
        return lengths;
    }

    void tick(double t, double h, const FlowSettings& settings) {
        const auto load = [](double time) { return 150 * std::sin(2 * M_PI * 0.01 * time); };
        const Eigen::RowVector3d q = parabola(load, t, h) * inverseMass[0];
        network.a = J.col(0) * q;
        beginTick(state);
        state.s = measured();
        state.v = J * v;
        RowLog log;
        solveRodas4(network, state, h, settings, log);
        REQUIRE(state.t == h);
        steps += log.steps;
        meanForce = state.P / h;
        const Eigen::Vector3d drive(1, 0, 0);
        s += h * v + drive * (h * h * (q[0] / 2 + h * (q[1] / 6 + h / 12 * q[2])));
        s -= inverseMass.cwiseProduct(J.transpose() * state.sigma);
        v += drive * (h * (q[0] + h * (q[1] / 2 + h / 3 * q[2])));
        v -= inverseMass.cwiseProduct(J.transpose() * state.P);
    }
};

}  // namespace

TEST_CASE("PreLoad: spool between spring plates, h d W = 416 at 60 Hz", "[flow][rodas4][slow]") {
    const double rate = GENERATE(60., 240., 1000.);
    const double duration = rate < 1000 ? 100 : 20;
    const double h = 1 / rate;
    const long ticks = std::lround(duration * rate);
    const Table table(kReferences + "preload.csv");
    std::map<long, std::size_t> rowAt;  // rows that lie on a tick; between rows the first transients cannot be seen
    for (std::size_t r = 0; r < table.rows().size(); ++r) {
        const double k = table.rows()[r][0] * rate;
        if (std::abs(k - std::round(k)) < 1e-6) rowAt[std::lround(k)] = r;
    }

    PreLoad model;
    PreLoad tight;
    FlowSettings tightSettings;
    tightSettings.tolerance = 1e-11;
    tightSettings.maxSteps = 100000;
    std::array<Deviation, 3> s, v;
    std::array<Deviation, 6> meanForce;
    for (long k = 1; k <= ticks; ++k) {
        const double t = static_cast<double>(k - 1) * h;
        model.tick(t, h, {});
        tight.tick(t, h, tightSettings);
        for (std::size_t i = 0; i < 6; ++i) {
            const auto e = static_cast<Eigen::Index>(i);
            meanForce[i].add(model.meanForce[e], tight.meanForce[e]);
        }
        if (const auto row = rowAt.find(k); row != rowAt.end()) {
            const std::vector<double>& values = table.rows()[row->second];
            for (std::size_t b = 0; b < 3; ++b) {
                const auto i = static_cast<Eigen::Index>(b);
                const std::string own = std::string("own.") + PreLoad::kBodies[b];
                s[b].add(model.s[i], values[table.column(own + ".s")]);
                v[b].add(model.v[i], values[table.column(own + ".v")]);
            }
        }
    }
    REQUIRE(s[0].count() >= 190);
    const double worstS = std::max({s[0].nrmse(), s[1].nrmse(), s[2].nrmse()});
    const double worstV = std::max({v[0].nrmse(), v[1].nrmse(), v[2].nrmse()});
    double worstForce = 0;
    for (const Deviation& deviation : meanForce) worstForce = std::max(worstForce, deviation.nrmse());
    const double stepsPerTick = static_cast<double>(model.steps) / static_cast<double>(ticks);
    std::cout << "preload " << rate << " Hz: positions " << worstS << ", velocities " << worstV << ", mean forces "
              << worstForce << ", steps per tick " << stepsPerTick << "\n";
    CHECK(worstS < 1e-6);
    CHECK(worstV < 1e-5);
    CHECK(worstForce < 1e-5);
    CHECK(stepsPerTick < 1.2);
}

TEST_CASE("armature between stoppers: c = 1e11, d = 2e7, n = 2", "[flow][rodas4]") {
    const double rate = GENERATE(60., 240., 1000.);
    const double h = 1 / rate;
    const Table table(kReferences + "armature_stopper.csv");
    const std::size_t sColumn = table.column("armature.s"), vColumn = table.column("armature.v");

    RowNetwork network;  // xMin: housing -> armature, xMax: armature -> housing
    network.laws.assign(2, HybridLaw::from(ElastoGapLaw({.c = 1e11, .d = 2e7, .n = 2})));
    network.W.assign(Eigen::Matrix2d{{10, -10}, {-10, 10}});
    network.a = Eigen::MatrixXd::Zero(2, 3);
    RowState state = startState(network, Eigen::Vector2d(0.005, 0.005), Eigen::Vector2d::Zero());

    const auto load = [](double t) { return 40 * std::sin(2 * M_PI * 10 * t); };
    Deviation s;
    double heat = 0, handedOut = 0;
    int steps = 0, events = 0;
    const long ticks = std::lround(0.3 * rate);
    for (long k = 0; k < ticks; ++k) {
        const double t = static_cast<double>(k) * h;
        const Eigen::RowVector3d a = 10 * parabola(load, t, h);
        network.a.row(0) = a;
        network.a.row(1) = -a;
        beginTick(state);
        const VectorXd v0 = state.v;
        const double energy0 = storedEnergy(network, state);
        RowLog log;
        solveRodas4(network, state, h, {}, log);
        REQUIRE(state.t == h);
        handedOut += energyHandedOut(network, v0, energy0, state);
        heat += state.heat.sum();
        steps += log.steps;
        events += static_cast<int>(log.events.size());
        s.add(state.s[0], table.at(t + h, sColumn, vColumn));
        CHECK(state.s.sum() == Approx(0.01).epsilon(1e-9));
    }
    const double stepsPerTick = static_cast<double>(steps) / static_cast<double>(ticks);
    std::cout << "armature_stopper " << rate << " Hz: position " << s.nrmse() << ", heat " << heat << " J, handed out "
              << handedOut << " J, steps per tick " << stepsPerTick << "\n";
    CHECK(s.nrmse() < 1e-4);
    CHECK(heat == Approx(-handedOut).epsilon(1e-4));
    // The reference's heat is good to 3e-4; at 60 Hz the parabola is not quite the sine.
    CHECK(heat == Approx(0.6165374 + 0.58490346).epsilon(rate < 100 ? 2e-2 : 5e-4));
    CHECK(events == 11);  // six contacts begin, the last does not end
}

namespace {

std::vector<Law> allLaws() {
    using Gap = GapCharacteristic;
    using Play = BacklashCharacteristic;
    std::vector<Law> laws;
    for (const double n : {1., 1.5, 2.7}) {
        for (const Gap gap : {Gap::BoundedDamper, Gap::Linear, Gap::NoPull, Gap::LankaraniNikravesh}) {
            laws.emplace_back(ElastoGapLaw({.c = 3e5, .d = 40, .n = n, .s_ref = 0.01, .characteristic = gap}));
        }
    }
    laws.emplace_back(ElastoBacklashLaw({.c = 1e4, .d = 30, .b = 0.01, .characteristic = Play::BoundedDamper}));
    laws.emplace_back(SpringDamperLaw({.c = 1e4, .d = 100}));
    laws.emplace_back(SpringDamperSeriesLaw({.c = 1e4, .d = 100}));
    laws.emplace_back(SpringDamperSeriesLaw({.c = 1e4, .d = 0}));
    return laws;
}

/// All laws at once on two bodies, so that W has rank 2; states on both sides of the boundaries.
struct Everything {
    RowNetwork network;
    RowState state;
    explicit Everything(unsigned seed) {
        RandomNumbers random(seed);
        for (const Law& law : allLaws()) network.laws.push_back(HybridLaw::from(law));
        const auto m = network.size();
        Eigen::MatrixXd J(m, 2);
        for (Eigen::Index i = 0; i < m; ++i) J.row(i) << random.uniform(-1, 1), random.uniform(-1, 1);
        network.W.assign(J * Eigen::Vector2d(5, 0.3).asDiagonal() * J.transpose());
        network.a = J * Eigen::MatrixXd::Random(2, 3);
        VectorXd s(m), v(m);
        for (Eigen::Index i = 0; i < m; ++i) {
            s[i] = random.uniform(-0.01, 0.004);
            v[i] = random.uniform(-10, 10);
        }
        state = startState(network, s, v);
        state.z.setConstant(-0.002);
        state.P.setRandom();
        state.t = 0.003;
    }
};

}  // namespace

TEST_CASE("the network's linear equations are solved as its derivatives demand", "[flow][rodas4]") {
    const unsigned seed = GENERATE(range(1u, 9u));
    const double g = GENERATE(1e-2, 1e3, 1e8);
    Everything everything(seed);
    RowLog log;
    RowSystem system(everything.network, everything.state, 0.01, {}, 1e-3, log);
    const VectorXd y = system.start();
    const double t = 0.003;
    const Eigen::Index n = system.size();

    // Central differences: f is smooth within a phase.
    Eigen::MatrixXd jacobian(n, n);
    VectorXd plus(n), minus(n), moved = y;
    for (Eigen::Index i = 0; i < n; ++i) {
        const double step = 1e-6 * std::max(std::abs(y[i]), 1e-3);
        moved[i] = y[i] + step;
        system.derivative(t, moved, plus);
        moved[i] = y[i] - step;
        system.derivative(t, moved, minus);
        moved[i] = y[i];
        jacobian.col(i) = (plus - minus) / (2 * step);
    }
    system.linearise(t, y);
    REQUIRE(system.factor(g));
    for (int k = 0; k < 5; ++k) {
        const VectorXd right = VectorXd::Random(n);
        VectorXd x = right;
        system.solve(x);
        const VectorXd residual = g * x - jacobian * x - right;
        const VectorXd scale = right.cwiseAbs() + g * x.cwiseAbs() + jacobian.cwiseAbs() * x.cwiseAbs();
        CHECK((residual.array() / scale.array()).abs().maxCoeff() < 1e-7);
    }
    VectorXd byTime(n);
    system.timeDerivative(byTime);
    system.derivative(t + 1e-6, y, plus);
    system.derivative(t - 1e-6, y, minus);
    const double rounding = 1e-15 * plus.cwiseAbs().maxCoeff() / 1e-6;
    CHECK((byTime - (plus - minus) / 2e-6).cwiseAbs().maxCoeff() < 1e-6 + rounding);
}

TEST_CASE("the parts of a tick's quadratures fit together", "[flow][rodas4]") {
    // v = v0 + A - W P, s = s0 + v0 h + int A - W sigma, also where W is singular.
    Everything everything(GENERATE(1u, 2u, 3u));
    const RowNetwork& network = everything.network;
    RowState& state = everything.state;
    state.t = 0;
    state.P.setZero();
    const RowState start = state;
    const double h = 0.01;
    RowLog log;
    solveRodas4(network, state, h, {}, log);
    REQUIRE(state.t == h);
    const VectorXd gain = h * (network.a.col(0) + h / 2 * network.a.col(1) + h * h / 3 * network.a.col(2));
    const VectorXd way = h * h * (network.a.col(0) / 2 + h / 6 * network.a.col(1) + h * h / 12 * network.a.col(2));
    const VectorXd v = start.v + gain - network.W.times(state.P);
    const VectorXd s = start.s + h * start.v + way - network.W.times(state.sigma);
    CHECK((state.v - v).cwiseAbs().maxCoeff() < 1e-11 * start.v.cwiseAbs().maxCoeff());
    CHECK((state.s - s).cwiseAbs().maxCoeff() < 1e-9 * h * start.v.cwiseAbs().maxCoeff());
    // The heat of every element against the energy of all of them, which knows nothing of dampers.
    const double handedOut = energyHandedOut(network, start.v, storedEnergy(network, start), state);
    CHECK(state.heat.sum() == Approx(-handedOut).epsilon(1e-5));
    CHECK(state.heat.minCoeff() > -1e-9);
}

TEST_CASE("RODAS4 agrees with an independent integrator on random networks", "[flow][rodas4][slow]") {
    RandomNumbers random(5);
    using Row = OracleState::Row;
    FlowSettings settings;
    settings.maxSteps = 20000;  // undamped ringing is not what RODAS4 is for
    test::Errors s, v, P, sigma, sigmaT, sigmaTT, heat;
    int steps = 0;
    for (int i = 0; i < 150; ++i) {
        const RandomNetwork network = randomNetwork(random, {.mostDamped = 100, .changingLoads = true});
        const RowProblem& problem = network.problem;
        const double h = problem.h;
        const double longest = std::min(h / 200, 0.5 / network.frequency);
        const auto oracle = integrate(problem.network, problem.start, h, longest, 1500, 1e-12);
        if (!oracle) continue;  // too dear for it
        RowState state = problem.state();
        RowLog log;
        solveRodas4(problem.rows(), state, h, settings, log);
        REQUIRE(state.t == h);
        steps += log.steps;
        const auto error = [&](const VectorXd& value, Row row) {
            return (value - oracle->row(row)).cwiseAbs().maxCoeff();
        };
        const double impulse = network.speed / problem.network.W.diagonal().minCoeff();
        s.add(error(state.s, Row::kS) / (network.speed * h));
        v.add(error(state.v, Row::kV) / network.speed);
        P.add(error(state.P, Row::kP) / impulse);
        sigma.add(error(state.sigma, Row::kSigma) / (impulse * h));
        sigmaT.add(error(state.sigmaT, Row::kSigmaT) / (impulse * h * h));
        sigmaTT.add(error(state.sigmaTT, Row::kSigmaTT) / (impulse * h * h * h));
        heat.add(error(state.heat, Row::kHeat) / network.energy);
    }
    std::cout << "RODAS4, random networks: " << steps / static_cast<double>(s.count()) << " steps\n  s " << s.summary()
              << "\n  v " << v.summary() << "\n  P " << P.summary() << "\n  sigma " << sigma.summary() << "\n  sigmaT "
              << sigmaT.summary() << "\n  sigmaTT " << sigmaTT.summary() << "\n  heat " << heat.summary() << "\n";
    CHECK(s.count() > 80);
    for (test::Errors* errors : {&s, &v, &P, &sigma, &sigmaT, &sigmaTT, &heat}) {
        CHECK(errors->quantile(0.5) < 2e-8);
        CHECK(errors->quantile(0.9) < 1e-6);
        CHECK(errors->worst() < 1e-4);
    }
}

TEST_CASE("networks without inverse", "[flow][rodas4]") {
    SECTION("three equal springs in one place share the force") {
        RowNetwork one = alone(SpringDamperLaw({.c = 3e6, .d = 3e3}), 2, -9.80665);
        RowNetwork three = one;
        three.laws.assign(3, HybridLaw::from(SpringDamperLaw({.c = 1e6, .d = 1e3})));
        three.W.assign(Eigen::MatrixXd::Constant(3, 3, 2));
        three.a = Eigen::MatrixXd::Zero(3, 3);
        three.a.col(0).setConstant(-9.80665);
        RowState a = startState(one, VectorXd::Zero(1), VectorXd::Constant(1, -1));
        RowState b = startState(three, VectorXd::Zero(3), VectorXd::Constant(3, -1));
        RowLog log;
        solveRodas4(one, a, 1. / 60, {}, log);
        solveRodas4(three, b, 1. / 60, {}, log);
        for (Eigen::Index i = 0; i < 3; ++i) {
            CHECK(b.s[i] == Approx(a.s[0]).epsilon(1e-9));
            CHECK(3 * b.P[i] == Approx(a.P[0]).epsilon(1e-9));
            CHECK(3 * b.heat[i] == Approx(a.heat[0]).epsilon(1e-6));
        }
    }
    SECTION("an element whose ends cannot move") {
        const RowNetwork network = alone(SpringDamperLaw({.c = 1e6, .d = 0, .s_rel0 = 0.1}), 0, 0);
        RowState state = startState(network, VectorXd::Constant(1, 0.2), VectorXd::Zero(1));
        RowLog log;
        solveRodas4(network, state, 0.01, {}, log);
        CHECK(state.t == 0.01);
        CHECK(state.P[0] == Approx(1e3));
        CHECK(state.s[0] == 0.2);
    }
}

TEST_CASE("resting and touching contacts do not hold RODAS4", "[flow][rodas4]") {
    const double n = GENERATE(1., 1.5, 2.);
    const GapCharacteristic characteristic = GENERATE(GapCharacteristic::BoundedDamper, GapCharacteristic::Linear,
                                                      GapCharacteristic::NoPull, GapCharacteristic::LankaraniNikravesh);
    const ElastoGapLaw law({.c = 1e7, .d = 1e4, .n = n, .characteristic = characteristic});
    SECTION("a chain of five touching at rest, without gravity") {
        RowNetwork chain;
        chain.laws.assign(5, HybridLaw::from(law));
        Eigen::MatrixXd W = Eigen::MatrixXd::Zero(5, 5);
        for (Eigen::Index i = 0; i < 5; ++i) {
            W(i, i) = i == 0 ? 1 : 2;
            if (i > 0) W(i, i - 1) = W(i - 1, i) = -1;
        }
        chain.W.assign(W);
        chain.a = Eigen::MatrixXd::Zero(5, 3);
        RowState state = startState(chain, VectorXd::Zero(5), VectorXd::Zero(5));
        RowLog log;
        solveRodas4(chain, state, 1. / 60, {}, log);
        CHECK(state.t == 1. / 60);
        CHECK(log.steps < 100);
        CHECK(state.s.isZero(1e-12));
        // The same, with the last one moving in.
        state = startState(chain, VectorXd::Zero(5), Eigen::VectorXd::Unit(5, 4) * -0.1);
        RowLog impact;
        solveRodas4(chain, state, 1. / 60, {}, impact);
        CHECK(state.t == 1. / 60);
        CHECK(impact.steps < 1500);
    }
    SECTION("a mass put down, until it rests") {
        const RowNetwork network = alone(law, 5, -9.80665);
        RowState state = startState(network, VectorXd::Zero(1), VectorXd::Zero(1));
        int steps = 0;
        for (int k = 0; k < 120; ++k) {
            beginTick(state);
            RowLog log;
            solveRodas4(network, state, 1. / 60, {}, log);
            REQUIRE(state.t == 1. / 60);
            steps += log.steps;
        }
        // Lankarani and Nikravesh's damper vanishes with the penetration: it goes on ringing.
        if (characteristic != GapCharacteristic::LankaraniNikravesh) {
            CHECK(std::abs(state.v[0]) < 1e-3);
            CHECK(state.P[0] * 60 == Approx(-0.2 * 9.80665).epsilon(0.02));
            CHECK(steps < 120 * 20);
        }
    }
}
