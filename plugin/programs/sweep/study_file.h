#pragma once
/// @file study_file.h
/// Reads sweep files.

#include "study.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace elasto::sweep {

/// Reads a sweep file and checks all that can be said without its scene.
/// @throws SceneError naming file, JSON path, value and what is allowed, one line per mistake; FileError if the file
/// cannot be read
Study loadStudy(const std::filesystem::path& file);
/// The same from text. @param source what messages call it
Study parseStudy(std::string_view json, const std::string& source = "sweep");

/// The JSON schema (draft 7) of sweep files: the text of assets/schema/sweep.schema.json.
std::string_view sweepSchema();

}  // namespace elasto::sweep
