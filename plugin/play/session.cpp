#include "session.h"

#include <elasto/errors.h>
#include <elasto/scene/start.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr int kMostBalls = 1000;

void require(bool isGood, const char* field, double value, const char* allowed) {
    if (!isGood) throw InvalidParameter("session", field, value, allowed);
}

BallSize ballSizeOf(const Scene& scene, const SessionOptions& options) {
    BallSize size = ballSizeFor(scene);
    size.radius = options.ballRadius.value_or(size.radius);
    size.mass = options.ballMass.value_or(size.mass);
    require(std::isfinite(size.radius) && size.radius > 0, "ballRadius", size.radius, "finite and > 0");
    require(std::isfinite(size.mass) && size.mass > 0, "ballMass", size.mass, "finite and > 0");
    return size;
}

bool isFinite(const BodyState& state) {
    return state.position.allFinite() && state.orientation.coeffs().allFinite() && state.velocity.allFinite() &&
           state.angularVelocity.allFinite();
}

}  // namespace

Session::Session(Scene scene, SessionOptions options)
    : m_scene(std::move(scene)),
      m_places(startNetwork(m_scene)),
      m_options(std::move(options)),
      m_rate(m_options.rate),
      m_balls(static_cast<std::size_t>(std::max(0, m_options.balls))),
      m_ballSize(ballSizeOf(m_scene, m_options)),
      m_snapshots(m_options.snapshotMegabytes) {
    require(m_options.balls >= 0 && m_options.balls <= kMostBalls, "balls", m_options.balls, "from 0 to 1000");
    require(m_options.historyMegabytes >= 0, "historyMegabytes", m_options.historyMegabytes, ">= 0");
    require(m_options.snapshotMegabytes >= 0, "snapshotMegabytes", m_options.snapshotMegabytes, ">= 0");
    begin(freshWorld(m_rate), {});
}

Session::~Session() = default;

std::unique_ptr<SceneWorld> Session::freshWorld(std::optional<double> rate) {
    auto world = std::make_unique<SceneWorld>(withBalls(m_scene, static_cast<int>(m_balls), m_ballSize), rate,
                                              m_options.takesMultiBodies);
    for (std::size_t i = m_scene.bodies.size(); i < world->bodies(); ++i) park(world->body(i));
    if (m_options.prepare) m_options.prepare(*world);
    listen(*world);
    return world;
}

bool Session::isSameUpTo(int run, long tick) const {
    return std::all_of(m_forks.begin() + run + 1, m_forks.end(), [tick](long fork) { return tick <= fork; });
}

/// A new run: nothing of it is known yet.
void Session::begin(std::unique_ptr<SceneWorld> world, Inputs inputs) {
    m_world = std::move(world);
    m_isSpoilt = false;
    m_trouble.reset();
    m_check.reset();
    m_refusedInput.reset();
    m_ghosts.clear();
    m_run = static_cast<int>(m_forks.size());
    m_forks.push_back(-1);
    m_inputs = std::move(inputs);
    m_marks.clear();
    m_elements = playedElements(*m_world);
    m_joints = playedJoints(*m_world);
    m_history = std::make_unique<History>(playedSample(*m_world).bodies.size(), m_elements.size(), m_joints.size());
    m_snapshots.clear();
    m_refusal.clear();
    m_messages.clear();
    m_firstForeign = -1;
    m_controls = Controls::of(m_scene);
    m_tick = 0;
    m_events.clear();
    m_contacts.assign(m_elements.size(), {});
    if (m_scope) m_scope->jump(false);
    arrive();
    m_tickStart = m_tickEnd;
}

void Session::restart(std::optional<double> rate) {
    Inputs standing = standingInputs();
    if (rate && *rate != this->rate()) {
        auto world = freshWorld(rate);
        m_rate = rate;
        begin(std::move(world), std::move(standing));
        return;
    }
    m_trouble.reset();
    if (hasStandingInputsAlone()) {
        goTo(0);
        return;
    }
    leave(0);
    m_check.reset();
    m_inputs = std::move(standing);
    m_marks.resize(1);
    startFrom(0);
}

void Session::reset(Inputs inputs) {
    begin(freshWorld(m_rate), std::move(inputs));
}

void Session::takeOver(Inputs inputs, std::vector<StateMark> marks) {
    begin(freshWorld(m_rate), std::move(inputs));
    m_check = RecordingCheck{static_cast<long>(marks.size()) - 1, 0, m_refusedInput};
    m_bitsAgree = m_marks.front() == marks.front();
    if (!m_bitsAgree) m_check->difference = differenceAt(0, *m_world, m_marks.front(), marks.front());
    m_marks = std::move(marks);
}

double Session::rate() const {
    return m_world->rate();
}

double Session::tickLength() const {
    return m_world->tickLength();
}

double Session::time() const {
    return m_world->time();
}

long Session::lastTick() const {
    return static_cast<long>(m_marks.size()) - 1;
}

bool Session::isParked(std::size_t body) const {
    return isBall(body) && m_world->body(body).getActivationState() == DISABLE_SIMULATION;
}

// --- Time ---

bool Session::step() {
    if (m_trouble) return false;
    return advance();
}

void Session::seek(long tick) {
    if (tick < 0 || tick > lastTick()) {
        throw std::out_of_range("session: no tick " + std::to_string(tick) + "; there are 0 to " +
                                std::to_string(lastTick()));
    }
    if (tick == m_tick && !m_trouble) return;
    m_trouble.reset();
    goTo(tick);
}

/// Goes to a recorded tick, and lets the oscilloscope see what it shows there.
bool Session::goTo(long tick) {
    // One tick is run at least, so that elements have their solution inside the last tick; the oscilloscope wants more.
    const long toShow = m_scope ? m_scope->settings().ticks : 1;
    const long before = std::max(tick - toShow, 0L);
    if (m_scope) {
        const long impact = lastContact(m_scope->settings().element, tick);
        const ScopeTrace& seen = m_scope->impact();
        const bool isOther =
            seen.isEmpty() ? impact >= 0 : seen.ticks().front().number != impact || seen.ticks().back().number > tick;
        if (isOther) {
            m_scope->jump(false);
            if (impact >= 0 && impact <= before) {
                const long end = std::max(impact + toShow - 1, endOfContact(m_scope->settings().element, impact));
                if (!runTo(std::min(end, tick), impact - 1)) return false;
            }
        }
    }
    return runTo(tick, before);
}

/// Runs to a recorded tick from the nearest state that is at hand, not later than another one.
bool Session::runTo(long tick, long before) {
    const std::optional<long> snapshot = m_snapshots.latest(before);
    const bool isAhead = !m_isSpoilt && m_tick <= before;
    if (!isAhead || (snapshot && *snapshot > m_tick)) startFrom(snapshot.value_or(0));
    while (m_tick < tick) {
        if (!advance()) return false;
    }
    return true;
}

/// Puts the world to a tick that has a snapshot, or to the start.
void Session::startFrom(long tick) {
    if (m_isSpoilt || !m_snapshots.latest(tick)) m_world = freshWorld(m_rate);
    m_isSpoilt = false;
    m_tick = 0;
    if (m_snapshots.latest(tick)) {
        m_world->plugin().restoreWorld(m_snapshots.at(tick));
        m_world->setTicks(tick);
        m_tick = tick;
    }
    m_controls = Controls::of(m_scene);
    for (const Input& input : m_inputs) {
        if (input.tick < m_tick) m_controls.take(input.action);
    }
    m_controls.putSettings(*m_world);
    m_bitsAgree = markOf(*m_world) == m_marks[static_cast<std::size_t>(m_tick)];
    m_events.clear();
    if (m_scope) m_scope->jump(true);
    m_tickEnd = m_tickStart = playedSample(*m_world);
    keepBookOfStart();
    applyDue();
    m_sample = playedSample(*m_world);
}

/// The row of the start, where the history that had it has become a ghost's.
void Session::keepBookOfStart() {
    if (m_tick > 0 || m_history->lastTick() >= 0) return;
    *m_history = History(m_tickEnd.bodies.size(), m_elements.size(), m_joints.size());
    m_history->add(m_tickEnd, m_world->plugin().energy(), {}, jointSamples());
}

bool Session::advance() {
    m_events.clear();
    const SceneSample start = m_sample;
    try {
        pull(m_controls, *m_world);
        m_world->step();
    } catch (const std::exception& error) {
        stop(error.what());
        return false;
    }
    Trouble trouble;
    if (const std::string problem = nonFinite(trouble); !problem.empty()) {
        stop(problem);
        return false;
    }
    ++m_tick;
    m_tickStart = start;
    arrive();
    noteContacts();
    if (m_scope) {
        const auto element = static_cast<std::size_t>(m_scope->settings().element);
        m_scope->add(*m_world, start.elements[element], m_tickEnd.elements[element], m_events);
    }
    return true;
}

/// Books the state that the world has now; the first time, or compares it with what was seen then.
void Session::arrive() {
    m_tickEnd = playedSample(*m_world);
    StateMark mark = markOf(*m_world);
    if (m_tick < static_cast<long>(m_marks.size())) {
        const StateMark& expected = m_marks[static_cast<std::size_t>(m_tick)];
        m_bitsAgree = mark == expected;
        if (m_check && m_tick <= m_check->ticks) {
            m_check->checked = std::max(m_check->checked, m_tick);
            const bool isFirst = !m_check->difference || m_check->difference->tick > m_tick;
            if (!m_bitsAgree && isFirst) m_check->difference = differenceAt(m_tick, *m_world, mark, expected);
        }
    } else {
        m_bitsAgree = true;
        m_marks.push_back(std::move(mark));
    }
    if (m_tick > m_history->lastTick()) {
        if (m_firstForeign < 0 && hasForeignForce()) m_firstForeign = m_tick;
        m_history->add(m_tickEnd, m_world->plugin().energy(), m_world->plugin().statistics().grade(), jointSamples());
        keepHistoryWithin();
    }
    saveSnapshot();
    applyDue();
    m_sample = playedSample(*m_world);
}

std::vector<JointSample> Session::jointSamples() const {
    std::vector<JointSample> samples;
    for (const PlayedJoint& joint : m_joints) samples.push_back(sampleOf(joint, *m_world));
    return samples;
}

/// Beyond the budget the rows of the oldest ghosts go first, then the oldest quarter of the run's at once, so that they
/// do not have to be moved each tick.
void Session::keepHistoryWithin() {
    constexpr long kPart = 4;
    const auto isWithin = [this] { return static_cast<double>(historyBytes()) <= m_options.historyMegabytes * 1e6; };
    if (isWithin()) return;
    for (Ghost& ghost : m_ghosts) {
        ghost.history.forgetBefore(ghost.history.lastTick() + 1);
        if (isWithin()) return;
    }
    const long rows = m_history->lastTick() - m_history->firstTick() + 1;
    if (rows >= kPart) m_history->forgetBefore(m_history->firstTick() + rows / kPart);
}

std::size_t Session::historyBytes() const {
    std::size_t bytes = m_history->bytes();
    for (const Ghost& ghost : m_ghosts) bytes += ghost.history.bytes();
    return bytes;
}

void Session::saveSnapshot() {
    if (!m_refusal.empty()) return;
    try {
        m_snapshots.add(m_tick, m_world->plugin().saveWorld());
    } catch (const InvalidParameter& error) {
        m_refusal = error.what();
        m_snapshots.clear();
    }
}

SnapshotUse Session::snapshots() const {
    constexpr double kMega = 1e6;
    return {m_snapshots.count(), static_cast<double>(m_snapshots.bytes()) / kMega, m_snapshots.budget() / kMega,
            m_snapshots.spacing(), m_refusal};
}

// --- Trouble ---

/// What is not a number now, "" if all is well; also tells whose it is.
std::string Session::nonFinite(Trouble& trouble) const {
    const SceneSample sample = playedSample(*m_world);
    for (std::size_t i = 0; i < sample.bodies.size(); ++i) {
        if (isFinite(sample.bodies[i])) continue;
        trouble.body = static_cast<int>(i);
        return "body '" + Movable(*m_world, i).name() + "': its state is not finite";
    }
    for (std::size_t i = 0; i < sample.elements.size(); ++i) {
        const ElementSample& element = sample.elements[i];
        if (std::isfinite(element.s) && std::isfinite(element.v) && std::isfinite(element.force.f)) continue;
        trouble.element = static_cast<int>(i);
        return ElementHandle(*m_world, i).label() + ": its force is not finite";
    }
    return "";
}

/// The tick could not be done: notes why and goes back to the state before it.
void Session::stop(const std::string& message) {
    Trouble trouble;
    trouble.tick = m_tick;
    nonFinite(trouble);
    trouble.message = message;
    for (std::size_t i = 0; i < m_elements.size() && trouble.element < 0; ++i) {
        if (message.find(ElementHandle(*m_world, i).label()) != std::string::npos)
            trouble.element = static_cast<int>(i);
    }
    m_isSpoilt = true;
    goTo(m_tick);
    m_trouble = std::move(trouble);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
