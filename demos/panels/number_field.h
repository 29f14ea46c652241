#pragma once
/// @file number_field.h
/// A number that is dragged or typed.

#include "axis.h"
#include "theme.h"

#include <imgui.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace elasto::panels {

/// What a field shows, and where dragging leads.
struct NumberShape {
    Interval range;  ///< of dragging; typing reaches beyond it, up to `allowed`
    const char* format = "%.6g";
    bool isLogarithmic = false;
    std::string unit = {};  ///< SI, as shown: typed units are converted to it
    float width = 0;        ///< [pixels]; 0: what is left of the column
    std::string name = {};  ///< what a refusal calls it
    Interval allowed = {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    bool isWhole = false;  ///< only whole numbers are allowed
};

/// The field of the run's tick rate. @param format of its number
NumberShape rateShape(const char* format);

/// Why a number is not allowed in a field, in one sentence with its name, the number and what is allowed; empty if it
/// is.
std::string whyNot(double value, const NumberShape& shape);

/// Where the mark of a value is along a field that reaches from one x to another [pixels].
float placeInField(double value, const NumberShape& shape, float low, float high);

/// The fields of a panel, of which one is edited at a time. Dragging changes the number, ten times finer with Shift; a
/// mark at the field's lower edge shows it, so that the number stays readable; a click opens it for typing and changes
/// nothing, and so does Enter where the keyboard is. Keys belong to the field from the press on. What is typed counts
/// when it is complete: 0 and 0. are not meant by somebody who types 0.5. Enter and a click elsewhere take it, Esc
/// leaves the number as it was.
class NumberField {
public:
    /// The present item is then the field's (ImGui::IsItemActive and others).
    /// @return true if value is another one
    bool draw(const char* id, double& value, const NumberShape& shape, const Palette& palette);
    /// Why the text that was typed last was not taken, until one is or a field is opened; empty: it was.
    const std::string& refusal() const { return m_refusal; }
    /// The same, once.
    std::string takeRefusal() { return std::exchange(m_refusal, {}); }
    /// Whether a field was opened for typing since the last call.
    bool takeOpened() { return std::exchange(m_hasOpened, false); }
    /// Leaves a field that is open as it was.
    void reset() { *this = {}; }

private:
    bool drag(double& value, const NumberShape& shape, const Palette& palette);
    void keepEarlyKeys(bool hasFocus);
    bool type(const char* id, double& value, const NumberShape& shape);

    ImGuiID m_item = 0;  ///< the field that is typed into; 0: none
    int m_opening = 0;   ///< frames until it must have the focus
    bool m_hasOpened = false;
    double m_share = 0;  ///< of the field's width, where the mark is dragged to: finer than the numbers it stands for
    std::string m_start, m_text;
    std::vector<ImWchar> m_early;  ///< typed before the field had the focus
    std::string m_refusal;
};

}  // namespace elasto::panels
