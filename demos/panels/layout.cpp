#include "layout.h"

#include <algorithm>
#include <cmath>

namespace elasto::panels {

namespace {

constexpr float kTimelineHeight = 84, kStatusHeight = 34;  ///< at scale 1 [pixels]
constexpr double kLeastWidth = 1100, kLeastHeight = 720;   ///< of a window with all panels, at scale 1 [pixels]
constexpr float kLeastColumn = 180;                        ///< a narrower column is not shown, at scale 1 [pixels]

/// Two panels above each other in a column; one alone has all of it.
void stack(const Rect& column, bool hasUpper, bool hasLower, double share, Rect& upper, Rect& lower) {
    if (!hasUpper && !hasLower) return;
    const float height = !hasLower   ? column.height
                         : !hasUpper ? 0
                                     : std::round(column.height * static_cast<float>(share));
    if (hasUpper) upper = {column.left, column.top, column.width, height};
    if (hasLower) lower = {column.left, column.top + height, column.width, column.height - height};
}

}  // namespace

double fittingScale(double wanted, ImVec2 screen, const PanelVisibility& panels) {
    constexpr double kLeastScale = 0.5, kSteps = 32;
    if (!panels.all) return wanted;
    const double fits =
        std::min(static_cast<double>(screen.x) / kLeastWidth, static_cast<double>(screen.y) / kLeastHeight);
    return std::min(wanted, std::max(kLeastScale, std::floor(kSteps * fits) / kSteps));
}

Layout layOut(ImVec2 screen, float scale, const Settings& settings) {
    Layout layout;
    const PanelVisibility& panels = settings.panels;
    layout.view = {0, 0, screen.x, screen.y};
    if (!panels.all) return layout;
    float bottom = screen.y;
    const auto takeBottom = [&](bool isWanted, float height, Rect& rect) {
        height = std::round(height * scale);
        // The view keeps half of a low screen.
        if (!isWanted || bottom - height < screen.y / 2) return;
        bottom -= height;
        rect = {0, bottom, screen.x, height};
    };
    takeBottom(panels.statusBar, kStatusHeight, layout.status);
    takeBottom(panels.timeline, kTimelineHeight, layout.timeline);

    float left = panels.demos || panels.parameters ? std::round(static_cast<float>(settings.leftWidth) * scale) : 0;
    float right = panels.plots || panels.analysis ? std::round(static_cast<float>(settings.rightWidth) * scale) : 0;
    const float room = screen.x * (1 - kLeastView);
    if (left + right > room) {
        const float shrink = room / (left + right);
        left = std::floor(left * shrink);
        right = std::floor(right * shrink);
        const float least = kLeastColumn * scale;
        if (right > 0 && (right < least || (left > 0 && left < least))) {
            right = 0;
            left = std::min(std::round(static_cast<float>(settings.leftWidth) * scale), std::floor(room));
        }
        if (left > 0 && left < least) left = 0;
    }
    if (left > 0) {
        stack({0, 0, left, bottom}, panels.demos, panels.parameters, settings.leftShare, layout.demos,
              layout.parameters);
    }
    if (right > 0) {
        stack({screen.x - right, 0, right, bottom}, panels.plots, panels.analysis, settings.rightShare, layout.plots,
              layout.analysis);
    }
    layout.view = {left, 0, screen.x - left - right, bottom};
    return layout;
}

}  // namespace elasto::panels
