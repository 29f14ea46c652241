#include "workers.h"

#include "row_text.h"
#include "sample_points.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace elasto::sweep {

namespace {

constexpr auto kInterval = std::chrono::milliseconds(50);

class Workers {
public:
    Workers(const Study& study, const BaseScene& base, const std::vector<std::size_t>& runs)
        : m_study(study), m_base(base), m_runs(runs) {}

    ~Workers() {
        m_stop = true;
        for (std::thread& thread : m_threads) thread.join();
    }
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    void start(int threads) {
        m_working = threads;
        for (int i = 0; i < threads; ++i) m_threads.emplace_back([this] { work(); });
    }

    /// Waits for rows, at most for an interval. @return whether there may be more @throws what a thread threw
    bool take(std::vector<std::pair<std::size_t, std::string>>& rows) {
        std::unique_lock lock(m_mutex);
        m_news.wait_for(lock, kInterval, [this] { return !m_rows.empty() || m_working == 0 || m_failure; });
        rows = std::exchange(m_rows, {});
        if (m_failure) std::rethrow_exception(m_failure);
        return m_working > 0;
    }

private:
    void work() {
        try {
            for (std::size_t next = m_next++; next < m_runs.size() && !m_stop; next = m_next++) {
                const std::size_t run = m_runs[next];
                const std::optional<Outcome> outcome = runPoint(m_study, m_base, run, m_stop);
                if (!outcome) break;
                std::string row = rowText(run, pointOf(m_study, run), *outcome);
                const std::lock_guard lock(m_mutex);
                m_rows.emplace_back(run, std::move(row));
                m_news.notify_one();
            }
        } catch (...) {
            const std::lock_guard lock(m_mutex);
            m_failure = std::current_exception();
            m_stop = true;
        }
        const std::lock_guard lock(m_mutex);
        --m_working;
        m_news.notify_one();
    }

    const Study& m_study;
    const BaseScene& m_base;
    const std::vector<std::size_t>& m_runs;
    std::atomic<std::size_t> m_next = 0;
    std::atomic<bool> m_stop = false;
    std::mutex m_mutex;
    std::condition_variable m_news;
    std::vector<std::pair<std::size_t, std::string>> m_rows;
    std::exception_ptr m_failure;
    int m_working = 0;
    std::vector<std::thread> m_threads;
};

}  // namespace

bool doRuns(const Study& study, const BaseScene& base, const std::vector<std::size_t>& runs, int threads,
            const Between& between) {
    Workers workers(study, base, runs);
    workers.start(static_cast<int>(std::min(static_cast<std::size_t>(threads), runs.size())));
    std::vector<std::pair<std::size_t, std::string>> rows;
    for (bool isMore = !runs.empty(); isMore;) {
        isMore = workers.take(rows);
        for (const auto& [run, row] : rows) between.done(run, row);
        if (isMore && !between.proceed()) return false;
    }
    return true;
}

}  // namespace elasto::sweep
