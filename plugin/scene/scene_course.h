#pragma once
/// @file scene_course.h
/// A TimeCourse in a scene file or a robot's.

#include <elasto/export.h>

#include "problems.h"

#include <elasto/scene/time_course.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace elasto::scene {

/// Reads a course from an object that fits the schema; what is not given stays as it is, the type too. Points may come
/// from a file of CombiTimeTable.
/// @param folder in which such a file is looked for @param path of the object, for problems
ELASTO_API void readCourse(const nlohmann::json& object, const std::filesystem::path& folder, const std::string& path,
                           TimeCourse& course, Problems& problems);
/// Checks that it ends after it begins, and that the times of a table rise; two points at one time are a jump.
ELASTO_API void checkCourse(const TimeCourse& course, const std::string& path, Problems& problems);

}  // namespace elasto::scene
