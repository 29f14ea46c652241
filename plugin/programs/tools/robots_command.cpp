#include "robots_command.h"

#include <elasto/precision.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "robots_measures.h"
#include "robots_wheels.h"

namespace elasto::tools {

namespace {

constexpr const char* kPercent = "%";

/// What is measured, and in which unit.
struct Measured {
    std::string name;
    std::string unit;
};
const Measured kNrmse{"NRMSE", kPercent};
const Measured kMeanForce{"mean force", kPercent};
const Measured kMomentum{"momentum", "rel."};
const Measured kEnergy{"energy rise", "rel."};

constexpr bool kSinglePrecision = std::string_view(kPrecision) == "single";

/// In single precision three times the error is allowed, at least 0.02 %; what is exact in double up to rounding is
/// only printed.
std::optional<double> targetAt(const Measured& measured, const std::map<double, double>& targets, double rate) {
    const auto found = targets.find(rate);
    if (found == targets.end()) return std::nullopt;
    if (!kSinglePrecision) return found->second;
    if (measured.unit != kPercent) return std::nullopt;
    return std::max(3 * found->second, 0.02);
}

/// Collects cases.
class Cases {
public:
    explicit Cases(Suite& suite) : m_suite(suite) {}

    void begin(const char* name, const Measured& measured, std::map<double, double> targets, const char* why) {
        m_measured = measured;
        m_targets = std::move(targets);
        SuiteCase& added = m_suite.cases.emplace_back();
        added.name = name;
        added.targets = targetsText(measured.name, measured.unit, m_targets);
        added.why = why;
    }

    using Run = std::function<RobotOutcome(double rate, const Continue& proceed)>;
    void add(const std::string& label, Run run) {
        SuiteCase& one = m_suite.cases.back();
        const auto measureAt = [name = one.name, label, measured = m_measured, targets = m_targets,
                                run = std::move(run)](double rate, const Continue& proceed) {
            std::vector<SuiteResult> results;
            if (const RobotOutcome outcome = run(rate, proceed)) {
                results.push_back({name, label, rate, 0, measured.name, measured.unit, outcome->reached,
                                   targetAt(measured, targets, rate), outcome->totals});
            }
            return results;
        };
        one.variants.push_back({label, measureAt});
    }

    void addAngles(const std::string& label, const RobotModel& model, bool untilDivergence) {
        add(label,
            [=](double rate, const Continue& proceed) { return measureAngles(model, untilDivergence, rate, proceed); });
    }

    /// The same wheels as rigid bodies on hinges.
    void addWheels(const std::string& label, const RobotModel& model, bool untilDivergence) {
        add(label + ", hinges",
            [=](double rate, const Continue& proceed) { return measureWheels(model, untilDivergence, rate, proceed); });
    }

private:
    Suite& m_suite;
    Measured m_measured;
    std::map<double, double> m_targets;
};

std::string label(double c, double d) {
    return fmt::format("c {:g}, d {:g}", c, d);
}

void addJoints(Cases& cases) {
    cases.begin("bar_stop", kNrmse, {{60, 0.02}, {240, 0.002}},
                "A stop on a joint's coordinate; plain Bullet is 0.95 / 0.24 % off without any stop.");
    for (const double c : {1e3, 1e4, 1e5, 1e6}) {
        for (const double d : {0., 50.}) cases.addAngles(label(c, d), barOnStop(c, d), false);
    }
    cases.begin("arm", kNrmse, {{60, 0.3}, {240, 0.02}},
                "Backlash and a rotor in both joints. It doubles every error again and again: compared until a start "
                "1e-9 rad off is 1e-7 rad off.");
    cases.addAngles(label(1e4, 1), armWithDrives(1e4, 1), true);
    cases.begin("arm_damped", kNrmse, {{60, 0.01}, {240, 0.001}}, "The same, damped enough to be compared.");
    cases.addAngles(label(1e4, 20), armWithDrives(1e4, 20), false);
    cases.begin("drive", kNrmse, {{60, 0.1}, {240, 0.005}}, "A motor that reverses behind a gear of 100.");
    for (const double c : {1e4, 1e6}) {
        for (const double d : {0., 1., 50.}) cases.addAngles(label(c, d), reversingDrive(c, d), false);
    }
    cases.begin("wheels", kNrmse, {{60, 0.05}, {240, 0.005}},
                "A pair in mesh, ratio -2.5, without a shape for its teeth; compared until it diverges.");
    for (const auto& [c, d] : {std::pair(1e3, 0.1), std::pair(1e4, 1.), std::pair(1e5, 5.)}) {
        cases.addAngles(label(c, d), gearTrain({0.01, 0.05}, {-2.5}, c, d, 1.5), true);
        cases.addWheels(label(c, d), gearTrain({0.01, 0.05}, {-2.5}, c, d, 1.5), true);
    }
    cases.begin("gear_train", kNrmse, {{60, 0.05}, {240, 0.005}}, "Three pairs in a row, from rest.");
    for (const auto& [c, d] : {std::pair(1e3, 0.5), std::pair(1e4, 2.)}) {
        cases.addAngles(label(c, d), gearTrain({0.01, 0.02, 0.04, 0.5}, {-2.5, -2, -3}, c, d, 1), true);
        cases.addWheels(label(c, d), gearTrain({0.01, 0.02, 0.04, 0.5}, {-2.5, -2, -3}, c, d, 1), true);
    }
}

void addBodies(Cases& cases) {
    cases.begin("flying_pair", kMomentum, {{60, 1e-12}, {240, 1e-12}},
                "Nothing outside acts on a free body whose links strike their stops.");
    cases.add("", [](double rate, const Continue& proceed) { return measureMomentum(flyingPair(), rate, proceed); });
    cases.begin("pressed_link", kMeanForce, {{60, 0.001}, {240, 0.001}},
                "What a limit, a motor or a contact holds up is felt by the element at once.");
    for (const auto& [support, name] :
         {std::pair(Support::Floor, "floor"), std::pair(Support::Limit, "limit"), std::pair(Support::Motor, "motor")}) {
        for (const double c : {1e4, 1e6, 1e8}) {
            for (const double d : {0., 100.}) {
                cases.add(fmt::format("{}, {}", name, label(c, d)),
                          [=, support = support](double rate, const Continue& proceed) {
                              return measurePress(support, c, d, rate, proceed);
                          });
            }
        }
    }
    cases.begin("held_body", kNrmse, {{60, 0.2}, {240, 0.05}},
                "A link and a free rigid body, both on the floor: one network.");
    for (const auto& [c, d] : {std::pair(1e3, 1.), std::pair(1e5, 10.)}) {
        cases.add(label(c, d), [c = c, d = d](double rate, const Continue& proceed) {
            return measureHeldBody(c, d, rate, proceed);
        });
    }
    cases.begin(
        "six_axes", kEnergy, {{60, 1e-9}, {240, 1e-9}},
        "An arm that falls freely for a minute with a backlash in every joint, undamped. Measured in the kinetic "
        "energy that it reaches.");
    cases.add("d 0", [](double rate, const Continue& proceed) { return measureEnergy(sixAxes(), rate, proceed); });
}

}  // namespace

int verifyRobots(const SuiteOptions& options) {
    Suite suite{"elements on multibodies", {60, 240}, {}};
    Cases cases(suite);
    addJoints(cases);
    addBodies(cases);
    return runSuite(suite, options);
}

}  // namespace elasto::tools
