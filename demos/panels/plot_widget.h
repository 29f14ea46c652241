#pragma once
/// @file plot_widget.h
/// A plot of signals over time, drawn with ImGui's draw lists.

#include "curve.h"
#include "plot_view.h"
#include "theme.h"

#include <imgui.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace elasto::panels {

/// How a curve is drawn.
enum class CurveStyle {
    Solid,
    Reference,  ///< dashed: what it should be
    Ghost,      ///< pale: an earlier branch
};

/// A curve of a plot. The data belong to the caller and must outlive the call of draw().
struct PlotCurve {
    const Curve* curve = nullptr;
    std::string name;
    ImU32 color = 0;
    CurveStyle style = CurveStyle::Solid;
    std::optional<double> now = {};  ///< its value at the cursor, where samples around it do not tell
    std::string column = {};         ///< in a table, with its unit: "stop.s_rel [m]"; empty: the name
    bool isNamedAbove = false;       ///< another legend names it for several plots
};

/// What a plot shows in this frame.
struct PlotContent {
    std::string title;
    AxisQuantity x{"time", "s"};
    AxisQuantity y;
    std::span<const PlotCurve> curves;     ///< the first one lies on top
    std::optional<double> cursor;          ///< the time shown elsewhere: a line at this x
    std::span<const Interval> bands = {};  ///< parts of x that are shaded, e.g. where there is contact
    std::span<const double> marks;  ///< vertical lines at these x, e.g. ticks; not drawn where they are too dense
    bool hasLabelsX = true;         ///< false: a plot below this one has the same axis with labels
    const char* hint = nullptr;     ///< said in the middle while no curve has samples
};

/// What the user did with a plot in this frame.
struct PlotEvents {
    std::optional<double> cursor;  ///< drags the cursor to this x
    bool wantsCsv = false;         ///< asked for the curves as CSV
    bool wantsPicture = false;     ///< asked for the plot as PNG; area() is where it is
};

class PlotDrawing;

/// A plot with axes, units, legend, zoom, pan, cursor and following. The data may be long: each pixel column costs the
/// same.
///
/// Mouse: left drag moves the cursor, right drag zooms into a box, middle drag pans, wheel zooms x (y with Ctrl, or
/// over the y axis), double click makes both axes automatic again, a click in the legend hides or shows a curve.
class PlotWidget {
public:
    /// @param window x that is seen while following [unit of x]; empty: all
    explicit PlotWidget(std::optional<double> window = std::nullopt) : m_view(window) {}

    /// @param id   unique in its window
    /// @param size [pixels]; 0 or less: what is left of the window
    PlotEvents draw(const char* id, ImVec2 size, const PlotContent& content, const Palette& palette);

    PlotView& view() { return m_view; }
    const PlotView& view() const { return m_view; }
    bool isHidden(const std::string& curve) const;
    void setHidden(const std::string& curve, bool isHidden);

    /// Where the plot was in the last frame, title and axes included [pixels].
    struct Area {
        ImVec2 low;
        ImVec2 high;
    };
    const Area& area() const { return m_area; }
    const PlotFrame& frame() const { return m_frame; }  ///< where its curves were in the last frame

private:
    /// Where a curve's name stands in the legend.
    struct LegendPlace {
        std::size_t curve = 0;
        int row = 0;
        float x = 0;  ///< [pixels]
        bool hasValue = false;
    };
    std::vector<LegendPlace> placeLegend(const PlotContent& content, ImVec2 low, float width) const;
    void drawHeader(const PlotContent& content, const AxisScale& yScale, const Palette& palette, PlotEvents& events);
    void place(ImVec2 size, bool hasLabelsX, int legendRows);
    void zoomValues();
    std::string valueOf(const PlotCurve& curve, std::optional<double> at, const AxisScale& yScale) const;
    void drawLegend(const PlotContent& content, const AxisScale& yScale, const Palette& palette);
    void handleMouse(bool isHovered, PlotDrawing& drawing, PlotEvents& events);

    PlotView m_view;
    PlotFrame m_frame;
    Area m_area;
    std::vector<LegendPlace> m_legend;
    std::vector<std::string> m_hidden;
    std::vector<std::size_t> m_indices;  ///< of the samples drawn; kept for its storage
    std::vector<ImVec2> m_points;
    std::optional<ImVec2> m_boxStart;  ///< right drag [pixels]
    std::optional<double> m_hover;     ///< x under the mouse
    bool m_dragsCursor = false;
};

}  // namespace elasto::panels
