#include "relaxed_coordinate.h"

#include <variant>

namespace elasto {

double relaxedCoordinate(const Law& law) {
    if (const auto* backlash = std::get_if<ElastoBacklashLaw>(&law)) return backlash->parameters().phi_rel0;
    const auto* series = std::get_if<SpringDamperSeriesLaw>(&law);
    return series == nullptr ? 0 : series->parameters().s_unstretched + series->parameters().s_damper_start;
}

}  // namespace elasto
