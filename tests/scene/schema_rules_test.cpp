// Breaks every rule of the schema, at every place of a scene that uses every field.
//
// The schema is read here once more, in the plainest way, so that a rule which the loader's own reading overlooks is
// still broken: each rule of each definition must be met by the walk (last test).

#include "complete_scene.h"

#include <catch2/catch.hpp>

#include <functional>
#include <set>

namespace schema_rules_test {

using nlohmann::json;

namespace {

json schema() {
    return json::parse(elasto::sceneSchema());
}

/// Calls visit(schema node, path in the schema, path in the document) for every rule set that applies to every place.
class Walk {
public:
    using Visit = std::function<void(const json&, const std::string&, const json::json_pointer&)>;

    Walk(const json& root, const json& document, Visit visit)
        : m_root(root), m_document(document), m_visit(std::move(visit)) {}

    void run() { at(m_root, "", json::json_pointer()); }

private:
    void at(const json& node, const std::string& name, const json::json_pointer& place) {
        if (node.contains("$ref")) {
            const std::string target = node.at("$ref").get<std::string>().substr(1);
            at(m_root.at(json::json_pointer(target)), target, place);
            return;
        }
        const json& value = m_document.at(place);
        m_visit(node, name, place);
        if (node.contains("properties") && value.is_object()) {
            for (const auto& [key, property] : node.at("properties").items()) {
                if (value.contains(key))
                    at(property, std::string(name).append("/properties/").append(key), place / key);
            }
        }
        if (node.contains("items") && value.is_array()) {
            for (std::size_t i = 0; i < value.size(); ++i) at(node.at("items"), name + "/items", place / i);
        }
        if (node.contains("allOf")) {
            for (const json& part : node.at("allOf")) branch(part, name, place);
        }
        if (node.contains("if")) branch(node, name, place);
    }

    void branch(const json& node, const std::string& name, const json::json_pointer& place) {
        const auto condition = node.at("if").at("properties").begin();
        const json& value = m_document.at(place);
        const bool holds =
            value.contains(condition.key()) && value.at(condition.key()) == condition.value().at("const");
        if (holds) {
            at(node.at("then"), name, place);
        } else if (node.contains("else")) {
            at(node.at("else"), name, place);
        }
    }

    const json& m_root;
    const json& m_document;
    Visit m_visit;
};

struct Broken {
    std::string rule;  ///< place of the rule in the schema
    json document;
    std::string path;     ///< the message must name it
    std::string value;    ///< and this
    std::string allowed;  ///< and this
};

/// All ways in which the rules of one node can be broken at one place.
void breakNode(const json& node, const std::string& name, const json& document, const json::json_pointer& place,
               std::vector<Broken>& broken) {
    const auto replace = [&](const char* rule, const json& value, const std::string& allowed) {
        json copy = document;
        copy[place] = value;
        broken.push_back({name + "/" + rule, copy, place.to_string(), value.dump().substr(0, 50), allowed});
    };
    const json& value = document.at(place);
    if (node.contains("type")) {
        replace("type", nullptr, "must be");
        if (value.is_number()) replace("type", "1", "number");
        if (value.is_number_integer() && node.at("type") == "integer") replace("type", 1.5, "whole number");
        if (value.is_boolean()) replace("type", 1, "true or false");
    }
    if (node.contains("const")) replace("const", 17, node.at("const").dump());
    if (node.contains("enum")) replace("enum", "something", node.at("enum").back().get<std::string>());
    if (node.contains("pattern")) replace("pattern", "1 %", "matches");
    if (node.contains("minLength")) replace("minLength", "", "not empty");
    for (const char* rule : {"minimum", "exclusiveMinimum", "maximum"}) {
        if (!node.contains(rule)) continue;
        const double limit = node.at(rule).get<double>();
        const double beyond = std::string(rule) == "minimum"   ? limit - 1
                              : std::string(rule) == "maximum" ? limit + 1
                                                               : limit;
        const bool whole = node.at("type") == "integer";
        replace(rule, whole ? json(static_cast<int>(beyond)) : json(beyond), node.at(rule).dump());
    }
    if (node.contains("minItems")) {
        json fewer = value;
        while (fewer.size() >= node.at("minItems").get<std::size_t>()) fewer.erase(fewer.size() - 1);
        replace("minItems", fewer, node.at("minItems").dump());
    }
    if (node.contains("maxItems")) {
        json more = value;
        more.push_back(more.back());
        replace("maxItems", more, node.at("maxItems").dump());
    }
    if (node.contains("required") && value.is_object()) {
        for (const json& field : node.at("required")) {
            json copy = document;
            copy[place].erase(field.get<std::string>());
            broken.push_back(
                {name + "/required", copy, (place / field.get<std::string>()).to_string(), "", "is missing"});
        }
    }
    if (node.contains("additionalProperties") && value.is_object()) {
        json copy = document;
        copy[place]["surprise"] = 5;
        broken.push_back({name + "/additionalProperties", copy, (place / "surprise").to_string(), "5", "Allowed: "});
    }
    if (node.contains("oneOf")) {
        json both = document;
        json neither = document;
        for (const json& choice : node.at("oneOf")) {
            const std::string field = choice.at("required").at(0).get<std::string>();
            both[place][field] = {1, 2, 3};
            neither[place].erase(field);
        }
        broken.push_back({name + "/oneOf", both, place.to_string(), "2 of", "exactly one"});
        broken.push_back({name + "/oneOf", neither, place.to_string(), "0 of", "exactly one"});
    }
}

std::vector<Broken> allBroken() {
    static const json root = schema();
    const json document = completeScene();
    std::vector<Broken> broken;
    Walk(root, document, [&](const json& node, const std::string& name, const json::json_pointer& place) {
        breakNode(node, name, document, place, broken);
    }).run();
    return broken;
}

/// Every rule in a part of the schema, as the places in it.
void listRules(const json& node, const std::string& name, std::set<std::string>& rules) {
    for (const char* rule : {"type", "const", "enum", "pattern", "minLength", "minimum", "exclusiveMinimum", "maximum",
                             "minItems", "maxItems", "required", "additionalProperties", "oneOf"}) {
        if (node.contains(rule)) rules.insert(name + "/" + rule);
    }
    if (node.contains("properties")) {
        for (const auto& [key, property] : node.at("properties").items()) {
            listRules(property, std::string(name).append("/properties/").append(key), rules);
        }
    }
    if (node.contains("items")) listRules(node.at("items"), name + "/items", rules);
}

}  // namespace

TEST_CASE("the complete scene is valid") {
    CHECK_NOTHROW(elasto::parseScene(completeScene().dump()));
}

TEST_CASE("each rule of the schema, broken at each place, is refused with path, value and what is allowed", "[slow]") {
    const std::vector<Broken> all = allBroken();
    CHECK(all.size() > 1000);
    for (const Broken& broken : all) {
        const std::string message = refusal(broken.document);
        INFO("rule " << broken.rule << " broken at " << broken.path << "\nmessage: " << message);
        CHECK(message.find("test: " + (broken.path.empty() ? "" : broken.path + ":")) != std::string::npos);
        CHECK(message.find(broken.value) != std::string::npos);
        CHECK(message.find(broken.allowed) != std::string::npos);
    }
}

TEST_CASE("one broken rule gives one line", "[slow]") {
    for (const Broken& broken : allBroken()) {
        // Without it nothing says which fields there should be, or they are not read.
        if (broken.path.ends_with("/type") || broken.path.ends_with("/motion") || broken.path.empty()) continue;
        const std::string message = refusal(broken.document);
        INFO("rule " << broken.rule << " broken at " << broken.path << "\nmessage: " << message);
        CHECK(std::count(message.begin(), message.end(), '\n') == 0);
    }
}

TEST_CASE("no rule of the schema is left unbroken", "[slow]") {
    const json root = schema();
    std::set<std::string> rules;
    listRules(root, "", rules);
    for (const auto& [name, definition] : root.at("definitions").items()) {
        listRules(definition, "/definitions/" + name, rules);
    }
    for (const Broken& broken : allBroken()) rules.erase(broken.rule);
    INFO("first of those left: " << (rules.empty() ? "" : *rules.begin()));
    CHECK(rules.empty());
}

TEST_CASE("every object of the schema is closed") {
    const json root = schema();
    for (const auto& [name, definition] : root.at("definitions").items()) {
        INFO(name);
        // body, element, shape and load lead to the closed definition of their type.
        const bool leadsOn = definition.contains("allOf") || definition.contains("if");
        if (definition.contains("properties") && !leadsOn) CHECK(definition.at("additionalProperties") == false);
    }
}

}  // namespace schema_rules_test
