#include "law_panel.h"

#include "law_map.h"
#include "plot_drawing.h"
#include "widgets.h"

#include <algorithm>
#include <cmath>

namespace elasto::panels {

namespace {

constexpr std::size_t kTrail = 400;  ///< ticks of the trail
constexpr float kPointRadius = 5;    ///< [pixels at scale 1]

/// Law of an element as it is now: the scene's with the parameters in force.
const Law& presentLaw(const Context& context) {
    return context.session.law(context.element);
}

/// Parts of the colour of their branch, the stronger the larger the force there (strength: 0 .. 1), and the borders.
template <class Strength>
void drawBranches(const LawMap& map, const PlotFrame& frame, const Palette& palette, const Strength& strength,
                  ImDrawList& list) {
    const auto pixel = [&](const LawPoint& p) { return ImVec2(frame.pixelX(p.s), frame.pixelY(p.v)); };
    // Smoothed edges would shine through between neighbours.
    const ImDrawListFlags flags = list.Flags;
    list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
    for (const LawPiece& piece : map.pieces()) {
        if (piece.branch == LawBranch::Free) continue;
        for (int i = 0; i < piece.count; ++i) list.PathLineTo(pixel(piece.corners[static_cast<std::size_t>(i)]));
        list.PathFillConvex(faded(branchColor(piece.branch, palette), 0.12f + 0.5f * strength(piece.middle())));
    }
    list.Flags = flags;
    for (const LawBorder& border : map.borders()) {
        list.AddLine(pixel(border.a), pixel(border.b), faded(palette.text, 0.55f), scaleNow());
    }
}

/// At the edges of a map and at rest.
double largestForce(const Law& law, const PlotFrame& frame, double s_damper) {
    double largest = 0;
    for (const double corner : {frame.x.low, frame.x.high}) {
        for (const double speed : {frame.y.low, 0., frame.y.high})
            largest = std::max(largest, std::abs(evaluate(law, corner, speed, s_damper).f));
    }
    return largest;
}

}  // namespace

ImU32 branchColor(LawBranch branch, const Palette& palette) {
    switch (branch) {
        case LawBranch::Free:
            return palette.faint;
        case LawBranch::Linear:
            return palette.curves[0];
        case LawBranch::DamperAtLimit:
            return palette.curves[1];
        case LawBranch::Slips:
            return palette.curves[3];
        case LawBranch::Released:
            break;
    }
    return palette.curves[2];
}

void LawPanel::draw(const Context& context, Signals& signals) {
    const SceneElement* element = selectedElement(context);
    if (!element || !context.now) {
        ImGui::TextDisabled("Select an element to see its law.");
        return;
    }
    const Law& law = presentLaw(context);
    const Curve& s = signals.curve(context.session, context.element, play::Quantity::S);
    const Curve& v = signals.curve(context.session, context.element, play::Quantity::V);
    drawNow(context, *element, law);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    drawMap(context, *element, law, s, v, room);
}

void LawPanel::drawNow(const Context& context, const SceneElement& element, const Law& law) {
    const Palette& palette = context.palette;
    const ElementSample& now = *context.now;
    const LawBranch branch = branchOf(law, now.s, now.v, now.s_damper);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float line = ImGui::GetTextLineHeight();
    // A lamp for each branch; the one that acts is lit.
    const bool hasBranches = hasBranch(law, LawBranch::Free) || hasBranch(law, LawBranch::Slips);
    if (hasBranches) {
        bool isFirst = true;
        for (int i = 0; i < kLawBranches; ++i) {
            const auto lamp = static_cast<LawBranch>(i);
            if (!hasBranch(law, lamp)) continue;
            const bool isLit = lamp == branch;
            if (!isFirst) ImGui::SameLine(0, line * 0.8f);
            isFirst = false;
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const ImVec2 middle = {at.x + line * 0.4f, at.y + line * 0.5f};
            list.AddCircleFilled(middle, line * 0.3f, faded(branchColor(lamp, palette), isLit ? 1 : 0.25f));
            ImGui::SetCursorScreenPos({at.x + line, at.y});
            ImGui::PushStyleColor(ImGuiCol_Text, isLit ? palette.text : palette.faint);
            const std::string_view name = branchName(lamp);
            ImGui::TextUnformatted(name.data(), name.data() + name.size());
            ImGui::PopStyleColor();
        }
    }
    std::string text(branchFormula(law, branch, element.geometry == Geometry::AboutAxis));
    if (branch == LawBranch::Linear || branch == LawBranch::DamperAtLimit)
        text += " = " + readingOf(play::Quantity::Force, element.geometry, now.force.f);
    ImGui::PushFont(numbersFont());
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopFont();
    tip("f > 0 pulls the two ends together, f < 0 pushes them apart.");
}

// What is shown changes only where it no longer serves, or the map would never rest.
void LawPanel::fitWindow(const LawWindow& wanted, int element) {
    const bool isOther = m_element != element;
    const Interval wantedS = {wanted.sLow, wanted.sHigh};
    if (isOther || wantedS.low < m_s.low || wantedS.high > m_s.high || wantedS.length() < 0.4 * m_s.length()) {
        m_s = {wantedS.low - 0.1 * wantedS.length(), wantedS.high + 0.1 * wantedS.length()};
    }
    if (isOther || wanted.vHigh > m_v || wanted.vHigh < 0.4 * m_v) m_v = 1.15 * wanted.vHigh;
    m_element = element;
}

void LawPanel::drawMap(const Context& context, const SceneElement& element, const Law& law, const Curve& s,
                       const Curve& v, ImVec2 size) {
    const Palette& palette = context.palette;
    const float line = ImGui::GetTextLineHeight();
    const float scale = scaleNow();
    if (size.y < 6 * line || s.empty()) return;
    const std::size_t count = std::min(s.size(), v.size());
    const std::size_t present = std::min(count - 1, s.lowerBound(context.shownTime + 1e-12));
    const std::size_t first = present > kTrail ? present - kTrail : 0;
    const auto sRange = s.extremes(first, present + 1);
    const auto vRange = v.extremes(first, present + 1);
    if (!sRange || !vRange) return;
    const double vSize = std::max(std::abs(v.y(vRange->lowest)), std::abs(v.y(vRange->highest)));
    const LawWindow wanted = lawWindow(law, s.y(sRange->lowest), s.y(sRange->highest), vSize);
    fitWindow(wanted, context.element);

    const ImVec2 low = ImGui::GetCursorScreenPos();
    PlotFrame frame;
    frame.x = m_s;
    frame.y = {-m_v, m_v};
    frame.left = std::round(low.x + 3.6f * line);
    frame.top = std::round(low.y + 0.3f * line);
    frame.width = std::max(1.f, std::round(size.x - 4 * line));
    frame.height = std::max(1.f, std::round(size.y - 2.2f * line));
    ImGui::Dummy(size);
    const std::string sName = play::quantityName(play::Quantity::S, element.geometry);
    const std::string vName = play::quantityName(play::Quantity::V, element.geometry);
    const Ticks sTicks(frame.x, static_cast<int>(frame.width / (4.5f * line)));
    const Ticks vTicks(frame.y, static_cast<int>(frame.height / (1.9f * line)));
    const AxisScale sScale({sName, shownUnit(play::quantityUnit(play::Quantity::S, element.geometry))}, frame.x,
                           sTicks.step());
    const AxisScale vScale({vName, shownUnit(play::quantityUnit(play::Quantity::V, element.geometry))}, frame.y,
                           vTicks.step());
    ImDrawList& list = *ImGui::GetWindowDrawList();
    PlotDrawing drawing(frame, palette, list);
    drawing.axes({}, sScale, vScale, sTicks, vTicks);

    const ElementSample& now = *context.now;
    const double largest = largestForce(law, frame, now.s_damper);
    const auto strength = [&](const LawPoint& p) {
        const double force = std::abs(evaluate(law, p.s, p.v, now.s_damper).f);
        return largest > 0 ? static_cast<float>(std::sqrt(std::min(1., force / largest))) : 0;
    };
    drawBranches(LawMap(law, frame.x, frame.y, now.s_damper), frame, palette, strength, list);
    list.AddLine({frame.left, std::round(frame.pixelY(0))}, {frame.right(), std::round(frame.pixelY(0))}, palette.axis);

    // The trail fades with age.
    drawing.unit(vScale);
    list.PushClipRect({frame.left, frame.top}, {frame.right(), frame.bottom()}, true);
    for (std::size_t i = first + 1; i <= present; ++i) {
        const float age = static_cast<float>(present - i) / static_cast<float>(kTrail);
        list.AddLine({frame.pixelX(s.y(i - 1)), frame.pixelY(v.y(i - 1))}, {frame.pixelX(s.y(i)), frame.pixelY(v.y(i))},
                     faded(palette.text, 0.75f * (1 - age)), 1.5f * scale);
    }
    const ImVec2 point = {frame.pixelX(now.s), frame.pixelY(now.v)};
    list.AddCircleFilled(point, kPointRadius * scale, palette.cursor);
    list.AddCircle(point, kPointRadius * scale, palette.background, 0, 1.5f * scale);
    list.PopClipRect();
}

}  // namespace elasto::panels
