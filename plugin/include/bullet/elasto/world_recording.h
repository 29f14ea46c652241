#pragma once
/// @file world_recording.h
/// A run of a world as a file, and the same run again without the program that made it: see Plugin::record.

#include <elasto/export.h>
#include <elasto/precision.h>
#include <elasto/statistics.h>

#include <cstddef>
#include <istream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

class btDiscreteDynamicsWorld;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class Plugin;
struct RecordedRun;

/// What Plugin::record has kept: the world as it was when the first of its ticks began, and what the program did before
/// each tick. A value: copies are cheap.
///
/// It has everything that Bullet and Elasto need: bodies and their shapes, joints, elements, settings, contacts, what
/// loads answered. What the program does between ticks (also in its callbacks before, at the end of and after a tick)
/// is found by comparing the world with what the last tick has left, whatever function it called.
class ELASTO_API WorldRecording {
public:
    WorldRecording();  ///< of nothing
    /// For Plugin: of what it has recorded.
    explicit WorldRecording(std::shared_ptr<const RecordedRun> run);
    /// @param source name in messages
    /// @throws InvalidParameter naming the source if it has no recording, a damaged one, or one in another precision or
    ///         of another version of the format
    static WorldRecording read(std::istream& in, const std::string& source);
    /// Bytes for read(). The stream tells whether it could be written.
    void write(std::ostream& out) const;

    bool isEmpty() const { return ticks() == 0; }  ///< of nothing
    int ticks() const;                             ///< that it has
    double startTime() const;                      ///< Plugin::time when the first of them began [s]
    std::size_t size() const;                      ///< of the file [bytes]
    const std::string& version() const;            ///< of Elasto that made it
    /// What of the program has a part in its ticks and is not in a replay, if anything: e.g. a callback that changes
    /// contacts while Bullet finds them.
    const std::vector<std::string>& notes() const;

    /// For WorldReplay.
    const std::shared_ptr<const RecordedRun>& run() const { return m_run; }

private:
    std::shared_ptr<const RecordedRun> m_run;  // null: of nothing
};

/// Runs a recording in a world of its own. The ticks have the same bits as they had, with the same build of the library
/// on the same kind of machine; the first that has not ends the replay.
class ELASTO_API WorldReplay {
public:
    /// @throws InvalidParameter for a recording of nothing, and as step()
    explicit WorldReplay(const WorldRecording& recording);
    ~WorldReplay();
    WorldReplay(const WorldReplay&) = delete;
    WorldReplay& operator=(const WorldReplay&) = delete;

    bool isDone() const;  ///< all ticks are done, or the last one differs
    /// The next tick. Nothing happens when it is done. Sets Bullet's gDeactivationTime, gDisableDeactivation and
    /// gContactBreakingThreshold to what they were.
    /// @throws InvalidParameter if the recording is damaged
    void step();
    int tick() const;                      ///< ticks done
    bool differs() const;                  ///< the last tick has other bits than it had
    double time() const;                   ///< Plugin::time after them [s]
    const TickStatistics& totals() const;  ///< of the ticks done

    btDiscreteDynamicsWorld& world();  ///< as it is now. It may be another one after step(): bodies come and go
    Plugin& plugin();                  ///< of that world

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
