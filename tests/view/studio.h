#pragma once
// Draws pictures without a display and looks at their pixels.

#include <array>
#include <cmath>

#include "view/context.h"
#include "view/renderer.h"

namespace elasto::view {

/// One context, renderer and target for a test.
struct Studio {
    Context context;
    Renderer renderer{ELASTO_SHADERS};
    Target target;
    Picture picture;
    Camera camera;
    Light light;
    Quality quality;

    explicit Studio(int width = 320, int height = 240, int samples = 4) : target(width, height, samples) {
        camera.viewpoint = {Eigen::Vector3f::Zero(), 4, 0, 0};
    }

    Image draw() {
        renderer.draw(picture, camera, light, quality, target);
        return target.read();
    }
};

/// Relative luminance of a pixel, 0 .. 1, in the sRGB code.
inline double brightness(const std::array<std::uint8_t, 4>& pixel) {
    return (0.2126 * pixel[0] + 0.7152 * pixel[1] + 0.0722 * pixel[2]) / 255;
}

/// Mean brightness of a square of pixels around a point.
inline double brightnessAround(const Image& image, int x, int y, int reach = 2) {
    double sum = 0;
    for (int row = y - reach; row <= y + reach; ++row) {
        for (int column = x - reach; column <= x + reach; ++column) sum += brightness(image.pixel(column, row));
    }
    return sum / ((2 * reach + 1) * (2 * reach + 1));
}

/// Redder than anything else by so much.
inline bool isRed(const std::array<std::uint8_t, 4>& p) {
    return p[0] > p[1] + 50 && p[0] > p[2] + 50;
}
inline bool isBlue(const std::array<std::uint8_t, 4>& p) {
    return p[2] > p[0] + 50 && p[2] > p[1] + 50;
}

/// How many pixels satisfy a condition.
template <class Condition>
int count(const Image& image, Condition condition) {
    int found = 0;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) found += condition(image.pixel(x, y)) ? 1 : 0;
    }
    return found;
}

inline Surface red() {
    Surface surface;
    surface.color = Color::bytes(210, 40, 30);
    return surface;
}

}  // namespace elasto::view
