#include "demo_list.h"

#include "widgets.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace elasto::panels {

namespace {

/// Frames in which the list scrolls to what is new: in its first one it does not know its own length yet.
constexpr int kScrolls = 3;

std::string lowered(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return result;
}

}  // namespace

bool matches(const DemoEntry& demo, std::string_view search) {
    const std::string all =
        lowered(demo.name + "\n" + demo.title + "\n" + demo.look + "\n" + demo.press + "\n" + demo.group);
    std::istringstream words(lowered(search));
    for (std::string word; words >> word;) {
        if (all.find(word) == std::string::npos) return false;
    }
    return true;
}

int neighbour(int current, int step, std::size_t count) {
    if (count == 0) return -1;
    const auto size = static_cast<int>(count);
    if (current < 0 || current >= size) return 0;
    return ((current + step) % size + size) % size;
}

/// @return true where Enter was pressed
bool DemoList::drawSearch(const Palette& palette) {
    const float side = ImGui::GetFrameHeight();
    const float spacing = ImGui::GetStyle().ItemInnerSpacing.x;
    const ImVec2 low = ImGui::GetCursorScreenPos();
    if (m_wantsFocus) ImGui::SetKeyboardFocusHere();
    m_wantsFocus = false;
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - (m_search.empty() ? 0 : side + spacing));
    const bool isEntered =
        ImGui::InputTextWithHint("##search", "      Search", &m_search, ImGuiInputTextFlags_EnterReturnsTrue);
    if (m_search.empty()) drawIcon(*ImGui::GetWindowDrawList(), Icon::Search, {low.x + 4, low.y}, side, palette.faint);
    if (!m_search.empty()) {
        ImGui::SameLine(0, spacing);
        if (iconButton("clear", Icon::Close, "Show all demos", side, palette)) m_search.clear();
    }
    return isEntered;
}

void DemoList::drawEntry(const Context& context, const DemoEntry& demo, bool isCurrent) {
    const Palette& palette = context.palette;
    ImGui::PushID(demo.name.c_str());
    if (ImGui::Selectable("##demo", isCurrent, ImGuiSelectableFlags_None, {0, ImGui::GetTextLineHeight() * 1.25f})) {
        context.requests.demo = demo.name;
    }
    tip(demo.look + "\n\n" + demo.press);
    if (isCurrent && m_scrolls > 0) {
        ImGui::SetScrollHereY(0.4f);
        --m_scrolls;
    }
    const ImVec2 corner = ImGui::GetItemRectMin();
    const float height = ImGui::GetItemRectSize().y;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (isCurrent) {
        list.AddRectFilled(corner, {corner.x + 3 * scaleNow(), corner.y + height}, palette.accent);
    }
    const ImVec4 clip = {corner.x, corner.y, ImGui::GetItemRectMax().x, corner.y + height};
    list.AddText(ImGui::GetFont(), ImGui::GetFontSize(),
                 {corner.x + 10 * scaleNow(), corner.y + (height - ImGui::GetFontSize()) / 2}, palette.text,
                 demo.title.c_str(), nullptr, 0, &clip);
    ImGui::PopID();
}

void DemoList::draw(const Context& context, std::span<const DemoEntry> demos, int current) {
    const Palette& palette = context.palette;
    const float side = ImGui::GetFrameHeight();
    heading("Demos", palette);
    ImGui::SameLine(ImGui::GetContentRegionMax().x - 2 * side);
    const auto goTo = [&](int step) {
        const int index = neighbour(current, step, demos.size());
        if (index >= 0) context.requests.demo = demos[static_cast<std::size_t>(index)].name;
    };
    if (iconButton("previous", Icon::Previous, tipOf(Action::PreviousDemo).c_str(), side, palette)) goTo(-1);
    ImGui::SameLine(0, 0);
    if (iconButton("next", Icon::Next, tipOf(Action::NextDemo).c_str(), side, palette)) goTo(1);

    const bool isEntered = drawSearch(palette);
    ImGui::BeginChild("list");
    std::string group;
    int shown = 0;
    for (std::size_t i = 0; i < demos.size(); ++i) {
        const DemoEntry& demo = demos[i];
        if (!matches(demo, m_search)) continue;
        if (shown++ == 0 && isEntered) {
            context.requests.demo = demo.name;
            m_search.clear();
        }
        if (!demo.group.empty() && demo.group != group) {
            group = demo.group;
            ImGui::Dummy({0, 2 * scaleNow()});
            ImGui::PushStyleColor(ImGuiCol_Text, palette.faint);
            ImGui::TextUnformatted(group.c_str());
            ImGui::PopStyleColor();
        }
        if (m_shown != current) {
            m_shown = current;
            m_scrolls = kScrolls;
        }
        drawEntry(context, demo, static_cast<int>(i) == current);
    }
    if (shown == 0) {
        ImGui::PushStyleColor(ImGuiCol_Text, palette.faint);
        ImGui::TextWrapped("No demo has \"%s\" in its texts.", m_search.c_str());
        ImGui::PopStyleColor();
    }
    ImGui::EndChild();
}

}  // namespace elasto::panels
