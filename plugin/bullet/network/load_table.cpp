#include "network/load_table.h"

#include <elasto/errors.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/conversion.h"
#include "network/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

LoadValue valueOf(const Load& load, double t) {
    LoadValue value = LoadValue::Zero();
    (load.kind() == Load::Kind::Force ? value.head<3>() : value.tail<3>()) = toEigen(load.value(t));
    return value;
}

LoadValue valueOf(const JointLoad& load, double t) {
    const double torque = load.value(t);
    if (!std::isfinite(torque)) throw InvalidParameter("JointLoad", "value", torque, "finite");
    return torque * LoadValue::Unit(0);
}

/// The sum of loads, and the first of their breaks.
template <class SomeLoad>
std::vector<LoadPiece> piecesOf(const std::vector<const SomeLoad*>& loads, const TickTime& time) {
    if (loads.empty()) return {LoadPiece()};
    const auto value = [&](double t) {
        LoadValue sum = valueOf(*loads.front(), t);
        for (std::size_t i = 1; i < loads.size(); ++i) sum += valueOf(*loads[i], t);
        return sum;
    };
    const auto nextBreak = [&](double t) {
        double next = std::numeric_limits<double>::infinity();
        for (const SomeLoad* load : loads) {
            const double own = load->nextBreak(t);
            if (!(own > t)) throw InvalidParameter("Load", "nextBreak", own, "later than the time it was asked for");
            next = std::min(next, own);
        }
        return next;
    };
    return piecesOf(value, nextBreak, time);
}

/// Asks the loads on a body.
void ask(const std::vector<const Load*>& loads, const TickTime& time, LoadTable::OfBody& entry) {
    const auto turns = [](const Load* load) { return load->turnsWithBody(); };
    if (std::none_of(loads.begin(), loads.end(), turns)) {
        entry.pieces = piecesOf(loads, time);
        return;
    }
    std::vector<const Load*> fixed;
    for (const Load* load : loads) {
        if (!turns(load)) {
            fixed.push_back(load);
            continue;
        }
        AttachedLoad& attached = entry.attached.emplace_back();
        attached.pieces = piecesOf(std::vector<const Load*>{load}, time);
        attached.point = toEigen(load->point());
        attached.isInBodyAxes = load->axes() == Load::Axes::Body;
    }
    entry.fixed = piecesOf(fixed, time);
    BodyState start;
    start.orientation = rotationOf(entry.body->getWorldTransform().getBasis());
    start.angularVelocity = toEigen(entry.body->getAngularVelocity());
    entry.pieces = turnWith(RotationPath(start), entry.fixed, entry.attached, time.h);
}

}  // namespace

std::vector<LoadPiece> piecesOf(const std::function<LoadValue(double)>& value, const NextBreak& nextBreak,
                                const TickTime& time) {
    std::vector<double> breaks;
    for (double t = time.t; nextBreak && breaks.size() < kMostBreaks;) {
        const double next = nextBreak(t);
        if (!(next > t)) throw InvalidParameter("load", "next break", next, "later than the time it was asked for");
        if (next >= time.t + time.h) break;
        breaks.push_back(next - time.t);
        t = next;
    }
    std::vector<LoadPiece> pieces;
    cutIntoPieces([&](double t) { return value(time.t + t); }, breaks, time.h, pieces);
    return pieces;
}

void LoadTable::begin(std::span<const std::shared_ptr<const Load>> loads,
                      std::span<const std::shared_ptr<const JointLoad>> jointLoads, const TickTime& time) {
    m_places.clear();
    m_bodies.clear();
    std::vector<std::vector<const Load*>> ofBodies;
    for (const auto& load : loads) {
        if (!load->body().isInWorld()) continue;
        const auto place = static_cast<std::size_t>(load->body().getWorldArrayIndex());
        if (place >= m_places.size()) m_places.resize(place + 1, -1);
        if (m_places[place] < 0) {
            m_places[place] = static_cast<int>(m_bodies.size());
            m_bodies.emplace_back().body = &load->body();
            ofBodies.emplace_back();
        }
        ofBodies[static_cast<std::size_t>(m_places[place])].push_back(load.get());
    }
    for (std::size_t i = 0; i < m_bodies.size(); ++i) {
        OfBody& entry = m_bodies[i];
        ask(ofBodies[i], time, entry);
        entry.impulse = impulseOf(entry.pieces, time.h);
        for (std::size_t k = 0; k < entry.pieces.size(); ++k) {
            const LoadPiece& piece = entry.pieces[k];
            const double end = k + 1 < entry.pieces.size() ? entry.pieces[k + 1].start : time.h;
            for (const double t : {piece.start, (piece.start + end) / 2, end}) {
                entry.force = std::max(entry.force, piece.value(t).head<3>().norm());
                entry.torque = std::max(entry.torque, piece.value(t).tail<3>().norm());
            }
        }
    }
    m_joints.clear();
    std::vector<std::vector<const JointLoad*>> ofJoints;
    for (const auto& load : jointLoads) {
        const auto isSame = [&](const OfJoint& joint) {
            return joint.body == &load->body() && joint.link == load->link();
        };
        const auto found = std::find_if(m_joints.begin(), m_joints.end(), isSame);
        const auto index = static_cast<std::size_t>(found - m_joints.begin());
        if (found == m_joints.end()) {
            m_joints.push_back({&load->body(), load->link(), {}});
            ofJoints.emplace_back();
        }
        ofJoints[index].push_back(load.get());
    }
    for (std::size_t i = 0; i < m_joints.size(); ++i) m_joints[i].pieces = piecesOf(ofJoints[i], time);
}

const LoadTable::OfBody* LoadTable::find(const btRigidBody& body) const {
    const int index = body.getWorldArrayIndex();
    if (index < 0 || static_cast<std::size_t>(index) >= m_places.size()) return nullptr;
    const int entry = m_places[static_cast<std::size_t>(index)];
    return entry >= 0 && m_bodies[static_cast<std::size_t>(entry)].body == &body
               ? &m_bodies[static_cast<std::size_t>(entry)]
               : nullptr;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
