#pragma once
/// @file plot_drawing.h
/// The strokes of a plot: axes, curves, cursor, box.

#include "plot_widget.h"

namespace elasto::panels {

/// Draws the parts of one plot into a draw list. Made anew for each frame.
class PlotDrawing {
public:
    PlotDrawing(const PlotFrame& frame, const Palette& palette, ImDrawList& list);

    void axes(const PlotContent& content, const AxisScale& xScale, const AxisScale& yScale, const Ticks& xTicks,
              const Ticks& yTicks);
    /// The y axis' unit in its upper left corner; after the curves, so that it can be read.
    void unit(const AxisScale& yScale);
    /// @param indices of the samples to draw, see Curve::visible
    /// @param points  storage that is used again
    void curve(const PlotCurve& curve, std::span<const std::size_t> indices, std::vector<ImVec2>& points);
    void hint(const char* text);
    void cursor(double x);
    /// A point of a curve; nothing outside of the frame.
    void dot(double x, double y, ImU32 color);
    /// The line under the mouse with its time, and a dot on each curve.
    void reading(double x, const PlotContent& content, const AxisScale& xScale, const PlotWidget& widget);
    void box(ImVec2 low, ImVec2 high);
    /// Sample of a curve's line for the legend. @param middle of its left end
    void swatch(ImVec2 middle, float length, const PlotCurve& curve, bool isHidden);

private:
    void stroke(const PlotCurve& curve, std::vector<ImVec2>& points);
    void dashed(std::span<const ImVec2> points, ImU32 color, float thickness);

    const PlotFrame& m_frame;
    const Palette& m_palette;
    ImDrawList& m_list;
    float m_scale;  ///< 1 at 15 pixels of text
};

/// Cuts a line to a box. @return false if nothing of it lies inside
bool cutToBox(const PlotFrame& box, double margin, double& x1, double& y1, double& x2, double& y2);

}  // namespace elasto::panels
