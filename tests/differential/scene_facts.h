#pragma once
// What a scene is, read from the scene itself, so that it holds for shrunk ones too.

#include <elasto/scene/description.h>

#include <vector>

namespace elasto::differential {

/// True if the element never pushes: a probe.
bool isProbe(const SceneElement& element);
/// True if two bodies have shapes, of which one moves.
bool canTouch(const Scene& scene);
/// True if nothing outside acts on what moves: momentum and angular momentum stay.
bool isFloating(const Scene& scene);
/// True if gravity and elements alone do work: kinetic, potential and stored energy and heat stay the same in sum.
bool isClosed(const Scene& scene);
/// True if no element turns anything into heat.
bool isLossless(const Scene& scene);
/// True if something may hold still what moves: contacts, dry friction, a hand that rests.
bool canRest(const Scene& scene);
/// Bodies, by index, that nothing turns and whose spin therefore is constant: discs on one hinge, through the centre of
/// mass, and about a principal axis.
std::vector<int> coasting(const Scene& scene);

}  // namespace elasto::differential
