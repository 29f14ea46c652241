#include "reference_run.h"

#include <elasto/errors.h>
#include <elasto/reference/reference.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <sstream>
#include <thread>

#include "session.h"

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// Length of the first piece that is solved [s]: something to see soon. Each next piece is twice as long.
constexpr double kFirstPiece = 1;

/// What the inputs at the first tick have made of the scene.
class StartEdits {
public:
    explicit StartEdits(Scene& scene) : m_scene(scene) {}

    void operator()(const ParameterEdit& edit) const {
        SceneElement& element = elementOf(edit.element);
        element.law = withParameter(element.law, edit.parameter, edit.value, element.name);
    }
    void operator()(const MotorEdit& edit) const {
        m_scene.joints[static_cast<std::size_t>(edit.joint)].motor = SceneMotor{edit.velocity, edit.maxForce};
    }
    void operator()(const GravityEdit& edit) const { m_scene.gravity = edit.gravity; }
    template <typename Other>
    void operator()(const Other&) const {}

private:
    SceneElement& elementOf(int index) const { return m_scene.elements[static_cast<std::size_t>(index)]; }

    Scene& m_scene;
};

bool isInScene(const Action& action) {
    return std::holds_alternative<ParameterEdit>(action) || std::holds_alternative<ElementSwitch>(action) ||
           std::holds_alternative<MotorEdit>(action) || std::holds_alternative<GravityEdit>(action);
}

/// Inputs that do nothing which a reference would miss. What a ball touches is seen by the contact.
bool isHarmless(const Action& action) {
    return std::holds_alternative<Throw>(action) || std::holds_alternative<IterationsEdit>(action);
}

std::string keyOf(const Session& session) {
    std::ostringstream key;
    key.precision(17);
    key << session.rate();
    const auto put = [&key](const Action& action) {
        key << ' ' << actionName(action);
        if (const auto* edit = std::get_if<ParameterEdit>(&action)) {
            key << ' ' << edit->element << ' ' << edit->parameter << ' ' << edit->value;
        } else if (const auto* change = std::get_if<ElementSwitch>(&action)) {
            key << ' ' << change->element << ' ' << change->enabled;
        } else if (const auto* motor = std::get_if<MotorEdit>(&action)) {
            key << ' ' << motor->joint << ' ' << motor->velocity << ' ' << motor->maxForce;
        } else if (const auto* gravity = std::get_if<GravityEdit>(&action)) {
            key << ' ' << gravity->gravity.transpose();
        }
    };
    for (const Input& input : session.inputs()) {
        if (input.tick > 0) break;
        if (isInScene(input.action)) put(input.action);
    }
    return key.str();
}

ElementSample sampleOf(const ReferenceElementState& state, const ReferenceElementState* before, double interval) {
    ElementSample sample;
    sample.s = state.s;
    sample.v = state.v;
    sample.force = state.force;
    sample.meanForce = before != nullptr ? (state.impulse - before->impulse) / interval : state.force.f;
    sample.lossPower = state.lossPower;
    sample.dissipatedPower = state.dissipatedPower;
    sample.heat = state.heat;
    sample.storedEnergy = state.storedEnergy;
    sample.s_damper = state.s_damper;
    sample.pointA = state.pointA;
    sample.pointB = state.pointB;
    return sample;
}

/// Adds the states that a history does not have yet.
void append(const std::vector<ReferenceState>& states, History& history) {
    for (auto row = static_cast<std::size_t>(history.lastTick() + 1); row < states.size(); ++row) {
        const ReferenceState& state = states[row];
        SceneSample sample;
        sample.time = state.time;
        sample.bodies = state.bodies;
        EnergyBook book;
        for (std::size_t i = 0; i < state.elements.size(); ++i) {
            const ReferenceElementState* before = row > 0 ? &states[row - 1].elements[i] : nullptr;
            sample.elements.push_back(
                sampleOf(state.elements[i], before, row > 0 ? state.time - states[row - 1].time : 0));
            book.stored += state.elements[i].storedEnergy;
            book.dissipated += state.elements[i].heat;
        }
        history.add(sample, book);
    }
}

Trajectory deflections(const Scene& scene, const History& run, long first, long last) {
    Trajectory table;
    for (long tick = first; tick <= last; ++tick) table.time.push_back(static_cast<double>(tick));
    for (std::size_t i = 0; i < scene.elements.size(); ++i) {
        const SceneElement& element = scene.elements[i];
        table.signals.push_back(element.name + "." + quantityName(Quantity::S, element.geometry));
        table.columns.push_back(run.column(i, Quantity::S, first, last));
    }
    return table;
}

}  // namespace

Scene sceneAtStart(const Session& session) {
    Scene scene = session.scene();
    std::vector<char> isOff(scene.elements.size(), 0);
    for (const Input& input : session.inputs()) {
        if (input.tick > 0) break;
        std::visit(StartEdits(scene), input.action);
        if (const auto* change = std::get_if<ElementSwitch>(&input.action)) {
            isOff[static_cast<std::size_t>(change->element)] = change->enabled ? 0 : 1;
        }
    }
    for (std::size_t i = 0; i < isOff.size(); ++i) {
        if (isOff[i] != 0) scene.elements[i].law = SpringDamperLaw({.c = 0, .d = 0});
    }
    return scene;
}

/// What the thread and the object share: whoever of both lives longer keeps it.
struct ReferenceRun::Shared {
    std::mutex mutex;
    std::condition_variable wake;
    std::condition_variable reached;
    long requested = 0;
    bool isEnding = false;
    std::shared_ptr<const History> history;
    std::string failure;
};

ReferenceRun::ReferenceRun(const Session& session) : m_key(keyOf(session)), m_shared(std::make_shared<Shared>()) {
    // CVODE cannot be stopped within a piece, and nobody should have to wait for it.
    std::thread([shared = m_shared, scene = sceneAtStart(session), rate = session.rate()] {
        work(shared, scene, rate);
    }).detach();
}

ReferenceRun::~ReferenceRun() {
    {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->isEnding = true;
    }
    m_shared->wake.notify_all();
}

bool ReferenceRun::fits(const Session& session) const {
    return m_key == keyOf(session);
}

void ReferenceRun::request(long tick) {
    {
        const std::lock_guard lock(m_shared->mutex);
        if (tick <= m_shared->requested) return;
        m_shared->requested = tick;
    }
    m_shared->wake.notify_all();
}

bool ReferenceRun::wait() {
    std::unique_lock lock(m_shared->mutex);
    m_shared->reached.wait(lock, [this] {
        const Shared& shared = *m_shared;
        return !shared.failure.empty() || shared.requested == 0 ||
               (shared.history && shared.history->lastTick() >= shared.requested);
    });
    return m_shared->failure.empty();
}

std::shared_ptr<const History> ReferenceRun::history() const {
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->history;
}

std::string ReferenceRun::failure() const {
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->failure;
}

void ReferenceRun::work(const std::shared_ptr<Shared>& shared, const Scene& scene, double rate) {
    auto all = std::make_shared<History>(scene.bodies.size(), scene.elements.size());
    long piece = std::max(1L, std::lround(kFirstPiece * rate));
    while (true) {
        {
            std::unique_lock lock(shared->mutex);
            shared->wake.wait(lock, [&] { return shared->isEnding || shared->requested > all->lastTick(); });
            if (shared->isEnding) return;
        }
        std::vector<double> times;
        for (long tick = 0; tick <= piece; ++tick) times.push_back(static_cast<double>(tick) / rate);
        std::string failure;
        try {
            const ReferenceSolution solution = solveReference(referenceProblem(scene), times);
            auto longer = std::make_shared<History>(*all);
            append(solution.states, *longer);
            all = std::move(longer);
        } catch (const std::exception& error) {
            failure = error.what();
        }
        {
            const std::lock_guard lock(shared->mutex);
            if (all->lastTick() >= 0) shared->history = all;
            shared->failure = failure;
        }
        shared->reached.notify_all();
        if (!failure.empty()) return;
        piece *= 2;
    }
}

ComparableRun comparableRun(const Session& session) {
    using End = ComparableRun::End;
    ComparableRun run{session.lastTick(), End::None};
    const auto endAt = [&run](long tick, End end) {
        if (tick < run.last) run = {tick, end};
    };
    if (session.firstForeignForce() >= 0) endAt(session.firstForeignForce(), End::Contact);
    for (const Input& input : session.inputs()) {
        if (isHarmless(input.action) || (input.tick == 0 && isInScene(input.action))) continue;
        endAt(input.tick, isInScene(input.action) ? End::Edit : End::Pull);
        break;
    }
    return run;
}

RunError errorOf(const Scene& scene, const History& run, const History& reference, long last) {
    if (scene.elements.empty() || last < 0) return {};
    const long known = std::min(last, reference.lastTick());
    const long first = std::max(run.firstTick(), reference.firstTick());
    if (!run.has(known) || first > known) return {std::numeric_limits<double>::infinity(), ""};
    const std::vector<SignalError> errors =
        compareSignals(deflections(scene, reference, first, known), deflections(scene, run, first, known));
    const SignalError* worst = worstSignal(errors);
    return {worst->nrmse, worst->signal};
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
