#include "gallery/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::gallery {

namespace {

ImU32 curveColor(play::RivalKind kind) {
    const view::Color color = rivalColor(kind);
    return ImGui::ColorConvertFloat4ToU32({color.red, color.green, color.blue, 1});
}

const char* explanationOf(play::RivalKind kind) {
    switch (kind) {
        case play::RivalKind::ExplicitForce:
            return "the law's force once per tick, as applyForce does";
        case play::RivalKind::SoftLimit:
            return "btGeneric6DofSpring2Constraint, ERP and CFM from c, d and the tick";
        case play::RivalKind::Restitution:
            return "btGeneric6DofSpring2Constraint, hard limit with the restitution of c and d";
    }
    return "";
}

}  // namespace

view::Color rivalColor(play::RivalKind kind) {
    switch (kind) {
        case play::RivalKind::ExplicitForce:
            return view::Color::bytes(226, 74, 66);
        case play::RivalKind::SoftLimit:
            return view::Color::bytes(232, 178, 58);
        case play::RivalKind::Restitution:
            return view::Color::bytes(168, 120, 216);
    }
    return {};
}

Comparison::Comparison(const std::vector<play::RivalKind>& shown) : m_isOn(!shown.empty()) {
    for (std::size_t i = 0; i < m_rivals.size(); ++i) {
        m_rivals[i].kind = static_cast<play::RivalKind>(i);
        m_rivals[i].isShown = std::find(shown.begin(), shown.end(), m_rivals[i].kind) != shown.end();
    }
}

void Comparison::setOn(bool isOn) {
    m_isOn = isOn;
    const auto isShown = [](const Entry& entry) { return entry.isShown; };
    if (isOn && std::none_of(m_rivals.begin(), m_rivals.end(), isShown)) {
        for (Entry& entry : m_rivals) entry.isShown = true;
    }
}

void Comparison::follow(const play::Session& session) {
    if (!m_isOn) return;
    for (Entry& entry : m_rivals) {
        if (!entry.isShown) continue;
        if (!entry.rival) entry.rival = std::make_unique<play::Rival>(session, entry.kind);
        entry.rival->follow(session);
    }
}

void Comparison::draw(const play::Session& session, const SceneDrawing& drawing, view::Picture& picture) {
    if (!m_isOn) return;
    for (const Entry& entry : m_rivals) {
        if (!entry.isShown || !entry.rival || !entry.rival->history().has(session.tick())) continue;
        readPoses(entry.rival->history(), session.tick(), m_poses);
        drawing.drawBodies(m_poses, {.opacity = 0.42F, .hasColor = true, .color = rivalColor(entry.kind)}, picture);
    }
}

const std::vector<panels::ComparisonRow>& Comparison::rows(const play::Session&, const panels::Palette& palette) {
    m_rows.clear();
    m_rows.push_back({.name = "Elasto", .text = "the run itself", .error = {}, .color = palette.accent});
    for (Entry& entry : m_rivals) {
        m_rows.push_back({.name = play::rivalName(entry.kind),
                          .text = explanationOf(entry.kind),
                          .error = {},
                          .color = curveColor(entry.kind),
                          .isShown = &entry.isShown});
        const bool hasFailed = entry.rival && entry.rival->failedAt() >= 0;
        if (hasFailed) m_rows.back().error = std::numeric_limits<double>::quiet_NaN();
    }
    return m_rows;
}

std::string Comparison::explanation() const {
    return m_isOn ? "Ghosts in the view and pale curves in the plots show the same scene by Bullet's own ways."
                  : "Press C to run the same scene by Bullet's own ways, too.";
}

std::vector<panels::ForeignCurve> Comparison::curves(const play::Session& session, int element, play::Quantity quantity,
                                                     const panels::Palette&) {
    std::vector<panels::ForeignCurve> found;
    if (!m_isOn || element < 0) return found;
    for (Entry& entry : m_rivals) {
        if (!entry.isShown || !entry.rival) continue;
        if (entry.run != session.run()) {
            entry.curves.clear();
            entry.run = session.run();
        }
        panels::Curve& curve = entry.curves[{element, quantity}];
        const play::History& history = entry.rival->history();
        for (long tick = static_cast<long>(curve.size()); tick <= history.lastTick(); ++tick) {
            const double value = history.value(tick, static_cast<std::size_t>(element), quantity);
            const bool isSane = std::isfinite(value) && std::abs(value) < 1e12;
            curve.append(static_cast<double>(tick) * session.tickLength(),
                         isSane ? value : std::numeric_limits<double>::quiet_NaN());
        }
        found.push_back({.curve = &curve,
                         .name = play::rivalName(entry.kind),
                         .color = curveColor(entry.kind),
                         .isReference = false});
    }
    return found;
}

double Comparison::distance(std::size_t rival, const play::Session& session) const {
    const Entry& entry = m_rivals.at(rival);
    if (!entry.rival || !entry.rival->history().has(session.tick())) return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::size_t i = 0; i < session.scene().bodies.size(); ++i) {
        const Eigen::Vector3f theirs = entry.rival->history().pose(session.tick(), i).position;
        const Eigen::Vector3f ours = session.history().pose(session.tick(), i).position;
        largest = std::max(largest, static_cast<double>((theirs - ours).norm()));
    }
    return largest;
}

}  // namespace elasto::gallery
