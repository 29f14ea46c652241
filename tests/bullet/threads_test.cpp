// Networks on several threads: the same bits whatever their number, everything that calls back on the calling thread,
// and networks that do run side by side.

#include <elasto/errors.h>
#include <catch2/catch.hpp>

#ifdef ELASTO_TEST_HAS_TBB
#include <oneapi/tbb/global_control.h>
#endif
// oneTBB itself is not built for ThreadSanitizer, which then does not see how it synchronises: there the threads are
// those of the standard library.
#if defined(ELASTO_TEST_HAS_TBB) && !defined(__SANITIZE_THREAD__)
#define ELASTO_TEST_RUNS_TBB
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#undef ELASTO_TEST_RUNS_TBB
#endif
#endif
#endif

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <limits>
#include <mutex>
#include <set>
#include <thread>

#include "../determinism/world_hash.h"
#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr int kNetworks = 200;

/// Networks of all sorts side by side, which tell who called them.
class ManyNetworks : public TestWorld {
public:
    explicit ManyNetworks(int networks = kNetworks) {
        for (int i = 0; i < networks; ++i) build(i, 2. * (i % 20), 3. * (i / 20));
        for (std::size_t i = 0; i < elements.size(); ++i) {
            ForceElement& element = elementAt(i);
            element.setName("number " + std::to_string(i));
            element.onContactBegin([this](ForceElement& who, const ContactInfo& info) { note(who, info); });
            element.onContactEnd([this](ForceElement& who, const ContactInfo& info) { note(who, info); });
            if (i % 11 == 3) element.setPriority(static_cast<int>(i % 3));
        }
    }

    ~ManyNetworks() {
        for (const auto& joint : joints) world->removeConstraint(joint.get());
    }

    ForceElement& elementAt(std::size_t i) { return static_cast<ForceElement&>(*elements[i]); }

    /// All that a tick leaves behind.
    std::uint64_t hash() const {
        BitHash hash;
        const std::uint64_t motion = hashOf(*this);
        hash.add(&motion, sizeof motion);
        const TickStatistics& tick = plugin->statistics();
        const std::int64_t counts[] = {tick.networks,    tick.events,  tick.steps,      tick.fallbacks,
                                       tick.outOfBudget, tick.repairs, tick.uncoupled,  tick.coupled,
                                       tick.setChanges,  tick.idle,    tick.worstSteps, isForeign ? 1 : 0};
        hash.add(counts, sizeof counts);
        const EnergyBook book = plugin->energy();
        const double sums[] = {tick.cost,     book.kinetic,   book.stored,    book.work,     book.dissipated,
                               book.contacts, book.exchanged, book.numerical, book.repaired, book.handedOut};
        hash.add(sums, sizeof sums);
        hash.add(calls.data(), calls.size() * sizeof(double));
        for (const std::string& message : messages) hash.add(message.data(), message.size());
        return hash.value();
    }

    std::vector<double> calls;  ///< what contact callbacks were told, in their order
    bool isForeign = false;     ///< something was called on another thread

private:
    void note(const ForceElement& who, const ContactInfo& info) {
        isForeign = isForeign || std::this_thread::get_id() != m_own;
        calls.insert(calls.end(), {static_cast<double>(who.name().back()), info.time, info.speed});
    }

    void build(int i, double x, double z) {
        const double fall = 0.2 + 0.013 * i;
        switch (i % 5) {
            case 0:
                add<ElastoGap>(ball(0.2, x, fall, z), upwards(), upwards(x, 0, z),
                               ElastoGapParameters{.c = 1e5, .d = 1});
                break;
            case 1: {  // balls above each other
                btRigidBody* below = &ball(1, x, fall, z);
                add<ElastoGap>(*below, upwards(), upwards(x, 0, z), ElastoGapParameters{.c = 1e6, .d = 0});
                for (int k = 1; k < 3; ++k) {
                    btRigidBody& above = ball(0.1, x, fall + 0.3 * k, z);
                    add<ElastoGap>(*below, above, upwards(), upwards(),
                                   ElastoGapParameters{.c = 1e5, .d = 2, .s_rel0 = 0.15});
                    below = &above;
                }
                break;
            }
            case 2: {  // a box that is pressed onto a floor of its own
                body(0, new btBoxShape(vec(0.5, 0.1, 0.5)), at(x, -0.1, z));
                btRigidBody& crate = box(1, x, 0.1, z);
                crate.setLinearVelocity(vec(0.3 + 0.01 * i, 0, 0));
                add<SpringDamperParallel>(crate, vec(0, 0, 0), vec(x, 0.5, z),
                                          SpringDamperParameters{.c = 50, .d = 0.5, .s_rel0 = 0.6});
                break;
            }
            case 3: {  // a bar on a hinge, on a stop
                btRigidBody& bar = body(1, new btBoxShape(vec(0.3, 0.02, 0.02)), at(x + 0.3, 1, z));
                joints.push_back(std::make_unique<btHingeConstraint>(bar, vec(-0.3, 0, 0), vec(0, 0, 1)));
                world->addConstraint(joints.back().get());
                add<ElastoGap>(bar, btTransform(upwards().getBasis(), vec(0.3, 0, 0)), upwards(x + 0.6, 0.9, z),
                               ElastoGapParameters{.c = 1e4, .d = 1});
                break;
            }
            default: {
                btRigidBody& driven = ball(0.5, x, fall, z);
                add<ElastoGap>(driven, upwards(), upwards(x, 0, z), ElastoGapParameters{.c = 1e6, .d = 30, .n = 1.5});
                plugin->addLoad(Load(driven, Load::Kind::Force, [this, i](double t) {
                    isForeign = isForeign || std::this_thread::get_id() != m_own;
                    return vec(0, std::sin(20 * t + i), 0);
                }));
            }
        }
    }

    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    std::thread::id m_own = std::this_thread::get_id();
};

/// Threads that really are others: the calling one only waits.
void onOtherThreads(int count, const std::function<void(int)>& job) {
    std::atomic<int> next = 0;
    std::vector<std::thread> threads;
    for (int k = 0; k < 4; ++k) {
        threads.emplace_back([&] {
            for (int i = next++; i < count; i = next++) job(i);
        });
    }
    for (std::thread& thread : threads) thread.join();
}

/// Hashes of ticks; a tick that throws adds what it said.
std::vector<std::uint64_t> run(ManyNetworks& many, int ticks) {
    std::vector<std::uint64_t> hashes;
    const auto spoil = [&](std::size_t body, double speed) {
        many.bodies[body % many.bodies.size()]->setLinearVelocity(vec(0, speed, 0));
    };
    for (int i = 0; i < ticks; ++i) {
        if (i == ticks / 2) {  // two networks cannot be solved: the same one must say so
            spoil(150, std::numeric_limits<double>::quiet_NaN());
            spoil(90, std::numeric_limits<double>::quiet_NaN());
            try {
                many.tick();
                FAIL("a velocity that is no number was solved");
            } catch (const InvalidParameter& error) {
                many.messages.push_back(error.what());
            }
            spoil(150, 0.5);
            spoil(90, -0.5);
        }
        many.tick();
        hashes.push_back(many.hash());
    }
    return hashes;
}

/// The first tick that differs; -1: none.
std::ptrdiff_t firstDifference(const std::vector<std::uint64_t>& x, const std::vector<std::uint64_t>& y) {
    const auto [at, other] = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
    return at == x.end() && other == y.end() ? -1 : at - x.begin();
}

}  // namespace

TEST_CASE("the bits do not depend on the number of threads", "[slow]") {
#ifdef ELASTO_TEST_RUNS_TBB
    const tbb::global_control lend(tbb::global_control::max_allowed_parallelism, 8);  // however many cores there are
    const std::vector<int> counts = {2, 4, 8};
#else
    const std::vector<int> counts = {0};
#endif
    const double cost = GENERATE(WorldBudget().cost, 2000.);
    CAPTURE(cost);
    const bool isShort = cost < WorldBudget().cost;
    const int ticks = kIsSanitized ? 25 : isShort ? 50 : 100;
    const auto prepare = [&](ManyNetworks& many) { many.plugin->setWorldBudget({.cost = cost, .freeShare = 8}); };
    ManyNetworks alone;
    prepare(alone);
    const std::vector<std::uint64_t> expected = run(alone, ticks);
    const TickStatistics& totals = alone.plugin->totals();
    CHECK_FALSE(alone.isForeign);
    CHECK(alone.messages.size() >= 1);
    if (!kIsSanitized) {
        CHECK(totals.coupled > 20 * ticks);
        CHECK(alone.calls.size() > 200);
        CHECK((totals.outOfBudget > 100) == isShort);
    }
    for (const int threads : counts) {
        if (isShort && threads != counts.back()) continue;
        CAPTURE(threads);
        ManyNetworks many;
        prepare(many);
        many.plugin->setThreads(threads);
        CHECK(firstDifference(run(many, ticks), expected) == -1);
    }
    ManyNetworks other;
    prepare(other);
    other.plugin->setJobRunner(onOtherThreads);
    CHECK(firstDifference(run(other, ticks), expected) == -1);
}

TEST_CASE("jobs that were not run cost time only") {
    ManyNetworks whole(50);
    ManyNetworks half(50);
    int left = 0;
    half.plugin->setJobRunner([&](int count, const std::function<void(int)>& job) {
        for (int i = 0; i < count; i += 2) job(i);
        left += count / 2;
    });
    const int ticks = kIsSanitized ? 25 : 100;
    CHECK(firstDifference(run(half, ticks), run(whole, ticks)) == -1);
    CHECK(left > 10);
}

TEST_CASE("other threads round as the calling one does") {
    const auto hashes = [](bool isHelped, int rounding) {
        ManyNetworks many(50);
        if (isHelped) many.plugin->setJobRunner(onOtherThreads);
        const int before = std::fegetround();
        std::fesetround(rounding);
        std::vector<std::uint64_t> result;
        for (int i = 0; i < 30; ++i) {
            many.tick();
            result.push_back(many.hash());
        }
        std::fesetround(before);
        return result;
    };
    const std::vector<std::uint64_t> upwards = hashes(false, FE_UPWARD);
    CHECK(firstDifference(hashes(true, FE_UPWARD), upwards) == -1);
    CHECK(firstDifference(hashes(false, FE_TONEAREST), upwards) >= 0);
}

#ifdef ELASTO_TEST_RUNS_TBB
TEST_CASE("networks are solved side by side") {
    using Clock = std::chrono::steady_clock;
    const int threads = GENERATE(1, 2);
    const tbb::global_control lend(tbb::global_control::max_allowed_parallelism, 2);
    ManyNetworks many(40);
    std::atomic<int> inFlight = 0;
    std::atomic<int> most = 0;
    std::mutex mutex;
    std::set<std::thread::id> seen;
    // Whoever comes first waits for another one, for long where there will be one.
    const auto deadline = Clock::now() + std::chrono::milliseconds(threads > 1 ? 20000 : 50);
    const JobRunner runner = onThreads(threads);
    many.plugin->setJobRunner([&](int count, const std::function<void(int)>& job) {
        runner(count, [&](int i) {
            const int now = ++inFlight;
            if (now > most) most = now;
            while (most < 2 && Clock::now() < deadline) std::this_thread::yield();
            job(i);
            const std::lock_guard<std::mutex> lock(mutex);
            seen.insert(std::this_thread::get_id());
            --inFlight;
        });
    });
    many.tick(3);
    CHECK(most == threads);
    CHECK(seen.size() == static_cast<std::size_t>(threads));
}
#endif

TEST_CASE("numbers of threads that make no sense are refused") {
    TestWorld world;
    CHECK(world.plugin->threads() == 1);
    CHECK_THROWS_WITH(world.plugin->setThreads(-1), Catch::Contains("threads = -1") && Catch::Contains("0 to 1024"));
    CHECK_THROWS_WITH(world.plugin->setThreads(kMostThreads + 1), Catch::Contains("threads = 1025"));
    CHECK_THROWS_AS(onThreads(0), InvalidParameter);
    world.plugin->setThreads(0);
    CHECK(world.plugin->threads() == 1);
#ifdef ELASTO_TEST_HAS_TBB
    world.plugin->setThreads(3);
    CHECK(world.plugin->threads() == 3);
#else
    CHECK_THROWS_WITH(world.plugin->setThreads(2), Catch::Contains("without oneTBB"));
#endif
}
