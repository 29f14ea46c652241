#pragma once
// Where a box's faces end: which part of one is nearest to a contact's vertex, and whether two faces lie on each other.

#include "bodies/geometry.h"

#include <array>

namespace elasto::flow {

/// A face, an edge or a corner of a box.
struct BoxPart {
    std::array<int, 3> sides = {};  ///< by axis: at which end, -1 or 1; 0: between both

    bool isOutside() const { return sides != std::array<int, 3>{}; }  ///< false: none, the vertex is inside the box
    bool operator==(const BoxPart&) const = default;
};

/// The part of the owner's box that is nearest to the vertex of a contact of what is round with a box.
BoxPart nearestPart(const ContactPlace& place, const Motion& a, const Motion& b);

/// How far the vertex is from where another part is nearest [m]: negative beyond that.
double withinPart(const ContactPlace& place, const BoxPart& part, const Motion& a, const Motion& b);

/// faceVertex() and faceOverlap() of flow.h.
void faceVertex(ContactPlace& place, const Motion& a, const Motion& b);
double faceOverlap(const ContactPlace& place, const Motion& a, const Motion& b);

}  // namespace elasto::flow
