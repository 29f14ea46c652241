#include "gallery/state_report.h"

#include "gallery/gallery.h"

#include <elasto/scene/output_file.h>

#include <fmt/format.h>
#include <imgui.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace elasto::gallery {

namespace {

using Json = nlohmann::ordered_json;

/// An input, with what scripts want to know of it.
Json described(const play::Input& input, const play::Session& session) {
    Json json = {{"tick", input.tick}, {"action", play::actionName(input.action)}};
    if (const auto* drag = std::get_if<play::DragBegin>(&input.action)) {
        json["body"] = session.bodyName(drag->body);
    }
    if (const auto* edit = std::get_if<play::ParameterEdit>(&input.action)) {
        json["element"] = session.elements()[static_cast<std::size_t>(edit->element)].name;
        json["parameter"] = edit->parameter;
        json["value"] = edit->value;
    }
    return json;
}

}  // namespace

void writeState(const Gallery& gallery, long frames, const std::filesystem::path& file) {
    const Stage& stage = gallery.stage();
    const play::Session& session = stage.session();
    Json state;
    state["frames"] = frames;
    state["isTextWanted"] = ImGui::GetIO().WantTextInput;
    state["demo"] = stage.demo().name;
    state["isPlaying"] = stage.isPlaying();
    state["speed"] = stage.speed();
    state["rate"] = session.rate();
    state["tick"] = session.tick();
    state["lastTick"] = session.lastTick();
    state["shownTime"] = stage.shownTime();
    state["bitsAreThoseOfTheFirstPass"] = session.bitsAreThoseOfTheFirstPass();
    if (const auto& check = session.recordingCheck()) {
        state["recording"] = {{"ticks", check->ticks},
                              {"checked", check->checked},
                              {"difference", check->difference ? check->difference->text() : ""}};
    }
    const panels::FirstTour& tour = gallery.workspace().tour();
    if (tour.isOpen()) state["tour"] = tour.card();
    if (gallery.workspace().files().isOpen()) state["file"] = gallery.workspace().files().text();
    state["title"] = gallery.title();
    state["isKeyboardInPanels"] = (ImGui::GetIO().ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) != 0;
    state["prompt"] = gallery.placer().prompt();
    state["ghosts"] = session.ghosts().size();
    state["trouble"] = session.trouble() ? session.trouble()->message : "";
    state["selected"] =
        stage.selected() >= 0 ? session.elements()[static_cast<std::size_t>(stage.selected())].name : "";
    const int hovered = gallery.mouse().hoveredBody();
    state["hovered"] = hovered >= 0 ? session.bodyName(hovered) : "";
    // Of the world as it is now, whatever the session believes.
    state["mark"] = fmt::format("{:016x}", play::markOf(session.world()).state);
    state["inputs"] = Json::array();
    for (const play::Input& input : session.inputs()) state["inputs"].push_back(described(input, session));
    for (std::size_t i = 0; i < session.elements().size(); ++i) {
        const play::PlayedElement& element = session.elements()[i];
        for (const play::Parameter& parameter : play::parametersOf(element)) {
            state["parameters"][element.name][parameter.symbol] =
                session.parameter(static_cast<int>(i), parameter.symbol);
        }
    }
    for (std::size_t i = 0; i < session.joints().size(); ++i) {
        const play::JointSample joint = session.joint(static_cast<int>(i));
        state["joints"][session.joints()[i].name] = {
            {"q", joint.q}, {"target", std::isfinite(joint.target) ? Json(joint.target) : Json()}};
    }
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < session.bodies(); ++i) {
        if (!session.isBall(i)) shown.push_back(i);
    }
    for (const std::size_t i : shown) {
        const Eigen::Vector3d& at = session.sample().bodies[i].position;
        state["bodies"][session.bodyName(static_cast<int>(i))] = {at.x(), at.y(), at.z()};
    }
    const view::Camera& camera = stage.camera();
    const FreeArea area = gallery.viewArea();
    for (const std::size_t i : shown) {
        const auto pixel = camera.project(session.sample().bodies[i].position.cast<float>(),
                                          static_cast<int>(area.width()), static_cast<int>(area.height()));
        if (pixel)
            state["pixels"][session.bodyName(static_cast<int>(i))] = {pixel->x() + area.left, pixel->y() + area.top};
    }
    writeFile(file, state.dump(2) + "\n");
}

}  // namespace elasto::gallery
