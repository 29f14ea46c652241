#pragma once
// Plugin::record: sees each tick's begin and end and keeps what came between.

#include <elasto/world_recording.h>

#include <deque>
#include <memory>
#include <string>

#include "recording/recorded_run.h"
#include "tick/call_tape.h"
#include "tick/tick_watcher.h"

class btDynamicsWorld;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class WorldTick;

/// Parts of the run, each from a whole state on; the oldest goes where there is no more room. It works until something
/// comes into the world that a recording cannot hold: then it keeps what it has and says so.
class WorldRecorder final : public TickWatcher {
public:
    /// @throws InvalidParameter naming what a recording does not hold
    WorldRecorder(WorldTick& tick, std::size_t bytes);
    ~WorldRecorder() override;
    WorldRecorder(const WorldRecorder&) = delete;
    WorldRecorder& operator=(const WorldRecorder&) = delete;

    void tickBegins(btScalar h);
    void tickEnds(btScalar h) override;
    WorldRecording recording() const;

private:
    struct Part {
        double startTime = 0;
        ChunkList start;
        std::vector<RecordedTick> ticks;
        std::size_t size = 0;
    };

    static void beforeTick(btDynamicsWorld* world, btScalar h);
    void begin(btScalar h);
    void end(btScalar h);
    void stop(const std::string& why);
    void dropOldest();
    void listen();
    void listenToElements();

    WorldTick& m_tick;
    std::size_t m_capacity;
    void (*m_usersCallback)(btDynamicsWorld* world, btScalar h) = nullptr;
    bool m_isOn = true;
    std::deque<Part> m_parts;
    ChunkList m_end;  // of the last tick; empty: there is none
    ChunkList m_lastAnswers;
    RecordedTick m_now;  // that is under way
    bool m_isTicking = false;
    std::shared_ptr<CallTape> m_tape = std::make_shared<CallTape>();
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
