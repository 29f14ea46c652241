#include "balance/heat_balance.h"
#include "balance/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

bool closeHeat(Eigen::VectorXd& heat, double missing, double scale) {
    heat = heat.cwiseMax(0);
    missing = std::max(missing, 0.0);
    const double found = heat.sum();
    if (std::abs(missing - found) <= kHeatTolerance * scale) return true;
    if (found > 0) heat *= missing / found;
    return found > 0;
}

}  // namespace elasto::flow
