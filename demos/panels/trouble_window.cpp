#include "trouble_window.h"

#include "axis.h"
#include "widgets.h"

#include <algorithm>

namespace elasto::panels {

namespace {

constexpr double kBack = 1;  ///< the rewind that is offered [s]

std::string titleOf(const play::Trouble& trouble, const play::Session& session) {
    const std::vector<play::PlayedElement>& elements = session.elements();
    std::string title = "The run stopped in tick " + std::to_string(trouble.tick + 1);
    const auto element = static_cast<std::size_t>(trouble.element);
    if (trouble.element >= 0 && element < elements.size()) {
        title += std::string(": ") + elementTypeName(elements[element].type) + " '" + elements[element].name + "'";
    } else if (trouble.body >= 0 && static_cast<std::size_t>(trouble.body) < session.bodies()) {
        title += ": body '" + session.bodyName(trouble.body) + "'";
    }
    return title;
}

}  // namespace

void TroubleWindow::draw(const Context& context, ImVec2 middle) {
    const play::Session& session = context.session;
    if (!isOpen(session)) return;
    const Palette& palette = context.palette;
    const std::optional<play::Trouble>& trouble = session.trouble();
    const ImU32 color = trouble ? palette.bad : palette.warning;
    const float line = ImGui::GetTextLineHeight();
    ImGui::SetNextWindowPos(middle, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({30 * line, 0});
    ImGui::PushStyleColor(ImGuiCol_Border, color);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 6 * scaleNow());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {1.2f * line, line});
    ImGui::Begin("trouble", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_AlwaysAutoResize);
    receiveKeyboard();
    const float side = 1.6f * line;
    drawIcon(*ImGui::GetWindowDrawList(), Icon::Warning, ImGui::GetCursorScreenPos(), side, color);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + side + 0.5f * line);
    ImGui::BeginGroup();
    const std::vector<play::PlayedElement>& elements = session.elements();
    if (trouble) {
        heading(titleOf(*trouble, session), palette);
        ImGui::TextWrapped("%s", trouble->message.c_str());
    } else {
        heading("The edit was refused; nothing has changed", palette);
        ImGui::TextWrapped("%s", m_refusal.c_str());
    }
    ImGui::Dummy({0, 0.3f * line});
    if (trouble) {
        const double now = session.time();
        if (ImGui::Button(("Back by " + withUnit(std::min(kBack, std::max(now, 0.)), "s")).c_str())) {
            context.requests.time = std::max(0., now - kBack);
            close();
        }
        ImGui::SameLine();
        if (ImGui::Button("Back to the start")) {
            context.requests.time = 0;
            close();
        }
        const bool hasElement = trouble->element >= 0 && static_cast<std::size_t>(trouble->element) < elements.size();
        if (hasElement) {
            ImGui::SameLine();
            if (ImGui::Button("Show its parameters")) context.element = trouble->element;
        }
        ImGui::TextDisabled("Going back clears this. Change something there, or the same happens again.");
    } else if (ImGui::Button("Close")) {
        close();
    }
    ImGui::EndGroup();
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
}

}  // namespace elasto::panels
