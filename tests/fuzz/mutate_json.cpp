// Changes to JSON as a tree.

#include "mutate_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace elasto::fuzz {

using test::RandomNumbers;

namespace {

using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

/// What a tree cannot hold is written after it has become text: numbers of any form, bytes that are no UTF-8, a key
/// twice, brackets without end.
class RawTexts {
public:
    std::string take(std::string raw) {
        m_raw.push_back(std::move(raw));
        return fmt::format("@raw {}@", m_raw.size() - 1);
    }
    void putInto(std::string& text) const {
        for (std::size_t i = 0; i < m_raw.size(); ++i) {
            const std::string mark = fmt::format("\"@raw {}@\"", i);
            for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos; at += m_raw[i].size()) {
                text.replace(at, mark.size(), m_raw[i]);
            }
        }
    }

private:
    std::vector<std::string> m_raw;
};

void collect(const Json& json, const Pointer& at, std::vector<Pointer>& all) {
    all.push_back(at);
    // The fingerprints of a recording are many, and all alike.
    constexpr std::size_t kMost = 60;
    std::size_t count = 0;
    for (auto item = json.begin(); json.is_structured() && item != json.end() && count < kMost; ++item, ++count) {
        collect(*item, json.is_object() ? at / item.key() : at / count, all);
    }
}

std::vector<Pointer> placesIn(const Json& document) {
    std::vector<Pointer> places;
    collect(document, Pointer(), places);
    return places;
}

const Pointer& oneOf(const std::vector<Pointer>& places, RandomNumbers& random) {
    return places[static_cast<std::size_t>(random.below(static_cast<int>(places.size())))];
}

/// A place for which something holds; the root if there is none.
template <typename Test>
Pointer placeWhere(const Json& document, RandomNumbers& random, const Test& test) {
    std::vector<Pointer> places;
    for (const Pointer& place : placesIn(document)) {
        if (test(place, document[place])) places.push_back(place);
    }
    return places.empty() ? Pointer() : oneOf(places, random);
}

/// The index of a pointer's last part in its array; -1 in an object.
int indexIn(const Json& parent, const Pointer& place) {
    return parent.is_array() ? std::stoi(place.back()) : -1;
}

void erase(Json& document, const Pointer& place) {
    if (place.empty()) return;
    Json& parent = document[place.parent_pointer()];
    if (parent.is_array()) {
        parent.erase(static_cast<std::size_t>(indexIn(parent, place)));
    } else {
        parent.erase(place.back());
    }
}

std::string quoted(const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The same object with another key in the place of one; both keys if the old one stays.
void rekey(Json& object, const std::string& old, const std::string& key, bool keepsOld) {
    Json changed = Json::object();
    for (auto item = object.begin(); item != object.end(); ++item) {
        if (item.key() != old || keepsOld) changed[item.key()] = *item;
        if (item.key() == old) changed[key] = *item;
    }
    object = std::move(changed);
}

void changeNumber(Json& document, RandomNumbers& random, std::string& changes) {
    const Pointer place = placeWhere(document, random, [](const Pointer&, const Json& j) { return j.is_number(); });
    if (place.empty()) return;
    Json& value = document[place];
    const double number = otherNumber(value.get<double>(), random);
    if (value.is_number_integer() && std::abs(number) < 1e9) {
        value = static_cast<long>(number);
    } else {
        value = number;
    }
    changes += fmt::format(" {}={}", place.to_string(), value.dump());
}

/// A value takes that of another place with the same last key, which may be of another file.
void takeOther(Json& document, const Json& other, RandomNumbers& random, std::string& changes) {
    const Pointer place = placeWhere(document, random, [](const Pointer& p, const Json&) { return !p.empty(); });
    if (place.empty()) return;
    const Pointer source = placeWhere(
        other, random, [&](const Pointer& p, const Json&) { return !p.empty() && p.back() == place.back(); });
    if (source.empty()) return;
    document[place] = Json(other[source]);
    changes += fmt::format(" {}<-{}", place.to_string(), source.to_string());
}

void changeKey(Json& document, RandomNumbers& random, RawTexts& raw, std::string& changes) {
    const Pointer place = placeWhere(document, random, [&](const Pointer& p, const Json&) {
        return !p.empty() && document[p.parent_pointer()].is_object();
    });
    if (place.empty()) return;
    const std::string key = place.back();
    std::string name;
    bool isTwin = false;
    switch (random.below(4)) {
        case 0:
            name = key + "x";
            break;
        case 1:
            name = raw.take("\"" + absurdText(random) + "\"");
            break;
        case 2:
            name = raw.take(quoted(key));
            isTwin = true;
            break;
        default: {
            const Pointer other = oneOf(placesIn(document), random);
            name = other.empty() ? "" : other.back();
        }
    }
    rekey(document[place.parent_pointer()], key, name, isTwin);
    changes += fmt::format(" {}-key-{}", place.to_string(), isTwin ? "twice" : name);
}

Json otherType(const Json& value, RandomNumbers& random) {
    switch (random.below(8)) {
        case 0:
            return nullptr;
        case 1:
            return random.chance(0.5);
        case 2:
            return random.below(3);
        case 3:
            return Json(value.dump(-1, ' ', false, Json::error_handler_t::replace));
        case 4: {
            Json array = Json::array();
            array.push_back(value);
            return array;
        }
        case 5:
            return Json::object();
        case 6:
            return Json::array();
        default:
            return "nobody";
    }
}

std::string nested(RandomNumbers& random) {
    const std::size_t depth = static_cast<std::size_t>(random.logarithmic(1, 5));
    const bool isObject = random.chance(0.5);
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += isObject ? "{\"a\":" : "[";
    text += "0";
    return text + std::string(depth, isObject ? '}' : ']');
}

void repeatItems(Json& document, RandomNumbers& random, std::string& changes) {
    const Pointer place =
        placeWhere(document, random, [](const Pointer&, const Json& j) { return j.is_array() && !j.empty(); });
    if (place.empty()) return;
    Json& array = document[place];
    const int times = random.chance(0.7) ? 1 : 200;
    const Json item = array[static_cast<std::size_t>(random.below(static_cast<int>(array.size())))];
    for (int i = 0; i < times; ++i) {
        array.push_back(item);
        if (item.is_object() && item.contains("name") && random.chance(0.8)) {
            array.back()["name"] = fmt::format("more{}", i);
        }
    }
    changes += fmt::format(" {}+{}", place.to_string(), times);
}

void changeAnything(Json& document, RandomNumbers& random, RawTexts& raw, std::string& changes) {
    const std::vector<Pointer> places = placesIn(document);
    const Pointer place = oneOf(places, random);
    const Pointer other = oneOf(places, random);
    const std::string name = place.to_string();
    switch (random.below(9)) {
        case 0:
            erase(document, place);
            changes += " erase-" + name;
            break;
        case 1:
            changeKey(document, random, raw, changes);
            break;
        case 2: {
            const Json copy = document[other];
            document[place] = copy;
            changes += fmt::format(" {}<-{}", name, other.to_string());
            break;
        }
        case 3:
            document[place] = otherType(Json(document[place]), random);
            changes += " type-of-" + name;
            break;
        case 4: {
            const Pointer number =
                placeWhere(document, random, [](const Pointer&, const Json& j) { return j.is_number(); });
            const std::string absurd = absurdNumber(random);
            changes += fmt::format(" {}={}", number.to_string(), absurd);
            document[number] = raw.take(absurd);
            break;
        }
        case 5: {
            const Pointer text =
                placeWhere(document, random, [](const Pointer&, const Json& j) { return j.is_string(); });
            const std::string absurd = absurdText(random);
            changes += fmt::format(" {}-absurd-text", text.to_string());
            document[text] = raw.take(random.chance(0.5) ? quoted(absurd) : "\"" + absurd + "\"");
            break;
        }
        case 6: {
            const Pointer text =
                placeWhere(document, random, [](const Pointer&, const Json& j) { return j.is_string(); });
            const Pointer from =
                placeWhere(document, random, [](const Pointer&, const Json& j) { return j.is_string(); });
            const Json copy = random.chance(0.3) ? Json("nobody") : Json(document[from]);
            document[text] = copy;
            changes += fmt::format(" {}<-{}", text.to_string(), from.to_string());
            break;
        }
        case 7:
            document[place] = raw.take(nested(random));
            changes += " deep-" + name;
            break;
        default:
            repeatItems(document, random, changes);
            break;
    }
}

}  // namespace

std::string mutateJson(const std::string& text, const std::string& other, bool staysValid, RandomNumbers& random,
                       std::string& changes) {
    if (isDeep(text)) return mutateBytes(text, random, changes);
    Json document = Json::parse(text, nullptr, false);
    Json source = Json::parse(other, nullptr, false);
    if (document.is_discarded() || source.is_discarded()) return mutateBytes(text, random, changes);
    RawTexts raw;
    const int times = random.chance(0.5) ? 1 : 2 + random.below(3);
    for (int i = 0; i < times && document.is_structured(); ++i) {
        if (staysValid && random.chance(0.7)) {
            changeNumber(document, random, changes);
        } else if (staysValid) {
            takeOther(document, source, random, changes);
        } else {
            changeAnything(document, random, raw, changes);
        }
    }
    std::string changed = document.dump(1, ' ', false, Json::error_handler_t::replace);
    raw.putInto(changed);
    return changed;
}

}  // namespace elasto::fuzz
