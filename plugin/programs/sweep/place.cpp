#include "place.h"

#include "schema_guide.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace elasto::sweep {

using nlohmann::json;

namespace {

/// A step of a place: a key, or an item counted from 0.
struct Step {
    std::string key;
    std::optional<std::size_t> item;
};

/// "cart.position[2]" -> cart, position, item 1. Nothing if it is not of that form.
std::optional<std::vector<Step>> stepsOf(std::string_view text) {
    std::vector<Step> steps;
    while (!text.empty()) {
        const bool isItem = text.front() == '[';
        if (isItem) {
            std::size_t number = 0;
            const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
            if (error != std::errc() || number == 0 || end == text.data() + text.size() || *end != ']') return {};
            steps.push_back({"", number - 1});
            text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
        } else {
            if (!steps.empty()) text.remove_prefix(1);  // the point
            const std::size_t end = std::min(text.find_first_of(".["), text.size());
            if (end == 0) return {};
            steps.push_back({std::string(text.substr(0, end)), {}});
            text.remove_prefix(end);
        }
        if (!text.empty() && text.front() != '.' && text.front() != '[') return {};
    }
    return steps;
}

/// Whether an item of an array goes by a name, or belongs to a robot's joint or element of that name.
bool isNamed(const json& item, const std::string& name) {
    if (!item.is_object()) return false;
    for (const char* key : {"name", "joint", "element"}) {
        if (item.contains(key)) return item.at(key) == name;
    }
    return false;
}

std::optional<std::size_t> indexOf(const json& array, const std::string& name) {
    const auto found = std::find_if(array.begin(), array.end(), [&](const json& item) { return isNamed(item, name); });
    if (found == array.end()) return std::nullopt;
    return static_cast<std::size_t>(found - array.begin());
}

class Finder {
public:
    Finder(const std::string& text, json& document, std::string_view schema, const std::string& where,
           scene::Problems& problems)
        : m_text(text), m_document(document), m_guide(json::parse(schema)), m_where(where), m_problems(problems) {}

    Pointer find() {
        const std::optional<Pointer> place = m_text.starts_with('/') ? pointer() : named();
        return place && isSettable(*place) ? *place : Pointer();
    }

private:
    std::optional<Pointer> refuse(const std::string& reason) {
        m_problems.add(m_where, json(m_text).dump() + " is not allowed; " + reason);
        return std::nullopt;
    }

    std::optional<Pointer> pointer() {
        try {
            return Pointer(m_text);
        } catch (const json::exception&) {
            return refuse("it must be a JSON pointer such as /loads/0/frequency");
        }
    }

    std::optional<Pointer> named() {
        const std::optional<std::vector<Step>> steps = stepsOf(m_text);
        if (!steps || steps->empty())
            return refuse("it must be like gap.c, cart.position[2] (counted from 1) or /loads/0/frequency");
        Pointer place;
        std::size_t first = 0;
        if (!isRootField(steps->front().key)) {
            const std::optional<Pointer> owner = ownerOf(steps->front().key);
            if (!owner) return std::nullopt;
            place = *owner;
            first = 1;
            if (steps->size() == 1) return refuse("it must name one of its fields, as in " + m_text + ".c");
        }
        for (std::size_t i = first; i < steps->size(); ++i) {
            const Step& step = (*steps)[i];
            const json* here = m_document.contains(place) ? &m_document.at(place) : nullptr;
            if (step.item) {
                place /= *step.item;
            } else if (here != nullptr && here->is_array()) {
                const std::optional<std::size_t> index = indexOf(*here, step.key);
                if (!index) return refuse("no item of " + place.to_string() + " is for \"" + step.key + "\"");
                place /= *index;
            } else {
                place /= step.key;
            }
        }
        return place;
    }

    bool isRootField(const std::string& key) const {
        const std::vector<std::string> fields = scene::SchemaGuide::fields(m_guide.rootRules(m_document));
        return std::find(fields.begin(), fields.end(), key) != fields.end();
    }

    /// The object of a name, in any of the document's arrays.
    std::optional<Pointer> ownerOf(const std::string& name) {
        std::vector<std::string> names;
        for (const auto& [key, array] : m_document.items()) {
            if (!array.is_array()) continue;
            if (const std::optional<std::size_t> index = indexOf(array, name)) return Pointer() / key / *index;
            for (const json& item : array) {
                if (item.is_object() && item.contains("name")) names.push_back(item.at("name").get<std::string>());
            }
        }
        const std::string proposal = scene::didYouMean(name, names);
        return refuse("the scene has nothing of that name" + proposal +
                      (names.empty() ? "" : (proposal.empty() ? "." : "") + (" Names: " + scene::joinFirst(names))));
    }

    /// Follows the place through document and schema.
    bool isSettable(const Pointer& place) {
        std::vector<std::string> keys;
        for (Pointer rest = place; !rest.empty(); rest.pop_back()) keys.insert(keys.begin(), rest.back());
        json nothing;
        json* value = &m_document;
        scene::SchemaGuide::Rules rules = m_guide.rootRules(m_document);
        for (const std::string& key : keys) {
            if (value->is_array()) {
                std::size_t index = 0;
                const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
                if (error != std::errc() || *end != '\0' || index >= value->size()) {
                    refuse("there is no such item: the array has " + std::to_string(value->size()));
                    return false;
                }
                value = &value->at(index);
                rules = m_guide.itemRules(rules, *value);
                continue;
            }
            const std::vector<std::string> fields = scene::SchemaGuide::fields(rules);
            if (value->is_primitive() && !value->is_null()) {
                refuse("what it is to be within has no fields: " + value->dump());
                return false;
            }
            if (std::find(fields.begin(), fields.end(), key) == fields.end()) {
                const std::string proposal = scene::didYouMean(key, fields);
                refuse("there is no field " + key + proposal +
                       (fields.empty() ? "" : (proposal.empty() ? "." : "") + (" Fields: " + scene::join(fields))));
                return false;
            }
            if (!value->contains(key)) {
                const json* standard = m_guide.fieldDefault(rules, key);
                if (standard != nullptr && standard->is_array()) (*value)[key] = *standard;
            }
            value = value->contains(key) ? &value->at(key) : &nothing;
            rules = m_guide.memberRules(rules, key, *value);
        }
        if (value->is_structured()) {
            refuse(std::string("it is an ") + (value->is_array() ? "array" : "object") +
                   "; it must be one value within it");
            return false;
        }
        return true;
    }

    const std::string& m_text;
    json& m_document;
    scene::SchemaGuide m_guide;
    const std::string& m_where;
    scene::Problems& m_problems;
};

}  // namespace

Pointer findPlace(const std::string& text, json& document, std::string_view schema, const std::string& where,
                  scene::Problems& problems) {
    return Finder(text, document, schema, where, problems).find();
}

}  // namespace elasto::sweep
