#include "gallery/keyboard.h"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace elasto::gallery {

namespace {

using panels::Key;

Keyboard* current = nullptr;

/// Frames until a text field that a key asked for surely has the focus: Dear ImGui gives it two frames later.
constexpr int kFramesToField = 4;

/// Keys that type no character.
std::optional<Key> namedKey(int key) {
    static constexpr std::array kKeys = {
        std::pair(GLFW_KEY_LEFT, Key::Left),      std::pair(GLFW_KEY_RIGHT, Key::Right),
        std::pair(GLFW_KEY_UP, Key::Up),          std::pair(GLFW_KEY_DOWN, Key::Down),
        std::pair(GLFW_KEY_HOME, Key::Home),      std::pair(GLFW_KEY_END, Key::End),
        std::pair(GLFW_KEY_PAGE_UP, Key::PageUp), std::pair(GLFW_KEY_PAGE_DOWN, Key::PageDown),
        std::pair(GLFW_KEY_TAB, Key::Tab),        std::pair(GLFW_KEY_ESCAPE, Key::Escape),
        std::pair(GLFW_KEY_ENTER, Key::Enter),    std::pair(GLFW_KEY_DELETE, Key::Delete),
    };
    for (const auto& [code, named] : kKeys) {
        if (code == key) return named;
    }
    if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) {
        return static_cast<Key>(static_cast<std::uint32_t>(Key::F1) + static_cast<std::uint32_t>(key - GLFW_KEY_F1));
    }
    return std::nullopt;
}

/// What a US keyboard types there, upper case; 0: nothing. GLFW numbers keys by their place so.
char32_t placeOf(int key) {
    return key > GLFW_KEY_SPACE && key <= GLFW_KEY_GRAVE_ACCENT ? static_cast<char32_t>(key) : 0;
}

/// The first character of a text in UTF-8; 0: none.
char32_t firstOf(const char* text) {
    unsigned character = 0;
    return text != nullptr && ImTextCharFromUtf8(&character, text, nullptr) > 0 ? character : 0;
}

}  // namespace

Keyboard::Keyboard(GLFWwindow* window) : m_window(window) {
    current = this;
    glfwSetKeyCallback(window, [](GLFWwindow*, int key, int scancode, int action, int modifiers) {
        if (current != nullptr) current->onKey(key, scancode, action, modifiers);
    });
    glfwSetCharCallback(window, [](GLFWwindow*, unsigned codepoint) {
        if (current != nullptr) current->onCharacter(codepoint);
    });
}

Keyboard::~Keyboard() {
    current = nullptr;
    glfwSetKeyCallback(m_window, nullptr);
    glfwSetCharCallback(m_window, nullptr);
}

std::vector<panels::Action> Keyboard::take() {
    m_framesToField = std::max(0, m_framesToField - 1);
    if (ImGui::GetCurrentContext() != nullptr) holdForAFrame();
    return std::exchange(m_actions, {});
}

void Keyboard::holdForAFrame() {
    ImGuiIO& io = ImGui::GetIO();
    for (const int key : std::exchange(m_held, {})) io.KeysDown[key] = glfwGetKey(m_window, key) == GLFW_PRESS;
    for (const int key : std::exchange(m_pressed, {})) {
        if (std::exchange(io.KeysDown[key], true)) continue;
        m_held.push_back(key);
    }
    io.KeyCtrl = io.KeysDown[GLFW_KEY_LEFT_CONTROL] || io.KeysDown[GLFW_KEY_RIGHT_CONTROL];
    io.KeyShift = io.KeysDown[GLFW_KEY_LEFT_SHIFT] || io.KeysDown[GLFW_KEY_RIGHT_SHIFT];
}

void Keyboard::onKey(int key, int scancode, int action, int modifiers) {
    if (action == GLFW_RELEASE) return;
    if (action == GLFW_PRESS && key >= 0 && key <= GLFW_KEY_LAST) {
        m_pressed.push_back(key);
        if ((modifiers & GLFW_MOD_CONTROL) != 0) m_pressed.push_back(GLFW_KEY_LEFT_CONTROL);
        if ((modifiers & GLFW_MOD_SHIFT) != 0) m_pressed.push_back(GLFW_KEY_LEFT_SHIFT);
    }
    m_isRepeat = action == GLFW_REPEAT;
    const bool isControl = (modifiers & GLFW_MOD_CONTROL) != 0, isShift = (modifiers & GLFW_MOD_SHIFT) != 0;
    // Of a key that types a sign where Shift is held, the place would be that of another sign.
    const bool isLetter = key >= GLFW_KEY_A && key <= GLFW_KEY_Z;
    m_place = isLetter || !isShift ? placeOf(key) : 0;
    if (const std::optional<Key> named = namedKey(key)) {
        add({*named, isControl, isShift}, m_isRepeat);
    } else if (isControl) {
        // With Ctrl no character comes; the layout's name of the key stands for it.
        const char32_t name = firstOf(glfwGetKeyName(key, scancode));
        if (name != 0) add({panels::keyMeant(name, m_place), true, isShift}, m_isRepeat);
    }
}

void Keyboard::onCharacter(unsigned codepoint) {
    add({panels::keyMeant(static_cast<char32_t>(codepoint), m_place)}, m_isRepeat);
}

void Keyboard::add(const panels::KeyStroke& stroke, bool isRepeat) {
    const bool isTextWanted =
        m_framesToField > 0 || (ImGui::GetCurrentContext() != nullptr && ImGui::GetIO().WantTextInput);
    const bool isInPanels =
        ImGui::GetCurrentContext() != nullptr && (ImGui::GetIO().ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) != 0;
    if (isInPanels && panels::movesAmongPanels(stroke.key)) return;
    if (const auto action = panels::actionFor(stroke, isTextWanted, isRepeat)) {
        m_actions.push_back(*action);
        const bool asksForField = *action == panels::Action::SearchDemos || *action == panels::Action::OpenFile ||
                                  *action == panels::Action::SaveAs;
        if (asksForField) m_framesToField = kFramesToField;
    }
}

}  // namespace elasto::gallery
