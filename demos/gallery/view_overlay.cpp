#include "gallery/view_overlay.h"

#include "panels/axis.h"

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
                std::span<const panels::Rect> covered, const panels::Palette& palette) {
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
        // Whole, and not below what lies over the view.
        const auto moveBy = [&box](float right) {
            box.x += right;
            box.z += right;
        };
        moveBy(std::min(0.F, area.right - box.z));
        moveBy(std::max(0.F, area.left - box.x));
        for (const panels::Rect& rect : covered) {
            const bool isBelow = box.x < rect.right() && rect.left < box.z && box.y < rect.bottom() && rect.top < box.w;
            if (!isBelow) continue;
            const float toLeft = rect.left - 2 - box.z, toRight = rect.right() + 2 - box.x;
            moveBy(box.x + toLeft >= area.left ? toLeft : box.z + toRight <= area.right ? toRight : 0.F);
        }
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

void drawWayTo(const Eigen::Vector3d& position, double radius, const std::string& name, const view::Camera& camera,
               const FreeArea& area, const panels::Palette& palette) {
    const Eigen::Vector3f at = position.cast<float>();
    if (!at.allFinite()) return;
    const auto pixel = camera.project(at, static_cast<int>(area.width()), static_cast<int>(area.height()));
    const bool isSeen =
        pixel && pixel->x() >= 0 && pixel->x() < area.width() && pixel->y() >= 0 && pixel->y() < area.height();
    const Eigen::Vector3f way = at - camera.position();
    const std::string text = name + ", " + panels::withUnit(static_cast<double>(way.norm()), "m");
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    if (isSeen) {
        constexpr float kSmall = 4, kRing = 9;  // [pixel]
        if (static_cast<float>(radius) > kSmall * camera.metresPerPixel(at, static_cast<int>(area.height()))) return;
        const ImVec2 middle = {area.left + pixel->x(), area.top + pixel->y()};
        list.AddCircle(middle, kRing, palette.accent, 0, 2);
        list.AddText({middle.x + kRing + kPadding, middle.y - ImGui::GetTextLineHeight() / 2}, palette.text,
                     text.c_str());
        return;
    }
    Eigen::Vector2f direction(way.dot(camera.right()), -way.dot(camera.upward()));
    if (direction.norm() < 1e-6F * way.norm()) direction = {0, 1};  // right behind: turn round
    direction.normalize();
    // To the edge, as far as text and arrow need.
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const Eigen::Vector2f half(area.width() / 2 - size.x / 2 - 3 * kPadding, area.height() / 2 - size.y - 6 * kPadding);
    if (half.minCoeff() <= 0) return;
    const float reach = std::min(half.x() / std::max(1e-6F, std::abs(direction.x())),
                                 half.y() / std::max(1e-6F, std::abs(direction.y())));
    const Eigen::Vector2f middle(area.left + area.width() / 2, area.top + area.height() / 2);
    const Eigen::Vector2f place = middle + reach * direction;
    const ImVec2 low = {place.x() - size.x / 2 - kPadding, place.y() - size.y / 2 - kPadding / 2};
    drawBacked(list, low, {size.x + 2 * kPadding, size.y + kPadding}, palette, 0.8F);
    list.AddText({low.x + kPadding, low.y + kPadding / 2}, palette.text, text.c_str());
    const Eigen::Vector2f side(-direction.y(), direction.x());
    const float out = std::abs(direction.x()) * (size.x / 2 + kPadding) + std::abs(direction.y()) * size.y;
    const Eigen::Vector2f foot = place + (out + 2) * direction;
    const Eigen::Vector2f tip = foot + 2 * kPadding * direction;
    const Eigen::Vector2f left = foot + kPadding * side, right = foot - kPadding * side;
    list.AddTriangleFilled({tip.x(), tip.y()}, {left.x(), left.y()}, {right.x(), right.y()}, palette.accent);
}

}  // namespace elasto::gallery
