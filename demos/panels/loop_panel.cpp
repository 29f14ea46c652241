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

const SceneLoad* loadOn(const Scene& scene, const play::PlayedElement& element) {
    if (element.place != play::PlayedElement::Place::Scene) return nullptr;
    const bool turns = element.geometry == Geometry::AboutAxis;
    if (!turns && element.geometry != Geometry::AlongAxis) return nullptr;
    const auto wanted = turns ? SceneLoad::Quantity::Torque : SceneLoad::Quantity::Force;
    for (const SceneLoad& load : scene.loads) {
        const bool isHere = load.body == element.frame_a.body || load.body == element.frame_b.body;
        if (isHere && load.quantity == wanted && load.resolveInFrame == SceneLoad::Axes::World) return &load;
    }
    return nullptr;
}

void LoopPanel::begin(bool showsLoad, double span) {
    m_showsLoad = showsLoad;
    m_span = span;
    m_element = -1;
}

void LoopPanel::drawSpans() {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("The last");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(5.5f * ImGui::GetTextLineHeight());
    if (!ImGui::BeginCombo("##span", spanText(m_span).c_str())) return;
    for (const double span : kSpans) {
        if (!ImGui::Selectable(spanText(span).c_str(), span == m_span)) continue;
        m_span = span;
        m_across.reset();
        m_up.reset();
    }
    ImGui::EndCombo();
}

/// @return what is drawn; also of an element that leaves no choice
LoopPanel::Path LoopPanel::drawChoices(const Context& context, const SceneLoad* load) {
    const bool hasFlanges = selectedElement(context)->hasFlanges();
    bool& showsOther = hasFlanges ? m_showsLostMotion : m_showsLoad;
    const bool before = showsOther;
    if (hasFlanges || load != nullptr) {
        ImGui::SameLine();
        if (chip(hasFlanges ? "force" : "f", !showsOther, context.palette)) showsOther = false;
        tip("The element's own force");
        ImGui::SameLine(0, 4 * scaleNow());
        if (chip(hasFlanges ? "lost motion" : ("load " + load->name).c_str(), showsOther, context.palette)) {
            showsOther = true;
        }
        tip(hasFlanges ? "How far the driven side is ahead of the driving one, over where the driving one is"
                       : "The load that acts on the element's body");
    }
    if (before != showsOther) {
        m_across.reset();
        m_up.reset();
    }
    if (hasFlanges) return m_showsLostMotion ? Path::LostMotion : Path::Force;
    return m_showsLoad && load != nullptr ? Path::Load : Path::Force;
}

/// What is drawn upwards: a curve as it is, or the load's part along the axis that stretches the element.
void LoopPanel::readHeights(const Context& context, Path path, const Curve& curve, std::size_t first,
                            std::size_t last) {
    m_heights.clear();
    const Scene& scene = context.session.scene();
    const play::PlayedElement& element = *selectedElement(context);
    const SceneLoad* load = path == Path::Load ? loadOn(scene, element) : nullptr;
    const double sign = load != nullptr && load->body == element.frame_a.body ? -1 : 1;
    const play::History& history = context.session.history();
    for (std::size_t i = first; i <= last; ++i) {
        if (load == nullptr) {
            m_heights.push_back(curve.y(i));
            continue;
        }
        Eigen::Vector3d axis = element.axis;
        if (element.frame_a.body != kWorld) {
            const auto body = static_cast<std::size_t>(element.frame_a.body);
            axis = history.pose(history.firstTick() + static_cast<long>(i), body).orientation.cast<double>() * axis;
        }
        m_heights.push_back(sign * axis.dot(loadValue(*load, curve.x(i))));
    }
}

void LoopPanel::draw(const Context& context, Signals& signals) {
    const Palette& palette = context.palette;
    const play::PlayedElement* element = selectedElement(context);
    if (!element || !context.now) {
        ImGui::TextDisabled("Select an element to see its loop.");
        return;
    }
    if (m_element != context.element) {
        m_across.reset();
        m_up.reset();
        m_element = context.element;
    }
    drawSpans();
    const Path path = drawChoices(context, loadOn(context.session.scene(), *element));
    const bool isLostMotion = path == Path::LostMotion;
    const auto curve = [&](play::Quantity quantity) -> const Curve& {
        return signals.curve(context.session, context.element, quantity);
    };
    const Curve& across = curve(isLostMotion ? play::Quantity::FlangeA : play::Quantity::S);
    const Curve& up = curve(isLostMotion ? play::Quantity::S : play::Quantity::Force);
    if (across.empty()) return;
    const std::size_t present = std::min(across.size() - 1, across.lowerBound(context.shownTime + 1e-12));
    const std::size_t first = std::min(present, across.lowerBound(across.x(present) - m_span));
    readHeights(context, path, up, first, present);
    ImGui::SameLine();
    if (isLostMotion) {
        const auto [least, most] = std::minmax_element(m_heights.begin(), m_heights.end());
        const std::string unit = shownUnit(play::quantityUnit(play::Quantity::S, element->geometry));
        numberRight("lost " + withUnit(*most - *least, unit, 1e-12), palette.text);
        tip("From the lowest to the highest: the play and what spring and damper give way.");
    } else {
        const bool isOfLoad = path == Path::Load;
        const std::string work = withUnit(workAlong(across, m_heights, first), "J", 1e-12);
        numberRight((isOfLoad ? "gave " : "took ") + work, palette.text);
        tip(isOfLoad ? "Work that the load did in this time. What a closed loop encloses has become heat."
                     : "Work that the element took out of the motion in this time. What a closed loop encloses has "
                       "become heat.");
    }
    drawFigure(context, path, across, first);
}

/// The path through the samples from `first` on, as many as there are heights.
void LoopPanel::drawFigure(const Context& context, Path path, const Curve& across, std::size_t first) {
    const Palette& palette = context.palette;
    const play::PlayedElement& element = *selectedElement(context);
    const float line = ImGui::GetTextLineHeight();
    const float scale = scaleNow();
    const std::size_t present = first + m_heights.size() - 1;
    const auto range = across.extremes(first, present + 1);
    const auto [least, most] = std::minmax_element(m_heights.begin(), m_heights.end());
    const ImVec2 size = ImGui::GetContentRegionAvail();
    if (!range || !(*least <= *most) || size.y < 5 * line) return;
    m_across = fitted({across.y(range->lowest), across.y(range->highest)}, m_across);
    m_up = fitted({*least, *most}, m_up);
    const ImVec2 low = ImGui::GetCursorScreenPos();
    PlotFrame frame;
    frame.x = *m_across;
    frame.y = *m_up;
    frame.left = std::round(low.x + 3.6f * line);
    frame.top = std::round(low.y + 0.3f * line);
    frame.width = std::max(1.f, std::round(size.x - 4 * line));
    frame.height = std::max(1.f, std::round(size.y - 2.2f * line));
    ImGui::Dummy(size);
    const auto quantity = [&](play::Quantity which) {
        return AxisQuantity{play::quantityName(which, element.geometry),
                            shownUnit(play::quantityUnit(which, element.geometry))};
    };
    const bool isLostMotion = path == Path::LostMotion;
    const Ticks acrossTicks(frame.x, static_cast<int>(frame.width / (4.5f * line)));
    const Ticks upTicks(frame.y, static_cast<int>(frame.height / (1.9f * line)));
    const AxisScale acrossScale(quantity(isLostMotion ? play::Quantity::FlangeA : play::Quantity::S), frame.x,
                                acrossTicks.step());
    const AxisScale upScale(quantity(isLostMotion ? play::Quantity::S : play::Quantity::Force), frame.y,
                            upTicks.step());
    ImDrawList& list = *ImGui::GetWindowDrawList();
    PlotDrawing drawing(frame, palette, list);
    drawing.axes({}, acrossScale, upScale, acrossTicks, upTicks);
    drawing.unit(upScale);
    list.PushClipRect({frame.left, frame.top}, {frame.right(), frame.bottom()}, true);
    const std::size_t stride = (present - first) / kMostPoints + 1;
    ImVec2 before = {frame.pixelX(across.y(first)), frame.pixelY(m_heights.front())};
    for (std::size_t i = first + stride; i <= present; i += stride) {
        const ImVec2 here = {frame.pixelX(across.y(i)), frame.pixelY(m_heights[i - first])};
        const float age = static_cast<float>(present - i) / static_cast<float>(present - first);
        list.AddLine(before, here, faded(palette.curves[0], 1 - 0.75f * age), 1.6f * scale);
        before = here;
    }
    const ElementSample& now = *context.now;
    const double height = path == Path::Load ? m_heights.back() : isLostMotion ? now.s : now.force.f;
    const ImVec2 point = {frame.pixelX(isLostMotion ? now.flange_a : now.s), frame.pixelY(height)};
    list.AddCircleFilled(point, 5 * scale, palette.cursor);
    list.AddCircle(point, 5 * scale, palette.background, 0, 1.5f * scale);
    list.PopClipRect();
}

}  // namespace elasto::panels
