#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace elasto::view {

/// The text of a shader with its includes put in.
struct ShaderSource {
    std::string text;                ///< without #version
    std::vector<std::string> files;  ///< names by the source numbers that #line gives them

    /// A compiler's message with the files' names instead of their numbers.
    std::string named(const std::string& message) const;
};

/// Reads a shader of a folder and, in place of each line `#include "other.glsl"`, that file (once).
/// \throws GraphicsError naming the file that cannot be read
ShaderSource readShader(const std::filesystem::path& folder, const std::string& file);

}  // namespace elasto::view
