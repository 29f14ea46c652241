#include "gallery/comparison.h"

#include "gallery/shifted_picture.h"
#include "panels/axis.h"
#include "panels/comparison_panel.h"
#include "panels/key_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::gallery {

namespace {

ImU32 curveColor(play::BaselineKind kind) {
    const view::Color color = baselineColor(kind);
    return ImGui::ColorConvertFloat4ToU32({color.red, color.green, color.blue, 1});
}

const char* explanationOf(play::BaselineKind kind) {
    switch (kind) {
        case play::BaselineKind::ExplicitForce:
            return "the law's force once per tick, as applyForce does";
        case play::BaselineKind::SoftLimit:
            return "btGeneric6DofSpring2Constraint, ERP and CFM from c, d and the tick";
        case play::BaselineKind::Restitution:
            return "btGeneric6DofSpring2Constraint, hard limit with the restitution of c and d";
        case play::BaselineKind::SoftContact:
            return "Bullet's contact of the shapes, setContactStiffnessAndDamping(c, d)";
        case play::BaselineKind::HardContact:
            return "Bullet's contact of the shapes as it is (stiffness -1 in PyBullet)";
    }
    return "";
}

/// A name with the error up to now under it. Long names have two lines: labels stand side by side.
std::string withError(std::string name, const std::optional<double>& error) {
    if (const std::size_t with = name.find(" with "); with != std::string::npos) name[with] = '\n';
    return error ? name + "\nerror " + panels::errorText(*error) : name;
}

}  // namespace

view::Color baselineColor(play::BaselineKind kind) {
    switch (kind) {
        case play::BaselineKind::ExplicitForce:
            return view::Color::bytes(226, 74, 66);
        case play::BaselineKind::SoftLimit:
            return view::Color::bytes(232, 178, 58);
        case play::BaselineKind::Restitution:
            return view::Color::bytes(168, 120, 216);
        case play::BaselineKind::SoftContact:
            return view::Color::bytes(232, 178, 58);
        case play::BaselineKind::HardContact:
            return view::Color::bytes(140, 150, 165);
    }
    return {};
}

Comparison::Comparison(const std::vector<play::BaselineKind>& shown, const Eigen::Vector3d& offset)
    : m_isOn(!shown.empty()), m_offset(offset) {
    for (std::size_t i = 0; i < m_baselines.size(); ++i) {
        m_baselines[i].kind = static_cast<play::BaselineKind>(i);
        m_baselines[i].isShown = std::find(shown.begin(), shown.end(), m_baselines[i].kind) != shown.end();
    }
}

void Comparison::setOn(bool isOn) {
    m_isOn = isOn;
    const auto isShown = [](const Entry& entry) { return entry.isShown; };
    if (isOn && std::none_of(m_baselines.begin(), m_baselines.end(), isShown)) {
        for (Entry& entry : m_baselines) entry.isShown = true;
    }
}

void Comparison::follow(const play::Session& session, bool waits) {
    m_hasGuests = session.elements().size() > session.scene().elements.size();
    if (!m_isOn || m_hasGuests) return;
    for (Entry& entry : m_baselines) {
        if (!entry.isShown || !baselineSuits(entry.kind, session.scene())) continue;
        if (!entry.baseline) entry.baseline = std::make_unique<play::Baseline>(session, entry.kind);
        entry.baseline->follow(session);
    }
    if (!m_reference || !m_reference->fits(session)) {
        m_reference = std::make_unique<play::ReferenceRun>(session);
        m_referenceCurves.clear();
        m_errors = {};
    }
    m_reference->request(session.lastTick());
    if (waits) m_reference->wait();
    // The errors of all ticks so far are not needed in every frame.
    constexpr int kFrames = 15;
    if (waits || ++m_frames % kFrames == 0) judge(session);
}

bool Comparison::isBehind(const play::Session& session) const {
    if (!m_isOn || m_hasGuests || !m_reference || !m_reference->failure().empty()) return false;
    const std::shared_ptr<const play::History> reference = m_reference->history();
    return !reference || reference->lastTick() < session.lastTick();
}

void Comparison::judge(const play::Session& session) {
    if (session.tick() == m_judgedTick && session.run() == m_judgedRun) return;
    const std::shared_ptr<const play::History> reference = m_reference->history();
    if (!reference) return;
    const long last = std::min({session.tick(), reference->lastTick(), play::comparableRun(session).last});
    if (last < 1) return;
    m_judgedTick = session.tick();
    m_judgedRun = session.run();
    m_errors = {};
    m_errors[0] = play::errorOf(session.scene(), session.history(), *reference, last).nrmse;
    for (std::size_t i = 0; i < m_baselines.size(); ++i) {
        const Entry& entry = m_baselines[i];
        if (!entry.isShown || !entry.baseline) continue;
        const bool hasFailed = entry.baseline->failedAt() >= 0 && entry.baseline->failedAt() <= last;
        m_errors[1 + i] = hasFailed ? std::numeric_limits<double>::infinity()
                                    : play::errorOf(session.scene(), entry.baseline->history(), *reference, last).nrmse;
    }
}

int Comparison::lanes() const {
    if (!m_isOn || m_offset.isZero()) return 0;
    return static_cast<int>(std::count_if(m_baselines.begin(), m_baselines.end(),
                                          [](const Entry& entry) { return entry.isShown && entry.baseline; }));
}

Eigen::AlignedBox3d Comparison::withBaselines(const Eigen::AlignedBox3d& box) const {
    Eigen::AlignedBox3d whole = box;
    if (!box.isEmpty()) whole.extend(box.translated(lanes() * m_offset));
    return whole;
}

void Comparison::draw(const play::Session& session, SceneDrawing& drawing, const std::vector<Law>& laws,
                      const DrawingOptions& options, view::Picture& picture, std::vector<Label>& labels) {
    if (!m_isOn) return;
    const bool isBeside = !m_offset.isZero();
    const double above = 0.12 * drawing.size();
    // Names stand over the first body that moves.
    const std::vector<SceneBody>& bodies = session.scene().bodies;
    const auto moving = std::find_if(bodies.begin(), bodies.end(),
                                     [](const SceneBody& body) { return body.motion == BodyMotion::Dynamic; });
    const std::size_t named = moving == bodies.end() ? 0 : static_cast<std::size_t>(moving - bodies.begin());
    const auto nameAt = [&](const std::vector<BodyPose>& poses, const Eigen::Vector3d& shift, const std::string& name) {
        const Eigen::Vector3d at = poses[named].position + shift + above * Eigen::Vector3d::UnitY();
        labels.push_back({.at = at.cast<float>(), .text = name, .isCentred = true});
    };
    if (isBeside) {
        std::vector<BodyPose> own;
        readPoses(session.history(), std::max(session.tick(), session.history().firstTick()), own);
        nameAt(own, Eigen::Vector3d::Zero(), withError("Elasto", m_errors[0]));
    }
    Eigen::Vector3d at = Eigen::Vector3d::Zero();
    for (const Entry& entry : m_baselines) {
        if (!entry.isShown || !entry.baseline) continue;
        at += m_offset;
        const play::History& history = entry.baseline->history();
        const bool hasRow = history.has(session.tick());
        const long tick = std::clamp(session.tick(), history.firstTick(), history.lastTick());
        readPoses(history, tick, m_moment.bodies);
        const Tint tint{.opacity = isBeside ? 1.0F : 0.42F, .hasColor = true, .color = baselineColor(entry.kind)};
        if (!isBeside) {
            if (hasRow) drawing.drawBodies(m_moment.bodies, tint, picture);
            continue;
        }
        m_moment.elements.resize(session.scene().elements.size());
        for (std::size_t i = 0; i < m_moment.elements.size(); ++i) {
            const ElementSample& sample = history.element(tick, i);
            m_moment.elements[i] = {.sample = sample, .shownForce = sample.meanForce};
        }
        DrawingOptions plain = options;
        plain.ground = plain.labels = false;
        plain.selected = plain.hoveredBody = -1;
        plain.bodyColor = baselineColor(entry.kind);
        m_scratch.clear();
        std::vector<Label> none;
        drawing.draw(m_moment, laws, plain, m_scratch, none);
        appendShifted(m_scratch, at.cast<float>(), picture);
        const bool isFar = (m_moment.bodies[named].position - drawing.bounds().center()).norm() > 3 * drawing.size();
        if (isFar || !hasRow) {
            const Eigen::Vector3d stays = drawing.bounds().center() + at;
            labels.push_back(
                {.at = stays.cast<float>(),
                 .text = std::string(play::baselineName(entry.kind, session.scene())) + "\nleft the picture",
                 .isCentred = true});
        } else {
            const auto index = static_cast<std::size_t>(entry.kind);
            nameAt(m_moment.bodies, at,
                   withError(play::baselineName(entry.kind, session.scene()), m_errors[1 + index]));
        }
    }
}

const std::vector<panels::ComparisonRow>& Comparison::rows(const play::Session& session,
                                                           const panels::Palette& palette) {
    m_rows.clear();
    m_rows.push_back({.name = "Elasto",
                      .text = "the run itself",
                      .error = m_isOn ? m_errors[0] : std::nullopt,
                      .color = palette.accent});
    for (std::size_t i = 0; i < m_baselines.size(); ++i) {
        Entry& entry = m_baselines[i];
        if (m_hasGuests || !baselineSuits(entry.kind, session.scene())) continue;
        m_rows.push_back({.name = play::baselineName(entry.kind, session.scene()),
                          .text = explanationOf(entry.kind),
                          .error = m_isOn && entry.isShown ? m_errors[1 + i] : std::nullopt,
                          .color = curveColor(entry.kind),
                          .isShown = &entry.isShown});
    }
    return m_rows;
}

std::string Comparison::explanation(const play::Session& session) const {
    using End = play::ComparableRun::End;
    if (m_hasGuests) return "Bullet has nothing of its own that could stand for elements on a btMultiBody.";
    if (!m_isOn) return "Press C to run the same scene by Bullet's own ways, too.";
    const std::string text = "Errors are NRMSE against SUNDIALS CVODE, of the element that is farthest off, up to ";
    const play::ComparableRun run = play::comparableRun(session);
    if (run.end == End::None || session.tick() <= run.last) return text + "now.";
    const std::string at = panels::withUnit(static_cast<double>(run.last) * session.tickLength(), "s");
    const std::string restart = panels::keysOf(panels::Action::Restart);
    switch (run.end) {
        case End::Edit:
            return text + "the edit at " + at + "; " + restart + " runs again with the new numbers.";
        case End::Pull:
            return text + "the pull at " + at + "; " + restart + " runs again without it.";
        case End::Contact:
        case End::None:
            break;
    }
    return text + at + ": there shapes touched, or a joint came to its limit, of which CVODE does not know.";
}

namespace {

/// Appends the rows of a history that a curve does not have yet. @param last row at most
void append(const play::History& history, int element, play::Quantity quantity, double tickLength, long last,
            panels::Curve& curve) {
    // Curves keep what histories have forgotten.
    const long next = curve.empty() ? 0 : std::lround(curve.x(curve.size() - 1) / tickLength) + 1;
    for (long tick = std::max(next, history.firstTick()); tick <= last; ++tick) {
        const double value = history.value(tick, static_cast<std::size_t>(element), quantity);
        const bool isSane = std::isfinite(value) && std::abs(value) < 1e12;
        curve.append(static_cast<double>(tick) * tickLength, isSane ? value : std::numeric_limits<double>::quiet_NaN());
    }
}

}  // namespace

std::vector<panels::ForeignCurve> Comparison::curves(const play::Session& session, int element, play::Quantity quantity,
                                                     const panels::Palette& palette) {
    std::vector<panels::ForeignCurve> found;
    if (!m_isOn || element < 0) return found;
    for (Entry& entry : m_baselines) {
        if (!entry.isShown || !entry.baseline) continue;
        if (entry.run != session.run()) {
            entry.curves.clear();
            entry.run = session.run();
        }
        panels::Curve& curve = entry.curves[{element, quantity}];
        const play::History& history = entry.baseline->history();
        append(history, element, quantity, session.tickLength(), history.lastTick(), curve);
        found.push_back({.curve = &curve,
                         .name = play::baselineName(entry.kind, session.scene()),
                         .color = curveColor(entry.kind),
                         .isReference = false});
    }
    if (const auto reference = m_reference ? m_reference->history() : nullptr) {
        panels::Curve& curve = m_referenceCurves[{element, quantity}];
        const long last = std::min(reference->lastTick(), play::comparableRun(session).last);
        curve.truncate(curve.lowerBound((static_cast<double>(last) + 0.5) * session.tickLength()));
        append(*reference, element, quantity, session.tickLength(), last, curve);
        found.push_back({.curve = &curve, .name = "CVODE", .color = palette.text, .isReference = true});
    }
    return found;
}

}  // namespace elasto::gallery
