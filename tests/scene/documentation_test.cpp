// The reference of the scene file names every field and every signal.

#include "complete_scene.h"

#include <elasto/scene/signals.h>

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

using nlohmann::json;

namespace {

std::string documentation() {
    std::ifstream file(ELASTO_SOURCE_DIR "/plugin/docs/scene.md");
    return {std::istreambuf_iterator<char>(file), {}};
}

void collectNames(const json& schema, std::set<std::string>& names) {
    if (schema.is_object()) {
        if (schema.contains("properties")) {
            for (const auto& [key, property] : schema.at("properties").items()) names.insert(key);
        }
        if (schema.contains("enum")) {
            for (const json& word : schema.at("enum")) names.insert(word.get<std::string>());
        }
        for (const auto& [key, part] : schema.items()) collectNames(part, names);
    }
    if (schema.is_array()) {
        for (const json& part : schema) collectNames(part, names);
    }
}

}  // namespace

TEST_CASE("the documentation names every field and word of the schema") {
    const std::string text = documentation();
    std::set<std::string> names;
    collectNames(json::parse(elasto::sceneSchema()), names);
    CHECK(names.size() > 80);
    for (const std::string& name : names) {
        INFO(name);
        CHECK(text.find("`" + name + "`") != std::string::npos);
    }
}

TEST_CASE("the documentation names every signal") {
    const std::string text = documentation();
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
    const std::string text = documentation();
    const std::size_t begin = text.find("```json\n");
    REQUIRE(begin != std::string::npos);
    const std::string example = text.substr(begin + 8, text.find("```", begin + 8) - begin - 8);
    CHECK_NOTHROW(elasto::parseScene(example));
}
