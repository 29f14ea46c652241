#pragma once
/// @file version.h
/// Which version of Elasto this is. CMake reads the numbers here; they are written nowhere else.

#include <elasto/export.h>

#define ELASTO_VERSION_MAJOR 0  ///< semantic versioning (semver.org)
#define ELASTO_VERSION_MINOR 2  ///< before 1.0 a new one may change the interface
#define ELASTO_VERSION_PATCH 0  ///< corrections; the interface stays

namespace elasto {

/// The version of the library that runs, "0.2.0". It differs from ELASTO_VERSION_MAJOR and so on where a program was
/// compiled with the headers of another version than the one it found at run time.
ELASTO_API const char* version();

}  // namespace elasto
