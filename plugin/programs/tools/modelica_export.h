#pragma once
/// @file modelica_export.h
/// Scenes as models of Modelica.

#include <elasto/scene/description.h>

#include <string>

namespace elasto::tools {

/// A package with one model, which needs the Modelica Standard Library 4. Scenes in which all moves along one axis
/// (turns about one) become masses (inertias) and 1D components, others MultiBody; elements keep their names and
/// parameters, loads are blocks. What Modelica does not have (collisions, Bullet's damping, limits of joints) is said
/// in comments.
/// @param package name of the package, an identifier
/// @throws InputError for what cannot be said at all, naming it
std::string modelicaOf(const Scene& scene, const std::string& package);

}  // namespace elasto::tools
