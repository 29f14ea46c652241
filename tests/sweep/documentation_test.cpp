// The documentation of sweep files names every field and every word, and its example can be used.
#include "study_file.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "temporary_folder.h"

using nlohmann::json;

namespace {

std::string documentation() {
    return elasto::test::readText(ELASTO_SOURCE_DIR "/plugin/docs/sweeps.md");
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

TEST_CASE("the documentation of sweeps names every field and word of the schema") {
    const std::string text = documentation();
    std::set<std::string> names;
    collectNames(json::parse(elasto::sweep::sweepSchema()), names);
    CHECK(names.size() > 35);
    for (const std::string& name : names) {
        INFO(name);
        CHECK(text.find("`" + name + "`") != std::string::npos);
    }
}

TEST_CASE("the documentation's example is a valid sweep") {
    const std::string text = documentation();
    const std::size_t begin = text.find("```json\n");
    REQUIRE(begin != std::string::npos);
    const std::string example = text.substr(begin + 8, text.find("```", begin + 8) - begin - 8);
    CHECK(elasto::sweep::parseStudy(example).sample.runs == 100);
}
