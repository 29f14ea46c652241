#pragma once
/// @file one_at_a_time.h
/// Worlds that are made and ended on several threads.

#include <memory>
#include <mutex>
#include <utility>

namespace elasto::sweep {

/// The one of all kinds of worlds.
inline std::mutex& groundMutex() {
    static std::mutex mutex;
    return mutex;
}

/// Bullet has one body for the ground of all worlds (btTypedConstraint::getFixedBody), and every constraint on it adds
/// itself to that body's list and takes itself out again: of all worlds, one is made or ended at a time. In between
/// nobody looks at that list.
template <typename World>
class OneAtATime {
public:
    template <typename... Arguments>
    explicit OneAtATime(Arguments&&... arguments) {
        const std::lock_guard lock(groundMutex());
        m_world = std::make_unique<World>(std::forward<Arguments>(arguments)...);
    }
    ~OneAtATime() {
        const std::lock_guard lock(groundMutex());
        m_world.reset();
    }
    OneAtATime(const OneAtATime&) = delete;
    OneAtATime& operator=(const OneAtATime&) = delete;

    World& operator*() { return *m_world; }

private:
    std::unique_ptr<World> m_world;
};

}  // namespace elasto::sweep
