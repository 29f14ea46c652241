#pragma once
/// @file coupled_run.h
/// Runs the cases of a coupled plan in Bullet.

#include <vector>

#include "coupled_plan.h"
#include "suite_report.h"
#include "verify_case.h"

namespace elasto::tools {

/// Runs one variant of a case at a rate and evaluates its checks. Empty if `proceed` said no.
/// @param substeps > 0: by the implicit step alone, with so many per tick, and without targets
/// @throws FailureError, ReferenceError, InputError
std::vector<SuiteResult> runCoupled(const CoupledPlan& plan, const CoupledCase& one, const CoupledVariant& variant,
                                    double rate, int substeps, const Continue& proceed);

}  // namespace elasto::tools
