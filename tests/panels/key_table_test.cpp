#include <panels/key_table.h>

#include <catch2/catch.hpp>
#include <set>

using namespace elasto::panels;

TEST_CASE("keys do what the help says") {
    CHECK(actionFor({Key::Space}, false) == Action::PlayOrPause);
    CHECK(actionFor({keyOf(U'P')}, false) == Action::PlayOrPause);
    CHECK(actionFor({Key::Right}, false) == Action::TickForward);
    CHECK(actionFor({Key::Left}, false) == Action::TickBack);
    CHECK(actionFor({keyOf(U'R')}, false) == Action::Restart);
    CHECK(actionFor({keyOf(U'[')}, false) == Action::PreviousDemo);
    CHECK(actionFor({keyOf(U']')}, false) == Action::NextDemo);
    CHECK(actionFor({Key::Tab}, false) == Action::NextPanel);
    CHECK(actionFor({Key::Tab, false, true}, false) == Action::PreviousPanel);
    CHECK(actionFor({keyOf(U'h')}, false) == Action::TogglePanels);
    CHECK(actionFor({keyOf(U's'), true}, false) == Action::SaveRecording);
    CHECK(actionFor({keyOf(U's'), true, true}, false) == Action::SaveAs);
    // Shift changes nothing where it means nothing.
    CHECK(actionFor({Key::Left, false, true}, false) == Action::TickBack);
    CHECK(actionFor({keyOf(U'e'), true, true}, false) == Action::SaveScene);
    CHECK(actionFor({keyOf(U'+')}, false) == Action::Faster);
    CHECK(actionFor({keyOf(U'-')}, false) == Action::Slower);
    CHECK(actionFor({Key::Home}, false) == Action::HomeView);
    CHECK(actionFor({Key::F1}, false) == Action::Help);
    CHECK(actionFor({Key::F5}, false) == Action::FullScreen);
    CHECK(actionFor({Key::Escape}, false) == Action::CloseTop);
    CHECK(actionFor({keyOf(U'z'), true}, false) == Action::Undo);
    CHECK_FALSE(actionFor({keyOf(U'z')}, false));
    CHECK_FALSE(actionFor({Key::F2}, false));
}

TEST_CASE("a layout without Latin letters has its keys where a US keyboard has them") {
    CHECK(keyMeant(U'\u0437', U'P') == keyOf(U'p'));     // Cyrillic ze, on the key of P
    CHECK(keyMeant(U'\u0417', U'P') == keyOf(U'p'));     // with Shift or Caps Lock
    CHECK(keyMeant(U'\u044a', U']') == keyOf(U']'));     // hard sign
    CHECK(keyMeant(U'\u03c0', U'P') == keyOf(U'p'));     // Greek pi
    CHECK(keyMeant(U'\u05e4', U'P') == keyOf(U'p'));     // Hebrew pe
    CHECK(keyMeant(U'.', U'/') == keyOf(U'.'));          // what types a sign means it
    CHECK(keyMeant(U'z', U'Y') == keyOf(U'z'));          // German
    CHECK(keyMeant(U'\u00fc', U'[') == Key(U'\u00fc'));  // u umlaut is no bracket
    CHECK(keyMeant(U'\u1ea1', U'A') == Key(U'\u1ea1'));  // Vietnamese is Latin
    CHECK(keyMeant(U'\u0437', 0) == Key(U'\u0437'));
}

TEST_CASE("no key acts while a text field has the focus") {
    for (const KeyBinding& binding : keyBindings()) CHECK_FALSE(actionFor(binding.stroke, true));
}

TEST_CASE("only some keys act again while they are held") {
    CHECK(actionFor({Key::Right}, false, true) == Action::TickForward);
    CHECK_FALSE(actionFor({Key::Space}, false, true));
}

TEST_CASE("every key stands in the overlay, the tooltips and the text for the docs") {
    const std::string markdown = keysAsMarkdown();
    std::set<std::string> names;
    for (const KeyBinding& binding : keyBindings()) {
        const std::string name = keyName(binding.stroke);
        INFO(name);
        CHECK_FALSE(name.empty());
        CHECK(names.insert(name).second);
        CHECK(markdown.find("`" + name + "`") != std::string::npos);
        CHECK(keysOf(binding.action).find(name) != std::string::npos);
        CHECK(tipOf(binding.action).find(std::string(textOf(binding.action))) == 0);
    }
    for (const MouseText& gesture : mouseTexts()) CHECK(markdown.find(gesture.text) != std::string::npos);
    CHECK(keysOf(Action::PlayOrPause) == "Space, P");
    CHECK(tipOf(Action::Undo) == "Undo the last edit (Ctrl+Z)");
}
