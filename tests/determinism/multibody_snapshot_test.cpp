// Snapshots of worlds with multibodies: the runs after a restore are equal to the bit, and what does not fit is
// refused.

#include <BulletDynamics/Featherstone/btMultiBodyJointFeedback.h>

#include <catch2/catch.hpp>

#include "multibody_snapshot_scenes.h"

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr int kTicks = 600;

std::vector<std::uint64_t> run(MultiBodySnapshotScene& scene, int from, int ticks) {
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < ticks; ++i) hashes.push_back(scene.step(from + i));
    return hashes;
}

// -1: none.
int firstDifference(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return x == a.end() && y == b.end() ? -1 : static_cast<int>(x - a.begin());
}

void refuses(MultiBodySnapshotScene& scene, const WorldSnapshot& snapshot, const std::string& words) {
    const std::uint64_t before = scene.hash();
    CHECK_THROWS_WITH(scene.plugin->restoreWorld(snapshot),
                      Catch::Contains("Plugin::restoreWorld") && Catch::Contains(words));
    CHECK(scene.hash() == before);
}

}  // namespace

TEST_CASE("600 ticks of multibodies after a restore are those of the first run, to the bit", "[slow]") {
    const MultiBodyScene kind = GENERATE(from_range(std::begin(kMultiBodyScenes), std::end(kMultiBodyScenes)));
    CAPTURE(nameOf(kind));
    const int savedAt = GENERATE(30, 120, 400);
    CAPTURE(savedAt);

    MultiBodySnapshotScene first(kind);
    run(first, 0, savedAt);
    const WorldSnapshot snapshot = first.plugin->saveWorld();
    const std::uint64_t hash = first.hash();
    const std::vector<std::uint64_t> hashes = run(first, savedAt, kTicks);
    CHECK(std::adjacent_find(hashes.begin(), hashes.end(), std::not_equal_to<>()) != hashes.end());  // it moves
    CHECK_THAT(besideGrades(first.messages), Catch::Matchers::Equals(std::vector<std::string>()));

    first.plugin->restoreWorld(snapshot);
    CHECK(first.hash() == hash);
    CHECK(first.plugin->saveWorld().hash() == snapshot.hash());
    CHECK(firstDifference(run(first, savedAt, kTicks), hashes) == -1);

    MultiBodySnapshotScene fresh(kind);  // built the same way, elsewhere in memory
    fresh.plugin->restoreWorld(snapshot);
    CHECK(fresh.hash() == hash);
    CHECK(fresh.plugin->saveWorld().hash() == snapshot.hash());
    CHECK(firstDifference(run(fresh, savedAt, kTicks), hashes) == -1);

    MultiBodySnapshotScene other(kind);  // one that has gone its own way for a while
    run(other, 50, 77);
    other.plugin->restoreWorld(snapshot);
    CHECK(firstDifference(run(other, savedAt, kTicks), hashes) == -1);
}

TEST_CASE("the scenes of multibodies have what they are there for") {
    MultiBodySnapshotScene leg(MultiBodyScene::Leg);
    bool isOnFloor = false;
    bool isInAir = false;
    for (int i = 0; i < kTicks; ++i) {
        leg.step(i);
        (leg.plugin->saveWorld().contactPoints() > 0 ? isOnFloor : isInAir) = true;
    }
    CHECK(isOnFloor);
    CHECK(isInAir);

    MultiBodySnapshotScene sleeper(MultiBodyScene::Sleeper);
    bool hasSlept = false;
    bool wasWoken = false;
    for (int i = 0; i < 1000; ++i) {
        sleeper.step(i);
        const bool isAsleep = sleeper.colliders.front()->getActivationState() == ISLAND_SLEEPING;
        hasSlept = hasSlept || isAsleep;
        wasWoken = wasWoken || (hasSlept && !isAsleep);
    }
    CHECK(hasSlept);
    CHECK(wasWoken);

    MultiBodySnapshotScene arm(MultiBodyScene::Arm);
    run(arm, 0, kTicks);
    double most = 0;
    for (const auto& constraint : arm.constraints) {
        most = std::max(most, std::abs(static_cast<MultiBodyElement&>(*constraint).heat()));
    }
    CHECK(most > 0.01);
}

TEST_CASE("saving does not change the live run of multibodies", "[slow]") {
    const MultiBodyScene kind = GENERATE(from_range(std::begin(kMultiBodyScenes), std::end(kMultiBodyScenes)));
    CAPTURE(nameOf(kind));
    MultiBodySnapshotScene plain(kind);
    MultiBodySnapshotScene saved(kind);
    for (int i = 0; i < kTicks; ++i) {
        if (i % 10 == 0) CHECK(saved.plugin->saveWorld().size() > 1000);
        const std::uint64_t expected = plain.step(i);
        REQUIRE(saved.step(i) == expected);
    }
}

TEST_CASE("what was changed on a multibody since goes back") {
    MultiBodySnapshotScene scene(MultiBodyScene::Held);
    btMultiBody& body = *scene.multiBodies.front();
    btMultiBodyJointFeedback feedback;
    body.getLink(2).m_jointFeedback = &feedback;
    run(scene, 0, 60);
    const WorldSnapshot snapshot = scene.plugin->saveWorld();
    const std::vector<std::uint64_t> hashes = run(scene, 60, 100);

    auto& limit = static_cast<btMultiBodyJointLimitConstraint&>(*scene.constraints[0]);
    auto& motor = static_cast<btMultiBodyJointMotor&>(*scene.constraints[1]);
    auto& gap = static_cast<MultiBodyElement&>(*scene.constraints[2]);
    limit.setLowerBound(btScalar(0.1));
    motor.setVelocityTarget(btScalar(-9));
    motor.setMaxAppliedImpulse(btScalar(9));
    gap.setLaw(ElastoGapLaw({.c = 10, .d = 0}));
    gap.setEnabled(false);
    body.setLinearDamping(btScalar(0.3));
    body.setAngularDamping(btScalar(0.3));
    body.setMaxCoordinateVelocity(btScalar(0.5));
    body.setJointPos(2, btScalar(1));
    body.addJointTorque(2, btScalar(5));
    run(scene, 60, 10);

    scene.plugin->restoreWorld(snapshot);
    CHECK(limit.getLowerBound() == btScalar(-0.1));
    CHECK(motor.getMaxAppliedImpulse() == btScalar(0.05));
    CHECK(gap.isEnabled());
    CHECK(firstDifference(run(scene, 60, 100), hashes) == -1);
}

TEST_CASE("worlds with other multibodies refuse a snapshot, and are left as they are") {
    MultiBodySnapshotScene held(MultiBodyScene::Held);
    run(held, 0, 10);
    const WorldSnapshot snapshot = held.plugin->saveWorld();
    btMultiBody& body = *held.multiBodies.front();

    body.getLink(1).m_mass = 2;
    refuses(held, snapshot, "multibody 0 has other links, joints, masses or inertias");
    body.getLink(1).m_mass = 1;

    held.world->removeMultiBody(&body);
    CHECK_THROWS_WITH(held.plugin->saveWorld(), Catch::Contains("a link of a btMultiBody that is not in the world"));
    refuses(held, snapshot, "the world has 0 multibodies, the snapshot 1");
    held.world->addMultiBody(&body);

    held.world->removeMultiBodyConstraint(held.constraints[1].get());
    refuses(held, snapshot, "the world has 3 constraints and elements on multibodies, the snapshot 4");
    held.world->addMultiBodyConstraint(held.constraints[1].get());
    refuses(held, snapshot, "multibody constraint or element 1 is of another class or joins other links");
    for (const auto& constraint : held.constraints) held.world->removeMultiBodyConstraint(constraint.get());
    for (const auto& constraint : held.constraints) held.world->addMultiBodyConstraint(constraint.get());

    auto& gap = static_cast<MultiBodyElement&>(*held.constraints[2]);
    gap.setHeatPort(std::make_shared<HeatPort>());
    refuses(held, snapshot, "has another heat port");
    gap.setHeatPort(nullptr);

    held.colliders[0]->m_link = 1;
    held.colliders[1]->m_link = 0;
    refuses(held, snapshot, "body 1 belongs to another link");
}

TEST_CASE("constraints of multibodies that are not Bullet's own are refused by name") {
    class Own : public btMultiBodyJointMotor {
    public:
        using btMultiBodyJointMotor::btMultiBodyJointMotor;
    };
    MultiBodySnapshotScene scene(MultiBodyScene::Arm);
    scene.constrain<Own>(scene.multiBodies.front().get(), 0, btScalar(0), btScalar(1));
    CHECK_THROWS_WITH(scene.plugin->saveWorld(),
                      Catch::Contains("multibody constraint 5 is of a class") && Catch::Contains("Own"));
}
