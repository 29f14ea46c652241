#include "oscilloscope_panel.h"

#include "widgets.h"

#include <elasto/errors.h>

#include <algorithm>
#include <cmath>

namespace elasto::panels {

namespace {

constexpr int kMostTicks = 32;

}  // namespace

OscilloscopePanel::OscilloscopePanel() {
    m_forcePlot.setHidden("f_d", true);
}

void OscilloscopePanel::watch(const Context& context) {
    play::Session& session = context.session;
    const play::Scope* scope = session.scope();
    const bool isRight = scope && scope->settings().element == context.element && scope->settings().ticks == m_ticks;
    if (isRight) return;
    try {
        session.watch({.element = context.element, .ticks = m_ticks});
        m_message.clear();
    } catch (const InvalidParameter& refusal) {
        m_message = refusal.what();
    }
    m_seenTick = -1;
}

void OscilloscopePanel::take(const Context& context, const play::Scope& scope) {
    const play::Session& session = context.session;
    if (session.tick() == m_seenTick && session.run() == m_seenRun) return;
    m_seenTick = session.tick();
    m_seenRun = session.run();
    for (Curve* curve : {&m_force, &m_spring, &m_damper, &m_mean, &m_length}) curve->clear();
    m_peak = 0;
    m_begin.reset();
    m_end.reset();
    m_marks.clear();
    m_isHeld = false;
    if (scope.latest().isEmpty()) return;
    // An impact stays until the next one comes, or time goes back.
    m_isHeld = m_holds && !scope.impact().isEmpty() &&
               scope.impact().ticks().front().number < scope.latest().ticks().front().number;
    const play::ScopeTrace& trace = m_isHeld ? scope.impact() : scope.latest();
    for (const play::ScopePoint& point : trace.points()) {
        if (!m_force.empty() && point.time < m_force.x(m_force.size() - 1)) continue;  // rounding between two ticks
        m_force.append(point.time, point.force.f);
        m_spring.append(point.time, point.force.f_c);
        m_damper.append(point.time, point.force.f_d);
        m_length.append(point.time, point.s);
    }
    if (const std::optional<play::ScopePoint> peak = trace.peak()) {
        m_peak = peak->force.f;
        m_peakTime = peak->time;
    }
    for (const play::ScopeEvent& event : trace.events()) {
        if (event.begins && !m_begin) m_begin = event.time;
        if (!event.begins && m_begin && !m_end) m_end = event.time;
    }
    const auto element = static_cast<std::size_t>(context.element);
    for (const play::ScopeTrace::Tick& tick : trace.ticks()) {
        // Not before the end of the tick before, to which it is equal but for rounding.
        const double from = std::max(tick.from, m_mean.empty() ? tick.from : m_mean.x(m_mean.size() - 1));
        m_marks.push_back(from);
        if (!session.history().has(tick.number)) continue;
        // What a whole tick knows of it: its mean.
        const double mean = session.history().value(tick.number, element, play::Quantity::MeanForce);
        m_mean.append(from, mean);
        m_mean.append(tick.to, mean);
    }
    m_marks.push_back(trace.to());
}

void OscilloscopePanel::drawHeader(const Context& context, const SceneElement& element) {
    const Palette& palette = context.palette;
    const float line = ImGui::GetTextLineHeight();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Ticks");
    ImGui::SameLine();
    double ticks = m_ticks;
    if (m_field.draw("##ticks", ticks, {{1, kMostTicks}, "%.0f", false, "", 5 * line}, palette)) {
        m_ticks = static_cast<int>(std::clamp(std::round(ticks), 1., static_cast<double>(kMostTicks)));
    }
    tip("How many of the last ticks are shown");
    ImGui::SameLine();
    if (ImGui::Checkbox("Hold impacts", &m_holds)) m_seenTick = -1;
    tip("The last contact stays in sight until the next one.");
    const std::string text = "peak " + context.reading(play::Quantity::Force, element.geometry, m_peak, 1e-12);
    ImGui::SameLine();
    numberRight(text, palette.text);
    tip("Largest force at " + withUnit(m_peakTime, "s"));
    std::string contact = m_isHeld ? "Held. " : "";
    const double h = context.session.tickLength();
    if (m_begin && m_end) {
        contact += "Contact lasted " + withUnit(*m_end - *m_begin, "s") + " of a tick of " + withUnit(h, "s");
    } else if (m_begin) {
        contact += "Contact began at " + withUnit(*m_begin, "s");
    } else {
        contact += "One tick is " + withUnit(h, "s");
    }
    ImGui::PushStyleColor(ImGuiCol_Text, palette.faint);
    ImGui::TextUnformatted(contact.c_str());
    ImGui::PopStyleColor();
}

void OscilloscopePanel::select(int element) {
    if (m_element == element) return;
    m_element = element;
    m_seenTick = -1;
    m_forcePlot.view().reset();
    m_lengthPlot.view().reset();
}

std::optional<CurveTable> OscilloscopePanel::draw(const Context& context) {
    const SceneElement* element = selectedElement(context);
    if (!element) {
        ImGui::TextDisabled("Select an element to look into its ticks.");
        return std::nullopt;
    }
    select(context.element);
    watch(context);
    if (!m_message.empty()) {
        ImGui::TextWrapped("%s", m_message.c_str());
        return std::nullopt;
    }
    if (const play::Scope* scope = context.session.scope()) take(context, *scope);
    drawHeader(context, *element);

    const Palette& palette = context.palette;
    const Geometry geometry = element->geometry;
    const auto name = [&](play::Quantity quantity) { return std::string(play::quantityName(quantity, geometry)); };
    const PlotCurve forces[] = {{&m_force, name(play::Quantity::Force), palette.curves[0]},
                                {&m_spring, name(play::Quantity::SpringForce), palette.curves[1]},
                                {&m_damper, name(play::Quantity::DamperForce), palette.curves[2]},
                                {&m_mean, "mean of the tick", palette.curves[7], CurveStyle::Reference}};
    const PlotCurve lengths[] = {{&m_length, name(play::Quantity::S), palette.curves[5]}};
    PlotContent content;
    content.cursor = context.shownTime;
    content.marks = m_marks;
    content.hint = "No tick yet.";
    content.curves = forces;
    content.hasLabelsX = false;
    content.y = {name(play::Quantity::Force), shownUnit(play::quantityUnit(play::Quantity::Force, geometry))};
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float spacing = ImGui::GetStyle().ItemSpacing.y;
    const PlotEvents force = m_forcePlot.draw("force", {0, std::floor((room.y - spacing) * 0.58f)}, content, palette);
    m_lengthPlot.view().takeX(m_forcePlot.view());
    content.curves = lengths;
    content.hasLabelsX = true;
    content.y = {name(play::Quantity::S), shownUnit(play::quantityUnit(play::Quantity::S, geometry))};
    const PlotEvents length = m_lengthPlot.draw("length", {0, ImGui::GetContentRegionAvail().y}, content, palette);
    m_forcePlot.view().takeX(m_lengthPlot.view());
    // Only times that the session has: a click lands on the nearest one in the last tick or at the end of a tick.
    for (const PlotEvents* events : {&force, &length}) {
        if (events->cursor) context.requests.time = std::max(0., *events->cursor);
    }
    const std::string file = element->name + "_oscilloscope";
    for (const auto& [events, plot] : {std::pair{&force, &m_forcePlot}, std::pair{&length, &m_lengthPlot}}) {
        if (!events->wantsPicture) continue;
        context.requests.picture = file;
        context.requests.pictureArea = {plot->area().low, plot->area().high};
    }
    if (!force.wantsCsv && !length.wantsCsv) return std::nullopt;
    return CurveTable{file,
                      {{name(play::Quantity::Force), &m_force},
                       {name(play::Quantity::SpringForce), &m_spring},
                       {name(play::Quantity::DamperForce), &m_damper},
                       {name(play::Quantity::S), &m_length}}};
}

}  // namespace elasto::panels
