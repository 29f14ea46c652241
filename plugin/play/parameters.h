#pragma once
/// @file parameters.h
/// The parameters of an element's law under their Modelica symbols: what a panel shows and a person edits.

#include <elasto/force_element.h>
#include <elasto/scene/description.h>

#include <string>
#include <string_view>
#include <vector>

namespace elasto::play {

/// One parameter of an element.
struct Parameter {
    std::string symbol;                ///< Modelica's: "c", "s_rel0", "b", "characteristic"
    std::string unit;                  ///< "N/m", "N.m/rad", "m"; "" for pure numbers
    std::string text;                  ///< one line that says what it is
    double lowest = 0;                 ///< -infinity: any
    bool isLowestAllowed = true;       ///< false: it must be greater than `lowest`
    double scale = 1;                  ///< a size to build sliders around, > 0: the value in the scene if it is not 0
    bool isLogarithmic = false;        ///< positive and of any size: sliders should have a logarithmic scale
    std::vector<std::string> choices;  ///< the value is an index into these; empty for numbers
};

/// Parameters of an element of the scene, in the order of Modelica's text.
std::vector<Parameter> parametersOf(const SceneElement& element);

/// Value of a parameter of any law. @throws std::out_of_range naming symbols that are there
double parameterOf(const Law& law, std::string_view symbol);
/// The law with another value of one parameter.
/// @param owner in messages, e.g. "ElastoGap 'stop'"
/// @throws InvalidParameter if the law refuses it, std::out_of_range for an unknown symbol
Law withParameter(const Law& law, std::string_view symbol, double value, const std::string& owner);

inline namespace ELASTO_BULLET_NAMESPACE {

/// Gives an element that stands in a world another value of one parameter.
/// @throws InvalidParameter if the law refuses it (nothing is changed then), std::out_of_range for an unknown symbol
void setParameter(ForceElement& element, std::string_view symbol, double value);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
