#include "suite_command.h"

#include <elasto/precision.h>
#include <elasto/reference/reference.h>
#include <fmt/format.h>

#include <algorithm>

#include "exit_codes.h"
#include "interrupt.h"
#include "print.h"
#include "progress.h"
#include "suggestion.h"
#include "table.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

int list(const Suite& suite) {
    Table table({{"case"}, {"variants", Table::Align::Right}, {"targets"}, {"reason"}});
    for (const SuiteCase& one : suite.cases) {
        table.addRow({one.name, fmt::format("{}", one.variants.size()), one.targets, one.why});
    }
    printText("{}", table.text());
    return kOk;
}

std::vector<SuiteCase> chooseCases(const Suite& suite, const std::vector<std::string>& names) {
    std::vector<SuiteCase> chosen;
    for (const std::string& name : names) {
        const auto found = std::find_if(suite.cases.begin(), suite.cases.end(),
                                        [&](const SuiteCase& one) { return one.name == name; });
        if (found == suite.cases.end()) {
            std::vector<std::string> known;
            for (const SuiteCase& one : suite.cases) known.push_back(one.name);
            throw InputError("CASE: " + notOneOf(name, known));
        }
        chosen.push_back(*found);
    }
    return chosen.empty() ? suite.cases : chosen;
}

/// Runs that are still to be made.
struct RunJob {
    const SuiteCase& one;
    const SuiteVariant& variant;
    double rate;
    std::string label() const {
        return fmt::format("{}{}{} {:g} Hz", one.name, variant.label.empty() ? "" : " ", variant.label, rate);
    }
};

}  // namespace

std::string targetsText(const std::string& measure, const std::string& unit, const std::map<double, double>& targets) {
    std::string text = measure;
    for (const auto& [rate, value] : targets) {
        const char* separator = &value == &targets.begin()->second ? "" : ",";
        text += fmt::format("{} {:g} {} at {:g} Hz", separator, value, unit, rate);
    }
    return text;
}

int runSuite(const Suite& suite, const SuiteOptions& options) {
    if (options.list) return list(suite);
    const std::vector<SuiteCase> cases = chooseCases(suite, options.cases);
    const std::vector<double> rates = options.rates.empty() ? suite.rates : options.rates;
    std::vector<RunJob> jobs;
    for (const SuiteCase& one : cases) {
        for (const double rate : rates) {
            for (const SuiteVariant& variant : one.variants) jobs.push_back({one, variant, rate});
        }
    }

    const InterruptGuard guard;
    std::vector<SuiteResult> results;
    double done = 0;
    {
        Progress progress;
        for (const RunJob& job : jobs) {
            progress.setLabel(job.label());
            const auto proceed = [&](double share) {
                progress.update((done + share) / static_cast<double>(jobs.size()));
                return !InterruptGuard::interrupted();
            };
            const auto fail = [&](const std::string& reason) {
                throw FailureError(fmt::format("{}: {}", job.label(), reason));
            };
            try {
                for (SuiteResult& result : job.variant.run(job.rate, proceed)) results.push_back(std::move(result));
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
        printJson(suiteJson(results));
    } else {
        const bool isJudged = options.substeps == 0 || InterruptGuard::interrupted();
        const std::string verdict =
            isJudged ? verdictOn(passes(results), done, static_cast<double>(jobs.size()))
                     : fmt::format("implicit in {} sub-steps, which has no targets", options.substeps);
        printText("{}\nBullet in {} precision, {}: {}\n", suiteTable(results, options.all), kPrecision, suite.about,
                  verdict);
    }
    if (InterruptGuard::interrupted()) return kInterrupted;
    return passes(results) ? kOk : kDifferent;
}

}  // namespace elasto::tools
