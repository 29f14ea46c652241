#pragma once
/// @file keyboard.h
/// Keys of a window as actions of the gallery's key table.

#include "panels/key_table.h"

#include <vector>

struct GLFWwindow;

namespace elasto::gallery {

/// Takes the key events of a window; what was there before it (and Dear ImGui, made after it) gets them too. One at a
/// time.
class Keyboard {
public:
    explicit Keyboard(GLFWwindow* window);
    ~Keyboard();
    Keyboard(const Keyboard&) = delete;
    Keyboard& operator=(const Keyboard&) = delete;

    /// Actions of the keys since the last call, once a frame. None while a text field has the focus, or is to get it.
    std::vector<panels::Action> take();

    // Called by GLFW's callbacks.
    void onKey(int key, int scancode, int action, int modifiers);
    void onCharacter(unsigned codepoint);

private:
    void add(const panels::KeyStroke& stroke, bool isRepeat);
    /// Dear ImGui looks at keys once a frame: one that was pressed and released since it looked is down for a frame.
    void holdForAFrame();

    GLFWwindow* m_window;
    bool m_isRepeat = false;  ///< the character that comes next belongs to a key that is held
    char32_t m_place = 0;     ///< of the key that was pressed last, see panels::keyMeant
    int m_framesToField = 0;  ///< keys typed until then belong to a text field that is on its way
    std::vector<panels::Action> m_actions;
    std::vector<int> m_pressed;  ///< GLFW's keys, since the last frame
    std::vector<int> m_held;     ///< down in this frame for Dear ImGui alone
};

}  // namespace elasto::gallery
