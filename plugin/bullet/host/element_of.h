#pragma once
// Which of Bullet's constraints are elements.

#include <elasto/elasto_gap.h>
#include <elasto/force_element.h>
#include <elasto/multibody_element.h>

#include <typeinfo>

#include "host/class_of.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// The element that a constraint is, or null.
inline ForceElement* elementOf(btTypedConstraint* constraint) {
    // MAX_CONSTRAINT_TYPE may belong to anybody's own constraint; the user constraint type may have been changed.
    if (constraint->getConstraintType() != MAX_CONSTRAINT_TYPE) return nullptr;
    if (classOf(*constraint) == typeid(ElastoGap)) return static_cast<ElastoGap*>(constraint);  // most are
    return castTo<ForceElement*>(constraint);
}
inline const ForceElement* elementOf(const btTypedConstraint* constraint) {
    return elementOf(const_cast<btTypedConstraint*>(constraint));
}
inline MultiBodyElement* elementOf(btMultiBodyConstraint* constraint) {
    return constraint->getConstraintType() == kMultiBodyElementType ? castTo<MultiBodyElement*>(constraint) : nullptr;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
