// What ends the state that contacts, motors, limits and elements are in.

#include "constraints/contact_box.h"
#include "contact/contact_motion.h"
#include "contact/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

void ContactMotion::addEnds(Ending::Kind kind, std::size_t index) {
    m_ends.push_back({.kind = kind, .index = index});
}

/// Where what touches has an end. @param isFirst of those that bear of its patch
void ContactMotion::addPlaceEnds(std::size_t i, bool isFirst) {
    using Kind = Ending::Kind;
    const auto add = [&](Kind kind, double beyond) {
        addEnds(kind, i);
        m_ends.back().floor = std::min(placeValue(m_ends.back()), 0.) - beyond;
    };
    if (m_parts[i].isOutside()) add(Kind::Passes, kClosedGap / 2);
    if (isFirst && network().contacts[i].areFaces()) add(Kind::Parts, 2 * kClosedGap);  // a gap that is open then
}

double ContactMotion::placeValue(const Ending& end) const {
    const FlowContact& contact = network().contacts[end.index];
    const Motion &a = m_bodies.at(contact.a), &b = m_bodies.at(contact.b);
    return end.kind == Ending::Kind::Passes ? withinPart(contact, m_parts[end.index], a, b)
                                            : faceOverlap(contact, a, b);
}

void ContactMotion::findEnds() {
    using Kind = Ending::Kind;
    m_ends.clear();
    const ContactFrame& frame = m_problem->frame();
    for (std::size_t p = 0; p < frame.patches().size(); ++p) {
        const Patch& patch = frame.patches()[p];
        bool bears = false;
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            const bool isFirst = !bears && m_modes->bears[i];
            bears = bears || m_modes->bears[i];
            addPlaceEnds(i, isFirst);
            if (frame.isSoft(i)) continue;
            addEnds(m_modes->bears[i] ? Kind::Lifts : Kind::Closes, i);
            const double gap = frame.measure(i).gap;
            if (!m_modes->bears[i]) m_ends.back().floor = gap > kClosedGap ? 0 : std::min(gap, 0.) - kClosedGap / 2;
        }
        if (!bears) continue;
        if (m_modes->friction[p] == Friction::Sticks) addEnds(Kind::Slips, p);
        if (m_modes->friction[p] == Friction::Slips) addEnds(Kind::Stops, p);
        if (m_modes->rolling.empty()) continue;
        if (m_modes->rolling[p] == Friction::Sticks) addEnds(Kind::Rolls, p);
        if (m_modes->rolling[p] == Friction::Slips) addEnds(Kind::RollStops, p);
        if (m_modes->spinning[p] == Friction::Sticks) addEnds(Kind::Spins, p);
        if (m_modes->spinning[p] == Friction::Slips) addEnds(Kind::SpinStops, p);
    }
    for (std::size_t k = 0; k < m_modes->bounded.size(); ++k) {
        const BoundedPhase phase = m_modes->bounded[k];
        const BoundedRow& row = network().bounded[k];
        if (phase == BoundedPhase::Off || (phase == BoundedPhase::Open && isMotor(row))) continue;
        if (phase == BoundedPhase::Held && isPrescribed(row)) continue;
        addEnds(Kind::Bounded, k);
        if (phase != BoundedPhase::Open) continue;
        const double gap = row.side * (frame.coordinate(k) - row.bound);
        m_ends.back().floor = gap > kClosedGap ? 0 : std::min(gap, 0.) - kClosedGap / 2;
    }
    for (std::size_t e = 0; e < m_phases.size(); ++e) {
        const Exits exits = exitsOf(m_problem->laws()[e], m_phases[e]);
        for (int k = 0; k < exits.count; ++k) {
            addEnds(Kind::Exit, e);
            m_ends.back().exit = exits.exits[k];
        }
    }
}

bool ContactMotion::needsForces(const Ending& end) const {
    using Kind = Ending::Kind;
    switch (end.kind) {
        case Kind::Lifts:
        case Kind::Slips:
        case Kind::Rolls:
        case Kind::Spins:
            return true;
        case Kind::Bounded:
            return m_modes->bounded[end.index] == BoundedPhase::Held;
        case Kind::Closes:
        case Kind::Passes:
        case Kind::Parts:
        case Kind::Stops:
        case Kind::RollStops:
        case Kind::SpinStops:
        case Kind::Exit:
            return false;
    }
    return true;
}

/// Mean speed of a patch's points as they slipped before, by what they bear [m/s].
double ContactMotion::slipOf(std::size_t p) const {
    const ContactFrame& frame = m_problem->frame();
    const Patch& patch = frame.patches()[p];
    double along = 0, weight = 0;
    for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
        if (!m_modes->bears[i]) continue;
        along += m_weights[i] * m_slow->last(i).dot(frame.slipVelocity(p, i, m_u));
        weight += m_weights[i];
    }
    return weight > 0 ? along / weight : 0;
}

double ContactMotion::boundedValue(std::size_t k) const {
    const ContactFrame& frame = m_problem->frame();
    const BoundedRow& row = network().bounded[k];
    switch (m_modes->bounded[k]) {
        case BoundedPhase::Off:
            return 1;
        case BoundedPhase::Below:
            return m_rest - frame.excessRate(k, m_u);
        case BoundedPhase::Above:
            return m_rest + frame.excessRate(k, m_u);
        case BoundedPhase::Open:
            return row.side * (frame.coordinate(k) - row.bound);
        case BoundedPhase::Held:
            break;
    }
    const double force = m_rowForces[frame.boundedOf(k)];
    return (isMotor(row) ? row.maxForce - std::abs(force) : row.side * force) + m_nothing;
}

double ContactMotion::rawValue(const Ending& end) const {
    using Kind = Ending::Kind;
    const ContactFrame& frame = m_problem->frame();
    const std::size_t k = end.index;
    const auto load = [&] { return loadOf(frame, k, *m_modes, m_rowForces); };
    switch (end.kind) {
        case Kind::Closes:
            return frame.measure(k).gap;
        case Kind::Lifts:
            return m_rowForces[frame.normalOf(k)] + m_nothing;
        case Kind::Passes:
        case Kind::Parts:
            return placeValue(end);
        case Kind::Slips:
            return gripOf(frame, k, load()) + m_nothing;
        case Kind::Rolls:
            return rollGripOf(frame, k, load()) + m_nothing * frame.patches()[k].rollingFriction;
        case Kind::Spins:
            return spinGripOf(frame, k, load()) + m_nothing * frame.patches()[k].spinningFriction;
        case Kind::Stops:
            return slipOf(k) + m_rest;
        case Kind::RollStops:
            return m_rolls[k].dot(frame.turnVelocity(k, m_u)) + m_rest;
        case Kind::SpinStops:
            return frame.spinDirection(k) * frame.patches()[k].normal.dot(frame.turnVelocity(k, m_u)) + m_rest;
        case Kind::Bounded:
            return boundedValue(k);
        case Kind::Exit:
            return exitValue(m_problem->laws()[k], m_phases[k], end.exit.kind, m_problem->elementCoordinate(k),
                             m_problem->elementRate(k, m_u));
    }
    return 1;
}

double ContactMotion::eventValue(int i, double t, const Eigen::VectorXd& y) const {
    const Ending& end = m_ends[static_cast<std::size_t>(i)];
    if (end.isFar()) return end.least;
    // Where the work has ended nothing is looked for: no step follows, and what was found is given up.
    if (isSpent() || m_isLost || !std::isfinite(y.head(eventStateSize()).sum())) return 1;
    goTo(t, y);
    if (needsForces(end)) findForces();
    return rawValue(end) - end.floor;
}

bool ContactMotion::isFarFromEvents(double, const Eigen::VectorXd&, double, const Eigen::VectorXd&) const {
    return std::all_of(m_ends.begin(), m_ends.end(), [](const Ending& end) { return end.isFar(); });
}

/// Whether its value is a distance, whose floor findEnds() knows.
bool ContactMotion::isGap(const Ending& end) const {
    return end.isOfPlaces() || (end.kind == Ending::Kind::Bounded && m_modes->bounded[end.index] == BoundedPhase::Open);
}

double ContactMotion::eventSlack(int i) const {
    using Kind = Ending::Kind;
    const Ending& end = m_ends[static_cast<std::size_t>(i)];
    if (end.kind == Kind::Exit) {
        const double speed = kMotionLooseness * m_settings.stepTolerance() * m_rest / kRest;
        return exitSlack(m_problem->laws()[end.index], end.exit.kind, speed, m_h);
    }
    if (end.kind == Kind::Rolls || end.kind == Kind::Spins) return 0;
    return isGap(end) ? kClosedGap / 4 : needsForces(end) ? m_nothing / 2 : m_rest / 2;
}

/// The stages of a step tell which ends cannot come within it: those that are all farther away than apart.
void ContactMotion::noteEnds() {
    for (Ending& end : m_ends) {
        const double value = rawValue(end) - end.floor;
        end.least = end.isNoted ? std::min(end.least, value) : value;
        end.most = end.isNoted ? std::max(end.most, value) : value;
        end.isNoted = true;
    }
}

void ContactMotion::noteWeights() {
    const ContactFrame& frame = m_problem->frame();
    for (std::size_t i = 0; i < m_weights.size(); ++i) {
        m_weights[i] = std::max(m_rowForces[frame.normalOf(i)], 0.);
    }
}

void ContactMotion::noteDirections() {
    const ContactFrame& frame = m_problem->frame();
    m_slow->noteDirections(frame);
    for (std::size_t p = 0; frame.resistsTurning() && p < m_rolls.size(); ++p) m_rolls[p] = frame.rollDirection(p);
}

bool ContactMotion::stepAccepted(double t, Eigen::VectorXd& y) {
    noteWeights();
    goTo(t, y);
    noteDirections();
    noteSpeeds();
    m_problem->countTurns();
    for (Ending& end : m_ends) end.isNoted = false;
    const bool isDriven = driveSlow(t, y);
    return m_trees.restartRotations(y.data()) || isDriven;
}

void ContactMotion::crossEvent(int i, double t, Eigen::VectorXd& y) {
    const Ending end = m_ends[static_cast<std::size_t>(i)];
    if (end.kind != Ending::Kind::Exit) {
        m_isOver = true;
        return;
    }
    goTo(t, y);
    Phase& phase = m_phases[end.index];
    const bool was = phase.inContact();
    phase = entered(m_problem->laws()[end.index], phase, end.exit.next, m_problem->elementCoordinate(end.index));
    m_hasForces = false;
    if (phase.inContact() != was) {
        if (m_problem->contactOf(end.index) >= 0) {
            m_isOver = true;  // friction wants to know which soft contacts bear
        } else {
            const double speed = std::abs(m_problem->elementRate(end.index, m_u));
            m_events.push_back({static_cast<int>(end.index), phase.inContact(), t, speed});
        }
    }
    findEnds();
}

}  // namespace elasto::flow
