#pragma once
// A gallery without a window, its pictures, and the colours in them.

#include "gallery/gallery.h"
#include "view/context.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace elasto::gallery {

inline constexpr int kWidth = 960;
inline constexpr int kHeight = 540;

using Pixel = std::array<std::uint8_t, 4>;

/// One context for all tests: Dear ImGui's back end keeps OpenGL's functions of the first one.
inline const view::Context& context() {
    static const view::Context theContext;
    return theContext;
}

/// A gallery without a window and what it draws into.
class Studio {
public:
    explicit Studio(const std::string& demo, bool panels = false) : m_gallery(optionsOf(demo, panels), {}, nullptr) {}

    Gallery& gallery() { return m_gallery; }
    /// Lets real time pass and draws.
    view::Image draw(int frames) {
        for (int i = 0; i < frames; ++i) m_gallery.stage().pass(1.0 / 60);
        m_gallery.layOut(kWidth, kHeight);
        m_gallery.frame(0, m_canvas.framebuffer(), kWidth, kHeight);
        return m_canvas.read();
    }
    /// Where a point of the world is in the picture [pixel].
    Eigen::Vector2i pixel(const Eigen::Vector3f& point) {
        const FreeArea area = m_gallery.viewArea();
        const auto at =
            m_gallery.stage().camera().project(point, static_cast<int>(area.width()), static_cast<int>(area.height()));
        if (!at || !(at->cwiseAbs().maxCoeff() < 1e6F)) return {-1, -1};  // nowhere in the picture
        return {static_cast<int>(at->x() + area.left), static_cast<int>(at->y() + area.top)};
    }

private:
    static Options optionsOf(const std::string& demo, bool panels) {
        context();
        Options options;
        options.mode = Options::Mode::Headless;
        options.demo = demo;
        options.width = kWidth;
        options.height = kHeight;
        options.panels = panels;
        options.multisampling = false;
        return options;
    }

    Gallery m_gallery;
    view::Target m_canvas{kWidth, kHeight, 1};
};

inline bool isInside(const Eigen::Vector2i& at) {
    return at.x() >= 3 && at.y() >= 3 && at.x() < kWidth - 3 && at.y() < kHeight - 3;
}

/// Hue of a colour as direction in the plane across grey; zero for greys.
inline Eigen::Vector2d hue(double red, double green, double blue) {
    return {red - (green + blue) / 2, (green - blue) * std::sqrt(3.0) / 2};
}

/// Pixels near a place that have the hue of a colour.
inline int pixelsOf(const view::Image& image, const Eigen::Vector2i& at, int reach, const view::Color& color) {
    const Eigen::Vector2d wanted = hue(color.red, color.green, color.blue).normalized();
    int found = 0;
    for (int y = std::max(0, at.y() - reach); y <= std::min(kHeight - 1, at.y() + reach); ++y) {
        for (int x = std::max(0, at.x() - reach); x <= std::min(kWidth - 1, at.x() + reach); ++x) {
            const Pixel p = image.pixel(x, y);
            const Eigen::Vector2d here = hue(p[0], p[1], p[2]) / 255;
            if (here.norm() > 0.05 && here.normalized().dot(wanted) > 0.9) ++found;
        }
    }
    return found;
}

inline bool isColored(const view::Color& color) {
    return hue(color.red, color.green, color.blue).norm() > 0.1;
}

}  // namespace elasto::gallery
