#pragma once
/// @file plot_view.h
/// Which part of its axes a plot shows, and how zooming, panning and following change that. Nothing here draws.

#include "axis.h"

#include <optional>

namespace elasto::panels {

/// Maps values to pixels and back.
struct PlotFrame {
    Interval x;                   ///< visible part of the x axis
    Interval y;                   ///< visible part of the y axis
    float left = 0, top = 0;      ///< [pixels]
    float width = 1, height = 1;  ///< [pixels], > 0

    float right() const { return left + width; }
    float bottom() const { return top + height; }
    float pixelX(double value) const;
    float pixelY(double value) const;
    double valueX(float pixel) const;
    double valueY(float pixel) const;
    bool contains(float pixelX, float pixelY) const {
        return pixelX >= left && pixelX < right() && pixelY >= top && pixelY < bottom();
    }
};

/// The visible part of a plot. Until the user takes hold of an axis it is automatic: x follows the newest sample (or
/// shows everything), y fits what is seen.
class PlotView {
public:
    /// @param window part of the x axis that is seen while following; empty: all of it
    explicit PlotView(std::optional<double> window = std::nullopt) : m_window(window) {}

    /// Brings the automatic axes up to date. Call once a frame before drawing.
    /// @param all   extent of the data along x
    /// @param seen  extent of y of what is seen now: pass that of visibleX(all, cursor) before this call
    /// @param cursor x that somebody looks at: while following it stays in sight, however far it is behind
    /// @param noise extents of y that are not larger are rounding
    void update(const Interval& all, const std::optional<Interval>& seen, std::optional<double> cursor = std::nullopt,
                double noise = 0);
    /// The part of x that update() will show.
    Interval visibleX(const Interval& all, std::optional<double> cursor = std::nullopt) const;

    const Interval& x() const { return m_x; }
    const Interval& y() const { return m_y; }
    bool followsX() const { return !m_isXHeld; }
    bool fitsY() const { return !m_isYHeld; }

    /// Zooms by a factor (< 1: closer) about a value that keeps its place. What would be too narrow for double
    /// precision is not done.
    void zoomX(double factor, double about);
    void zoomY(double factor, double about);
    /// Moves by a share of the visible part.
    void pan(double shareX, double shareY);
    /// Shows exactly this part (from a box drawn with the mouse).
    void show(const Interval& x, const Interval& y);
    void holdX(const Interval& x);
    /// Keeps what is seen now although new samples come: pause of following.
    void pause() { m_isXHeld = true; }
    void follow() { m_isXHeld = false; }
    /// Both axes are automatic again.
    void reset();

    /// Shows the same part of x as another view, and follows if that one does.
    void takeX(const PlotView& other);
    std::optional<double> window() const { return m_window; }
    /// Length of x that is seen while following. @param window > 0; empty: all
    void setWindow(std::optional<double> window);

private:
    std::optional<double> m_window;
    Interval m_x{0, 1};
    Interval m_y{-1, 1};
    bool m_isXHeld = false;
    bool m_isYHeld = false;
    bool m_hasY = false;  ///< m_y was fitted to data
};

/// A part of the y axis around data, with room above and below and round borders: it changes only when the data
/// leave it or fill less than half of it.
/// @param data    extent of what is seen; a single value gets room around it
/// @param present what is shown now, kept where it still serves; empty: none
/// @param noise   extents that are not larger, or not than 1e-4 of the data's distance from zero, count as one value
Interval fitted(const Interval& data, const std::optional<Interval>& present, double noise = 0);

/// True if an axis may show this part: finite, and wide enough for double precision to tell its pixels apart.
bool isShowable(const Interval& part);

}  // namespace elasto::panels
