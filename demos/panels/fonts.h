#pragma once
/// @file fonts.h
/// The four fonts of the panels: DejaVu, as Debian installs it.

#include <imgui.h>

#include <filesystem>
#include <string>
#include <vector>

namespace elasto::panels {

/// Fonts of one atlas; all of them are valid.
struct Fonts {
    ImFont* text = nullptr;
    ImFont* bold = nullptr;     ///< headings
    ImFont* numbers = nullptr;  ///< digits of equal width, so that live values do not jitter
    /// Numbers at axes. A font of its own: fonts drawn smaller than they were made lose thin strokes, the minus above
    /// all.
    ImFont* small = nullptr;
    std::string message;  ///< empty, or why ImGui's own font stands in: names the file that is missing
};

/// Height of the text at scale 1 [pixels].
inline constexpr float kTextHeight = 15;

/// Folders in which fonts are looked for, in this order.
std::vector<std::filesystem::path> fontFolders();

/// Empties the current context's font atlas and loads the fonts for a scale (1: 96 dots per inch). The atlas' texture
/// has to be made anew by the rendering back end. Not between ImGui::NewFrame and ImGui::Render.
/// @param folders where DejaVuSans.ttf and its kin are looked for
Fonts loadFonts(float scale, const std::vector<std::filesystem::path>& folders = fontFolders());

}  // namespace elasto::panels
