#pragma once
/// @file check_record.h
/// Whether what a scene wants recorded is there.

#include "problems.h"

#include <elasto/export.h>
#include <elasto/scene/description.h>

#include <string>
#include <vector>

namespace elasto::scene {

/// That each pattern fits a signal, one with a name only one, and that no two columns have the same name.
/// @param names of all signals @param problems gets what is wrong, at /record/0 and so on
ELASTO_API void checkRecord(const std::vector<SceneRecord>& records, const std::vector<std::string>& names,
                            Problems& problems);

}  // namespace elasto::scene
