#include "relaxed_coordinate.h"

namespace elasto {

double relaxedCoordinate(const Law& law) {
    const ReducedLaw form = reduced(law);
    const double share = form.kind == ReducedLaw::Kind::Slip ? form.c_slip / form.c : 1;
    return unstretched(law) + share * innerStart(law);
}

}  // namespace elasto
