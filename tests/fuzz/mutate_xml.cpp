// Changes to XML as a tree.

#include "mutate_file.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <sstream>

namespace elasto::fuzz {

using test::RandomNumbers;
using tinyxml2::XMLAttribute;
using tinyxml2::XMLDocument;
using tinyxml2::XMLElement;

namespace {

void collect(XMLElement* element, std::vector<XMLElement*>& all) {
    for (; element != nullptr; element = element->NextSiblingElement()) {
        all.push_back(element);
        collect(element->FirstChildElement(), all);
    }
}

std::vector<XMLElement*> elementsOf(XMLDocument& document) {
    std::vector<XMLElement*> all;
    collect(document.RootElement(), all);
    return all;
}

XMLElement* oneOf(const std::vector<XMLElement*>& elements, RandomNumbers& random) {
    return elements[static_cast<std::size_t>(random.below(static_cast<int>(elements.size())))];
}

struct Place {
    XMLElement* element = nullptr;
    std::string name;
    std::string value;
};

std::vector<Place> attributesOf(XMLDocument& document) {
    std::vector<Place> places;
    for (XMLElement* element : elementsOf(document)) {
        for (const XMLAttribute* a = element->FirstAttribute(); a != nullptr; a = a->Next()) {
            places.push_back({element, a->Name(), a->Value()});
        }
    }
    return places;
}

const Place& oneOf(const std::vector<Place>& places, RandomNumbers& random) {
    return places[static_cast<std::size_t>(random.below(static_cast<int>(places.size())))];
}

std::vector<std::string> wordsOf(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

bool isNumber(const std::string& word) {
    std::size_t end = 0;
    try {
        std::stod(word, &end);
    } catch (const std::exception&) {
        return false;
    }
    return end == word.size();
}

/// One of the numbers of an attribute becomes another one.
void changeNumber(XMLDocument& document, bool isAbsurd, RandomNumbers& random, std::string& changes) {
    std::vector<Place> numbers;
    for (Place& place : attributesOf(document)) {
        const std::vector<std::string> words = wordsOf(place.value);
        if (!words.empty() && isNumber(words.front())) numbers.push_back(std::move(place));
    }
    if (numbers.empty()) return;
    const Place& place = oneOf(numbers, random);
    std::vector<std::string> words = wordsOf(place.value);
    std::string& word = words[static_cast<std::size_t>(random.below(static_cast<int>(words.size())))];
    if (isAbsurd || !isNumber(word)) {
        word = absurdNumber(random);
    } else {
        word = fmt::format("{}", otherNumber(std::stod(word), random));
    }
    if (isAbsurd && random.chance(0.1)) words.push_back("1");
    const std::string value = fmt::format("{}", fmt::join(words, " "));
    place.element->SetAttribute(place.name.c_str(), value.c_str());
    changes += fmt::format(" {}.{}={}", place.element->Name(), place.name, value);
}

/// An attribute takes the value of another one of that name, which may be in another file.
void takeOther(XMLDocument& document, XMLDocument& other, RandomNumbers& random, std::string& changes) {
    const std::vector<Place> places = attributesOf(document);
    if (places.empty()) return;
    const Place place = oneOf(places, random);
    std::vector<Place> sources;
    for (Place& source : attributesOf(other)) {
        if (source.name == place.name) sources.push_back(std::move(source));
    }
    if (sources.empty()) return;
    const std::string& value = oneOf(sources, random).value;
    place.element->SetAttribute(place.name.c_str(), value.c_str());
    changes += fmt::format(" {}.{}={}", place.element->Name(), place.name, value);
}

bool isAbove(const tinyxml2::XMLNode* node, const XMLElement* element) {
    for (const tinyxml2::XMLNode* at = element; at != nullptr; at = at->Parent()) {
        if (at == node) return true;
    }
    return false;
}

void changeElement(XMLDocument& document, RandomNumbers& random, std::string& changes) {
    const std::vector<XMLElement*> elements = elementsOf(document);
    // What is copied over and over would fill the memory.
    constexpr std::size_t kMost = 2000;
    if (elements.size() > kMost) return;
    XMLElement* const element = oneOf(elements, random);
    XMLElement* const other = oneOf(elements, random);
    const bool isRoot = element == document.RootElement();
    const std::string name = element->Name();
    switch (random.below(6)) {
        case 0:
            if (isRoot) return;
            changes += " erase-" + name;
            document.DeleteNode(element);
            return;
        case 1:
            if (isRoot) return;
            changes += " twice-" + name;
            element->Parent()->InsertAfterChild(element, element->DeepClone(&document));
            return;
        case 2:
            if (isAbove(element, other)) return;
            changes += fmt::format(" {}-into-{}", name, other->Name());
            other->InsertEndChild(element->DeepClone(&document));
            if (random.chance(0.5) && !isRoot) document.DeleteNode(element);
            return;
        case 3: {
            const std::string otherName = random.chance(0.5) ? other->Name() : name + "x";
            changes += fmt::format(" {}-named-{}", name, otherName);
            element->SetName(otherName.c_str());
            return;
        }
        case 4: {
            changes += " deep-" + name;
            const int depth = static_cast<int>(random.logarithmic(1, 2.8));
            tinyxml2::XMLNode* at = element;
            for (int i = 0; i < depth; ++i) at = at->InsertEndChild(document.NewElement("link"));
            return;
        }
        default: {
            const int times = random.chance(0.7) ? 3 : 100;
            if (isRoot) return;
            changes += fmt::format(" {}x{}", name, times);
            for (int i = 0; i < times; ++i) {
                XMLElement* const more = element->DeepClone(&document)->ToElement();
                if (random.chance(0.8) && more->Attribute("name") != nullptr) {
                    more->SetAttribute("name", fmt::format("more{}", i).c_str());
                }
                element->Parent()->InsertEndChild(more);
            }
        }
    }
}

void changeAttribute(XMLDocument& document, RandomNumbers& random, std::string& changes) {
    const std::vector<Place> places = attributesOf(document);
    if (places.empty()) return;
    const Place place = oneOf(places, random);
    const Place other = oneOf(places, random);
    changes += fmt::format(" {}.{}", place.element->Name(), place.name);
    switch (random.below(6)) {
        case 0:
            place.element->DeleteAttribute(place.name.c_str());
            changes += "-erased";
            return;
        case 1:
            place.element->DeleteAttribute(place.name.c_str());
            place.element->SetAttribute(random.chance(0.5) ? other.name.c_str() : (place.name + "x").c_str(),
                                        place.value.c_str());
            changes += "-renamed";
            return;
        case 2:
            place.element->SetAttribute(place.name.c_str(), other.value.c_str());
            changes += "=" + other.value;
            return;
        case 3:
            place.element->SetAttribute(other.name.c_str(), other.value.c_str());
            changes += fmt::format("+{}={}", other.name, other.value);
            return;
        case 4:
            place.element->SetAttribute(place.name.c_str(), "nobody");
            changes += "=nobody";
            return;
        default:
            place.element->SetAttribute(place.name.c_str(), absurdText(random).c_str());
            changes += "-absurd-text";
            return;
    }
}

}  // namespace

std::string mutateXml(const std::string& text, const std::string& other, bool staysValid, RandomNumbers& random,
                      std::string& changes) {
    XMLDocument document;
    XMLDocument source;
    const bool isRead = document.Parse(text.data(), text.size()) == tinyxml2::XML_SUCCESS &&
                        source.Parse(other.data(), other.size()) == tinyxml2::XML_SUCCESS;
    if (!isRead || document.RootElement() == nullptr || source.RootElement() == nullptr) {
        return mutateBytes(text, random, changes);
    }
    const int times = random.chance(0.5) ? 1 : 2 + random.below(3);
    for (int i = 0; i < times; ++i) {
        if (staysValid && random.chance(0.7)) {
            changeNumber(document, false, random, changes);
        } else if (staysValid) {
            takeOther(document, source, random, changes);
        } else if (random.chance(0.3)) {
            changeNumber(document, true, random, changes);
        } else if (random.chance(0.5)) {
            changeElement(document, random, changes);
        } else {
            changeAttribute(document, random, changes);
        }
    }
    tinyxml2::XMLPrinter printer;
    document.Print(&printer);
    return printer.CStr();
}

}  // namespace elasto::fuzz
