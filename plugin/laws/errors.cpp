#include "checks.h"

#include <elasto/errors.h>

namespace elasto {

namespace {

constexpr std::size_t kSeparator = 2;  // length of ": " after the owner

std::string nameOf(InvalidNetwork::Part part, int index) {
    const char* names[] = {"body ", "element ", "joint row ", "motor or limit ", "contact "};
    return names[static_cast<std::size_t>(part)] + std::to_string(index);
}

}  // namespace

InvalidParameter::InvalidParameter(const std::string& owner, const std::string& field, double value,
                                   const std::string& allowed)
    : std::invalid_argument(owner + ": " + field + " = " + checks::numberText(value) + " is not allowed; " + field +
                            " must be " + allowed),
      m_problem(owner.size() + kSeparator) {}

InvalidParameter::InvalidParameter(const std::string& owner, const std::string& problem)
    : std::invalid_argument(owner + ": " + problem), m_problem(owner.size() + kSeparator) {}

InvalidNetwork::InvalidNetwork(Part part, int index, const std::string& field, double value, const std::string& allowed)
    : InvalidParameter(nameOf(part, index), field, value, allowed), m_part(part), m_index(index) {}

InvalidNetwork::InvalidNetwork(Part part, int index, const std::string& problem)
    : InvalidParameter(nameOf(part, index), problem), m_part(part), m_index(index) {}

}  // namespace elasto
