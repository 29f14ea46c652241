#include "theme.h"

#include <algorithm>
#include <cmath>

namespace elasto::panels {

namespace {

constexpr ImU32 rgb(unsigned value) {
    return 0xff000000u | ((value & 0xffu) << 16) | (value & 0xff00u) | ((value >> 16) & 0xffu);
}

// Curves: blue, orange, green, rose, yellow, violet, cyan, grey.
constexpr Palette kDark = {
    .background = rgb(0x14171c),
    .panel = rgb(0x1b1f26),
    .raised = rgb(0x2a303a),
    .field = rgb(0x12151a),
    .border = rgb(0x343b47),
    .text = rgb(0xe6e9ef),
    .faint = rgb(0x98a1b0),
    .accent = rgb(0x4da3ff),
    .onAccent = rgb(0x08131f),
    .good = rgb(0x4cc38a),
    .warning = rgb(0xf5b740),
    .bad = rgb(0xff6b6b),
    .grid = rgb(0x272d37),
    .axis = rgb(0x566072),
    .cursor = rgb(0xffd166),
    .curves = {rgb(0x56b4ff), rgb(0xff9f40), rgb(0x3ecf9b), rgb(0xff7fb5), rgb(0xe8dc5a), rgb(0xb79cff), rgb(0x6fe0f0),
               rgb(0xb4bcc8)},
};

constexpr Palette kLight = {
    .background = rgb(0xdfe3e9),
    .panel = rgb(0xf5f6f8),
    .raised = rgb(0xe3e7ed),
    .field = rgb(0xffffff),
    .border = rgb(0xc3cad4),
    .text = rgb(0x1a1f28),
    .faint = rgb(0x566070),
    .accent = rgb(0x1466c8),
    .onAccent = rgb(0xffffff),
    .good = rgb(0x17774b),
    .warning = rgb(0x8f5a00),
    .bad = rgb(0xc02430),
    .grid = rgb(0xe6e9ee),
    .axis = rgb(0x98a1ae),
    .cursor = rgb(0xa86a00),
    .curves = {rgb(0x0b6bcb), rgb(0xc45500), rgb(0x0b7d58), rgb(0xb8316f), rgb(0x857300), rgb(0x6b46c1), rgb(0x067a93),
               rgb(0x59616d)},
};

ImVec4 vec(ImU32 color, float opacity = 1) {
    return ImGui::ColorConvertU32ToFloat4(faded(color, opacity));
}

double luminance(ImU32 color) {
    const auto linear = [color](int shift) {
        const double c = static_cast<double>((color >> shift) & 0xff) / 255;
        return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(IM_COL32_R_SHIFT) + 0.7152 * linear(IM_COL32_G_SHIFT) + 0.0722 * linear(IM_COL32_B_SHIFT);
}

}  // namespace

const Palette& paletteOf(Theme theme) {
    return theme == Theme::Dark ? kDark : kLight;
}

ImU32 faded(ImU32 color, float opacity) {
    const float alpha = static_cast<float>((color >> IM_COL32_A_SHIFT) & 0xff) * std::clamp(opacity, 0.f, 1.f);
    return (color & ~IM_COL32_A_MASK) | (static_cast<ImU32>(std::lround(alpha)) << IM_COL32_A_SHIFT);
}

ImU32 mixed(ImU32 a, ImU32 b, float share) {
    share = std::clamp(share, 0.f, 1.f);
    ImU32 color = 0;
    for (const int shift : {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT, IM_COL32_A_SHIFT}) {
        const auto from = static_cast<float>((a >> shift) & 0xff);
        const auto to = static_cast<float>((b >> shift) & 0xff);
        color |= static_cast<ImU32>(std::lround(from + share * (to - from))) << shift;
    }
    return color;
}

double contrast(ImU32 a, ImU32 b) {
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return std::max(first, second) / std::min(first, second);
}

namespace {

void setSizes(float scale, ImGuiStyle& style) {
    style.WindowPadding = {10, 8};
    style.FramePadding = {8, 4};
    style.CellPadding = {6, 3};
    style.ItemSpacing = {8, 6};
    style.ItemInnerSpacing = {6, 4};
    style.IndentSpacing = 16;
    style.ScrollbarSize = 12;
    style.GrabMinSize = 12;
    style.WindowBorderSize = 1;
    style.ChildBorderSize = 1;
    style.PopupBorderSize = 1;
    style.FrameBorderSize = 0;
    style.WindowRounding = 0;
    style.ChildRounding = 4;
    style.FrameRounding = 4;
    style.PopupRounding = 5;
    style.ScrollbarRounding = 6;
    style.GrabRounding = 3;
    style.TabRounding = 4;
    style.WindowTitleAlign = {0, 0.5f};
    style.WindowMenuButtonPosition = ImGuiDir_None;
    style.ScaleAllSizes(scale);
    // Hairlines stay hairlines.
    style.WindowBorderSize = style.ChildBorderSize = style.PopupBorderSize = 1;
}

void setColors(const Palette& palette, ImVec4* colors) {
    colors[ImGuiCol_Text] = vec(palette.text);
    colors[ImGuiCol_TextDisabled] = vec(palette.faint);
    colors[ImGuiCol_WindowBg] = vec(palette.panel);
    colors[ImGuiCol_ChildBg] = vec(palette.panel, 0);
    colors[ImGuiCol_PopupBg] = vec(mixed(palette.panel, palette.raised, 0.4f));
    colors[ImGuiCol_Border] = vec(palette.border);
    colors[ImGuiCol_FrameBg] = vec(palette.field);
    colors[ImGuiCol_FrameBgHovered] = vec(mixed(palette.field, palette.accent, 0.18f));
    colors[ImGuiCol_FrameBgActive] = vec(mixed(palette.field, palette.accent, 0.28f));
    colors[ImGuiCol_TitleBg] = colors[ImGuiCol_TitleBgCollapsed] = vec(palette.raised);
    colors[ImGuiCol_TitleBgActive] = vec(mixed(palette.raised, palette.accent, 0.15f));
    colors[ImGuiCol_ScrollbarBg] = vec(palette.panel, 0);
    colors[ImGuiCol_ScrollbarGrab] = vec(mixed(palette.raised, palette.faint, 0.25f));
    colors[ImGuiCol_ScrollbarGrabHovered] = vec(mixed(palette.raised, palette.faint, 0.5f));
    colors[ImGuiCol_ScrollbarGrabActive] = vec(palette.accent);
    colors[ImGuiCol_CheckMark] = vec(palette.accent);
    colors[ImGuiCol_SliderGrab] = vec(mixed(palette.accent, palette.raised, 0.15f));
    colors[ImGuiCol_SliderGrabActive] = vec(palette.accent);
    colors[ImGuiCol_Button] = vec(palette.raised);
    colors[ImGuiCol_ButtonHovered] = vec(mixed(palette.raised, palette.accent, 0.3f));
    colors[ImGuiCol_ButtonActive] = vec(mixed(palette.raised, palette.accent, 0.5f));
    colors[ImGuiCol_Header] = vec(mixed(palette.panel, palette.accent, 0.25f));
    colors[ImGuiCol_HeaderHovered] = vec(mixed(palette.panel, palette.accent, 0.15f));
    colors[ImGuiCol_HeaderActive] = vec(mixed(palette.panel, palette.accent, 0.35f));
    colors[ImGuiCol_Separator] = vec(palette.border);
    colors[ImGuiCol_SeparatorHovered] = vec(palette.accent, 0.6f);
    colors[ImGuiCol_SeparatorActive] = vec(palette.accent);
    colors[ImGuiCol_Tab] = vec(palette.panel);
    colors[ImGuiCol_TabHovered] = vec(mixed(palette.raised, palette.accent, 0.3f));
    colors[ImGuiCol_TabActive] = colors[ImGuiCol_TabUnfocusedActive] = vec(palette.raised);
    colors[ImGuiCol_TabUnfocused] = vec(palette.panel);
    colors[ImGuiCol_TableHeaderBg] = vec(palette.raised);
    colors[ImGuiCol_TableBorderStrong] = vec(palette.border);
    colors[ImGuiCol_TableBorderLight] = vec(palette.grid);
    colors[ImGuiCol_TableRowBgAlt] = vec(palette.text, 0.03f);
    colors[ImGuiCol_TextSelectedBg] = vec(palette.accent, 0.35f);
    colors[ImGuiCol_NavHighlight] = vec(palette.accent);
    colors[ImGuiCol_ModalWindowDimBg] = vec(palette.background, 0.6f);
}

}  // namespace

void applyTheme(Theme theme, float scale) {
    ImGuiStyle style;
    setSizes(scale, style);
    if (theme == Theme::Dark) {
        ImGui::StyleColorsDark(&style);
    } else {
        ImGui::StyleColorsLight(&style);
    }
    setColors(paletteOf(theme), style.Colors);
    ImGui::GetStyle() = style;
}

}  // namespace elasto::panels
