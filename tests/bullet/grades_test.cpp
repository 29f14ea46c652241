// Grades of ticks in a world, and audits.

#include <elasto/errors.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "contact_scenes.h"

using namespace elasto;
using namespace elasto::test;

namespace grades_test {

namespace {

/// A heap of crates that fall on a floor, the lowest onto a gap: it is exact only with a large budget.
struct Heap {
    std::vector<btRigidBody*> crates;
    ElastoGap* gap = nullptr;

    explicit Heap(TestWorld& world, double x = 0) {
        addFloor(world);
        for (int i = 0; i < 4; ++i) {
            crates.push_back(
                &world.body(1, new btBoxShape(vec(0.2, 0.1, 0.2)), at(x + 0.05 * i, 0.3 + 0.25 * i, 0.03 * i)));
            crates.back()->setAngularVelocity(vec(0.1 * i, 0, 0.3));
        }
        gap = &world.add<ElastoGap>(Placement::alongAxis(Placement::world(), *crates[0], Eigen::Vector3d(x, 0.005, 0),
                                                         Eigen::Vector3d(0, -0.1, 0), Eigen::Vector3d::UnitY()),
                                    ElastoGapParameters{.c = 1e4, .d = 20});
        gap->setName("stop");
    }
};

std::vector<btScalar> bitsOf(const TestWorld& world) {
    std::vector<btScalar> bits;
    for (int i = 0; i < world.world->getNumCollisionObjects(); ++i) {
        const btRigidBody* body = btRigidBody::upcast(world.world->getCollisionObjectArray()[i]);
        if (body == nullptr) continue;
        for (int k = 0; k < 3; ++k) {
            bits.push_back(body->getWorldTransform().getOrigin()[k]);
            bits.push_back(body->getLinearVelocity()[k]);
            bits.push_back(body->getAngularVelocity()[k]);
        }
    }
    return bits;
}

}  // namespace

TEST_CASE("ticks that are exact say so, and nothing else does") {
    TestWorld world;
    std::vector<std::string> messages;
    world.plugin->setMessageHandler([&](const std::string& message) { messages.push_back(message); });
    btRigidBody& ball = world.ball(1, 0, 0.5, 0);
    ElastoGap& gap = world.add<ElastoGap>(ball, upwards(), upwards(), ElastoGapParameters{.c = 1e6, .d = 5});
    world.tick(120);
    CHECK(gap.grade() == TickGrade{});
    CHECK(world.plugin->totals().approximateTicks == 0);
    CHECK(world.plugin->totals().failedTicks == 0);
    CHECK(world.plugin->totals().inexactFrom == std::numeric_limits<double>::infinity());
    CHECK(world.plugin->statistics().grade() == TickGrade{});
    CHECK(messages.empty());
}

TEST_CASE("ticks that are not exact are counted, with an estimate, the place and the first time") {
    TestWorld world;
    std::vector<std::string> messages;
    world.plugin->setMessageHandler([&](const std::string& message) { messages.push_back(message); });
    const Heap heap(world);
    world.plugin->setBudget(1);
    std::int64_t approximate = 0;
    double largest = 0, from = -1;
    for (int tick = 0; tick < 120; ++tick) {
        const double time = world.plugin->time();
        world.tick();
        const TickStatistics& now = world.plugin->statistics();
        CHECK(now.grade().grade == heap.gap->grade().grade);
        CHECK(now.approximateTicks == (now.grade().grade == Grade::Approximate ? 1 : 0));
        approximate += now.approximateTicks;
        largest = std::max(largest, now.grade().error);
        if (now.approximateTicks > 0 && from < 0) from = time;
    }
    const TickStatistics& totals = world.plugin->totals();
    CHECK(approximate > 20);
    CHECK(totals.approximateTicks == approximate);
    CHECK(totals.error == largest);
    CHECK(totals.error > 1e-6);
    CHECK(totals.errorAt == "ElastoGap 'stop'");
    CHECK(totals.inexactFrom == from);
    CHECK(totals.networksPerCause[static_cast<std::size_t>(GradeCause::Budget)] > 0);
    REQUIRE_FALSE(messages.empty());
    CHECK(messages.size() <= static_cast<std::size_t>(kGradeCauses));
    for (const std::string& message : messages)
        CHECK_THAT(message, Catch::StartsWith("elasto: ElastoGap 'stop' is approximate, by "));
}

TEST_CASE("audits change no bit of the motion, on any number of threads") {
    std::vector<btScalar> first;
    double audited = 0;
    for (const AuditSettings& settings : {AuditSettings{.every = 0}, AuditSettings{}, AuditSettings{.every = 1}}) {
        for (const int threads : {1, 3}) {
            TestWorld world;
            world.plugin->setMessageHandler(nullptr);
            const Heap one(world), two(world, 5);
            world.plugin->setBudget(300);
            world.plugin->setAudit(settings);
            world.plugin->setThreads(threads);
            world.tick(90);
            const TickStatistics& totals = world.plugin->totals();
            if (settings.every == 0) CHECK(totals.audits == 0);
            if (settings.every == 1) CHECK(totals.audits > 100);
            if (threads == 1) audited = totals.auditCost;
            CHECK(totals.auditCost == audited);
            if (first.empty()) first = bitsOf(world);
            CHECK(bitsOf(world) == first);
        }
    }
}

TEST_CASE("audits take the share of the time that they may") {
    for (const double share : {0.01, 0.03, 0.2}) {
        TestWorld world;
        world.plugin->setMessageHandler(nullptr);
        const Heap heap(world);
        world.plugin->setAudit({.every = 100, .share = share});
        double largest = 0;
        for (int tick = 0; tick < 600; ++tick) {
            world.tick();
            largest = std::max(largest, world.plugin->statistics().auditCost);
        }
        const TickStatistics& totals = world.plugin->totals();
        CAPTURE(share, totals.audits, totals.auditCost, totals.cost);
        CHECK(totals.audits >= (share < 0.03 ? 2 : 4));
        CHECK(totals.auditCost <= share * totals.cost + 5 * largest);  // four at the start, and one in advance
    }
}

TEST_CASE("what an audit knows goes into snapshots") {
    TestWorld world;
    world.plugin->setMessageHandler(nullptr);
    const Heap heap(world);
    world.plugin->setBudget(1);
    world.tick(40);
    const WorldSnapshot snapshot = world.plugin->saveWorld();
    const auto run = [&] {
        std::vector<double> figures;
        for (int tick = 0; tick < 40; ++tick) {
            world.tick();
            figures.push_back(world.plugin->statistics().grade().error);
            figures.push_back(world.plugin->totals().auditCost);
            figures.push_back(static_cast<double>(heap.gap->grade().grade));
        }
        return figures;
    };
    const std::vector<double> first = run();
    world.plugin->restoreWorld(snapshot);
    CHECK(run() == first);
}

TEST_CASE("networks that Bullet has, or stops, are approximate") {
    TestWorld world;
    world.plugin->setMessageHandler(nullptr);
    const Heap heap(world);
    world.plugin->setAccuracy(Accuracy::Uncoupled);
    world.tick(60);
    const TickStatistics& totals = world.plugin->totals();
    CHECK(totals.networksPerCause[static_cast<std::size_t>(GradeCause::Uncoupled)] > 0);
    CHECK(totals.error > 1e-4);
}

TEST_CASE("a tick is kept, and solved again it has the same bits") {
    TestWorld world;
    world.plugin->setMessageHandler(nullptr);
    const Heap heap(world);
    btRigidBody& ball = world.ball(1, 3, 0.5, 0);
    ElastoGap& alone = world.add<ElastoGap>(ball, upwards(), upwards(3), ElastoGapParameters{.c = 1e6, .d = 5});
    alone.setName("alone");
    world.plugin->setBudget(100);
    CHECK(world.plugin->captureTick().empty());
    std::vector<TickRecord> told;
    world.plugin->setTickHandler([&](const TickRecord& tick) { told.push_back(tick); }, Grade::Approximate);
    std::size_t seen = 0;
    std::ptrdiff_t singles = 0;
    for (int tick = 0; tick < 60; ++tick) {
        const double start = world.plugin->time();
        world.tick();
        const std::vector<TickRecord> kept = world.plugin->captureTick();
        REQUIRE_FALSE(kept.empty());  // what is out of reach of its gap is Bullet's
        singles += std::count_if(kept.begin(), kept.end(),
                                 [](const TickRecord& record) { return record.label == "ElastoGap 'alone'"; });
        for (const TickRecord& record : kept) {
            CHECK(record.time == Approx(start).margin(1e-12));
            const auto& network = std::get<FlowNetwork>(record.network);
            CHECK(fingerprintOf(solveTick(network, record.h, record.settings)) == record.fingerprint);
        }
        for (; seen < told.size(); ++seen) {
            CHECK(told[seen].grade == heap.gap->grade());
            CHECK(told[seen].time == start);
            CHECK(told[seen].label == "the network of ElastoGap 'stop'");
        }
    }
    CHECK(static_cast<int>(told.size()) == world.plugin->totals().approximateTicks);
    CHECK(told.size() > 5);
    CHECK(singles > 10);  // until it touches the floor
}

TEST_CASE("audit settings that make no sense are refused") {
    TestWorld world;
    CHECK_THROWS_WITH(world.plugin->setAudit({.every = -1}), Catch::Contains("every"));
    CHECK_THROWS_WITH(world.plugin->setAudit({.every = 1, .share = -0.1}), Catch::Contains("share"));
    CHECK(world.plugin->audit().every == 100);
    world.plugin->setAudit({.every = 7, .share = 0.5});
    CHECK(world.plugin->audit().share == 0.5);
}

}  // namespace grades_test
