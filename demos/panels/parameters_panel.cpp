#include "parameters_panel.h"

#include "axis.h"
#include "refusal.h"
#include "widgets.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace elasto::panels {

namespace {

/// Decades that a logarithmic slider reaches to either side of the parameter's own size.
constexpr double kDecades = 3;
constexpr double kMostIterations = 200, kMostAllowedIterations = 1e6;

/// Where dragging a parameter leads.
Interval sliderRange(const play::Parameter& parameter) {
    if (parameter.isLogarithmic) {
        const double factor = std::pow(10., kDecades);
        return {parameter.lowest >= 0 && parameter.isLowestAllowed ? 0 : parameter.scale / factor,
                parameter.scale * factor};
    }
    if (std::isfinite(parameter.lowest))
        return {parameter.lowest, parameter.lowest + 2 * std::max(parameter.scale, 1.)};
    return {-3 * parameter.scale, 3 * parameter.scale};
}

NumberShape shapeOf(const play::Parameter& parameter) {
    return {.range = sliderRange(parameter),
            .format = "%.6g",
            .isLogarithmic = parameter.isLogarithmic,
            .unit = shownUnit(parameter.unit),
            .name = parameter.symbol};
}

/// A row of a table of three columns: name and unit, widget, reset.
void beginRow(const char* name, const std::string& unit, const Palette& palette) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name);
    if (!unit.empty()) {
        ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
        ImGui::PushStyleColor(ImGuiCol_Text, palette.faint);
        ImGui::TextUnformatted(unit.c_str());
        ImGui::PopStyleColor();
    }
}

/// Width that name and unit of a row want [pixels].
float rowWidth(const std::string& name, const std::string& unit) {
    const float gap = unit.empty() ? 0 : ImGui::GetStyle().ItemInnerSpacing.x;
    return ImGui::CalcTextSize(name.c_str()).x + gap + ImGui::CalcTextSize(unit.c_str()).x;
}

/// @param widest that a name wants; no column takes more than three fifths
bool beginRows(const char* id, float widest = 0) {
    constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoPadOuterX;
    if (!ImGui::BeginTable(id, 3, kFlags)) return false;
    const float line = ImGui::GetTextLineHeight();
    const float most = 0.6f * ImGui::GetContentRegionAvail().x;
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed,
                            std::clamp(widest, std::min(most, line * 6.6f), most));
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("reset", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFrameHeight());
    return true;
}

std::string rangeText(const play::Parameter& parameter) {
    const std::string unit = parameter.unit.empty() ? "" : " " + shownUnit(parameter.unit);
    if (!std::isfinite(parameter.lowest)) return "any finite value";
    const std::string sign = parameter.isLowestAllowed ? ">= " : "> ";
    return sign + withUnit(parameter.lowest, "") + unit;
}

}  // namespace

bool ParametersPanel::field(const char* id, double& value, const NumberShape& shape, const Palette& palette) {
    const bool isNew = m_field.draw(id, value, shape, palette);
    if (m_field.takeOpened()) m_message.clear();
    if (std::string refusal = m_field.takeRefusal(); !refusal.empty()) m_message = std::move(refusal);
    return isNew;
}

void ParametersPanel::draw(const Context& context) {
    drawHeader(context);
    beginPart("parameters");
    drawElement(context);
    // Below what one edits, which must not move away under the mouse.
    drawRefusal(m_message, context.palette);
    if (m_message != std::exchange(m_shownMessage, m_message) && !m_message.empty() && !ImGui::IsItemVisible()) {
        ImGui::SetScrollHereY(1);
    }
    drawBody(context);
    drawMotors(context);
    drawRun(context);
    ImGui::EndChild();
}

void ParametersPanel::drawHeader(const Context& context) {
    const Palette& palette = context.palette;
    const float side = ImGui::GetFrameHeight();
    ImGui::AlignTextToFramePadding();
    heading("Parameters", palette);
    ImGui::SameLine(ImGui::GetContentRegionMax().x - 2 * side);
    ImGui::BeginDisabled(!context.canUndo);
    if (iconButton("undo", Icon::Undo, tipOf(Action::Undo).c_str(), side, palette)) {
        context.requests.actions.push_back(Action::Undo);
    }
    ImGui::EndDisabled();
    ImGui::SameLine(0, 0);
    ImGui::BeginDisabled(!context.canRedo);
    if (iconButton("redo", Icon::Redo, tipOf(Action::Redo).c_str(), side, palette)) {
        context.requests.actions.push_back(Action::Redo);
    }
    ImGui::EndDisabled();
}

void ParametersPanel::drawElement(const Context& context) {
    const std::vector<play::PlayedElement>& elements = context.session.elements();
    const play::PlayedElement* element = selectedElement(context);
    const std::string label =
        element ? element->name + "  (" + elementTypeName(element->type) + ")" : "Select an element\u2026";
    if (elements.empty()) {
        ImGui::TextDisabled("This scene has no force elements.");
        return;
    }
    // The type only where there is room for it.
    const float room =
        ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().FramePadding.x;
    const bool isShort = element && ImGui::CalcTextSize(label.c_str()).x > room;
    ImGui::SetNextItemWidth(-1);
    if (ImGui::BeginCombo("##element", isShort ? element->name.c_str() : label.c_str(), ImGuiComboFlags_HeightLarge)) {
        for (std::size_t i = 0; i < elements.size(); ++i) {
            const bool isSelected = static_cast<int>(i) == context.element;
            ImGui::PushID(static_cast<int>(i));
            const std::string text = elements[i].name + "  (" + elementTypeName(elements[i].type) + ")";
            if (ImGui::Selectable(text.c_str(), isSelected)) context.element = static_cast<int>(i);
            if (isSelected) ImGui::SetItemDefaultFocus();
            ImGui::PopID();
        }
        ImGui::EndCombo();
    }
    tip("The element that all panels show. A click on it in the view selects it too.");
    if (m_element != context.element) {
        m_element = context.element;
        m_message.clear();
        m_field.reset();
        m_held.clear();
    }
    element = selectedElement(context);
    if (!element) return;
    bool isEnabled = context.session.isEnabled(context.element);
    if (ImGui::Checkbox("Enabled", &isEnabled)) {
        m_message = refusalOf([&] { context.session.setEnabled(context.element, isEnabled); });
    }
    tip("An element that is switched off exerts no force.");
    if (static_cast<std::size_t>(context.element) < context.session.scene().elements.size()) {
        drawExports(context);
    } else {
        ImGui::PushStyleColor(ImGuiCol_Text, context.palette.faint);
        ImGui::TextWrapped(
            "It stands in the robot's file, which is not written: what is changed here holds for this run and its "
            "recording. \"JSON\" copies its numbers.");
        ImGui::PopStyleColor();
        if (ImGui::Button("JSON")) context.requests.actions.push_back(Action::CopyJson);
        tip("Copy the parameters as they are now, for the robot's file");
    }
    ImGui::PushID(context.element);
    const std::vector<play::Parameter> parameters = play::parametersOf(*element);
    float widest = 0;
    for (const play::Parameter& parameter : parameters) {
        widest = std::max(widest, rowWidth(parameter.symbol, shownUnit(parameter.unit)));
    }
    if (beginRows("parameters", widest)) {
        for (const play::Parameter& parameter : parameters) drawParameter(context, parameter);
        ImGui::EndTable();
    }
    ImGui::PopID();
    if (context.now) drawReadouts(context, *element);
    ImGui::Dummy({0, ImGui::GetStyle().ItemSpacing.y});
}

void ParametersPanel::drawExports(const Context& context) {
    constexpr struct {
        const char* text;
        Action action;
    } kButtons[] = {{"C++", Action::CopyCode},
                    {"JSON", Action::CopyJson},
                    {"Save", Action::SaveScene},
                    {"Remove", Action::RemoveElement}};
    for (const auto& [text, action] : kButtons) {
        if (ImGui::Button(text)) context.requests.actions.push_back(action);
        tip(tipOf(action));
        ImGui::SameLine();
    }
    ImGui::NewLine();
}

void ParametersPanel::drawParameter(const Context& context, const play::Parameter& parameter) {
    const Palette& palette = context.palette;
    play::Session& session = context.session;
    const int element = context.element;
    ImGui::PushID(parameter.symbol.c_str());
    beginRow(parameter.symbol == "characteristic" ? "law" : parameter.symbol.c_str(), shownUnit(parameter.unit),
             palette);
    if (ImGui::IsItemHovered()) tip(parameter.text);
    ImGui::TableNextColumn();
    const double value = session.parameter(element, parameter.symbol);
    const double start = session.startParameter(element, parameter.symbol);
    if (!parameter.choices.empty()) {
        const auto index = std::min(static_cast<std::size_t>(std::max(value, 0.)), parameter.choices.size() - 1);
        ImGui::SetNextItemWidth(-1);
        if (ImGui::BeginCombo("##choice", parameter.choices[index].c_str())) {
            for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
                if (ImGui::Selectable(parameter.choices[i].c_str(), i == index) && i != index) {
                    m_message =
                        refusalOf([&] { session.setParameter(element, parameter.symbol, static_cast<double>(i)); });
                }
            }
            ImGui::EndCombo();
        }
        tip(parameter.text);
    } else {
        double wanted = value;
        const bool isTaken = field("##value", wanted, shapeOf(parameter), palette);
        const bool isHeld = m_held == parameter.symbol && ImGui::IsItemActive();
        if (isTaken) {
            m_message = refusalOf([&] { session.setParameter(element, parameter.symbol, wanted, isHeld); });
            if (m_message.empty()) m_held = parameter.symbol;
        }
        if (!ImGui::IsItemActive() && m_held == parameter.symbol) m_held.clear();
        if (!ImGui::IsItemActive()) {
            tip(parameter.symbol + ": " + parameter.text + "\nAllowed: " + rangeText(parameter) +
                "\nDrag, finer with Shift, or click to type" +
                (parameter.unit.empty() ? "." : ", with a unit or in " + shownUnit(parameter.unit) + "."));
        }
    }
    ImGui::TableNextColumn();
    if (value != start &&
        iconButton("reset", Icon::Reset, ("Back to " + withUnit(start, shownUnit(parameter.unit))).c_str(),
                   ImGui::GetFrameHeight(), palette)) {
        m_message = refusalOf([&] { session.resetParameter(element, parameter.symbol); });
    }
    ImGui::PopID();
}

void ParametersPanel::drawReadouts(const Context& context, const SceneElement& element) {
    const Palette& palette = context.palette;
    const ElementSample& sample = *context.now;
    constexpr play::Quantity kShown[] = {play::Quantity::S, play::Quantity::V, play::Quantity::Force,
                                         play::Quantity::LossPower, play::Quantity::Heat};
    constexpr ImGuiTableFlags kFlags =
        ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_NoPadOuterX | ImGuiTableFlags_BordersInnerH;
    if (!ImGui::BeginTable("readouts", 2, kFlags)) return;
    const auto row = [&](const char* name, const std::string& value) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::PushStyleColor(ImGuiCol_Text, palette.faint);
        ImGui::TextUnformatted(name);
        ImGui::PopStyleColor();
        ImGui::TableNextColumn();
        numberRight(value, palette.text);
    };
    const auto reading = [&](play::Quantity quantity) {
        return readingOf(quantity, element.geometry, play::valueOf(sample, quantity));
    };
    for (const play::Quantity quantity : kShown) row(play::quantityName(quantity, element.geometry), reading(quantity));
    if (const char* state = infoOf(element.type).innerState) row(state, reading(play::Quantity::DamperLength));
    const std::vector<HeatPortSample>& ports = context.session.sample().heatPorts;
    const bool isOfScene = static_cast<std::size_t>(context.element) < context.session.scene().elements.size();
    if (isOfScene && element.heatPort >= 0) {
        const auto port = static_cast<std::size_t>(element.heatPort);
        row("TheatPort", withUnit(ports[port].temperature, "K"));
        row((context.session.scene().heatPorts[port].name + " power").c_str(),
            withUnit(ports[port].power, "W", kNoise));
    }
    ImGui::EndTable();
}

/// The body that was clicked in the view.
void ParametersPanel::drawBody(const Context& context) {
    if (context.body < 0) return;
    const Palette& palette = context.palette;
    const auto index = static_cast<std::size_t>(context.body);
    const play::Session& session = context.session;
    heading("Body " + session.bodyName(context.body), palette);
    if (session.isParked(index)) {
        ImGui::TextDisabled("It is not thrown yet.");
        return;
    }
    const BodyState& state = context.bodyNow != nullptr ? *context.bodyNow : session.sample().bodies[index];
    constexpr ImGuiTableFlags kFlags =
        ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_NoPadOuterX | ImGuiTableFlags_BordersInnerH;
    if (!ImGui::BeginTable("body", 2, kFlags)) return;
    const auto row = [&](const char* name, const std::string& value) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::PushStyleColor(ImGuiCol_Text, palette.faint);
        ImGui::TextUnformatted(name);
        ImGui::PopStyleColor();
        ImGui::TableNextColumn();
        numberRight(value, palette.text);
    };
    if (index < session.world().bodies()) {
        const double inverse = static_cast<double>(session.world().body(index).getInvMass());
        row("mass", inverse > 0 ? withUnit(1 / inverse, "kg") : "cannot move");
    }
    const char* const axes[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k) row(axes[k], withUnit(state.position[k], "m", kNoise));
    row("speed", withUnit(state.velocity.norm(), "m/s", kNoise));
    row("turns at", withUnit(state.angularVelocity.norm(), "rad/s", kNoise));
    ImGui::EndTable();
    if (index < session.scene().bodies.size() && session.isMovedByForces(context.body)) {
        if (ImGui::SmallButton("Add a stop")) context.requests.actions.push_back(Action::AddStop);
        tip(tipOf(Action::AddStop));
    }
    ImGui::Dummy({0, ImGui::GetStyle().ItemSpacing.y});
}

void ParametersPanel::drawMotors(const Context& context) {
    play::Session& session = context.session;
    const std::vector<SceneJoint>& joints = session.scene().joints;
    if (std::none_of(joints.begin(), joints.end(), [](const SceneJoint& joint) { return joint.motor.has_value(); }))
        return;
    heading("Motors", context.palette);
    float widest = 0;
    for (const SceneJoint& joint : joints) {
        if (joint.motor) widest = std::max(widest, rowWidth(joint.name, "rad/s"));
    }
    if (!beginRows("motors", widest)) return;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        if (!joints[i].motor) continue;
        const SceneMotor& start = *joints[i].motor;
        const auto [velocity, maxForce] = session.motor(static_cast<int>(i));
        const bool isHinge = joints[i].type == SceneJoint::Type::Hinge;
        ImGui::PushID(static_cast<int>(i));
        beginRow(joints[i].name.c_str(), isHinge ? "rad/s" : "m/s", context.palette);
        ImGui::TableNextColumn();
        const double most = std::max(3 * std::abs(start.velocity), 1.);
        double wanted = velocity;
        const NumberShape shape{
            .range = {-most, most}, .format = "%.4g", .unit = isHinge ? "rad/s" : "m/s", .name = joints[i].name};
        if (field("##velocity", wanted, shape, context.palette)) {
            m_message = refusalOf([&, most = maxForce] { session.setMotor(static_cast<int>(i), wanted, most); });
        }
        tip("Speed that the motor holds with at most " + withUnit(maxForce, isHinge ? "N\u00b7m" : "N") + ".");
        ImGui::TableNextColumn();
        if (velocity != start.velocity &&
            iconButton("reset", Icon::Reset, "Back to the scene's speed", ImGui::GetFrameHeight(), context.palette)) {
            m_message = refusalOf([&] { session.setMotor(static_cast<int>(i), start.velocity, start.maxForce); });
        }
        ImGui::PopID();
    }
    ImGui::EndTable();
}

void ParametersPanel::drawGravity(play::Session& session, const Palette& palette) {
    ImGui::PushID("gravity");
    beginRow("Gravity", "m/s\u00b2", palette);
    ImGui::TableNextColumn();
    const Eigen::Vector3d gravity = session.controls().gravity;
    const Eigen::Vector3d startGravity = session.scene().gravity;
    const Eigen::Vector3d down =
        startGravity.norm() > 0 ? Eigen::Vector3d(startGravity.normalized()) : -Eigen::Vector3d::UnitY();
    const double size = gravity.dot(down) + 0.;  // never -0
    double wantedSize = size;
    const NumberShape shape{.range = {0, 30}, .format = "%.4g", .unit = "m/s\u00b2", .name = "Gravity"};
    if (field("##gravity", wantedSize, shape, palette)) {
        m_message = refusalOf([&] { session.setGravity(wantedSize * down); });
    }
    ImGui::TableNextColumn();
    if (gravity != startGravity &&
        iconButton("reset", Icon::Reset, "Back to the scene's gravity", ImGui::GetFrameHeight(), palette)) {
        m_message = refusalOf([&] { session.setGravity(startGravity); });
    }
    ImGui::PopID();
}

void ParametersPanel::drawRun(const Context& context) {
    play::Session& session = context.session;
    const Palette& palette = context.palette;
    heading("Run", palette);
    if (!beginRows("run")) return;
    ImGui::PushID("rate");
    beginRow("Tick rate", "Hz", palette);
    ImGui::TableNextColumn();
    if (m_rate == 0) m_rate = session.rate();
    const bool isTyped = field("##rate", m_rate, rateShape("%.6g"), palette) && !ImGui::IsItemActive();
    if (!isTyped) m_rate = std::round(m_rate);  // nobody drags to half a tick
    if ((isTyped || ImGui::IsItemDeactivatedAfterEdit()) && m_rate != session.rate()) context.requests.rate = m_rate;
    if (!ImGui::IsItemActive()) {
        m_rate = 0;
        tip("Ticks per second. Another rate starts the run again.");
    }
    ImGui::TableNextColumn();
    if (session.rate() != session.scene().rate &&
        iconButton("reset", Icon::Reset, "Back to the scene's rate", ImGui::GetFrameHeight(), palette)) {
        context.requests.rate = session.scene().rate;
    }
    ImGui::PopID();

    ImGui::PushID("iterations");
    beginRow("Iterations", "", palette);
    ImGui::TableNextColumn();
    const int present = session.controls().iterations;
    double wanted = present;
    const NumberShape shape{.range = {1, kMostIterations},
                            .format = "%.0f",
                            .isLogarithmic = true,
                            .name = "Iterations",
                            .allowed = {1, kMostAllowedIterations},
                            .isWhole = true};
    if (field("##iterations", wanted, shape, palette)) {
        m_message = refusalOf([&] { session.setIterations(static_cast<int>(std::round(wanted))); });
    }
    tip("Bullet's solver iterations per tick. Forces of the elements do not depend on them.");
    ImGui::TableNextColumn();
    const int start = session.scene().solverIterations;
    if (present != start && iconButton("reset", Icon::Reset, ("Back to " + std::to_string(start)).c_str(),
                                       ImGui::GetFrameHeight(), palette)) {
        m_message = refusalOf([&] { session.setIterations(start); });
    }
    ImGui::PopID();
    drawGravity(session, palette);
    ImGui::EndTable();
}

}  // namespace elasto::panels
