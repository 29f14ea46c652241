#pragma once
/// @file modelica_classes.h
/// Components of Modelica's library, or classes of our own, for our elements, their heat, and courses over time.

#include <elasto/scene/description.h>

#include <string>
#include <vector>

#include "modelica_text.h"

namespace elasto::tools {

/// A component that stands for an element.
struct ModelicaElement {
    std::string a, b;  ///< connectors that stand for frame_a and frame_b
    std::string heat;  ///< component with the heat port; empty: it makes no heat
};

/// An element along a line of 1D flanges (or about an axis), by the library's component where there is one.
/// @param offset added to the unstretched place: the coordinate there is greater by this than ours [m, rad]
ModelicaElement addElement(ModelicaModel& model, const Scene& scene, const SceneElement& element, double offset = 0);
/// An element along a line between two frames, by the library's component for frames.
/// @return false if it has none for this law
bool addLineElement(ModelicaModel& model, const Scene& scene, const SceneElement& element, const std::string& frameA,
                    const std::string& frameB);
/// What an element loses in hard stops: the library has them for a mass on a line only (modelica_line.cpp).
void loseHardStops(ModelicaModel& model, const SceneElement& element);
/// Heat port and temperature of a component that stands for an element.
void addHeat(ModelicaModel& model, const Scene& scene, const SceneElement& element, const std::string& component);
/// The scene's heat ports, as convection to an ambience.
void addHeatPorts(ModelicaModel& model, const Scene& scene);
/// A signal that is a factor of time, times a size. @return its output connector
std::string addCourse(ModelicaModel& model, const std::string& name, const TimeCourse& course, double size);
/// Rows of numbers as a matrix.
std::string modelicaTable(const std::vector<std::vector<double>>& rows);

}  // namespace elasto::tools
