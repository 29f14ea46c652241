#include "schema_check.h"

#include "schema_guide.h"

#include <elasto/scene/load_scene.h>

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <algorithm>
#include <set>

namespace elasto::scene {

using nlohmann::json;

namespace {

struct ParsedSchema {
    explicit ParsedSchema(std::string_view source) : text(json::parse(source)), guide(text) {
        const valijson::adapters::NlohmannJsonAdapter adapter(text);
        valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
        parser.populateSchema(adapter, schema);
    }
    json text;
    SchemaGuide guide;
    valijson::Schema schema;
};

/// Keys and indices from the document's root to the place of a violation.
using Steps = std::vector<std::string>;

/// The validator writes its context as "<root>", "[elements]", "[2]".
Steps stepsOf(const std::vector<std::string>& context) {
    Steps steps;
    for (const std::string& part : context) {
        if (part.size() > 2 && part.front() == '[') steps.push_back(part.substr(1, part.size() - 2));
    }
    return steps;
}

std::string shortText(const json& value) {
    constexpr std::size_t kLongest = 60;
    const std::string text = value.dump();
    if (text.size() <= kLongest) return text;
    std::size_t end = kLongest - 3;
    while ((static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not within a character
    return text.substr(0, end) + "...";
}

/// Words the violations of one document.
class Wording {
public:
    Wording(const SchemaGuide& guide, const json& document, Problems& problems)
        : m_guide(guide), m_document(document), m_problems(problems) {}

    /// @param hasInner whether violations were found within this place; then this one may only sum them up
    void word(const Steps& steps, bool hasInner, const std::string& fallback) {
        const json* value = &m_document;
        SchemaGuide::Rules rules = m_guide.rootRules(m_document);
        std::string path;
        for (const std::string& step : steps) {
            if (value->is_array()) {
                value = &value->at(std::stoul(step));
                rules = m_guide.itemRules(rules, *value);
            } else {
                value = &value->at(step);
                rules = m_guide.memberRules(rules, step, *value);
            }
            path += pathStep(step);
        }
        if (SchemaGuide::isWrongItself(rules, *value)) {
            wordValue(path, steps.empty() ? "the document" : steps.back(), rules, *value);
        } else if (!(value->is_object() && wordFields(path, rules, *value)) && !hasInner) {
            m_problems.add(path, shortText(*value) + " is not allowed: " + fallback);
        }
    }

private:
    void wordValue(const std::string& path, const std::string& field, const SchemaGuide::Rules& rules,
                   const json& value) {
        std::string message = shortText(value) + " is not allowed; ";
        const bool isItem = !field.empty() && field.find_first_not_of("0123456789") == std::string::npos;
        message += (isItem ? "it" : field) + " must be " + m_guide.phrase(rules);
        if (value.is_string()) message += didYouMean(value.get<std::string>(), SchemaGuide::words(rules));
        message += SchemaGuide::hint(rules);
        m_problems.add(path, message);
    }

    /// Unknown, missing and exclusive fields of an object. @return whether there were any
    bool wordFields(const std::string& path, const SchemaGuide::Rules& rules, const json& object) {
        bool found = false;
        const std::vector<std::string> allowed = SchemaGuide::fields(rules);
        if (SchemaGuide::isClosed(rules)) {
            for (const auto& [key, value] : object.items()) {
                if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
                const std::string proposal = didYouMean(key, allowed);
                m_problems.add(path + pathStep(key), shortText(value) + " is not allowed: unknown field" + proposal +
                                                         (proposal.empty() ? "." : "") + " Allowed: " + join(allowed));
                found = true;
            }
        }
        for (const std::string& key : SchemaGuide::requiredFields(rules)) {
            if (object.contains(key)) continue;
            const std::string description = m_guide.fieldDescription(rules, key);
            m_problems.add(path + pathStep(key), "is missing; it must be " + m_guide.fieldPhrase(rules, key) +
                                                     (description.empty() ? "" : ". " + description));
            found = true;
        }
        const std::vector<std::string> choices = SchemaGuide::exactlyOneOf(rules);
        const auto given =
            std::count_if(choices.begin(), choices.end(), [&](const std::string& key) { return object.contains(key); });
        if (!choices.empty() && given != 1) {
            m_problems.add(path, std::to_string(given) + " of " + join(choices) + " are given; exactly one must be");
            found = true;
        }
        return found;
    }

    const SchemaGuide& m_guide;
    const json& m_document;
    Problems& m_problems;
};

void checkBy(const ParsedSchema& parsed, const json& document, Problems& problems) {
    valijson::Validator validator;
    valijson::ValidationResults results;
    const valijson::adapters::NlohmannJsonAdapter adapter(document);
    if (validator.validate(parsed.schema, adapter, &results)) return;

    // Besides a violation the validator reports everything around it as violated too, and a place may be reported by
    // several rules: keep each place once.
    std::set<Steps> seen;
    std::set<Steps> outer;  // places with violations within them
    std::vector<std::pair<Steps, std::string>> places;
    for (const valijson::ValidationResults::Error& error : results) {
        Steps steps = stepsOf(error.context);
        if (!seen.insert(steps).second) continue;
        places.emplace_back(steps, error.description);
        while (!steps.empty()) {
            steps.pop_back();
            if (!outer.insert(steps).second) break;  // and what is around it too
        }
    }
    Wording wording(parsed.guide, document, problems);
    for (const auto& [steps, description] : places) wording.word(steps, outer.count(steps) != 0, description);
}

}  // namespace

void checkSchema(const json& document, Problems& problems) {
    static const ParsedSchema parsed(sceneSchema());
    checkBy(parsed, document, problems);
}

void checkSchema(const json& document, std::string_view schema, Problems& problems) {
    checkBy(ParsedSchema(schema), document, problems);
}

}  // namespace elasto::scene
