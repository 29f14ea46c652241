#include "widgets.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace elasto::panels {

namespace {

ImFont* fontAt(int index) {
    const ImFontAtlas* atlas = ImGui::GetIO().Fonts;
    return index < atlas->Fonts.Size ? atlas->Fonts[index] : ImGui::GetFont();
}

/// Draws in a square of side 1.
class Pen {
public:
    Pen(ImDrawList& list, ImVec2 low, float side, ImU32 color)
        : m_list(list), m_low(low), m_side(side), m_color(color), m_width(std::max(1.f, side * 0.09f)) {}

    ImVec2 at(float x, float y) const { return {m_low.x + x * m_side, m_low.y + y * m_side}; }
    void line(float x1, float y1, float x2, float y2) { m_list.AddLine(at(x1, y1), at(x2, y2), m_color, m_width); }
    void bar(float x1, float y1, float x2, float y2) { m_list.AddRectFilled(at(x1, y1), at(x2, y2), m_color); }
    void frame(float x1, float y1, float x2, float y2) {
        m_list.AddRect(at(x1, y1), at(x2, y2), m_color, m_side * 0.06f, 0, m_width);
    }
    void triangle(ImVec2 a, ImVec2 b, ImVec2 c) {
        m_list.AddTriangleFilled(at(a.x, a.y), at(b.x, b.y), at(c.x, c.y), m_color);
    }
    void right(float x1, float x2) { triangle({x1, 0.22f}, {x1, 0.78f}, {x2, 0.5f}); }
    void left(float x1, float x2) { triangle({x2, 0.22f}, {x1, 0.5f}, {x2, 0.78f}); }
    void arc(float x, float y, float radius, float from, float to) {
        m_list.PathArcTo(at(x, y), radius * m_side, from, to);
        m_list.PathStroke(m_color, ImDrawFlags_None, m_width);
    }
    void circle(float x, float y, float radius) { m_list.AddCircle(at(x, y), radius * m_side, m_color, 0, m_width); }
    void dot(float x, float y, float radius) { m_list.AddCircleFilled(at(x, y), radius * m_side, m_color); }

private:
    ImDrawList& m_list;
    ImVec2 m_low;
    float m_side;
    ImU32 m_color;
    float m_width;
};

/// An arc with an arrow's head: back (undo) or forth (redo).
void turn(Pen& pen, bool isBack) {
    const auto x = [isBack](float value) { return isBack ? value : 1 - value; };
    pen.line(x(0.3f), 0.36f, x(0.6f), 0.36f);
    if (isBack) {
        pen.arc(0.6f, 0.56f, 0.2f, -IM_PI / 2, IM_PI / 2);
    } else {
        pen.arc(0.4f, 0.56f, 0.2f, IM_PI / 2, IM_PI * 1.5f);
    }
    pen.line(x(0.6f), 0.76f, x(0.36f), 0.76f);
    pen.triangle({x(0.14f), 0.36f}, {x(0.38f), 0.18f}, {x(0.38f), 0.54f});
}

// Of play and time. @return false for the others
bool drawTimeIcon(Pen& pen, Icon icon) {
    switch (icon) {
        case Icon::Play:
            pen.right(0.28f, 0.8f);
            break;
        case Icon::Pause:
            pen.bar(0.27f, 0.22f, 0.43f, 0.78f);
            pen.bar(0.57f, 0.22f, 0.73f, 0.78f);
            break;
        case Icon::StepForward:
            pen.bar(0.22f, 0.22f, 0.33f, 0.78f);
            pen.right(0.42f, 0.84f);
            break;
        case Icon::StepBack:
            pen.bar(0.67f, 0.22f, 0.78f, 0.78f);
            pen.left(0.16f, 0.58f);
            break;
        case Icon::ToStart:
            pen.bar(0.16f, 0.22f, 0.25f, 0.78f);
            pen.left(0.25f, 0.55f);
            pen.left(0.55f, 0.85f);
            break;
        case Icon::ToEnd:
            pen.bar(0.75f, 0.22f, 0.84f, 0.78f);
            pen.right(0.45f, 0.75f);
            pen.right(0.15f, 0.45f);
            break;
        case Icon::Previous:
            pen.line(0.6f, 0.22f, 0.34f, 0.5f);
            pen.line(0.34f, 0.5f, 0.6f, 0.78f);
            break;
        case Icon::Next:
            pen.line(0.4f, 0.22f, 0.66f, 0.5f);
            pen.line(0.66f, 0.5f, 0.4f, 0.78f);
            break;
        case Icon::Follow:
            pen.line(0.15f, 0.5f, 0.6f, 0.5f);
            pen.right(0.5f, 0.78f);
            pen.bar(0.8f, 0.2f, 0.88f, 0.8f);
            break;
        case Icon::Hold:
            pen.bar(0.32f, 0.28f, 0.42f, 0.72f);
            pen.bar(0.58f, 0.28f, 0.68f, 0.72f);
            break;
        default:
            return false;
    }
    return true;
}

// Of editing and saving. @return false for the others
bool drawEditIcon(Pen& pen, Icon icon) {
    switch (icon) {
        case Icon::Table:
            pen.frame(0.18f, 0.22f, 0.82f, 0.78f);
            pen.line(0.18f, 0.42f, 0.82f, 0.42f);
            pen.line(0.18f, 0.6f, 0.82f, 0.6f);
            pen.line(0.5f, 0.22f, 0.5f, 0.78f);
            break;
        case Icon::Picture:
            pen.frame(0.16f, 0.22f, 0.84f, 0.78f);
            pen.triangle({0.24f, 0.72f}, {0.46f, 0.42f}, {0.66f, 0.72f});
            pen.dot(0.66f, 0.38f, 0.07f);
            break;
        case Icon::Undo:
            turn(pen, true);
            break;
        case Icon::Redo:
            turn(pen, false);
            break;
        case Icon::Reset:
            pen.arc(0.5f, 0.5f, 0.27f, -0.8f, 4);
            pen.triangle({0.56f, 0.12f}, {0.84f, 0.2f}, {0.6f, 0.42f});
            break;
        case Icon::Open:
            pen.frame(0.14f, 0.32f, 0.86f, 0.78f);
            pen.bar(0.14f, 0.22f, 0.46f, 0.34f);
            break;
        case Icon::Close:
            pen.line(0.28f, 0.28f, 0.72f, 0.72f);
            pen.line(0.72f, 0.28f, 0.28f, 0.72f);
            break;
        case Icon::Settings:
            for (const float y : {0.28f, 0.5f, 0.72f}) pen.line(0.16f, y, 0.84f, y);
            pen.dot(0.66f, 0.28f, 0.1f);
            pen.dot(0.34f, 0.5f, 0.1f);
            pen.dot(0.58f, 0.72f, 0.1f);
            break;
        default:
            return false;
    }
    return true;
}

// Of the view. @return false for the others
bool drawViewIcon(Pen& pen, Icon icon) {
    switch (icon) {
        case Icon::Help:
            pen.arc(0.5f, 0.36f, 0.17f, IM_PI, IM_PI * 2.35f);
            pen.line(0.58f, 0.48f, 0.5f, 0.62f);
            pen.dot(0.5f, 0.77f, 0.06f);
            break;
        case Icon::Search:
            pen.circle(0.43f, 0.43f, 0.22f);
            pen.line(0.6f, 0.6f, 0.82f, 0.82f);
            break;
        case Icon::Camera:
            pen.frame(0.14f, 0.3f, 0.86f, 0.78f);
            pen.circle(0.5f, 0.54f, 0.14f);
            pen.bar(0.38f, 0.2f, 0.62f, 0.32f);
            break;
        case Icon::Panels:
            pen.frame(0.14f, 0.2f, 0.86f, 0.8f);
            pen.line(0.36f, 0.2f, 0.36f, 0.8f);
            pen.line(0.36f, 0.5f, 0.86f, 0.5f);
            break;
        case Icon::Home:
            pen.triangle({0.12f, 0.5f}, {0.5f, 0.16f}, {0.88f, 0.5f});
            pen.bar(0.26f, 0.48f, 0.74f, 0.82f);
            break;
        case Icon::Arrow:
            pen.line(0.2f, 0.8f, 0.68f, 0.32f);
            pen.triangle({0.82f, 0.18f}, {0.46f, 0.3f}, {0.7f, 0.54f});
            break;
        case Icon::Stop:
            // A plate on its spring, and what it stops.
            pen.bar(0.2f, 0.74f, 0.8f, 0.84f);
            for (const float x : {0.38f, 0.5f}) {
                pen.line(x, 0.74f, x + 0.12f, 0.65f);
                pen.line(x + 0.12f, 0.65f, x, 0.56f);
            }
            pen.bar(0.3f, 0.48f, 0.7f, 0.55f);
            pen.dot(0.5f, 0.3f, 0.13f);
            break;
        case Icon::Label:
            pen.frame(0.14f, 0.28f, 0.86f, 0.72f);
            pen.line(0.28f, 0.5f, 0.72f, 0.5f);
            break;
        default:
            return false;
    }
    return true;
}

}  // namespace

ImFont* boldFont() {
    return fontAt(1);
}
ImFont* numbersFont() {
    return fontAt(2);
}
ImFont* smallFont() {
    return fontAt(3);
}
float scaleNow() {
    return ImGui::GetFontSize() / kTextHeight;
}

void drawIcon(ImDrawList& list, Icon icon, ImVec2 low, float side, ImU32 color) {
    Pen pen(list, low, side, color);
    if (drawTimeIcon(pen, icon) || drawEditIcon(pen, icon) || drawViewIcon(pen, icon)) return;
    list.AddTriangle(pen.at(0.5f, 0.14f), pen.at(0.1f, 0.84f), pen.at(0.9f, 0.84f), color, side * 0.09f);
    pen.bar(0.46f, 0.38f, 0.54f, 0.62f);
    pen.dot(0.5f, 0.72f, 0.05f);
}

bool iconButton(const char* id, Icon icon, const char* text, float side, const Palette& palette, bool isOn) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const bool isPressed = ImGui::InvisibleButton(id, {side, side});
    showFocus();
    const bool isHovered = ImGui::IsItemHovered();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 high = {low.x + side, low.y + side};
    const float rounding = ImGui::GetStyle().FrameRounding;
    if (isOn) list.AddRectFilled(low, high, palette.accent, rounding);
    if (isHovered && !isOn) {
        list.AddRectFilled(low, high, mixed(palette.raised, palette.accent, ImGui::IsItemActive() ? 0.5f : 0.25f),
                           rounding);
    }
    const float opacity = ImGui::GetStyle().Alpha;
    drawIcon(list, icon, low, side, faded(isOn ? palette.onAccent : isHovered ? palette.text : palette.faint, opacity));
    if (text) tip(text);
    return isPressed;
}

namespace {

/// How long the mouse has been over the last item [s]. Dear ImGui counts that for items that have an ID alone: texts
/// have none, and are told by their place.
float hoveredTime() {
    static ImVec2 place;
    static int frame = -1;
    static float time = 0;
    ImGuiContext& context = *GImGui;
    if (context.LastItemData.ID != 0) return context.HoveredIdTimer;
    const ImVec2 now = context.LastItemData.Rect.Min;
    const bool isSame = now.x == place.x && now.y == place.y && context.FrameCount <= frame + 1;
    if (!isSame) time = 0;
    if (isSame && context.FrameCount > frame) time += context.IO.DeltaTime;
    place = now;
    frame = context.FrameCount;
    return time;
}

}  // namespace

bool isKeyboardInPanels() {
    return (ImGui::GetIO().ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) != 0;
}

namespace {

std::string& keyboardsAim() {
    static std::string window;
    return window;
}

}  // namespace

void sendKeyboardTo(const char* window) {
    keyboardsAim() = window;
}

void receiveKeyboard() {
    ImGuiContext& context = *GImGui;
    if (keyboardsAim() != context.CurrentWindow->Name) return;
    keyboardsAim().clear();
    ImGui::FocusWindow(context.CurrentWindow);
    ImGui::NavInitWindow(context.CurrentWindow, true);
    context.NavDisableHighlight = false;
    context.NavDisableMouseHover = true;
}

void beginPart(const char* id) {
    ImGui::BeginChild(id, {0, 0}, false, ImGuiWindowFlags_NavFlattened);
}

void showFocus() {
    const ImGuiContext& context = *GImGui;
    ImGui::RenderNavHighlight(context.LastItemData.Rect, context.LastItemData.ID);
}

namespace {

/// Where a tooltip of this size stands.
ImVec2 placeOfTip(ImVec2 size) {
    const ImGuiContext& context = *GImGui;
    const ImRect item = context.LastItemData.Rect, panel = context.CurrentWindow->RootWindow->Rect();
    const ImVec2 screen = context.IO.DisplaySize;
    const float gap = 0.4f * ImGui::GetFontSize();
    const float y = std::clamp(item.Min.y, gap, std::max(gap, screen.y - size.y - gap));
    const bool isWide = panel.GetWidth() > 0.45f * screen.x;
    const float right = panel.Max.x + gap, left = panel.Min.x - gap - size.x;
    const bool fitsRight = !isWide && right + size.x <= screen.x, fitsLeft = !isWide && left >= 0;
    // Towards the middle first, where the scene is.
    const bool isLeft = panel.GetCenter().x > screen.x / 2;
    if (fitsLeft && (isLeft || !fitsRight)) return {left, y};
    if (fitsRight) return {right, y};
    const float x = std::clamp(item.Min.x, gap, std::max(gap, screen.x - size.x - gap));
    if (panel.Min.y - gap - size.y >= 0) return {x, panel.Min.y - gap - size.y};
    return {x, item.Max.y + gap + size.y <= screen.y ? item.Max.y + gap : item.Min.y - gap - size.y};
}

}  // namespace

void tip(std::string_view text) {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || hoveredTime() < 0.35f) return;
    const float width = ImGui::GetFontSize() * 24;
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    const ImVec2 words = ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, width);
    ImGui::SetNextWindowPos(placeOfTip({words.x + 2 * padding.x, words.y + 2 * padding.y}));
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(width);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void claimWheel() {
    ImGui::SetItemUsingMouseWheel();
}

void heading(std::string_view text, const Palette& palette) {
    ImGui::PushFont(boldFont());
    ImGui::PushStyleColor(ImGuiCol_Text, palette.text);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

void drawRefusal(const std::string& text, const Palette& palette) {
    if (text.empty()) return;
    ImGui::PushStyleColor(ImGuiCol_Text, palette.bad);
    ImGui::TextWrapped("%s", text.c_str());
    ImGui::PopStyleColor();
}

bool chip(const char* text, bool isOn, const Palette& palette) {
    ImGui::PushStyleColor(ImGuiCol_Button,
                          isOn ? mixed(palette.raised, palette.accent, 0.35f) : faded(palette.raised, 0.5f));
    ImGui::PushStyleColor(ImGuiCol_Text, isOn ? palette.text : palette.faint);
    // A small button is as high as its text, which cuts underscores.
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, std::round(1.5f * scaleNow())});
    const bool isPressed = ImGui::Button(text);
    ImGui::PopStyleVar();
    ImGui::PopStyleColor(2);
    return isPressed;
}

bool tabButton(const char* text, bool isActive, const Palette& palette) {
    ImGui::PushStyleColor(ImGuiCol_Button, isActive ? palette.raised : faded(palette.raised, 0));
    ImGui::PushStyleColor(ImGuiCol_Text, isActive ? palette.text : palette.faint);
    const bool isPressed = ImGui::Button(text);
    ImGui::PopStyleColor(2);
    if (isActive) {
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        ImGui::GetWindowDrawList()->AddRectFilled({low.x, high.y - 2 * scaleNow()}, high, palette.accent);
    }
    return isPressed && !isActive;
}

void numberRight(std::string_view text, ImU32 color) {
    ImGui::PushFont(numbersFont());
    const float width = ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
    const float room = ImGui::GetContentRegionAvail().x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.f, room - width));
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

void textWithin(std::string_view text, float width, ImU32 color) {
    std::string shown(text);
    if (ImGui::CalcTextSize(shown.c_str()).x > width) {
        while (!shown.empty() && ImGui::CalcTextSize((shown + "\u2026").c_str()).x > width) {
            // A whole character of UTF-8.
            do {
                const bool isInside = (static_cast<unsigned char>(shown.back()) & 0xc0u) == 0x80u;
                shown.pop_back();
                if (!isInside) break;
            } while (!shown.empty());
        }
        shown += "\u2026";
    }
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::TextUnformatted(shown.c_str());
    ImGui::PopStyleColor();
}

Dialog::Dialog(const char* name, const char* title, ImVec2 size, ImVec2 padding, ImGuiWindowFlags flags,
               const Palette& palette) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float line = ImGui::GetTextLineHeight();
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 6 * scaleNow());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding.x * line, padding.y * line});
    ImGui::Begin(name, nullptr,
                 flags | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings);
    receiveKeyboard();
    heading(title, palette);
    const float side = 1.4f * line;
    ImGui::SameLine(ImGui::GetContentRegionMax().x - side);
    m_isClosed = iconButton("close", Icon::Close, "Close (Esc)", side, palette);
}

Dialog::~Dialog() {
    ImGui::End();
    ImGui::PopStyleVar(2);
}

}  // namespace elasto::panels
