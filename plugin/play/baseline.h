#pragma once
/// @file baseline.h
/// What Bullet does with the same scene and the same inputs without Elasto.

#include "history.h"
#include "session.h"

#include <baseline_world.h>

#include <memory>
#include <string>
#include <vector>

namespace elasto::play {

using elasto::BaselineKind;
using elasto::baselineName;
using elasto::kBaselineKinds;

inline namespace ELASTO_BULLET_NAMESPACE {

/// The scene of a session in a BaselineWorld. It follows the session: each tick once, with the session's inputs.
class Baseline {
public:
    Baseline(const Session& session, BaselineKind kind);
    ~Baseline();
    Baseline(const Baseline&) = delete;
    Baseline& operator=(const Baseline&) = delete;

    BaselineKind kind() const { return m_kind; }
    /// Goes as far as the session is, from the start again where the session's past has changed. Where the session has
    /// gone back nothing happens: the rows of the history are still there.
    void follow(const Session& session);

    /// Rows from the first that the session keeps to as far as it has come; elements' forces are means over the tick.
    const History& history() const { return *m_history; }
    /// Tick at which a state left all bounds (not finite, or farther than 1e6 m away), where it stopped; -1: none.
    long failedAt() const { return m_failedAt; }
    /// Elements that act as an explicit force although the kind is another, by name.
    const std::vector<std::string>& fallbacks() const { return m_world->fallbacks(); }

private:
    void begin(const Session& session);
    void step(const Session& session);
    void perform(const Action& action);
    void addRow();

    BaselineKind m_kind;
    std::unique_ptr<BaselineWorld> m_world;
    std::unique_ptr<History> m_history;
    Controls m_controls;
    std::size_t m_balls = 0;
    int m_run = 0;  ///< Session::run() that it follows
    long m_failedAt = -1;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
