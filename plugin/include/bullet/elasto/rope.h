#pragma once
/// @file rope.h
/// A rope between rigid bodies.

#include <elasto/law_element.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// A rope, cable or chain: a spring and damper that pulls where it is taut and gives no force where it is slack. It
/// has no mass, and goes straight from point to point, through whatever lies between. Equations: RopeLaw.
///
///     Rope(Placement::alongLine(a, b, pivotInA, pivotInB), {.c = 2e5, .d = 300, .s_unstretched = 5})
///
/// along a line, or an axis (s_rel may then be negative).
using Rope = LawElement<RopeLaw>;

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
