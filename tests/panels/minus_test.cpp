// A minus is one stroke: at no scale may it get lost.

#include <panels/plot_drawing.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "offscreen.h"

using namespace elasto;
using namespace elasto::panels;

namespace {

/// Ink of the labels left of a plot whose values go from one number to another: shares of the text's colour, summed.
double inkOfLabels(float scale, const Interval& values, std::size_t& labels) {
    const auto pixels = [scale](float atOne) { return static_cast<int>(std::ceil(atOne * scale)); };
    Offscreen screen(pixels(300), pixels(200), scale);
    const Palette& palette = paletteOf(Theme::Dark);
    PlotFrame frame;
    frame.left = std::round(60 * scale);
    frame.top = std::round(20 * scale);
    frame.width = std::round(200 * scale);
    frame.height = std::round(150 * scale);
    frame.x = {0, 1};
    frame.y = values;
    const Ticks xTicks(frame.x, 4);
    const Ticks yTicks(frame.y, 5);
    labels = yTicks.values().size();
    const AxisScale xScale({"time", "s"}, frame.x, xTicks.step());
    const AxisScale yScale({"f", "N"}, frame.y, yTicks.step());
    PlotContent content;
    content.hasLabelsX = false;
    screen.frame([&] {
        ImDrawList& list = *ImGui::GetForegroundDrawList();
        list.AddRectFilled({0, 0}, {300 * scale, 200 * scale}, IM_COL32_BLACK);
        PlotDrawing(frame, palette, list).axes(content, xScale, yScale, xTicks, yTicks);
    });
    const view::Image image = screen.picture("minus");
    const double full = static_cast<double>((palette.faint >> 8) & 0xff);  // of green
    double ink = 0;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < static_cast<int>(frame.left) - 1; ++x) ink += image.pixel(x, y)[1] / full;
    }
    return ink;
}

}  // namespace

TEST_CASE("labels of axes have their minus at every scale", "[slow]") {
    for (const float scale : {0.5f, 0.6f, 0.7f, 0.75f, 0.8f, 0.9f, 1.f, 1.1f, 1.25f, 1.5f, 2.f, 3.f}) {
        std::size_t labels = 0;
        const double plus = inkOfLabels(scale, {0.5, 5.5}, labels);
        const double minus = inkOfLabels(scale, {-5.5, -0.5}, labels);
        INFO("scale " << scale);
        REQUIRE(labels == 5);
        REQUIRE(plus > 20);
        // A stroke of a third of the text's height, as thin as a quarter of a pixel.
        CHECK((minus - plus) / static_cast<double>(labels) > 0.08 * static_cast<double>(kTextHeight * scale));
    }
}
