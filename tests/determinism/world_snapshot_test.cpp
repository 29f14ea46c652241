// Snapshots of whole worlds: the runs after a restore are equal to the bit, and saving changes nothing.

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>

#include <catch2/catch.hpp>

#include "snapshot_scenes.h"

namespace world_snapshot_test {

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr int kTicks = 300;

std::vector<std::uint64_t> run(SnapshotWorldScene& scene, int from, int ticks) {
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < ticks; ++i) {
        hashes.push_back(scene.step(from + i));
    }
    return hashes;
}

// -1: none.
int firstDifference(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return x == a.end() && y == b.end() ? -1 : static_cast<int>(x - a.begin());
}

}  // namespace

TEST_CASE("300 ticks after a restore are those of the first run, to the bit", "[slow]") {
    const SnapshotScene kind = GENERATE(from_range(std::begin(kSnapshotScenes), std::end(kSnapshotScenes)));
    CAPTURE(nameOf(kind));
    const int savedAt = GENERATE(30, 120, 400);
    CAPTURE(savedAt);

    SnapshotWorldScene first(kind);
    run(first, 0, savedAt);
    const WorldSnapshot snapshot = first.plugin->saveWorld();
    const std::uint64_t hash = first.hash();
    const std::vector<std::uint64_t> hashes = run(first, savedAt, kTicks);
    CHECK(std::adjacent_find(hashes.begin(), hashes.end(), std::not_equal_to<>()) != hashes.end());  // it moves

    first.plugin->restoreWorld(snapshot);
    CHECK(first.hash() == hash);
    CHECK(first.plugin->saveWorld().hash() == snapshot.hash());
    CHECK(firstDifference(run(first, savedAt, kTicks), hashes) == -1);
    first.plugin->restoreWorld(snapshot);
    CHECK(firstDifference(run(first, savedAt, kTicks), hashes) == -1);  // once more

    SnapshotWorldScene fresh(kind, true);  // built the same way, elsewhere in memory
    fresh.plugin->restoreWorld(snapshot);
    CHECK(fresh.hash() == hash);
    CHECK(fresh.plugin->saveWorld().hash() == snapshot.hash());
    CHECK(firstDifference(run(fresh, savedAt, kTicks), hashes) == -1);

    SnapshotWorldScene other(kind, true);  // one that has gone its own way for a while
    run(other, 50, 77);
    other.plugin->restoreWorld(snapshot);
    CHECK(firstDifference(run(other, savedAt, kTicks), hashes) == -1);
}

TEST_CASE("saving does not change the live run", "[slow]") {
    const SnapshotScene kind = GENERATE(from_range(std::begin(kSnapshotScenes), std::end(kSnapshotScenes)));
    CAPTURE(nameOf(kind));
    SnapshotWorldScene plain(kind);
    SnapshotWorldScene saved(kind);
    for (int i = 0; i < kTicks; ++i) {
        if (i % 10 == 0) {
            CHECK(saved.plugin->saveWorld().bodies() == saved.world->getNumCollisionObjects());
        }
        const std::uint64_t expected = plain.step(i);
        REQUIRE(saved.step(i) == expected);
    }
}

TEST_CASE("a rollback of 8 ticks gives the same ticks again", "[slow]") {
    const SnapshotScene kind = GENERATE(from_range(std::begin(kSnapshotScenes), std::end(kSnapshotScenes)));
    CAPTURE(nameOf(kind));
    constexpr int kBack = 8;
    SnapshotWorldScene plain(kind);
    SnapshotWorldScene rolled(kind);
    std::vector<std::uint64_t> hashes;
    std::vector<WorldSnapshot> ring(kBack);
    for (int i = 0; i < 240; ++i) {
        hashes.push_back(plain.step(i));
        ring[static_cast<std::size_t>(i % kBack)] = rolled.plugin->saveWorld();
        REQUIRE(rolled.step(i) == hashes.back());
        const int first = i + 1 - kBack;
        if (first >= 0 && i % 3 == 0) {
            rolled.plugin->restoreWorld(ring[static_cast<std::size_t>(first % kBack)]);
            for (int k = first; k <= i; ++k) {
                REQUIRE(rolled.step(k) == hashes[static_cast<std::size_t>(k)]);
            }
        }
    }
}

TEST_CASE("a world without elements goes back as well") {
    SnapshotWorldScene scene(SnapshotScene::Pile);
    CHECK(scene.elements.empty());
    run(scene, 0, 100);
    const WorldSnapshot snapshot = scene.plugin->saveWorld();
    CHECK(snapshot.bodies() == 31);
    CHECK(snapshot.contactPoints() > 20);
    CHECK(snapshot.size() < 31 * 8000);
    const std::vector<std::uint64_t> hashes = run(scene, 100, 50);
    const WorldSnapshot copy = snapshot;
    scene.plugin->restoreWorld(copy);
    CHECK(firstDifference(run(scene, 100, 50), hashes) == -1);
}

TEST_CASE("what was changed since goes back: bodies, joints, elements, heat ports") {
    SnapshotWorldScene scene(SnapshotScene::Fast);
    run(scene, 0, 60);
    auto& motor = static_cast<btHingeAccumulatedAngleConstraint&>(*scene.elements[0]);
    auto& spring = static_cast<btGeneric6DofSpring2Constraint&>(*scene.elements[1]);
    auto& stop = static_cast<ElastoGap&>(*scene.elements[2]);
    stop.setHeatPort(std::make_shared<HeatPort>());
    btJointFeedback feedback;
    motor.setJointFeedback(&feedback);
    motor.enableFeedback(true);
    run(scene, 60, 2);
    const WorldSnapshot snapshot = scene.plugin->saveWorld();
    const btScalar angle = motor.getAccumulatedHingeAngle();
    const btVector3 torque = feedback.m_appliedTorqueBodyA;
    const double heat = stop.heatPort()->energy();
    CHECK(torque.length() > 0);
    const std::vector<std::uint64_t> hashes = run(scene, 62, 100);
    const double heatLater = stop.heatPort()->energy();
    CHECK(heatLater > heat);

    motor.setMotorTarget(btScalar(1), btScalar(1.0 / 60));
    motor.setLimit(btScalar(-0.1), btScalar(0.1));
    motor.setAccumulatedHingeAngle(btScalar(77));
    motor.setBreakingImpulseThreshold(btScalar(0.001));
    spring.setEnabled(false);
    spring.setStiffness(0, 4000);
    stop.setParameters({.c = 10, .d = 0});
    stop.setS_small(1);
    stop.setT(500);
    btRigidBody& body = *scene.bodies[9];
    body.setGravity(vec(1, 0, 0));
    body.setFriction(btScalar(0.9));
    body.setRestitution(0);
    body.setDamping(btScalar(0.5), btScalar(0.5));
    body.setLinearFactor(vec(0, 1, 1));
    body.setAngularFactor(vec(0, 0, 1));
    body.setCcdMotionThreshold(0);
    body.setContactStiffnessAndDamping(btScalar(100), btScalar(1));
    body.setSleepingThresholds(btScalar(5), btScalar(5));
    body.getBroadphaseHandle()->m_collisionFilterMask = 0;
    run(scene, 62, 10);

    scene.plugin->restoreWorld(snapshot);
    CHECK(motor.getAccumulatedHingeAngle() == angle);
    CHECK(feedback.m_appliedTorqueBodyA == torque);
    CHECK(stop.heatPort()->energy() == heat);
    CHECK(stop.parameters().c == 1e4);
    CHECK(stop.TheatPort() == stop.heatPort()->temperature());
    CHECK(firstDifference(run(scene, 62, 100), hashes) == -1);
    CHECK(stop.heatPort()->energy() == heatLater);
}

TEST_CASE("joints keep what only they know") {
    // Each of Bullet's joints in one chain, with motors, limits and springs that are set anew after the save.
    class Chain : public TestWorld {
    public:
        Chain() {
            ball(0, 0, 5, 0);
            for (int i = 1; i < 9; ++i) {
                box(1, 0.5 * i, 5, 0);
            }
            const btTransform left = at(-0.25, 0, 0);
            const btTransform right = at(0.25, 0, 0);
            auto& hinge = add<btHingeConstraint>(*bodies[0], *bodies[1], right, left);
            hinge.enableAngularMotor(true, 2, btScalar(0.4));
            add<btPoint2PointConstraint>(*bodies[1], *bodies[2], right.getOrigin(), left.getOrigin());
            auto& slider = add<btSliderConstraint>(*bodies[2], *bodies[3], right, left, true);
            slider.setLowerLinLimit(btScalar(-0.1));
            slider.setUpperLinLimit(btScalar(0.2));
            add<btConeTwistConstraint>(*bodies[3], *bodies[4], right, left)
                .setLimit(btScalar(0.5), btScalar(0.4), btScalar(0.3));
            add<btGeneric6DofConstraint>(*bodies[4], *bodies[5], right, left, true)
                .setAngularUpperLimit(vec(0.2, 0.3, 0.4));
            auto& spring = add<btGeneric6DofSpringConstraint>(*bodies[5], *bodies[6], right, left, true);
            spring.enableSpring(5, true);
            spring.setStiffness(5, btScalar(3));
            btVector3 anchor = vec(3.25, 5, 0);
            btVector3 axis1 = vec(0, 1, 0);
            btVector3 axis2 = vec(0, 0, 1);
            add<btUniversalConstraint>(*bodies[6], *bodies[7], anchor, axis1, axis2);
            add<btHinge2Constraint>(*bodies[7], *bodies[8], anchor = vec(3.75, 5, 0), axis1, axis2);
            add<btGearConstraint>(*bodies[1], *bodies[8], axis2, axis2, btScalar(2));
            add<btFixedConstraint>(*bodies[2], *bodies[8], at(1.5, 0, 0), at(-1.5, 0, 0)).setEnabled(false);
        }
        std::uint64_t step() {
            tick();
            return hashOf(*world);
        }
    };
    Chain chain;
    chain.tick(40);
    const WorldSnapshot snapshot = chain.plugin->saveWorld();
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 200; ++i) {
        hashes.push_back(chain.step());
    }
    static_cast<btHingeConstraint&>(*chain.elements[0]).setMotorTargetVelocity(btScalar(-9));
    static_cast<btPoint2PointConstraint&>(*chain.elements[1]).setPivotA(vec(0.4, 0, 0));
    static_cast<btSliderConstraint&>(*chain.elements[2]).setUpperLinLimit(btScalar(0.5));
    static_cast<btConeTwistConstraint&>(*chain.elements[3]).setLimit(btScalar(0.1), btScalar(0.1), btScalar(0.1));
    static_cast<btGeneric6DofConstraint&>(*chain.elements[4]).setAngularUpperLimit(vec(0.1, 0.1, 0.1));
    static_cast<btGeneric6DofSpringConstraint&>(*chain.elements[5]).setStiffness(5, btScalar(30));
    static_cast<btUniversalConstraint&>(*chain.elements[6]).setUpperLimit(btScalar(0.1), btScalar(0.1));
    static_cast<btHinge2Constraint&>(*chain.elements[7]).setUpperLimit(btScalar(0.1));
    static_cast<btGearConstraint&>(*chain.elements[8]).setRatio(btScalar(5));
    chain.elements[9]->setEnabled(true);
    chain.tick(30);
    chain.plugin->restoreWorld(snapshot);
    for (const std::uint64_t expected : hashes) {
        REQUIRE(chain.step() == expected);
    }

    Chain fresh;
    static_cast<btHingeConstraint&>(*fresh.elements[0]).setMotorTargetVelocity(btScalar(-9));
    fresh.plugin->restoreWorld(snapshot);
    CHECK(&fresh.elements[1]->getRigidBodyA() == fresh.bodies[1].get());
    for (const std::uint64_t expected : hashes) {
        REQUIRE(fresh.step() == expected);
    }
}

TEST_CASE("compound shapes of the scene are in touch, child by child") {
    SnapshotWorldScene scene(SnapshotScene::Compounds);
    run(scene, 0, 100);
    int mostTouching = 0;
    int mostManifolds = 0;
    // What touches at one instant of a tumbling pile differs from compiler to compiler.
    for (int tick = 100; tick < 200; ++tick) {
        run(scene, tick, 1);
        int touching = 0;
        int manifolds = 0;
        btManifoldArray found;
        const btBroadphasePairArray& pairs = scene.world->getPairCache()->getOverlappingPairArray();
        for (int i = 0; i < pairs.size(); ++i) {
            const auto& a = *static_cast<btCollisionObject*>(pairs[i].m_pProxy0->m_clientObject);
            const auto& b = *static_cast<btCollisionObject*>(pairs[i].m_pProxy1->m_clientObject);
            if (pairs[i].m_algorithm != nullptr && a.getCollisionShape()->isCompound() &&
                b.getCollisionShape()->isCompound()) {
                found.resize(0);
                pairs[i].m_algorithm->getAllContactManifolds(found);
                touching += found.size() > 0 ? 1 : 0;
                manifolds += found.size();
            }
        }
        mostTouching = std::max(mostTouching, touching);
        mostManifolds = std::max(mostManifolds, manifolds);
    }
    CHECK(mostTouching > 5);
    CHECK(mostManifolds > mostTouching);
}

}  // namespace world_snapshot_test
