#pragma once
// Where a motor begins behind its element.

#include <elasto/export.h>
#include <elasto/law.h>

namespace elasto {

/// Coordinate q - phi/ratio of a drive's element at which it has no force: the middle of the play, or the length of
/// spring and damper at the start [rad, m]. Robots start their motors there.
ELASTO_API double relaxedCoordinate(const Law& law);

}  // namespace elasto
