#include <elasto/errors.h>
#include <elasto/plugin.h>
#include <elasto/tick_moment.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "recording/world_recorder.h"
#include "snapshot/snapshot.h"
#include "startup_check.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr int kMostSubsteps = 10000;

void requireNotNegative(const char* field, double value) {
    if (!(value >= 0) || !std::isfinite(value)) {
        throw InvalidParameter("RestThresholds", field, value, "finite and >= 0");
    }
}

}  // namespace

Plugin::Plugin(btDiscreteDynamicsWorld* world) {
    if (world == nullptr) {
        throw std::invalid_argument("elasto::Plugin: world is null");
    }
    requireExpectedBullet();
    m_tick = std::make_shared<WorldTick>(*world);
    m_tick->settings.messageHandler = [](const std::string& message) { std::cerr << message << '\n'; };
    m_tick->install();
}

Plugin::~Plugin() {
    m_tick->uninstall();
}

void Plugin::defer(std::function<void()> function) {
    if (!function) throw InvalidParameter("Plugin", "the deferred function is empty; give one that can be called");
    m_tick->callbacks.defer(std::move(function));
}

double Plugin::time() const {
    return m_tick->results.time;
}

void Plugin::setTime(double time) {
    if (!std::isfinite(time)) {
        throw InvalidParameter("Plugin", "time", time, "finite");
    }
    m_tick->results.time = time;
}

const TickStatistics& Plugin::statistics() const {
    return m_tick->results.statistics;
}
const TickStatistics& Plugin::totals() const {
    return m_tick->results.totals;
}
EnergyBook Plugin::energy() const {
    return m_tick->energyNow();
}

TickMoment Plugin::insideTick(double t) const {
    return m_tick->inside(t);
}

std::optional<MultiBodyReadout> Plugin::readout(const btMultiBody& body) const {
    return m_tick->readout(body);
}
std::vector<ContactReadout> Plugin::contactsOf(const btCollisionObject& object) const {
    return m_tick->contactsOf(object);
}

const FlowSettings& Plugin::settings() const {
    return m_tick->settings.flow;
}
void Plugin::setSettings(const FlowSettings& settings) {
    if (!(settings.maxCost > 0)) {
        throw InvalidParameter("Plugin", "maxCost", settings.maxCost, "> 0");
    }
    const auto require = [](const char* field, double value) {
        if (!(value > 0 && std::isfinite(value))) throw InvalidParameter("Plugin", field, value, "finite and > 0");
    };
    require("tolerance", settings.tolerance);
    require("velocityFloor", settings.velocityFloor);
    if (!(settings.strongDamping >= 0)) {
        throw InvalidParameter("Plugin", "strongDamping", settings.strongDamping, ">= 0");
    }
    if (!(settings.substep >= 0 && std::isfinite(settings.substep))) {
        throw InvalidParameter("Plugin", "substep", settings.substep, "finite and >= 0");
    }
    if (settings.fewestSubsteps < 1) {
        throw InvalidParameter("Plugin", "fewestSubsteps", settings.fewestSubsteps, ">= 1");
    }
    if (settings.mostSubsteps < settings.fewestSubsteps || settings.mostSubsteps > kMostSubsteps) {
        throw InvalidParameter("Plugin", "mostSubsteps", settings.mostSubsteps, ">= fewestSubsteps and <= 10000");
    }
    setBudget(settings.maxSteps);
    m_tick->settings.flow = settings;
}

std::vector<TickRecord> Plugin::captureTick() const {
    return m_tick->capture();
}
void Plugin::setTickHandler(std::function<void(const TickRecord&)> handler, Grade from) {
    m_tick->settings.tickHandler = std::move(handler);
    m_tick->settings.tickHandlerFrom = from;
}

const AuditSettings& Plugin::audit() const {
    return m_tick->settings.audit;
}
void Plugin::setAudit(const AuditSettings& settings) {
    if (settings.every < 0) throw InvalidParameter("Plugin", "every", settings.every, ">= 0");
    if (!(settings.share >= 0 && std::isfinite(settings.share))) {
        throw InvalidParameter("Plugin", "share", settings.share, "finite and >= 0");
    }
    m_tick->settings.audit = settings;
}

void Plugin::setBudget(int maxSteps) {
    if (maxSteps < 1) {
        throw InvalidParameter("Plugin", "maxSteps", maxSteps, ">= 1");
    }
    m_tick->settings.flow.maxSteps = maxSteps;
}

void Plugin::setAccuracy(Accuracy accuracy) {
    m_tick->settings.flow.accuracy = accuracy;
}

const WorldBudget& Plugin::worldBudget() const {
    return m_tick->settings.budget;
}
void Plugin::setWorldBudget(const WorldBudget& budget) {
    if (!(budget.cost >= 0)) {
        throw InvalidParameter("WorldBudget", "cost", budget.cost, ">= 0");
    }
    if (!(budget.freeShare > 0)) {
        throw InvalidParameter("WorldBudget", "freeShare", budget.freeShare, "> 0");
    }
    m_tick->settings.budget = budget;
}

void Plugin::setThreads(int threads) {
    if (threads < 0 || threads > kMostThreads) {
        throw InvalidParameter("Plugin::setThreads", "threads", threads, "0 to " + std::to_string(kMostThreads));
    }
    m_tick->settings.jobRunner = threads > 1 ? onThreads(threads) : JobRunner();
    m_tick->settings.threads = std::max(threads, 1);
}

int Plugin::threads() const {
    return m_tick->settings.threads;
}

void Plugin::setJobRunner(JobRunner runner) {
    m_tick->settings.jobRunner = std::move(runner);
    m_tick->settings.threads = 1;
}

bool Plugin::contactCache() const {
    return m_tick->settings.keepsContacts;
}
void Plugin::setContactCache(bool isKept) {
    m_tick->settings.keepsContacts = isKept;
}

bool Plugin::freeFlight() const {
    return m_tick->settings.freeFlight;
}
void Plugin::setFreeFlight(bool isExact) {
    m_tick->settings.freeFlight = isExact;
}

bool Plugin::linearIslands() const {
    return m_tick->islands().isWanted;
}
void Plugin::setLinearIslands(bool isLinear) {
    m_tick->islands().isWanted = isLinear;
}

const RestThresholds& Plugin::restThresholds() const {
    return m_tick->settings.restThresholds;
}

void Plugin::setRestThresholds(const RestThresholds& thresholds) {
    requireNotNegative("speed", thresholds.speed);
    requireNotNegative("angularSpeed", thresholds.angularSpeed);
    requireNotNegative("acceleration", thresholds.acceleration);
    requireNotNegative("angularAcceleration", thresholds.angularAcceleration);
    m_tick->settings.restThresholds = thresholds;
}

namespace {

template <class SomeLoad>
std::shared_ptr<const SomeLoad> add(WorldTick& tick, std::vector<std::shared_ptr<const SomeLoad>>& loads,
                                    SomeLoad load) {
    auto added = std::make_shared<const SomeLoad>(std::move(load));
    tick.loads.change([&loads, added] { loads.push_back(added); });
    return added;
}

template <class SomeLoad>
void remove(WorldTick& tick, std::vector<std::shared_ptr<const SomeLoad>>& loads,
            const std::shared_ptr<const SomeLoad>& load) {
    tick.loads.change([&loads, load] { std::erase(loads, load); });
}

}  // namespace

std::shared_ptr<const Load> Plugin::addLoad(Load load) {
    return add(*m_tick, m_tick->loads.loads, std::move(load));
}

void Plugin::removeLoad(const std::shared_ptr<const Load>& load) {
    remove(*m_tick, m_tick->loads.loads, load);
}

std::shared_ptr<const JointLoad> Plugin::addJointLoad(JointLoad load) {
    return add(*m_tick, m_tick->loads.jointLoads, std::move(load));
}

void Plugin::removeJointLoad(const std::shared_ptr<const JointLoad>& load) {
    remove(*m_tick, m_tick->loads.jointLoads, load);
}

void Plugin::setMessageHandler(std::function<void(const std::string&)> handler) {
    m_tick->settings.messageHandler = std::move(handler);
}

void Plugin::setRefusal(Refusal refusal) {
    m_tick->settings.refusal = refusal;
}

Refusal Plugin::refusal() const {
    return m_tick->settings.refusal;
}

PluginState Plugin::saveState() const {
    return {m_tick->results.time, m_tick->results.energy};
}

void Plugin::restoreState(const PluginState& state) {
    m_tick->results.time = state.time;
    m_tick->results.energy = state.energy;
}

WorldSnapshot Plugin::saveWorld() const {
    return elasto::saveWorld(*m_tick);
}

void Plugin::restoreWorld(const WorldSnapshot& snapshot) {
    elasto::restoreWorld(*m_tick, snapshot);
}

void Plugin::record(double megabytes) {
    if (!(megabytes >= 0 && std::isfinite(megabytes))) {
        throw InvalidParameter("Plugin::record", "megabytes", megabytes, "finite and >= 0");
    }
    requireBetweenTicks(*m_tick, "Plugin::record");
    m_tick->watcher.reset();
    if (megabytes == 0) return;
    constexpr double kMost = 1e12;  // more than there is memory
    m_tick->watcher =
        std::make_shared<WorldRecorder>(*m_tick, static_cast<std::size_t>(std::min(megabytes * 1e6, kMost)));
}

WorldRecording Plugin::recording() const {
    const auto* recorder = dynamic_cast<const WorldRecorder*>(m_tick->watcher.get());
    return recorder != nullptr ? recorder->recording() : WorldRecording();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
