#pragma once
/// @file result_constants.h
/// What of a scene does not change while it runs, for result files.

#include <elasto/scene/description.h>

#include <vector>

#include "mat_file.h"

namespace elasto::tools {

/// All parameters of a scene by Modelica's names, where it has them: of the world, bodies, joints, elements, loads and
/// heat ports. Limits that nothing reaches (parameters that are not given) are left out.
std::vector<ResultConstant> constantsOf(const Scene& scene);

}  // namespace elasto::tools
