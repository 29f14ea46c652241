#include "comparison_panel.h"

#include "widgets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace elasto::panels {

namespace {

constexpr double kLeastDecade = -6;
constexpr double kGoodError = 0.01, kPoorError = 0.1;

}  // namespace

float errorShare(double error) {
    if (!std::isfinite(error)) return 1;
    if (!(error > 0)) return 0;
    return static_cast<float>(std::clamp((std::log10(error) - kLeastDecade) / -kLeastDecade, 0., 1.));
}

std::string errorText(double error) {
    if (!std::isfinite(error)) return "blew up";
    std::array<char, 32> text;
    const double percent = 100 * error;
    if (percent > 1000) return "> 1000 %";
    if (percent == 0) return "0 %";
    std::snprintf(text.data(), text.size(),
                  percent < 0.01   ? "%.0e %%"
                  : percent < 99.5 ? "%.2g %%"
                                   : "%.0f %%",
                  percent);
    return text.data();
}

namespace {

void drawRow(const ComparisonRow& row, const Palette& palette) {
    const float line = ImGui::GetTextLineHeight();
    const ImVec2 low = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float height = ImGui::GetFrameHeight();
    const float dot = 0.3f * line;
    const bool isShown = !row.isShown || *row.isShown;
    if (ImGui::InvisibleButton("show", {ImGui::GetContentRegionAvail().x, height}) && row.isShown) {
        *row.isShown = !*row.isShown;
    }
    showFocus();
    tip(row.text + (row.isShown ? "\nClick to show or hide it." : ""));
    list.AddCircleFilled({low.x + 0.5f * line, low.y + height / 2}, dot, faded(row.color, isShown ? 1 : 0.25f));
    list.AddText({low.x + 1.2f * line, low.y + (height - line) / 2}, isShown ? palette.text : palette.faint,
                 row.name.c_str());
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    const bool hasError = row.error.has_value();
    const double error = row.error.value_or(0);
    const ImU32 color = !hasError                                     ? palette.faint
                        : std::isfinite(error) && error <= kGoodError ? palette.good
                        : std::isfinite(error) && error <= kPoorError ? palette.warning
                                                                      : palette.bad;
    numberRight(hasError ? errorText(error) : "-", color);
    ImGui::TableNextColumn();
    const ImVec2 bar = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float top = bar.y + height / 2 - 0.2f * line, bottom = bar.y + height / 2 + 0.2f * line;
    list.AddRectFilled({bar.x, top}, {bar.x + width, bottom}, palette.field, 2);
    if (hasError) list.AddRectFilled({bar.x, top}, {bar.x + width * errorShare(error), bottom}, color, 2);
    ImGui::Dummy({width, height});
    tip("Logarithmic, from 0.0001 % to 100 %.");
}

}  // namespace

void ComparisonPanel::draw(const Context& context, std::span<const ComparisonRow> rows,
                           const std::string& explanation) {
    const Palette& palette = context.palette;
    const float line = ImGui::GetTextLineHeight();
    if (m_rate == 0) m_rate = context.session.rate();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Tick rate");
    ImGui::SameLine();
    const bool isNew = m_field.draw("##rate", m_rate, rateShape("%.6g Hz"), context.palette);
    const bool isTyped = isNew && !ImGui::IsItemActive();
    if (!isTyped) m_rate = std::round(m_rate);  // nobody drags to half a tick
    if ((isTyped || ImGui::IsItemDeactivatedAfterEdit()) && m_rate != context.session.rate()) {
        context.requests.rate = m_rate;
    }
    if (!ImGui::IsItemActive()) {
        m_rate = 0;
        tip("All of them start again at this rate. Drag, or click to type.");
    }
    drawRefusal(m_field.refusal(), palette);
    if (rows.empty()) {
        ImGui::TextDisabled("This demo has no baselines.");
        return;
    }
    constexpr ImGuiTableFlags kFlags =
        ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoPadOuterX | ImGuiTableFlags_RowBg;
    if (!ImGui::BeginTable("baselines", 3, kFlags)) return;
    ImGui::TableSetupColumn("Method", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("Error", ImGuiTableColumnFlags_WidthFixed, 5.2f * line);
    const float bar = std::clamp(ImGui::GetContentRegionAvail().x - 19 * line, 3 * line, 7 * line);
    ImGui::TableSetupColumn("##bar", ImGuiTableColumnFlags_WidthFixed, bar);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ComparisonRow& row = rows[i];
        ImGui::PushID(static_cast<int>(i));
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        drawRow(row, palette);
        ImGui::PopID();
    }
    ImGui::EndTable();
    if (!explanation.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, palette.faint);
        ImGui::TextWrapped("%s", explanation.c_str());
        ImGui::PopStyleColor();
    }
}

}  // namespace elasto::panels
