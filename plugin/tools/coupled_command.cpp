#include "coupled_command.h"

#include <elasto/precision.h>
#include <elasto/reference/reference.h>
#include <fmt/format.h>

#include <algorithm>

#include "assets.h"
#include "coupled_report.h"
#include "exit_codes.h"
#include "interrupt.h"
#include "progress.h"
#include "table.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

int list(const CoupledPlan& plan) {
    Table table({{"case"}, {"variants", Table::Align::Right}, {"targets"}, {"reason"}});
    for (const CoupledCase& one : plan.cases) {
        std::string targets;
        for (const CoupledCheck& check : one.checks) {
            targets += (targets.empty() ? "" : "; ") + std::string(measureName(check.measure));
            for (const auto& [rate, value] : check.targets) {
                targets += fmt::format("{} {:g} {} at {:g} Hz", &value == &check.targets.begin()->second ? "" : ",",
                                       value, measureUnit(check.measure), rate);
            }
        }
        table.addRow({one.name, fmt::format("{}", one.variants.size()), targets, one.why});
    }
    fmt::print("{}", table.text());
    return kOk;
}

std::vector<CoupledCase> chooseCases(const CoupledPlan& plan, const std::vector<std::string>& names) {
    std::vector<CoupledCase> chosen;
    for (const std::string& name : names) {
        const auto found = std::find_if(plan.cases.begin(), plan.cases.end(),
                                        [&](const CoupledCase& one) { return one.name == name; });
        if (found == plan.cases.end()) {
            std::string known;
            for (const CoupledCase& one : plan.cases) known += (known.empty() ? "" : ", ") + one.name;
            throw InputError(fmt::format("CASE: '{}' is not allowed; it must be one of {}", name, known));
        }
        chosen.push_back(*found);
    }
    return chosen.empty() ? plan.cases : chosen;
}

/// Runs that are still to be made.
struct Job {
    const CoupledCase& one;
    const CoupledVariant& variant;
    double rate;
    std::string label() const {
        return fmt::format("{}{}{} {:g} Hz", one.name, variant.label.empty() ? "" : " ", variant.label, rate);
    }
};

}  // namespace

int verifyCoupled(const CoupledOptions& options) {
    const CoupledPlan plan = loadCoupledPlan(assetsFolder() / "verify_coupled.json");
    if (options.list) return list(plan);
    const std::vector<CoupledCase> cases = chooseCases(plan, options.cases);
    const std::vector<double> rates = options.rates.empty() ? plan.rates : options.rates;
    std::vector<Job> jobs;
    for (const CoupledCase& one : cases) {
        for (const double rate : rates) {
            for (const CoupledVariant& variant : one.variants) jobs.push_back({one, variant, rate});
        }
    }

    const InterruptGuard guard;
    std::vector<CoupledResult> results;
    {
        Progress progress;
        double done = 0;
        for (const Job& job : jobs) {
            progress.setLabel(job.label());
            const auto proceed = [&](double share) {
                progress.update((done + share) / static_cast<double>(jobs.size()));
                return !InterruptGuard::interrupted();
            };
            const auto fail = [&](const std::string& reason) {
                throw FailureError(fmt::format("{}: {}", job.label(), reason));
            };
            try {
                for (CoupledResult& result : runCoupled(plan, job.one, job.variant, job.rate, proceed)) {
                    results.push_back(std::move(result));
                }
            } catch (const FailureError& error) {
                fail(error.what());
            } catch (const ReferenceError& error) {
                fail(error.what());
            }
            ++done;
            if (InterruptGuard::interrupted()) break;
        }
    }
    if (options.json) {
        printJson(coupledJson(results));
    } else {
        fmt::print("{}\nBullet in {} precision, joints and contacts with elements: {}\n",
                   coupledTable(results, options.all), kPrecision,
                   passes(results) ? "every target is met" : "TARGETS WERE MISSED");
    }
    if (InterruptGuard::interrupted()) return kInterrupted;
    return passes(results) ? kOk : kDifferent;
}

}  // namespace elasto::tools
