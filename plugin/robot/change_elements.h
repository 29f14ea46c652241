#pragma once
/// @file change_elements.h
/// Other parameters for elements that are read already.

#include <elasto/robot/description.h>

#include <string>
#include <vector>

namespace elasto::robot {

/// A parameter by Modelica's name, and its new value.
struct ParameterChange {
    std::string name;
    double value = 0;
};

/// The law with other parameters.
/// @throws InvalidParameter for a value that cannot be, or a parameter that the law does not have
Law changedLaw(const Law& law, const std::vector<ParameterChange>& changes, const std::string& owner);

}  // namespace elasto::robot
