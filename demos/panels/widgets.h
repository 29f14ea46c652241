#pragma once
/// @file widgets.h
/// Small things that the panels share: icons, buttons with tooltips, rows, gauges.

#include "fonts.h"
#include "theme.h"

#include <imgui.h>

#include <string_view>

namespace elasto::panels {

/// Fonts of the current atlas in the order of loadFonts(); the default font where they were not loaded.
ImFont* boldFont();
ImFont* numbersFont();
ImFont* smallFont();

/// Drawn, not taken from a font: they are sharp at any scale.
enum class Icon {
    Play,
    Pause,
    StepForward,
    StepBack,
    ToStart,
    ToEnd,
    Previous,
    Next,
    Follow,
    Hold,
    Table,
    Picture,
    Undo,
    Redo,
    Reset,
    Close,
    Warning,
    Help,
    Search,
    Camera,
    Panels,
    Home,
    Arrow,
    Label,
    Stop,
    Settings,
    Open,
};

/// Draws an icon into a square. @param low its upper left corner, @param side its length [pixels]
void drawIcon(ImDrawList& list, Icon icon, ImVec2 low, float side, ImU32 color);

/// A square button. @param tip its tooltip; null: none. @param isOn drawn as pressed in
bool iconButton(const char* id, Icon icon, const char* tip, float side, const Palette& palette, bool isOn = false);

/// Whether the keyboard moves among the panels (Workspace).
bool isKeyboardInPanels();

/// The keyboard goes to the window of this name when that is drawn next.
void sendKeyboardTo(const char* window);
/// To be called in a window that the keyboard may go to, when it has begun and has no item yet.
void receiveKeyboard();

/// A part of a panel that scrolls by itself; the keyboard goes through it as through the panel. ImGui::EndChild ends
/// it.
void beginPart(const char* id);

/// Shows where the keyboard is, if that is the last item: for those that Dear ImGui does not frame itself.
void showFocus();

/// A tooltip of the last item, wrapped to a readable width, after the mouse has rested a moment. It stands beside the
/// panel of the item, or above it where the panel is as wide as the screen, so that it covers nothing that one reads.
void tip(std::string_view text);

/// The last item takes the wheel: the window around it does not scroll.
void claimWheel();

/// Heading of a section within a panel.
void heading(std::string_view text, const Palette& palette);
/// Why something was not taken, in the colour of what is bad; nothing where it was.
void drawRefusal(const std::string& text, const Palette& palette);

/// A small button that is on or off. @return true when it was pressed
bool chip(const char* text, bool isOn, const Palette& palette);

/// A button of a row of which one is active. @return true when another one was pressed
bool tabButton(const char* text, bool isActive, const Palette& palette);

/// Text right-aligned in what is left of the line, in the font of numbers.
void numberRight(std::string_view text, ImU32 color);

/// A text cut with an ellipsis where it is wider than it may be.
void textWithin(std::string_view text, float width, ImU32 color);

/// Scale of the user interface now: 1 at a text height of kTextHeight.
float scaleNow();

/// Of windows that stand where the layout wants them.
inline constexpr ImGuiWindowFlags kFixedWindow = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                                 ImGuiWindowFlags_NoSavedSettings |
                                                 ImGuiWindowFlags_NoBringToFrontOnFocus;

/// A window in the middle of the screen, with a heading and a button that closes it; drawn while it lives.
class Dialog {
public:
    /// @param size [pixels]; 0: as its content wants
    /// @param padding beside and above the content, in lines of text
    Dialog(const char* name, const char* title, ImVec2 size, ImVec2 padding, ImGuiWindowFlags flags,
           const Palette& palette);
    ~Dialog();
    Dialog(const Dialog&) = delete;
    Dialog& operator=(const Dialog&) = delete;

    bool isClosed() const { return m_isClosed; }  ///< in this frame

private:
    bool m_isClosed = false;
};

}  // namespace elasto::panels
