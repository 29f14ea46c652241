#include "gallery/tick_clock.h"

#include <algorithm>
#include <cmath>

namespace elasto::gallery {

long TickClock::pass(double seconds, double speed, double tickLength) {
    const double ticks = m_phase + seconds * speed / tickLength;
    // The shown instant is within (0, 1] of the last tick. Rounding must not let a whole number of ticks become one
    // more.
    const double whole = std::max(std::ceil(ticks - 1e-9) - 1, 0.0);
    m_phase = std::min(ticks - whole, 1.0);
    return static_cast<long>(whole);
}

}  // namespace elasto::gallery
