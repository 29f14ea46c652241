#pragma once
/// @file theme.h
/// Colours by what they mean, in a dark and a light set.

#include <imgui.h>

#include <array>

namespace elasto::panels {

enum class Theme { Dark, Light };

/// 8-bit sRGB colours as ImGui's draw lists take them (ABGR). Texts reach a contrast of 4.5 : 1 and curves 3 : 1
/// against what they stand on (WCAG 2.1); the curves' colours can be told apart with any colour vision.
struct Palette {
    ImU32 background;  ///< behind all panels
    ImU32 panel;       ///< of a panel
    ImU32 raised;      ///< headings, buttons
    ImU32 field;       ///< of an input, and of a plot
    ImU32 border;
    ImU32 text;
    ImU32 faint;     ///< units, hints, labels of axes
    ImU32 accent;    ///< what is active or selected
    ImU32 onAccent;  ///< text on accent
    ImU32 good;
    ImU32 warning;
    ImU32 bad;
    ImU32 grid;    ///< of a plot
    ImU32 axis;    ///< the line of zero
    ImU32 cursor;  ///< the time cursor of plots and timeline
    std::array<ImU32, 8> curves;
};

const Palette& paletteOf(Theme theme);

/// A colour with another opacity, 0 .. 1 times its own.
ImU32 faded(ImU32 color, float opacity);
/// Between two colours, share 0 .. 1, opacity included.
ImU32 mixed(ImU32 a, ImU32 b, float share);
/// Contrast of two opaque colours as WCAG 2.1 defines it, 1 .. 21.
double contrast(ImU32 a, ImU32 b);

/// Sets ImGui's style of the current context: colours of the theme, and sizes for the scale (1: 96 dots per inch).
void applyTheme(Theme theme, float scale);

}  // namespace elasto::panels
