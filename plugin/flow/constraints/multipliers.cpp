#include "constraints/multipliers.h"

namespace elasto::flow {

void MultiplierRows::resize(std::size_t count) {
    missing.resize(count);
    impulses.assign(count, 0);
    last.resize(count);
    rates.resize(count);
    weights.resize(count);
    isMotor.resize(count);
}

double MultiplierRows::motorShare() const {
    double motors = 0, own = 0;
    for (std::size_t k = 0; k < last.size(); ++k) {
        if (!(weights[k] > 0)) continue;
        const double square = last[k] * last[k] / weights[k];
        own += square;
        motors += isMotor[k] ? square : 0;
    }
    return own > 0 ? motors / own : 0;
}

}  // namespace elasto::flow
