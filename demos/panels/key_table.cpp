#include "key_table.h"

#include <algorithm>
#include <array>

namespace elasto::panels {

namespace {

constexpr KeyStroke character(char32_t letter) {
    return {keyOf(letter)};
}
constexpr KeyStroke control(char32_t letter) {
    return {keyOf(letter), true};
}

constexpr KeyStroke controlShift(char32_t letter) {
    return {keyOf(letter), true, true};
}

constexpr std::array kBindings = {
    KeyBinding{{Key::Space}, Action::PlayOrPause},
    KeyBinding{character('p'), Action::PlayOrPause},
    KeyBinding{{Key::Right}, Action::TickForward, true},
    KeyBinding{character('.'), Action::TickForward, true},
    KeyBinding{character('o'), Action::TickForward, true},
    KeyBinding{{Key::Left}, Action::TickBack, true},
    KeyBinding{character(','), Action::TickBack, true},
    KeyBinding{character('r'), Action::Restart},
    KeyBinding{{Key::End}, Action::ToEnd},
    KeyBinding{character('w'), Action::ToWorst},
    KeyBinding{character('-'), Action::Slower, true},
    KeyBinding{character('+'), Action::Faster, true},
    KeyBinding{character('='), Action::Faster, true},
    KeyBinding{character('1'), Action::NormalSpeed},
    KeyBinding{character('i'), Action::LookInside},
    KeyBinding{character('g'), Action::DismissGhosts},
    KeyBinding{character('['), Action::PreviousDemo},
    KeyBinding{{Key::PageUp}, Action::PreviousDemo},
    KeyBinding{character(']'), Action::NextDemo},
    KeyBinding{{Key::PageDown}, Action::NextDemo},
    KeyBinding{control('f'), Action::SearchDemos},
    KeyBinding{character('/'), Action::SearchDemos},
    KeyBinding{{Key::Home}, Action::HomeView},
    KeyBinding{character('f'), Action::FollowBody},
    KeyBinding{character('b'), Action::ThrowBody},
    KeyBinding{character('v'), Action::ShowForces},
    KeyBinding{character('l'), Action::ShowLabels},
    KeyBinding{character('c'), Action::Compare},
    KeyBinding{{Key::Tab}, Action::NextPanel, true},
    KeyBinding{{Key::Tab, false, true}, Action::PreviousPanel, true},
    KeyBinding{character('h'), Action::TogglePanels},
    KeyBinding{character('t'), Action::SwitchTheme},
    KeyBinding{control('+'), Action::LargerText},
    KeyBinding{control('='), Action::LargerText},
    KeyBinding{control('-'), Action::SmallerText},
    KeyBinding{control('0'), Action::NormalText},
    KeyBinding{control('z'), Action::Undo, true},
    KeyBinding{control('y'), Action::Redo, true},
    KeyBinding{character('a'), Action::AddStop},
    KeyBinding{{Key::Delete}, Action::RemoveElement},
    KeyBinding{control('c'), Action::CopyCode},
    KeyBinding{control('j'), Action::CopyJson},
    KeyBinding{control('o'), Action::OpenFile},
    KeyBinding{controlShift('s'), Action::SaveAs},
    KeyBinding{{Key::F12}, Action::SavePicture},
    KeyBinding{{Key::F9}, Action::RecordPictures},
    KeyBinding{control('s'), Action::SaveRecording},
    KeyBinding{control('e'), Action::SaveScene},
    KeyBinding{{Key::F5}, Action::FullScreen},
    KeyBinding{{Key::F11}, Action::FullScreen},
    KeyBinding{{Key::F1}, Action::Help},
    KeyBinding{character('?'), Action::Help},
    KeyBinding{{Key::Escape}, Action::CloseTop},
    KeyBinding{control('q'), Action::Quit},
};

constexpr std::array kTexts = {
    ActionText{Action::PlayOrPause, "Time", "Play or pause"},
    ActionText{Action::TickForward, "Time", "One tick forward"},
    ActionText{Action::TickBack, "Time", "One tick back"},
    ActionText{Action::Restart, "Time",
               "Start again with the numbers as they are; the run so far stays (End, or a ghost)"},
    ActionText{Action::ToEnd, "Time", "To the newest tick"},
    ActionText{Action::ToWorst, "Time", "To the worst tick: the one that may be off the most"},
    ActionText{Action::Slower, "Time", "Slower"},
    ActionText{Action::Faster, "Time", "Faster"},
    ActionText{Action::NormalSpeed, "Time", "Real time"},
    ActionText{Action::LookInside, "Time", "Slow down by itself where something is hit, and look inside that tick"},
    ActionText{Action::DismissGhosts, "Time", "Dismiss the ghosts of earlier branches"},
    ActionText{Action::PreviousDemo, "Demos", "Previous demo"},
    ActionText{Action::NextDemo, "Demos", "Next demo"},
    ActionText{Action::SearchDemos, "Demos", "Search the demos"},
    ActionText{Action::HomeView, "View", "Home view"},
    ActionText{Action::FollowBody, "View", "Follow the selected body"},
    ActionText{Action::ThrowBody, "View", "Throw a body where the mouse points"},
    ActionText{Action::ShowForces, "View", "Force arrows on or off"},
    ActionText{Action::ShowLabels, "View", "Labels (f, s_rel) on or off"},
    ActionText{Action::Compare, "View", "Comparison with Bullet's own ways on or off"},
    ActionText{Action::NextPanel, "Panels",
               "Keyboard to the next panel: arrows choose, Space presses, Enter types, Esc leaves"},
    ActionText{Action::PreviousPanel, "Panels", "Keyboard to the panel before"},
    ActionText{Action::TogglePanels, "Panels", "Show or hide all panels"},
    ActionText{Action::SwitchTheme, "Panels", "Dark or light theme"},
    ActionText{Action::LargerText, "Panels", "Larger text"},
    ActionText{Action::SmallerText, "Panels", "Smaller text"},
    ActionText{Action::NormalText, "Panels", "Text as large as the screen asks for"},
    ActionText{Action::Undo, "Edit", "Undo the last edit"},
    ActionText{Action::Redo, "Edit", "Redo it"},
    ActionText{Action::AddStop, "Edit", "Add a stop between a body and a wall"},
    ActionText{Action::RemoveElement, "Edit", "Remove the selected element from the scene"},
    ActionText{Action::CopyCode, "Edit", "Copy the selected element as C++"},
    ActionText{Action::CopyJson, "Edit", "Copy the selected element as JSON"},
    ActionText{Action::OpenFile, "Files", "Open a scene, a robot or a recording"},
    ActionText{Action::SaveAs, "Files", "Save scene, run or picture under a name, and choose where files go"},
    ActionText{Action::SavePicture, "Files", "Save a picture (PNG)"},
    ActionText{Action::RecordPictures, "Files", "Start or stop a film (mp4, or numbered PNGs)"},
    ActionText{Action::SaveRecording, "Files", "Save the run as a recording"},
    ActionText{Action::SaveScene, "Files", "Save the scene with all edits as a file"},
    ActionText{Action::FullScreen, "Window", "Full screen on or off"},
    ActionText{Action::Help, "Window", "All keys and what the mouse does"},
    ActionText{Action::CloseTop, "Window", "Close what lies on top"},
    ActionText{Action::Quit, "Window", "Quit"},
};

constexpr std::array kMouse = {
    MouseText{"Left drag on a body", "Pull it with a spring"},
    MouseText{"Ctrl + left drag on a body", "Turn it"},
    MouseText{"Left drag elsewhere", "Orbit the view"},
    MouseText{"Right or middle drag", "Move the view"},
    MouseText{"Wheel", "Zoom the view"},
    MouseText{"Click on an element or body", "Select it"},
    MouseText{"Click on a number", "Type it, with a unit if you like"},
    MouseText{"Drag of a number (with Shift)", "Change it (finely)"},
    MouseText{"Left drag in a plot", "Move the time cursor"},
    MouseText{"Right drag in a plot", "Zoom into a box"},
    MouseText{"Middle drag in a plot", "Move what it shows"},
    MouseText{"Wheel in a plot (with Ctrl)", "Zoom time (values)"},
    MouseText{"Double click in a plot", "Follow again"},
    MouseText{"Drag of a joint's slider", "Place the joint (paused), or move the target of its servo"},
    MouseText{"A file dropped on the window", "Show it: a robot (URDF, SDF), a scene or a recording"},
};

struct NamedKey {
    Key key;
    std::string_view name;
};
constexpr std::array kNames = {
    NamedKey{Key::Space, "Space"}, NamedKey{Key::Left, "Left"},   NamedKey{Key::Right, "Right"},
    NamedKey{Key::Up, "Up"},       NamedKey{Key::Down, "Down"},   NamedKey{Key::Home, "Home"},
    NamedKey{Key::End, "End"},     NamedKey{Key::PageUp, "PgUp"}, NamedKey{Key::PageDown, "PgDn"},
    NamedKey{Key::Tab, "Tab"},     NamedKey{Key::Escape, "Esc"},  NamedKey{Key::Enter, "Enter"},
    NamedKey{Key::Delete, "Del"},
};

constexpr bool isSame(const KeyStroke& a, const KeyStroke& b) {
    return a.key == b.key && a.control == b.control && a.shift == b.shift;
}

// Checked by the compiler: no key means two things, every action has one text and at least one key.
constexpr bool isConsistent() {
    for (std::size_t i = 0; i < kBindings.size(); ++i) {
        for (std::size_t j = i + 1; j < kBindings.size(); ++j) {
            if (isSame(kBindings[i].stroke, kBindings[j].stroke)) return false;
        }
    }
    for (std::size_t i = 0; i < kTexts.size(); ++i) {
        if (kTexts[i].action != static_cast<Action>(i)) return false;
        bool hasKey = false;
        for (const KeyBinding& binding : kBindings) hasKey = hasKey || binding.action == kTexts[i].action;
        if (!hasKey) return false;
    }
    return kTexts.size() == static_cast<std::size_t>(Action::Quit) + 1;
}
static_assert(isConsistent());

}  // namespace

std::span<const KeyBinding> keyBindings() {
    return kBindings;
}
std::span<const ActionText> actionTexts() {
    return kTexts;
}
std::span<const MouseText> mouseTexts() {
    return kMouse;
}

bool movesAmongPanels(Key key) {
    constexpr std::array kKeys = {Key::Left, Key::Right,  Key::Up,       Key::Down,  Key::Home,
                                  Key::End,  Key::PageUp, Key::PageDown, Key::Space, Key::Enter};
    return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

std::optional<Action> actionFor(const KeyStroke& stroke, bool isTextWanted, bool isRepeat) {
    if (isTextWanted) return std::nullopt;
    const bool isOwn = std::any_of(kBindings.begin(), kBindings.end(),
                                   [&](const KeyBinding& binding) { return isSame(binding.stroke, stroke); });
    if (stroke.shift && !isOwn) return actionFor({stroke.key, stroke.control}, isTextWanted, isRepeat);
    for (const KeyBinding& binding : kBindings) {
        if (!isSame(binding.stroke, stroke)) continue;
        if (isRepeat && !binding.repeats) return std::nullopt;
        return binding.action;
    }
    return std::nullopt;
}

std::string keyName(const KeyStroke& stroke) {
    std::string name = stroke.control ? "Ctrl+" : "";
    if (stroke.shift) name += "Shift+";
    for (const NamedKey& named : kNames) {
        if (named.key == stroke.key) return name.append(named.name);
    }
    if (stroke.key >= Key::F1 && stroke.key <= Key::F12) {
        const auto number = static_cast<std::uint32_t>(stroke.key) - static_cast<std::uint32_t>(Key::F1) + 1;
        return name + "F" + std::to_string(number);
    }
    auto letter = static_cast<char>(stroke.key);
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    return name + letter;
}

std::string keysOf(Action action) {
    std::string keys;
    for (const KeyBinding& binding : kBindings) {
        if (binding.action != action) continue;
        // Commas between keys, except where one of them is a comma.
        if (!keys.empty()) keys += action == Action::TickBack ? "  " : ", ";
        keys += keyName(binding.stroke);
    }
    return keys;
}

std::string_view textOf(Action action) {
    return kTexts.at(static_cast<std::size_t>(action)).text;
}

std::string tipOf(Action action) {
    return std::string(textOf(action)) + " (" + keysOf(action) + ")";
}

std::string keysAsMarkdown() {
    std::string text = "| Key | What it does |\n|---|---|\n";
    for (const ActionText& row : kTexts) {
        std::string keys;
        for (const KeyBinding& binding : kBindings) {
            if (binding.action == row.action) keys += (keys.empty() ? "`" : " `") + keyName(binding.stroke) + "`";
        }
        text += "| " + keys + " | " + std::string(row.text) + " |\n";
    }
    text += "\n| Mouse | What it does |\n|---|---|\n";
    for (const MouseText& row : kMouse) {
        text += "| " + std::string(row.gesture) + " | " + std::string(row.text) + " |\n";
    }
    return text;
}

}  // namespace elasto::panels
