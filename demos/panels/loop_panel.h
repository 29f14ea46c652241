#pragma once
/// @file loop_panel.h
/// Panel: force over displacement. The area that a loop encloses is the energy that it cost.

#include "context.h"
#include "plot_view.h"
#include "signals.h"

namespace elasto::panels {

/// Integral of f ds along samples first .. last [J]: the work that the element took out of the motion, by the
/// trapezoidal rule between ticks. f > 0 pulls the ends together, so that growing s takes work.
double workAlong(const Curve& s, const Curve& f, std::size_t first, std::size_t last);

class LoopPanel {
public:
    void draw(const Context& context, Signals& signals);

private:
    double m_span = 5;  ///< time that is shown, up to now [s]
    std::optional<Interval> m_s;
    std::optional<Interval> m_f;
    int m_element = -1;
};

}  // namespace elasto::panels
