#include "gallery/view_overlay.h"

#include <algorithm>
#include <cmath>

namespace elasto::gallery {

namespace {

constexpr float kPadding = 6;

void drawBacked(ImDrawList& list, ImVec2 low, ImVec2 size, const panels::Palette& palette, float opacity) {
    const ImVec2 high = {low.x + size.x, low.y + size.y};
    list.AddRectFilled(low, high, panels::faded(palette.panel, opacity), 5);
}

}  // namespace

void drawLabels(const std::vector<Label>& labels, const view::Camera& camera, const FreeArea& area,
                const panels::Palette& palette) {
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    std::vector<ImVec4> taken;
    for (const Label& label : labels) {
        auto at = camera.project(label.at, static_cast<int>(area.width()), static_cast<int>(area.height()));
        if (!at || !at->allFinite()) continue;
        *at += Eigen::Vector2f(area.left, area.top);
        const ImVec2 size = ImGui::CalcTextSize(label.text.c_str());
        ImVec4 box = {at->x() + 14, at->y() + 10, at->x() + 14 + size.x + 2 * kPadding,
                      at->y() + 10 + size.y + kPadding};
        if (label.isCentred) {
            const float left = at->x() - (box.z - box.x) / 2 - box.x;
            const float up = at->y() - (box.w - box.y) - box.y;
            box = {box.x + left, box.y + up, box.z + left, box.w + up};
        }
        if (at->x() < area.left || at->x() > area.right || at->y() < area.top || at->y() > area.bottom) continue;
        const auto overlaps = [&](const ImVec4& other) {
            return box.x < other.z && other.x < box.z && box.y < other.w && other.y < box.w;
        };
        for (std::size_t tries = 0; tries <= taken.size(); ++tries) {
            const auto other = std::find_if(taken.begin(), taken.end(), overlaps);
            if (other == taken.end()) break;
            const float down = other->w + 2 - box.y;
            box.y += down;
            box.w += down;
        }
        taken.push_back(box);
        if (!label.isCentred)
            list.AddLine({at->x(), at->y()}, {box.x, box.y + kPadding}, panels::faded(palette.text, 0.5F), 1);
        drawBacked(list, {box.x, box.y}, {box.z - box.x, box.w - box.y}, palette, 0.72F);
        list.AddText({box.x + kPadding, box.y + kPadding / 2}, palette.text, label.text.c_str());
    }
}

}  // namespace elasto::gallery
