#pragma once
// How strong a friction is over a tick: what the user says by ElementCommon::setF_normalized.

#include <elasto/element_common.h>
#include <elasto/flow_tree.h>

#include "network/element_access.h"
#include "network/load_table.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Pieces of the share, in their first component; none where the element is no friction, or has all of it always.
/// @throws InvalidParameter naming the element unless all values are finite
std::vector<LoadPiece> strengthPieces(const ElementCommon& element, const TickTime& time);

inline QuadraticShare shareOf(const LoadPiece& piece) {
    return {piece.constant[0], piece.linear[0], piece.quadratic[0]};
}

/// Gives the element at this place of a FlowNetwork or TreeNetwork its strength.
template <class Network>
void addStrength(const ElementCommon& element, const TickTime& time, std::size_t index, Network& network) {
    const std::vector<LoadPiece> pieces = strengthPieces(element, time);
    if (pieces.empty()) return;
    network.elements[index].f_normalized = shareOf(pieces.front());
    for (std::size_t k = 1; k < pieces.size(); ++k) {
        typename decltype(network.changes)::value_type change;
        change.time = pieces[k].start;
        change.element = static_cast<int>(index);
        if constexpr (requires { change.body; }) change.body = -1;
        change.share = shareOf(pieces[k]);
        insertByTime(change, network.changes);
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
