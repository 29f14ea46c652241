#include <elasto/accuracy.h>
#include <elasto/errors.h>

namespace elasto {

Accuracy Accuracy::within(double metres) {
    constexpr double kFinest = 1e-8, kCoarsest = 1e-2;
    if (!(metres >= kFinest && metres <= kCoarsest)) {
        throw InvalidParameter("Accuracy", "metres", metres, "1e-8 to 1e-2");
    }
    Accuracy accuracy;
    accuracy.m_metres = metres;
    return accuracy;
}

}  // namespace elasto
