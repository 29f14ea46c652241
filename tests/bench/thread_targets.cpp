// Networks on several threads.

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "networks.h"
#include "stopwatch.h"
#include "targets.h"

namespace elasto::bench {

namespace {

constexpr int kChains = 1000;
constexpr int kLinks = 10;
constexpr std::size_t kTicks = 10;
constexpr int kRepetitions = 20;

/// Chains that fall on the ground, and how long their networks are being solved.
class Chains {
public:
    explicit Chains(int threads) {
        m_workshop.solveIslandsTogether();  // or Bullet's search for islands costs more than all the rest
        m_workshop.plugin().setWorldBudget({.cost = std::numeric_limits<double>::infinity()});
        const JobRunner runner = onThreads(threads);  // as Plugin::setThreads does
        m_workshop.plugin().setJobRunner([this, runner](int count, const std::function<void(int)>& job) {
            const double begin = wallTime();
            runner(count, job);
            m_time += wallTime() - begin;
        });
        // Out of line, or the tree of Bullet's broadphase becomes one long branch.
        for (int i = 0; i < kChains; ++i) chain(m_workshop, kLinks, 0.5 * (617 * i % kChains));
    }
    Chains(const Chains&) = delete;
    Chains& operator=(const Chains&) = delete;

    /// @return wall time of the tick's networks [s]
    double step() {
        m_time = 0;
        m_workshop.step(kNetworkTick);
        return m_time;
    }

private:
    Workshop m_workshop{true};
    double m_time = 0;
};

/// Both worlds do the same in each tick, in turns; each tick counts with the least time of some repetitions.
double speedUp(int threads) {
    std::array<std::vector<double>, 2> least;
    for (std::vector<double>& times : least) times.assign(kTicks, std::numeric_limits<double>::infinity());
    for (int i = 0; i < kRepetitions; ++i) {
        Chains alone(1);
        Chains together(threads);
        for (std::size_t tick = 0; tick < kTicks; ++tick) {
            least[0][tick] = std::min(least[0][tick], alone.step());
            least[1][tick] = std::min(least[1][tick], together.step());
        }
    }
    double sums[2] = {};
    for (std::size_t k = 0; k < least.size(); ++k) {
        for (const double time : least[k]) sums[k] += time;
    }
    return sums[0] / sums[1];
}

}  // namespace

std::vector<Target> threadTargets() {
    return {{"networks on 2 threads / 1 thread (1 000 networks of 10)", 1.7, false, [] { return speedUp(2); }}};
}

}  // namespace elasto::bench
