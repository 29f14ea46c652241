#pragma once
/// @file key_table.h
/// Every key and mouse gesture of the gallery, once: dispatch, help overlay, tooltips and the page on the gallery read
/// this table.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace elasto::panels {

/// What a key does.
enum class Action {
    PlayOrPause,
    TickForward,
    TickBack,
    Restart,
    ToEnd,
    ToWorst,
    Slower,
    Faster,
    NormalSpeed,
    LookInside,
    DismissGhosts,
    PreviousDemo,
    NextDemo,
    SearchDemos,
    HomeView,
    FollowBody,
    ThrowBody,
    ShowForces,
    ShowLabels,
    Compare,
    NextPanel,
    PreviousPanel,
    TogglePanels,
    SwitchTheme,
    LargerText,
    SmallerText,
    NormalText,
    Undo,
    Redo,
    AddStop,
    RemoveElement,
    CopyCode,
    CopyJson,
    OpenFile,
    SaveAs,
    SavePicture,
    RecordPictures,
    SaveRecording,
    SaveScene,
    FullScreen,
    Help,
    CloseTop,
    Quit,
};

/// A key by the character that it types, so that it is found on any keyboard layout, or one that types none.
enum class Key : std::uint32_t {
    Space = ' ',
    // Beyond Unicode: keys without a character.
    Left = 0x110000,
    Right,
    Up,
    Down,
    Home,
    End,
    PageUp,
    PageDown,
    Tab,
    Escape,
    Enter,
    Delete,
    F1,
    F2,
    F3,
    F4,
    F5,
    F6,
    F7,
    F8,
    F9,
    F10,
    F11,
    F12,
};

/// The key that types a character; letters count as lower case.
constexpr Key keyOf(char32_t character) {
    const bool isUpper = character >= U'A' && character <= U'Z';
    return static_cast<Key>(isUpper ? character + (U'a' - U'A') : character);
}

/// The key that is meant by a character. Where a layout types no Latin letter with it (Cyrillic, Greek, Hebrew, ...),
/// the place of the key counts: it is what a US keyboard types there.
/// @param place on a US keyboard, upper case; 0: not known
constexpr Key keyMeant(char32_t typed, char32_t place) {
    constexpr char32_t kLatin = 0x370, kFurtherLatin = 0x1e00, kGreekAgain = 0x1f00, kSigns = 0x2000, kCjk = 0x2e80;
    const bool isLatinOrSign =
        typed < kLatin || (typed >= kFurtherLatin && typed < kGreekAgain) || (typed >= kSigns && typed < kCjk);
    return keyOf(isLatinOrSign || place == 0 || place > U'~' ? typed : place);
}

/// A key that was pressed. Shift is part of it with Ctrl and a letter, and where the key types no character; else it
/// is not: '+' is '+' wherever it stands.
struct KeyStroke {
    Key key;
    bool control = false;
    bool shift = false;
};

struct KeyBinding {
    KeyStroke stroke;
    Action action;
    bool repeats = false;  ///< acts again while it is held down
};

/// Actions in the groups of the help overlay.
struct ActionText {
    Action action;
    std::string_view group;
    std::string_view text;  ///< what it does, without a full stop
};

/// What the mouse does.
struct MouseText {
    std::string_view gesture;
    std::string_view text;
};

std::span<const KeyBinding> keyBindings();
std::span<const ActionText> actionTexts();  ///< every action once, in the order of the help overlay
std::span<const MouseText> mouseTexts();

/// Whether a key moves the keyboard among the panels while it is there, and does nothing else then.
bool movesAmongPanels(Key key);

/// What a key does now. With Shift it does what it does without, unless it has a meaning of its own.
/// @param isTextWanted a text field has the focus (ImGuiIO::WantTextInput): no key acts
/// @param isRepeat     the key is held down
std::optional<Action> actionFor(const KeyStroke& stroke, bool isTextWanted, bool isRepeat = false);

/// "Space", "F1", "[", "Ctrl+Z".
std::string keyName(const KeyStroke& stroke);
/// All keys of an action: "Space, P"; empty if it has none.
std::string keysOf(Action action);
std::string_view textOf(Action action);
/// For a tooltip: "Play or pause (Space, P)".
std::string tipOf(Action action);
/// The table of keys and mouse in Markdown, for plugin/docs/gallery.md.
std::string keysAsMarkdown();

}  // namespace elasto::panels
