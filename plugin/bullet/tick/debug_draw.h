#pragma once
// Elements in Bullet's debug drawing.

#include <elasto/flow.h>
#include <elasto/precision.h>

#include <LinearMath/btVector3.h>

class btIDebugDraw;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class ForceElement;
class MultiBodyElement;

/// Springs as coils, dampers as cylinders, stops as faces, the force as an arrow on body B (its length saturates). The
/// colour shows how the last tick was solved; a disabled element is grey, an uncoupled one red. Sizes follow
/// setDbgDrawSize; 0 draws nothing.
void drawElement(const ForceElement& element, btIDebugDraw& drawer);

/// The axis of a joint with an arc of the coordinate about it (prismatic: a line along it), or a line between two
/// points, in the colour of the method.
void drawElement(const MultiBodyElement& element, btIDebugDraw& drawer);

/// Colour of a method.
btVector3 methodColor(FlowMethod method);

/// A contact point that is remembered: a small cross in all directions. @param place in world coordinates
void drawRememberedContact(const btVector3& place, btIDebugDraw& drawer);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
