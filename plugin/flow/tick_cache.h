#pragma once
// What stands still is solved once: a tick that ended as it began is the next one too, as long as nothing changes.

#include <elasto/flow.h>

#include <cstdint>
#include <vector>

namespace elasto::flow {

/// Remembers the last tick of a network if the network stood still in it, in all that it depends on and to the last
/// bit. Storage is kept.
class TickCache {
public:
    /// @param result that of the tick that is remembered, if this is the same one; else as it was
    /// @return true if it is
    bool recall(const FlowNetwork& network, double h, const FlowSettings& settings, TickResult& result) const;
    /// To be called with every tick that was not recalled.
    void note(const FlowNetwork& network, double h, const FlowSettings& settings, const TickResult& result);

private:
    bool m_isKnown = false;
    std::vector<std::uint64_t> m_words;  // all that a tick depends on, but for the next
    double m_maxCost = 0;
    TickResult m_result;
};

/// All that a tick depends on but maxCost, as bits: two ticks with the same words are the same. @param words are
/// written over
void readWords(const FlowNetwork& network, double h, const FlowSettings& settings, std::vector<std::uint64_t>& words);

}  // namespace elasto::flow
