#pragma once
/// @file modelica_diagram.h
/// Where components and connections of a model are drawn.

#include <string>
#include <vector>

#include "modelica_text.h"

namespace elasto::tools {

/// Annotations of a model's diagram, each with what stands around it.
struct ModelicaDiagram {
    std::vector<std::string> placements;  ///< by component
    std::vector<std::string> lines;       ///< by connection
    std::string extent;                   ///< of the model
};

/// Components in columns by how many connections they are from the first one of their group (the world, or whatever
/// is declared first), lines at right angles between the middles of their sides.
ModelicaDiagram diagramOf(const ModelicaModel& model);

}  // namespace elasto::tools
