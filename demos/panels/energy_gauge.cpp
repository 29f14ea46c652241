#include "energy_gauge.h"

#include "axis.h"
#include "widgets.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace elasto::panels {

double largestRise(const Curve& curve) {
    double rise = 0;
    double lowest = 0;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const double value = curve.y(i);
        if (i == 0 || value < lowest) lowest = value;
        rise = std::max(rise, value - lowest);
    }
    return rise;
}

EnergyVerdict judge(const EnergyCurves& energy) {
    EnergyVerdict verdict;
    verdict.rise = largestRise(energy.gauge);
    verdict.own = largestRise(energy.own);
    if (!energy.size.empty()) verdict.size = energy.size.y(energy.size.size() - 1);
    return verdict;
}

void drawEnergyVerdict(const Context& context, const EnergyCurves& energy) {
    if (energy.gauge.empty()) return;
    const Palette& palette = context.palette;
    const EnergyVerdict verdict = judge(energy);
    const std::string rise = withUnit(verdict.rise, "J");
    std::string text = verdict.isRounding()  ? "never rose"
                       : verdict.isBullets() ? "Bullet gave " + rise
                                             : "rose by " + rise;
    float width = ImGui::CalcTextSize(text.c_str()).x;
    if (width > ImGui::GetContentRegionMax().x - ImGui::GetCursorPosX()) {
        text = verdict.isRounding() || verdict.isBullets() ? "" : "rose";
        width = ImGui::CalcTextSize(text.c_str()).x;
    }
    ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), ImGui::GetContentRegionMax().x - width));
    ImGui::PushStyleColor(ImGuiCol_Text, verdict.isRounding()  ? palette.good
                                         : verdict.isBullets() ? palette.faint
                                                               : palette.warning);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
    tip("Energy of the elements and their bodies, less what was put into them. Largest rise so far: " + rise + ", of " +
        withUnit(verdict.size, "J") + " in all." +
        (verdict.isBullets() ? " It came from joints and contacts that Bullet solved, not from the elements." : ""));
}

void drawEnergyGauge(const Context& context) {
    const play::History& history = context.session.history();
    if (context.session.elements().empty() || !history.has(context.session.tick())) return;
    const Palette& palette = context.palette;
    const EnergyBook book = history.energy(context.session.tick());
    struct Part {
        const char* name;
        double value;
        ImU32 color;
        const char* text;
    };
    const double lost = std::max(0., book.damping) + std::max(0., book.contacts) + std::max(0., book.exchanged);
    const std::array<Part, 4> parts = {
        Part{"moving", std::max(0., book.kinetic), palette.curves[0], "Kinetic energy of the elements' bodies"},
        Part{"stored", std::max(0., book.stored), palette.curves[1], "Energy in the springs"},
        Part{"heat", std::max(0., book.dissipated), palette.curves[3], "Turned to heat by the elements' dampers"},
        Part{"lost", lost, palette.curves[7], "Taken by friction, impacts, joints and Bullet's damping"}};
    double whole = 0;
    for (const Part& part : parts) whole += part.value;
    const float scale = scaleNow();
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = 8 * scale;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(low, {low.x + width, low.y + height}, palette.field, 3 * scale);
    float x = low.x;
    for (const Part& part : parts) {
        if (!(whole > 0) || !std::isfinite(whole)) break;
        const float end = x + static_cast<float>(part.value / whole) * width;
        if (end > x) list.AddRectFilled({x, low.y}, {end, low.y + height}, part.color);
        x = end;
    }
    ImGui::Dummy({width, height});
    // The parts in fixed columns, so that nothing moves while they change.
    const float column = width / 4;
    ImFont* numbers = numbersFont();
    const float line = ImGui::GetTextLineHeight();
    const ImVec2 texts = ImGui::GetCursorScreenPos();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const ImVec2 at = {texts.x + static_cast<float>(i) * column, texts.y};
        ImGui::SetCursorScreenPos(at);
        ImGui::PushID(static_cast<int>(i));
        ImGui::InvisibleButton("part", {column, 2.1f * line});
        tip(parts[i].text);
        ImGui::PopID();
        list.AddRectFilled({at.x, at.y + 0.3f * line}, {at.x + 0.5f * line, at.y + 0.8f * line}, parts[i].color);
        list.AddText({at.x + 0.75f * line, at.y}, palette.faint, parts[i].name);
        const std::string value = withUnit(parts[i].value, "J", 1e-9 * std::max(whole, 1e-12));
        list.AddText(numbers, numbers->FontSize, {at.x, at.y + 1.05f * line}, palette.text, value.c_str());
    }
}

}  // namespace elasto::panels
