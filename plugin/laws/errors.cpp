#include "checks.h"

#include <elasto/errors.h>

namespace elasto {

InvalidParameter::InvalidParameter(const std::string& owner, const std::string& field, double value,
                                   const std::string& allowed)
    : std::invalid_argument(owner + ": " + field + " = " + checks::numberText(value) + " is not allowed; " + field +
                            " must be " + allowed) {}

InvalidParameter::InvalidParameter(const std::string& owner, const std::string& problem)
    : std::invalid_argument(owner + ": " + problem) {}

}  // namespace elasto
