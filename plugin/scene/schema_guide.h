#pragma once
/// @file schema_guide.h
/// Reads a JSON schema the way a person does: what is allowed at a place of a document.
///
/// It decides nothing: whether a document is valid, and where it is not, says the validator. It knows the keywords that
/// our schema uses: $ref, allOf, if/then/else on a constant, properties, required, oneOf of required, items, type,
/// enum, const, limits of numbers, texts and arrays.

#include <elasto/export.h>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace elasto::scene {

class ELASTO_API SchemaGuide {
public:
    /// The schemas that apply to one place of the document.
    using Rules = std::vector<const nlohmann::json*>;

    explicit SchemaGuide(nlohmann::json schema) : m_root(std::move(schema)) {}

    Rules rootRules(const nlohmann::json& document) const { return applying(m_root, document); }
    /// Rules for a member (by key) or an item of something that the given rules apply to.
    Rules memberRules(const Rules& rules, const std::string& key, const nlohmann::json& member) const;
    Rules itemRules(const Rules& rules, const nlohmann::json& item) const;

    /// Fields of an object that the rules name.
    static std::vector<std::string> fields(const Rules& rules);
    /// True if other fields are refused.
    static bool isClosed(const Rules& rules);
    /// Fields that must be given.
    static std::vector<std::string> requiredFields(const Rules& rules);
    /// Fields of which exactly one must be given; empty if there is no such rule.
    static std::vector<std::string> exactlyOneOf(const Rules& rules);
    /// Allowed words where there is an enum.
    static std::vector<std::string> words(const Rules& rules);
    /// What is allowed, as a phrase that follows "must be": "a number > 0", "one of x, y".
    std::string phrase(const Rules& rules) const;
    /// What else helps where the value is wrong ($comment in the schema): "; ...", or "".
    static std::string hint(const Rules& rules);
    /// Description of a field, "" if there is none.
    std::string fieldDescription(const Rules& rules, const std::string& key) const;
    /// What stands for a field that is not there, null if the schema does not say it.
    const nlohmann::json* fieldDefault(const Rules& rules, const std::string& key) const;
    /// Phrase for a field that is not there.
    std::string fieldPhrase(const Rules& rules, const std::string& key) const;
    /// True if the value is of a wrong type or, an array, of a wrong size: the mistake is the value itself and not
    /// something within it.
    static bool isWrongItself(const Rules& rules, const nlohmann::json& value);

private:
    const nlohmann::json& resolved(const nlohmann::json& schema) const;
    Rules applying(const nlohmann::json& schema, const nlohmann::json& value) const;
    void collect(const nlohmann::json& schema, const nlohmann::json& value, Rules& rules) const;
    bool holds(const nlohmann::json& condition, const nlohmann::json& value) const;
    const nlohmann::json* fieldSchema(const Rules& rules, const std::string& key) const;

    nlohmann::json m_root;
};

}  // namespace elasto::scene
