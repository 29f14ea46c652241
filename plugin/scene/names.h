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
struct Words<SceneShape::Type> {
    static constexpr std::array list = {"none", "box", "sphere", "cylinder", "capsule", "plane"};
};
template <>
struct Words<ElementType> {
    static constexpr std::array list = {
        "ElastoGap", "ElastoBacklash",       "ElastoBacklash2", "SpringDamperSeries",    "Spring",
        "Damper",    "SpringDamperParallel", "SpringDamper",    "RotationalSpringDamper"};
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
struct Words<GapCharacteristic> {
    static constexpr std::array list = {"boundedDamper", "linear", "noPull", "lankaraniNikravesh"};
};
template <>
struct Words<BacklashCharacteristic> {
    static constexpr std::array list = {"boundedDamper", "noPull", "linear"};
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

/// Geometry of an element that does not state one.
constexpr Geometry defaultGeometry(ElementType type) {
    switch (type) {
        case ElementType::ElastoGap:
        case ElementType::SpringDamper:
            return Geometry::AlongAxis;
        case ElementType::ElastoBacklash:
        case ElementType::ElastoBacklash2:
        case ElementType::RotationalSpringDamper:
            return Geometry::AboutAxis;
        default:
            return Geometry::AlongLine;
    }
}

}  // namespace elasto::scene
