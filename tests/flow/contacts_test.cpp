// Elements among contacts, against statics and closed forms.

#include "body_energy.h"
#include "contact_scenes.h"
#include "random_numbers.h"

#include <elasto/flow.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

namespace contacts_test {

using namespace elasto;
using namespace elasto::test;
using Eigen::Vector3d;

namespace {

const Vector3d kHalf(0.5, 0.5, 0.5);

FlowNetwork press(double c, double force) {
    FlowNetwork network;
    network.bodies.push_back(solidBox(1, kHalf, {0, 0.5, 0}));
    addCorners(network, 0, kHalf, kWorld, 0, 0.5);
    addGap(network, ElastoGapLaw({.c = c, .d = 0}), 0, {0, 0.5, 0}, kWorld, {0, 1 - force / c, 0}, Vector3d::UnitY());
    return network;
}

}  // namespace

TEST_CASE("a gap presses a box on the floor with its force and nothing else") {
    const double hz = GENERATE(60., 240.);
    const double c = GENERATE(1e3, 1e5, 1e8);
    FlowNetwork network = press(c, 100);
    for (int t = 0; t < 60; ++t) {
        const TickResult tick = solveTick(network, 1 / hz);
        CHECK(-tick.elements[0].impulse * hz == Approx(100).epsilon(1e-7));
        double floor = 0;
        for (const ContactTick& contact : tick.contacts) {
            floor += contact.impulse;
            CHECK(contact.isClosed);
            CHECK(std::abs(contact.gap) < 1e-12);
        }
        CHECK(floor * hz == Approx(100 + kContactGravity).epsilon(1e-7));
        network.adopt(tick);
    }
    CHECK(network.bodies[0].position.y() == Approx(0.5).margin(1e-13));
}

TEST_CASE("an element that presses what cannot move has its whole impulse", "[flow][contacts]") {
    // Beside another box on a spring, and under a load that changes, it is not solved in closed form.
    const double n = GENERATE(1., 1.5);
    const double hz = GENERATE(60., 240.);
    const double change = GENERATE(0., 30.);  // [N/s]
    FlowNetwork network = press(1709, 0);
    network.elements.clear();
    addGap(network, ElastoGapLaw({.c = 1709, .d = 4, .s_rel0 = 0.37, .n = n}), 0, {0, 0.5, 0}, kWorld, {0, 1, 0},
           Vector3d::UnitY());
    network.bodies[0].force.linear = {0, 0, change};
    network.bodies.push_back(solidBox(1, {0.1, 0.1, 0.1}, {0, 0.5, 1}));
    network.bodies[1].angularVelocity = {3, 4, 0};
    FlowElement spring{SpringDamperLaw({.c = 50, .d = 0, .s_rel0 = 0.4})};
    spring.geometry = Geometry::AlongLine;
    spring.a = 0;
    spring.b = 1;
    spring.pointA = {0, 0, 0.5};
    network.elements.push_back(spring);
    const double force = 1709 * std::pow(0.37, n);
    for (int t = 0; t < static_cast<int>(hz) / 4; ++t) {
        const TickResult tick = solveTick(network, 1 / hz);
        CAPTURE(n, hz, change, t);
        CHECK(-tick.elements[0].impulse * hz == Approx(force).epsilon(1e-9));
        network.adopt(tick);
    }
}

TEST_CASE("a stack that leans stands still under a press") {
    const double c = GENERATE(1e4, 1e6, 1e8);
    FlowNetwork network;
    for (int i = 0; i < 5; ++i) {
        network.bodies.push_back(solidBox(1, kHalf, {0.03 * (i * 7 % 3 - 1), 0.5 + i, 0.03 * (i * 5 % 3 - 1)}));
        addCorners(network, i, kHalf, i - 1, i == 0 ? 0 : 0.5, 0.5);
    }
    const Vector3d top = network.bodies[4].position;
    addGap(network, ElastoGapLaw({.c = c, .d = 0}), 4, {0, 0.5, 0}, kWorld, {top.x(), 5 - 1000 / c, top.z()},
           Vector3d::UnitY());
    const FlowNetwork start = network;
    for (int t = 0; t < 600; ++t) {
        const TickResult tick = solveTick(network, 1. / 60);
        REQUIRE(-tick.elements[0].impulse * 60 == Approx(1000).epsilon(1e-6));
        network.adopt(tick);
    }
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK((network.bodies[i].position - start.bodies[i].position).norm() < 1e-10);
    }
}

TEST_CASE("a tall stack under a changing press fits into its budget") {
    constexpr int kBoxes = 100;
    FlowNetwork network;
    for (int i = 0; i < kBoxes; ++i) {
        network.bodies.push_back(solidBox(1, kHalf, {0.01 * (i * 7 % 3 - 1), 0.5 + i, 0}));
        addCorners(network, i, kHalf, i - 1, i == 0 ? 0 : 0.5, 0.5);
    }
    addGap(network, ElastoGapLaw({.c = 1e6, .d = 0}), kBoxes - 1, {0, 0.5, 0}, kWorld, {0, kBoxes - 1e-3, 0},
           Vector3d::UnitY());
    for (int t = 0; t < 10; ++t) {
        network.elements[0].pointB.y() = kBoxes - 1e-3 - 1e-5 * (t % 3);
        const TickResult tick = solveTick(network, 1. / 60);
        CAPTURE(t, tick.cost);
        REQUIRE_FALSE(tick.overBudget);
        network.adopt(tick);
    }
}

TEST_CASE("a box slides into a bumper, comes back and stops where friction says") {
    const double hz = GENERATE(60., 240.);
    const double c = GENERATE(1e3, 1e4, 1e6);
    const Vector3d half(0.25, 0.25, 0.25);
    FlowNetwork network;
    network.bodies.push_back(solidBox(1, half, {0, 0.25, 0}));
    network.bodies[0].velocity = {4, 0, 0};
    addCorners(network, 0, half, kWorld, 0, 0.5);
    // At the centre's height: no moment.
    addGap(network, ElastoGapLaw({.c = c, .d = 0}), 0, {0.25, 0, 0}, kWorld, {1.25, 0.25, 0}, Vector3d::UnitX());
    const double friction = 0.5 * kContactGravity;
    // Kinetic energy at the bumper, at the deepest point, and back again.
    const double before = 0.5 * 16 - friction;
    const double depth = (std::sqrt(friction * friction + 2 * c * before) - friction) / c;
    const double after = 0.5 * c * depth * depth - friction * depth;
    const double last = 1 - after / friction;
    double deepest = 0;
    for (int t = 0; t < static_cast<int>(2 * hz); ++t) {
        const TickResult tick = solveTick(network, 1 / hz);
        REQUIRE_FALSE(tick.overBudget);
        network.adopt(tick);
        deepest = std::max(deepest, network.bodies[0].position.x() - 1);
    }
    CHECK(deepest <= depth * (1 + 1e-9));
    CHECK(network.bodies[0].position.x() == Approx(last).margin(1e-7));
    CHECK(network.bodies[0].position.y() == Approx(0.25).margin(1e-12));
    CHECK(network.bodies[0].velocity.norm() < 1e-9);
}

TEST_CASE("when a point lands and when sliding ends is found in a few looks") {
    FlowNetwork network;
    network.bodies.push_back(solidBox(1, kHalf, {0, 0.51, 0}));
    network.bodies[0].velocity = {0.3, -1, 0};
    addCorners(network, 0, kHalf, kWorld, 0, 0.5);
    addGap(network, ElastoGapLaw({.c = 1e4, .d = 0}), 0, {0, 0.5, 0}, kWorld, {0, 2, 0}, Vector3d::UnitY());
    const TickResult tick = solveTick(network, 1. / 10);
    CHECK(tick.contacts[0].isClosed);
    CHECK(tick.bodies[0].velocity.norm() < 1e-9);
    CAPTURE(tick.setChanges);
    CHECK(tick.steps <= 15);
}

TEST_CASE("crates that fall on a gap together move as one mass") {
    const double hz = GENERATE(60., 240.);
    const double c = GENERATE(1e4, 1e6);
    const double d = GENERATE(0., 50.);
    FlowNetwork crates, one;
    for (int i = 0; i < 2; ++i) crates.bodies.push_back(solidBox(1, kHalf, {0, 1. + i, 0}));
    addCorners(crates, 1, kHalf, 0, 0.5, 0.5);
    one.bodies.push_back(solidBox(2, kHalf, {0, 1, 0}));
    for (FlowNetwork* network : {&crates, &one}) {
        addGap(*network, ElastoGapLaw({.c = c, .d = d}), kWorld, Vector3d::Zero(), 0, {0, -0.5, 0}, Vector3d::UnitY());
    }
    double worst = 0, fastest = -10;
    int compared = 0;
    for (int t = 0; t < static_cast<int>(hz); ++t) {
        crates.adopt(solveTick(crates, 1 / hz));
        one.adopt(solveTick(one, 1 / hz));
        if (crates.bodies[1].position.y() - crates.bodies[0].position.y() > 1 + 1e-6) break;  // thrown off
        worst = std::max(worst, std::abs(crates.bodies[0].position.y() - one.bodies[0].position.y()));
        fastest = std::max(fastest, crates.bodies[0].velocity.y());
        ++compared;
    }
    CAPTURE(hz, c, d);
    CHECK(worst < 1e-7);
    // They fall half a metre for 0.32 s, and the gap gives back at least half of their 3.1 m/s.
    CHECK(compared > 0.33 * hz);
    CHECK(fastest > 1.5);
}

namespace {

// All eight corners over the floor.
void addAllCorners(FlowNetwork& network, int body, const Vector3d& half, double friction, double restitution) {
    for (int k = 0; k < 8; ++k) {
        FlowContact contact;
        contact.a = body;
        contact.vertex = {k & 1 ? half.x() : -half.x(), k & 2 ? half.y() : -half.y(), k & 4 ? half.z() : -half.z()};
        contact.friction = friction;
        contact.restitution = restitution;
        network.contacts.push_back(contact);
    }
}

struct Tumbling {
    FlowNetwork network;
    double hz;
};

// Boxes that spin above a floor with stops, joined by springs.
Tumbling tumbling(std::uint64_t seed) {
    RandomNumbers numbers(seed);
    const auto between = [&](double low, double high) { return numbers.uniform(low, high); };
    Tumbling scene{{}, seed % 2 == 0 ? 60. : 240.};
    FlowNetwork& network = scene.network;
    const int count = 1 + static_cast<int>(seed % 3);
    const ElastoGapLaw law({.c = numbers.logarithmic(3, 7), .d = seed % 2 == 0 ? 0 : between(0, 100)});
    const double friction = between(0, 1);
    const double restitution = seed % 4 == 0 ? between(0, 0.8) : 0;
    for (int i = 0; i < count; ++i) {
        const Vector3d half(between(0.1, 0.5), between(0.1, 0.5), between(0.1, 0.5));
        FlowBody box = solidBox(between(0.5, 5), half, {3. * i, between(0.8, 2), 0});
        box.orientation = Eigen::Quaterniond(between(-1, 1), between(-1, 1), between(-1, 1), 1).normalized();
        box.velocity = {between(-2, 2), between(-2, 0), between(-2, 2)};
        box.angularVelocity = {between(-8, 8), between(-8, 8), between(-8, 8)};
        network.bodies.push_back(box);
        addAllCorners(network, i, half, friction, restitution);
        addGap(network, law, kWorld, {0, 1.2 * half.minCoeff(), 0}, i, Vector3d::Zero(), Vector3d::UnitY());
        if (i > 0) {
            FlowElement spring{SpringDamperLaw({.c = 100, .d = 1, .s_rel0 = 2})};
            spring.geometry = Geometry::AlongLine;
            spring.a = i - 1;
            spring.b = i;
            spring.pointA = half;
            network.elements.push_back(spring);
        }
    }
    return scene;
}

double mechanicalEnergy(const FlowNetwork& network) {
    double energy = 0;
    for (const FlowBody& body : network.bodies)
        energy += kContactGravity / body.inverseMass * body.position.y() + kineticEnergy(body);
    return energy + storedEnergy(network);
}

}  // namespace

TEST_CASE("boxes that tumble onto a floor and stops gain no energy", "[slow]") {
    const auto seed = GENERATE(range(std::uint64_t{0}, std::uint64_t{24}));
    CAPTURE(seed);
    Tumbling scene = tumbling(seed);
    double before = mechanicalEnergy(scene.network);
    double balance = before;
    double path = 0;  // of the first box
    for (int t = 0; t < static_cast<int>(1.5 * scene.hz); ++t) {
        const Vector3d position = scene.network.bodies[0].position;
        const TickResult tick = solveTick(scene.network, 1 / scene.hz);
        path += (tick.bodies[0].position - position).norm();
        scene.network.adopt(tick);
        double heat = 0;
        for (const ElementTick& element : tick.elements) heat += element.heat;
        const double now = mechanicalEnergy(scene.network);
        REQUIRE(heat >= 0);
        // Moving bodies apart lifts their weights.
        REQUIRE(now + heat <= before + tick.jointEnergy + 1e-11 * std::abs(before));
        balance += tick.jointEnergy - heat - tick.contactLoss;
        REQUIRE(now == Approx(balance).epsilon(1e-9));
        before = now;
    }
    CHECK(path > 0.3);  // 0.8 m above the floor at least, with corners at 0.5 m at most
}

TEST_CASE("bodies that are found inside each other move apart without speed") {
    const bool hasGap = GENERATE(false, true);
    FlowNetwork network;
    network.bodies.push_back(solidBox(1, kHalf, {0, 0.45, 0}));
    addCorners(network, 0, kHalf, kWorld, 0, 0.5);
    const double room = 0.015;
    if (hasGap) {  // its stop is in the way, 1.5 cm above
        addGap(network, ElastoGapLaw({.c = 1e6, .d = 0}), 0, {0, 0.5, 0}, kWorld, {0, 0.95 + room, 0},
               Vector3d::UnitY());
    }
    double deepest = -1;
    for (int t = 0; t < 120; ++t) {
        const TickResult tick = solveTick(network, 1. / 60);
        network.adopt(tick);
        CHECK(network.bodies[0].velocity.norm() < 1e-9);
        if (hasGap) CHECK(tick.elements[0].storedEnergy == 0);
        deepest = tick.contacts[0].gap;
        if (t == 0) CHECK(tick.recovery == Approx(0.01).epsilon(0.2));  // a fifth, less what contacts give way by
    }
    if (hasGap) {
        CHECK(deepest >= -0.05 + 0.9 * room);
        CHECK(deepest <= -0.05 + room);
    } else {
        CHECK(std::abs(deepest) < 1e-5);
    }
}

namespace {

// Heights of both crates 60 times a second: the upper one hangs over by 0.3 m, tips on the rebound and slides.
std::vector<double> crateHeights(double hz, double c, double d) {
    FlowNetwork network;
    network.bodies.push_back(solidBox(1, kHalf, {0, 0.8, 0}));
    network.bodies.push_back(solidBox(1, kHalf, {0.3, 1.8, 0}));
    for (const bool isUpper : {true, false}) {
        for (const int z : {-1, 1}) {
            FlowContact contact;
            contact.a = 1;
            contact.b = 0;
            contact.isVertexOnA = isUpper;
            contact.vertex = isUpper ? Vector3d(-0.5, -0.5, 0.5 * z) : Vector3d(0.5, 0.5, 0.5 * z);
            contact.planePoint = {0, isUpper ? 0.5 : -0.5, 0};
            contact.friction = 0.5;
            network.contacts.push_back(contact);
        }
    }
    addGap(network, ElastoGapLaw({.c = c, .d = d}), kWorld, Vector3d::Zero(), 0, {0, -0.5, 0}, Vector3d::UnitY());
    std::vector<double> heights;
    const int perSample = static_cast<int>(std::lround(hz / 60));
    for (int t = 1; t <= 36 * perSample; ++t) {
        network.adopt(solveTick(network, 1 / hz));
        if (t % perSample == 0) {
            heights.push_back(network.bodies[0].position.y());
            heights.push_back(network.bodies[1].position.y());
        }
    }
    return heights;
}

}  // namespace

TEST_CASE("a crate that tips off another one converges with the tick") {
    const double c = GENERATE(1e4, 1e6);
    const std::vector<double> fine = crateHeights(3840, c, 0);
    const double range = 1.5;
    for (const auto& [hz, allowed] : {std::pair(60., 0.01), std::pair(240., 0.003)}) {
        const std::vector<double> heights = crateHeights(hz, c, 0);
        double worst = 0;
        for (std::size_t i = 0; i < fine.size(); ++i) worst = std::max(worst, std::abs(heights[i] - fine[i]));
        CAPTURE(hz, c);
        CHECK(worst < allowed * range);
    }
}

// Stops that begin deep inside, on arms, with a budget that ends at once.
TEST_CASE("boxes deep in stiff stops gain nothing when the budget ends") {
    FlowSettings settings;
    settings.maxSteps = GENERATE(1, 30);
    int implicit = 0, standing = 0;
    double worst = 0, putRight = 0;
    unsigned long worstSeed = 0;
    for (unsigned long seed = 1; seed <= 300; ++seed) {
        RandomNumbers random(seed);
        const auto vector = [&](double size) -> Vector3d {
            return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
        };
        FlowNetwork network;
        const int count = 2 + random.below(2);
        for (int i = 0; i < count; ++i) {
            network.bodies.push_back(solidBox(random.logarithmic(-2, 2), kHalf, {1.1 * i, 0.5, 0}));
            network.bodies.back().force.constant.setZero();
            network.bodies.back().velocity = vector(5);
            network.bodies.back().angularVelocity = vector(5);
            addCorners(network, i, kHalf, kWorld, 0, 0.5);
        }
        for (int i = 0; i < 3; ++i) {
            const ElastoGapLaw law(
                {.c = random.logarithmic(4, 9), .d = random.chance(0.5) ? 0 : random.logarithmic(0, 4)});
            const int a = random.below(count);
            const Vector3d point = network.bodies[static_cast<std::size_t>(a)].position;
            const Vector3d arm = vector(0.5);
            addGap(network, law, a, arm, kWorld, point + arm + vector(0.2), vector(1).normalized());
        }
        const double h = random.logarithmic(-4, -1.5);
        const auto energy = [&] {
            double sum = storedEnergy(network);
            for (const FlowBody& body : network.bodies) sum += kineticEnergy(body);
            return sum;
        };
        const double start = energy();
        for (int i = 0; i < 5; ++i) {
            const double before = energy();
            const TickResult tick = solveTick(network, h, settings);
            implicit += tick.method == FlowMethod::Implicit ? 1 : 0;
            const auto stands = [](const BodyTick& body) {
                return body.velocity.isZero() && body.angularVelocity.isZero();
            };
            standing += std::all_of(tick.bodies.begin(), tick.bodies.end(), stands) ? 1 : 0;
            network.adopt(tick);
            double after = energy();
            for (const ElementTick& element : tick.elements) after += element.heat;
            const double rise = (after - before - tick.jointEnergy) / start;
            putRight = std::max(putRight, std::abs(tick.jointEnergy) / start);
            if (rise > worst) worstSeed = seed;
            worst = std::max(worst, rise);
        }
    }
    CAPTURE(settings.maxSteps, implicit, standing, worst, worstSeed);
    CHECK(standing == 0);
    CHECK(putRight < 0.01);
    CHECK(implicit > 50);
    CHECK(worst < 1e-6);
}

namespace {

/// Of something that slides on a floor and is pulled along it: fourth order, in short steps.
Vector3d slidVelocity(Vector3d v, const Vector3d& pull, double friction, double h) {
    const auto rate = [&](const Vector3d& at) -> Vector3d {
        return pull - friction * kContactGravity * at.normalized();
    };
    constexpr int kSteps = 4000;
    const double dt = h / kSteps;
    for (int i = 0; i < kSteps; ++i) {
        const Vector3d a = rate(v), b = rate(v + dt / 2 * a), c = rate(v + dt / 2 * b), d = rate(v + dt * c);
        v += dt / 6 * (a + 2 * b + 2 * c + d);
    }
    return v;
}

}  // namespace

TEST_CASE("friction turns with what slides, within the tick") {
    const double hz = GENERATE(10., 60., 240.);
    const double pull = GENERATE(2., 20., 100.);  // [m/s^2] across
    constexpr double kFriction = 0.4;
    const Vector3d half(0.1, 0.1, 0.1), velocity(1, 0, 0);
    FlowNetwork network;
    network.bodies.push_back(solidBox(1, half, {0, 0.1, 0}));
    network.bodies[0].angularFactor.setZero();
    network.bodies[0].velocity = velocity;
    network.bodies[0].force.constant.z() = pull;
    addCorners(network, 0, half, kWorld, 0, kFriction);
    const TickResult tick = solveTick(network, 1 / hz);
    const Vector3d right = slidVelocity(velocity, {0, 0, pull}, kFriction, 1 / hz);
    CAPTURE(hz, pull, tick.bodies[0].velocity.transpose(), right.transpose());
    // Of what friction changes: with the direction of the start it would be off by all of it.
    CHECK((tick.bodies[0].velocity - right).norm() < 1e-6 * kFriction * kContactGravity / hz);
}

TEST_CASE("a ball that slips slowly turns into the direction of the pull, and is not shaken to and fro") {
    // Friction turns its slip within less than a hundredth of the tick. A direction half way to where the last one took
    // it would turn it too far each time, and friction would keep but a part of its strength.
    const double speed = GENERATE(2e-4, 4e-4, 1e-3);
    const double surplus = GENERATE(0.01, 0.1);  // of the pull beyond friction, as a share of that
    constexpr double kFriction = 0.1, kRadius = 0.1, h = 1. / 60;
    constexpr double kSlipping = 3.5 * kFriction;  // friction turns a ball besides
    FlowNetwork network;
    network.bodies.push_back(FlowBody::sphere(1, kRadius));
    FlowBody& ball = network.bodies[0];
    ball.position.y() = kRadius;
    ball.velocity = {speed, 0, speed};
    ball.force.constant = Vector3d(0, -kContactGravity, (1 + surplus) * kSlipping * kContactGravity);
    FlowContact contact;
    contact.a = 0;
    contact.radius = kRadius;
    contact.friction = kFriction;
    network.contacts.push_back(contact);
    const TickResult tick = solveTick(network, h);
    const BodyTick& end = tick.bodies[0];
    const Vector3d slip = end.velocity + end.angularVelocity.cross(Vector3d(0, -kRadius, 0));
    const Vector3d right = slidVelocity({speed, 0, speed}, {0, 0, ball.force.constant.z()}, kSlipping, h);
    CAPTURE(speed, surplus, tick.setChanges, slip.transpose(), right.transpose());
    CHECK_FALSE(tick.overBudget);
    CHECK((slip - right).norm() < 1e-3 * kSlipping * kContactGravity * h);
}

TEST_CASE("a line that turns with what it holds pulls along itself at each moment") {
    // With the direction of each tick's start it would be 2e-2 and 2e-3 off.
    constexpr double kEnd = 1. / 60;
    const auto velocityAfter = [&](int ticks) {
        const Vector3d half(0.1, 0.1, 0.1);
        FlowNetwork network;
        network.bodies.push_back(solidBox(1, half, {0, 0.1, 0}));
        network.bodies[0].angularFactor.setZero();
        network.bodies[0].velocity = {2, 0, 0};
        addCorners(network, 0, half, kWorld, 0, 0.3);
        FlowElement line{SpringDamperLaw({.c = 1000, .d = 0, .s_rel0 = 0.4})};
        line.geometry = Geometry::AlongLine;
        line.a = 0;
        line.b = kWorld;
        line.pointB = {0, 0.1, 0.5};
        network.elements.push_back(line);
        for (int t = 0; t < ticks; ++t) network.adopt(solveTick(network, kEnd / ticks));
        return network.bodies[0].velocity;
    };
    const Vector3d fine = velocityAfter(1000);
    CHECK((velocityAfter(1) - fine).norm() < 1e-7 * fine.norm());
    CHECK((velocityAfter(10) - fine).norm() < 1e-7 * fine.norm());
}

TEST_CASE("an impact slows what slides by its friction, also where the tick is solved again") {
    // The floor rises at what slides on it, and a line turns with that.
    const Vector3d half(0.1, 0.1, 0.1);
    constexpr double kFriction = 0.3, kRises = 0.5, kSpeed = 1;
    const bool hasLine = GENERATE(false, true);
    FlowNetwork network;
    network.bodies.push_back(solidBox(1, half, {0, 0.1, 0}));
    network.bodies[0].angularFactor.setZero();
    network.bodies[0].velocity = {kSpeed, 0, 0};
    FlowBody floor;
    floor.velocity = {0, kRises, 0};
    network.bodies.push_back(floor);
    addCorners(network, 0, half, 1, 0, kFriction);
    if (hasLine) {
        FlowElement line{SpringDamperLaw({.c = 1e-3, .d = 0, .s_rel0 = 0.5})};
        line.geometry = Geometry::AlongLine;
        line.a = 0;
        line.b = kWorld;
        line.pointB = {0, 0.1, 0.5};
        network.elements.push_back(line);
    }
    constexpr double h = 1. / 60;
    const TickResult tick = solveTick(network, h);
    CHECK(tick.bodies[0].velocity.x() == Approx(kSpeed - kFriction * (kRises + kContactGravity * h)).epsilon(1e-4));
}

}  // namespace contacts_test
