#include <elasto/errors.h>
#include <elasto/threads.h>

#include <algorithm>
#include <atomic>
#include <memory>

#ifdef ELASTO_HAS_TBB
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

#ifdef ELASTO_HAS_TBB
constexpr int kMostBuilt = kMostThreads;

// Jobs are handed out one by one, so that those with low numbers come first, whatever oneTBB does with its tasks.
JobRunner inArena(int asked) {
    // It would print a warning where more are asked for than it has.
    const std::size_t most = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    const int threads = std::min(asked, static_cast<int>(std::min<std::size_t>(most, kMostThreads)));
    const auto arena = std::make_shared<tbb::task_arena>(threads);
    return [arena, threads](int count, const std::function<void(int)>& job) {
        std::atomic<int> next = 0;
        const auto work = [&](int) {
            for (int i = next++; i < count; i = next++) job(i);
        };
        arena->execute([&] { tbb::parallel_for(0, std::min(threads, count), work, tbb::simple_partitioner()); });
    };
}
#else
constexpr int kMostBuilt = 1;

JobRunner inArena(int /*threads*/) {
    return {};
}
#endif

}  // namespace

JobRunner onThreads(int threads) {
    if (threads < 1 || threads > kMostBuilt) {
        throw InvalidParameter("elasto::onThreads", "threads", threads,
                               kMostBuilt > 1 ? "1 to 1024" : "1: Elasto was built without oneTBB (ELASTO_THREADS)");
    }
    if (threads > 1) return inArena(threads);
    return [](int count, const std::function<void(int)>& job) {
        for (int i = 0; i < count; ++i) job(i);
    };
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
