#pragma once
/// @file loop_panel.h
/// Panel: force over displacement. The area that a loop encloses is the energy that it cost. Of drives and gear pairs
/// also the lost motion: how far flange_b is ahead of flange_a, over where flange_a is.

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
const SceneLoad* loadOn(const Scene& scene, const play::PlayedElement& element);

class LoopPanel {
public:
    /// What a demo wants to begin with.
    /// @param showsLoad the loop of the load on the element's body, where there is one, instead of the element's force
    /// @param span      time that is shown, up to now [s], > 0
    void begin(bool showsLoad, double span);
    void draw(const Context& context, Signals& signals);

private:
    enum class Path { Force, Load, LostMotion };

    void drawSpans();
    Path drawChoices(const Context& context, const SceneLoad* load);
    void drawFigure(const Context& context, Path path, const Curve& across, std::size_t first);
    void readHeights(const Context& context, Path path, const Curve& curve, std::size_t first, std::size_t last);

    double m_span = 5;  ///< time that is shown, up to now [s]
    bool m_showsLoad = false;
    bool m_showsLostMotion = true;  ///< where there is any
    std::vector<double> m_heights;  ///< of the samples that are shown [N, N.m; lost motion: rad, m]
    std::optional<Interval> m_across;
    std::optional<Interval> m_up;
    int m_element = -1;
};

}  // namespace elasto::panels
