// Elements on bodies that also have joints: hinges, ball joints, fixed joints, chains and loops.

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>

#include "../flow/planar_oracle.h"
#include "test_world.h"

namespace joints_test {

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double kGravity = TestWorld::kGravity;

// An angle and its rate after h, by the classical method in small steps.
Eigen::VectorXd advance(const std::function<double(double, double)>& acceleration, const Eigen::VectorXd& y, double h,
                        int steps) {
    const auto rate = [&](const Eigen::VectorXd& at) -> Eigen::VectorXd {
        return Eigen::Vector2d(at[1], acceleration(at[0], at[1]));
    };
    return rungeKutta(rate, y, h, steps);
}

double angleOf(const btRigidBody& body) {
    const btVector3 x = body.getWorldTransform().getBasis().getColumn(0);
    return std::atan2(static_cast<double>(x.y()), static_cast<double>(x.x()));
}

// A bar of 1 m along its x.
btRigidBody& bar(TestWorld& world, double mass, double x, double y) {
    return world.body(mass, new btBoxShape(vec(0.5, 0.02, 0.02)), at(x, y, 0));
}

double inertiaOf(const btRigidBody& body) {
    return static_cast<double>(body.getLocalInertia().z());
}

}  // namespace

TEST_CASE("a door on a hinge hits its stop and rebounds as its equation says", "[slow]") {
    const double c = GENERATE(1e3, 1e5, 1e6);
    const double d = GENERATE(0., 50.);
    const double hz = GENERATE(60., 240.);
    TestWorld world;
    btRigidBody& door = bar(world, 1, 0.5, 0);
    btHingeConstraint hinge(door, vec(-0.5, 0, 0), vec(0, 0, 1));
    world.world->addConstraint(&hinge);
    const btQuaternion up(vec(0, 0, 1), SIMD_HALF_PI);
    auto& stop = world.add<ElastoGap>(door, btTransform(up, vec(0.5, 0, 0)), btTransform(up, vec(1, -0.5, 0)),
                                      ElastoGapParameters{.c = c, .d = d});
    const double inertia = inertiaOf(door) + 0.25;
    const ElastoGapLaw law({.c = c, .d = d, .s_rel0 = -0.5});
    const auto acceleration = [&](double angle, double rate) {
        const double f = evaluate(law, std::sin(angle), std::cos(angle) * rate, 0).f;
        return (-0.5 * kGravity - f) * std::cos(angle) / inertia;
    };
    Eigen::VectorXd oracle = Eigen::Vector2d::Zero();
    double worst = 0;
    double highest = 0;
    const int steps = static_cast<int>(std::ceil(std::sqrt(c / inertia) / hz / 0.002));
    for (int i = 0; i < 2 * static_cast<int>(hz); ++i) {
        world.tick(1, hz);
        oracle = advance(acceleration, oracle, 1 / hz, steps);
        worst = std::max(worst, std::abs(angleOf(door) - oracle[0]));
        highest = std::max(highest, energyOf(door) + stop.storedEnergy());
    }
    CAPTURE(c, d, hz, worst, highest);
    // Targets 0.05 and 0.015 % of a range of about 0.55 rad; single precision three times that.
    CHECK(worst < byPrecision(2e-5, hz < 100 ? 8e-4 : 2.5e-4));
    CHECK(highest <= byPrecision(1e-9, 1e-5));
    CHECK_FALSE(stop.uncoupled());
    CHECK(world.messages.empty());
    world.world->removeConstraint(&hinge);
}

TEST_CASE("a chain on ball joints keeps its joints and its energy, whatever Bullet's iterations") {
    const auto run = [](int iterations, bool reversed) {
        TestWorld world;
        world.world->getSolverInfo().m_numIterations = iterations;
        std::vector<btRigidBody*> links;
        for (int i = 0; i < 3; ++i) {
            links.push_back(&bar(world, 1, 0.5 + i, 0));
        }
        std::vector<std::unique_ptr<btTypedConstraint>> joints;
        joints.push_back(std::make_unique<btPoint2PointConstraint>(*links[0], vec(-0.5, 0, 0)));
        for (int i = 0; i < 2; ++i) {
            joints.push_back(std::make_unique<btPoint2PointConstraint>(*links[static_cast<std::size_t>(i)],
                                                                       *links[static_cast<std::size_t>(i) + 1],
                                                                       vec(0.5, 0, 0), vec(-0.5, 0, 0)));
        }
        if (reversed) {
            std::reverse(joints.begin(), joints.end());
        }
        for (const auto& joint : joints) {
            world.world->addConstraint(joint.get(), true);
        }
        auto& spring = world.add<SpringDamperParallel>(*links[2], vec(0.5, 0, 0), vec(2, 1, 0),
                                                       SpringDamperParameters{.c = 200, .d = 0, .s_rel0 = 1});
        double start = spring.storedEnergy();
        double highest = 0;
        double apart = 0;
        for (int i = 0; i < 60; ++i) {
            world.tick();
            double energy = spring.storedEnergy() - start;
            for (const btRigidBody* link : links) {
                energy += energyOf(*link);
            }
            highest = std::max(highest, energy);
            for (std::size_t k = 0; k + 1 < links.size(); ++k) {
                const btVector3 gap = links[k]->getWorldTransform() * vec(0.5, 0, 0) -
                                      links[k + 1]->getWorldTransform() * vec(-0.5, 0, 0);
                apart = std::max(apart, static_cast<double>(gap.length()));
            }
        }
        CHECK(highest <= byPrecision(1e-9, 1e-4));
        CHECK(apart < byPrecision(1e-12, 2e-6));
        CHECK_FALSE(spring.uncoupled());
        std::vector<btScalar> state;
        for (const btRigidBody* link : links) {
            for (int k = 0; k < 3; ++k) {
                state.push_back(link->getWorldTransform().getOrigin()[k]);
                state.push_back(link->getAngularVelocity()[k]);
            }
        }
        for (const auto& joint : joints) {
            world.world->removeConstraint(joint.get());
        }
        return state;
    };
    const auto state = run(10, false);
    CHECK(run(1, false) == state);
    CHECK(run(50, false) == state);
    CHECK(run(10, true) == state);
}

// What rounding does to where the load hangs, its weight makes as large as all other energy there is.
TEST_CASE("a load hangs at rest on a chain of light links, without a tick beyond its budget") {
    for (const double hz : {60., 240.}) {
        for (const double mass : {15., 150., 1500.}) {
            TestWorld world;
            btRigidBody* last = nullptr;
            for (int i = 0; i < 8; ++i) {
                btRigidBody& link =
                    world.body(0.3, new btCapsuleShape(btScalar(0.03), btScalar(0.14)), at(0, 3.9 - 0.2 * i, 0));
                if (last == nullptr) {
                    world.add<btPoint2PointConstraint>(link, vec(0, 0.1, 0));
                } else {
                    world.add<btPoint2PointConstraint>(*last, link, vec(0, -0.1, 0), vec(0, 0.1, 0));
                }
                last = &link;
            }
            btRigidBody& load = world.body(mass, new btBoxShape(vec(0.3, 0.3, 0.3)), at(0, 2.1, 0));
            world.add<btPoint2PointConstraint>(*last, load, vec(0, -0.1, 0), vec(0, 0.3, 0));
            world.add<SpringDamperParallel>(load, vec(0, 0, 0), vec(0, 2, 3),
                                            SpringDamperParameters{.c = 1e-9, .d = 0, .s_rel0 = 1});
            const auto ticks = static_cast<int>(2 * hz);
            world.tick(ticks, hz);
            CHECK(world.plugin->totals().ticks == ticks);
            CHECK(world.plugin->totals().fallbacks == 0);
            CHECK(double(load.getWorldTransform().getOrigin().y()) == Approx(2.1).margin(byPrecision(1e-9, 2e-5)));
        }
    }
}

TEST_CASE("a fixed joint makes one body of two") {
    TestWorld world;
    btRigidBody& left = world.box(1, 0, 1, 0);
    btRigidBody& right = world.box(1, 0.3, 1, 0);
    btFixedConstraint weld(left, right, at(0.15, 0, 0), at(-0.15, 0, 0));
    world.world->addConstraint(&weld, true);
    // Under the common centre of mass, seen from the left box.
    world.add<SpringDamperParallel>(left, vec(0.15, 0, 0), vec(0.15, 0, 0),
                                    SpringDamperParameters{.c = 2 * kGravity / 0.1, .d = 0, .s_rel0 = 1.1});
    for (int i = 0; i < 300; ++i) {
        world.tick();
        REQUIRE(heightOf(left) == Approx(heightOf(right)).margin(byPrecision(1e-9, 1e-4)));
    }
    // In balance: neither sinks.
    CHECK(heightOf(left) == Approx(1).margin(byPrecision(1e-9, 1e-3)));
    world.world->removeConstraint(&weld);
}

TEST_CASE("a carriage on a slider swings on its spring for ever") {
    const double hz = GENERATE(60., 240.);
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& carriage = world.box(1, 0.3, 0, 0);
    btSliderConstraint slider(carriage, at(0, 0, 0), true);
    slider.setLowerLinLimit(1);
    slider.setUpperLinLimit(-1);
    world.world->addConstraint(&slider);
    // The spring pulls above the centre: the slider carries the moment.
    auto& spring =
        world.add<SpringDamperParallel>(Placement::alongAxis(Placement::world(), carriage, at(0, 0, 0), at(0, 0.2, 0)),
                                        SpringDamperParameters{.c = 100, .d = 0});
    double worst = 0;
    for (int i = 1; i <= 5 * static_cast<int>(hz); ++i) {
        world.tick(1, hz);
        worst = std::max(worst, std::abs(static_cast<double>(carriage.getWorldTransform().getOrigin().x()) -
                                         0.3 * std::cos(10 * i / hz)));
    }
    CAPTURE(hz, worst);
    CHECK(worst < byPrecision(1e-8, 1e-4));
    CHECK_FALSE(spring.uncoupled());
    world.world->removeConstraint(&slider);
}

TEST_CASE("a door that Bullet's motor has held is taken over without a kick") {
    TestWorld world;
    btRigidBody& door = bar(world, 1, 0.5, 0);
    btHingeConstraint hinge(door, vec(-0.5, 0, 0), vec(0, 0, 1));
    world.world->addConstraint(&hinge);
    // A spring that pulls at nothing, of a joint that is soft and so none of the flow's.
    btGeneric6DofSpring2Constraint foreign(door, at(0, 0, 0));
    foreign.setLinearLowerLimit(vec(1, 1, 1));
    foreign.setLinearUpperLimit(vec(-1, -1, -1));
    world.world->addConstraint(&foreign);
    auto& spring = world.add<SpringDamperParallel>(door, vec(0.5, 0, 0), vec(1, 1, 0),
                                                   SpringDamperParameters{.c = 50, .d = 20, .s_rel0 = 1});
    for (int i = 0; i < 10; ++i) {
        hinge.enableAngularMotor(true, 0, 1000);
        foreign.enableSpring(0, true);
        foreign.setParam(BT_CONSTRAINT_STOP_CFM, btScalar(0.001), 0);
        world.tick(30);
        CHECK(spring.uncoupled());
        hinge.enableAngularMotor(false, 0, 0);
        foreign.enableSpring(0, false);
        foreign.setParam(BT_CONSTRAINT_STOP_CFM, 0, 0);
        const double before = static_cast<double>(door.getAngularVelocity().z());
        world.tick();
        // Gravity and the spring at most, over one tick.
        const double mostGained = (kGravity * 0.5 + 50) / (inertiaOf(door) + 0.25) / 60;
        CHECK(std::abs(static_cast<double>(door.getAngularVelocity().z()) - before) < mostGained);
        world.tick(60);
    }
    CAPTURE(world.messages);
    CHECK(std::count_if(world.messages.begin(), world.messages.end(), [](const std::string& message) {
              return message.find("is solved uncoupled") != std::string::npos;
          }) == 1);
    CHECK(world.messages.size() <= 2);
    world.world->removeConstraint(&hinge);
    world.world->removeConstraint(&foreign);
}

TEST_CASE("the book of a jointed network closes") {
    TestWorld world;
    btRigidBody& door = bar(world, 1, 0.5, 0.001);  // its hinge is a millimetre apart
    btHingeConstraint hinge(door, vec(-0.5, 0, 0), vec(0, 0, 1));
    hinge.getAFrame().getOrigin() = vec(-0.5, 0, 0);
    world.world->addConstraint(&hinge);
    const btQuaternion up(vec(0, 0, 1), SIMD_HALF_PI);
    world.add<ElastoGap>(door, btTransform(up, vec(0.5, 0, 0)), btTransform(up, vec(1, -0.5, 0)),
                         ElastoGapParameters{.c = 1e4, .d = 20});
    const EnergyBook before = world.plugin->energy();
    world.tick(600);
    const EnergyBook after = world.plugin->energy();
    const double gain = after.kinetic + after.stored - before.kinetic - before.stored;
    CHECK(gain == Approx(after.work + after.pushed - after.exchanged - after.damping - after.dissipated -
                         after.contacts + after.numerical)
                      .margin(byPrecision(1e-9, 1e-4)));
    CHECK(after.dissipated > 1);
    CHECK(std::abs(after.numerical) < byPrecision(1e-7, 1e-3));
    world.world->removeConstraint(&hinge);
}

TEST_CASE("joints that the flow cannot hold stay Bullet's") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& mass = world.ball(1, 0, 0, 0);
    auto& spring = world.add<SpringDamperParallel>(mass, vec(0, 0, 0), vec(0, 1, 0),
                                                   SpringDamperParameters{.c = 10, .d = 1, .s_rel0 = 1});
    SECTION("one that is soft") {
        btPoint2PointConstraint joint(mass, vec(0, 0, 0));
        joint.setParam(BT_CONSTRAINT_CFM, btScalar(0.1));
        world.world->addConstraint(&joint);
        mass.applyCentralForce(vec(0, -3, 0));
        world.tick();
        CHECK(spring.uncoupled());
        world.world->removeConstraint(&joint);
    }
    SECTION("one whose body was taken out of the world") {
        btRigidBody& q = world.ball(1, 5, 0, 0);
        btRigidBody& r = world.ball(1, 6, 0, 0);
        btPoint2PointConstraint joint(q, r, vec(0.5, 0, 0), vec(-0.5, 0, 0));
        world.world->addConstraint(&joint);
        world.tick(3);
        world.world->removeRigidBody(&r);
        world.tick(3);
        CHECK(std::isfinite(static_cast<double>(q.getWorldTransform().getOrigin().y())));
        world.world->removeConstraint(&joint);
    }
    SECTION("a fixed joint that was put on the wrong way round") {
        btTransform turned = at(0, 0, 0);
        turned.setRotation(btQuaternion(vec(1, 0, 0), SIMD_PI));
        btRigidBody& other = world.ball(1, 0.3, 0, 0);
        btFixedConstraint weld(mass, other, at(0.15, 0, 0), btTransform(turned.getRotation(), vec(-0.15, 0, 0)));
        world.world->addConstraint(&weld, true);
        world.tick();
        CHECK(spring.uncoupled());
        world.world->removeConstraint(&weld);
    }
}

TEST_CASE("the book closes when a jointed network touches the floor and leaves it") {
    const bool isCoupled = GENERATE(true, false);
    TestWorld world;
    world.body(0, new btBoxShape(vec(5, 1, 5)), at(0, -1.6, 0));
    btRigidBody& upper = world.ball(1, 0, 0, 0);
    btRigidBody& lower = world.ball(1, 0.3, -0.1, 0);
    lower.setLinearVelocity(vec(0, 0, 1));
    if (!isCoupled) {
        lower.setAnisotropicFriction(vec(1, 1, 0.5));  // the flow cannot solve its contacts
    }
    btPoint2PointConstraint joint(upper, lower, vec(0, -0.2, 0), vec(-0.3, -0.1, 0));
    world.world->addConstraint(&joint, true);
    auto& spring = world.add<Spring>(upper, vec(0, 0, 0), vec(0, 1, 0), 20., 1.);
    world.tick();
    const auto unbooked = [&] {
        const EnergyBook book = world.plugin->energy();
        return book.kinetic + book.stored -
               (book.work + book.pushed - book.exchanged - book.damping - book.dissipated - book.contacts +
                book.numerical);
    };
    const double before = unbooked();
    int uncoupled = 0;
    for (int i = 0; i < 300; ++i) {
        world.tick();
        uncoupled += spring.uncoupled() ? 1 : 0;
        REQUIRE(unbooked() == Approx(before).margin(byPrecision(1e-9, 1e-3)));
    }
    CHECK(uncoupled < 300);
    CHECK((isCoupled ? world.plugin->totals().coupled : uncoupled) > 0);
    CHECK((isCoupled ? uncoupled : world.plugin->totals().coupled) == 0);
    world.world->removeConstraint(&joint);
}

}  // namespace joints_test
