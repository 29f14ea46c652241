#pragma once
/// @file modelica_export.h
/// Scenes as models of Modelica.

#include <elasto/scene/description.h>

#include <string>
#include <vector>

namespace elasto::tools {

/// A package, and what it says otherwise than its scene.
struct ModelicaPackage {
    std::string text;
    std::vector<std::string> losses;   ///< physics that it lacks, each a sentence without its full stop
    std::vector<std::string> remarks;  ///< what has another name or place, with the same motion
};

/// A package with one model, Example, which needs the Modelica Standard Library 4. Scenes in which all moves along one
/// axis (turns about one) become masses (inertias) and 1D components, others MultiBody; elements keep their names and
/// parameters, loads are blocks. Losses and remarks stand as comments in the text, too.
/// @param package name of the package, an identifier (modelicaIdentifier)
/// @param collision what is lost of collisions, as a run of the scene tells; empty: nothing touches
/// @throws InputError for what cannot be said at all, naming it
ModelicaPackage modelicaOf(const Scene& scene, const std::string& package, const std::string& collision = {});

}  // namespace elasto::tools
