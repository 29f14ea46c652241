#pragma once
/// @file coupled_run.h
/// Runs the cases of a coupled plan in Bullet.

#include <elasto/statistics.h>

#include <optional>
#include <string>
#include <vector>

#include "coupled_checks.h"
#include "verify_case.h"

namespace elasto::tools {

/// A check of one variant at one rate.
struct CoupledResult {
    std::string name;
    std::string variant;
    double rate = 0;
    std::size_t check = 0;  ///< which of the case's checks
    Measure measure = Measure::Nrmse;
    CoupledValue reached;
    std::optional<double> target;
    TickStatistics totals;
    bool passes() const { return !target || reached.value <= *target; }
};

/// Runs one variant of a case at a rate and evaluates its checks. Empty if `proceed` said no.
/// @throws FailureError, ReferenceError, InputError
std::vector<CoupledResult> runCoupled(const CoupledPlan& plan, const CoupledCase& one, const CoupledVariant& variant,
                                      double rate, const Continue& proceed);

}  // namespace elasto::tools
