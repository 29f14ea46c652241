#pragma once
// Whether a page of the documentation names what a schema knows.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

namespace elasto::test {

/// @param page of plugin/docs, such as "scene.md"
inline std::string documentation(const std::string& page) {
    std::ifstream file(ELASTO_SOURCE_DIR "/plugin/docs/" + page);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Fields and words of a schema.
inline void collectNames(const nlohmann::json& schema, std::set<std::string>& names) {
    if (schema.is_object()) {
        if (schema.contains("properties")) {
            for (const auto& [key, property] : schema.at("properties").items()) names.insert(key);
        }
        if (schema.contains("enum")) {
            for (const nlohmann::json& word : schema.at("enum")) names.insert(word.get<std::string>());
        }
    }
    if (schema.is_structured()) {
        for (const nlohmann::json& part : schema) collectNames(part, names);
    }
}

/// Each field and word stands in the text as code. @param moreThan names that the schema has
inline void checkNamesAll(const std::string& text, std::string_view schema, std::size_t moreThan) {
    std::set<std::string> names;
    collectNames(nlohmann::json::parse(schema), names);
    CHECK(names.size() > moreThan);
    for (const std::string& name : names) {
        INFO(name);
        CHECK(text.find("`" + name + "`") != std::string::npos);
    }
}

/// The first JSON example of a text.
inline std::string exampleOf(const std::string& text) {
    const std::size_t begin = text.find("```json\n");
    REQUIRE(begin != std::string::npos);
    return text.substr(begin + 8, text.find("```", begin + 8) - begin - 8);
}

}  // namespace elasto::test
