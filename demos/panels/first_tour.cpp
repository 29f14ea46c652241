#include "first_tour.h"

#include "widgets.h"

#include <imgui.h>

#include <algorithm>
#include <string>

namespace elasto::panels {

namespace {

struct Card {
    const char* title;
    const char* text;
    Rect Layout::*part;
};

constexpr Card kTour[FirstTour::kCards] = {
    {"A stop that pushes, and never pulls",
     "That is an ElastoGap: a spring and damper that act while they are pressed, and let go. Pull at what you see with "
     "the mouse; drag beside it to look around; the wheel comes nearer.",
     &Layout::view},
    {"The same stop by other means",
     "Elasto beside what Bullet has by itself, each with its error against an exact solution. Drag the tick rate from "
     "30 to 1000 Hz and watch them.",
     &Layout::analysis},
    {"Change it while it runs",
     "The numbers of the element that is selected; a click on one in the view selects it. Drag a number, or "
     "double-click and type: 2 kN/m or 1500 mm are understood. Ctrl+Z takes a step back.",
     &Layout::parameters},
    {"Stop time, and go back",
     "Space stops, the arrow keys go tick by tick, a click on the track goes to any moment. Slow down to 1/1000 and "
     "look inside a tick.",
     &Layout::timeline},
    {"There is more",
     "Modelica's examples, machines and toys, and what users of Bullet have met without Elasto. Press A, click a body "
     "and "
     "then a wall: that is a stop of your own, and Ctrl+E saves it. F1 shows all keys.",
     &Layout::demos},
};

/// Where a card stands beside a part of the window, and which of its corners that is.
std::pair<ImVec2, ImVec2> placeBeside(const Rect& part, const Rect& view, float gap) {
    if (part.right() <= view.left) return {{part.right() + gap, part.top + gap}, {0, 0}};
    if (part.left >= view.right()) return {{part.left - gap, part.top + gap}, {1, 0}};
    if (part.top >= view.bottom()) return {{view.middle().x, part.top - gap}, {0.5f, 1}};
    return {{view.middle().x, view.bottom() - 2 * gap}, {0.5f, 1}};
}

}  // namespace

void FirstTour::draw(const Layout& layout, const Palette& palette) {
    while (isOpen() && !(layout.*kTour[m_card].part).isShown()) ++m_card;
    if (!isOpen()) return;
    const Card& card = kTour[m_card];
    const Rect& part = layout.*card.part;
    const float line = ImGui::GetTextLineHeight();
    ImGui::GetForegroundDrawList()->AddRect(part.corner(), {part.right(), part.bottom()}, palette.accent,
                                            4 * scaleNow(), 0, 2 * scaleNow());
    const auto [at, pivot] = placeBeside(part, layout.view, line);
    const float width = std::min(24 * line, ImGui::GetIO().DisplaySize.x - 2 * line);
    ImGui::SetNextWindowPos(at, ImGuiCond_Always, pivot);
    ImGui::SetNextWindowSize({width, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 6 * scaleNow());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {line, 0.8f * line});
    ImGui::PushStyleColor(ImGuiCol_Border, palette.accent);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::SetNextWindowFocus();
    ImGui::Begin("tour", nullptr,
                 (kFixedWindow & ~ImGuiWindowFlags_NoBringToFrontOnFocus) | ImGuiWindowFlags_AlwaysAutoResize);
    heading(card.title, palette);
    ImGui::TextWrapped("%s", card.text);
    ImGui::Dummy({0, 0.3f * line});
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%d of %d", static_cast<int>(m_card) + 1, static_cast<int>(kCards));
    const bool isLast = m_card + 1 == kCards;
    const char* next = isLast ? "Done" : "Next";
    const float buttons = ImGui::CalcTextSize(next).x + (isLast ? 0 : ImGui::CalcTextSize("Skip").x) + 4 * line;
    ImGui::SameLine(ImGui::GetContentRegionMax().x - buttons);
    const bool isSkipped = !isLast && ImGui::Button("Skip");
    if (!isLast) ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize(next).x - 1.6f * line);
    if (ImGui::Button(next, {ImGui::CalcTextSize(next).x + 1.6f * line, 0})) ++m_card;
    if (isSkipped) close();
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
}

}  // namespace elasto::panels
