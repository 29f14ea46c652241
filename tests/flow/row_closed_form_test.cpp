#include "random_numbers.h"
#include "row_fixture.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdio>

using namespace elasto;
using namespace elasto::test;
using Row = OracleState::Row;

namespace {

/// Families of laws of the grid.
enum class Family { GapBounded, GapNoPull, GapLinear, BacklashBounded, BacklashNoPull, BacklashLinear, SpringDamper };

const char* name(Family family) {
    switch (family) {
        case Family::GapBounded: return "ElastoGap";
        case Family::GapNoPull: return "gap, no pull";
        case Family::GapLinear: return "gap, linear";
        case Family::BacklashBounded: return "ElastoBacklash";
        case Family::BacklashNoPull: return "ElastoBacklash2";
        case Family::BacklashLinear: return "backlash, linear";
        default: return "SpringDamper";
    }
}

Law makeLaw(Family family, double c, double d, double play) {
    switch (family) {
        case Family::GapBounded: return ElastoGapLaw({.c = c, .d = d});
        case Family::GapNoPull: return ElastoGapLaw({.c = c, .d = d, .characteristic = GapCharacteristic::NoPull});
        case Family::GapLinear: return ElastoGapLaw({.c = c, .d = d, .characteristic = GapCharacteristic::Linear});
        case Family::BacklashBounded: return ElastoBacklashLaw({.c = c, .d = d, .b = play, .phi_rel0 = play / 2});
        case Family::BacklashNoPull:
            return ElastoBacklashLaw({.c = c, .d = d, .b = play, .phi_rel0 = play / 2,
                                      .characteristic = BacklashCharacteristic::NoPull});
        case Family::BacklashLinear:
            return ElastoBacklashLaw({.c = c, .d = d, .b = play, .phi_rel0 = play / 2,
                                      .characteristic = BacklashCharacteristic::Linear});
        default: return SpringDamperLaw({.c = c, .d = d});
    }
}

bool isTwoSided(Family family) {
    return family == Family::BacklashBounded || family == Family::BacklashNoPull || family == Family::BacklashLinear;
}

struct GridCase {
    RowProblem problem;
    double frequency; ///< highest of the element, for the oracle's steps
};

/// Parameters over the whole range the plugin promises, starts in flight, in contact, resting and grazing. The lower
/// edge lies at s = 0.
GridCase randomCase(Family family, RandomNumbers& random) {
    double c = !isTwoSided(family) && random.chance(0.05) ? 0 : random.logarithmic(0, 9);
    const double m = random.logarithmic(-3, 3);
    double d = random.chance(0.25) ? 0 : random.logarithmic(-2, 5);
    if (random.chance(0.1)) d = 2 * std::sqrt(c * m) * (random.chance(0.5) ? 1 : 1 + random.uniform(-1e-7, 1e-7));
    const double h = 1 / random.uniform(30, 1000);
    const double frequency = std::sqrt(c / m) + 1e-3;
    const double speed = random.logarithmic(-4, 1.5);
    const double play = std::max(speed * h * random.uniform(0, 1), 1e-9);
    double v = random.uniform(-1, 1) * speed;
    double a = random.chance(0.15) ? 0 : random.uniform(-1, 1) * random.logarithmic(-1, 3);
    double s = 0;
    switch (random.below(5)) {
        case 0: s = random.uniform(0, 1) * std::max(speed * h, 1e-9); break;
        case 1: s = -random.uniform(0, 1) * speed / frequency; break;
        case 2: s = 0; break;
        case 3: // resting, or nearly
            s = c > 0 ? -std::abs(a) * m / c * random.uniform(0.9, 1.1) : 0;
            v = 0;
            break;
        default: // the turning point touches the edge
            a = std::abs(a);
            v = -std::abs(v);
            s = a > 0 ? v * v / (2 * a) * (1 + random.uniform(-1, 1) * 1e-9) : 1;
    }
    return {singleElement(makeLaw(family, c, d, play), 1 / m, a, s, v, h), frequency};
}

/// Errors of s, v, P and sigma, relative to what the tick's largest speed gives.
struct GridErrors {
    Errors s, v, P, sigma, heat;
    int tooDear = 0;
    int mostEvents = 0;
    double worstGain = 0;
};

void compare(const GridCase& grid, GridErrors& errors) {
    const RowProblem& problem = grid.problem;
    flow::RowState state = problem.state();
    flow::RowLog log;
    flow::solveClosedForm(problem.rows(), state, problem.h, log);
    const auto oracle = integrate(problem.network, problem.start, problem.h,
                                  std::min(problem.h / 20, 0.5 / grid.frequency), 2000);
    if (!oracle) {
        ++errors.tooDear;
        return;
    }
    const double m = 1 / problem.network.W(0, 0);
    const double a = problem.network.a(0, 0);
    const double h = problem.h;
    const double v0 = problem.start(Row::kV);
    const double speed = std::max({std::abs(v0), std::abs(state.v(0)), std::abs(a) * h, 1e-9});
    const double stored = storedEnergy(problem.network.laws[0], problem.start(Row::kS), 0);
    const double energy = m * speed * speed + stored;
    errors.s.add(std::abs(state.s(0) - (*oracle)(Row::kS)) / (speed * h));
    errors.v.add(std::abs(state.v(0) - (*oracle)(Row::kV)) / speed);
    errors.P.add(std::abs(state.P(0) - (*oracle)(Row::kP)) / (m * speed));
    errors.sigma.add(std::abs(state.sigma(0) - (*oracle)(Row::kSigma)) / (m * speed * h));
    errors.heat.add(std::abs(state.heat(0) - (*oracle)(Row::kHeat)) / energy);
    errors.mostEvents = std::max(errors.mostEvents, log.steps);
    if (std::abs(state.v(0) - (*oracle)(Row::kV)) / speed > 1e-8 || std::abs(state.s(0) - (*oracle)(Row::kS)) / (speed * h)>1e-7 || std::abs(state.heat(0) - (*oracle)(Row::kHeat)) / energy>1e-7) {
        const flow::RowLaw law = problem.rows().laws[0];
        std::printf("BAD c=%.17g d=%.17g W=%.17g a=%.17g s=%.17g v=%.17g h=%.17g lo=%g hi=%g: s %.10g/%.10g v %.10g/%.10g heat %.10g/%.10g steps %d\n", law.c, law.d, 1/m, a, problem.start(Row::kS), v0, h, law.edgeLow, law.edgeHigh, state.s(0), (*oracle)(Row::kS), state.v(0), (*oracle)(Row::kV), state.heat(0), (*oracle)(Row::kHeat), log.steps);
    }
    errors.worstGain = std::max(errors.worstGain, -state.heat(0) / energy);
}

} // namespace

TEST_CASE("closed form agrees with an independent integrator") {
    const Family family = GENERATE(Family::GapBounded, Family::GapNoPull, Family::GapLinear, Family::BacklashBounded,
                                   Family::BacklashNoPull, Family::BacklashLinear, Family::SpringDamper);
    RandomNumbers random(7);
    GridErrors errors;
    for (int i = 0; i < 500; ++i) compare(randomCase(family, random), errors);
    std::printf("%-17s too dear %d, most events %d, gain %.1e\n   s     %s\n   v     %s\n   P     %s\n   sigma %s\n   heat  %s\n",
                name(family), errors.tooDear, errors.mostEvents, errors.worstGain, errors.s.summary().c_str(),
                errors.v.summary().c_str(), errors.P.summary().c_str(), errors.sigma.summary().c_str(),
                errors.heat.summary().c_str());
    CHECK(errors.v.quantile(0.5) < 1e-12);
}
