#include "number_field.h"

#include "typed_number.h"
#include "widgets.h"

#include <elasto/scene/description.h>

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

namespace elasto::panels {

namespace {

/// Left end of a logarithmic field that stands for 0, and the decades that the rest has where the range begins at 0.
constexpr double kZeroShare = 0.04;
constexpr double kDecadesFromZero = 6;
/// Numbers that are dragged to have so many digits, or such a share of the range.
constexpr int kDraggedDigits = 3;
constexpr double kDraggedShare = 1e-3;
/// What a pixel counts with Shift.
constexpr double kFine = 0.1;
/// Dear ImGui gives a field the focus two frames after it was asked to.
constexpr int kFramesToFocus = 3;

/// Ends of a logarithmic range without 0.
std::pair<double, double> decadesOf(const Interval& range) {
    const double low = range.low > 0 ? range.low : range.high * std::pow(10, -kDecadesFromZero);
    return {std::log10(low), std::log10(range.high)};
}

double roundedTo(double value, double step) {
    return std::round(value / step) * step + 0.;  // never -0
}

/// Place of a value along the field, 0 .. 1.
double shareOf(double value, const NumberShape& shape) {
    const Interval& range = shape.range;
    if (!shape.isLogarithmic) return std::clamp((value - range.low) / range.length(), 0., 1.);
    const double from = range.low > 0 ? 0 : kZeroShare;
    if (!(value > 0)) return 0;
    const auto [low, high] = decadesOf(range);
    return std::clamp(from + (1 - from) * (std::log10(value) - low) / (high - low), 0., 1.);
}

double valueAt(double share, const NumberShape& shape) {
    const Interval& range = shape.range;
    share = std::clamp(share, 0., 1.);
    if (!shape.isLogarithmic) {
        const double step = std::pow(10, std::floor(std::log10(kDraggedShare * range.length())));
        return std::clamp(roundedTo(range.low + share * range.length(), step), range.low, range.high);
    }
    const double from = range.low > 0 ? 0 : kZeroShare;
    if (share < from) return 0;
    const auto [low, high] = decadesOf(range);
    const double exact = std::pow(10, low + (share - from) / (1 - from) * (high - low));
    const double decade = std::pow(10, std::floor(std::log10(exact)) - kDraggedDigits + 1);
    return std::clamp(roundedTo(exact, decade), range.low, range.high);
}

/// The shortest text that is this number.
std::string shortest(double value) {
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

/// Keys are meant for the field, though Dear ImGui knows of none yet.
void claimKeys() {
    ImGui::GetCurrentContext()->WantTextInputNextFrame = 1;
    ImGui::GetIO().WantTextInput = true;
}

/// Whether the mouse has moved since it was pressed: that is no click.
bool wasDragged() {
    constexpr float kClick = 3;  // [pixel]
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 moved = {io.MousePos.x - io.MouseClickedPos[0].x, io.MousePos.y - io.MouseClickedPos[0].y};
    const bool isByMouse = io.MouseReleased[0];
    return isByMouse &&
           (io.MouseDragMaxDistanceSqr[0] > kClick * kClick || moved.x * moved.x + moved.y * moved.y > kClick * kClick);
}

/// Width of the mark, and height of its line [pixels].
float markSize() {
    return std::max(2.f, std::round(3 * scaleNow()));
}

}  // namespace

float placeInField(double value, const NumberShape& shape, float low, float high) {
    const float mark = markSize();
    return low + 2 * mark + static_cast<float>(shareOf(value, shape)) * (high - low - 4 * mark);
}

NumberShape rateShape(const char* format) {
    return {.range = {30, 1000},
            .format = format,
            .isLogarithmic = true,
            .unit = "Hz",
            .name = "Tick rate",
            .allowed = {1, kHighestRate}};
}

std::string whyNot(double value, const NumberShape& shape) {
    const Interval& allowed = shape.allowed;
    if (allowed.contains(value) && (!shape.isWhole || value == std::round(value))) return "";
    const std::string unit = shape.unit.empty() ? "" : " " + shape.unit;
    return shape.name + " = " + shortest(value) + unit + " is not allowed; it must be " +
           (shape.isWhole ? "a whole number " : "") + "from " + shortest(allowed.low) + " to " +
           shortest(allowed.high) + unit;
}

bool NumberField::draw(const char* id, double& value, const NumberShape& shape, const Palette& palette) {
    ImGui::PushFont(numbersFont());
    const ImGuiID item = ImGui::GetID(id);
    bool isNew = false;
    if (m_item == item) {
        isNew = type(id, value, shape);
    } else {
        const float width = shape.width > 0 ? shape.width : ImGui::GetContentRegionAvail().x;
        const bool isPressed = ImGui::InvisibleButton(id, {width, ImGui::GetFrameHeight()}) ||
                               ImGui::GetCurrentContext()->NavActivateInputId == item;
        showFocus();
        isNew = drag(value, shape, palette);
        if (ImGui::IsItemActive()) claimKeys();
        if (isPressed && !wasDragged()) {
            ImGui::ClearActiveID();
            m_item = item;
            m_hasOpened = true;
            m_refusal.clear();
            m_opening = kFramesToFocus;
            m_start = m_text = shortest(value);
        }
    }
    ImGui::PopFont();
    return isNew;
}

bool NumberField::drag(double& value, const NumberShape& shape, const Palette& palette) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const bool isActive = ImGui::IsItemActive();
    const float mark = markSize();
    bool isNew = false;
    if (ImGui::IsItemActivated()) m_share = shareOf(value, shape);
    if (isActive && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 3)) {
        const ImGuiIO& io = ImGui::GetIO();
        const double moved = static_cast<double>(io.MouseDelta.x / std::max(1.f, high.x - low.x - 4 * mark));
        m_share = std::clamp(m_share + (io.KeyShift ? kFine : 1) * moved, 0., 1.);
        const double wanted = moved != 0 ? valueAt(m_share, shape) : value;
        isNew = wanted != value;
        value = wanted;
        if (isNew) ImGui::MarkItemEdited(ImGui::GetItemID());
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float rounding = ImGui::GetStyle().FrameRounding;
    const ImGuiCol frame = isActive                 ? ImGuiCol_FrameBgActive
                           : ImGui::IsItemHovered() ? ImGuiCol_FrameBgHovered
                                                    : ImGuiCol_FrameBg;
    list.AddRectFilled(low, high, ImGui::GetColorU32(frame), rounding);
    const float opacity = ImGui::GetStyle().Alpha;
    const float x = placeInField(value, shape, low.x, high.x);
    // Both below the number, which nothing covers.
    list.AddRectFilled({low.x, high.y - mark}, {x, high.y}, faded(palette.accent, 0.5f * opacity), rounding);
    list.AddRectFilled({x - 2 * mark, high.y - mark}, {x + 2 * mark, high.y}, faded(palette.accent, opacity));
    std::array<char, 64> text;
    std::snprintf(text.data(), text.size(), shape.format, value);
    const ImVec2 size = ImGui::CalcTextSize(text.data());
    const ImVec2 at = {std::floor((low.x + high.x - size.x) / 2), std::floor((low.y + high.y - mark - size.y) / 2)};
    list.AddText(at, ImGui::GetColorU32(ImGuiCol_Text), text.data());
    return isNew;
}

/// What is typed before the field has the focus is typed into it when it has.
void NumberField::keepEarlyKeys(bool hasFocus) {
    ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
    for (const ImWchar character : typed) m_early.push_back(character);
    typed.clear();
    if (!hasFocus) return;
    for (const ImWchar character : m_early) typed.push_back(character);
    m_early.clear();
}

bool NumberField::type(const char* id, double& value, const NumberShape& shape) {
    if (m_opening == kFramesToFocus) ImGui::SetKeyboardFocusHere();
    if (m_opening > 0) claimKeys();
    keepEarlyKeys(ImGui::GetActiveID() == m_item);
    ImGui::SetNextItemWidth(shape.width > 0 ? shape.width : -1);
    const bool isEntered =
        ImGui::InputText(id, &m_text, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    if (!isEntered && ImGui::IsItemActive()) {
        m_opening = 0;
        return false;
    }
    if (m_opening > 0) {
        --m_opening;
        return false;
    }
    const bool isGivenUp = m_text == m_start;  // Esc has brought back the text that was there
    TypedNumber typed = isGivenUp ? TypedNumber{value, ""} : readTyped(m_text, shape.unit);
    if (!typed.refusal.empty() && !shape.name.empty()) typed.refusal = shape.name + ": " + typed.refusal;
    if (typed.value && !isGivenUp) {
        typed.refusal = whyNot(*typed.value, shape);
        if (!typed.refusal.empty()) typed.value.reset();
    }
    m_refusal = typed.refusal;
    if (!typed.value && isEntered) {
        m_opening = kFramesToFocus;  // to be put right
        return false;
    }
    m_item = 0;
    const double wanted = typed.value.value_or(value);
    return std::exchange(value, wanted) != wanted;
}

}  // namespace elasto::panels
