// Of the gallery: what changes the scene itself, or takes something of it along.

#include "gallery/gallery.h"

#include <elasto/scene/element_code.h>
#include <elasto/scene/load_scene.h>
#include <elasto/scene/output_file.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace elasto::gallery {

using Kind = panels::Notices::Kind;

namespace {

/// What was edited of elements that are not the scene's: "elbow.backlash b = 0.01".
std::string editsOfGuests(const play::Session& session) {
    std::string text;
    for (std::size_t i = session.scene().elements.size(); i < session.elements().size(); ++i) {
        const auto element = static_cast<int>(i);
        for (const play::Parameter& parameter : play::parametersOf(session.elements()[i])) {
            const double now = session.parameter(element, parameter.symbol);
            if (now == session.startParameter(element, parameter.symbol)) continue;
            text += fmt::format("{}{} {} = {:.6g}", text.empty() ? "" : ", ", session.elements()[i].name,
                                parameter.symbol, now);
        }
    }
    return text;
}

/// The parameters of an element now, as JSON.
std::string numbersOf(const play::Session& session, int element) {
    nlohmann::ordered_json json;
    for (const play::Parameter& parameter : play::parametersOf(session.elements()[static_cast<std::size_t>(element)])) {
        const double value = session.parameter(element, parameter.symbol);
        if (parameter.choices.empty()) {
            json[parameter.symbol] = value;
        } else {
            json[parameter.symbol] = parameter.choices[static_cast<std::size_t>(value)];
        }
    }
    return json.dump(2) + "\n";
}

}  // namespace

bool Gallery::performOnScene(panels::Action action) {
    using panels::Action;
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
            save(freshFile(m_stage->demo().name, ".json"));
            return true;
        case Action::Undo:
            // First what was edited since the scene is as it is.
            if (!m_history.undoes(*m_stage)) return false;
            undoScene();
            return true;
        case Action::Redo:
            if (!m_history.redoes(*m_stage)) return false;
            redoScene();
            return true;
        default:
            return false;
    }
}

void Gallery::undoScene() {
    std::unique_ptr<Stage> undone = exchange(m_history.takeBefore());
    m_history.noteUndone(std::move(undone), *m_stage);
    say(fmt::format("Back to the run as it was, at {:.3f} s. {} does it again.", m_stage->session().time(),
                    panels::keysOf(panels::Action::Redo)));
}

void Gallery::redoScene() {
    m_history.noteRedone(exchange(m_history.takeUndone()));
}

void Gallery::selectNamed(const std::string& element) {
    const std::vector<play::PlayedElement>& elements = m_stage->session().elements();
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (elements[i].name != element) continue;
        m_stage->select(static_cast<int>(i));
        m_workspace.select(static_cast<int>(i));
    }
}

void Gallery::addStop(SceneElement stop) {
    const std::string name = stop.name;
    const play::Session& session = m_stage->session();
    // Who has run for long would have to wait until all of it was run again.
    constexpr double kLongest = 5;  // [s]
    const bool isNow = static_cast<double>(session.tick()) * m_figures.tickCost < kLongest;
    std::unique_ptr<Stage> next = isNow ? m_stage->withElement(stop)
                                        : m_stage->withScene(play::withElement(session.editedScene(), std::move(stop)));
    std::unique_ptr<Stage> before = exchange(std::move(next));
    m_history.note(std::move(before), *m_stage);
    selectNamed(name);
    say(fmt::format("Added the ElastoGap {}; {}. {} saves the scene, {} copies the stop as C++, {} takes it back.",
                    name, isNow ? "it acts from now on" : "the run begins again, for it was long",
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
    std::unique_ptr<Stage> before =
        exchange(m_stage->withScene(play::withoutElement(m_stage->session().editedScene(), element)));
    m_history.note(std::move(before), *m_stage);
    say(fmt::format("Removed {}; the run begins again. {} brings it back.", name,
                    panels::keysOf(panels::Action::Undo)));
}

void Gallery::copyElement(bool asCode) {
    const int element = m_workspace.element();
    const Scene scene = m_stage->session().editedScene();
    if (element < 0) return say("Select an element first.");
    if (static_cast<std::size_t>(element) >= scene.elements.size()) {
        if (asCode) return say("This element belongs to the robot; it stands in the robot's file.");
        const std::string& name = m_stage->session().elements()[static_cast<std::size_t>(element)].name;
        ImGui::SetClipboardText(numbersOf(m_stage->session(), element).c_str());
        return say("Copied the numbers of " + name + " as JSON, for the robot's file.", Kind::Good);
    }
    const SceneElement& copied = scene.elements[static_cast<std::size_t>(element)];
    ImGui::SetClipboardText((asCode ? codeOf(copied, scene) : writeElement(scene, copied) + "\n").c_str());
    say("Copied " + copied.name + (asCode ? " as C++." : " as JSON."), Kind::Good);
}

void Gallery::saveScene(const std::filesystem::path& file) {
    const play::Session& session = m_stage->session();
    const std::size_t own = session.scene().elements.size();
    const std::string edits = editsOfGuests(session);
    const std::string robot = edits.empty() ? "" : " Edited there: " + edits + ".";
    if (own == 0 && session.elements().size() > own) {
        return say(
            "Nothing was written: the elements of this demo stand in the robot's file, not in the scene." + robot,
            Kind::Bad);
    }
    writeFile(file, writeShortScene(session.editedScene()));
    std::string text = "Wrote " + wholePath(file) + "; elasto run and elasto-gallery --scene open it.";
    if (session.elements().size() > own) text += " The robot is not part of it." + robot;
    int off = 0;
    for (std::size_t i = 0; i < own; ++i) off += session.isEnabled(static_cast<int>(i)) ? 0 : 1;
    if (off > 0) text += fmt::format(" {} that {} switched off act in it.", off, off == 1 ? "is" : "are");
    say(text, Kind::Good);
}

}  // namespace elasto::gallery
