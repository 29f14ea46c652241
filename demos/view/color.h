#pragma once

namespace elasto::view {

/// A colour as users write it: red, green and blue in the sRGB code, 0 .. 1.
struct Color {
    float red = 0.6F;
    float green = 0.6F;
    float blue = 0.6F;

    /// From Modelica's 0 .. 255.
    static constexpr Color bytes(int red, int green, int blue) {
        return {static_cast<float>(red) / 255, static_cast<float>(green) / 255, static_cast<float>(blue) / 255};
    }
};

}  // namespace elasto::view
