#pragma once
/// @file stop_placer.h
/// Adds a stop by two clicks: on the body that shall be stopped, and on what it shall not run into.

#include "gallery/stage.h"
#include "play/stop_place.h"
#include "view/pick.h"

#include <optional>
#include <string>

namespace elasto::gallery {

class StopPlacer {
public:
    /// @param body that was selected before; -1: it is clicked first
    void begin(int body, const Stage& stage);
    void end() { *this = {}; }
    bool isActive() const { return m_step != Step::Off; }
    /// What is to be clicked next, or why what lies under the pointer will not do.
    const std::string& prompt() const { return m_prompt; }
    bool isRefused() const { return m_isRefused; }  ///< the prompt says why something will not do

    /// The pointer moved: finds what a click would take.
    void point(const view::Ray& ray, const view::Picture& picture, const Stage& stage);
    /// Takes it. @return the stop, when it is complete; the placer is off then
    std::optional<SceneElement> click(const Stage& stage);
    /// The stop that a click would add, as a shadow.
    void draw(const Stage& stage, view::Picture& picture) const;

private:
    enum class Step { Off, Body, Wall };

    void ask(const Stage& stage);
    void refuse(const std::string& why);

    Step m_step = Step::Off;
    int m_body = -1;   ///< that is to be stopped
    int m_found = -1;  ///< body under the pointer
    std::optional<SceneElement> m_stop;
    std::string m_prompt;
    bool m_isRefused = false;
};

/// What a line of sight meets first, as a place for a stop: a body, the wall of another stop, or the ground.
std::optional<play::Face> faceAt(const view::Ray& ray, const view::Picture& picture, const Stage& stage);

}  // namespace elasto::gallery
