#include "schema_guide.h"

#include "problems.h"

#include <algorithm>

namespace elasto::scene {

using nlohmann::json;

namespace {

/// First value of a keyword among the rules, or null.
const json* keyword(const SchemaGuide::Rules& rules, const char* name) {
    for (const json* rule : rules) {
        if (rule->contains(name)) return &rule->at(name);
    }
    return nullptr;
}

std::string plain(const json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

bool isOfType(const json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "integer") return value.is_number_integer();
    return type == "number" && value.is_number();
}

std::vector<std::string> typesOf(const SchemaGuide::Rules& rules) {
    const json* type = keyword(rules, "type");
    if (!type) return {};
    if (type->is_string()) return {type->get<std::string>()};
    return type->get<std::vector<std::string>>();
}

/// "a string, a number or an array"
std::string oneOfTypes(const std::vector<std::string>& types) {
    std::string text;
    for (const std::string& type : types) {
        text += text.empty() ? "" : type == types.back() ? " or " : ", ";
        text += (std::string_view("aeio").find(type.front()) == std::string_view::npos ? "a " : "an ") + type;
    }
    return text;
}

std::string limits(const SchemaGuide::Rules& rules) {
    std::string text;
    const auto add = [&](const char* name, const char* sign) {
        if (const json* limit = keyword(rules, name)) text += (text.empty() ? " " : " and ") + (sign + limit->dump());
    };
    add("minimum", ">= ");
    add("exclusiveMinimum", "> ");
    add("maximum", "<= ");
    add("exclusiveMaximum", "< ");
    return text;
}

}  // namespace

const json& SchemaGuide::resolved(const json& schema) const {
    const json* at = &schema;
    while (at->contains("$ref")) {
        at = &m_root.at(json::json_pointer(at->at("$ref").get<std::string>().substr(1)));
    }
    return *at;
}

bool SchemaGuide::holds(const json& condition, const json& value) const {
    if (!value.is_object()) return false;
    if (condition.contains("required")) {
        for (const json& key : condition.at("required")) {
            if (!value.contains(key.get<std::string>())) return false;
        }
    }
    if (!condition.contains("properties")) return true;
    for (const auto& [key, expected] : condition.at("properties").items()) {
        if (!value.contains(key) || value.at(key) != expected.at("const")) return false;
    }
    return true;
}

void SchemaGuide::collect(const json& schema, const json& value, Rules& rules) const {
    const json& here = resolved(schema);
    rules.push_back(&here);
    if (here.contains("allOf")) {
        for (const json& part : here.at("allOf")) collect(part, value, rules);
    }
    if (here.contains("if")) {
        const char* branch = holds(here.at("if"), value) ? "then" : "else";
        if (here.contains(branch)) collect(here.at(branch), value, rules);
    }
}

SchemaGuide::Rules SchemaGuide::applying(const json& schema, const json& value) const {
    Rules rules;
    collect(schema, value, rules);
    return rules;
}

const json* SchemaGuide::fieldSchema(const Rules& rules, const std::string& key) const {
    // Later rules are the more special ones: the definition of an element's type after what all elements share.
    const auto has = [&](const json* rule) {
        return rule->contains("properties") && rule->at("properties").contains(key);
    };
    const auto rule = std::find_if(rules.rbegin(), rules.rend(), has);
    return rule == rules.rend() ? nullptr : &(*rule)->at("properties").at(key);
}

SchemaGuide::Rules SchemaGuide::memberRules(const Rules& rules, const std::string& key, const json& member) const {
    const json* schema = fieldSchema(rules, key);
    return schema ? applying(*schema, member) : Rules{};
}

SchemaGuide::Rules SchemaGuide::itemRules(const Rules& rules, const json& item) const {
    const json* schema = keyword(rules, "items");
    return schema ? applying(*schema, item) : Rules{};
}

std::vector<std::string> SchemaGuide::fields(const Rules& rules) {
    std::vector<std::string> names;
    for (const json* rule : rules) {
        if (!rule->contains("properties")) continue;
        for (const auto& [key, schema] : rule->at("properties").items()) {
            if (std::find(names.begin(), names.end(), key) == names.end()) names.push_back(key);
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool SchemaGuide::isClosed(const Rules& rules) {
    return keyword(rules, "additionalProperties") != nullptr;
}

std::vector<std::string> SchemaGuide::requiredFields(const Rules& rules) {
    std::vector<std::string> names;
    for (const json* rule : rules) {
        if (!rule->contains("required")) continue;
        for (const json& name : rule->at("required")) names.push_back(name.get<std::string>());
    }
    return names;
}

std::vector<std::string> SchemaGuide::exactlyOneOf(const Rules& rules) {
    std::vector<std::string> names;
    if (const json* choices = keyword(rules, "oneOf")) {
        for (const json& choice : *choices) names.push_back(choice.at("required").at(0).get<std::string>());
    }
    return names;
}

std::vector<std::string> SchemaGuide::words(const Rules& rules) {
    std::vector<std::string> list;
    if (const json* values = keyword(rules, "enum")) {
        for (const json& value : *values) list.push_back(plain(value));
    }
    return list;
}

std::string SchemaGuide::phrase(const Rules& rules) const {
    if (const json* constant = keyword(rules, "const")) return plain(*constant);
    const std::vector<std::string> allowed = words(rules);
    if (allowed.size() == 1) return "\"" + allowed.front() + "\"";
    if (!allowed.empty()) return "one of " + join(allowed);
    const std::vector<std::string> types = typesOf(rules);
    if (types.empty()) return "something else";
    if (types.size() > 1) return oneOfTypes(types) + (keyword(rules, "minItems") ? " that is not empty" : "");
    const std::string& type = types.front();
    if (type == "number") return "a number" + limits(rules);
    if (type == "integer") return "a whole number" + limits(rules);
    if (type == "boolean") return "true or false";
    if (type == "object") return "an object with the fields " + join(fields(rules));
    if (type == "string") {
        if (const json* pattern = keyword(rules, "pattern")) return "a text that matches " + plain(*pattern);
        return keyword(rules, "minLength") ? "a text that is not empty" : "a text";
    }
    const json* least = keyword(rules, "minItems");
    const json* most = keyword(rules, "maxItems");
    std::string text = "an array";
    if (least && most && *least == *most) {
        text += " of " + least->dump();
    } else if (least) {
        text += " of at least " + least->dump();
    }
    const json* items = keyword(rules, "items");
    const bool ofNumbers = items && items->contains("type") && items->at("type") == "number";
    const bool isOne = least && *least == 1;
    return text + (ofNumbers ? " numbers" : isOne ? " item" : least ? " items" : "");
}

std::string SchemaGuide::hint(const Rules& rules) {
    std::string text;
    for (const json* rule : rules) {
        if (rule->contains("$comment")) text += "; " + rule->at("$comment").get<std::string>();
    }
    return text;
}

std::string SchemaGuide::fieldDescription(const Rules& rules, const std::string& key) const {
    const json* schema = fieldSchema(rules, key);
    while (schema) {
        if (schema->contains("description")) return schema->at("description").get<std::string>();
        if (!schema->contains("$ref")) break;
        schema = &m_root.at(json::json_pointer(schema->at("$ref").get<std::string>().substr(1)));
    }
    return "";
}

const json* SchemaGuide::fieldDefault(const Rules& rules, const std::string& key) const {
    const json* schema = fieldSchema(rules, key);
    while (schema) {
        if (schema->contains("default")) return &schema->at("default");
        if (!schema->contains("$ref")) break;
        schema = &m_root.at(json::json_pointer(schema->at("$ref").get<std::string>().substr(1)));
    }
    return nullptr;
}

std::string SchemaGuide::fieldPhrase(const Rules& rules, const std::string& key) const {
    const json* schema = fieldSchema(rules, key);
    return schema ? phrase(applying(*schema, json())) : "given";
}

bool SchemaGuide::isWrongItself(const Rules& rules, const json& value) {
    const std::vector<std::string> types = typesOf(rules);
    const bool ofType = types.empty() || std::any_of(types.begin(), types.end(),
                                                     [&](const std::string& type) { return isOfType(value, type); });
    if (!ofType || !value.is_structured() || keyword(rules, "const") || keyword(rules, "enum")) return true;
    if (!value.is_array()) return false;
    const json* least = keyword(rules, "minItems");
    const json* most = keyword(rules, "maxItems");
    return (least && value.size() < least->get<std::size_t>()) || (most && value.size() > most->get<std::size_t>());
}

}  // namespace elasto::scene
