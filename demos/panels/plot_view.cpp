#include "plot_view.h"

#include <algorithm>
#include <cmath>

namespace elasto::panels {

namespace {

constexpr double kRoom = 0.08;          ///< room above and below the data, as a share of their extent
constexpr double kNarrowest = 1e-11;    ///< visible part / distance from zero
constexpr double kLeastLength = 1e-15;  ///< visible part at zero, in the axis' unit
constexpr double kLargestValue = 1e100;
constexpr double kFlat = 1e-4;          ///< extent of data / distance from zero: one value, unless somebody zooms
constexpr double kLeastExtent = 1e-12;  ///< of data, in the axis' unit
constexpr double kBehind = 0.1;         ///< place of a cursor that is far behind, as a share of the window

Interval zoomed(const Interval& part, double factor, double about) {
    return {about + (part.low - about) * factor, about + (part.high - about) * factor};
}

}  // namespace

float PlotFrame::pixelX(double value) const {
    return left + static_cast<float>((value - x.low) / x.length() * static_cast<double>(width));
}

float PlotFrame::pixelY(double value) const {
    return bottom() - static_cast<float>((value - y.low) / y.length() * static_cast<double>(height));
}

double PlotFrame::valueX(float pixel) const {
    return x.low + static_cast<double>(pixel - left) / static_cast<double>(width) * x.length();
}

double PlotFrame::valueY(float pixel) const {
    return y.low + static_cast<double>(bottom() - pixel) / static_cast<double>(height) * y.length();
}

bool isShowable(const Interval& part) {
    const double size = std::max(std::abs(part.low), std::abs(part.high));
    return std::isfinite(part.low) && std::isfinite(part.high) && size <= kLargestValue &&
           part.length() >= kLeastLength && part.length() > size * kNarrowest;
}

Interval fitted(const Interval& data, const std::optional<Interval>& present, double noise) {
    const double size = std::max(std::abs(data.low), std::abs(data.high));
    if (!std::isfinite(size)) return present.value_or(Interval{-1, 1});
    double length = data.length();
    Interval wanted = data;
    noise = std::max(noise, kLeastExtent);
    if (!(length > size * kFlat) || !(length > noise)) {
        // One value: half its size of room, or one unit around zero.
        const double room = size > noise ? size / 2 : 1;
        wanted = {data.low - room, data.high + room};
        length = 2 * room;
    } else {
        wanted = {data.low - kRoom * length, data.high + kRoom * length};
        // A signal that only ever pushes or only grows begins at zero, and zero is worth to be seen when it is near.
        if (data.low >= 0 && data.low < length) wanted.low = std::min(data.low, 0.) - kRoom * length / 2;
        if (data.high <= 0 && -data.high < length) wanted.high = std::max(data.high, 0.) + kRoom * length / 2;
    }
    const double edge = kRoom / 4 * data.length();
    if (present && present->low <= data.low - edge && present->high >= data.high + edge &&
        wanted.length() > present->length() / 2) {
        return *present;
    }
    const double step = Ticks(wanted, 8).step();
    if (!(step > 0)) return wanted;
    return {std::floor(wanted.low / step * 2) * step / 2, std::ceil(wanted.high / step * 2) * step / 2};
}

Interval PlotView::visibleX(const Interval& all, std::optional<double> cursor) const {
    if (m_isXHeld) return m_x;
    if (!m_window) {
        if (isShowable(all)) return all;
        return {all.low, all.low + std::max(1., std::abs(all.low))};
    }
    // At the start a fifth, then a half of the window is filled from the left, before it begins to move.
    for (const double share : {0.2, 0.5}) {
        if (all.length() <= share * *m_window) return {all.low, all.low + share * *m_window};
    }
    const double high = std::max(all.high, all.low + *m_window);
    if (cursor && *cursor < high - *m_window) {
        const double low = std::max(all.low, *cursor - kBehind * *m_window);
        return {low, low + *m_window};
    }
    return {high - *m_window, high};
}

void PlotView::update(const Interval& all, const std::optional<Interval>& seen, std::optional<double> cursor,
                      double noise) {
    const Interval wanted = visibleX(all, cursor);
    if (isShowable(wanted)) m_x = wanted;
    if (m_isYHeld || !seen) return;
    m_y = fitted(*seen, m_hasY ? std::optional(m_y) : std::nullopt, noise);
    m_hasY = true;
}

void PlotView::zoomX(double factor, double about) {
    holdX(zoomed(m_x, factor, about));
}

void PlotView::zoomY(double factor, double about) {
    const Interval wanted = zoomed(m_y, factor, about);
    if (!isShowable(wanted)) return;
    m_y = wanted;
    m_isYHeld = true;
}

void PlotView::holdX(const Interval& x) {
    if (!isShowable(x)) return;
    m_x = x;
    m_isXHeld = true;
}

void PlotView::pan(double shareX, double shareY) {
    if (shareX != 0) holdX({m_x.low + shareX * m_x.length(), m_x.high + shareX * m_x.length()});
    if (shareY == 0) return;
    const Interval wanted = {m_y.low + shareY * m_y.length(), m_y.high + shareY * m_y.length()};
    if (!isShowable(wanted)) return;
    m_y = wanted;
    m_isYHeld = true;
}

void PlotView::show(const Interval& x, const Interval& y) {
    if (!isShowable(x) || !isShowable(y)) return;
    m_x = x;
    m_y = y;
    m_isXHeld = m_isYHeld = true;
}

void PlotView::reset() {
    m_isXHeld = m_isYHeld = false;
    m_hasY = false;
}

void PlotView::takeX(const PlotView& other) {
    m_x = other.m_x;
    m_window = other.m_window;
    m_isXHeld = other.m_isXHeld;
}

void PlotView::setWindow(std::optional<double> window) {
    if (window && !(*window > 0 && std::isfinite(*window))) return;
    m_window = window;
    m_isXHeld = false;
}

}  // namespace elasto::panels
