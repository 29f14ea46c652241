// Elements on the joint coordinates of a btMultiBody.

#include <catch2/catch.hpp>

#include "multibody_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// A bar of 1 kg and 1 m that swings about z, and an end stop at -0.8 rad.
struct BarWithStop {
    double c;
    double d;
    static constexpr double kStop = -0.8;

    // Of the bar that MultiBodyWorld::bar makes.
    static double inertia() { return (1 + 0.02 * 0.02) / 12 + 0.25; }

    double acceleration(double q, double w) const {
        const double gravity = -MultiBodyWorld::kGravity * 0.5 * std::cos(q);
        const double s = q - kStop;
        const double spring = s < 0 ? -c * s : 0;
        const double damper = s < 0 ? -d * w : 0;
        // ElastoGap never pulls: the damper is limited to what the spring gives, both ways.
        const double stop = std::max(0.0, spring + std::clamp(damper, -spring, spring));
        return (gravity + stop) / inertia();
    }

    // Angles after each tick of 1/hz, by small steps.
    std::vector<double> reference(double hz, int ticks) const {
        constexpr double kStep = 2e-6;
        const int steps = static_cast<int>(std::round(1 / (hz * kStep)));
        const double h = 1 / (hz * steps);
        double q = 0;
        double w = 0;
        std::vector<double> angles;
        for (int tick = 0; tick < ticks; ++tick) {
            for (int i = 0; i < steps; ++i) {
                const double a1 = acceleration(q, w);
                const double a2 = acceleration(q + h / 2 * w, w + h / 2 * a1);
                const double a3 = acceleration(q + h / 2 * (w + h / 2 * a1), w + h / 2 * a2);
                const double a4 = acceleration(q + h * (w + h / 2 * a2), w + h * a3);
                q += h * w + h * h / 6 * (a1 + a2 + a3);
                w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
            }
            angles.push_back(q);
        }
        return angles;
    }
};

double nrmse(const std::vector<double>& values, const std::vector<double>& reference) {
    double sum = 0;
    double least = reference.front();
    double most = reference.front();
    for (std::size_t i = 0; i < reference.size(); ++i) {
        sum += (values[i] - reference[i]) * (values[i] - reference[i]);
        least = std::min(least, reference[i]);
        most = std::max(most, reference[i]);
    }
    return std::sqrt(sum / static_cast<double>(reference.size())) / (most - least);
}

std::vector<double> swing(const BarWithStop& bar, double hz, int ticks, int iterations = 10,
                          bool withCollider = false) {
    MultiBodyWorld world;
    world.world->getSolverInfo().m_numIterations = iterations;
    btMultiBody& body = world.multiBody(1);
    world.bar(body, 0, -1, 1, 1, vec(0, 0, 0));
    if (withCollider) world.collider(body, 0, new btBoxShape(vec(0.5, 0.01, 0.01)));
    world.add(body);
    const MultiBodyElement& stop =
        world.element(JointCoordinate{&body, 0, BarWithStop::kStop}, ElastoGapLaw({.c = bar.c, .d = bar.d}));
    std::vector<double> angles;
    for (int i = 0; i < ticks; ++i) {
        world.tick(1, hz);
        angles.push_back(stop.s_rel() + BarWithStop::kStop);
        REQUIRE(std::abs(angles.back() - double(body.getJointPos(0))) < kRounding);
    }
    REQUIRE(world.messages.empty());
    REQUIRE(world.plugin->totals().events > 0);
    return angles;
}

}  // namespace

TEST_CASE("a bar on an end stop swings as the equations say", "[slow]") {
    const double c = GENERATE(1e3, 1e4, 1e5, 1e6);
    const double d = GENERATE(0.0, 50.0);
    const BarWithStop bar{c, d};
    CAPTURE(c, d);
    const double at60 = nrmse(swing(bar, 60, 120), bar.reference(60, 120));
    const double at240 = nrmse(swing(bar, 240, 480), bar.reference(240, 480));
    CAPTURE(at60, at240);
    CHECK(at60 < byPrecision(2e-4, 2e-3));
    CHECK(at240 < byPrecision(2e-5, 2e-3));
}

TEST_CASE("a multibody's tick does not depend on Bullet's iterations, nor on colliders that touch nothing") {
    const BarWithStop bar{1e5, 0};
    const std::vector<double> ten = swing(bar, 60, 60);
    CHECK(swing(bar, 60, 60, 1) == ten);
    CHECK(swing(bar, 60, 60, 50) == ten);
    CHECK(swing(bar, 60, 60, 10, true) == ten);
}
