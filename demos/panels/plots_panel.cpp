#include "plots_panel.h"

#include "energy_gauge.h"
#include "plot_drawing.h"
#include "widgets.h"

#include <elasto/scene/csv_file.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::panels {

namespace {

using play::Quantity;

/// Whether both flanges of the selected element move: then they are worth a plot.
bool hasFlanges(const Context& context) {
    const play::PlayedElement* element = selectedElement(context);
    return element != nullptr && element->hasFlanges();
}

/// Rows that are told apart.
constexpr std::size_t kJointPosition = 0;
constexpr std::size_t kForces = 5;
constexpr std::size_t kPower = 6;
constexpr std::size_t kEnergy = 9;

/// The heat port of the selected element; -1: it has none.
int heatPortOf(const Context& context) {
    const play::PlayedElement* element = selectedElement(context);
    const bool isOfScene = static_cast<std::size_t>(context.element) < context.session.scene().elements.size();
    return element != nullptr && isOfScene ? element->heatPort : -1;
}

/// What a curve is called in the plots of an element.
std::string curveName(const play::PlayedElement& element, Quantity quantity) {
    if (quantity == Quantity::DamperLength) {
        const char* state = infoOf(element.type).innerState;
        return state == nullptr ? "" : state;
    }
    const bool isFlange = quantity == Quantity::FlangeA || quantity == Quantity::FlangeB;
    if (element.place != play::PlayedElement::Place::Drive || !isFlange) {
        return play::quantityName(quantity, element.geometry);
    }
    if (quantity == Quantity::FlangeB) return element.geometry == Geometry::AboutAxis ? "link.phi" : "link.s";
    return element.ratio == 1 ? "motor.phi" : "motor.phi / ratio";
}

/// A branch that was left, in the plots of an element.
PlotCurve ghostCurve(const Context& context, const play::Ghost& ghost, const Curve* curve) {
    PlotCurve shown{curve, "ghost " + std::to_string(ghost.id), context.palette.curves[5], CurveStyle::Ghost};
    shown.isNamedAbove = true;
    return shown;
}

/// Parts of the force have the same colours in all panels.
ImU32 colorOf(Quantity quantity, std::size_t index, const Palette& palette) {
    switch (quantity) {
        case Quantity::SpringForce:
            return palette.curves[1];
        case Quantity::DamperForce:
            return palette.curves[2];
        case Quantity::UnlimitedDamperForce:
            return palette.curves[3];
        case Quantity::MeanForce:
            return palette.curves[7];
        default:
            return palette.curves[index];
    }
}

}  // namespace

std::string columnOf(const play::PlayedElement& element, Quantity quantity) {
    const char* state = quantity == Quantity::DamperLength ? infoOf(element.type).innerState : nullptr;
    const std::string name = state != nullptr ? state : play::quantityName(quantity, element.geometry);
    const std::string unit = play::quantityUnit(quantity, element.geometry);
    return element.name + "." + name + (unit.empty() ? "" : " [" + unit + "]");
}

void writeCurves(const std::filesystem::path& file, const CurveTable& table) {
    std::vector<std::string> names = {"time [s]"};
    std::vector<double> times;
    for (const auto& [name, curve] : table.columns) {
        names.push_back(name);
        for (std::size_t i = 0; i < curve->size(); ++i) times.push_back(curve->x(i));
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    CsvFile csv(file, names);
    std::vector<double> row(names.size());
    for (const double time : times) {
        row[0] = time;
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const Curve& curve = *table.columns[column].second;
            const std::size_t index = curve.lowerBound(time);
            const bool hasSample = index < curve.size() && curve.x(index) == time;
            row[column + 1] = hasSample ? curve.y(index) : std::numeric_limits<double>::quiet_NaN();
        }
        csv.addRow(row);
    }
    csv.finish();
}

PlotsPanel::PlotsPanel(double window)
    : m_window(window),
      m_rows{Row{"q", {}, true, PlotWidget(window), Needs::Joint},
             Row{"qd", {}, false, PlotWidget(window), Needs::Joint},
             Row{"flanges", {Quantity::FlangeB, Quantity::FlangeA}, true, PlotWidget(window), Needs::Flanges},
             Row{"s_rel", {Quantity::S, Quantity::DamperLength}, true, PlotWidget(window)},
             Row{"v_rel", {Quantity::V}, true, PlotWidget(window)},
             Row{"f",
                 {Quantity::Force, Quantity::MeanForce, Quantity::SpringForce, Quantity::DamperForce,
                  Quantity::UnlimitedDamperForce},
                 true,
                 PlotWidget(window)},
             Row{"power", {Quantity::LossPower, Quantity::DissipatedPower}, false, PlotWidget(window)},
             Row{"heat", {Quantity::Heat, Quantity::StoredEnergy}, false, PlotWidget(window)},
             Row{"T", {}, true, PlotWidget(window), Needs::HeatPort},
             Row{"energy", {}, true, PlotWidget(window)}} {
    // What few people look for starts hidden; the legend brings it.
    for (const char* name : {"f_d2", "tau_d"}) m_rows[kForces].plot.setHidden(name, true);
    m_rows[kPower].plot.setHidden("dissipatedPower", true);
}

bool PlotsPanel::has(Needs needs, const Context& context) {
    switch (needs) {
        case Needs::Flanges:
            return hasFlanges(context);
        case Needs::HeatPort:
            return heatPortOf(context) >= 0;
        case Needs::Joint:
            return context.joint >= 0;
        case Needs::Nothing:
            break;
    }
    return true;
}

bool PlotsPanel::isSeen(const Row& row, const Context& context) {
    // A robot without elements has nothing but its joints.
    if (row.needs != Needs::Joint && context.session.elements().empty() && context.joint >= 0) return false;
    return row.isShown && has(row.needs, context);
}

std::string PlotsPanel::nameOf(const Row& row, const Context& context) {
    const play::PlayedElement* element = selectedElement(context);
    const bool isOfQuantity = element != nullptr && row.needs == Needs::Nothing && !row.quantities.empty();
    // Power and heat have rows of two quantities, which share no name.
    if (!isOfQuantity || row.quantities.front() > Quantity::Force) return row.title;
    return play::quantityName(row.quantities.front(), element->geometry);
}

void PlotsPanel::setWindow(double window) {
    m_window = window;
    for (Row& row : m_rows) row.plot.view().setWindow(window);
}

void PlotsPanel::share(const PlotView& changed) {
    if (changed.window()) m_window = *changed.window();
    for (Row& row : m_rows) {
        if (&row.plot.view() != &changed) row.plot.view().takeX(changed);
    }
}

void PlotsPanel::drawChips(const Context& context) {
    for (Row& row : m_rows) {
        if (!has(row.needs, context)) continue;
        const bool isOfFlanges = row.needs == Needs::Flanges;
        ImGui::PushID(row.title);
        if (chip(isOfFlanges ? "ab" : nameOf(row, context).c_str(), row.isShown, context.palette))
            row.isShown = !row.isShown;
        tip(std::string(row.isShown ? "Hide this plot" : "Show this plot") +
            (isOfFlanges                 ? ": where flange_a and flange_b are, the motor and its link, say"
             : row.needs == Needs::Joint ? ": of the joint that is selected"
                                         : ""));
        ImGui::PopID();
        ImGui::SameLine(0, 4 * scaleNow());
    }
}

void PlotsPanel::drawComparedNames(const Context& context, const ForeignCurves& foreign) {
    m_curves.clear();
    if (selectedElement(context) == nullptr) return;
    addCompared(context, foreign, Quantity::S);
    for (const play::Ghost& ghost : context.session.ghosts()) m_curves.push_back(ghostCurve(context, ghost, nullptr));
    if (m_curves.empty()) return;
    const float line = ImGui::GetTextLineHeight();
    const float right = ImGui::GetWindowPos().x + ImGui::GetContentRegionMax().x;
    const float left = ImGui::GetCursorScreenPos().x;
    float below = 0;  // where the next row begins
    PlotWidget& first = m_rows[kForces].plot;
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        const PlotCurve& curve = m_curves[i];
        const float width = 1.2f * line + ImGui::CalcTextSize(curve.name.c_str()).x;
        if (i > 0) {
            ImGui::SameLine(0, 0.8f * line);
            if (ImGui::GetCursorScreenPos().x + width > right) ImGui::SetCursorScreenPos({left, below});
        }
        const ImVec2 low = ImGui::GetCursorScreenPos();
        ImGui::PushID(static_cast<int>(i));
        const bool isHidden = first.isHidden(curve.name);
        if (ImGui::InvisibleButton("compared", {width, 1.15f * line})) {
            for (Row& row : m_rows) row.plot.setHidden(curve.name, !isHidden);
        }
        ImGui::PopID();
        below = low.y + 1.2f * line;
        tip(std::string("In all plots. Click to ") + (isHidden ? "show" : "hide"));
        ImDrawList& list = *ImGui::GetWindowDrawList();
        PlotDrawing({}, context.palette, list).swatch({low.x, low.y + 0.55f * line}, 0.9f * line, curve, isHidden);
        list.AddText({low.x + 1.2f * line, low.y}, isHidden ? context.palette.faint : context.palette.text,
                     curve.name.c_str());
    }
}

std::optional<CurveTable> PlotsPanel::draw(const Context& context, Signals& signals, const ForeignCurves& foreign) {
    drawChips(context);
    drawEnergyVerdict(context, signals.energy(context.session));
    const auto shown = static_cast<float>(
        std::count_if(m_rows.begin(), m_rows.end(), [&](const Row& row) { return isSeen(row, context); }));
    std::optional<CurveTable> wanted;
    if (isSeen(m_rows[kEnergy], context)) drawEnergyGauge(context);
    if (shown == 0) return wanted;
    drawComparedNames(context, foreign);
    beginPart("plots");
    // Only the last plot has the labels of the common time axis, and is higher by them.
    const float line = ImGui::GetTextLineHeight();
    const float spacing = ImGui::GetStyle().ItemSpacing.y;
    const float labels = 1.15f * line;
    const float least = 3.9f * line;
    const float height = std::max(least, std::floor((ImGui::GetContentRegionAvail().y - labels) / shown - spacing));
    const Row* last = nullptr;
    for (const Row& row : m_rows) last = isSeen(row, context) ? &row : last;
    for (Row& row : m_rows) {
        if (!isSeen(row, context)) continue;
        const bool isLast = &row == last;
        const Interval before = row.plot.view().x();
        const bool wasFollowing = row.plot.view().followsX();
        const std::optional<double> windowBefore = row.plot.view().window();
        std::optional<CurveTable> table =
            drawRow(context, signals, foreign, row, isLast ? height + labels : height, isLast);
        if (table) wanted = std::move(table);
        const PlotView& view = row.plot.view();
        const bool isHeldAnew = !view.followsX() && (view.x().low != before.low || view.x().high != before.high);
        if (isHeldAnew || wasFollowing != view.followsX() || windowBefore != view.window()) share(view);
    }
    ImGui::EndChild();
    return wanted;
}

void PlotsPanel::fill(const Context& context, Signals& signals, const ForeignCurves& foreign, const Row& row,
                      PlotContent& content) {
    const Palette& palette = context.palette;
    const play::PlayedElement& element = *selectedElement(context);
    if (row.needs == Needs::HeatPort) {
        const int port = heatPortOf(context);
        const std::string& name = context.session.scene().heatPorts[static_cast<std::size_t>(port)].name;
        content.y = {"T", "K"};
        m_curves.push_back({&signals.temperature(context.session, port), name + ".T", palette.curves[1]});
        m_curves.back().column = name + ".T [K]";
        return;
    }
    const Quantity first = row.quantities.front();
    content.y = {row.needs == Needs::Flanges ? std::string(row.title) : play::quantityName(first, element.geometry),
                 shownUnit(play::quantityUnit(first, element.geometry))};
    for (std::size_t i = 0; i < row.quantities.size(); ++i) {
        const Quantity quantity = row.quantities[i];
        const std::string name = curveName(element, quantity);
        if (name.empty()) continue;  // the law has no such state
        m_curves.push_back(
            {&signals.curve(context.session, context.element, quantity), name, colorOf(quantity, i, palette)});
        m_curves.back().column = columnOf(element, quantity);
        // The plot goes straight from tick to tick; what is inside a tick the element knows.
        if (context.now) m_curves.back().now = play::valueOf(*context.now, quantity);
    }
    addCompared(context, foreign, first);
    for (const play::Ghost& ghost : context.session.ghosts()) {
        m_curves.push_back(
            ghostCurve(context, ghost, &signals.ghost(context.session, ghost.id, context.element, first)));
        m_curves.back().column = m_curves.back().name + "." + columnOf(element, first);
    }
}

void PlotsPanel::addCompared(const Context& context, const ForeignCurves& foreign, Quantity quantity) {
    if (!foreign) return;
    for (const ForeignCurve& curve : foreign(context.element, quantity)) {
        m_curves.push_back(
            {curve.curve, curve.name, curve.color, curve.isReference ? CurveStyle::Reference : CurveStyle::Ghost});
        m_curves.back().column = curve.name + "." + columnOf(*selectedElement(context), quantity);
        m_curves.back().isNamedAbove = true;
    }
}

void PlotsPanel::fillJoint(const Context& context, Signals& signals, const Row& row, PlotContent& content) {
    using Shown = Signals::JointQuantity;
    const play::PlayedJoint& joint = context.session.joints()[static_cast<std::size_t>(context.joint)];
    const Palette& palette = context.palette;
    const auto add = [&](Shown quantity, const std::string& name, ImU32 color, CurveStyle style) {
        m_curves.push_back({&signals.joint(context.session, context.joint, quantity), name, color, style});
    };
    if (&row != &m_rows[kJointPosition]) {
        content.y = {joint.turns ? "w" : "v", joint.turns ? "rad/s" : "m/s"};
        add(Shown::Rate, joint.name + (joint.turns ? ".w" : ".v"), palette.curves[0], CurveStyle::Solid);
        m_curves.back().column = m_curves.back().name + " [" + content.y.unit + "]";
        return;
    }
    content.y = {joint.turns ? "phi" : "s", joint.turns ? "rad" : "m"};
    add(Shown::Position, joint.name + (joint.turns ? ".phi" : ".s"), palette.curves[0], CurveStyle::Solid);
    m_curves.back().column = m_curves.back().name + " [" + content.y.unit + "]";
    const bool hasTarget = std::isfinite(context.session.joint(context.joint).target);
    if (hasTarget && joint.servo.value_or(RobotServo::Mode::Position) == RobotServo::Mode::Position) {
        add(Shown::Target, "target", palette.curves[1], CurveStyle::Reference);
        m_curves.back().column = joint.name + ".target [" + content.y.unit + "]";
    }
}

void PlotsPanel::findContact(const Context& context, Signals& signals, const Interval& seen) {
    m_contact.clear();
    // Springs and dampers touch always.
    if (reduced(context.session.law(context.element)).kind != ReducedLaw::Kind::Contact) return;
    const Curve& contact = signals.curve(context.session, context.element, Quantity::Contact);
    const std::size_t first = contact.lowerBound(seen.low);
    bool isOn = false;
    for (std::size_t i = first > 0 ? first - 1 : 0; i < contact.size() && contact.x(i) <= seen.high; ++i) {
        const bool touches = contact.y(i) > 0;
        if (touches && !isOn) m_contact.push_back({contact.x(i), contact.x(i)});
        if (touches) m_contact.back().high = contact.x(i);
        isOn = touches;
    }
}

std::optional<CurveTable> PlotsPanel::drawRow(const Context& context, Signals& signals, const ForeignCurves& foreign,
                                              Row& row, float height, bool isLast) {
    const play::PlayedElement* element = selectedElement(context);
    m_curves.clear();
    PlotContent content;
    content.cursor = context.shownTime;
    content.hasLabelsX = isLast;
    content.hint = "Select an element to see its signals.";
    if (&row == &m_rows[kEnergy]) {
        content.y = {"energy", "J"};
        content.hint = "No force elements, no energy book.";
        if (!context.session.elements().empty()) {
            m_curves.push_back(
                {&signals.energy(context.session).gauge, "energy less what was put in", context.palette.curves[2]});
            m_curves.back().column = "energy [J]";
        }
    } else if (row.needs == Needs::Joint) {
        fillJoint(context, signals, row, content);
    } else if (element) {
        fill(context, signals, foreign, row, content);
        findContact(context, signals, row.plot.view().x());
        content.bands = m_contact;
    }
    content.curves = m_curves;
    const PlotEvents events = row.plot.draw(row.title, {0, height}, content, context.palette);
    if (events.cursor) context.requests.time = std::max(0., *events.cursor);
    const std::string owner = row.needs == Needs::Joint
                                  ? context.session.joints()[static_cast<std::size_t>(context.joint)].name
                              : element ? element->name
                                        : "";
    const std::string shown = nameOf(row, context);
    const std::string name = owner + (owner.empty() ? "" : "_") + shown;
    if (events.wantsPicture) {
        const std::string title = (owner.empty() ? "" : owner + ": ") + shown + " [" + content.y.unit + "]";
        context.requests.picture = pictureOf(name, title, content, row.plot, context.palette);
    }
    if (!events.wantsCsv) return std::nullopt;
    CurveTable table{name, {}};
    for (const PlotCurve& curve : m_curves) {
        if (curve.curve && !row.plot.isHidden(curve.name)) table.columns.emplace_back(curve.column, curve.curve);
    }
    return table;
}

}  // namespace elasto::panels
