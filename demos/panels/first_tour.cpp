#include "first_tour.h"

#include "widgets.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
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
     "click and type: 2 kN/m or 1500 mm are understood. Ctrl+Z takes a step back.",
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

}  // namespace

float FirstTour::height(float width) {
    const ImGuiStyle& style = ImGui::GetStyle();
    float text = 0;
    for (const Card& card : kTour) {
        const float wrap = std::max(1.f, width - 2 * style.WindowPadding.x);
        text = std::max(text, ImGui::CalcTextSize(card.text, nullptr, false, wrap).y);
    }
    return std::ceil(2 * style.WindowPadding.y + ImGui::GetTextLineHeight() + text + ImGui::GetFrameHeight() +
                     2 * style.ItemSpacing.y);
}

void FirstTour::draw(const Rect& place, const Layout& layout, const Palette& palette) {
    while (isOpen() && !(layout.*kTour[m_card].part).isShown()) ++m_card;
    if (!isOpen()) return;
    const Card& card = kTour[m_card];
    const Rect& part = layout.*card.part;
    const float line = ImGui::GetTextLineHeight();
    ImGui::GetForegroundDrawList()->AddRect(part.corner(), {part.right(), part.bottom()}, palette.accent,
                                            4 * scaleNow(), 0, 2 * scaleNow());
    ImGui::SetNextWindowPos(place.corner());
    ImGui::SetNextWindowSize(place.size());
    ImGui::PushStyleColor(ImGuiCol_Border, palette.accent);
    ImGui::Begin("tour", nullptr, kFixedWindow);
    receiveKeyboard();
    heading(card.title, palette);
    ImGui::TextWrapped("%s", card.text);
    // The buttons stay where they are, however long the text is.
    ImGui::SetCursorPosY(place.height - ImGui::GetFrameHeight() - ImGui::GetStyle().WindowPadding.y);
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%d of %d", static_cast<int>(m_card) + 1, static_cast<int>(kCards));
    const bool isLast = m_card + 1 == kCards;
    const float button = ImGui::CalcTextSize("Done").x + 1.6f * line;
    const float right = ImGui::GetContentRegionMax().x;
    ImGui::SameLine(right - 2 * button - ImGui::GetStyle().ItemSpacing.x);
    const bool isSkipped = !isLast && ImGui::Button("Skip", {button, 0});
    ImGui::SameLine(right - button);
    if (ImGui::Button(isLast ? "Done" : "Next", {button, 0})) ++m_card;
    if (isSkipped) close();
    ImGui::End();
    ImGui::PopStyleColor();
}

}  // namespace elasto::panels
