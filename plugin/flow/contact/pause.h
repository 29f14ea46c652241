#pragma once
// How long a network that its exact method has failed for is left to the implicit step (see ImplicitPause).

#include <elasto/flow.h>

#include <algorithm>

namespace elasto::flow {

/// What becomes of a network's pause within a tick.
class Pause {
public:
    explicit Pause(const FlowNetwork& network) {
        for (const FlowElement& element : network.elements) {
            m_pause.length = std::max(m_pause.length, element.pause.length);
            m_pause.left = std::max(m_pause.left, element.pause.left);
        }
    }
    bool isOn() const { return m_pause.left > 0; }
    void pass(double h) { m_pause.left = m_pause.left > 1.5 * h ? m_pause.left - h : 0; }
    /// The tick was tried exactly.
    void note(bool hasComeThrough, double h) {
        // A tick that failed does not bind the next one: a second one in a row does.
        m_pause.left = hasComeThrough ? 0 : m_pause.length;
        if (hasComeThrough) {
            m_pause.length = m_pause.length > 1.5 * h ? m_pause.length / 2 : 0;
        } else {
            m_pause.length = std::min(std::max(2 * m_pause.length, h), kLongest);
        }
    }
    const ImplicitPause& now() const { return m_pause; }

private:
    /// [s] The longest that a network is not tried exactly.
    static constexpr double kLongest = 1;

    ImplicitPause m_pause;
};

}  // namespace elasto::flow
