#include "help_overlay.h"

#include "key_table.h"
#include "widgets.h"

#include <algorithm>
#include <string>

namespace elasto::panels {

namespace {

/// Draws the keys of an action as caps. @return their width
void drawCaps(Action action, const Palette& palette) {
    const float line = ImGui::GetTextLineHeight();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImVec2 at = ImGui::GetCursorScreenPos();
    for (const KeyBinding& binding : keyBindings()) {
        if (binding.action != action) continue;
        const std::string name = keyName(binding.stroke);
        const float width = std::max(ImGui::CalcTextSize(name.c_str()).x + 0.7f * line, 1.5f * line);
        const ImVec2 high = {at.x + width, at.y + 1.25f * line};
        list.AddRectFilled(at, high, palette.raised, 0.25f * line);
        list.AddRect(at, high, palette.border, 0.25f * line);
        const float text = ImGui::CalcTextSize(name.c_str()).x;
        list.AddText({at.x + (width - text) / 2, at.y + 0.12f * line}, palette.text, name.c_str());
        at.x += width + 0.3f * line;
    }
    ImGui::Dummy({0, 1.25f * line});
}

void drawGroups(const Palette& palette, std::size_t from, std::size_t to) {
    const float line = ImGui::GetTextLineHeight();
    std::string_view group;
    bool isOpen = false;
    for (std::size_t i = from; i < to; ++i) {
        const ActionText& row = actionTexts()[i];
        if (row.group != group) {
            if (isOpen) ImGui::EndTable();
            group = row.group;
            ImGui::Dummy({0, 0.2f * line});
            heading(group, palette);
            isOpen = ImGui::BeginTable(std::string(group).c_str(), 2, ImGuiTableFlags_SizingFixedFit);
            if (!isOpen) continue;
            ImGui::TableSetupColumn("key", ImGuiTableColumnFlags_WidthFixed, 7.5f * line);
            ImGui::TableSetupColumn("text", ImGuiTableColumnFlags_WidthStretch);
        }
        if (!isOpen) continue;
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        drawCaps(row.action, palette);
        ImGui::TableNextColumn();
        ImGui::PushStyleColor(ImGuiCol_Text, palette.text);
        ImGui::TextWrapped("%.*s", static_cast<int>(row.text.size()), row.text.data());
        ImGui::PopStyleColor();
    }
    if (isOpen) ImGui::EndTable();
}

/// The first row from this one on that begins a group.
std::size_t groupAfter(std::size_t row) {
    const auto texts = actionTexts();
    while (row > 0 && row < texts.size() && texts[row].group == texts[row - 1].group) ++row;
    return row;
}

void drawMouse(const Palette& palette) {
    const float line = ImGui::GetTextLineHeight();
    ImGui::Dummy({0, 0.2f * line});
    heading("Mouse", palette);
    if (ImGui::BeginTable("mouse", 2, ImGuiTableFlags_SizingFixedFit)) {
        ImGui::TableSetupColumn("gesture", ImGuiTableColumnFlags_WidthFixed, 13 * line);
        ImGui::TableSetupColumn("text", ImGuiTableColumnFlags_WidthStretch);
        for (const MouseText& row : mouseTexts()) {
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::PushStyleColor(ImGuiCol_Text, palette.faint);
            ImGui::TextUnformatted(row.gesture.data(), row.gesture.data() + row.gesture.size());
            ImGui::PopStyleColor();
            ImGui::TableNextColumn();
            ImGui::TextWrapped("%.*s", static_cast<int>(row.text.size()), row.text.data());
        }
        ImGui::EndTable();
    }
}

}  // namespace

bool drawHelp(const Palette& palette) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float line = ImGui::GetTextLineHeight();
    // Behind it the rest is dimmed; a click there closes.
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(screen);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::ColorConvertU32ToFloat4(faded(palette.background, 0.7f)));
    ImGui::Begin("dimmed", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoNav);
    ImGui::PopStyleColor();
    const bool isClickedBeside = ImGui::InvisibleButton("beside", screen);
    ImGui::End();

    // As high as its content, as long as the screen is.
    const ImVec2 size = {std::min(84 * line, screen.x * 0.96f), 0};
    ImGui::SetNextWindowSizeConstraints({0, 0}, {size.x, screen.y * 0.96f});
    ImGui::SetNextWindowFocus();
    const Dialog dialog("help", "Keys and mouse", size, {1.4f, 1}, ImGuiWindowFlags_AlwaysAutoResize, palette);
    // Groups stay together, in columns of about the same height.
    const std::size_t all = actionTexts().size();
    if (size.x > 70 * line) {
        const std::size_t split = groupAfter(all * 2 / 5);
        ImGui::Columns(3, "columns", false);
        drawGroups(palette, 0, split);
        ImGui::NextColumn();
        drawGroups(palette, split, all);
        ImGui::NextColumn();
        drawMouse(palette);
        ImGui::Columns(1);
    } else if (size.x > 46 * line) {
        const std::size_t split = groupAfter(all / 3);
        ImGui::Columns(2, "columns", false);
        drawGroups(palette, 0, split);
        drawMouse(palette);
        ImGui::NextColumn();
        drawGroups(palette, split, all);
        ImGui::Columns(1);
    } else {
        drawGroups(palette, 0, all);
        drawMouse(palette);
    }
    return !dialog.isClosed() && !isClickedBeside;
}

}  // namespace elasto::panels
