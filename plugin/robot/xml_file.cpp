#include "xml_file.h"

#include "json_text.h"

#include <elasto/force_terms.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace elasto::robot {

using tinyxml2::XMLElement;

namespace {

constexpr std::string_view kSpaces = " \t\r\n";
/// What may stand between numbers: some files have commas there, and most readers take them.
constexpr std::string_view kBetween = " \t\r\n,";

std::string inQuotes(std::string_view text) {
    return "\"" + std::string(text) + "\"";
}

/// Whether XML allows a byte. Of the control characters it allows white space only.
bool isByteOfXml(char byte) {
    return static_cast<unsigned char>(byte) >= 0x20 || (byte != '\0' && kSpaces.find(byte) != std::string_view::npos);
}

/// Whether XML has such a character, by its number in Unicode.
bool isCharacterOfXml(std::uint32_t code) {
    if (code < 0x20) return isByteOfXml(static_cast<char>(code));
    return code < 0xd800 || (code > 0xdfff && code < 0xfffe) || (code > 0xffff && code < 0x110000);
}

/// Whether a text between & and ; stands for a character: amp, #38, #x26.
bool isReference(std::string_view name) {
    for (const char* known : {"amp", "lt", "gt", "quot", "apos"}) {
        if (name == known) return true;
    }
    if (!name.starts_with('#')) return false;
    name.remove_prefix(1);
    const bool isHex = name.starts_with('x');
    if (isHex) name.remove_prefix(1);
    std::uint32_t code = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), code, isHex ? 16 : 10);
    return error == std::errc() && end == name.data() + name.size() && isCharacterOfXml(code);
}

/// Most attributes of an element: parsers compare each with all before it.
constexpr int kMostAttributes = 1000;

/// The line of a tag with more attributes than that; 0 if there is none.
int crowdedLine(std::string_view text) {
    int line = 1;
    int attributes = 0;
    bool isInTag = false;
    char quote = '\0';
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char byte = text[i];
        if (byte == '\n') ++line;
        if (quote != '\0') {
            if (byte == quote) quote = '\0';
        } else if (!isInTag) {
            // Comments and the like are no tags: what stands in them counts for nothing.
            isInTag = byte == '<' && i + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[i + 1])) != 0;
            attributes = 0;
        } else if (byte == '>') {
            isInTag = false;
        } else if (byte == '"' || byte == '\'') {
            quote = byte;
            if (++attributes > kMostAttributes) return line;
        }
    }
    return 0;
}

bool hasControlCharacter(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char byte) { return static_cast<unsigned char>(byte) < 0x20; });
}

/// The first & of an attribute's text, with what follows, that does not stand for a character; else nothing.
std::string wrongReference(std::string_view text) {
    for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
        const std::size_t end = text.find_first_of("&; ", at + 1);
        const bool isClosed = end != std::string_view::npos && text[end] == ';';
        if (!isClosed) return std::string(text.substr(at, end - at));
        if (!isReference(text.substr(at + 1, end - at - 1))) return std::string(text.substr(at, end - at + 1));
    }
    return {};
}

/// The element after one in the file, or null.
const XMLElement* nextOf(const XMLElement& element) {
    if (const XMLElement* child = element.FirstChildElement()) return child;
    const tinyxml2::XMLNode* node = &element;
    while (node != nullptr && node->NextSiblingElement() == nullptr) node = node->Parent();
    return node == nullptr ? nullptr : node->NextSiblingElement();
}

/// tinyxml2's own words for a mistake carry its name of the error and file positions that are given anyway.
std::string syntaxError(const tinyxml2::XMLDocument& document) {
    switch (document.ErrorID()) {
        case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
            return "is no XML: the file is empty";
        case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
            return "is no XML: a tag is closed that is not the one open";
        case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
            return "is no XML: an attribute must be name=\"value\", and be given once";
        case tinyxml2::XML_ERROR_PARSING_ELEMENT:
            return "is no XML: a tag must be <name ...>, <name .../> or </name>";
        case tinyxml2::XML_ERROR_PARSING_TEXT:
            return "is no XML: a text stands outside of the file's one element, or that is not closed";
        case tinyxml2::XML_ERROR_PARSING_DECLARATION:
            return "is no XML: <?xml ...?> may only be the first in the file";
        case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
            return "is refused: elements are nested too deep";
        default:
            return std::string("is no XML (") + tinyxml2::XMLDocument::ErrorIDToName(document.ErrorID()) + ")";
    }
}

}  // namespace

std::optional<double> parseNumber(std::string_view text) {
    // from_chars takes no plus sign; XML's numbers may have one.
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<double> parseText(std::string_view text) {
    const std::vector<std::string_view> parts = wordsOf(text, kSpaces);
    return parts.size() == 1 ? parseNumber(parts[0]) : std::nullopt;
}

std::string tagOf(const XMLElement& element) {
    std::string tag = "<" + std::string(element.Name());
    for (const char* attribute : {"name", "joint", "link", "filename"}) {
        if (const char* value = element.Attribute(attribute)) {
            return tag + " " + attribute + "=" + inQuotes(value) + ">";
        }
    }
    return tag + ">";
}

std::vector<std::string_view> wordsOf(std::string_view text, std::string_view between) {
    std::vector<std::string_view> found;
    for (std::size_t begin = text.find_first_not_of(between); begin != std::string_view::npos;
         begin = text.find_first_not_of(between, begin)) {
        const std::size_t end = std::min(text.find_first_of(between, begin), text.size());
        found.push_back(text.substr(begin, end - begin));
        begin = end;
    }
    return found;
}

XmlFile::XmlFile(std::string name, std::string_view text, Problems& problems, Problems& warnings)
    : m_name(std::move(name)), m_problems(problems), m_warnings(warnings) {
    // Some programs end a text so.
    const std::size_t last = text.find_last_not_of('\0');
    if (last != std::string_view::npos && last + 1 < text.size()) {
        text = text.substr(0, last + 1);
        warnOnce("end of text", static_cast<int>(1 + std::count(text.begin(), text.end(), '\n')),
                 [] { return "bytes of value 0 at the end are passed over"; });
    }
    // Not for the parser: a byte of value 0 would end the text, and what follows it would silently be left out.
    if (const auto wrong = std::find_if_not(text.begin(), text.end(), isByteOfXml); wrong != text.end()) {
        const auto line = 1 + std::count(text.begin(), wrong, '\n');
        problem(static_cast<int>(line), "is no XML: a byte of value " + std::to_string(*wrong));
        return;
    }
    if (const int line = crowdedLine(text); line > 0) {
        problem(line, "is refused: an element may have at most " + std::to_string(kMostAttributes) + " attributes");
        return;
    }
    if (m_document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
        problem(m_document.ErrorLineNum(), syntaxError(m_document));
        return;
    }
    const XMLElement* root = m_document.RootElement();
    if (root == nullptr) {
        problem(0, "is no XML: there is no element");
        return;
    }
    for (const tinyxml2::XMLNode* next = root->NextSibling(); next != nullptr; next = next->NextSibling()) {
        if (next->ToElement() == nullptr) continue;
        problem(next->GetLineNum(), tagOf(*next->ToElement()) + " is not allowed here: the file has its one element");
        return;
    }
    if (text.find('&') == std::string_view::npos || checkReferences(text)) m_root = root;
}

bool XmlFile::checkReferences(std::string_view text) {
    // The parser takes an & that begins no reference for itself. Others stop at it, or read another text.
    tinyxml2::XMLDocument document(false);  // with the references as they are written
    document.Parse(text.data(), text.size());
    const XMLElement* element = document.RootElement();
    while (element != nullptr) {
        for (const tinyxml2::XMLAttribute* one = element->FirstAttribute(); one != nullptr; one = one->Next()) {
            const std::string wrong = wrongReference(one->Value());
            if (wrong.empty()) continue;
            problem(*element, std::string(one->Name()) + " = " + inQuotes(one->Value()) + " is not allowed: " +
                                  inQuotes(wrong) + " is no character of XML; & itself must be written as &amp;");
            return false;
        }
        element = nextOf(*element);
    }
    return true;
}

void XmlFile::problem(int line, const std::string& message) {
    m_problems.add(m_name, line, [&] { return message; });
}

void XmlFile::problem(int line, const scene::MakeMessage& message) {
    m_problems.add(m_name, line, message);
}

void XmlFile::problem(const XMLElement& element, const std::string& message) {
    problem(element, [&] { return message; });
}

void XmlFile::problem(const XMLElement& element, const scene::MakeMessage& message) {
    m_problems.add(m_name, element.GetLineNum(), [&] { return tagOf(element) + ": " + message(); });
}

void XmlFile::warning(const XMLElement& element, const scene::MakeMessage& message) {
    m_warnings.add(m_name, element.GetLineNum(), [&] { return tagOf(element) + ": " + message(); });
}

void XmlFile::warnOnce(const std::string& kind, const XMLElement& element, const scene::MakeMessage& message) {
    m_warnings.addOnce(kind, m_name, element.GetLineNum(), [&] { return tagOf(element) + ": " + message(); });
}

void XmlFile::warnOnce(const std::string& kind, int line, const scene::MakeMessage& message) {
    m_warnings.addOnce(kind, m_name, line, message);
}

const char* XmlFile::text(const XMLElement& element, const char* attribute, const char* meaning) {
    const char* value = element.Attribute(attribute);
    const std::size_t length = value == nullptr ? 0 : std::string_view(value).size();
    if (length > scene::kLongestJsonText) {
        m_problems.add(m_name, element.GetLineNum(), [&] {
            return std::string(attribute) + " of " + std::to_string(length) +
                   " bytes is not allowed; it must have at most " + std::to_string(scene::kLongestJsonText);
        });
        return nullptr;
    }
    if (length > 0 && hasControlCharacter(value)) {
        problem(element, std::string(attribute) + " = " + inQuotes(value) +
                             " is not allowed: it must have no line feeds, tabs or other control characters");
        return nullptr;
    }
    if (length > 0) return value;
    problem(element, std::string(attribute) + (value == nullptr ? " is missing" : " = \"\" is not allowed") +
                         "; it must be " + meaning);
    return nullptr;
}

std::optional<double> XmlFile::number(const XMLElement& element, const char* attribute, const NumberRule& rule,
                                      bool isRequired) {
    const char* given = element.Attribute(attribute);
    if (given == nullptr) {
        if (isRequired) problem(element, std::string(attribute) + " is missing; it must be " + rule.phrase);
        return std::nullopt;
    }
    const std::vector<std::string_view> parts = wordsOf(given, kSpaces);
    const std::optional<double> value = parts.size() == 1 ? parseNumber(parts[0]) : std::nullopt;
    const bool isTooLarge = value && std::abs(*value) > kLargestParameter;
    if (value && !isTooLarge && rule.holds(*value)) return value;
    problem(element, std::string(attribute) + " = " + inQuotes(given) + " is not allowed; it must be " + rule.phrase +
                         (isTooLarge ? " within -1e60 .. 1e60" : ""));
    return std::nullopt;
}

std::optional<Eigen::Vector3d> XmlFile::vector(const XMLElement& element, const char* attribute, const NumberRule& rule,
                                               bool isRequired) {
    const std::string phrase = std::string("three numbers, each ") + rule.phrase;
    const char* given = element.Attribute(attribute);
    if (given == nullptr) {
        if (isRequired) problem(element, std::string(attribute) + " is missing; it must be " + phrase);
        return std::nullopt;
    }
    const std::vector<std::string_view> parts = wordsOf(given, kBetween);
    Eigen::Vector3d values;
    bool fits = parts.size() >= 3;
    for (std::size_t k = 0; fits && k < 3; ++k) {
        const std::optional<double> value = parseNumber(parts[k]);
        fits = value && std::abs(*value) <= kLargestParameter && rule.holds(*value);
        if (fits) values[static_cast<int>(k)] = *value;
    }
    if (fits && parts.size() > 3) {
        warnOnce("numbers too many", element, [&] {
            return std::string(attribute) + " = " + inQuotes(given) +
                   " has more than three numbers; the first are read";
        });
    }
    if (fits) return values;
    problem(element, std::string(attribute) + " = " + inQuotes(given) + " is not allowed; it must be " + phrase);
    return std::nullopt;
}

const XMLElement* XmlFile::onlyChild(const XMLElement& parent, const char* tag, bool isRequired) {
    const XMLElement* child = parent.FirstChildElement(tag);
    if (child == nullptr) {
        if (isRequired) problem(parent, std::string("<") + tag + "> is missing in it");
        return nullptr;
    }
    if (const XMLElement* second = child->NextSiblingElement(tag)) {
        warnOnce(std::string("second ") + tag, *second, [&] {
            return "is not read: " + tagOf(parent) + " has a <" + tag + "> already, on line " +
                   std::to_string(child->GetLineNum());
        });
    }
    return child;
}

}  // namespace elasto::robot
