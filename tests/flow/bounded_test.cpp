// Motors and limits, against closed forms and equations in reduced coordinates.

#include "body_energy.h"
#include "joint_rows.h"
#include "planar_oracle.h"

#include <elasto/errors.h>
#include <elasto/flow.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace elasto;
using Eigen::Vector3d;
using elasto::test::addHinge;

namespace {

constexpr double kGravity = 9.80665;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

BoundedRow motorAbout(int a, int b, double targetRate, double maxForce) {
    BoundedRow row;
    row.geometry = Geometry::AboutAxis;
    row.a = a;
    row.b = b;
    row.axis = Vector3d::UnitZ();
    row.targetRate = targetRate;
    row.maxForce = maxForce;
    return row;
}

BoundedRow limitAbout(int a, int b, double bound, int side, double restitution = 0) {
    BoundedRow row = motorAbout(a, b, 0, 0);
    row.kind = BoundedRow::Kind::Limit;
    row.bound = bound;
    row.side = side;
    row.restitution = restitution;
    return row;
}

// A bar of 1 kg and 1 m along its x, on a hinge at the left end that is put there.
FlowBody bar(double x, double y, double angle, bool hangs = true) {
    FlowBody body = FlowBody::rigid(1, {1e-3, 1. / 12, 1. / 12});
    body.orientation = Eigen::AngleAxisd(angle, Vector3d::UnitZ());
    body.position = Vector3d(x, y, 0) + body.orientation * Vector3d(0.5, 0, 0);
    if (hangs) body.force.constant = {0, -kGravity, 0};
    return body;
}

double angleOf(const FlowBody& body) {
    const Vector3d x = body.orientation * Vector3d::UnitX();
    return std::atan2(x.y(), x.x());
}

double mechanicalEnergy(const FlowNetwork& network) {
    double energy = elasto::test::storedEnergy(network);
    for (const FlowBody& body : network.bodies) {
        if (!body.isImmovable()) energy += elasto::test::kineticEnergy(body) - body.force.constant.dot(body.position);
    }
    return energy;
}

// Coulomb friction on an undamped oscillator, whose turning points follow from one another.
struct StickSlip {
    double k, m, friction;
    double x, v = 0;
    double direction = 0;  // of the motion

    void advance(double t) {
        const double omega = std::sqrt(k / m);
        while (t > 0) {
            if (v == 0) {
                if (k * std::abs(x) <= friction) return;
                direction = x > 0 ? -1 : 1;
            } else {
                direction = v > 0 ? 1 : -1;
            }
            const double center = -direction * friction / k;
            const double phase = std::atan2(-v / omega, x - center);
            const double amplitude = std::hypot(x - center, v / omega);
            // x = center + amplitude cos(phase + omega t); turns where the sine vanishes.
            double turn = direction < 0 ? M_PI - phase : -phase;
            if (turn <= 0) turn += 2 * M_PI;
            const double step = std::min(t, turn / omega);
            const bool turns = step == turn / omega;
            x = center + amplitude * std::cos(phase + omega * step);
            v = turns ? 0 : -amplitude * omega * std::sin(phase + omega * step);
            t -= step;
        }
    }
};

}  // namespace

TEST_CASE("a motor presses an arm on its stop with all its torque", "[flow][bounded][slow]") {
    const double c = GENERATE(1e3, 1e4, 1e5, 1e7);
    const double rate = GENERATE(60., 240.);
    const bool isFinished = GENERATE(true, false);
    FlowSettings settings;
    if (!isFinished) settings.maxSteps = 1;  // the implicit step knows motors too
    FlowNetwork network;
    network.bodies = {bar(0, 0, 0.2, false)};
    addHinge(network, kWorld, Vector3d::Zero(), 0, {-0.5, 0, 0});
    network.bounded = {motorAbout(kWorld, 0, -2, 20)};
    FlowElement gap{ElastoGapLaw({.c = c, .d = 50})};
    gap.axis = Vector3d::UnitY();
    gap.b = 0;
    gap.pointB = {0.5, 0, 0};
    network.elements.push_back(gap);
    double energy = mechanicalEnergy(network);
    TickResult tick;
    for (int i = 0; i < static_cast<int>(3 * rate); ++i) {
        tick = solveTick(network, 1 / rate, settings);
        network.adopt(tick);
        const double now = mechanicalEnergy(network);
        CHECK(now + tick.elements[0].heat <= energy + tick.driveWork + tick.jointEnergy + 1e-9);
        CHECK(tick.jointEnergy < 1e-7);  // of minima that are found to a tolerance, where nothing moves
        if (isFinished) CHECK(now + tick.elements[0].heat >= energy + tick.driveWork - 1e-8);
        energy = now;
    }
    // The tip's lever is its height's cosine; the force acts along y.
    const double lever = std::cos(angleOf(network.bodies[0]));
    CAPTURE(c, rate, isFinished, tick.elements[0].force.f);
    CHECK(tick.bounded[0].impulse * rate == Approx(-20).epsilon(1e-9));
    if (!isFinished) {
        // It still bounces where sub-steps are long beside an impact, but not far: it began 0.2 rad away.
        CHECK(std::abs(angleOf(network.bodies[0]) + 20 / c) < 5e-3);
        return;
    }
    CHECK(-tick.elements[0].force.f * lever == Approx(20).epsilon(1e-6));
    CHECK(tick.bounded[0].rate == Approx(0).margin(1e-6));
}

TEST_CASE("a bar that hits its limit bounces as its restitution says", "[flow][bounded][slow]") {
    const double restitution = GENERATE(0., 0.5, 0.9, 1.);
    const double rate = GENERATE(60., 240.);
    const int side = GENERATE(1, -1);
    FlowNetwork network;
    network.bodies = {bar(0, 0, 0)};
    // Seen from the world the bar's angle falls; seen from the bar the world's rises.
    const double bound = -0.7;
    if (side > 0) {
        addHinge(network, kWorld, Vector3d::Zero(), 0, {-0.5, 0, 0});
        network.bounded = {limitAbout(kWorld, 0, bound, 1, restitution)};
    } else {
        addHinge(network, 0, {-0.5, 0, 0}, kWorld, Vector3d::Zero());
        network.bounded = {limitAbout(0, kWorld, -bound, -1, restitution)};
    }
    const auto pendulum = [](const Eigen::VectorXd& y) {
        Eigen::VectorXd dy(2);
        dy << y[1], -1.5 * kGravity * std::cos(y[0]);
        return dy;
    };
    Eigen::VectorXd oracle = Eigen::Vector2d(0, 0);
    bool isAtRest = false;
    double worst = 0;
    double energy = mechanicalEnergy(network);
    double lost = 0;
    for (int i = 0; i < static_cast<int>(2 * rate); ++i) {
        const TickResult tick = solveTick(network, 1 / rate);
        network.adopt(tick);
        CHECK(mechanicalEnergy(network) + tick.limitLoss <= energy + 1e-10);
        CHECK(mechanicalEnergy(network) + tick.limitLoss >= energy - 1e-8);
        energy = mechanicalEnergy(network);
        lost += tick.limitLoss;
        double left = 1 / rate;
        while (left > 0 && !isAtRest) {
            Eigen::VectorXd next = elasto::test::rungeKutta(pendulum, oracle, left, 200);
            if (next[0] >= bound) {
                oracle = next;
                break;
            }
            double before = 0;
            double after = left;
            for (int k = 0; k < 60; ++k) {
                const double middle = (before + after) / 2;
                (elasto::test::rungeKutta(pendulum, oracle, middle, 200)[0] < bound ? after : before) = middle;
            }
            oracle = elasto::test::rungeKutta(pendulum, oracle, before, 200);
            oracle = Eigen::Vector2d(bound, -restitution * oracle[1]);
            left -= before;
            isAtRest = oracle[1] < 1e-4;
        }
        worst = std::max(worst, std::abs(angleOf(network.bodies[0]) - oracle[0]));
        CHECK(angleOf(network.bodies[0]) >= bound - 1e-12);
    }
    CAPTURE(restitution, rate, side, worst);
    CHECK(worst < 1e-6);
    if (restitution == 1) CHECK(lost < 1e-9);
    if (restitution == 0) CHECK(lost == Approx(kGravity * 0.5 * std::sin(0.7)).epsilon(1e-6));
    if (restitution == 0) CHECK(angleOf(network.bodies[0]) == Approx(bound).margin(1e-12));
}

TEST_CASE("a crank that turns at a given rate drives a slider into its stop", "[flow][bounded]") {
    const double rate = GENERATE(60., 240.);
    const bool isPrescribed = GENERATE(true, false);
    const double torque = isPrescribed ? kInfinity : 1e4;
    // Crank 0.3 m, rod 1 m, slider on x; all of 1 kg. The stop is 0.1 m before the dead centre.
    const double speed = 6;
    const double c = 1e4;
    FlowNetwork network;
    const auto rodAngle = [](double angle) { return -std::asin(0.3 * std::sin(angle)); };
    const auto sliderAt = [&](double angle) { return 0.3 * std::cos(angle) + std::cos(rodAngle(angle)); };
    const double start = 1;
    FlowBody crank = FlowBody::rigid(1, {1e-3, 0.0075, 0.0075});
    crank.orientation = Eigen::AngleAxisd(start, Vector3d::UnitZ());
    crank.position = crank.orientation * Vector3d(0.15, 0, 0);
    FlowBody rod = FlowBody::rigid(1, {1e-3, 1. / 12, 1. / 12});
    rod.orientation = Eigen::AngleAxisd(rodAngle(start), Vector3d::UnitZ());
    rod.position = crank.orientation * Vector3d(0.3, 0, 0) + rod.orientation * Vector3d(0.5, 0, 0);
    FlowBody slider = FlowBody::rigid(1, {1e-3, 1e-3, 1e-3});
    slider.position = {sliderAt(start), 0, 0};
    network.bodies = {crank, rod, slider};
    addHinge(network, kWorld, Vector3d::Zero(), 0, {-0.15, 0, 0});
    addHinge(network, 0, {0.15, 0, 0}, 1, {-0.5, 0, 0});
    addHinge(network, 1, {0.5, 0, 0}, 2, Vector3d::Zero());
    HeldRow guide;
    guide.b = 2;
    for (int k = 1; k < 3; ++k) {
        guide.axisA = Vector3d::Unit(k);
        network.joints.push_back(guide);
    }
    guide.kind = HeldRow::Kind::Orthogonal;
    guide.axisA = Vector3d::UnitX();
    guide.axisB = Vector3d::UnitY();
    network.joints.push_back(guide);
    network.bounded = {motorAbout(kWorld, 0, speed, torque)};
    FlowElement stop{ElastoGapLaw({.c = c, .d = 5})};
    stop.a = 2;
    stop.axis = Vector3d::UnitX();
    stop.pointB = {1.2, 0, 0};
    network.elements.push_back(stop);
    double worst = 0;
    double worstForce = 0;
    double energy = mechanicalEnergy(network);
    double angle = start;
    bool isTurning = isPrescribed;
    for (int i = 0; i < static_cast<int>(2 * rate); ++i) {
        const TickResult tick = solveTick(network, 1 / rate);
        network.adopt(tick);
        angle += speed / rate;
        // A finite torque takes some time to bring it to speed.
        if (!isTurning) angle = angleOf(network.bodies[0]);
        isTurning = true;
        worst = std::max(worst, std::abs(network.bodies[2].position.x() - sliderAt(angle)));
        const double s = 1.2 - sliderAt(angle);
        const double root = std::cos(rodAngle(angle));
        const double v = speed * (0.3 * std::sin(angle) + 0.09 * std::sin(angle) * std::cos(angle) / root);
        const double f = evaluate(ElastoGapLaw({.c = c, .d = 5}), s, v, 0).f;
        worstForce = std::max(worstForce, std::abs(tick.elements[0].force.f - f));
        const double now = mechanicalEnergy(network);
        CHECK(now + tick.elements[0].heat <= energy + tick.driveWork + 1e-7);
        CHECK(now + tick.elements[0].heat >= energy + tick.driveWork - 1e-5);
        energy = now;
    }
    CAPTURE(rate, torque, worst, worstForce);
    CHECK(worst < 1e-8);       // of 0.6 m: target 0.2 and 0.05 %
    CHECK(worstForce < 1e-3);  // of 1000 N
}

TEST_CASE("dry friction takes a swinging mass to rest as its turning points say", "[flow][bounded][slow]") {
    const double rate = GENERATE(30., 60., 240.);
    const double friction = GENERATE(0.5, 3., 12.);
    FlowNetwork network;
    network.bodies = {FlowBody::sphere(2, 0.1)};
    network.bodies[0].position = {0.5, 0, 0};
    FlowElement spring{SpringDamperLaw({.c = 50, .d = 0})};
    spring.b = 0;
    network.elements.push_back(spring);
    BoundedRow brake;
    brake.b = 0;
    brake.maxForce = friction;
    network.bounded = {brake};
    StickSlip oracle{50, 2, friction, 0.5};
    double worst = 0;
    for (int i = 0; i < static_cast<int>(10 * rate); ++i) {
        const TickResult tick = solveTick(network, 1 / rate);
        network.adopt(tick);
        oracle.advance(1 / rate);
        worst = std::max(worst, std::abs(network.bodies[0].position.x() - oracle.x));
        CHECK(tick.driveWork <= 0);
        CHECK(tick.bounded[0].rate == network.bodies[0].velocity.x());
    }
    CAPTURE(rate, friction, worst);
    CHECK(worst < 1e-7);
    if (oracle.v == 0) CHECK(std::abs(network.bodies[0].velocity.x()) < 1e-12);
}

TEST_CASE("a limit stops a prescribed rate", "[flow][bounded]") {
    const double rate = 60;
    FlowNetwork network;
    network.bodies = {bar(0, 0, 0)};
    addHinge(network, kWorld, Vector3d::Zero(), 0, {-0.5, 0, 0});
    network.bounded = {motorAbout(kWorld, 0, 1, kInfinity), limitAbout(kWorld, 0, 0.5, -1)};
    for (int i = 1; i <= 60; ++i) {
        const TickResult tick = solveTick(network, 1 / rate);
        network.adopt(tick);
        CHECK(angleOf(network.bodies[0]) <= 0.5 + 1e-9);
        if (i < 30) CHECK(angleOf(network.bodies[0]) == Approx(i / rate).epsilon(1e-9));
        CHECK(std::isfinite(network.bodies[0].velocity.norm()));
    }
    CHECK(angleOf(network.bodies[0]) > 0.49);
}

TEST_CASE("links on limits come to rest together", "[flow][bounded]") {
    // A chain of four falls until each link has turned as far as it may against the one before.
    const int budget = GENERATE(2000, 4);
    FlowSettings settings;
    settings.maxSteps = budget;
    FlowNetwork network;
    for (int i = 0; i < 4; ++i) {
        network.bodies.push_back(bar(i, 0, 0));
        addHinge(network, i - 1, Vector3d(i == 0 ? 0 : 0.5, 0, 0), i, {-0.5, 0, 0});
        network.bounded.push_back(limitAbout(i - 1, i, -0.1, 1, 0.3));
        network.bounded.push_back(limitAbout(i - 1, i, 0.1, -1, 0.3));
        network.bounded.push_back(motorAbout(i - 1, i, 0, 0.05));
    }
    double energy = mechanicalEnergy(network);
    for (int i = 0; i < 180; ++i) {
        const TickResult tick = solveTick(network, 1. / 60, settings);
        network.adopt(tick);
        const double now = mechanicalEnergy(network);
        CHECK(now <= energy + tick.driveWork - tick.limitLoss + std::max(0.0, tick.jointEnergy) + 1e-9);
        energy = now;
        double last = 0;
        for (const FlowBody& body : network.bodies) {
            const double angle = angleOf(body);
            CHECK(std::abs(angle - last) <= 0.1 + (budget > 100 ? 1e-8 : 2e-3));
            last = angle;
        }
    }
    CAPTURE(budget);
    double last = 0;
    for (const FlowBody& body : network.bodies) {
        CHECK(angleOf(body) - last == Approx(-0.1).margin(budget > 100 ? 1e-8 : 1e-4));
        CHECK(body.angularVelocity.norm() < 1e-9);
        last = angleOf(body);
    }
}

TEST_CASE("a strong motor does not push its own limit aside, whatever the budget", "[flow][bounded]") {
    const double maxForce = GENERATE(1., 1e3, 1e6, kInfinity);
    const int side = GENERATE(-1, 1);
    FlowSettings settings;
    settings.maxSteps = GENERATE(2000, 1);
    CAPTURE(maxForce, side, settings.maxSteps);
    FlowNetwork network;
    network.bodies = {bar(0, 0, 0, false), FlowBody::sphere(0.1, 0.05)};
    network.bodies[1].position = {1, -0.3, 0};
    addHinge(network, kWorld, Vector3d::Zero(), 0, {-0.5, 0, 0});
    network.bounded = {limitAbout(kWorld, 0, 0.5, -1), limitAbout(kWorld, 0, -0.5, 1),
                       motorAbout(kWorld, 0, 2 * side, maxForce)};
    FlowElement line{SpringDamperLaw({.c = 1e8, .d = 0, .s_rel0 = 0.3})};
    line.geometry = Geometry::AlongLine;
    line.a = 0;
    line.b = 1;
    line.pointA = {0.5, 0, 0};
    network.elements.push_back(line);
    double largest = 0;
    for (int i = 0; i < 120; ++i) {
        network.adopt(solveTick(network, 1. / 60, settings));
        largest = std::max(largest, std::abs(angleOf(network.bodies[0])));
    }
    CHECK(largest == Approx(0.5).margin(1e-3));
}

TEST_CASE("a gear turns its wheels against each other", "[flow][bounded]") {
    FlowNetwork network;
    network.bodies = {bar(0, 0, 0), bar(2, 0, 0.3)};
    addHinge(network, kWorld, Vector3d::Zero(), 0, {-0.5, 0, 0});
    addHinge(network, kWorld, {2, 0, 0}, 1, {-0.5, 0, 0});
    HeldRow gear;
    gear.kind = HeldRow::Kind::Gear;
    gear.a = 0;
    gear.b = 1;
    gear.axisA = gear.axisB = Vector3d::UnitZ();
    gear.ratio = 2;
    network.joints.push_back(gear);
    // wA = -2 wB: (1/3 + 4/3 / 4 ...) in wB: I_B + 4 I_A.
    const auto equation = [](const Eigen::VectorXd& y) {
        Eigen::VectorXd dy(2);
        const double angleA = -2 * (y[0] - 0.3);
        dy << y[1], 0.5 * kGravity * (2 * std::cos(angleA) - std::cos(y[0])) / (5. / 3);
        return dy;
    };
    Eigen::VectorXd oracle = Eigen::Vector2d(0.3, 0);
    double worst = 0;
    const double start = mechanicalEnergy(network);
    for (int i = 0; i < 120; ++i) {
        network.adopt(solveTick(network, 1. / 60));
        oracle = elasto::test::rungeKutta(equation, oracle, 1. / 60, 200);
        worst = std::max(worst, std::abs(std::remainder(angleOf(network.bodies[1]) - oracle[0], 2 * M_PI)));
    }
    CAPTURE(worst);
    CHECK(worst < 1e-6);
    CHECK(std::abs(mechanicalEnergy(network) - start) < 1e-7);
}

TEST_CASE("a limit that is overrun at the start lets go slowly", "[flow][bounded]") {
    FlowNetwork network;
    network.bodies = {bar(0, 0, -0.3)};
    addHinge(network, kWorld, Vector3d::Zero(), 0, {-0.5, 0, 0});
    network.bounded = {limitAbout(kWorld, 0, -0.2, 1)};
    double last = -0.3;
    for (int i = 0; i < 100; ++i) {
        network.adopt(solveTick(network, 1. / 60));
        const double angle = angleOf(network.bodies[0]);
        CHECK(angle >= last - 1e-12);
        CHECK(angle <= -0.2 + 1e-9);
        CHECK(network.bodies[0].angularVelocity.norm() < 1e-9);
        last = angle;
    }
    CHECK(last == Approx(-0.2).margin(1e-6));
}

TEST_CASE("what motors and limits must not be is refused", "[flow][bounded]") {
    FlowNetwork network;
    network.bodies = {bar(0, 0, 0)};
    network.bounded = {limitAbout(kWorld, 0, 0, 1)};
    BoundedRow& row = network.bounded[0];
    const auto isRefused = [&](const char* field) {
        CHECK_THROWS_WITH(solveTick(network, 0.01), Catch::Contains(field));
    };
    SECTION("side") {
        row.side = 0;
        isRefused("side");
    }
    SECTION("restitution") {
        row.restitution = 1.5;
        isRefused("restitution");
    }
    SECTION("maxForce") {
        row.maxForce = -1;
        isRefused("maxForce");
    }
    SECTION("geometry") {
        row.geometry = Geometry::AlongLine;
        isRefused("geometry");
    }
    SECTION("frame") {
        row.frameB.w() = 2;
        isRefused("frameB");
    }
}

TEST_CASE("a motor stalls on a stiff stop away from the origin and keeps its force for good", "[flow][bounded]") {
    // A spring of 1e7 N/m under 40 N holds 8e-5 J: the rounding of poses is not small against that.
    const double hz = GENERATE(60., 240.);
    const double c = GENERATE(1e5, 1e7);
    CAPTURE(hz, c);
    FlowNetwork network;
    network.bodies.push_back(bar(0, 0, 0, false));
    addHinge(network, kWorld, Vector3d::Zero(), 0, {-0.5, 0, 0});
    network.bounded.push_back(motorAbout(kWorld, 0, -2, 20));
    FlowElement gap{ElastoGapLaw({.c = c, .d = 50, .s_rel0 = -0.02})};
    gap.a = kWorld;
    gap.b = 0;
    gap.geometry = Geometry::AlongAxis;
    gap.axis = Vector3d::UnitY();
    gap.pointB = {0.5, 0, 0};
    network.elements.push_back(gap);
    double sum = 0;
    for (int i = 0; i < static_cast<int>(3 * hz); ++i) {
        const TickResult tick = solveTick(network, 1 / hz);
        CHECK_FALSE(tick.overBudget);
        network.adopt(tick);
        if (i >= 2 * hz) sum -= tick.elements[0].impulse;
    }
    const double stalled = 20 / std::cos(angleOf(network.bodies[0]));
    CHECK(sum == Approx(stalled).epsilon(1e-6));
}

TEST_CASE("three motors of a free body stall on a stiff spring, whatever the budget", "[flow][bounded][slow]") {
    // As a mouse drags it: no joint, targets far beyond what the motors can do.
    const double hz = GENERATE(60., 240.);
    const double c = GENERATE(1e3, 1e5, 1e7);
    const bool isFinished = GENERATE(true, false);
    FlowSettings settings;
    if (!isFinished) settings.maxSteps = 1;
    CAPTURE(hz, c, isFinished);
    FlowNetwork network;
    network.bodies.push_back(FlowBody::rigid(1, {0.01, 0.01, 0.01}));
    network.bodies[0].position = {0.6, 0, 0};
    for (int k = 0; k < 3; ++k) {
        BoundedRow row;
        row.b = 0;
        row.pointB = {0.1, 0, 0};
        row.axis = Vector3d::Unit(k);
        row.targetRate = k == 0 ? 115 : 0;
        row.maxForce = 100;
        network.bounded.push_back(row);
    }
    FlowElement spring{SpringDamperLaw({.c = c, .d = 0.4 * std::sqrt(c), .s_rel0 = 0.7})};
    spring.b = 0;
    spring.pointB = {0.1, 0, 0};
    network.elements.push_back(spring);
    int mostSteps = 0;
    for (int i = 0; i < static_cast<int>(6 * hz); ++i) {
        const TickResult tick = solveTick(network, 1 / hz, settings);
        CHECK((tick.method == FlowMethod::Implicit) != isFinished);
        REQUIRE(tick.bounded[0].impulse <= 100 / hz * (1 + 1e-9));
        mostSteps = std::max(mostSteps, tick.steps);
        network.adopt(tick);
    }
    CHECK(network.bodies[0].position.x() - 0.6 == Approx(100 / c).epsilon(1e-6).margin(isFinished ? 0 : 4e-6));
    // 900 where the scale of errors was the speed of what rests.
    CHECK(mostSteps < 200);
}
