#pragma once
/// @file loop_panel.h
/// Panel: force over displacement. The area that a loop encloses is the energy that it cost.

#include "context.h"
#include "plot_view.h"
#include "signals.h"

#include <span>
#include <vector>

namespace elasto::panels {

/// Integral of f ds along samples [J]: the work that the element took out of the motion, by the trapezoidal rule
/// between ticks. f > 0 pulls the ends together, so that growing s takes work.
/// @param forces f at the samples of s from `first` on
double workAlong(const Curve& s, std::span<const double> forces, std::size_t first);

/// The first load that acts along (about) an element's axis on one of its bodies; nullptr: there is none.
const SceneLoad* loadOn(const Scene& scene, const SceneElement& element);

class LoopPanel {
public:
    /// What a demo wants to begin with.
    /// @param showsLoad the loop of the load on the element's body, where there is one, instead of the element's force
    /// @param span      time that is shown, up to now [s], > 0
    void begin(bool showsLoad, double span);
    void draw(const Context& context, Signals& signals);

private:
    void drawChoices(const Context& context, const SceneLoad* load);
    void readForces(const Context& context, const Curve& s, const Curve& f, std::size_t first, std::size_t last);

    double m_span = 5;  ///< time that is shown, up to now [s]
    bool m_showsLoad = false;
    std::vector<double> m_forces;  ///< of the samples that are shown [N, N.m]
    std::optional<Interval> m_s;
    std::optional<Interval> m_f;
    int m_element = -1;
};

}  // namespace elasto::panels
