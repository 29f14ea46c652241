#pragma once
/// @file suite_command.h
/// Suites of `elasto verify`: cases in variants, each measured in its own way.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "suite_report.h"
#include "verify_case.h"

namespace elasto::tools {

struct SuiteOptions {
    std::vector<std::string> cases;  ///< empty: all
    std::vector<double> rates;       ///< [Hz]; empty: those of the suite
    bool list = false;
    bool all = false;  ///< print every variant
    bool json = false;
    int substeps = 0;  ///< coupled: > 0: all is solved by the implicit step with so many, and there are no targets
};

/// One variant of a case.
struct SuiteVariant {
    std::string label;  ///< may be empty
    /// Measures at a rate [Hz]. Empty if `proceed` said no. @throws FailureError, ReferenceError, InputError
    std::function<std::vector<SuiteResult>(double rate, const Continue& proceed)> run;
};

struct SuiteCase {
    std::string name;
    std::string targets;  ///< as listed
    std::string why;
    std::vector<SuiteVariant> variants;
};

struct Suite {
    std::string about;  ///< "joints and contacts with elements"
    std::vector<double> rates;
    std::vector<SuiteCase> cases;
};

/// "NRMSE 0.03 % at 60 Hz, 0.005 % at 240 Hz".
std::string targetsText(const std::string& measure, const std::string& unit, const std::map<double, double>& targets);

/// Runs the cases asked for and prints what they reached. @return an ExitCode
int runSuite(const Suite& suite, const SuiteOptions& options);

}  // namespace elasto::tools
