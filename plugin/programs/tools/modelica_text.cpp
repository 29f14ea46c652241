#include "modelica_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace elasto::tools {

namespace {

constexpr std::array<std::string_view, 62> kKeywords = {
    "algorithm", "and",         "annotation", "block",      "break",     "class",    "connect",  "connector",
    "constant",  "der",         "discrete",   "each",       "else",      "elseif",   "elsewhen", "encapsulated",
    "end",       "enumeration", "equation",   "expandable", "extends",   "external", "false",    "final",
    "flow",      "for",         "function",   "if",         "import",    "impure",   "in",       "initial",
    "inner",     "input",       "loop",       "model",      "not",       "operator", "or",       "outer",
    "output",    "package",     "parameter",  "partial",    "protected", "public",   "pure",     "record",
    "redeclare", "replaceable", "return",     "stream",     "then",      "true",     "type",     "when",
    "while",     "within",      "world",      "time",       "Modelica",  "initial"};

}  // namespace

std::string modelicaNumber(double value) {
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value + 0.).ptr;  // never -0
    return {text.data(), end};
}

std::string modelicaVector(const Eigen::Vector3d& v) {
    return fmt::format("{{{}, {}, {}}}", modelicaNumber(v[0]), modelicaNumber(v[1]), modelicaNumber(v[2]));
}

std::string modelicaString(const std::string& text) {
    std::string result = "\"";
    for (const char character : text) {
        if (character == '"' || character == '\\') result += '\\';
        result += character == '\n' ? ' ' : character;
    }
    return result + "\"";
}

std::string modelicaName(const std::string& name) {
    const bool isKeyword = std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end();
    return isKeyword ? name + "_" : name;
}

ModelicaComponent& ModelicaComponent::set(std::string_view parameter, double value) {
    return setText(parameter, modelicaNumber(value));
}

ModelicaComponent& ModelicaComponent::setText(std::string_view parameter, const std::string& text) {
    m_modifiers.push_back(text.starts_with('(') ? fmt::format("{}{}", parameter, text)
                                                : fmt::format("{} = {}", parameter, text));
    return *this;
}

std::string ModelicaComponent::text(const std::string& comment) const {
    std::string line = fmt::format("    {} {}", m_type, m_name);
    if (!m_modifiers.empty()) line += fmt::format("({})", fmt::join(m_modifiers, ", "));
    if (!comment.empty()) line += " " + modelicaString(comment);
    return line + ";";
}

void ModelicaModel::declare(const ModelicaComponent& component, const std::string& comment) {
    declarations.push_back(component.text(comment));
}

void ModelicaModel::connect(const std::string& a, const std::string& b) {
    equations.push_back(fmt::format("    connect({}, {});", a, b));
}

void ModelicaModel::use(const std::string& helper) {
    if (std::find(helpers.begin(), helpers.end(), helper) == helpers.end()) helpers.push_back(helper);
}

}  // namespace elasto::tools
