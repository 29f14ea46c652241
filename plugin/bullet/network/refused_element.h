#pragma once
// An element that no tick can be solved with.

#include <elasto/force_element.h>
#include <elasto/multibody_element.h>

#include <stdexcept>
#include <string>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Says which element it is, for worlds in which ticks throw nothing (Refusal::SwitchOff).
class RefusedElement : public std::logic_error {
public:
    RefusedElement(const ForceElement& which, const std::string& why)
        : std::logic_error(why), element(const_cast<ForceElement*>(&which)) {}
    RefusedElement(MultiBodyElement& which, const std::string& why) : std::logic_error(why), onMultiBodies(&which) {}

    ForceElement* element = nullptr;
    MultiBodyElement* onMultiBodies = nullptr;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
