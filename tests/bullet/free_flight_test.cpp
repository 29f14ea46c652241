// Bodies without elements that touch nothing fly exactly (Plugin::setFreeFlight), and what they meet belongs to them.

#include <catch2/catch.hpp>

#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "../determinism/world_hash.h"
#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace free_flight_test {

namespace {

constexpr double kG = TestWorld::kGravity;

class FlyingWorld : public TestWorld {
public:
    FlyingWorld() { plugin->setFreeFlight(true); }
};

Eigen::Vector3d eigen(const btVector3& v) {
    return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

Eigen::Vector3d placeOf(const btRigidBody& body) {
    return eigen(body.getWorldTransform().getOrigin());
}

Eigen::Quaterniond turnOf(const btRigidBody& body) {
    const btQuaternion q = body.getWorldTransform().getRotation();
    return {static_cast<double>(q.w()), static_cast<double>(q.x()), static_cast<double>(q.y()),
            static_cast<double>(q.z())};
}

/// A brick of 1 kg with principal moments of 1, 2 and 3 kg.m2 that tumbles about its middle axis.
btRigidBody& brick(TestWorld& world, bool isGyroscopic = true) {
    btRigidBody& body = world.ball(1, 0, 0, 0);
    body.setMassProps(1, vec(1, 2, 3));
    body.updateInertiaTensor();
    body.setAngularVelocity(vec(0.1, 6, 0.2));
    if (!isGyroscopic) body.setFlags(0);
    return body;
}

/// Euler's equations in the body and the quaternion's, by classical Runge-Kutta with steps that leave no error.
struct Tumbling {
    Eigen::Vector3d inertia = {1, 2, 3};
    Eigen::Vector3d w = {0.1, 6, 0.2};  // in the body
    Eigen::Quaterniond q = Eigen::Quaterniond::Identity();

    void advance(double h, int steps) {
        using State = Eigen::Matrix<double, 7, 1>;
        State y;
        y << w, q.coeffs();
        const auto slope = [this](const State& at) {
            const Eigen::Vector3d rate = at.head<3>();
            const Eigen::Quaterniond turn(at[6], at[3], at[4], at[5]);
            State to;
            const Eigen::Vector3d momentum = inertia.cwiseProduct(rate);
            to.head<3>() = -rate.cross(momentum).cwiseQuotient(inertia);
            to.tail<4>() = (turn * Eigen::Quaterniond(0, rate.x() / 2, rate.y() / 2, rate.z() / 2)).coeffs();
            return to;
        };
        const double dt = h / steps;
        for (int i = 0; i < steps; ++i) {
            const State k1 = slope(y);
            const State k2 = slope(y + dt / 2 * k1);
            const State k3 = slope(y + dt / 2 * k2);
            const State k4 = slope(y + dt * k3);
            y += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        }
        w = y.head<3>();
        q = Eigen::Quaterniond(y[6], y[3], y[4], y[5]).normalized();
    }
};

double totalOf(const EnergyBook& book) {
    return book.kinetic + book.stored - book.work - book.pushed + book.dissipated + book.damping + book.contacts +
           book.exchanged - book.numerical;
}

/// How deep the points of all contacts ever were.
double deepestOf(TestWorld& world) {
    double deepest = 0;
    for (int i = 0; i < world.dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(i);
        for (int k = 0; k < manifold.getNumContacts(); ++k) {
            deepest = std::max(deepest, -static_cast<double>(manifold.getContactPoint(k).getDistance()));
        }
    }
    return deepest;
}

}  // namespace

TEST_CASE("a thrown ball follows its parabola at any rate") {
    const double hz = GENERATE(30.0, 60.0, 240.0, 1000.0);
    const auto thrown = [&](bool isExact) {
        TestWorld world;
        world.plugin->setFreeFlight(isExact);
        btRigidBody& ball = world.ball(0.3, 1, 2, 3);
        ball.setLinearVelocity(vec(3, 5, -1));
        ball.setAngularVelocity(vec(1, -2, 3));
        world.tick(static_cast<int>(hz), hz);
        CHECK(world.plugin->statistics().flying == (isExact ? 1 : 0));
        CHECK(world.plugin->statistics().networks == 0);
        return std::pair(placeOf(ball), eigen(ball.getLinearVelocity()));
    };
    CAPTURE(hz);
    const Eigen::Vector3d place(1 + 3, 2 + 5 - kG / 2, 3 - 1);
    const Eigen::Vector3d velocity(3, 5 - kG, -1);
    const auto [exactPlace, exactVelocity] = thrown(true);
    CHECK((exactPlace - place).norm() < byPrecision(1e-9, 1e-5));
    CHECK((exactVelocity - velocity).norm() < byPrecision(1e-9, 1e-5));
    const auto [plainPlace, plainVelocity] = thrown(false);
    CHECK((plainPlace - place).norm() == Approx(kG / hz / 2).epsilon(0.01));
    CHECK((plainVelocity - velocity).norm() < byPrecision(1e-9, 1e-4));
}

TEST_CASE("forces and loads act on what flies over the whole tick") {
    FlyingWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& pushed = world.ball(2, 0, 0, 0);
    btRigidBody& shaken = world.ball(2, 5, 0, 0);
    world.plugin->addLoad(Load::sine(shaken, Load::Kind::Force, vec(0, 0, 1), {.amplitude = 40, .f = 7}));
    for (int i = 0; i < 60; ++i) {
        pushed.applyCentralForce(vec(6, 0, 0));
        world.tick();
    }
    CHECK(placeOf(pushed).x() == Approx(1.5).epsilon(byPrecision(1e-12, 1e-5)));
    const double w = 2 * M_PI * 7;
    CHECK(placeOf(shaken).z() == Approx(40 / 2. * (1 / w - std::sin(w) / (w * w))).epsilon(byPrecision(1e-9, 1e-4)));
}

TEST_CASE("a body tumbles in flight as Euler's equations say, and keeps its angular momentum") {
    const double hz = GENERATE(30.0, 60.0, 240.0);
    FlyingWorld world;
    btRigidBody& body = brick(world);
    Tumbling reference;
    world.tick(static_cast<int>(2 * hz), hz);
    reference.advance(2, 20000);
    CAPTURE(hz);
    CHECK(turnOf(body).angularDistance(reference.q) < byPrecision(1e-7, 1e-4));
    const Eigen::Vector3d w = turnOf(body).conjugate() * eigen(body.getAngularVelocity());
    CHECK((w - reference.w).norm() < byPrecision(1e-7, 1e-4));
    const Eigen::Vector3d momentum = turnOf(body) * w.cwiseProduct(reference.inertia);
    CHECK((momentum - Eigen::Vector3d(0.1, 12, 0.6)).norm() < byPrecision(1e-8, 1e-4));
    CHECK(w.dot(w.cwiseProduct(reference.inertia)) == Approx(0.01 + 72 + 0.12).epsilon(byPrecision(1e-12, 1e-5)));
    CHECK(placeOf(body).y() == Approx(-2 * kG).epsilon(byPrecision(1e-12, 1e-5)));
}

TEST_CASE("without a gyroscopic flag a body turns on about its axis, as Bullet has it") {
    FlyingWorld world;
    btRigidBody& body = brick(world, false);
    world.tick(120);
    const Eigen::Vector3d w(0.1, 6, 0.2);
    CHECK((eigen(body.getAngularVelocity()) - w).norm() < byPrecision(1e-12, 1e-5));
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(2 * w.norm(), w.normalized()));
    CHECK(turnOf(body).angularDistance(turn) < byPrecision(1e-7, 1e-4));
}

TEST_CASE("off, a world without elements is Bullet's bit for bit, and with free flight it is not") {
    const auto run = [](bool withPlugin, bool isExact) {
        TestWorld world(withPlugin);
        if (withPlugin) world.plugin->setFreeFlight(isExact);
        world.box(0, 0, -1, 0, 1);
        for (int i = 0; i < 5; ++i) world.ball(1, 0.01 * i, 1 + i, 0).setAngularVelocity(vec(i, 1, 0));
        std::vector<std::uint64_t> hashes;
        for (int i = 0; i < 200; ++i) {
            world.tick();
            hashes.push_back(hashOf(*world.world));
        }
        return hashes;
    };
    const std::vector<std::uint64_t> plain = run(false, false);
    CHECK(run(true, false) == plain);
    CHECK(run(true, true) != plain);
    CHECK_FALSE(TestWorld().plugin->freeFlight());
    CHECK(FlyingWorld().plugin->freeFlight());
}

TEST_CASE("bodies that bounce come back as restitution says, at any rate") {
    const double e = GENERATE(1.0, 0.5);
    const double hz = GENERATE(60.0, 240.0);
    FlyingWorld world;
    btRigidBody& floor = world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
    floor.setRestitution(1);
    btRigidBody& ball = world.ball(1, 0, 1.05, 0);
    ball.setRestitution(btScalar(e));
    // Closed form: falls 1 m, then bounces of the duration 2 v/g with v e at a time.
    double t = 0;
    const auto heightAt = [&](double time) {
        double v = std::sqrt(2 * kG);
        double left = time - v / kG;
        if (left < 0) return 1 - kG * time * time / 2;
        for (v *= e; left > 2 * v / kG; v *= e) left -= 2 * v / kG;
        return v * left - kG * left * left / 2;
    };
    double most = 0;
    for (int i = 0; i < static_cast<int>(1.2 * hz); ++i) {
        world.tick(1, hz);
        t += 1 / hz;
        most = std::max(most, std::fabs(heightOf(ball) - 0.05 - heightAt(t)));
    }
    CAPTURE(e, hz);
    CHECK(most < byPrecision(1e-7, 1e-5));
}

TEST_CASE("what has landed and rests is Bullet's, where Bullet lets it rest") {
    FlyingWorld world;
    world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
    btRigidBody& box = world.box(1, 0, 1, 0);
    btRigidBody& ball = world.ball(1, 3, 1, 0);
    world.tick(20);
    CHECK(world.plugin->statistics().flying == 2);
    world.tick(100);
    CHECK(world.plugin->statistics().flying == 0);
    CHECK(heightOf(box) == Approx(0.1).margin(1e-3));
    CHECK(heightOf(ball) == Approx(0.05).margin(1e-3));
    CHECK(eigen(box.getLinearVelocity()).norm() < 1e-2);
    CHECK(eigen(ball.getLinearVelocity()).norm() < 1e-2);
}

TEST_CASE("what lands goes no deeper into the ground than in Bullet alone") {
    const int kind = GENERATE(range(0, 6));
    const bool isBoxBelow = GENERATE(false, true);
    const auto shapeOf = [kind]() -> btCollisionShape* {
        switch (kind) {
            case 0:
                return new btSphereShape(btScalar(0.1));
            case 1:
                return new btBoxShape(vec(0.1, 0.2, 0.15));
            case 2:
                return new btCapsuleShape(btScalar(0.1), btScalar(0.3));
            case 3:
                return new btCylinderShape(vec(0.1, 0.2, 0.1));
            case 4: {
                auto* hull = new btConvexHullShape();
                for (const btVector3& corner :
                     {vec(-0.2, -0.1, -0.1), vec(0.2, -0.1, -0.1), vec(0, 0.2, -0.1), vec(0, 0, 0.2)}) {
                    hull->addPoint(corner);
                }
                return hull;
            }
            default:
                return new btBoxShape(vec(0.02, 0.3, 0.3));
        }
    };
    const auto deepest = [&](bool isExact) {
        TestWorld world;
        world.plugin->setFreeFlight(isExact);
        if (isBoxBelow) {
            world.body(0, new btBoxShape(vec(20, 1, 20)), at(0, -1, 0));
        } else {
            world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
        }
        double most = 0, sum = 0;
        for (int i = 0; i < 12; ++i) {
            const btTransform start(btQuaternion(vec(1, 0.3 * i, 0.2).normalized(), btScalar(0.4 * i)),
                                    vec(2 * i - 12, 0.8 + 0.07 * i, 0));
            btRigidBody& body = world.body(1, shapeOf(), start);
            body.setAngularVelocity(vec(3, 0.5 * i, -2));
            body.setLinearVelocity(vec(0, 0, 1));
        }
        for (int i = 0; i < 90; ++i) {
            world.tick();
            most = std::max(most, deepestOf(world));
            sum += deepestOf(world);
        }
        return std::pair(most, sum / 90);
    };
    const auto [ours, oursMean] = deepest(true);
    const auto [plain, plainMean] = deepest(false);
    CAPTURE(kind, isBoxBelow, ours, plain, oursMean, plainMean);
    CHECK(ours < plain);
}

TEST_CASE("continuous collision detection stops what flies") {
    FlyingWorld world;
    world.body(0, new btBoxShape(vec(0.01, 2, 2)), at(5, 0, 0));
    btRigidBody& bullet = world.ball(0.01, 0, 0, 0, 0.02);
    bullet.setCcdMotionThreshold(btScalar(0.02));
    bullet.setCcdSweptSphereRadius(btScalar(0.01));
    bullet.setLinearVelocity(vec(300, 0, 0));
    double farthest = 0;
    for (int i = 0; i < 30; ++i) {
        world.tick();
        farthest = std::max(farthest, placeOf(bullet).x());
    }
    CHECK(farthest < 5);
    CHECK(farthest > 4.9);
}

TEST_CASE("a thrown body is caught by an element the same way at any rate") {
    const auto caught = [](double hz) {
        FlyingWorld world;
        btRigidBody& tray = world.body(2, new btBoxShape(vec(0.5, 0.05, 0.5)), at(0, 0, 0));
        tray.setLinearFactor(vec(0, 1, 0));
        tray.setAngularFactor(vec(0, 0, 0));
        world.add<SpringDamperParallel>(tray, vec(0, 0, 0), vec(0, -1, 0),
                                        SpringDamperParameters{.c = 3000, .d = 20, .s_rel0 = 1 + 2 * kG / 3000});
        // Not on the tray: what touches something has not flown yet, and its first tick is Bullet's.
        btRigidBody& ball = world.ball(0.5, -0.4, 0.11, 0);
        ball.setLinearVelocity(vec(0.5, 4, 0));
        world.tick(static_cast<int>(hz), hz);
        CHECK(world.plugin->statistics().uncoupled == 0);
        return std::pair(placeOf(ball), heightOf(tray));
    };
    const auto [ball, tray] = caught(60);
    const auto [fineBall, fineTray] = caught(960);
    CHECK((ball - fineBall).norm() < byPrecision(1e-7, 1e-3));
    CHECK(tray == Approx(fineTray).margin(byPrecision(1e-7, 1e-3)));
}

TEST_CASE("a world saved in flight and in a bounce goes on with the same bits") {
    const auto build = [] {
        auto world = std::make_unique<FlyingWorld>();
        world->body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0)).setRestitution(1);
        for (int i = 0; i < 4; ++i) {
            btRigidBody& box = world->box(1, 0.5 * i, 0.5 + 0.2 * i, 0);
            box.setRestitution(btScalar(0.6));
            box.setAngularVelocity(vec(i, 2, 1));
        }
        return world;
    };
    const int at = GENERATE(7, 23, 31);
    const auto run = [](TestWorld& world) {
        std::vector<std::uint64_t> hashes;
        for (int i = 0; i < 60; ++i) {
            world.tick();
            hashes.push_back(hashOf(*world.world));
        }
        return hashes;
    };
    const auto world = build();
    world->tick(at);
    const WorldSnapshot snapshot = world->plugin->saveWorld();
    const std::vector<std::uint64_t> first = run(*world);
    world->plugin->restoreWorld(snapshot);
    CHECK(run(*world) == first);
    const auto fresh = build();
    fresh->plugin->restoreWorld(snapshot);
    CHECK(run(*fresh) == first);
}

TEST_CASE("the energy book closes over flights, pushes, damping and bounces") {
    FlyingWorld world;
    btRigidBody& floor = world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
    floor.setRestitution(1);
    btRigidBody& ball = world.ball(0.5, 0, 3, 0);
    btRigidBody& damped = world.ball(2, 4, 6, 0);
    ball.setRestitution(btScalar(0.7));
    ball.setLinearVelocity(vec(1, 2, 0));
    damped.setDamping(btScalar(0.2), btScalar(0.1));
    damped.setAngularVelocity(vec(0, 5, 0));
    world.plugin->addLoad(Load::sine(ball, Load::Kind::Force, vec(1, 0, 0), {.amplitude = 3, .f = 2}));
    world.tick();
    const EnergyBook first = world.plugin->energy();
    const Eigen::Vector3d v0 = eigen(ball.getLinearVelocity());
    const double start = heightOf(ball), startOfDamped = heightOf(damped);
    CHECK(first.kinetic == Approx(kineticOf(ball) + kineticOf(damped)).epsilon(byPrecision(1e-12, 1e-5)));
    world.tick(30);
    const EnergyBook flown = world.plugin->energy();
    const Eigen::Vector3d v1 = eigen(ball.getLinearVelocity());
    const double byLoad = 0.5 * 0.5 * (v1.x() * v1.x() - v0.x() * v0.x());
    const double byGravity = kG * (0.5 * (start - heightOf(ball)) + 2 * (startOfDamped - heightOf(damped)));
    CHECK(flown.work - first.work == Approx(byLoad + byGravity).epsilon(byPrecision(1e-10, 1e-4)));
    CHECK(flown.damping > 0);
    CHECK(flown.contacts == 0);
    CHECK(totalOf(flown) == Approx(totalOf(first)).margin(byPrecision(1e-10, 1e-4)));
    for (int i = 0; i < 200; ++i) {
        if (i == 50) ball.applyCentralImpulse(vec(0, 1, 0));
        world.tick();
        CAPTURE(i);
        REQUIRE(totalOf(world.plugin->energy()) == Approx(totalOf(first)).margin(byPrecision(1e-9, 1e-3)));
    }
    const EnergyBook last = world.plugin->energy();
    CHECK(last.contacts > 1);
    CHECK(std::fabs(last.numerical) < byPrecision(1e-9, 1e-4));
    CHECK(last.pushed > 0);
}

TEST_CASE("nothing falls asleep at the top of its flight, and what floats at rest does") {
    const auto thrown = [](bool isExact) {
        TestWorld world;
        world.plugin->setFreeFlight(isExact);
        world.world->setGravity(vec(0, -0.1, 0));
        btRigidBody& ball = world.ball(1, 0, 0, 0);
        ball.forceActivationState(ACTIVE_TAG);
        ball.setLinearVelocity(vec(0, 1, 0));
        world.tick(60 * 20);
        return heightOf(ball);
    };
    CHECK(thrown(true) == Approx(0).margin(byPrecision(1e-9, 1e-3)));
    CHECK(thrown(false) > 1);  // Bullet's own rule leaves it hanging up there

    FlyingWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& still = world.ball(1, 0, 0, 0);
    btRigidBody& drifting = world.ball(1, 5, 0, 0);
    still.forceActivationState(ACTIVE_TAG);
    drifting.forceActivationState(ACTIVE_TAG);
    drifting.setLinearVelocity(vec(0.01, 0, 0));
    world.tick(60 * 10);
    CHECK(still.getActivationState() == ISLAND_SLEEPING);
    CHECK(drifting.isActive());
    CHECK(placeOf(drifting).x() == Approx(5.1).epsilon(byPrecision(1e-12, 1e-5)));
}

TEST_CASE("damping acts on what flies as Bullet applies it") {
    FlyingWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& body = world.ball(1, 0, 0, 0);
    body.setDamping(btScalar(0.3), btScalar(0.2));
    body.setLinearVelocity(vec(3, 0, 0));
    body.setAngularVelocity(vec(0, 0, 2));
    world.tick(60);
    CHECK(static_cast<double>(body.getLinearVelocity().x()) == Approx(2.1).epsilon(byPrecision(1e-12, 1e-5)));
    CHECK(static_cast<double>(body.getAngularVelocity().z()) == Approx(1.6).epsilon(byPrecision(1e-12, 1e-5)));
}

TEST_CASE("bodies on joints, kinematic ones and those at rest on others do not fly") {
    FlyingWorld world;
    world.body(0, new btStaticPlaneShape(vec(0, 1, 0), -5), at(0, 0, 0));
    btRigidBody& hung = world.box(1, 0, 0, 0);
    world.elements.push_back(std::make_unique<btPoint2PointConstraint>(hung, vec(0, 1, 0)));
    world.world->addConstraint(world.elements.back().get());
    btRigidBody& driven = world.box(0, 3, 0, 0);
    driven.setCollisionFlags(driven.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    world.box(1, 6, -4.9, 0);
    for (int i = 0; i < 60; ++i) {
        world.tick();
        REQUIRE(world.plugin->statistics().flying == 0);
    }
    btRigidBody& ball = world.ball(1, 3, 0.5, 0);  // which falls on the driven one
    world.tick(10);
    CHECK(world.plugin->statistics().flying == 1);
    world.tick(20);
    CHECK(heightOf(ball) > 0.1);
    // Until somebody removes the joint.
    world.world->removeConstraint(world.elements.back().get());
    world.elements.pop_back();
    world.tick();
    CHECK(world.plugin->statistics().flying >= 1);
}

TEST_CASE("a heap of more than eight is Bullet's when what flies meets it") {
    FlyingWorld world;
    world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
    for (int i = 0; i < 10; ++i) world.box(1, 0, 0.1 + 0.2 * i, 0);
    btRigidBody& ball = world.ball(0.1, 0.01, 3, 0);
    world.tick(10);
    CHECK(world.plugin->statistics().flying == 1);
    for (int i = 0; i < 60; ++i) {
        world.tick();
        REQUIRE(world.plugin->statistics().flying <= 1);
    }
    CHECK(heightOf(ball) > 1.9);
}

TEST_CASE("flights have the same bits on several threads") {
    const auto run = [](int threads) {
        FlyingWorld world;
        if (threads > 1) {
            world.plugin->setJobRunner([](int count, const std::function<void(int)>& job) {
                for (int i = count - 1; i >= 0; --i) job(i);
            });
        }
        world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
        for (int i = 0; i < 30; ++i) {
            btRigidBody& box = world.box(1, 0.5 * i, 0.5 + 0.1 * i, 0);
            box.setAngularVelocity(vec(i, 2, 1));
        }
        world.tick(60);
        return hashOf(*world.world);
    };
    CHECK(run(1) == run(4));
}

TEST_CASE("rigid bodies fly in a world of multibodies too") {
    TestWorld world(false, std::make_unique<btMultiBodyConstraintSolver>());
    world.world = std::make_unique<btMultiBodyDynamicsWorld>(
        &world.dispatcher, &world.broadphase, static_cast<btMultiBodyConstraintSolver*>(world.solver.get()),
        &world.configuration);
    world.world->setGravity(vec(0, -kG, 0));
    world.install();
    world.plugin->setFreeFlight(true);
    btRigidBody& ball = world.ball(1, 0, 0, 0);
    world.tick(60);
    CHECK(heightOf(ball) == Approx(-kG / 2).epsilon(byPrecision(1e-12, 1e-5)));
}

TEST_CASE("what is drawn of a flight lies between its ticks") {
    FlyingWorld world;
    btRigidBody& ball = world.ball(1, 0, 0, 0);
    ball.setLinearVelocity(vec(2, 0, 0));
    world.tick();
    // One tick and half of the next: Bullet draws what lies on the straight line between the last two poses.
    const double before = heightOf(ball);
    world.world->stepSimulation(btScalar(1.5 / 60), 1, btScalar(1. / 60));
    const btVector3 drop = ball.getInterpolationLinearVelocity();
    CHECK(static_cast<double>(drop.y()) == Approx((heightOf(ball) - before) * 60).epsilon(byPrecision(1e-9, 1e-3)));
}

TEST_CASE("a flight is known inside its tick") {
    FlyingWorld world;
    btRigidBody& ball = world.ball(1, 0, 0, 0);
    ball.setLinearVelocity(vec(2, 0, 0));
    world.tick(60);
    const double t = 0.005;
    const double time = 59. / 60 + t;
    const auto inside = world.plugin->insideTick(t).body(ball);
    REQUIRE(inside);
    CHECK(inside->position.x() == Approx(2 * time).epsilon(byPrecision(1e-12, 1e-6)));
    CHECK(inside->position.y() == Approx(-kG * time * time / 2).epsilon(byPrecision(1e-12, 1e-6)));
    CHECK(inside->velocity.y() == Approx(-kG * time).epsilon(byPrecision(1e-12, 1e-6)));
    const WorldSnapshot snapshot = world.plugin->saveWorld();
    world.plugin->restoreWorld(snapshot);
    CHECK_FALSE(world.plugin->insideTick(t).body(ball));
}

}  // namespace free_flight_test
