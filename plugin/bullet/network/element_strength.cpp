#include "network/element_strength.h"

#include <elasto/errors.h>

#include <cmath>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

std::vector<LoadPiece> strengthPieces(const ElementCommon& element, const TickTime& time) {
    const auto& value = ElementAccess::f_normalized(element);
    if (!value || frictionOf(element.law()) == nullptr) return {};
    const auto shareAt = [&](double t) -> LoadValue {
        const double share = value(t);
        if (!std::isfinite(share)) throw InvalidParameter(element.label(), "f_normalized", share, "finite");
        return share * LoadValue::Unit(0);
    };
    return piecesOf(shareAt, ElementAccess::nextBreak(element), time);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
