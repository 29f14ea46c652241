#pragma once
// What an element knows of the world that it was added to.

#include <elasto/force_element.h>
#include <elasto/multibody_element.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class MultiBodyTable;

class ElementHome {
public:
    virtual ~ElementHome() = default;

    /// The element goes: nothing of it may be kept.
    virtual void forget(ForceElement& element) = 0;
    virtual void forget(const MultiBodyElement& element) = 0;
    /// What is known of the world's multibodies in this tick.
    virtual const MultiBodyTable& multiBodies() const = 0;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
