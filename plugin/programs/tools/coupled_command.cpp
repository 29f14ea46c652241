#include "coupled_command.h"

#include "assets.h"
#include "coupled_run.h"

namespace elasto::tools {

int verifyCoupled(const SuiteOptions& options) {
    const CoupledPlan plan = loadCoupledPlan(assetsFolder() / "verify_coupled.json");
    Suite suite{"joints and contacts with elements", plan.rates, {}};
    for (const CoupledCase& one : plan.cases) {
        SuiteCase& added = suite.cases.emplace_back();
        added.name = one.name;
        added.why = one.why;
        for (const CoupledCheck& check : one.checks) {
            added.targets += (added.targets.empty() ? "" : "; ") +
                             targetsText(measureName(check.measure), measureUnit(check.measure), check.targets);
        }
        for (const CoupledVariant& variant : one.variants) {
            added.variants.push_back({variant.label, [&](double rate, const Continue& proceed) {
                                          return runCoupled(plan, one, variant, rate, options.substeps, proceed);
                                      }});
        }
    }
    return runSuite(suite, options);
}

}  // namespace elasto::tools
