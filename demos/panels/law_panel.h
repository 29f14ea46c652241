#pragma once
/// @file law_panel.h
/// Panel: the force law of the selected element over (s_rel, v_rel), with the point where it is now.

#include "context.h"
#include "law_branch.h"
#include "plot_view.h"
#include "signals.h"

#include <vector>

namespace elasto::panels {

/// A map of the law's branches, shaded by the force, with the trail of the last ticks; beside it the branch that acts
/// now with its equation and the force's parts.
class LawPanel {
public:
    void draw(const Context& context, Signals& signals);

private:
    void fitWindow(const LawWindow& wanted, int element);
    void drawMap(const Context& context, const SceneElement& element, const Law& law, const Curve& s, const Curve& v,
                 ImVec2 size);
    void drawNow(const Context& context, const SceneElement& element, const Law& law);

    int m_element = -1;
    Interval m_s{0, 0};  ///< part of s_rel that is shown; kept while it serves
    double m_v = 0;      ///< |v_rel| that is shown
};

ImU32 branchColor(LawBranch branch, const Palette& palette);

}  // namespace elasto::panels
