// One tick of random elements and networks against CVODE, over the whole range of parameters that users may give.

#include <elasto/flow.h>
#include <elasto/reference/reference.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace elasto;
using Eigen::Vector3d;

namespace {

class Random {
public:
    explicit Random(unsigned seed) : m_engine(seed) {}
    double uniform(double low, double high) { return low + (high - low) * unit(); }
    double decade(double low, double high) { return low * std::pow(high / low, unit()); }
    int below(int n) { return static_cast<int>(unit() * n); }
    bool chance(double p) { return unit() < p; }

private:
    // Not std::uniform_real_distribution: its numbers differ between libraries.
    double unit() { return static_cast<double>(m_engine() >> 5) / 134217728.; }
    std::mt19937 m_engine;
};

struct Case {
    std::string kind;
    FlowNetwork network;
    double h = 0;
};

// c up to 1e9, but at most 500 rad in the tick: beyond that it is CVODE that takes minutes.
Law randomLaw(Random& random, double m, double h, std::string& kind) {
    const double c = random.chance(0.03) ? 0 : random.decade(1, std::min(1e9, m * std::pow(500 / h, 2)));
    const double critical = 2 * std::sqrt(c * m);
    const double d = random.chance(0.25)  ? 0
                     : random.chance(0.1) ? critical * (1 + random.uniform(-1e-7, 1e-7))
                                          : random.decade(1e-2, 1e5);
    switch (random.below(6)) {
        case 0: {
            kind = "spring-damper";
            const double s_rel0 = random.uniform(-0.1, 0.1);
            // No numbers of its own, so that the other samples stay as they are.
            if (std::fmod(std::floor(1e6 * std::abs(s_rel0)), 2) == 0) {
                kind = "bushing";
                return BushingLaw({.c = c / 4, .d = d, .c_slip = 3 * c / 4, .f_slip = c * 0.02, .s_rel0 = s_rel0});
            }
            return SpringDamperLaw({.c = c, .d = d, .s_rel0 = s_rel0});
        }
        case 1: {
            kind = "series";
            return SpringDamperSeriesLaw({.c = c, .d = d, .s_unstretched = random.uniform(0, 0.1)});
        }
        case 2: {
            kind = "backlash";
            const std::array all = {BacklashCharacteristic::BoundedDamper, BacklashCharacteristic::NoPull,
                                    BacklashCharacteristic::Linear};
            return ElastoBacklashLaw({.c = std::max(c, 1.),
                                      .d = d,
                                      .b = random.decade(1e-4, 0.1),
                                      .phi_rel0 = 0,
                                      .characteristic = all[static_cast<std::size_t>(random.below(3))]});
        }
        case 3:
            kind = "gap, n > 1";
            return ElastoGapLaw({.c = c, .d = d, .n = random.chance(0.7) ? 1.5 : random.uniform(1.1, 3)});
        default: {
            kind = "gap, n = 1";
            const std::array all = {GapCharacteristic::BoundedDamper, GapCharacteristic::BoundedDamper,
                                    GapCharacteristic::NoPull, GapCharacteristic::Linear};
            return ElastoGapLaw({.c = c, .d = d, .characteristic = all[static_cast<std::size_t>(random.below(4))]});
        }
    }
}

// One mass on one element along x: approaching, grazing, resting under a load, or deep in contact.
Case single(Random& random) {
    Case result;
    const double m = random.decade(1e-3, 1e3);
    result.h = random.decade(1e-3, 1. / 30);
    FlowBody body = FlowBody::rigid(m, Vector3d::Constant(m));
    FlowElement element{randomLaw(random, m, result.h, result.kind)};
    element.b = 0;
    const double load = random.chance(0.3) ? 0 : random.uniform(-20, 20) * m;
    body.force.constant.x() = load;
    const double reach = random.uniform(0, 1) * result.h;
    const double v = random.decade(1e-2, 10) * (random.chance(0.8) ? -1 : 1);
    body.position.x() = -v * reach;
    body.velocity.x() = v;
    const double c = reduced(element.law).c;
    if (random.chance(0.15) && c > 0 && load < 0) {
        body.position.x() = load / c;  // at rest, pressed (exactly so for n = 1)
        body.velocity.x() = 0;
        result.kind += ", resting";
    } else if (random.chance(0.1)) {
        body.position.x() = 0.5 * load / m * 1e-4 - 1e-2 * v;  // turns round near the edge
        result.kind += ", near the edge";
    }
    element.s_damper = result.kind.rfind("series", 0) == 0 ? random.uniform(-0.05, 0.05) : 0;
    result.network.bodies.push_back(body);
    result.network.elements.push_back(element);
    return result;
}

// Two to four masses in a row with elements between them, milder so that the oracle is not chaotic.
Case chain(Random& random) {
    Case result;
    result.kind = "network";
    result.h = random.decade(1e-3, 1. / 30);
    const int n = 2 + random.below(3);
    for (int i = 0; i < n; ++i) {
        FlowBody body = FlowBody::rigid(random.decade(1e-2, 10), Vector3d::Ones());
        body.position.x() = 0.1 * i;
        body.velocity.x() = random.uniform(-2, 2);
        body.force.constant.x() = random.uniform(-10, 10) / body.inverseMass;
        body.force.linear.x() = random.chance(0.5) ? random.uniform(-100, 100) / body.inverseMass : 0;
        result.network.bodies.push_back(body);
    }
    for (int i = 0; i + 1 < n + 1; ++i) {
        const double c = random.decade(1e2, 1e7);
        const double m = 1 / result.network.bodies[static_cast<std::size_t>(std::min(i, n - 1))].inverseMass;
        const double d = 2 * std::sqrt(c * m) * (random.chance(0.2) ? 0 : random.decade(1e-3, 5));
        const double s0 = 0.1 + random.uniform(-0.01, 0.002);
        FlowElement element{SpringDamperLaw({.c = c, .d = d, .s_rel0 = s0})};
        if (random.chance(0.6)) {
            element.law = ElastoGapLaw({.c = c, .d = d, .s_rel0 = s0});
        } else if (random.chance(0.4)) {
            element.law = SpringDamperSeriesLaw({.c = c, .d = d, .s_unstretched = s0});
        }
        element.a = i - 1;
        element.b = i;
        element.pointA.x() = i == 0 ? -0.1 : 0;
        result.network.elements.push_back(element);
    }
    return result;
}

struct Errors {
    std::vector<double> values;
    int overBudget = 0;
    double gain = 0;  // energy handed out, relative to the energy in play
    double quantile(double q) {
        std::sort(values.begin(), values.end());
        return values.empty() ? 0 : values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
    }
};

void compare(const Case& sample, Errors& errors) {
    const TickResult tick = solveTick(sample.network, sample.h);
    double speed = 1e-3;
    double energy = 1e-12;
    for (std::size_t i = 0; i < sample.network.bodies.size(); ++i) {
        const FlowBody& body = sample.network.bodies[i];
        speed = std::max({speed, body.velocity.norm(), body.inverseMass * body.force.constant.norm() * sample.h,
                          tick.bodies[i].velocity.norm()});
        energy += 0.5 * body.velocity.squaredNorm() / body.inverseMass;
    }
    for (const ElementTick& element : tick.elements) {
        energy += element.storedEnergy;
    }
    errors.gain = std::max(errors.gain, tick.energyHandedOut - tick.energyRepaired > 0
                                            ? (tick.energyHandedOut - tick.energyRepaired) / energy
                                            : 0.);
    if (tick.overBudget) {
        ++errors.overBudget;
        return;
    }
    ReferenceProblem problem;
    problem.network = sample.network;
    const std::array times = {0., sample.h};
    ReferenceOptions options;
    options.maxSteps = 300'000;
    const ReferenceSolution oracle = solveReference(problem, times, options);
    double worst = 0;
    for (std::size_t i = 0; i < tick.bodies.size(); ++i) {
        const BodyState& expected = oracle.states[1].bodies[i];
        worst = std::max(worst, (tick.bodies[i].velocity - expected.velocity).norm() / speed);
        worst = std::max(worst, (tick.bodies[i].position - expected.position).norm() / (speed * sample.h));
    }
    errors.values.push_back(worst);
}

void report(const char* what, Errors& errors) {
    std::printf("%-28s %6zu ticks  median %.1e  99 %% %.1e  99.9 %% %.1e  worst %.1e  over budget %d\n", what,
                errors.values.size(), errors.quantile(0.5), errors.quantile(0.99), errors.quantile(0.999),
                errors.quantile(1), errors.overBudget);
}

}  // namespace

TEST_CASE("one tick of a random element is CVODE's, over the whole grid of parameters", "[flow][grid][slow]") {
    Random random(20240917);
    std::map<std::string, Errors> byKind;
    for (int i = 0; i < 2000; ++i) {
        const Case sample = single(random);
        compare(sample, byKind[sample.kind]);
    }
    Errors all;
    for (auto& [kind, errors] : byKind) {
        report(kind.c_str(), errors);
        all.values.insert(all.values.end(), errors.values.begin(), errors.values.end());
        all.overBudget += errors.overBudget;
        all.gain = std::max(all.gain, errors.gain);
    }
    report("all", all);
    CHECK(all.quantile(0.5) < 1e-9);
    CHECK(all.quantile(0.99) < 1e-6);
    CHECK(all.quantile(0.999) < 1e-4);
    CHECK(all.overBudget < 20);
    CHECK(all.gain < 1e-12);
}

TEST_CASE("one tick of a random network is CVODE's", "[flow][grid][slow]") {
    Random random(7);
    Errors errors;
    for (int i = 0; i < 500; ++i) {
        compare(chain(random), errors);
    }
    report("networks of 2 to 4 masses", errors);
    CHECK(errors.quantile(0.5) < 1e-7);
    CHECK(errors.quantile(0.99) < 1e-3);
    CHECK(errors.overBudget < 5);
    CHECK(errors.gain < 1e-12);
}
