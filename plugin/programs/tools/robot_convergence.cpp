#include "robot_convergence.h"

#include <elasto/errors.h>
#include <elasto/reference/nrmse.h>
#include <elasto/robot/robot_signals.h>
#include <elasto/robot/robot_world.h>
#include <elasto/scene/signals.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tool_errors.h"

namespace elasto::tools {

namespace {

/// Of the reference's rate above the highest one. A run of second order at that rate is then 1/16 off at most.
constexpr double kFiner = 4;
/// [m, rad] Less is no motion: errors would be shares of rounding, which is 1e-7 in single precision.
constexpr double kStill = 1e-6;
/// Fewer instants say little about a motion.
constexpr long kFewestRows = 5;

/// Index of the link that is a free base; -1: the base is fixed.
int freeBaseOf(const Robot& robot) {
    if (robot.multiBody().hasFixedBase()) return -1;
    const std::vector<RobotJoint>& joints = robot.description().joints;
    return !joints.empty() && joints.front().type == RobotJoint::Type::Floating ? 1 : 0;
}

/// Coordinates of joints, and where free bases and bodies are.
std::vector<RobotSignal> coordinatesOf(const RobotScene& scene) {
    const RobotDescription& robot = scene.robot;
    const RobotWorld world(scene);
    const std::vector<Signal> around = availableSignals(scene.around);
    std::vector<RobotSignal> picked;
    for (const RobotSignal& signal : availableRobotSignals(scene)) {
        const bool isOfBase =
            signal.kind == RobotSignalKind::LinkPosition && signal.index == freeBaseOf(world.robot(signal.robot));
        const bool isOfBody = signal.kind == RobotSignalKind::Around &&
                              around[static_cast<std::size_t>(signal.index)].kind == SignalKind::BodyPosition;
        if (signal.kind == RobotSignalKind::JointCoordinate || isOfBase || isOfBody) picked.push_back(signal);
    }
    if (picked.empty()) {
        throw InputError(
            fmt::format("robot '{}' has no joint that moves by one coordinate, and its base is fixed: "
                        "there is nothing to compare",
                        robot.name));
    }
    return picked;
}

/// Rows at the ticks of the lowest rate. Fewer rows than asked for: the run is lost, or has been ended.
class Runs {
public:
    Runs(std::vector<RobotSignal> signals, double lowest, long rows)
        : m_signals(std::move(signals)), m_lowest(lowest), m_rows(rows) {}

    template <class GoOn>
    Trajectory run(const RobotScene& scene, double rate, const GoOn& goOn) const {
        RobotWorld world(scene, rate);
        world.plugin().setMessageHandler([](const std::string&) {});  // what it says here, it says in elasto run, too
        Trajectory kept;
        for (const RobotSignal& signal : m_signals) kept.signals.push_back(signal.name);
        kept.columns.resize(m_signals.size());
        const long ticks = std::lround(rate / m_lowest);
        for (long row = 0; row <= m_rows; ++row) {
            for (long tick = 0; row > 0 && tick < ticks; ++tick) world.step();
            kept.time.push_back(static_cast<double>(row) / m_lowest);
            for (std::size_t i = 0; i < m_signals.size(); ++i) kept.columns[i].push_back(world.value(m_signals[i]));
            if (!goOn(static_cast<double>(row) * static_cast<double>(ticks))) break;
        }
        return kept;
    }

    bool isWhole(const Trajectory& run) const { return static_cast<long>(run.time.size()) == m_rows + 1; }

private:
    std::vector<RobotSignal> m_signals;
    double m_lowest;
    long m_rows;
};

/// Of all robots.
void setSolver(RobotScene& scene, RobotScene::Solver solver) {
    scene.solver = solver;
    for (SceneRobot& robot : scene.others) robot.solver = solver;
}

double largestRange(const Trajectory& run) {
    double largest = 0;
    for (const std::vector<double>& column : run.columns) {
        const auto [least, most] = std::minmax_element(column.begin(), column.end());
        largest = std::max(largest, *most - *least);
    }
    return largest;
}

double worstError(const Trajectory& reference, const Trajectory& run) {
    double worst = 0;
    for (const SignalError& error : compareSignals(reference, run)) {
        worst = std::isfinite(error.nrmse) ? std::max(worst, error.nrmse) : std::numeric_limits<double>::infinity();
        if (std::isinf(worst)) break;
    }
    return worst;
}

}  // namespace

Convergence measureRobotConvergence(const RobotScene& scene, const std::vector<double>& rates,
                                    const std::function<bool(double)>& onProgress) {
    const double lowest = rates.front();
    const long rows = std::lround(std::floor(scene.duration * lowest * (1 + 1e-12)));
    if (rows < kFewestRows) {
        throw InputError(
            fmt::format("scene '{}' lasts {:g} s; at the lowest rate of {:g} Hz it must last at least {} "
                        "ticks, {:g} s",
                        scene.name, scene.duration, lowest, kFewestRows, static_cast<double>(kFewestRows) / lowest));
    }
    const std::vector<RobotSignal> signals = coordinatesOf(scene);
    const double finest = kFiner * rates.back();
    Convergence result;
    result.scene = scene.name;
    result.signal =
        signals.size() == 1 ? signals.front().name : fmt::format("the worst of {} coordinates", signals.size());
    result.reference = fmt::format("its own run at {:g} Hz", finest);
    result.duration = static_cast<double>(rows) / lowest;
    result.rates = rates;

    struct Way {
        RobotScene scene;
        ConvergenceWay said;
    };
    std::vector<Way> ways;
    Way bullet{scene, {"Bullet", "its own step knows no elements", {}}};
    bool hasElements = !scene.around.elements.empty();
    for (std::size_t i = 0; i < scene.robots(); ++i) hasElements = hasElements || !scene.at(i).robot.elements.empty();
    if (!hasElements) {
        setSolver(bullet.scene, RobotScene::Solver::Bullet);
        bullet.scene.around.flight = Scene::Flight::Bullet;
        bullet.said.reason.clear();
    }
    ways.push_back(std::move(bullet));
    ways.push_back({scene, {"Elasto", {}, {}}});
    setSolver(ways.back().scene, RobotScene::Solver::Elasto);

    double work = finest;
    for (const Way& way : ways) {
        for (const double rate : rates) work += way.said.reason.empty() ? rate : 0;
    }
    work *= result.duration;
    double done = 0;
    const auto run = [&](const Runs& runs, const RobotScene& one, double rate) {
        Trajectory kept = runs.run(one, rate, [&](double ticks) { return onProgress((done + ticks) / work); });
        done += rate * result.duration;
        return kept;
    };
    const Runs runs(signals, lowest, rows);
    const Trajectory reference = run(runs, ways.back().scene, finest);
    bool isEnded = !runs.isWhole(reference);
    if (!isEnded && largestRange(reference) < kStill) {
        throw InputError(
            fmt::format("scene '{}' stands still ({} moves by less than {:g} m or rad): there is nothing "
                        "to compare",
                        scene.name, result.signal, kStill));
    }
    for (Way& way : ways) {
        for (const double rate : rates) {
            if (isEnded || !way.said.reason.empty()) break;
            try {
                const Trajectory kept = run(runs, way.scene, rate);
                isEnded = !runs.isWhole(kept);
                if (!isEnded) way.said.errors.push_back(worstError(reference, kept));
            } catch (const InvalidParameter&) {  // a tick that cannot be solved: the run has left all bounds
                way.said.errors.push_back(std::numeric_limits<double>::infinity());
                done += rate * result.duration;
            }
        }
        result.ways.push_back(std::move(way.said));
    }
    return result;
}

}  // namespace elasto::tools
