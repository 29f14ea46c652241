#include "modelica_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "modelica_helpers.h"

namespace elasto::tools {

namespace {

/// Keywords, and names that texts of ours look up: built-in types, functions and variables, and the library.
constexpr std::array<std::string_view, 96> kWords = {"algorithm",
                                                     "and",
                                                     "annotation",
                                                     "block",
                                                     "break",
                                                     "class",
                                                     "connect",
                                                     "connector",
                                                     "constant",
                                                     "der",
                                                     "discrete",
                                                     "each",
                                                     "else",
                                                     "elseif",
                                                     "elsewhen",
                                                     "encapsulated",
                                                     "end",
                                                     "equation",
                                                     "enumeration",
                                                     "expandable",
                                                     "extends",
                                                     "external",
                                                     "false",
                                                     "final",
                                                     "flow",
                                                     "for",
                                                     "function",
                                                     "if",
                                                     "import",
                                                     "impure",
                                                     "in",
                                                     "initial",
                                                     "inner",
                                                     "input",
                                                     "loop",
                                                     "model",
                                                     "not",
                                                     "operator",
                                                     "or",
                                                     "outer",
                                                     "output",
                                                     "package",
                                                     "parameter",
                                                     "partial",
                                                     "protected",
                                                     "public",
                                                     "pure",
                                                     "record",
                                                     "redeclare",
                                                     "replaceable",
                                                     "return",
                                                     "stream",
                                                     "then",
                                                     "true",
                                                     "type",
                                                     "when",
                                                     "while",
                                                     "within",
                                                     "time",
                                                     "world",
                                                     "Modelica",
                                                     "Real",
                                                     "Integer",
                                                     "Boolean",
                                                     "String",
                                                     "Clock",
                                                     "StateSelect",
                                                     "ExternalObject",
                                                     "Connections",
                                                     "Complex",
                                                     "ModelicaServices",
                                                     "ModelicaReference",
                                                     "ModelicaTest",
                                                     "abs",
                                                     "sign",
                                                     "sqrt",
                                                     "min",
                                                     "max",
                                                     "exp",
                                                     "cross",
                                                     "pre",
                                                     "noEvent",
                                                     "smooth",
                                                     "assert",
                                                     "zeros",
                                                     "transpose",
                                                     "size",
                                                     "fill",
                                                     "terminal",
                                                     "sample",
                                                     "edge",
                                                     "change",
                                                     "reinit",
                                                     "terminate",
                                                     "cardinality",
                                                     "homotopy"};

bool isWord(std::string_view name) {
    return std::find(kWords.begin(), kWords.end(), name) != kWords.end();
}

void addNew(std::vector<std::string>& list, const std::string& text) {
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

}  // namespace

std::string modelicaNumber(double value) {
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value + 0.).ptr;  // never -0
    return {text.data(), end};
}

std::string modelicaVector(const Eigen::Vector3d& v) {
    return fmt::format("{{{}, {}, {}}}", modelicaNumber(v[0]), modelicaNumber(v[1]), modelicaNumber(v[2]));
}

std::string modelicaRows(const std::vector<Eigen::Vector3d>& rows) {
    if (rows.empty()) return "fill(0.0, 0, 3)";
    std::string text;
    for (const Eigen::Vector3d& row : rows) {
        text += fmt::format("{}{}, {}, {}", text.empty() ? "" : "; ", modelicaNumber(row[0]), modelicaNumber(row[1]),
                            modelicaNumber(row[2]));
    }
    return "[" + text + "]";
}

std::string modelicaString(const std::string& text) {
    std::string result = "\"";
    for (const char character : text) {
        if (character == '"' || character == '\\') result += '\\';
        result += character == '\n' ? ' ' : character;
    }
    return result + "\"";
}

std::string modelicaIdentifier(const std::string& name) {
    std::string result;
    for (const char character : name) {
        const auto byte = static_cast<unsigned char>(character);
        const bool isAllowed = byte < 128 && (std::isalnum(byte) != 0 || character == '_');
        result += isAllowed ? character : '_';
    }
    if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0])) != 0) result.insert(0, "_");
    return isWord(result) ? result + "_" : result;
}

ModelicaComponent& ModelicaComponent::set(std::string_view parameter, double value) {
    return setText(parameter, modelicaNumber(value));
}

ModelicaComponent& ModelicaComponent::setText(std::string_view parameter, const std::string& text) {
    const auto place = std::find_if(m_modifiers.begin(), m_modifiers.end(),
                                    [&](const auto& modifier) { return modifier.first == parameter; });
    if (place != m_modifiers.end()) {
        place->second = text;
    } else {
        m_modifiers.emplace_back(parameter, text);
    }
    return *this;
}

ModelicaComponent& ModelicaComponent::setStart(std::string_view variable, double value, bool isFixed) {
    return setText(variable, fmt::format("(start = {}{})", modelicaNumber(value), isFixed ? ", fixed = true" : ""));
}

std::string ModelicaComponent::text() const {
    std::string line;
    for (const auto& [parameter, value] : m_modifiers) {
        line += line.empty() ? "" : ", ";
        line += value.starts_with('(') ? parameter + value : parameter + " = " + value;
    }
    line = fmt::format("    {} {}{}", m_type, m_name, line.empty() ? "" : "(" + line + ")");
    return m_comment.empty() ? line : line + " " + modelicaString(m_comment);
}

void ModelicaModel::reserve(const std::vector<std::string>& sceneNames) {
    m_taken = {"Example"};
    for (const std::string_view helper : modelicaHelperNames()) m_taken.emplace(helper);
    const std::set<std::string> asked(sceneNames.begin(), sceneNames.end());
    for (const std::string& name : sceneNames) {
        std::string given = modelicaIdentifier(name);
        // Names that may stay are nobody else's.
        while (m_taken.count(given) > 0 || (given != name && asked.count(given) > 0)) given += '_';
        if (given != name)
            remark(fmt::format("{} is called {}: its name means something else in Modelica", name, given));
        m_taken.insert(given);
        m_names[name] = given;
    }
}

std::string ModelicaModel::freshName(const std::string& wish) {
    std::string name = wish;
    while (!m_taken.insert(name).second) name += '_';
    return name;
}

ModelicaComponent& ModelicaModel::declare(ModelicaComponent component) {
    m_components.push_back(std::move(component));
    return m_components.back();
}

ModelicaComponent& ModelicaModel::component(const std::string& name) {
    return *std::find_if(m_components.begin(), m_components.end(),
                         [&](const ModelicaComponent& one) { return one.name() == name; });
}

void ModelicaModel::connect(const std::string& a, const std::string& b) {
    m_connections.push_back({a, b});
}

void ModelicaModel::use(const std::string& helper) {
    addNew(m_helpers, helper);
}

void ModelicaModel::lose(const std::string& what) {
    addNew(m_losses, what);
}

void ModelicaModel::remark(const std::string& what) {
    addNew(m_remarks, what);
}

}  // namespace elasto::tools
