#pragma once
/// @file layout.h
/// Where the panels are on the screen. Nothing here draws.

#include "settings.h"

#include <imgui.h>

namespace elasto::panels {

/// Part of the screen [pixels]; one without extent is not shown.
struct Rect {
    float left = 0, top = 0, width = 0, height = 0;

    float right() const { return left + width; }
    float bottom() const { return top + height; }
    bool isShown() const { return width > 0 && height > 0; }
    bool contains(float x, float y) const { return x >= left && x < right() && y >= top && y < bottom(); }
    ImVec2 corner() const { return {left, top}; }
    ImVec2 size() const { return {width, height}; }
    ImVec2 middle() const { return {left + width / 2, top + height / 2}; }
};

/// Left column: demos above parameters. Right column: plots above the analysis. Below all: timeline and status bar.
/// What is left in the middle is the view.
struct Layout {
    Rect demos, parameters, plots, analysis, timeline, status;
    Rect view;
};

/// Share of the width that the view keeps at least, however wide the columns are wanted.
inline constexpr float kLeastView = 0.34f;

/// The scale that is wanted, or the largest at which nothing of the panels is cut: a window of 1100 x 720 at scale 1
/// has room for them. In steps of 1/32, so that a window whose size is dragged does not make its fonts anew in each
/// frame.
/// @param screen [pixels]
double fittingScale(double wanted, ImVec2 screen, const PanelVisibility& panels);

/// @param screen [pixels] @param scale of the user interface
Layout layOut(ImVec2 screen, float scale, const Settings& settings);

}  // namespace elasto::panels
