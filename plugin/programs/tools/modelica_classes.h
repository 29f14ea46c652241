#pragma once
/// @file modelica_classes.h
/// Classes of Modelica's library for our elements and courses, and our own classes for what the library does not have.

#include <elasto/scene/description.h>

#include <string>

#include "modelica_text.h"

namespace elasto::tools {

/// An element along a line of 1D flanges (or about an axis), by the library's component where there is one.
/// @param name   of the component
/// @param offset added to the unstretched place: the coordinate there is greater by this than ours [m, rad]
/// @return the two flanges that stand for frame_a and frame_b
std::pair<std::string, std::string> addElement(ModelicaModel& model, const SceneElement& element,
                                               const std::string& name, double offset = 0);
/// A signal that is a factor of time, times a size. @return its output connector
std::string addCourse(ModelicaModel& model, const std::string& name, const TimeCourse& course, double size);
/// The text of a local class that ModelicaModel::use() named.
std::string modelicaHelper(const std::string& name);

}  // namespace elasto::tools
