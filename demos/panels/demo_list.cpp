#include "demo_list.h"

#include "widgets.h"
#include "words.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

namespace elasto::panels {

namespace {

/// Frames in which the list scrolls to what is new: in its first one it does not know its own length yet.
constexpr int kScrolls = 3;

}  // namespace

bool matches(const DemoEntry& demo, std::string_view search) {
    return hasWords(demo.name + "\n" + demo.title + "\n" + demo.look + "\n" + demo.press + "\n" + demo.group, search);
}

int bestMatch(std::span<const DemoEntry> demos, std::string_view search) {
    std::string wanted = lowered(search);
    while (!wanted.empty() && wanted.back() == ' ') wanted.pop_back();
    const auto rank = [&](const DemoEntry& demo) {
        const std::string title = lowered(demo.title);
        if (title == wanted || demo.name == wanted) return 0;
        if (title.starts_with(wanted) || demo.name.starts_with(wanted)) return 1;
        if (title.find(wanted) != std::string::npos || demo.name.find(wanted) != std::string::npos) return 2;
        if (hasWords(demo.title + "\n" + demo.name, search)) return 3;
        return matches(demo, search) ? 4 : 5;
    };
    int best = -1, bestRank = 5;
    for (std::size_t i = 0; i < demos.size(); ++i) {
        const int own = rank(demos[i]);
        if (own >= bestRank) continue;
        bestRank = own;
        best = static_cast<int>(i);
    }
    return best;
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

bool DemoList::drawEntry(const Context& context, const DemoEntry& demo, bool isCurrent, bool isBest) {
    const Palette& palette = context.palette;
    ImGui::PushID(demo.name.c_str());
    const bool isClicked =
        ImGui::Selectable("##demo", isCurrent, ImGuiSelectableFlags_None, {0, ImGui::GetTextLineHeight() * 1.25f});
    tip(demo.press.empty() ? demo.look : demo.look + "\n\n" + demo.press);
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
    // What Enter opens.
    if (isBest) list.AddRect(corner, {clip.z, clip.w}, palette.accent, ImGui::GetStyle().FrameRounding);
    ImGui::PopID();
    return isClicked;
}

namespace {

void drawGroup(const std::string& group, const Palette& palette) {
    ImGui::Dummy({0, 2 * scaleNow()});
    ImGui::PushStyleColor(ImGuiCol_Text, palette.faint);
    ImGui::TextUnformatted(group.c_str());
    ImGui::PopStyleColor();
}

}  // namespace

void DemoList::drawFiles(const Context& context, std::span<const DemoEntry> files, bool isFirstShown) {
    bool isHeaded = false;
    for (const DemoEntry& file : files) {
        if (!matches(file, m_search)) continue;
        if (!std::exchange(isHeaded, true)) drawGroup("Your files", context.palette);
        if (drawEntry(context, file, isFirstShown && &file == &files.front(), false)) context.requests.file = file.name;
    }
}

void DemoList::draw(const Context& context, std::span<const DemoEntry> demos, int current,
                    std::span<const DemoEntry> files) {
    const Palette& palette = context.palette;
    const float side = ImGui::GetFrameHeight();
    heading("Demos", palette);
    ImGui::SameLine(ImGui::GetContentRegionMax().x - 3 * side);
    if (iconButton("open", Icon::Open, tipOf(Action::OpenFile).c_str(), side, palette)) {
        context.requests.actions.push_back(Action::OpenFile);
    }
    ImGui::SameLine(0, 0);
    const auto goTo = [&](int step) {
        const int index = neighbour(current, step, demos.size());
        if (index >= 0) context.requests.demo = demos[static_cast<std::size_t>(index)].name;
    };
    if (iconButton("previous", Icon::Previous, tipOf(Action::PreviousDemo).c_str(), side, palette)) goTo(-1);
    ImGui::SameLine(0, 0);
    if (iconButton("next", Icon::Next, tipOf(Action::NextDemo).c_str(), side, palette)) goTo(1);

    const bool isEntered = drawSearch(palette);
    const int best = m_search.empty() ? -1 : bestMatch(demos, m_search);
    if (isEntered && best >= 0) {
        context.requests.demo = demos[static_cast<std::size_t>(best)].name;
        m_search.clear();
    }
    beginPart("list");
    drawFiles(context, files, current < 0);
    std::string group;
    int shown = 0;
    for (std::size_t i = 0; i < demos.size(); ++i) {
        const DemoEntry& demo = demos[i];
        if (!matches(demo, m_search)) continue;
        ++shown;
        if (!demo.group.empty() && demo.group != group) {
            group = demo.group;
            drawGroup(group, palette);
        }
        if (m_shown != current) {
            m_shown = current;
            m_scrolls = kScrolls;
        }
        const bool isBest = static_cast<int>(i) == best;
        if (drawEntry(context, demo, static_cast<int>(i) == current, isBest)) context.requests.demo = demo.name;
    }
    if (shown == 0) {
        ImGui::PushStyleColor(ImGuiCol_Text, palette.faint);
        ImGui::TextWrapped("No demo has \"%s\" in its texts.", m_search.c_str());
        ImGui::PopStyleColor();
    }
    ImGui::EndChild();
}

}  // namespace elasto::panels
