#pragma once
// Two balls that touch at rest can exchange their modes for ever without any time passing (y = u = 0).

#include <algorithm>
#include <cstddef>
#include <vector>

namespace elasto::flow {

/// A time that must pass before what happens again and again on the spot may happen once more: longer and longer.
class Dwell {
public:
    /// A whole contact (Free, Clipped, Linear, Slack, Free) may legitimately take no time: so many changes do.
    static constexpr int kPatience = 6;

    /// @param span that there is in all
    explicit Dwell(double span = 0) : m_span(span) {}

    double length() const { return m_length; }
    void lengthen() { m_length = m_length > 0 ? std::min(4 * m_length, kLargest * m_span) : kFirst * m_span; }
    void end() { m_length = 0; }

private:
    static constexpr double kFirst = 1e-7, kLargest = 1. / 64;  // of the span

    double m_span;
    double m_length = 0;
};

/// An element that keeps changing its mode at one time is made to stay in it for a moment, longer and longer as needed.
class ZenoGuard {
public:
    void begin(std::size_t elements, double h) {
        m_h = h;
        m_dwell = Dwell(h);
        m_isCounting = false;
        m_counts.assign(elements, 0);
    }

    /// Exits sooner than this after the last event wait until then.
    double dwell() const { return m_dwell.length(); }

    /// @param time since the last event
    void report(std::size_t element, double time) {
        if (time > std::max(m_dwell.length(), kNoTime * m_h)) {
            m_dwell.end();
            if (m_isCounting) std::fill(m_counts.begin(), m_counts.end(), 0);
            m_isCounting = false;
            return;
        }
        m_isCounting = true;
        int& count = m_counts[element];
        if (++count <= Dwell::kPatience) return;
        count = 0;
        m_dwell.lengthen();
    }

private:
    static constexpr double kNoTime = 1e-13;

    double m_h = 0;
    Dwell m_dwell;
    bool m_isCounting = false;
    std::vector<int> m_counts;
};

}  // namespace elasto::flow
