#pragma once
/// @file names.h
/// The words of the scene file for our enumerations.

#include <elasto/scene/description.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace elasto::scene {

/// Words in the order of the enumerators.
template <typename Enum>
struct Words;
template <>
struct Words<BodyMotion> {
    static constexpr std::array list = {"dynamic", "fixed", "kinematic"};
};
template <>
struct Words<Scene::Flight> {
    static constexpr std::array list = {"exact", "bullet"};
};
template <>
struct Words<SceneShape::Type> {
    static constexpr std::array list = {"none", "box", "sphere", "cylinder", "capsule", "plane", "mesh", "heightField"};
};
template <>
struct Words<SceneJoint::Type> {
    static constexpr std::array list = {"hinge", "slider", "ball", "fixed"};
};
template <>
struct Words<Geometry> {
    static constexpr std::array list = {"axis", "line", "rotation"};
};
template <>
struct Words<TimeCourse::Type> {
    static constexpr std::array list = {"constant", "sine", "table"};
};
template <>
struct Words<SceneLoad::Axes> {
    static constexpr std::array list = {"world", "body"};
};

template <typename Enum>
constexpr const char* wordOf(Enum value) {
    return Words<Enum>::list[static_cast<std::size_t>(value)];
}

/// The enumerator of a word that the schema has let pass.
template <typename Enum>
constexpr Enum valueOf(std::string_view word) {
    const auto& list = Words<Enum>::list;
    return static_cast<Enum>(std::find(list.begin(), list.end(), word) - list.begin());
}

/// The type of a name that the schema has let pass.
inline const ElementTypeInfo& typeNamed(std::string_view name) {
    const std::vector<ElementTypeInfo>& all = elementTypes();
    return *std::find_if(all.begin(), all.end(), [&](const ElementTypeInfo& info) { return name == info.name; });
}

/// Geometry of an element that does not state one.
inline Geometry defaultGeometry(Placing placing) {
    switch (placing) {
        case Placing::AxisOrLine:
        case Placing::Axis:
            return Geometry::AlongAxis;
        case Placing::LineOrAxis:
            return Geometry::AlongLine;
        case Placing::Rotation:
            break;
    }
    return Geometry::AboutAxis;
}

/// The index of a word in a parameter's list, which the schema has let pass.
inline double choiceOf(const LawParameter& parameter, std::string_view word) {
    const auto& list = parameter.choices;
    return static_cast<double>(std::find(list.begin(), list.end(), word) - list.begin());
}

}  // namespace elasto::scene
