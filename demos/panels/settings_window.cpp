#include "settings_window.h"

#include "widgets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace elasto::panels {

namespace {

constexpr std::array kScales = {0.0, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0};

std::string scaleText(double scale, double screenScale) {
    std::array<char, 48> text;
    if (scale == 0) {
        std::snprintf(text.data(), text.size(), "Screen's (%.0f %%)", 100 * screenScale);
    } else {
        std::snprintf(text.data(), text.size(), "%.0f %%", 100 * scale);
    }
    return text.data();
}

void label(const char* text) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text);
    ImGui::TableNextColumn();
    ImGui::SetNextItemWidth(-1);
}

bool flag(const char* text, bool& value, const char* help) {
    label(text);
    ImGui::PushID(text);
    const bool isChanged = ImGui::Checkbox("##flag", &value);
    tip(help);
    ImGui::PopID();
    return isChanged;
}

/// Theme and size of texts. @return true where one has changed
bool drawLook(Settings& settings, double screenScale) {
    bool isChanged = false;
    label("Theme");
    int theme = settings.theme == Theme::Dark ? 0 : 1;
    isChanged |= ImGui::RadioButton("Dark", &theme, 0);
    ImGui::SameLine();
    isChanged |= ImGui::RadioButton("Light", &theme, 1);
    settings.theme = theme == 0 ? Theme::Dark : Theme::Light;
    label("Size of texts");
    if (ImGui::BeginCombo("##scale", scaleText(settings.scale, screenScale).c_str(), ImGuiComboFlags_HeightLargest)) {
        for (const double scale : kScales) {
            if (ImGui::Selectable(scaleText(scale, screenScale).c_str(), scale == settings.scale)) {
                settings.scale = scale;
                isChanged = true;
            }
        }
        ImGui::EndCombo();
    }
    return isChanged;
}

}  // namespace

bool drawSettings(const Palette& palette, Settings& settings, double screenScale, NumberField& field,
                  Requests& requests) {
    const float line = ImGui::GetTextLineHeight();
    const Dialog dialog("settings", "Settings", {27 * line, 0}, {1.2f, 1},
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_AlwaysAutoResize,
                        palette);
    bool isChanged = false;
    if (ImGui::BeginTable("rows", 2, ImGuiTableFlags_SizingFixedFit)) {
        ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed, 11 * line);
        ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
        isChanged |= drawLook(settings, screenScale);
        isChanged |= flag("Soft shadows", settings.shadows, "Off: faster without a graphics card");
        isChanged |=
            flag("Smooth edges", settings.multisampling, "4 samples per pixel. Off: faster without a graphics card");
        isChanged |= flag("Force arrows", settings.forces, tipOf(Action::ShowForces).c_str());
        isChanged |= flag("Look inside", settings.lookInside, tipOf(Action::LookInside).c_str());
        isChanged |= flag("Labels", settings.labels, tipOf(Action::ShowLabels).c_str());
        label("Length of arrows");
        const NumberShape lengths{.range = {0.01, 100},
                                  .format = "%.4g",
                                  .isLogarithmic = true,
                                  .name = "Length of arrows",
                                  .allowed = {0.01, 100}};
        isChanged |= field.draw("##force", settings.forceScale, lengths, palette);
        tip("Relative to the usual one. Lengths grow with the square root of the force; small forces have a fifth of "
            "the longest arrow.");
        label("Snapshots");
        const NumberShape megabytes{.range = {8, 2048},
                                    .format = "%.0f MB",
                                    .isLogarithmic = true,
                                    .name = "Snapshots",
                                    .allowed = {1, 65536},
                                    .isWhole = true};
        if (field.draw("##snapshots", settings.snapshotMegabytes, megabytes, palette)) {
            settings.snapshotMegabytes = std::round(settings.snapshotMegabytes);  // also while it is dragged
            isChanged |= !ImGui::IsItemActive();
        }
        isChanged |= ImGui::IsItemDeactivatedAfterEdit();
        tip("Memory for going back quickly. It counts from the next demo or restart on.");
        label("History");
        if (field.draw("##history", settings.historyMegabytes, {{16, 4096}, "%.0f MB", true, ""}, palette)) {
            settings.historyMegabytes = std::clamp(std::round(settings.historyMegabytes), 16., 65536.);
            isChanged |= !ImGui::IsItemActive();
        }
        isChanged |= ImGui::IsItemDeactivatedAfterEdit();
        tip("Memory for what is plotted; the oldest goes first, and the timeline says so. It counts from the next demo "
            "on.");
        label("Files go to");
        ImGui::PushTextWrapPos();
        ImGui::TextUnformatted(settings.folder.empty() ? "the working directory" : settings.folder.c_str());
        ImGui::PopTextWrapPos();
        tip(tipOf(Action::SaveAs));
        isChanged |= flag("Demos", settings.panels.demos, "List of demos");
        isChanged |= flag("Parameters", settings.panels.parameters, "Parameters of the selected element");
        isChanged |= flag("Plots", settings.panels.plots, "Signals over time");
        isChanged |= flag("Analysis", settings.panels.analysis, "Oscilloscope, law, loop, comparison");
        isChanged |= flag("Timeline", settings.panels.timeline, "Play, step and rewind");
        isChanged |= flag("Status bar", settings.panels.statusBar, "Figures of the run");
        isChanged |= flag("Caption", settings.panels.caption, "What to look at and what to press, over the view");
        ImGui::EndTable();
    }
    drawRefusal(field.refusal(), palette);
    ImGui::Dummy({0, 0.2f * line});
    if (ImGui::Button("Reset all to defaults")) {
        const Settings before = settings;
        settings = {};
        settings.lastDemo = before.lastDemo;
        settings.hasSeenTour = before.hasSeenTour;
        settings.recentFiles = before.recentFiles;
        isChanged = true;
    }
    ImGui::SameLine();
    requests.tour = ImGui::Button("Show me round");
    requests.areSettingsChanged = requests.areSettingsChanged || isChanged;
    return !dialog.isClosed() && !requests.tour;
}

}  // namespace elasto::panels
