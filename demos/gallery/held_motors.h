#pragma once
/// @file held_motors.h
/// Buttons and keys that run motors of a demo while they are held.

#include "gallery/stage.h"

#include <vector>

namespace elasto::gallery {

class HeldMotors {
public:
    /// The buttons, side by side, in the present window of Dear ImGui.
    void draw(const Demo& demo);
    /// Once a frame: motors whose button or key was pressed run, those that were let go are as in the scene.
    void run(Stage& stage);

private:
    std::vector<bool> m_isPressed;  ///< button, by motor of the demo
    std::vector<bool> m_isRunning;
};

}  // namespace elasto::gallery
