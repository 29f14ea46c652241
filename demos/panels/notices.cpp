#include "notices.h"

#include "widgets.h"

#include <algorithm>

namespace elasto::panels {

namespace {

constexpr float kPlainTime = 4, kBadTime = 10, kLineTime = 3, kFadeTime = 0.5f;  ///< [s], for each further line
constexpr std::size_t kMost = 3;

}  // namespace

void Notices::say(std::string text, Kind kind) {
    const auto further = static_cast<float>(std::count(text.begin(), text.end(), '\n'));
    const float time = (kind == Kind::Bad ? kBadTime : kPlainTime) + kLineTime * further;
    std::erase_if(m_notices, [&](const Notice& notice) { return notice.text == text; });
    m_notices.push_back({std::move(text), kind, time});
    if (m_notices.size() > kMost) m_notices.pop_front();
}

float drawBubble(ImDrawList& list, ImVec2 bottom, float most, const std::string& text, ImU32 color,
                 const Palette& palette, float opacity) {
    const float line = ImGui::GetTextLineHeight();
    const float y = bottom.y - 0.6f * line;
    const float wrapped = std::min(most - 2 * line, 40 * line);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, wrapped);
    const ImVec2 low = {bottom.x - size.x / 2 - line, y - size.y - line};
    const ImVec2 high = {bottom.x + size.x / 2 + line, y};
    list.AddRectFilled(low, high, faded(palette.raised, opacity), 0.3f * line);
    list.AddRect(low, high, faded(color, opacity), 0.3f * line);
    list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {low.x + line, low.y + line / 2}, faded(palette.text, opacity),
                 text.c_str(), nullptr, wrapped);
    return low.y;
}

void Notices::draw(ImDrawList& list, ImVec2 bottom, float most, const Palette& palette) {
    bottom.y -= 0.4f * ImGui::GetTextLineHeight();
    for (auto notice = m_notices.rbegin(); notice != m_notices.rend(); ++notice) {
        notice->left -= ImGui::GetIO().DeltaTime;
        const float opacity = std::clamp(notice->left / kFadeTime, 0.f, 1.f);
        const ImU32 color = notice->kind == Kind::Good  ? palette.good
                            : notice->kind == Kind::Bad ? palette.bad
                                                        : palette.accent;
        bottom.y = drawBubble(list, bottom, most, notice->text, color, palette, opacity);
    }
    std::erase_if(m_notices, [](const Notice& notice) { return notice.left <= 0; });
}

}  // namespace elasto::panels
