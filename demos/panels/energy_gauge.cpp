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

bool isDriven(const Scene& scene) {
    return std::any_of(scene.joints.begin(), scene.joints.end(),
                       [](const SceneJoint& joint) { return joint.motor.has_value(); });
}

EnergyVerdict judge(const Curve& gauge, const EnergyBook& book) {
    EnergyVerdict verdict;
    verdict.rise = largestRise(gauge);
    for (const double part : {book.kinetic, book.stored, book.dissipated, book.work, book.pushed}) {
        verdict.size = std::max(verdict.size, std::abs(part));
    }
    if (!gauge.empty()) {
        const auto extent = gauge.extent({gauge.x(0), gauge.x(gauge.size() - 1)});
        if (extent) verdict.size = std::max({verdict.size, std::abs(extent->low), std::abs(extent->high)});
    }
    return verdict;
}

void drawEnergyVerdict(const Context& context, const Curve& gauge) {
    const play::History& history = context.session.history();
    if (gauge.empty() || !history.has(context.session.tick())) return;
    const Palette& palette = context.palette;
    const EnergyVerdict verdict = judge(gauge, history.energy(context.session.tick()));
    const bool driven = isDriven(context.session.scene());
    std::string text = verdict.isRounding() ? "never rose" : "rose by " + withUnit(verdict.rise, "J");
    float width = ImGui::CalcTextSize(text.c_str()).x;
    if (!verdict.isRounding() && width > ImGui::GetContentRegionMax().x - ImGui::GetCursorPosX()) {
        text = "rose";
        width = ImGui::CalcTextSize(text.c_str()).x;
    }
    ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), ImGui::GetContentRegionMax().x - width));
    ImGui::PushStyleColor(ImGuiCol_Text, verdict.isRounding() ? palette.good
                                         : driven             ? palette.faint
                                                              : palette.warning);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
    tip("Energy of the elements and their bodies, less what was put into them. Largest rise so far: " +
        withUnit(verdict.rise, "J") + ", of " + withUnit(verdict.size, "J") + " in all." +
        (driven ? " The work of motors is not booked, so that it may rise here." : ""));
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
