#include "recording/world_recorder.h"

#include <elasto/version.h>

#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <typeinfo>
#include <utility>

#include "host/class_of.h"
#include "host/installed_solver.h"
#include "network/element_access.h"
#include "recording/world_state.h"
#include "snapshot/snapshot_internals.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr const char* kCaller = "Plugin::record";
// Of the room, for one part of the run: when the oldest goes, so much of it is lost at once.
constexpr std::size_t kParts = 8;

// A function of the program's, with what it answers noted.
struct NotedFunction {
    std::function<double(double)> own;
    std::shared_ptr<CallTape> tape;
    double operator()(double t) const { return tape->note(own(t)); }
};

/// The function, noted once; an empty one stays as it is.
std::function<double(double)> noted(const std::function<double(double)>& function,
                                    const std::shared_ptr<CallTape>& tape) {
    if (!function) return {};
    const auto* before = function.target<NotedFunction>();  // of an earlier recording
    return NotedFunction{before != nullptr ? before->own : function, tape};
}

bool isNoted(const std::function<double(double)>& function, const std::shared_ptr<CallTape>& tape) {
    const auto* noted = function.target<NotedFunction>();
    return !function || (noted != nullptr && noted->tape == tape);
}

std::vector<std::string> notesOf(const WorldTick& tick) {
    std::vector<std::string> notes;
    if (tick.world() == nullptr) return notes;
    btDiscreteDynamicsWorld& world = *tick.world();
    const auto note = [&](bool isThere, const char* what) {
        if (isThere) notes.push_back(std::string("a replay has no ") + what);
    };
    const auto* dispatcher = castTo<const btCollisionDispatcher*>(world.getDispatcher());
    note(gContactStartedCallback != nullptr, "gContactStartedCallback, which the program had");
    note(gContactEndedCallback != nullptr, "gContactEndedCallback, which the program had");
    note(gContactAddedCallback != nullptr, "gContactAddedCallback, which the program had");
    note(gContactProcessedCallback != nullptr, "gContactProcessedCallback, which the program had");
    note(dispatcher != nullptr && dispatcher->getNearCallback() != &btCollisionDispatcher::defaultNearCallback,
         "near callback of the dispatcher, which the program had");
    // Those behind ours come after the tick's end was noted: what they do is a change before the next one.
    const btAlignedObjectArray<btActionInterface*>& actions = WorldInternals::actions(world);
    note(actions.size() > 0 && actions[0] != &tick, "action that came before the Plugin's, which the program had");
    note(world.getPairCache()->getOverlapFilterCallback() != nullptr,
         "filter of the pair cache, which the program had");
    note(classOf(world) != typeid(btDiscreteDynamicsWorld) && classOf(world) != typeid(btMultiBodyDynamicsWorld),
         "world of the program's own class");
    return notes;
}

}  // namespace

WorldRecorder::WorldRecorder(WorldTick& tick, std::size_t bytes) : m_tick(tick), m_capacity(bytes) {
    static_cast<void>(stateOf(tick, kCaller));  // what cannot be recorded is refused now
    listen();
    m_tick.loads.tape = m_tape;
}

WorldRecorder::~WorldRecorder() {
    m_tape->isOn = false;
    m_tick.loads.tape = nullptr;
    if (m_tick.world() == nullptr) return;
    btInternalTickCallback& present = DynamicsWorldInternals::beforeTick(*m_tick.world());
    if (present == &beforeTick) present = m_usersCallback;
}

void WorldRecorder::listen() {
    btInternalTickCallback& present = DynamicsWorldInternals::beforeTick(*m_tick.world());
    if (present == &beforeTick) return;
    m_usersCallback = present;
    present = &beforeTick;
}

void WorldRecorder::beforeTick(btDynamicsWorld* world, btScalar h) {
    auto* found = dynamic_cast<WorldTick*>(eventsOf(*world->getConstraintSolver()));
    if (found == nullptr) return;
    // The user's function may end the recording, or destroy the Plugin.
    const std::shared_ptr<WorldTick> tick = found->shared_from_this();
    const auto recorder = std::dynamic_pointer_cast<WorldRecorder>(tick->watcher);
    if (recorder == nullptr) return;
    if (recorder->m_usersCallback != nullptr) recorder->m_usersCallback(world, h);
    if (tick->watcher == recorder && tick->world() != nullptr) recorder->tickBegins(h);
}

void WorldRecorder::tickBegins(btScalar h) {
    if (!m_isOn) return;
    try {
        begin(h);
    } catch (const InvalidParameter& error) {
        stop(error.what());
    }
}

void WorldRecorder::tickEnds(btScalar h) {
    if (!m_isOn) return;
    if (!m_isTicking) {  // its begin was not seen
        m_end.clear();
        if (DynamicsWorldInternals::beforeTick(*m_tick.world()) != &beforeTick) {
            listen();
            m_tick.callbacks.say(
                "Plugin::record begins anew: the program has set another callback before ticks "
                "(setInternalTickCallback), and one tick was not seen; set it before Plugin::record");
        }
        return;
    }
    m_isTicking = false;
    try {
        end(h);
    } catch (const InvalidParameter& error) {
        stop(error.what());
    }
}

void WorldRecorder::begin(btScalar h) {
    m_isTicking = false;
    listenToElements();
    WorldState state = stateOf(m_tick, kCaller);
    ChunkList chunks = chunksOf(state);
    m_now = {};
    m_now.h = static_cast<double>(h);
    const bool goesOn = m_end.size() > 0 && !m_parts.empty() && m_parts.back().size < m_capacity / kParts;
    if (goesOn) {
        m_now.changes = difference(m_end, chunks);
    } else {
        if (m_end.size() == 0) m_parts.clear();  // what was before has no end that this could go on from
        if (!m_parts.empty()) m_now.changes = difference(m_end, chunks);
        Part& part = m_parts.emplace_back();
        part.startTime = m_tick.results.time;
        part.size = chunks.totalBytes();
        part.start = std::move(chunks);
        m_lastAnswers.clear();  // it may become the first part: its answers begin anew
    }
    m_tape->answers.clear();
    m_isTicking = true;
}

void WorldRecorder::end(btScalar h) {
    WorldState state = stateOf(m_tick, kCaller);
    m_now.hash = hashOf(state);
    goOnToNextTick(state, h);
    m_end = chunksOf(state);
    ChunkList answers;
    answers.addWritten([&](ByteWriter& s) { s(m_tape->answers); });
    m_now.answers = difference(m_lastAnswers, answers);
    m_lastAnswers = std::move(answers);
    m_parts.back().size += m_now.size();
    m_parts.back().ticks.push_back(std::move(m_now));
    dropOldest();
}

void WorldRecorder::dropOldest() {
    const auto total = [this] {
        std::size_t size = 0;
        for (const Part& part : m_parts) size += part.size;
        return size;
    };
    while (m_parts.size() > 1 && total() > m_capacity) m_parts.pop_front();
}

void WorldRecorder::stop(const std::string& why) {
    m_isOn = false;
    m_isTicking = false;
    m_tape->isOn = false;
    m_tick.callbacks.say("the recording ends here: " + why);
}

void WorldRecorder::listenToElements() {
    const auto noteShare = [this](ElementCommon& element) {
        if (isNoted(ElementAccess::f_normalized(element), m_tape)) return;
        ElementAccess::setShare(element, noted(ElementAccess::f_normalized(element), m_tape),
                                noted(ElementAccess::nextBreak(element), m_tape));
    };
    for (int i = 0; i < m_tick.world()->getNumConstraints(); ++i) {
        if (ForceElement* element = elementOf(m_tick.world()->getConstraint(i))) noteShare(*element);
    }
    auto* world = castTo<btMultiBodyDynamicsWorld*>(m_tick.world());
    for (int i = 0; world != nullptr && i < world->getNumMultiBodyConstraints(); ++i) {
        MultiBodyElement* element = elementOf(world->getMultiBodyConstraint(i));
        if (element == nullptr) continue;
        noteShare(*element);
        if (isNoted(ElementAccess::motorTorque(*element), m_tape)) continue;
        ElementAccess::setMotorTorque(*element, noted(ElementAccess::motorTorque(*element), m_tape),
                                      noted(ElementAccess::motorBreak(*element), m_tape));
    }
}

WorldRecording WorldRecorder::recording() const {
    auto run = std::make_shared<RecordedRun>();
    run->version = version();
    run->notes = notesOf(m_tick);
    if (m_parts.empty()) return WorldRecording(run);
    run->startTime = m_parts.front().startTime;
    run->start = m_parts.front().start;
    for (const Part& part : m_parts) run->ticks.insert(run->ticks.end(), part.ticks.begin(), part.ticks.end());
    return WorldRecording(run);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
