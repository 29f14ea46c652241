#pragma once
// Times of one run that can be compared although the machine is loaded: what is compared takes turns, and the median
// (or the least) of many turns counts.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <functional>
#include <vector>

namespace elasto::bench {

/// Processor time of this process [s].
inline double processorTime() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Time on the wall [s].
inline double wallTime() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Processor time of a call [s].
template <class Call>
double timed(const Call& call) {
    const double begin = processorTime();
    call();
    return processorTime() - begin;
}

/// @param share 0: the least, 0.5: the median, 1: the largest; of a set that is not empty
inline double quantile(std::vector<double> values, double share) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// Takes what the processor's caches hold out of them.
inline void coolCaches() {
    constexpr std::size_t kBytes = std::size_t(64) << 20;
    static std::vector<char> rubbish(kBytes);
    for (std::size_t i = 0; i < kBytes; i += 64) rubbish[i] = static_cast<char>(rubbish[i] + 1);
}

/// Lets all of them work in turns. @param before each one's turn, not timed @return the times of each [s], by turn
inline std::vector<std::vector<double>> inTurns(
    const std::vector<std::function<void()>>& all, int turns, const std::function<void()>& before = [] {}) {
    std::vector<std::vector<double>> times(all.size());
    for (int turn = 0; turn < turns; ++turn) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            before();
            times[i].push_back(timed(all[i]));
        }
    }
    return times;
}

}  // namespace elasto::bench
