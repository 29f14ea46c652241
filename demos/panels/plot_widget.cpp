#include "plot_widget.h"

#include "plot_drawing.h"
#include "widgets.h"

#include <algorithm>
#include <cmath>

namespace elasto::panels {

namespace {

constexpr double kGhostRoom = 3;
constexpr double kWheelFactor = 0.8;  ///< zoom of one notch of the wheel
constexpr const char* kLeft = "left the picture";
constexpr float kLegendRow = 1.25f;               ///< distance of two rows of the legend [lines]
constexpr float kButtonSide = 1.25f;              ///< of the buttons in the header [lines]
constexpr float kSwatch = 1.1f, kNameGap = 0.8f;  ///< before and after a name in the legend [lines]
constexpr double kRounding = 1e-7;                ///< of the largest value of the run: what differs less is one value
constexpr float kSmallestBox = 6;                 ///< a smaller box is a click [pixels at scale 1]

/// Extent of all curves along x that are shown; 0 .. 1 without any.
Interval extentOfX(std::span<const PlotCurve> curves, const PlotWidget& widget) {
    std::optional<Interval> all;
    for (const PlotCurve& curve : curves) {
        if (!curve.curve || curve.curve->empty() || widget.isHidden(curve.name)) continue;
        // A reference or a ghost may know the future; what is followed is the run.
        const Interval own = {curve.curve->x(0), curve.curve->x(curve.curve->size() - 1)};
        if (!all) {
            all = own;
        } else if (curve.style == CurveStyle::Solid) {
            all = Interval{std::min(all->low, own.low), std::max(all->high, own.high)};
        }
    }
    return all.value_or(Interval{0, 1});
}

/// Extent of all curves along y within a part of x. A ghost that goes astray (a baseline that blows up) must not
/// flatten the run: it widens the extent to at most kGhostRoom times what it is without ghosts.
std::optional<Interval> extentOfY(std::span<const PlotCurve> curves, const Interval& x, const PlotWidget& widget) {
    std::optional<Interval> run, ghosts;
    for (const PlotCurve& curve : curves) {
        if (!curve.curve || widget.isHidden(curve.name)) continue;
        const std::optional<Interval> own = curve.curve->extent(x);
        if (!own) continue;
        std::optional<Interval>& into = curve.style == CurveStyle::Ghost ? ghosts : run;
        into = into ? Interval{std::min(into->low, own->low), std::max(into->high, own->high)} : *own;
    }
    if (!run) return ghosts;
    if (!ghosts) return run;
    const double room = (kGhostRoom - 1) / 2 * run->length();
    return Interval{std::min(run->low, std::max(ghosts->low, run->low - room)),
                    std::max(run->high, std::min(ghosts->high, run->high + room))};
}

/// Extent of y that is rounding beside the largest value of the run.
double noiseOf(std::span<const PlotCurve> curves, const PlotWidget& widget) {
    double largest = 0;
    for (const PlotCurve& curve : curves) {
        if (!curve.curve || curve.curve->empty() || curve.style != CurveStyle::Solid || widget.isHidden(curve.name))
            continue;
        const auto extent = curve.curve->extent({curve.curve->x(0), curve.curve->x(curve.curve->size() - 1)});
        if (extent) largest = std::max({largest, std::abs(extent->low), std::abs(extent->high)});
    }
    return std::isfinite(largest) ? kRounding * largest : 0;
}

/// Width of a number in the legend, and of almost all of them: they must not push their neighbours about.
float widthOfValue(const char* text) {
    const ImFont* numbers = numbersFont();
    return numbers->CalcTextSizeA(numbers->FontSize, FLT_MAX, 0, text).x + ImGui::GetTextLineHeight() * 0.3f;
}
float usualWidth() {
    return widthOfValue("-88.888 mm");
}

}  // namespace

bool PlotWidget::isHidden(const std::string& curve) const {
    return std::find(m_hidden.begin(), m_hidden.end(), curve) != m_hidden.end();
}

void PlotWidget::setHidden(const std::string& curve, bool isHidden) {
    const auto found = std::find(m_hidden.begin(), m_hidden.end(), curve);
    if (isHidden && found == m_hidden.end()) m_hidden.push_back(curve);
    if (!isHidden && found != m_hidden.end()) m_hidden.erase(found);
}

// The frame within the widget's area: beside it the labels of the axes, above it the header.
void PlotWidget::place(ImVec2 size, bool hasLabelsX, int legendRows) {
    const float line = ImGui::GetTextLineHeight();
    const ImVec2 low = m_area.low;
    const float header = line * (1.55f + kLegendRow * static_cast<float>(legendRows - 1));
    const float labels = line * 3.6f;  // room for the labels of the y axis
    m_frame.x = m_view.x();
    m_frame.y = m_view.y();
    m_frame.left = std::round(low.x + labels);
    m_frame.top = std::round(low.y + header);
    m_frame.width = std::max(1.f, std::round(size.x - labels - line * 0.4f));
    m_frame.height = std::max(1.f, std::round(size.y - header - line * (hasLabelsX ? 1.5f : 0.35f)));
}

// The labels of the y axis: the wheel there zooms values.
void PlotWidget::zoomValues() {
    const ImVec2 low = m_area.low;
    const ImGuiIO& io = ImGui::GetIO();
    ImGui::SetCursorScreenPos({low.x, m_frame.top});
    ImGui::InvisibleButton("values", {std::max(1.f, m_frame.left - low.x), m_frame.height});
    claimWheel();
    if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
        m_view.zoomY(std::pow(kWheelFactor, static_cast<double>(io.MouseWheel)), m_frame.valueY(io.MousePos.y));
    }
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) m_view.reset();
}

PlotEvents PlotWidget::draw(const char* id, ImVec2 size, const PlotContent& content, const Palette& palette) {
    PlotEvents events;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float line = ImGui::GetTextLineHeight();
    if (size.x <= 0) size.x = room.x;
    if (size.y <= 0) size.y = room.y;
    size.x = std::max(size.x, 8 * line);
    size.y = std::max(size.y, 3.9f * line);
    ImGui::PushID(id);
    const ImVec2 low = ImGui::GetCursorScreenPos();
    m_area = {low, {low.x + size.x, low.y + size.y}};

    // The view first, since all that is drawn depends on it.
    const Interval all = extentOfX(content.curves, *this);
    const Interval wanted = m_view.visibleX(all, content.cursor);
    m_view.update(all, extentOfY(content.curves, wanted, *this), content.cursor, noiseOf(content.curves, *this));

    m_legend = placeLegend(content, low, size.x);
    place(size, content.hasLabelsX, m_legend.empty() ? 1 : m_legend.back().row + 1);
    const Ticks xTicks(m_frame.x, static_cast<int>(m_frame.width / (line * 4.5f)));
    const Ticks yTicks(m_frame.y, std::max(3, static_cast<int>(m_frame.height / (line * 1.5f))));
    const AxisScale xScale(content.x, m_frame.x, xTicks.step());
    const AxisScale yScale(content.y, m_frame.y, yTicks.step());

    zoomValues();
    const ImGuiIO& io = ImGui::GetIO();
    ImGui::SetCursorScreenPos({m_frame.left, m_frame.top});
    ImGui::InvisibleButton(
        "area", {m_frame.width, m_frame.height},
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
    showFocus();
    const bool isHovered = ImGui::IsItemHovered();
    claimWheel();
    const ImVec2 mouse = io.MousePos;
    m_hover = isHovered ? std::optional(m_frame.valueX(mouse.x)) : std::nullopt;

    PlotDrawing drawing(m_frame, palette, *ImGui::GetWindowDrawList());
    drawing.axes(content, xScale, yScale, xTicks, yTicks);
    bool hasSamples = false;
    for (auto curve = content.curves.rbegin(); curve != content.curves.rend(); ++curve) {
        if (!curve->curve || curve->curve->empty() || isHidden(curve->name)) continue;
        hasSamples = true;
        curve->curve->visible(m_frame.x, static_cast<int>(m_frame.width), m_indices);
        drawing.curve(*curve, m_indices, m_points);
    }
    drawing.unit(yScale);
    if (!hasSamples && content.hint) drawing.hint(content.hint);
    if (content.cursor) drawing.cursor(*content.cursor);
    for (const PlotCurve& curve : content.curves) {
        if (content.cursor && curve.now && !isHidden(curve.name)) drawing.dot(*content.cursor, *curve.now, curve.color);
    }
    if (m_hover) drawing.reading(*m_hover, content, xScale, *this);
    handleMouse(isHovered, drawing, events);
    drawHeader(content, yScale, palette, events);

    ImGui::SetCursorScreenPos(low);
    ImGui::Dummy(size);
    ImGui::PopID();
    return events;
}

void PlotWidget::handleMouse(bool isHovered, PlotDrawing& drawing, PlotEvents& events) {
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 mouse = io.MousePos;
    const bool isActive = ImGui::IsItemActive();
    if (isHovered && io.MouseWheel != 0) {
        const double factor = std::pow(kWheelFactor, static_cast<double>(io.MouseWheel));
        if (io.KeyCtrl) {
            m_view.zoomY(factor, m_frame.valueY(mouse.y));
        } else if (m_view.followsX() && m_view.window()) {
            // While it follows, the newest sample keeps its place and the window changes.
            m_view.setWindow(std::clamp(*m_view.window() * factor, 1e-6, 1e6));
        } else {
            m_view.zoomX(factor, m_frame.valueX(mouse.x));
        }
    }
    if (isHovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        m_view.reset();
        m_dragsCursor = false;
        return;
    }
    if (isHovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) m_dragsCursor = true;
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) m_dragsCursor = false;
    if (m_dragsCursor && isActive) {
        events.cursor = m_frame.valueX(std::clamp(mouse.x, m_frame.left, m_frame.right()));
    }
    if (isActive && ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0)) {
        m_view.pan(-static_cast<double>(io.MouseDelta.x / m_frame.width),
                   static_cast<double>(io.MouseDelta.y / m_frame.height));
    }
    if (isHovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) m_boxStart = mouse;
    if (!m_boxStart) return;
    const ImVec2 end = {std::clamp(mouse.x, m_frame.left, m_frame.right()),
                        std::clamp(mouse.y, m_frame.top, m_frame.bottom())};
    const ImVec2 low = {std::min(m_boxStart->x, end.x), std::min(m_boxStart->y, end.y)};
    const ImVec2 high = {std::max(m_boxStart->x, end.x), std::max(m_boxStart->y, end.y)};
    const float smallest = kSmallestBox * ImGui::GetTextLineHeight() / 15;
    const bool isBox = high.x - low.x >= smallest && high.y - low.y >= smallest;
    if (isBox) drawing.box(low, high);
    if (ImGui::IsMouseDown(ImGuiMouseButton_Right)) return;
    if (isBox) {
        m_view.show({m_frame.valueX(low.x), m_frame.valueX(high.x)}, {m_frame.valueY(high.y), m_frame.valueY(low.y)});
    }
    m_boxStart.reset();
}

void PlotWidget::drawHeader(const PlotContent& content, const AxisScale& yScale, const Palette& palette,
                            PlotEvents& events) {
    const float line = ImGui::GetTextLineHeight();
    const ImVec2 low = m_area.low;
    float right = m_area.high.x - line * 0.4f;
    const bool isNear = ImGui::IsMouseHoveringRect(m_area.low, m_area.high) || isKeyboardInPanels();
    const float side = line * kButtonSide;
    const auto button = [&](const char* id, Icon icon, const char* tip) {
        right -= side;
        ImGui::SetCursorScreenPos({right, low.y});
        return iconButton(id, icon, tip, side, palette);
    };
    const bool isHeld = !m_view.followsX() || !m_view.fitsY();
    // What is seldom needed shows itself when the mouse is near.
    if (isNear && button("png", Icon::Picture, "Save this plot as a picture (PNG)")) events.wantsPicture = true;
    if (isNear && button("csv", Icon::Table, "Save the curves as a table (CSV)")) events.wantsCsv = true;
    if (isHeld) {
        if (button("follow", Icon::Follow, "Follow again, and fit the values (double click)")) m_view.reset();
    } else if (isNear && button("pause", Icon::Hold, "Hold what is seen while time goes on")) {
        m_view.pause();
    }
    drawLegend(content, yScale, palette);
}

// A curve's value for the legend. @param at time, none for the newest
std::string PlotWidget::valueOf(const PlotCurve& curve, std::optional<double> at, const AxisScale& yScale) const {
    std::string value;
    if (curve.curve && !curve.curve->empty()) {
        const double end = curve.curve->x(curve.curve->size() - 1);
        // Rounding may put the cursor just behind the newest sample.
        const double near = 1e-6 * m_frame.x.length();
        const bool isEnd = !at || (*at > end && *at <= end + near);
        const std::optional<double> number = curve.now && !m_hover ? curve.now : curve.curve->at(isEnd ? end : *at);
        if (number) value = yScale.reading(*number);
        // What goes astray is cut off, and its number would only be large.
        const bool isCutOff =
            curve.style == CurveStyle::Ghost && m_view.fitsY() && number && !m_frame.y.contains(*number);
        if (isCutOff) value = kLeft;
    }
    return value;
}

// Every curve has its name: in one row with as many values as there is room for, or in several with the first value.
std::vector<PlotWidget::LegendPlace> PlotWidget::placeLegend(const PlotContent& content, ImVec2 low,
                                                             float width) const {
    const float line = ImGui::GetTextLineHeight();
    std::vector<LegendPlace> places;
    float first = low.x + line * 0.3f;
    if (!content.title.empty()) {
        const ImFont* bold = boldFont();
        first += bold->CalcTextSizeA(bold->FontSize, FLT_MAX, 0, content.title.c_str()).x + line;
    }
    const float right = low.x + width - line * 0.4f;
    // The buttons are not always seen, but nothing may move when they are.
    const float firstRight = right - 3 * kButtonSide * line - 0.4f * line;
    const auto widthOf = [&](const PlotCurve& curve) {
        return (kSwatch + kNameGap) * line + ImGui::CalcTextSize(curve.name.c_str()).x;
    };
    float room = firstRight - first - usualWidth();
    for (const PlotCurve& curve : content.curves) room -= curve.isNamedAbove ? 0 : widthOf(curve);
    float x = first;
    int row = 0;
    for (std::size_t i = 0; i < content.curves.size(); ++i) {
        const PlotCurve& curve = content.curves[i];
        if (curve.isNamedAbove) continue;
        const bool isFirst = places.empty();
        const bool hasValue = !isHidden(curve.name) && (isFirst || room >= usualWidth());
        if (hasValue && !isFirst) room -= usualWidth();
        const float wanted = widthOf(curve) + (hasValue ? usualWidth() : 0);
        if (!isFirst && x + wanted - kNameGap * line > (row == 0 ? firstRight : right)) {
            ++row;
            x = low.x + line * 0.3f;
        }
        places.push_back({i, row, x, hasValue});
        x += wanted;
    }
    return places;
}

void PlotWidget::drawLegend(const PlotContent& content, const AxisScale& yScale, const Palette& palette) {
    const float line = ImGui::GetTextLineHeight();
    const ImVec2 low = m_area.low;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (!content.title.empty()) {
        ImFont* bold = boldFont();
        list.AddText(bold, bold->FontSize, {low.x + line * 0.3f, low.y + line * 0.15f}, palette.text,
                     content.title.c_str());
    }
    const std::optional<double> at = m_hover ? m_hover : content.cursor;
    ImFont* numbers = numbersFont();
    for (const LegendPlace& place : m_legend) {
        const PlotCurve& curve = content.curves[place.curve];
        const std::string value = valueOf(curve, at, yScale);
        const float nameWidth = ImGui::CalcTextSize(curve.name.c_str()).x;
        const float top = low.y + kLegendRow * line * static_cast<float>(place.row);
        ImGui::SetCursorScreenPos({place.x, top});
        ImGui::PushID(static_cast<int>(place.curve));
        const float width = kSwatch * line + nameWidth + (place.hasValue ? usualWidth() : 0);
        if (ImGui::InvisibleButton("legend", {width, line * 1.3f})) setHidden(curve.name, !isHidden(curve.name));
        showFocus();
        if (ImGui::IsItemHovered()) {
            ImGui::SetTooltip("%s%s%s\nClick to %s", curve.name.c_str(), value.empty() ? "" : " = ", value.c_str(),
                              isHidden(curve.name) ? "show" : "hide");
        }
        ImGui::PopID();
        const float y = top + line * 0.15f;
        PlotDrawing(m_frame, palette, list)
            .swatch({place.x, y + line * 0.5f}, line * 0.8f, curve, isHidden(curve.name));
        const float name = place.x + kSwatch * line;
        list.AddText({name, y}, isHidden(curve.name) ? palette.faint : palette.text, curve.name.c_str());
        if (place.hasValue) {
            list.AddText(numbers, numbers->FontSize, {name + nameWidth + line * 0.3f, y}, palette.faint, value.c_str());
        }
    }
}

}  // namespace elasto::panels
