#pragma once
/// @file state_report.h
/// What a window shows, as JSON: for scripts that drive it.

#include <filesystem>

namespace elasto::gallery {

class Gallery;

/// @param frames drawn so far @throws FileError if the file cannot be written
void writeState(const Gallery& gallery, long frames, const std::filesystem::path& file);

}  // namespace elasto::gallery
