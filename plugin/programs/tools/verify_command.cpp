#include <elasto/precision.h>
#include <elasto/reference/reference.h>
#include <elasto/scene/load_scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assets.h"
#include "commands.h"
#include "coupled_command.h"
#include "exit_codes.h"
#include "interrupt.h"
#include "options.h"
#include "print.h"
#include "progress.h"
#include "robots_command.h"
#include "suggestion.h"
#include "swing_command.h"
#include "table.h"
#include "tool_errors.h"
#include "verify_cases.h"
#include "verify_report.h"

namespace elasto::tools {

namespace {

constexpr bool kSinglePrecision = std::string_view(kPrecision) == "single";

struct VerifyOptions {
    std::vector<std::string> cases;
    std::vector<double> rates;
    std::string scene;
    bool list = false;
    bool all = false;
    bool json = false;
    int substeps = 0;  ///< 0: as the settings are by default
};

std::string targetsText(const Targets& targets) {
    std::string text;
    for (int group = 0; group < kSignalGroups; ++group) {
        const std::optional<double>& target = targets[static_cast<std::size_t>(group)];
        if (!target) continue;
        text += fmt::format("{}{} {:g} %", text.empty() ? "" : ", ", groupName(static_cast<SignalGroup>(group)),
                            100 * *target);
    }
    return text;
}

int list(const std::vector<VerifyCase>& cases) {
    Table table({{"case"}, {"targets"}, {"reason"}});
    for (const VerifyCase& one : cases) {
        std::string targets = targetsText(one.targets);
        for (const auto& [rate, special] : one.targetsAt) {
            targets += fmt::format("; at {:g} Hz {}", rate, targetsText(special));
        }
        if (one.energyRise) targets += fmt::format("; energy rise {:g}", *one.energyRise);
        table.addRow({one.name, targets, one.why});
    }
    printText("{}", table.text());
    return kOk;
}

std::vector<VerifyCase> chooseCases(const VerifyPlan& plan, const VerifyOptions& options) {
    std::vector<VerifyCase> chosen;
    for (const std::string& name : options.cases) {
        const auto found =
            std::find_if(plan.cases.begin(), plan.cases.end(), [&](const VerifyCase& one) { return one.name == name; });
        if (found == plan.cases.end()) {
            std::vector<std::string> names;
            for (const VerifyCase& one : plan.cases) names.push_back(one.name);
            throw InputError("CASE: " + notOneOf(name, names));
        }
        chosen.push_back(*found);
    }
    if (!options.scene.empty()) {
        VerifyCase own;
        own.scene = options.scene;
        own.name = std::filesystem::path(options.scene).stem().string();
        chosen.push_back(std::move(own));
    }
    return chosen.empty() ? plan.cases : chosen;
}

/// One case at one rate. Empty if interrupted.
std::optional<CaseResult> measure(const VerifyCase& one, double rate, const VerifyPlan& plan, const Continue& proceed) {
    const Scene scene = loadScene(findScene(one.scene));
    std::optional<CaseResult> result = measureAccuracy(scene, rate, [&](double share) { return proceed(0.5 * share); });
    if (!result) return std::nullopt;
    result->name = one.name;
    const Targets targets = kSinglePrecision ? singleTargets(one.targetsFor(rate), plan) : one.targetsFor(rate);
    for (GroupError& group : result->groups) group.target = targets[static_cast<std::size_t>(group.group)];
    if (one.energyRise) {
        result->energy =
            measureEnergyRise(scene, rate, plan.energyTicks, [&](double share) { return proceed(0.5 + 0.5 * share); });
        if (!result->energy) return std::nullopt;
        // In single precision the energy is measured and printed, not judged.
        if (!kSinglePrecision) result->energy->target = one.energyRise;
    }
    return result;
}

int verify(const VerifyOptions& options) {
    const std::string suite = options.cases.empty() ? "" : options.cases.front();
    if (options.substeps > 0 && suite != kCoupledSuite) {
        throw InputError(
            fmt::format("--substeps: {} is not allowed here; it must come with the suite coupled", options.substeps));
    }
    if (suite == kCoupledSuite || suite == kRobotsSuite || suite == kSwingSuite) {
        if (!options.scene.empty()) {
            throw InputError(fmt::format("--scene: '{}' is not allowed with the suite {}", options.scene, suite));
        }
        const std::vector<std::string> cases(options.cases.begin() + 1, options.cases.end());
        const SuiteOptions ofSuite{cases, options.rates, options.list, options.all, options.json, options.substeps};
        if (suite == kSwingSuite) return verifySwing(ofSuite);
        return suite == kCoupledSuite ? verifyCoupled(ofSuite) : verifyRobots(ofSuite);
    }
    if (options.all) throw InputError("--all is not allowed here; it must come with the suite coupled or robots");
    const VerifyPlan plan = loadVerifyPlan(assetsFolder() / "verify.json");
    const std::vector<VerifyCase> cases = chooseCases(plan, options);
    if (options.list) return list(cases);
    const std::vector<double> rates = options.rates.empty() ? plan.rates : options.rates;

    const InterruptGuard guard;
    std::vector<CaseResult> results;
    const double total = static_cast<double>(cases.size() * rates.size());
    double done = 0;
    {
        Progress progress;
        for (const VerifyCase& one : cases) {
            for (const double rate : rates) {
                progress.setLabel(fmt::format("{} {:g} Hz", one.name, rate));
                const auto proceed = [&](double share) {
                    progress.update((done + share) / total);
                    return !InterruptGuard::interrupted();
                };
                try {
                    if (std::optional<CaseResult> result = measure(one, rate, plan, proceed))
                        results.push_back(*result);
                } catch (const FailureError& error) {
                    throw FailureError(fmt::format("{} at {:g} Hz: {}", one.name, rate, error.what()));
                } catch (const ReferenceError& error) {
                    throw FailureError(fmt::format("{} at {:g} Hz: {}", one.name, rate, error.what()));
                }
                ++done;
                if (InterruptGuard::interrupted()) break;
            }
            if (InterruptGuard::interrupted()) break;
        }
    }
    if (options.json) {
        printJson(verifyJson(results));
    } else {
        const std::string verdict = options.scene.empty() || InterruptGuard::interrupted()
                                        ? verdictOn(passes(results), done, total)
                                        : "a scene of your own has no target";
        printText("{}\nBullet in {} precision against SUNDIALS CVODE: {}\n", verifyTable(results), kPrecision, verdict);
    }
    if (InterruptGuard::interrupted()) return kInterrupted;
    return passes(results) ? kOk : kDifferent;
}

}  // namespace

void addVerifyCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<VerifyOptions>();
    CLI::App* command = app.add_subcommand("verify", "Compare the reference cases with SUNDIALS CVODE");
    command->add_option(
        "CASE", options->cases,
        "Cases; default: all of them (see --list). `coupled` or `robots` first: cases of the suite with "
        "joints and contacts, or with multibodies; `swing` first: URDF or SDF files");
    command->add_option("--hz", options->rates, "Ticks per second [Hz]; default: 60 240 1000, suites 60 240")
        ->check(tickRate());
    command->add_option("--scene", options->scene, "A scene of your own; it has no targets")->check(fileName());
    command->add_flag("--list", options->list, "List the cases, their targets and the reasons for them");
    command->add_flag("--all", options->all, "coupled, robots: print every variant instead of the worst");
    command
        ->add_option("--substeps", options->substeps,
                     "coupled: solve everything by the implicit step, with so many sub-steps per tick; without targets")
        ->check(CLI::Range(1, 1024));
    command->add_flag("--json", options->json, "Print a JSON summary");
    command->footer(
        "Every case runs in Bullet and is compared at every tick with SUNDIALS CVODE's solution of the same scene.\n"
        "NRMSE = rms error / max(range of the reference, 1e-6 of the largest range of its unit); worst signal of a\n"
        "group. Exit code 1 if a target is missed.\n"
        "The suite coupled has networks with joints and contacts, in variants of stiffness and damping; what is\n"
        "measured differs from case to case (see elasto verify coupled --list). The suite robots has elements on the\n"
        "joints of multibodies. In the suite swing links and joints of robots' files swing freely.\n"
        "Example: elasto verify preload backlash --hz 60\n"
        "Example: elasto verify coupled hinge_stop --all");
    command->callback([options, &action] { action = [options] { return verify(*options); }; });
}

}  // namespace elasto::tools
