#pragma once
// What a tick tells of contacts, made to agree with what is seen at its start and at its end.

#include <elasto/flow.h>

#include <vector>

namespace elasto::flow {

/// An element at an end of a tick.
enum class Seen : char {
    Apart,
    InContact,
    Neither,  ///< dry friction: that it sticks is no contact
};
Seen seenOf(const Law& law, double s, double v, double s_damper);

/// Contacts begin and end in turns, from what is seen at the start to what is seen at the end. What changes where the
/// tick ends, to rounding, is told at its end, or by the next tick.
/// @param seen by element: at the start; gets what is told of the end
/// @param ends the elements at the end of the tick of h [s]
void settleEvents(std::vector<Seen>& seen, const std::vector<ElementTick>& ends, double h,
                  std::vector<ContactEvent>& events);

}  // namespace elasto::flow
