#pragma once
// What straight networks of bodies that cannot turn have in common from tick to tick.

#include "law/hybrid_law.h"

#include <elasto/flow.h>

#include <vector>

namespace elasto::flow {

/// Remembers all that the rows of a network depend on besides the places of its bodies and their speeds along: as long
/// as that is the same, to the last bit, so are directions, responses, accelerations by loads, laws and W, and the
/// network is straight. That holds for elements along axes between bodies that cannot turn and do not. Storage is kept.
class StraightRecord {
public:
    /// True if this is the network that was noted, but for places and speeds.
    bool isOf(const FlowNetwork& network) const;
    /// Remembers a straight network, if it is of this kind.
    /// @param laws of its elements
    void note(const FlowNetwork& network, const std::vector<HybridLaw>& laws);
    void forget() { m_isKnown = false; }
    bool isKnown() const { return m_isKnown; }

private:
    struct OfElement {
        int a, b;
        Eigen::Vector3d axis;
        HybridLaw law;
    };

    bool m_isKnown = false;
    std::vector<FlowBody> m_bodies;
    std::vector<OfElement> m_elements;
};

}  // namespace elasto::flow
