#include "change_elements.h"

#include <elasto/errors.h>

#include <utility>

namespace elasto::robot {

Law changedLaw(const Law& law, const std::vector<ParameterChange>& changes, const std::string& owner) {
    const std::span<const LawParameter> list = parameterList(law);
    LawValues values = valuesOf(law);
    for (const ParameterChange& change : changes) {
        bool isKnown = false;
        std::string names;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (list[i].measured == Measured::Choice || list[i].measured == Measured::Table) continue;
            names += (names.empty() ? "" : ", ") + std::string(list[i].name);
            if (list[i].name != change.name) continue;
            values[i] = change.value;
            isKnown = true;
        }
        if (!isKnown) {
            throw InvalidParameter(owner, "it has no parameter " + change.name + "; it must be one of " + names);
        }
    }
    return withValues(law, values, owner.c_str());
}

}  // namespace elasto::robot
