#include "oscilloscope_panel.h"

#include "widgets.h"

#include <elasto/errors.h>

#include <algorithm>
#include <cmath>

namespace elasto::panels {

namespace {

constexpr int kMostTicks = 32;

}  // namespace

std::string contactText(const std::optional<play::ScopeContact>& contact, double tickLength) {
    const std::string tick = withUnit(tickLength, "s");
    if (!contact) return "One tick is " + tick;
    if (!contact->end) return "In contact since " + withUnit(contact->begin, "s");
    const double length = *contact->end - contact->begin;
    if (length <= tickLength) return "Contact lasted " + withUnit(length, "s") + " of a tick of " + tick;
    return "Contact lasted " + withUnit(length, "s") + ": " + withUnit(length / tickLength, "", 0, 2) + " ticks of " +
           tick;
}

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
    m_contact.reset();
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
    // Of the whole contact, of which the ticks that are shown may be a part.
    const std::optional<play::ScopeContact>& contact = scope.contact();
    if (contact && (!contact->end || *contact->end >= trace.from())) m_contact = contact;
    const std::optional<play::ScopePoint> peak = m_contact ? m_contact->peak : trace.peak();
    if (peak) {
        m_peak = peak->force.f;
        m_peakTime = peak->time;
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
    const Interval allowed = {1, kMostTicks};
    const NumberShape shape{
        .range = allowed, .format = "%.0f", .width = 5 * line, .name = "Ticks", .allowed = allowed, .isWhole = true};
    if (m_field.draw("##ticks", ticks, shape, palette)) m_ticks = static_cast<int>(std::round(ticks));
    tip("How many of the last ticks are shown; a contact that lasts longer is shown up to its end.");
    ImGui::SameLine();
    if (ImGui::Checkbox("Hold impacts", &m_holds)) m_seenTick = -1;
    tip("The last contact stays in sight until the next one.");
    const std::string text = "peak " + readingOf(play::Quantity::Force, element.geometry, m_peak);
    ImGui::SameLine();
    numberRight(text, palette.text);
    tip(std::string(m_contact ? "Largest force of the contact" : "Largest force that is shown") + ", at " +
        withUnit(m_peakTime, "s"));
    const std::string contact = (m_isHeld ? "Held. " : "") + contactText(m_contact, context.session.tickLength());
    ImGui::PushStyleColor(ImGuiCol_Text, palette.faint);
    ImGui::TextUnformatted(contact.c_str());
    ImGui::PopStyleColor();
    drawRefusal(m_field.refusal(), palette);
}

void OscilloscopePanel::select(int element) {
    if (m_element == element) return;
    m_element = element;
    m_seenTick = -1;
    m_forcePlot.view().reset();
    m_lengthPlot.view().reset();
}

std::optional<CurveTable> OscilloscopePanel::draw(const Context& context) {
    const play::PlayedElement* element = selectedElement(context);
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
    PlotContent upper;
    upper.cursor = context.shownTime;
    upper.marks = m_marks;
    upper.hint = "No tick yet.";
    PlotContent lower = upper;
    upper.curves = forces;
    upper.hasLabelsX = false;
    upper.y = {name(play::Quantity::Force), shownUnit(play::quantityUnit(play::Quantity::Force, geometry))};
    lower.curves = lengths;
    lower.y = {name(play::Quantity::S), shownUnit(play::quantityUnit(play::Quantity::S, geometry))};
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float spacing = ImGui::GetStyle().ItemSpacing.y;
    const PlotEvents force = m_forcePlot.draw("force", {0, std::floor((room.y - spacing) * 0.58f)}, upper, palette);
    m_lengthPlot.view().takeX(m_forcePlot.view());
    const PlotEvents length = m_lengthPlot.draw("length", {0, ImGui::GetContentRegionAvail().y}, lower, palette);
    m_forcePlot.view().takeX(m_lengthPlot.view());
    // Only times that the session has: a click lands on the nearest one in the last tick or at the end of a tick.
    for (const PlotEvents* events : {&force, &length}) {
        if (events->cursor) context.requests.time = std::max(0., *events->cursor);
    }
    const auto save = [&](const PlotContent& content, const PlotWidget& plot) {
        const std::string title = element->name + ": " + content.y.name + " [" + content.y.unit + "] inside ticks";
        context.requests.picture =
            pictureOf(element->name + "_" + content.y.name + "_inside", title, content, plot, palette);
    };
    if (force.wantsPicture) save(upper, m_forcePlot);
    if (length.wantsPicture) save(lower, m_lengthPlot);
    if (!force.wantsCsv && !length.wantsCsv) return std::nullopt;
    CurveTable table{element->name + "_inside", {}};
    for (const auto& [quantity, curve] : {std::pair{play::Quantity::Force, &m_force},
                                          {play::Quantity::SpringForce, &m_spring},
                                          {play::Quantity::DamperForce, &m_damper},
                                          {play::Quantity::S, &m_length}}) {
        table.columns.emplace_back(columnOf(*element, quantity), curve);
    }
    return table;
}

}  // namespace elasto::panels
