#include "splitters.h"

#include "widgets.h"

#include <imgui.h>

#include <algorithm>

namespace elasto::panels {

namespace {

/// An invisible bar between two panels. @return by how much it was dragged, along x or y [pixels]
float splitter(const char* name, const Rect& rect, bool isVertical, const Palette& palette) {
    ImGui::SetNextWindowPos(rect.corner());
    ImGui::SetNextWindowSize(rect.size());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::Begin(name, nullptr,
                 (kFixedWindow & ~ImGuiWindowFlags_NoBringToFrontOnFocus) | ImGuiWindowFlags_NoBackground |
                     ImGuiWindowFlags_NoNav);
    ImGui::InvisibleButton("bar", rect.size());
    float moved = 0;
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
        ImGui::SetMouseCursor(isVertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
        ImGui::GetWindowDrawList()->AddRectFilled(rect.corner(), {rect.right(), rect.bottom()},
                                                  faded(palette.accent, 0.6f));
    }
    if (ImGui::IsItemActive()) moved = isVertical ? ImGui::GetIO().MouseDelta.x : ImGui::GetIO().MouseDelta.y;
    ImGui::End();
    ImGui::PopStyleVar(3);
    return moved;
}

}  // namespace

bool dragSplitters(const Layout& layout, const Palette& palette, Settings& settings) {
    const float scale = scaleNow();
    const float thick = 5 * scale;
    bool isChanged = false;
    const auto drag = [&](const char* name, const Rect& rect, bool isVertical) {
        const auto moved = static_cast<double>(splitter(name, rect, isVertical, palette));
        isChanged = isChanged || moved != 0;
        return moved;
    };
    const auto scaled = [scale](double pixels) { return pixels / static_cast<double>(scale); };
    if (layout.view.left > 0) {
        settings.leftWidth +=
            scaled(drag("leftBar", {layout.view.left - thick / 2, 0, thick, layout.view.bottom()}, true));
        settings.leftWidth = std::clamp(settings.leftWidth, 200., 800.);
    }
    if (layout.view.right() < ImGui::GetIO().DisplaySize.x) {
        settings.rightWidth -=
            scaled(drag("rightBar", {layout.view.right() - thick / 2, 0, thick, layout.view.bottom()}, true));
        settings.rightWidth = std::clamp(settings.rightWidth, 200., 1200.);
    }
    if (layout.demos.isShown() && layout.parameters.isShown()) {
        const double height = static_cast<double>(layout.demos.height + layout.parameters.height);
        settings.leftShare +=
            drag("demosBar", {0, layout.parameters.top - thick / 2, layout.demos.width, thick}, false) / height;
        settings.leftShare = std::clamp(settings.leftShare, 0.1, 0.9);
    }
    if (layout.plots.isShown() && layout.analysis.isShown()) {
        const double height = static_cast<double>(layout.plots.height + layout.analysis.height);
        settings.rightShare +=
            drag("plotsBar", {layout.plots.left, layout.analysis.top - thick / 2, layout.plots.width, thick}, false) /
            height;
        settings.rightShare = std::clamp(settings.rightShare, 0.1, 0.9);
    }
    return isChanged;
}

}  // namespace elasto::panels
