#include "constraints/multipliers.h"

namespace elasto::flow {

void MultiplierRows::resize(std::size_t count) {
    missing.resize(count);
    impulses.assign(count, 0);
    last.resize(count);
    rates.resize(count);
    weights.resize(count);
    isFirm.resize(count);
}

double MultiplierRows::shareOfLast() const {
    double both = 0, own = 0;
    for (std::size_t k = 0; k < last.size(); ++k) {
        if (!(weights[k] > 0)) continue;
        both += impulses[k] * last[k] / weights[k];
        own += last[k] * last[k] / weights[k];
    }
    return own > 0 ? both / own : 0;
}

double MultiplierRows::looseShare() const {
    double loose = 0, own = 0;
    for (std::size_t k = 0; k < last.size(); ++k) {
        if (!(weights[k] > 0)) continue;
        const double square = last[k] * last[k] / weights[k];
        own += square;
        loose += isFirm[k] ? 0 : square;
    }
    return own > 0 ? loose / own : 0;
}

}  // namespace elasto::flow
