// Elements on bodies that touch others.

#include <catch2/catch.hpp>

#include "contact_scenes.h"

using namespace elasto;
using namespace elasto::test;

namespace {

double distanceOf(const btVector3& x, const btVector3& y) {
    return static_cast<double>((x - y).length());
}

double impulseOf(TestWorld& world, const btCollisionObject& x, const btCollisionObject& y) {
    double sum = 0;
    for (int m = 0; m < world.dispatcher.getNumManifolds(); ++m) {
        const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(m);
        const bool isPair = (manifold.getBody0() == &x && manifold.getBody1() == &y) ||
                            (manifold.getBody0() == &y && manifold.getBody1() == &x);
        for (int i = 0; isPair && i < manifold.getNumContacts(); ++i) {
            sum += static_cast<double>(manifold.getContactPoint(i).getAppliedImpulse());
        }
    }
    return sum;
}

double kineticAndHeight(const TestWorld& world) {
    double sum = 0;
    for (const auto& body : world.bodies) {
        if (!body->isStaticOrKinematicObject()) {
            sum += energyOf(*body);
        }
    }
    return sum;
}

}  // namespace

TEST_CASE("a press pushes with its force, however stiff it is") {
    const double c = GENERATE(1e3, 1e4, 1e5, 1e6, 1e8);
    const double d = GENERATE(0.0, 100.0);
    const double hz = GENERATE(60.0, 240.0);
    TestWorld world;
    btRigidBody& floor = addFloor(world);
    btRigidBody& crate = addCrate(world, 0, 0.5, 0);
    ElastoGap& press = addPress(world, crate, 100, c, d);
    Range force;
    Range impulse;
    world.tick(4, hz);
    for (int i = 0; i < longRun(static_cast<int>(2 * hz)); ++i) {
        world.tick(1, hz);
        force.add(-press.meanForce());
        impulse.add(impulseOf(world, crate, floor));
    }
    CAPTURE(c, d, hz, force.mean(), force.width(), heightOf(crate) - 0.5);
    CHECK(force.mean() == Approx(100).epsilon(byPrecision(1e-5, 1e-2)));
    CHECK(force.width() < byPrecision(1e-3, 5));
    CHECK(heightOf(crate) == Approx(0.5).margin(byPrecision(1e-9, 1e-6)));
    CHECK(impulse.mean() == Approx((100 + TestWorld::kGravity) / hz).epsilon(byPrecision(1e-5, 1e-2)));
    CHECK_FALSE(press.uncoupled());
    CHECK(world.messages.empty());
    CHECK(world.plugin->totals().coupled == world.plugin->totals().ticks);
}

TEST_CASE("a pressed stack stays where it is for a minute", "[slow]") {
    const double offset = GENERATE(0.0, 0.03);
    const int seed = offset > 0 ? GENERATE(1, 2, 3, 4, 5, 6, 22) : 0;  // 22 is first met while it jumps
    const double c = GENERATE(1e4, 1e6, 1e8);
    TestWorld world;
    addFloor(world);
    std::vector<btRigidBody*> crates;
    unsigned state = static_cast<unsigned>(seed);
    const auto random = [&] {
        state = state * 1664525U + 1013904223U;
        return 2 * (state >> 8) / double(1 << 24) - 1;
    };
    for (int i = 0; i < 5; ++i) {
        crates.push_back(&addCrate(world, offset * random(), 0.5 + i, offset * random(), 3 * offset * random()));
    }
    world.tick(offset > 0 ? 60 : 0);  // Bullet lets it settle
    ElastoGap& press = addPress(world, *crates.back(), 1000, c, 0);
    world.tick(60);
    std::vector<btVector3> starts;
    for (const btRigidBody* crate : crates) {
        starts.push_back(crate->getWorldTransform().getOrigin());
    }
    Range force;
    double drift = 0;
    for (int i = 0; i < longRun(3600); ++i) {
        world.tick();
        force.add(-press.meanForce());
        for (std::size_t k = 0; k < crates.size(); ++k) {
            drift = std::max(drift, distanceOf(crates[k]->getWorldTransform().getOrigin(), starts[k]));
        }
    }
    CAPTURE(offset, seed, c, force.mean(), force.width(), drift);
    CHECK(drift < 1e-5);
    CHECK(force.width() < byPrecision(0.01, 0.1));  // a pose's rounding is 0.5 N there
    CHECK(world.plugin->statistics().coupled == 1);
    CHECK(world.plugin->totals().uncoupled == 0);
}

TEST_CASE("a crate on a crate falls on a gap as one mass") {
    const double c = GENERATE(1e4, 1e5, 1e6);
    const double hz = GENERATE(60.0, 240.0);
    TestWorld world;
    btRigidBody& lower = addCrate(world, 0, 0.8, 0);
    btRigidBody& upper = addCrate(world, 0, 1.8, 0);
    addStopBelow(world, lower, c);
    const DroppedMass oracle(2, 0.3, c);
    double worst = 0;
    double apart = 0;
    double highest = 0;
    const double start = kineticAndHeight(world);
    for (int i = 1; i <= static_cast<int>(2 * hz); ++i) {
        world.tick(1, hz);
        const double y = oracle.at(i / hz).y;
        worst = std::max({worst, std::fabs(heightOf(lower) - 0.5 - y), std::fabs(heightOf(upper) - 1.5 - y)});
        apart = std::max(apart, std::fabs(heightOf(upper) - heightOf(lower) - 1));
        highest = std::max(highest, kineticAndHeight(world) - start);
    }
    CAPTURE(c, hz, worst, apart, highest);
    CHECK(worst < byPrecision(0.3e-3, 1e-3));
    CHECK(apart < byPrecision(1e-9, 1e-5));
    CHECK(highest < byPrecision(1e-6, 1e-3));
}

TEST_CASE("a crate slides into a bumper and stops where friction says") {
    const double c = GENERATE(1e4, 1e5, 1e6);
    const double hz = GENERATE(60.0, 240.0);
    constexpr double kSpeed = 4;
    constexpr double kFriction = 0.5;
    TestWorld world;
    addFloor(world).setFriction(1);
    btRigidBody& crate = addCrate(world, 0, 0.5, 0);
    crate.setFriction(btScalar(kFriction));
    world.add<ElastoGap>(Placement::alongAxis(Placement::world(), crate, Eigen::Vector3d(1.5, 0.5, 0),
                                              Eigen::Vector3d(0.5, 0, 0), -Eigen::Vector3d::UnitX()),
                         ElastoGapParameters{.c = c, .d = 0});
    crate.setLinearVelocity(vec(kSpeed, 0, 0));
    // x'' = -mu g sign(v) - w^2 (x - 1), the spring only for x > 1.
    const double a = kFriction * TestWorld::kGravity;
    const double w = std::sqrt(c);
    const double in = std::sqrt(kSpeed * kSpeed - 2 * a);
    const double deepest = -a / (w * w) + std::hypot(a / (w * w), in / w);
    const double out = std::sqrt(w * w * deepest * deepest - 2 * a * deepest);
    const double rest = 1 - out * out / (2 * a);
    double tilt = 0;
    for (int i = 0; i < static_cast<int>(2 * hz); ++i) {
        world.tick(1, hz);
        tilt = std::max(tilt, static_cast<double>(btFabs(crate.getWorldTransform().getBasis()[1][0])));
    }
    const auto x = static_cast<double>(crate.getWorldTransform().getOrigin().x());
    CAPTURE(c, hz, x, rest, tilt);
    CHECK(x == Approx(rest).margin(byPrecision(1e-4, 1e-3)));
    CHECK(static_cast<double>(crate.getLinearVelocity().length()) < 1e-3);  // at rest it is Bullet's
    const EnergyBook book = world.plugin->energy();
    CHECK(book.numerical < byPrecision(1e-6, 1e-3));
    // It came to rest: what it had is what friction took.
    CHECK(book.contacts == Approx(0.5 * kSpeed * kSpeed).epsilon(byPrecision(1e-3, 1e-2)));
    CHECK(book.kinetic + book.stored - 0.5 * kSpeed * kSpeed ==
          Approx(book.work + book.pushed - book.dissipated - book.damping - book.contacts - book.exchanged +
                 book.numerical)
              .margin(byPrecision(1e-9, 1e-3)));
}

TEST_CASE("a crate that leaves another one in the air flies on along its parabola") {
    const double hz = GENERATE(60.0, 240.0);
    TestWorld world;
    btRigidBody& lower = addCrate(world, 0, 0.8, 0);
    btRigidBody& upper = addCrate(world, 0.3, 1.8, 0);
    addStopBelow(world, lower, 1e5);
    world.tick(static_cast<int>(0.3 * hz), hz);  // they part at 0.26 s; a little later Bullet sees no contact any more
    const double from = heightOf(upper);
    const double speed = static_cast<double>(upper.getLinearVelocity().y());
    const btVector3 turning = upper.getAngularVelocity();
    CHECK(turning.z() < -1);
    for (int i = 1; i <= static_cast<int>(0.3 * hz); ++i) {
        world.tick(1, hz);
        const double t = i / hz;
        CHECK(heightOf(upper) ==
              Approx(from + speed * t - TestWorld::kGravity * t * t / 2).margin(byPrecision(1e-9, 1e-6)));
        CHECK(distanceOf(upper.getAngularVelocity(), turning) < byPrecision(1e-9, 1e-6));
    }
    CHECK(world.plugin->statistics().coupled == 0);
    CHECK(world.plugin->totals().fallbacks == 0);
}

TEST_CASE("results do not depend on Bullet's iterations") {
    std::vector<std::vector<btVector3>> ends;
    for (const int iterations : {1, 10, 50}) {
        TestWorld world;
        world.world->getSolverInfo().m_numIterations = iterations;
        addFloor(world);
        for (int i = 0; i < 3; ++i) {
            addCrate(world, 0.02 * i, 0.5 + i, 0.01 * i);
        }
        addPress(world, *world.bodies.back(), 300, 1e5, 10);
        world.tick(120);
        ends.emplace_back();
        for (const auto& body : world.bodies) {
            ends.back().push_back(body->getWorldTransform().getOrigin());
            ends.back().push_back(body->getLinearVelocity());
        }
        CHECK(world.plugin->totals().uncoupled == 0);
    }
    CHECK(ends[0] == ends[1]);
    CHECK(ends[0] == ends[2]);
}

TEST_CASE("a pressed stack steps back to the last bit") {
    TestWorld world;
    addFloor(world);
    for (int i = 0; i < 4; ++i) {
        addCrate(world, 0.03 * (i % 3), 0.5 + i, -0.02 * (i % 2), 0.09 * (i % 2) - 0.05);
    }
    world.tick(30);
    addPress(world, *world.bodies.back(), 300, 1e5, 10);
    world.tick(10);
    const auto state = [&] {
        std::vector<btVector3> values;
        for (const auto& body : world.bodies) {
            for (int row = 0; row < 3; ++row) {
                values.push_back(body->getWorldTransform().getBasis()[row]);
            }
            values.push_back(body->getWorldTransform().getOrigin());
            values.push_back(body->getLinearVelocity());
            values.push_back(body->getAngularVelocity());
        }
        return values;
    };
    const WorldSnapshot snapshot = world.plugin->saveWorld();
    world.tick(120);
    const auto first = state();
    world.plugin->restoreWorld(snapshot);
    world.tick(120);
    CHECK(state() == first);
}

TEST_CASE("the order of creation does not matter") {
    std::vector<std::vector<btVector3>> ends;
    for (const bool isReversed : {false, true}) {
        TestWorld world;
        std::vector<btRigidBody*> crates(3);
        if (!isReversed) {
            addFloor(world);
        }
        for (int k = 0; k < 3; ++k) {
            const int i = isReversed ? 2 - k : k;
            crates[static_cast<std::size_t>(i)] = &addCrate(world, 0.02 * i, 0.5 + i, 0.01 * i);
        }
        if (isReversed) {
            addFloor(world);
        }
        addPress(world, *crates.back(), 300, 1e5, 10);
        world.tick(120);
        ends.emplace_back();
        for (const btRigidBody* crate : crates) {
            ends.back().push_back(crate->getWorldTransform().getOrigin());
        }
    }
    for (std::size_t i = 0; i < ends[0].size(); ++i) {
        CHECK(distanceOf(ends[0][i], ends[1][i]) < byPrecision(1e-9, 1e-5));
    }
}

TEST_CASE("spheres, capsules, cylinders and hulls are pressed as boxes are") {
    const auto kind = GENERATE(as<std::string>{}, "sphere", "capsule", "cylinder", "hull");
    const auto ground = GENERATE(as<std::string>{}, "box", "plane");
    TestWorld world;
    btRigidBody* floor = nullptr;
    if (ground == "box") {
        floor = &addFloor(world);
    } else {
        floor = &world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
    }
    btCollisionShape* shape = nullptr;
    if (kind == "sphere") {
        shape = new btSphereShape(btScalar(0.5));
    } else if (kind == "capsule") {
        shape = new btCapsuleShapeX(btScalar(0.5), 1);
    } else if (kind == "cylinder") {
        shape = new btCylinderShape(vec(0.5, 0.5, 0.5));
    } else {
        auto* hull = new btConvexHullShape;
        for (int i = 0; i < 8; ++i) {
            hull->addPoint(vec((i & 1) != 0 ? 0.4 : -0.4, (i & 2) != 0 ? 0.46 : -0.46, (i & 4) != 0 ? 0.4 : -0.4));
        }
        shape = hull;
    }
    btRigidBody& body = world.body(1, shape, at(0, 0.5, 0));
    world.tick(60);  // Bullet lets it settle
    const double height = heightOf(body);
    ElastoGap& press = addPress(world, body, 100, 1e5, 0);
    Range force;
    Range impulse;
    for (int i = 0; i < 120; ++i) {
        world.tick();
        if (i >= 60) {
            force.add(-press.meanForce());
            impulse.add(impulseOf(world, body, *floor));
        }
    }
    CAPTURE(kind, ground, force.mean(), force.width(), impulse.mean() * 60, heightOf(body) - height);
    CHECK(world.plugin->totals().uncoupled == 0);
    CHECK(force.width() < 0.5);
    CHECK(impulse.mean() * 60 == Approx(force.mean() + TestWorld::kGravity).epsilon(1e-3));
    CHECK(heightOf(body) == Approx(height).margin(1e-3));
}

TEST_CASE("a press on a moving platform goes up and down with it") {
    TestWorld world;
    btRigidBody& platform = world.body(0, new btBoxShape(vec(2, 0.1, 2)), at(0, -0.1, 0));
    platform.setCollisionFlags(platform.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    btRigidBody& crate = addCrate(world, 0, 0.5, 0);
    ElastoGap& press = addPress(world, crate, 100, 1e3, 0);
    double worst = 0;
    for (int i = 0; i < 120; ++i) {
        const double height = 0.05 * std::sin(0.05 * (i + 1));
        platform.setWorldTransform(at(0, height - 0.1, 0));
        world.tick();
        if (i > 1) {
            worst = std::max(worst, std::fabs(heightOf(crate) - 0.5 - height));
        }
        const double expected = 100 + 1e3 * (heightOf(crate) - 0.5);
        CHECK(-press.f() == Approx(expected).margin(byPrecision(1e-6, 1e-2)));
    }
    CAPTURE(worst);
    CHECK(worst < byPrecision(1e-4, 1e-3));
    CHECK(world.plugin->totals().uncoupled == 0);
}

TEST_CASE("triggers and collision filters stay what they are") {
    TestWorld world;
    addFloor(world);
    btRigidBody& crate = addCrate(world, 0, 0.5, 0);
    addTrigger(world);
    btRigidBody& other = addCrate(world, 0.3, 0.5, 0);
    world.world->removeRigidBody(&other);
    world.world->addRigidBody(&other, 2, 2);  // collides with nothing here
    other.setGravity(vec(0, 0, 0));
    ElastoGap& press = addPress(world, crate, 100, 1e5, 0);
    world.tick(30);
    CHECK(-press.meanForce() == Approx(100).epsilon(byPrecision(1e-6, 1e-3)));
    CHECK(heightOf(crate) == Approx(0.5).margin(1e-6));
    CHECK(static_cast<double>(crate.getWorldTransform().getOrigin().x()) == Approx(0).margin(1e-9));
}

TEST_CASE("a pressed stack falls asleep and wakes") {
    TestWorld world;
    addFloor(world);
    for (int i = 0; i < 3; ++i) {
        addCrate(world, 0, 0.5 + i, 0).forceActivationState(ACTIVE_TAG);
    }
    addPress(world, *world.bodies.back(), 200, 1e5, 20);
    world.tick(240);
    CHECK_FALSE(world.bodies[1]->isActive());
    CHECK(world.plugin->statistics().networks == 0);
    world.bodies.back()->activate();
    world.bodies.back()->applyCentralImpulse(vec(0, 2, 0));
    world.tick(1);
    CHECK(world.plugin->statistics().coupled == 1);
}

namespace {

/// Twelve boxes that fall onto each other, the lowest four onto gaps.
struct TumblingPile {
    TestWorld world;
    std::vector<ElastoGap*> gaps;

    TumblingPile(int seed, double c, double d) {
        btRigidBody& floor = addFloor(world);
        unsigned state = static_cast<unsigned>(seed);
        const auto random = [&] {
            state = state * 1664525U + 1013904223U;
            return 2 * (state >> 8) / double(1 << 24) - 1;
        };
        for (int i = 0; i < 12; ++i) {
            const btVector3 axis = vec(random(), random(), random()).normalized();
            world.body(1, new btBoxShape(vec(0.5, 0.5, 0.5)),
                       btTransform(btQuaternion(axis, btScalar(0.3 * random())),
                                   vec(0.4 * random(), 1 + 1.1 * i, 0.4 * random())));
        }
        for (std::size_t i = 0; i < 4; ++i) {
            gaps.push_back(
                &world.add<ElastoGap>(Placement::alongAxis(floor, *world.bodies[i + 1], Eigen::Vector3d::Zero(),
                                                           Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitY()),
                                      ElastoGapParameters{.c = c, .d = d, .s_rel0 = 1.05}));
        }
    }
    double energy() {
        double sum = kineticAndHeight(world);
        for (const ElastoGap* gap : gaps) sum += gap->storedEnergy();
        return sum;
    }
};

}  // namespace

// What is near no element is Bullet's own, and Bullet pushes bodies apart that it finds inside each other: in such
// piles with up to 3.2 J in a tick. So the pile's energy may rise by that; what the solved networks give may not.
TEST_CASE("a pile that tumbles on gaps gains nothing") {
    const int seed = GENERATE(1, 2, 3);
    const double c = GENERATE(1e4, 1e6);
    const double d = GENERATE(0.0, 50.0);
    TumblingPile pile(seed, c, d);
    TestWorld& world = pile.world;
    double last = pile.energy();
    const double start = last;
    double largest = 0, gained = 0;
    EnergyBook before = world.plugin->energy();
    for (int i = 0; i < longRun(180); ++i) {
        world.tick();
        const double now = pile.energy();
        largest = std::max(largest, now - last);
        last = now;
        const EnergyBook book = world.plugin->energy();
        const double taken = book.contacts + book.dissipated - before.contacts - before.dissipated;
        gained = std::max(gained, book.numerical - before.numerical - taken);
        before = book;
    }
    const TickStatistics& totals = world.plugin->totals();
    CAPTURE(seed, c, d, start, last, largest, gained, totals.coupled, totals.fallbacks, totals.repairs, totals.missed);
    CHECK(totals.implicit > 5);
    CHECK(largest < 3.2);
    CHECK(gained < byPrecision(1e-6, 1e-2));
    CHECK(last < start);
    CHECK(last < 0.9 * start);  // eleven boxes fall by 0.1 m each, one on top of the other: a tenth of all heights
    CHECK(totals.missed == 0);
}

TEST_CASE("most ticks of piles that tumble fit into the budget, and none takes ten milliseconds") {
    int ticks = 0, outside = 0;
    double largest = 0;
    for (const int seed : {1, 2, 3, 4}) {
        for (const double d : {0.0, 50.0}) {
            TumblingPile pile(seed, 1e6, d);
            for (int i = 0; i < longRun(180); ++i) {
                pile.world.tick();
                const TickStatistics& tick = pile.world.plugin->statistics();
                ticks += tick.coupled > 0 ? 1 : 0;
                outside += tick.fallbacks > 0 ? 1 : 0;
                largest = std::max(largest, tick.cost);
            }
        }
    }
    CAPTURE(ticks, outside, largest);
    CHECK(outside < 0.45 * ticks);  // one in three; where every change is followed, two
    CHECK(largest < 32000);         // 0.3 us each; half of them where few bodies are followed, and it did not suffice
}

TEST_CASE("what a pile does when its budget has ended is counted") {
    TumblingPile pile(1, 1e6, 0);
    pile.world.plugin->setBudget(1);
    double largest = 0;
    for (int i = 0; i < 120; ++i) {
        pile.world.tick();
        largest = std::max(largest, pile.world.plugin->statistics().cost);
    }
    REQUIRE(pile.world.plugin->totals().fallbacks > 0);
    CHECK(largest > 200);   // points are found, swept over several times and moved apart
    CHECK(largest < 4800);  // with all corners of faces that touch
}
