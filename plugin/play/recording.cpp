#include "recording.h"

#include <elasto/errors.h>
#include <elasto/scene/input_file.h>
#include <elasto/scene/output_file.h>
#include <elasto/version.h>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

Recording recordingOf(const Session& session) {
    Recording recording;
    recording.version = version();
    recording.precision = kPrecision;
    recording.prepared = session.preparedBy();
    recording.rate = session.rate();
    recording.balls = static_cast<int>(session.balls());
    recording.ballSize = session.ballSize();
    recording.links = session.bodies() - session.world().bodies();
    recording.guestElements = session.elements().size() - session.scene().elements.size();
    recording.scene = session.scene();
    recording.inputs = session.inputs();
    recording.marks = session.marks();
    return recording;
}

SessionOptions optionsOf(const Recording& recording, std::function<void(SceneWorld&)> prepare) {
    SessionOptions options;
    options.rate = recording.rate;
    options.balls = recording.balls;
    options.ballRadius = recording.ballSize.radius;
    options.ballMass = recording.ballSize.mass;
    options.prepare = std::move(prepare);
    options.preparedBy = recording.prepared;
    options.takesMultiBodies = !recording.prepared.empty();
    return options;
}

void saveRecording(const Recording& recording, const std::filesystem::path& file) {
    writeFile(file, writeRecording(recording));
}

Recording loadRecording(const std::filesystem::path& file) {
    return parseRecording(readFile(file), file.string());
}

void requireRunnable(const Recording& recording, bool isPrepared) {
    if (recording.precision != kPrecision) {
        throw RecordingError("it was recorded in " + recording.precision + " precision, and this program runs in " +
                             kPrecision + " precision: its bits cannot be the same");
    }
    if (!recording.prepared.empty() && !isPrepared) {
        throw RecordingError("it was recorded with '" + recording.prepared +
                             "', which adds to the scene what the file does not have; elasto-gallery FILE runs it");
    }
}

// --- Running it again ---

Replay::Replay(const Recording& recording, std::function<void(SceneWorld&)> prepare) : m_recording(recording) {
    requireRunnable(recording, static_cast<bool>(prepare));
    m_world = std::make_unique<SceneWorld>(withBalls(recording.scene, recording.balls, recording.ballSize),
                                           recording.rate, !recording.prepared.empty());
    for (std::size_t i = recording.scene.bodies.size(); i < m_world->bodies(); ++i) park(m_world->body(i));
    if (prepare) prepare(*m_world);
    m_world->plugin().setMessageHandler(nullptr);  // who recorded it has read the warnings
    m_controls = Controls::of(recording.scene);
    compare();
    applyDue();
}

Replay::~Replay() = default;

void Replay::compare() {
    const StateMark mark = markOf(*m_world);
    const StateMark& expected = m_recording.marks[static_cast<std::size_t>(m_tick)];
    if (mark == expected) return;
    m_difference = differenceAt(m_tick, *m_world, mark, expected);
}

void Replay::applyDue() {
    for (; m_next < m_recording.inputs.size() && m_recording.inputs[m_next].tick == m_tick; ++m_next) {
        const Action& action = m_recording.inputs[m_next].action;
        try {
            perform(action, *m_world, m_recording.scene.bodies.size());
        } catch (const std::exception& error) {
            m_difference = ReplayDifference{m_tick, m_world->time(), "", refusalOf(action, error)};
            return;
        }
        m_controls.take(action);
    }
}

void Replay::step() {
    if (isDone()) return;
    try {
        pull(m_controls, *m_world);
        m_world->step();
    } catch (const std::exception& error) {
        m_difference = ReplayDifference{m_tick, m_world->time(), "", error.what()};
        return;
    }
    ++m_tick;
    compare();
    if (!m_difference) applyDue();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
