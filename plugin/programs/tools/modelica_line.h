#pragma once
/// @file modelica_line.h
/// Scenes in which all moves along one axis, or turns about one, as 1D models.

#include <elasto/scene/description.h>

#include <optional>

#include "modelica_text.h"

namespace elasto::tools {

/// The world axis (0 .. 2) along which all bodies of a scene move and all its forces act; nothing: there is none.
std::optional<int> commonLine(const Scene& scene);
/// The same of turning.
std::optional<int> commonTurn(const Scene& scene);

/// Bodies as Mass, frames off their middle as length L or Rods, gravity as constant forces.
void addLine(const Scene& scene, int axis, ModelicaModel& model);
/// Bodies as Inertia; gear pairs as IdealGear and their element in series.
void addTurn(const Scene& scene, int axis, ModelicaModel& model);

}  // namespace elasto::tools
