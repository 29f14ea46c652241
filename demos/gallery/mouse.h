#pragma once
/// @file mouse.h
/// What the mouse does in the view: pull a body with a spring, turn one, look around, select.

#include "gallery/stage.h"
#include "gallery/view_overlay.h"
#include "view/pick.h"

#include <utility>

namespace elasto::gallery {

/// The mouse in a frame, in pixels of the window.
struct MouseState {
    float x = 0;
    float y = 0;
    float wheel = 0;    ///< turned in this frame, > 0 away from the user
    bool left = false;  ///< buttons that are down
    bool middle = false;
    bool right = false;
    bool control = false;
    bool isOverPanels = false;  ///< a panel wants it
    bool isChoosing = false;    ///< a click shall take nothing: it says what is meant (takeClick)
};

class Mouse {
public:
    /// @param picture of the last frame, for picking
    void update(const MouseState& now, const FreeArea& area, const view::Picture& picture, Stage& stage);
    /// A body or element that the mouse would take; -1: none.
    int hoveredBody() const { return m_hoveredBody; }
    /// Body that was clicked or thrown last; -1: none.
    int selectedBody() const { return m_selectedBody; }
    void deselect() { m_selectedBody = -1; }
    /// Where the pointer is in the view, as a line of sight.
    view::Ray ray(const FreeArea& area, const Stage& stage) const;
    /// Whether there was a click while it was choosing, since the last call.
    bool takeClick() { return std::exchange(m_isClicked, false); }
    /// Throws a ball from the camera to where the mouse points, and selects it.
    void throwBall(const FreeArea& area, Stage& stage);
    /// Forgets what it holds: another demo was opened.
    void reset();

private:
    enum class Hold { Nothing, Body, Turn, Orbit, Pan };

    void hover(const std::optional<view::Hit>& hit);
    bool isQuickPull(const MouseState& now, const view::Hit& before) const;
    void press(const MouseState& now, Stage& stage, const view::Ray& ray);
    void drag(const MouseState& now, const FreeArea& area, Stage& stage, const view::Ray& ray);
    void click(Stage& stage);
    void release(Stage& stage);

    MouseState m_last;
    Hold m_hold = Hold::Nothing;
    std::optional<view::Hit> m_hit;
    Eigen::Vector3f m_grip = Eigen::Vector3f::Zero();  ///< where the body was taken [m]
    Eigen::Quaterniond m_turnStart = Eigen::Quaterniond::Identity();
    float m_pressX = 0;
    float m_pressY = 0;
    int m_hoveredBody = -1;
    int m_hoveredElement = -1;
    int m_selectedBody = -1;
    bool m_isClicked = false;
};

}  // namespace elasto::gallery
