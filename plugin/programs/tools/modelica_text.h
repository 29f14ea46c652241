#pragma once
/// @file modelica_text.h
/// Pieces of Modelica text: numbers, names, components with modifiers, connections.

#include <Eigen/Core>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace elasto::tools {

/// The shortest text that reads back to the same number.
std::string modelicaNumber(double value);
std::string modelicaVector(const Eigen::Vector3d& v);
/// A text in quotes, with what must not stand in it escaped.
std::string modelicaString(const std::string& text);
/// A scene's name as an identifier: keywords get an underscore.
std::string modelicaName(const std::string& name);

/// A component of a model.
class ModelicaComponent {
public:
    /// @param type with its package, e.g. "Modelica.Mechanics.Translational.Components.Mass"
    ModelicaComponent(std::string type, std::string name) : m_type(std::move(type)), m_name(std::move(name)) {}

    ModelicaComponent& set(std::string_view parameter, double value);
    /// @param text what stands behind "=", or behind the parameter where it begins with a bracket
    ModelicaComponent& setText(std::string_view parameter, const std::string& text);
    const std::string& name() const { return m_name; }
    /// "  Type name(a = 1, b = 2) "comment";"
    std::string text(const std::string& comment = {}) const;

private:
    std::string m_type;
    std::string m_name;
    std::vector<std::string> m_modifiers;
};

/// A model under construction.
struct ModelicaModel {
    std::vector<std::string> declarations;
    std::vector<std::string> equations;
    std::vector<std::string> notes;    ///< what the model lacks, or has differently
    std::vector<std::string> helpers;  ///< names of local classes that it uses, each once

    void declare(const ModelicaComponent& component, const std::string& comment = {});
    void connect(const std::string& a, const std::string& b);
    void use(const std::string& helper);
};

}  // namespace elasto::tools
