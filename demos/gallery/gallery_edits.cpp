// Of the gallery: what changes the scene itself, or takes something of it along.

#include "gallery/gallery.h"

#include <elasto/scene/element_code.h>
#include <elasto/scene/load_scene.h>
#include <elasto/scene/output_file.h>

#include <fmt/format.h>

#include <utility>

namespace elasto::gallery {

using Kind = panels::Notices::Kind;

bool Gallery::performOnScene(panels::Action action) {
    using panels::Action;
    const play::Session& session = m_stage->session();
    switch (action) {
        case Action::AddStop:
            m_placer.isActive() ? m_placer.end() : m_placer.begin(m_mouse.selectedBody(), *m_stage);
            return true;
        case Action::RemoveElement:
            removeElement();
            return true;
        case Action::CopyCode:
        case Action::CopyJson:
            copyElement(action == Action::CopyCode);
            return true;
        case Action::SaveScene:
            saveScene();
            return true;
        case Action::Undo:
            // First what was edited since the scene is as it is.
            if (session.canUndo() || !m_history.canUndo()) return false;
            show(m_history.undo(session.editedScene()));
            return true;
        case Action::Redo:
            if (session.canRedo() || session.canUndo() || !m_history.canRedo()) return false;
            show(m_history.redo(session.editedScene()));
            return true;
        default:
            return false;
    }
}

void Gallery::show(Scene scene) {
    std::unique_ptr<Stage> stage = m_stage->withScene(std::move(scene));
    const panels::Analysis analysis = m_settings.analysis;
    const SceneHistory history = std::move(m_history);
    m_stage = std::move(stage);
    const double speed = m_stage->speed();
    begin();
    m_stage->setSpeed(speed);
    m_history = history;
    m_settings.analysis = analysis;
    m_isFramed = true;  // the camera stays
}

void Gallery::edit(Scene scene, const std::string& selected) {
    Scene before = m_stage->session().editedScene();
    show(std::move(scene));
    m_history.note(std::move(before));
    const std::vector<play::PlayedElement>& elements = m_stage->session().elements();
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (elements[i].name == selected) m_workspace.select(static_cast<int>(i));
    }
}

void Gallery::addStop(SceneElement stop) {
    const std::string name = stop.name;
    edit(play::withElement(m_stage->session().editedScene(), std::move(stop)), name);
    say(fmt::format("Added the ElastoGap {}. {} saves the scene, {} copies it as C++, {} takes it back.", name,
                    panels::keysOf(panels::Action::SaveScene), panels::keysOf(panels::Action::CopyCode),
                    panels::keysOf(panels::Action::Undo)),
        Kind::Good);
}

void Gallery::removeElement() {
    const int element = m_workspace.element();
    const Scene& scene = m_stage->session().scene();
    if (element < 0) return say("Select an element first.");
    if (static_cast<std::size_t>(element) >= scene.elements.size()) {
        return say("This element belongs to the robot; it stands in the robot's file.");
    }
    const std::string name = scene.elements[static_cast<std::size_t>(element)].name;
    edit(play::withoutElement(m_stage->session().editedScene(), element), "");
    say(fmt::format("Removed {}. {} brings it back.", name, panels::keysOf(panels::Action::Undo)));
}

void Gallery::copyElement(bool asCode) {
    const int element = m_workspace.element();
    const Scene scene = m_stage->session().editedScene();
    if (element < 0) return say("Select an element first.");
    if (static_cast<std::size_t>(element) >= scene.elements.size()) {
        return say("This element belongs to the robot; it stands in the robot's file.");
    }
    const SceneElement& copied = scene.elements[static_cast<std::size_t>(element)];
    ImGui::SetClipboardText((asCode ? codeOf(copied, scene) : writeElement(scene, copied) + "\n").c_str());
    say("Copied " + copied.name + (asCode ? " as C++." : " as JSON."), Kind::Good);
}

void Gallery::saveScene() {
    const play::Session& session = m_stage->session();
    const std::filesystem::path file = freshFile(m_stage->demo().name, ".json");
    writeFile(file, writeShortScene(session.editedScene()));
    std::string text = "Wrote " + wholePath(file) + "; elasto run and elasto-gallery --scene open it.";
    if (session.elements().size() > session.scene().elements.size()) text += " The robot is not part of it.";
    int off = 0;
    for (std::size_t i = 0; i < session.scene().elements.size(); ++i)
        off += session.isEnabled(static_cast<int>(i)) ? 0 : 1;
    if (off > 0) text += fmt::format(" {} that {} switched off act in it.", off, off == 1 ? "is" : "are");
    say(text, Kind::Good);
}

}  // namespace elasto::gallery
