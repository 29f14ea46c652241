// Drives with a rotor behind play, and pairs of gears.

#include <catch2/catch.hpp>

#include <array>

#include "multibody_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// Two inertias and a force along s = first - second / ratio, by small steps.
struct TwoInertias {
    double first;
    double second;
    double ratio;
    Law law;
    std::function<double(double)> torque;  // on the second

    using State = std::array<double, 4>;  // angles, speeds
    State rates(double t, const State& x) const {
        const double f = evaluate(law, x[0] - x[1] / ratio, x[2] - x[3] / ratio, 0).f;
        return {x[2], x[3], -f / first, (torque(t) + f / ratio) / second};
    }

    // Angles of both at the ends of the ticks.
    std::vector<std::array<double, 2>> angles(double hz, int ticks) const {
        constexpr double kStep = 2e-6;
        const int steps = static_cast<int>(std::round(1 / (hz * kStep)));
        const double h = 1 / (hz * steps);
        const auto ahead = [](const State& x, const State& rate, double by) {
            State moved;
            for (std::size_t i = 0; i < 4; ++i) moved[i] = x[i] + by * rate[i];
            return moved;
        };
        State x{};
        std::vector<std::array<double, 2>> result;
        for (int tick = 0; tick < ticks; ++tick) {
            for (int i = 0; i < steps; ++i) {
                const double t = (tick * steps + i) * h;
                const State k1 = rates(t, x);
                const State k2 = rates(t + h / 2, ahead(x, k1, h / 2));
                const State k3 = rates(t + h / 2, ahead(x, k2, h / 2));
                const State k4 = rates(t + h, ahead(x, k3, h));
                for (std::size_t j = 0; j < 4; ++j) x[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
            }
            result.push_back({x[0], x[1]});
        }
        return result;
    }
};

double nrmse(const std::vector<std::array<double, 2>>& values, const std::vector<std::array<double, 2>>& reference,
             std::size_t which) {
    double sum = 0;
    double least = reference.front()[which];
    double most = least;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        sum += std::pow(values[i][which] - reference[i][which], 2);
        least = std::min(least, reference[i][which]);
        most = std::max(most, reference[i][which]);
    }
    return std::sqrt(sum / static_cast<double>(reference.size())) / (most - least);
}

// A wheel about z at the base, which weighs nothing there.
void wheel(btMultiBody& body, int link, double inertia) {
    body.setupRevolute(link, 1, vec(inertia, inertia, inertia), -1, btQuaternion::getIdentity(), vec(0, 0, 1),
                       vec(0, 0, 0), vec(0, 0, 0), true);
}

double sine(double t) {
    return 0.05 * std::sin(2 * M_PI * 2 * t);
}

}  // namespace

TEST_CASE("a drive moves its rotor and its link as the equations say", "[slow]") {
    const double c = GENERATE(1e4, 1e6);
    const double d = GENERATE(1.0, 50.0);
    const double hz = GENERATE(60.0, 240.0);
    CAPTURE(c, d, hz);
    const Law law = ElastoBacklashLaw({.c = c, .d = d, .b = 0.01});
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    wheel(body, 0, 1);
    world.add(body);
    MultiBodyElement& drive = world.element(Drive{.body = &body, .link = 0, .inertia = 1e-4, .ratio = 100}, law);
    drive.setMotorTorque(sine);
    std::vector<std::array<double, 2>> angles;
    const int ticks = static_cast<int>(2 * hz);
    for (int i = 0; i < ticks; ++i) {
        world.tick(1, hz);
        angles.push_back({drive.linkAngle(), drive.motorAngle()});
        REQUIRE(drive.phi_rel() == Approx(angles.back()[0] - angles.back()[1] / 100).margin(1e-12));
    }
    CHECK(world.messages.empty());
    CHECK(world.plugin->totals().events > 2);
    const auto reference = TwoInertias{1, 1e-4, 100, law, sine}.angles(hz, ticks);
    const double limit = byPrecision(hz < 100 ? 1e-3 : 5e-5, 1e-3);
    CHECK(nrmse(angles, reference, 0) < limit);
    CHECK(nrmse(angles, reference, 1) < limit);
}

TEST_CASE("a motor in its play does not move the link") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    wheel(body, 0, 1);
    world.add(body);
    MultiBodyElement& drive = world.element(Drive{.body = &body, .link = 0, .inertia = 1e-4, .ratio = -50},
                                            ElastoBacklashLaw({.c = 1e4, .d = 1, .b = 0.02}));
    drive.setMotorTorque(1e-4);  // 1 rad/s^2
    world.tick(30);
    CHECK(drive.motorSpeed() == Approx(0.5).epsilon(1e-6));
    CHECK(drive.motorAngle() == Approx(0.125).epsilon(1e-6));
    CHECK(drive.phi_rel() == Approx(0.125 / 50).epsilon(1e-5));
    CHECK(drive.linkAngle() == 0);
    CHECK_FALSE(drive.contact());
}

TEST_CASE("a pair of gears with play turns as the equations say, wheels of one body and of two") {
    const bool isOneBody = GENERATE(true, false);
    const double hz = 60;
    CAPTURE(isOneBody);
    const Law law = ElastoBacklashLaw({.c = 1e4, .d = 1, .b = 0.01});
    MultiBodyWorld world;
    btMultiBody& first = world.multiBody(isOneBody ? 2 : 1);
    wheel(first, 0, 0.05);
    btMultiBody& second = isOneBody ? first : world.multiBody(1);
    const int secondLink = isOneBody ? 1 : 0;
    wheel(second, secondLink, 0.01);
    world.add(first);
    if (!isOneBody) world.add(second);
    // External gears: the second turns -2.5 times as fast as the first.
    const MultiBodyElement& pair =
        world.element(GearPair{.first = {&first, 0}, .second = {&second, secondLink}, .ratio = 1 / -2.5}, law);
    std::vector<std::array<double, 2>> angles;
    const int ticks = 120;
    const auto torque = [](double t) { return 0.5 * std::sin(2 * M_PI * t); };
    world.plugin->addJointLoad({second, secondLink, torque});
    for (int i = 0; i < ticks; ++i) {
        world.tick(1, hz);
        angles.push_back({double(first.getJointPos(0)), double(second.getJointPos(secondLink))});
        REQUIRE(pair.phi_rel() == Approx(angles.back()[0] + angles.back()[1] / 2.5).margin(byPrecision(1e-12, 1e-6)));
    }
    CHECK(world.messages.empty());
    const auto reference = TwoInertias{0.05, 0.01, -2.5, law, torque}.angles(hz, ticks);
    CHECK(nrmse(angles, reference, 0) < 5e-4);
    CHECK(nrmse(angles, reference, 1) < 5e-4);
}
