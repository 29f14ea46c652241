#pragma once
/// @file modelica_text.h
/// Pieces of Modelica text: numbers, names, components with modifiers, connections, and the model that they make.

#include <Eigen/Core>

#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace elasto::tools {

/// The shortest text that reads back to the same number.
std::string modelicaNumber(double value);
std::string modelicaVector(const Eigen::Vector3d& v);
/// "{v1; v2; ...}" as a matrix with one row per vector; without any a matrix of 0 rows.
std::string modelicaRows(const std::vector<Eigen::Vector3d>& rows);
/// A text in quotes, with what must not stand in it escaped.
std::string modelicaString(const std::string& text);
/// Any text as an identifier that is no keyword, no built-in type or function and no library: what must not be in it
/// becomes '_', and one is added where the name is taken.
std::string modelicaIdentifier(const std::string& name);

/// A component of a model.
class ModelicaComponent {
public:
    /// @param type with its package, e.g. "Modelica.Mechanics.Translational.Components.Mass"
    ModelicaComponent(std::string type, std::string name, std::string comment = {})
        : m_type(std::move(type)), m_name(std::move(name)), m_comment(std::move(comment)) {}

    ModelicaComponent& set(std::string_view parameter, double value);
    /// @param text what stands behind "=", or behind the parameter where it begins with a bracket. A parameter that is
    ///        set already keeps its place.
    ModelicaComponent& setText(std::string_view parameter, const std::string& text);
    /// "(start = 1, fixed = true)"; what is not fixed is a guess.
    ModelicaComponent& setStart(std::string_view variable, double value, bool isFixed = true);
    const std::string& type() const { return m_type; }
    const std::string& name() const { return m_name; }
    /// "    Type name(a = 1, b = 2) "comment"", without what ends it.
    std::string text() const;

private:
    std::string m_type;
    std::string m_name;
    std::string m_comment;
    std::vector<std::pair<std::string, std::string>> m_modifiers;
};

/// A model under construction.
class ModelicaModel {
public:
    /// Two connectors, e.g. "mass.flange_a".
    struct Connection {
        std::string a, b;
    };

    /// Reserves what the scene calls its things, before names are made up beside them. What cannot stay is said.
    void reserve(const std::vector<std::string>& sceneNames);
    /// What a thing of the scene is called here.
    const std::string& nameOf(const std::string& sceneName) const { return m_names.at(sceneName); }
    /// A name that nothing has yet: as wished, or with '_' behind it.
    std::string freshName(const std::string& wish);

    /// @return the component, which may be completed until the text is written
    ModelicaComponent& declare(ModelicaComponent component);
    /// One that was declared.
    ModelicaComponent& component(const std::string& name);
    void connect(const std::string& a, const std::string& b);
    /// A local class that it needs.
    void use(const std::string& helper);
    /// Physics that the model lacks, as a sentence without its full stop.
    void lose(const std::string& what);
    /// What is said otherwise than in the scene, with the same motion.
    void remark(const std::string& what);

    const std::deque<ModelicaComponent>& components() const { return m_components; }
    const std::vector<Connection>& connections() const { return m_connections; }
    const std::vector<std::string>& helpers() const { return m_helpers; }
    const std::vector<std::string>& losses() const { return m_losses; }
    const std::vector<std::string>& remarks() const { return m_remarks; }

private:
    std::deque<ModelicaComponent> m_components;  ///< references to them stay good
    std::vector<Connection> m_connections;
    std::vector<std::string> m_helpers, m_losses, m_remarks;
    std::map<std::string, std::string> m_names;  ///< by the scene's
    std::set<std::string> m_taken;
};

}  // namespace elasto::tools
