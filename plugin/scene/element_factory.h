#pragma once
// Elements for Bullet from the scene's.

#include <elasto/force_element.h>
#include <elasto/scene/description.h>

#include <memory>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// @param ends the same element in the scene's network: attachments seen from the centres of mass
/// @param carrier of a gear pair; not used for others
std::unique_ptr<ForceElement> makeElement(const SceneElement& element, const FlowElement& ends, btRigidBody& a,
                                          btRigidBody& b, btRigidBody& carrier);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
