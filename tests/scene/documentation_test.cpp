// The reference of the scene file names every field and every signal.

#include "complete_scene.h"

#include <elasto/scene/signals.h>

#include <catch2/catch.hpp>

#include <regex>
#include <set>

#include "../documentation.h"

using namespace elasto::test;

TEST_CASE("the documentation names every field and word of the schema") {
    checkNamesAll(documentation("scene.md"), elasto::sceneSchema(), 80);
}

TEST_CASE("the documentation names every signal") {
    const std::string text = documentation("scene.md");
    const elasto::Scene scene = elasto::parseScene(completeScene().dump());
    std::set<std::string> endings;
    for (const elasto::Signal& signal : availableSignals(scene)) {
        const std::string ending = signal.name.substr(std::min(signal.name.find('.') + 1, signal.name.size()));
        endings.insert(std::regex_replace(ending, std::regex("\\[.*\\]"), ""));
    }
    CHECK(endings.size() > 30);
    for (const std::string& ending : endings) {
        INFO(ending);
        CHECK(
            (text.find("`" + ending + "`") != std::string::npos || text.find("`" + ending + "[") != std::string::npos));
    }
}

TEST_CASE("the documentation's example is a valid scene") {
    CHECK_NOTHROW(elasto::parseScene(exampleOf(documentation("scene.md"))));
}
