#include "plot_drawing.h"

#include "fonts.h"
#include "widgets.h"

#include <algorithm>
#include <cmath>

namespace elasto::panels {

namespace {

constexpr float kCurveWidth = 1.6f;  ///< [pixels at scale 1]
constexpr float kDash = 6, kGap = 4;
constexpr float kGhostOpacity = 0.4f;
constexpr double kMargin = 4;  ///< lines go on beyond the frame by this before the clipping rectangle cuts them

ImU32 colorOf(const PlotCurve& curve) {
    return curve.style == CurveStyle::Ghost ? faded(curve.color, kGhostOpacity) : curve.color;
}

}  // namespace

bool cutToBox(const PlotFrame& box, double margin, double& x1, double& y1, double& x2, double& y2) {
    // Liang-Barsky: the part of the line's parameter 0 .. 1 that lies inside of all four borders.
    const double dx = x2 - x1;
    const double dy = y2 - y1;
    const double left = static_cast<double>(box.left) - margin, right = static_cast<double>(box.right()) + margin;
    const double top = static_cast<double>(box.top) - margin, bottom = static_cast<double>(box.bottom()) + margin;
    const double steps[4] = {-dx, dx, -dy, dy};
    const double rooms[4] = {x1 - left, right - x1, y1 - top, bottom - y1};
    double from = 0, to = 1;
    for (int i = 0; i < 4; ++i) {
        if (steps[i] == 0) {
            if (!(rooms[i] >= 0)) return false;
            continue;
        }
        const double share = rooms[i] / steps[i];
        if (steps[i] < 0) {
            from = std::max(from, share);
        } else {
            to = std::min(to, share);
        }
    }
    if (!(from <= to)) return false;
    const double startX = x1, startY = y1;
    if (to < 1) {
        x2 = startX + to * dx;
        y2 = startY + to * dy;
    }
    if (from > 0) {
        x1 = startX + from * dx;
        y1 = startY + from * dy;
    }
    return true;
}

PlotDrawing::PlotDrawing(const PlotFrame& frame, const Palette& palette, ImDrawList& list)
    : m_frame(frame), m_palette(palette), m_list(list), m_scale(ImGui::GetTextLineHeight() / kTextHeight) {}

void PlotDrawing::axes(const PlotContent& content, const AxisScale& xScale, const AxisScale& yScale,
                       const Ticks& xTicks, const Ticks& yTicks) {
    const ImVec2 low = {m_frame.left, m_frame.top};
    const ImVec2 high = {m_frame.right(), m_frame.bottom()};
    m_list.AddRectFilled(low, high, m_palette.field);
    for (const Interval& band : content.bands) {
        const float from = m_frame.pixelX(std::max(band.low, m_frame.x.low));
        const float to = m_frame.pixelX(std::min(band.high, m_frame.x.high));
        // A short contact is seen, too.
        if (to >= from)
            m_list.AddRectFilled({from, low.y}, {std::max(to, from + 1), high.y}, faded(m_palette.accent, 0.16f));
    }
    const auto inside = std::count_if(content.marks.begin(), content.marks.end(),
                                      [this](double mark) { return m_frame.x.contains(mark); });
    if (static_cast<float>(inside) < m_frame.width / (6 * m_scale)) {
        for (const double mark : content.marks) {
            if (!m_frame.x.contains(mark)) continue;
            const float x = std::round(m_frame.pixelX(mark));
            m_list.AddLine({x, low.y}, {x, high.y}, m_palette.border, 1);
        }
    }
    ImFont* numbers = smallFont();
    const float small = numbers->FontSize;
    float labelled = high.y + small;  // where the label below stands: in a low plot only some have room
    for (const double value : yTicks.values()) {
        const float y = std::round(m_frame.pixelY(value));
        m_list.AddLine({low.x, y}, {high.x, y}, value == 0 ? m_palette.axis : m_palette.grid, 1);
        const std::string label = yScale.label(value);
        const ImVec2 size = numbers->CalcTextSizeA(small, FLT_MAX, 0, label.c_str());
        if (labelled - y < size.y) continue;
        labelled = y;
        m_list.AddText(numbers, small, {low.x - size.x - 5 * m_scale, y - size.y / 2}, m_palette.faint, label.c_str());
    }
    // The title of the x axis stands at its right end, in the row of its labels: those that it would cover are left
    // out.
    const ImVec2 title = numbers->CalcTextSizeA(small, FLT_MAX, 0, xScale.title().c_str());
    const float titleLeft = high.x - title.x;
    const float below = high.y + 3 * m_scale;
    for (const double value : xTicks.values()) {
        const float x = std::round(m_frame.pixelX(value));
        m_list.AddLine({x, low.y}, {x, high.y}, m_palette.grid, 1);
        if (!content.hasLabelsX) continue;
        const std::string label = xScale.label(value);
        const ImVec2 size = numbers->CalcTextSizeA(small, FLT_MAX, 0, label.c_str());
        if (x + size.x / 2 > titleLeft - 8 * m_scale) continue;
        m_list.AddText(numbers, small, {x - size.x / 2, below}, m_palette.faint, label.c_str());
    }
    if (content.hasLabelsX) m_list.AddText(numbers, small, {titleLeft, below}, m_palette.faint, xScale.title().c_str());
    m_list.AddRect(low, high, m_palette.border);
}

void PlotDrawing::unit(const AxisScale& yScale) {
    const std::string& text = yScale.offset() != 0 ? yScale.title() : yScale.unit();
    if (text.empty() || text == "-") return;
    ImFont* numbers = smallFont();
    const float small = numbers->FontSize;
    const ImVec2 at = {m_frame.left + 5 * m_scale, m_frame.top + 2 * m_scale};
    const ImVec2 size = numbers->CalcTextSizeA(small, FLT_MAX, 0, text.c_str());
    m_list.AddRectFilled({at.x - 3 * m_scale, at.y}, {at.x + size.x + 3 * m_scale, at.y + size.y},
                         faded(m_palette.field, 0.92f), 2 * m_scale);
    m_list.AddText(numbers, small, at, m_palette.faint, text.c_str());
}

void PlotDrawing::dashed(std::span<const ImVec2> points, ImU32 color, float thickness) {
    const float dash = kDash * m_scale, gap = kGap * m_scale;
    float phase = 0;  // along dash and gap
    for (std::size_t i = 1; i < points.size(); ++i) {
        const ImVec2 a = points[i - 1], b = points[i];
        const float length = std::hypot(b.x - a.x, b.y - a.y);
        float done = 0;
        while (done < length) {
            const bool isDash = phase < dash;
            const float rest = (isDash ? dash : dash + gap) - phase;
            const float end = std::min(length, done + rest);
            if (isDash) {
                const float from = done / length, to = end / length;
                m_list.AddLine({a.x + from * (b.x - a.x), a.y + from * (b.y - a.y)},
                               {a.x + to * (b.x - a.x), a.y + to * (b.y - a.y)}, color, thickness);
            }
            phase += end - done;
            if (phase >= dash + gap - 1e-3f) phase = 0;
            if (end <= done) break;  // rounding
            done = end;
        }
    }
}

void PlotDrawing::stroke(const PlotCurve& curve, std::vector<ImVec2>& points) {
    if (points.size() >= 2) {
        const float thickness = kCurveWidth * m_scale;
        if (curve.style == CurveStyle::Reference) {
            dashed(points, colorOf(curve), thickness);
        } else {
            m_list.AddPolyline(points.data(), static_cast<int>(points.size()), colorOf(curve), ImDrawFlags_None,
                               thickness);
        }
    }
    points.clear();
}

void PlotDrawing::curve(const PlotCurve& curve, std::span<const std::size_t> indices, std::vector<ImVec2>& points) {
    const Curve& data = *curve.curve;
    m_list.PushClipRect({m_frame.left, m_frame.top}, {m_frame.right(), m_frame.bottom()}, true);
    const double scaleX = static_cast<double>(m_frame.width) / m_frame.x.length();
    const double scaleY = static_cast<double>(m_frame.height) / m_frame.y.length();
    const auto pixelX = [&](std::size_t i) {
        return static_cast<double>(m_frame.left) + (data.x(i) - m_frame.x.low) * scaleX;
    };
    const auto pixelY = [&](std::size_t i) {
        return static_cast<double>(m_frame.bottom()) - (data.y(i) - m_frame.y.low) * scaleY;
    };
    points.clear();
    if (indices.size() == 1 && !std::isnan(data.y(indices[0]))) {
        const ImVec2 at = {static_cast<float>(pixelX(indices[0])), static_cast<float>(pixelY(indices[0]))};
        m_list.AddCircleFilled(at, 2.5f * m_scale, colorOf(curve));
    }
    for (std::size_t i = 1; i < indices.size(); ++i) {
        double x1 = pixelX(indices[i - 1]), y1 = pixelY(indices[i - 1]);
        double x2 = pixelX(indices[i]), y2 = pixelY(indices[i]);
        const double endX = x2, endY = y2;
        if (std::isnan(y1) || std::isnan(y2) || !cutToBox(m_frame, kMargin, x1, y1, x2, y2)) {
            stroke(curve, points);
            continue;
        }
        const ImVec2 from = {static_cast<float>(x1), static_cast<float>(y1)};
        const ImVec2 to = {static_cast<float>(x2), static_cast<float>(y2)};
        if (points.empty()) points.push_back(from);
        points.push_back(to);
        if (x2 != endX || y2 != endY) stroke(curve, points);  // it left the frame
    }
    stroke(curve, points);
    m_list.PopClipRect();
}

void PlotDrawing::hint(const char* text) {
    const ImVec2 size = ImGui::CalcTextSize(text);
    m_list.AddText({m_frame.left + (m_frame.width - size.x) / 2, m_frame.top + (m_frame.height - size.y) / 2},
                   m_palette.faint, text);
}

void PlotDrawing::cursor(double x) {
    if (!m_frame.x.contains(x)) return;
    const float at = std::round(m_frame.pixelX(x));
    m_list.AddLine({at, m_frame.top}, {at, m_frame.bottom()}, m_palette.cursor, 1.5f * m_scale);
    const float head = 4 * m_scale;
    m_list.AddTriangleFilled({at - head, m_frame.top}, {at + head, m_frame.top}, {at, m_frame.top + 1.4f * head},
                             m_palette.cursor);
}

void PlotDrawing::dot(double x, double y, ImU32 color) {
    if (!m_frame.x.contains(x) || !m_frame.y.contains(y)) return;
    const ImVec2 point = {m_frame.pixelX(x), m_frame.pixelY(y)};
    m_list.AddCircleFilled(point, 3.5f * m_scale, m_palette.field);
    m_list.AddCircle(point, 3.5f * m_scale, color, 0, 1.5f * m_scale);
}

void PlotDrawing::reading(double x, const PlotContent& content, const AxisScale& xScale, const PlotWidget& widget) {
    const float at = m_frame.pixelX(x);
    m_list.AddLine({at, m_frame.top}, {at, m_frame.bottom()}, m_palette.axis, 1);
    for (const PlotCurve& curve : content.curves) {
        if (!curve.curve || widget.isHidden(curve.name)) continue;
        if (const std::optional<double> y = curve.curve->at(x)) dot(x, *y, curve.color);
    }
    ImFont* numbers = smallFont();
    const std::string text = xScale.reading(x);
    const float height = numbers->FontSize;
    const ImVec2 size = numbers->CalcTextSizeA(height, FLT_MAX, 0, text.c_str());
    const float left = std::clamp(at - size.x / 2, m_frame.left, std::max(m_frame.left, m_frame.right() - size.x));
    const ImVec2 low = {left, m_frame.bottom() + 2 * m_scale};
    m_list.AddRectFilled({low.x - 4 * m_scale, low.y}, {low.x + size.x + 4 * m_scale, low.y + size.y + 2 * m_scale},
                         m_palette.raised, 3 * m_scale);
    m_list.AddText(numbers, height, {low.x, low.y + m_scale}, m_palette.text, text.c_str());
}

void PlotDrawing::box(ImVec2 low, ImVec2 high) {
    m_list.AddRectFilled(low, high, faded(m_palette.accent, 0.15f));
    m_list.AddRect(low, high, m_palette.accent);
}

void PlotDrawing::swatch(ImVec2 middle, float length, const PlotCurve& curve, bool isHidden) {
    const ImU32 color = isHidden ? m_palette.axis : colorOf(curve);
    const ImVec2 points[2] = {middle, {middle.x + length, middle.y}};
    if (curve.style == CurveStyle::Reference) {
        const float dash = length * 0.4f;
        m_list.AddLine(points[0], {points[0].x + dash, middle.y}, color, 2.5f * m_scale);
        m_list.AddLine({points[1].x - dash, middle.y}, points[1], color, 2.5f * m_scale);
    } else {
        m_list.AddLine(points[0], points[1], color, 2.5f * m_scale);
    }
}

}  // namespace elasto::panels
