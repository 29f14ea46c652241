#pragma once
/// @file oscilloscope_panel.h
/// Panel: force and deflection inside the last ticks, from the element's own solution.

#include "context.h"
#include "number_field.h"
#include "plot_widget.h"
#include "plots_panel.h"

#include <optional>
#include <vector>

namespace elasto::panels {

/// Shows the session's Scope of the selected element; puts it there when the element changes. The last impact can be
/// held, since at 60 ticks a second it is gone at once.
class OscilloscopePanel {
public:
    OscilloscopePanel();
    /// @return the table that was asked for in this frame; its curves are valid until the next one
    std::optional<CurveTable> draw(const Context& context);

    // What is shown now.
    const Curve& force() const { return m_force; }
    double peak() const { return m_peak; }  ///< force of the largest size [N, N.m]; 0 without one

private:
    void select(int element);
    void watch(const Context& context);
    void take(const Context& context, const play::Scope& scope);
    void drawHeader(const Context& context, const SceneElement& element);

    PlotWidget m_forcePlot;
    PlotWidget m_lengthPlot;
    NumberField m_field;
    int m_ticks = 4;
    bool m_holds = true;
    bool m_isHeld = false;  ///< the impact is shown, not the latest ticks

    Curve m_force, m_spring, m_damper, m_mean, m_length;
    std::vector<double> m_marks;  ///< borders of ticks [s]
    double m_peak = 0;
    double m_peakTime = 0;
    std::optional<double> m_begin, m_end;  ///< first beginning of contact and the end after it [s]
    long m_seenTick = -1;
    int m_seenRun = -1;
    int m_element = -1;
    std::string m_message;
};

}  // namespace elasto::panels
