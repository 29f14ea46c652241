#pragma once
/// @file oscilloscope_panel.h
/// Panel: force and deflection inside the last ticks, from the element's own solution.

#include "context.h"
#include "number_field.h"
#include "plot_widget.h"
#include "plots_panel.h"

#include <optional>
#include <string>
#include <vector>

namespace elasto::panels {

/// "Contact lasted 1.9 ms of a tick of 16.67 ms", or over how many ticks.
/// @param contact none: what a tick is
std::string contactText(const std::optional<play::ScopeContact>& contact, double tickLength);

/// Shows the session's Scope of the selected element; puts it there when the element changes. The last impact can be
/// held, since at 60 ticks a second it is gone at once.
class OscilloscopePanel {
public:
    OscilloscopePanel();
    /// @return the table that was asked for in this frame; its curves are valid until the next one
    std::optional<CurveTable> draw(const Context& context);

    // What is shown now.
    const Curve& force() const { return m_force; }
    /// Force of the largest size [N, N.m], of the whole contact that is shown, else of what is shown; 0 without one.
    double peak() const { return m_peak; }

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
    std::optional<play::ScopeContact> m_contact;  ///< that is shown, all of it or a part
    long m_seenTick = -1;
    int m_seenRun = -1;
    int m_element = -1;
    std::string m_message;
};

}  // namespace elasto::panels
