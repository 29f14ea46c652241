#pragma once
// Elements in Bullet's debug drawing.

#include <elasto/precision.h>

#include <LinearMath/btVector3.h>

class btIDebugDraw;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class ForceElement;

/// Springs as coils, dampers as cylinders, stops as faces, the force as an arrow on body B (its length saturates). The
/// colour shows how the last tick was solved; a disabled element is grey, an uncoupled one red. Sizes follow
/// setDbgDrawSize; 0 draws nothing.
void drawElement(const ForceElement& element, btIDebugDraw& drawer);

/// A contact point that is remembered: a small cross in all directions. @param place in world coordinates
void drawRememberedContact(const btVector3& place, btIDebugDraw& drawer);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
