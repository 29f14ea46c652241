#pragma once
// Two balls that touch at rest can exchange their modes for ever without any time passing (y = u = 0).

#include <algorithm>
#include <cstddef>
#include <vector>

namespace elasto::flow {

/// An element that keeps changing its mode at one time is made to stay in it for a moment, longer and longer as needed.
class ZenoGuard {
public:
    void begin(std::size_t elements, double h) {
        m_h = h;
        m_dwell = 0;
        m_isCounting = false;
        m_counts.assign(elements, 0);
    }

    /// Exits sooner than this after the last event wait until then.
    double dwell() const { return m_dwell; }

    /// @param time since the last event
    void report(std::size_t element, double time) {
        if (time > std::max(m_dwell, kNoTime * m_h)) {
            m_dwell = 0;
            if (m_isCounting) std::fill(m_counts.begin(), m_counts.end(), 0);
            m_isCounting = false;
            return;
        }
        m_isCounting = true;
        int& count = m_counts[element];
        if (++count <= kPatience) return;
        count = 0;
        m_dwell = m_dwell > 0 ? std::min(4 * m_dwell, m_h / 64) : kFirstDwell * m_h;
    }

private:
    static constexpr double kNoTime = 1e-13;
    static constexpr double kFirstDwell = 1e-7;
    /// A whole contact (Free, Clipped, Linear, Slack, Free) may legitimately take no time.
    static constexpr int kPatience = 6;

    double m_h = 0;
    double m_dwell = 0;
    bool m_isCounting = false;
    std::vector<int> m_counts;
};

}  // namespace elasto::flow
