#pragma once
// What stands still is solved once: a tick that ended as it began is the next one too, as long as nothing changes.

#include <elasto/flow.h>

namespace elasto::flow {

/// Remembers the last tick of a network if the network stood still in it, with all that it depends on: whatever a
/// network is made of is compared, for the compiler writes the comparison. Zeros of either sign are the same, what is
/// not a number is never the same. Storage is kept.
class TickCache {
public:
    /// @param result that of the tick that is remembered, if this is the same one; else as it was
    /// @return true if it is
    bool recall(const FlowNetwork& network, double h, const FlowSettings& settings, TickResult& result) const;
    /// To be called with every tick that was not recalled.
    void note(const FlowNetwork& network, double h, const FlowSettings& settings, const TickResult& result);

private:
    bool m_isKnown = false;
    FlowNetwork m_network;
    double m_h = 0;
    FlowSettings m_settings;
    TickResult m_result;
};

}  // namespace elasto::flow
