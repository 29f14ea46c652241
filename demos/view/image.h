#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace elasto::view {

/// A picture in memory: rows from the top, each pixel red, green, blue, alpha in the sRGB code.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;  ///< 4 width height bytes

    /// (x, y) counts from the upper left corner and must be inside.
    std::array<std::uint8_t, 4> pixel(int x, int y) const;
};

/// The file that is replaced when one of this name is written: where a link leads, if there is something, else itself.
std::filesystem::path linkTarget(const std::filesystem::path& file);

/// Writes a PNG. The file appears under its name only when it is whole: it is written beside it and renamed.
/// \throws GraphicsError naming the file and the reason
void writePng(const Image& image, const std::filesystem::path& file);

}  // namespace elasto::view
