#pragma once
// Explicit steps as long as they can follow, implicit ones from the moment on when a stiff element acts.

#include "numerics/hybrid_integrator.h"

namespace elasto::flow {

/// Which steps a system takes at present, and whether an event asks for others.
class StepChoice {
public:
    /// At the start of a tick: neither, until one is chosen.
    void begin() { *this = {}; }
    void explicitly() {
        begin();
        m_isExplicit = true;
    }
    /// To the end of the tick.
    void implicitly() {
        begin();
        m_isImplicit = true;
    }

    bool isExplicit() const { return m_isExplicit; }
    bool isImplicit() const { return m_isImplicit; }
    /// HybridSystem::shouldReturn
    bool mustEnd() const { return m_mustEnd; }

    /// Told after each event that begins (or may have begun) a contact. @param isStiff() is asked in explicit steps
    template <class IsStiff>
    void begun(const IsStiff& isStiff) {
        m_mustEnd = m_isExplicit && isStiff();
    }

private:
    bool m_isExplicit = false, m_isImplicit = false;
    bool m_mustEnd = false;
};

/// Integrates until h. @param isStiff() asked where steps are chosen; explicitly(), implicitly() integrate() until they
/// end
template <class IsStiff, class Explicitly, class Implicitly>
void explicitThenImplicit(const double& t, double h, const IsStiff& isStiff, const Explicitly& explicitly,
                          const Implicitly& implicitly) {
    Ended ended = Ended::AtEvent;
    while (t < h && ended == Ended::AtEvent) ended = isStiff() ? implicitly() : explicitly();
}

}  // namespace elasto::flow
