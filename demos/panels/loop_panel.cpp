#include "loop_panel.h"

#include "plot_drawing.h"
#include "widgets.h"

#include <elasto/scene/start.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace elasto::panels {

namespace {

constexpr std::array kSpans = {0.1, 0.5, 1., 5., 10., 20.};  ///< [s]
constexpr std::size_t kMostPoints = 4000;                    ///< of the path that are drawn

std::string spanText(double span) {
    std::array<char, 24> text;
    std::snprintf(text.data(), text.size(), "%g s", span);
    return text.data();
}

}  // namespace

double workAlong(const Curve& s, std::span<const double> forces, std::size_t first) {
    double work = 0;
    for (std::size_t i = 1; i < forces.size(); ++i) {
        work += (forces[i] + forces[i - 1]) / 2 * (s.y(first + i) - s.y(first + i - 1));
    }
    return work;
}

const SceneLoad* loadOn(const Scene& scene, const SceneElement& element) {
    const bool turns = element.geometry == Geometry::AboutAxis;
    if (!turns && element.geometry != Geometry::AlongAxis) return nullptr;
    const auto wanted = turns ? SceneLoad::Quantity::Torque : SceneLoad::Quantity::Force;
    for (const SceneLoad& load : scene.loads) {
        const bool isHere = load.body == element.frame_a.body || load.body == element.frame_b.body;
        if (isHere && load.quantity == wanted) return &load;
    }
    return nullptr;
}

void LoopPanel::begin(bool showsLoad, double span) {
    m_showsLoad = showsLoad;
    m_span = span;
    m_element = -1;
}

void LoopPanel::drawChoices(const Context& context, const SceneLoad* load) {
    const bool before = m_showsLoad;
    if (load != nullptr) {
        ImGui::SameLine();
        if (chip("f", !m_showsLoad, context.palette)) m_showsLoad = false;
        tip("The element's own force");
        ImGui::SameLine(0, 4 * scaleNow());
        if (chip(("load " + load->name).c_str(), m_showsLoad, context.palette)) m_showsLoad = true;
        tip("The load that acts on the element's body");
    }
    if (before != m_showsLoad) m_f.reset();
}

/// What is drawn over the displacement: the element's force, or the load's part along the axis that stretches it.
void LoopPanel::readForces(const Context& context, const Curve& s, const Curve& f, std::size_t first,
                           std::size_t last) {
    m_forces.clear();
    const Scene& scene = context.session.scene();
    const SceneElement& element = *selectedElement(context);
    const SceneLoad* load = m_showsLoad ? loadOn(scene, element) : nullptr;
    const double sign = load != nullptr && load->body == element.frame_a.body ? -1 : 1;
    const play::History& history = context.session.history();
    for (std::size_t i = first; i <= last; ++i) {
        if (load == nullptr) {
            m_forces.push_back(f.y(i));
            continue;
        }
        Eigen::Vector3d axis = element.axis;
        if (element.frame_a.body != kWorld) {
            const auto body = static_cast<std::size_t>(element.frame_a.body);
            axis = history.pose(history.firstTick() + static_cast<long>(i), body).orientation.cast<double>() * axis;
        }
        m_forces.push_back(sign * axis.dot(loadValue(*load, s.x(i))));
    }
}

void LoopPanel::draw(const Context& context, Signals& signals) {
    const Palette& palette = context.palette;
    const SceneElement* element = selectedElement(context);
    if (!element || !context.now) {
        ImGui::TextDisabled("Select an element to see its loop.");
        return;
    }
    const Curve& s = signals.curve(context.session, context.element, play::Quantity::S);
    const Curve& f = signals.curve(context.session, context.element, play::Quantity::Force);
    const float line = ImGui::GetTextLineHeight();
    const float scale = scaleNow();
    if (m_element != context.element) {
        m_s.reset();
        m_f.reset();
        m_element = context.element;
    }
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("The last");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(5.5f * line);
    if (ImGui::BeginCombo("##span", spanText(m_span).c_str())) {
        for (const double span : kSpans) {
            if (ImGui::Selectable(spanText(span).c_str(), span == m_span)) {
                m_span = span;
                m_s.reset();
                m_f.reset();
            }
        }
        ImGui::EndCombo();
    }
    const SceneLoad* load = loadOn(context.session.scene(), *element);
    drawChoices(context, load);
    const bool isOfLoad = m_showsLoad && load != nullptr;
    if (s.empty()) return;
    const std::size_t present = std::min(s.size() - 1, s.lowerBound(context.shownTime + 1e-12));
    const std::size_t first = std::min(present, s.lowerBound(s.x(present) - m_span));
    readForces(context, s, f, first, present);
    const std::string work = withUnit(workAlong(s, m_forces, first), "J", 1e-12);
    ImGui::SameLine();
    numberRight((isOfLoad ? "gave " : "took ") + work, palette.text);
    tip(isOfLoad ? "Work that the load did in this time. What a closed loop encloses has become heat."
                 : "Work that the element took out of the motion in this time. What a closed loop encloses has become "
                   "heat.");

    const auto sRange = s.extremes(first, present + 1);
    const auto [least, most] = std::minmax_element(m_forces.begin(), m_forces.end());
    const ImVec2 size = ImGui::GetContentRegionAvail();
    if (!sRange || !(*least <= *most) || size.y < 5 * line) return;
    m_s = fitted({s.y(sRange->lowest), s.y(sRange->highest)}, m_s);
    m_f = fitted({*least, *most}, m_f);
    const ImVec2 low = ImGui::GetCursorScreenPos();
    PlotFrame frame;
    frame.x = *m_s;
    frame.y = *m_f;
    frame.left = std::round(low.x + 3.6f * line);
    frame.top = std::round(low.y + 0.3f * line);
    frame.width = std::max(1.f, std::round(size.x - 4 * line));
    frame.height = std::max(1.f, std::round(size.y - 2.2f * line));
    ImGui::Dummy(size);
    const auto quantity = [&](play::Quantity which) {
        return AxisQuantity{play::quantityName(which, element->geometry),
                            shownUnit(play::quantityUnit(which, element->geometry))};
    };
    const Ticks sTicks(frame.x, static_cast<int>(frame.width / (4.5f * line)));
    const Ticks fTicks(frame.y, static_cast<int>(frame.height / (1.9f * line)));
    const AxisScale sScale(quantity(play::Quantity::S), frame.x, sTicks.step());
    const AxisScale fScale(quantity(play::Quantity::Force), frame.y, fTicks.step());
    ImDrawList& list = *ImGui::GetWindowDrawList();
    PlotDrawing drawing(frame, palette, list);
    drawing.axes({}, sScale, fScale, sTicks, fTicks);
    drawing.unit(fScale);
    list.PushClipRect({frame.left, frame.top}, {frame.right(), frame.bottom()}, true);
    const std::size_t stride = (present - first) / kMostPoints + 1;
    ImVec2 before = {frame.pixelX(s.y(first)), frame.pixelY(m_forces.front())};
    for (std::size_t i = first + stride; i <= present; i += stride) {
        const ImVec2 here = {frame.pixelX(s.y(i)), frame.pixelY(m_forces[i - first])};
        const float age = static_cast<float>(present - i) / static_cast<float>(present - first);
        list.AddLine(before, here, faded(palette.curves[0], 1 - 0.75f * age), 1.6f * scale);
        before = here;
    }
    const ElementSample& now = *context.now;
    const ImVec2 point = {frame.pixelX(now.s), frame.pixelY(isOfLoad ? m_forces.back() : now.force.f)};
    list.AddCircleFilled(point, 5 * scale, palette.cursor);
    list.AddCircle(point, 5 * scale, palette.background, 0, 1.5f * scale);
    list.PopClipRect();
}

}  // namespace elasto::panels
