#include "balance/heat_balance.h"
#include "balance/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

bool closeHeat(Eigen::VectorXd& heat, const Eigen::Ref<const Eigen::VectorXd>& impulses, double missing, double scale) {
    heat = heat.cwiseMax(0);
    missing = std::max(missing, 0.0);
    if (std::abs(missing - heat.sum()) <= kHeatTolerance * scale) return true;
    if (!(heat.sum() > 0)) heat = (impulses.array() != 0).cast<double>();
    const double found = heat.sum();
    if (found > 0) heat *= missing / found;
    return found > 0;
}

}  // namespace elasto::flow
