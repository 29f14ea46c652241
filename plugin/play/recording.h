#pragma once
/// @file recording.h
/// A run as a file (.elrec): its scene, its inputs and the fingerprint of every tick, so that anybody can run it again
/// and see whether the bits are the same.

#include "session.h"

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace elasto::play {

/// A recording that cannot be used: what() names the file and what is wrong with it.
class RecordingError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

inline namespace ELASTO_BULLET_NAMESPACE {

struct Recording {
    std::string version;    ///< of Elasto that made it
    std::string precision;  ///< "double" or "single"
    std::string prepared;   ///< SessionOptions::preparedBy
    double rate = 240;      ///< ticks per second [Hz]
    int balls = 0;
    BallSize ballSize;
    std::size_t links = 0;          ///< of what prepared it (movable.h)
    std::size_t guestElements = 0;  ///< of what prepared it (played_element.h)
    Scene scene;
    Inputs inputs;
    std::vector<StateMark> marks;  ///< by tick, from 0 on

    long ticks() const { return static_cast<long>(marks.size()) - 1; }
};

/// What a session has recorded on its present branch.
Recording recordingOf(const Session& session);
/// The options of a session that runs it again. @param prepare what Recording::prepared names
SessionOptions optionsOf(const Recording& recording, std::function<void(SceneWorld&)> prepare = {});

/// The text of a recording's file. Numbers read back bit for bit.
std::string writeRecording(const Recording& recording);
/// @param source what messages call it
/// @throws RecordingError with one message: cut off, damaged, of a newer format, or with a field that is not acceptable
Recording parseRecording(std::string_view text, const std::string& source = "recording");

/// True for a text that begins as that of a recording, whatever comes then.
bool isRecording(std::string_view text);

/// Whole or not at all: under a temporary name until it is complete. @throws FileError
void saveRecording(const Recording& recording, const std::filesystem::path& file);
/// @throws FileError if it cannot be read, RecordingError as parseRecording
Recording loadRecording(const std::filesystem::path& file);

/// @throws RecordingError if this program cannot run it: other precision, or something that prepared it is missing
void requireRunnable(const Recording& recording, bool isPrepared = false);

/// Runs a recording again, without going back and forth.
class Replay {
public:
    /// @throws RecordingError if this program cannot run it: other precision, or something that prepared it is missing
    explicit Replay(const Recording& recording, std::function<void(SceneWorld&)> prepare = {});
    ~Replay();

    long tick() const { return m_tick; }
    bool isDone() const { return m_difference.has_value() || m_tick >= m_recording.ticks(); }
    /// The next tick; nothing happens when it is done.
    void step();
    /// The first difference so far.
    const std::optional<ReplayDifference>& difference() const { return m_difference; }
    const SceneWorld& world() const { return *m_world; }

private:
    void compare();
    void applyDue();

    const Recording& m_recording;
    std::unique_ptr<SceneWorld> m_world;
    Controls m_controls;
    std::size_t m_next = 0;  ///< of the inputs
    long m_tick = 0;
    std::optional<ReplayDifference> m_difference;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
