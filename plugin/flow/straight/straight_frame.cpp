#include "straight/straight_frame.h"

#include "balance/network_state.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace elasto::flow {
void StraightFrame::look(const FlowNetwork& network) {
    m_network = &network;
    m_rows.clear();
    for (const FlowElement& element : network.elements) {
        m_rows.push_back(measureRow(
            element, [this](int body) { return motionOf(body); }, Turns::of(element)));
    }
    m_isRecorded = m_record.isOf(network);
    if (m_isRecorded) return;
    m_record.forget();
    findResponses();
}

void StraightFrame::findResponses() {
    const FlowNetwork& network = *m_network;
    if (m_bodies.size() < network.bodies.size()) m_bodies.resize(network.bodies.size());
    for (std::size_t i = 0; i < network.bodies.size(); ++i) {
        const FlowBody& body = network.bodies[i];
        BodyRows& rows = m_bodies[i];
        rows.responses.clear();
        const QuadraticLoad& f = body.force;
        const QuadraticLoad& t = body.torque;
        const Eigen::Vector3d forces[3] = {f.constant, f.linear, f.quadratic};
        const Eigen::Vector3d torques[3] = {t.constant, t.linear, t.quadratic};
        for (int k = 0; k < 3; ++k) {
            rows.linearLoad[k] = linearResponse(body, forces[k]);
            rows.angularLoad[k] = loadResponse(body, body.orientation, torques[k]);
        }
        rows.gyroscopic = gyroscopicAcceleration(body, body.orientation, body.angularVelocity);
    }
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const FlowElement& element = network.elements[e];
        const Row& row = m_rows[e];
        const auto respond = [&](int index, double sign, const Eigen::Vector3d& angular) {
            if (index == kWorld) {
                return;
            }
            const FlowBody& body = network.bodies[static_cast<std::size_t>(index)];
            const Eigen::Matrix3d inverse = inverseInertiaWorld(body, body.orientation);
            m_bodies[static_cast<std::size_t>(index)].responses.push_back(
                {static_cast<int>(e), -sign * linearResponse(body, row.linear), -(inverse * angular)});
        };
        respond(element.a, -1, row.angularA);
        respond(element.b, 1, row.angularB);
    }
}

Motion StraightFrame::motionOf(int body) const {
    return body == kWorld ? Motion() : Motion::of(m_network->bodies[static_cast<std::size_t>(body)]);
}

// All displacements that the bodies can have over the tick: by their velocities, by each coefficient of the loads, and
// by each element's force (of any size, so normalised).
void StraightFrame::findDisplacements(double h) {
    const std::size_t n = m_network->bodies.size();
    for (std::vector<Displacement>& motion : m_motions) motion.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const FlowBody& body = m_network->bodies[i];
        m_motions[0][i] = {h * body.velocity, h * body.angularVelocity};
        m_motions[1][i] = {Eigen::Vector3d::Zero(), 0.5 * h * h * m_bodies[i].gyroscopic};
        double weight = 0.5 * h * h;
        for (std::size_t k = 0; k < 3; ++k) {
            m_motions[2 + k][i] = {weight * m_bodies[i].linearLoad[k], weight * m_bodies[i].angularLoad[k]};
            weight *= h * static_cast<double>(k + 1) / static_cast<double>(k + 3);
        }
        const auto isStill = [i](const std::vector<Displacement>& motion) { return motion[i].rotation.isZero(0); };
        m_bodies[i].turns = !std::all_of(m_motions.begin(), m_motions.end(), isStill);
    }
    m_pushSizes.assign(m_rows.size(), 0);
    for (std::size_t i = 0; i < n; ++i) {
        for (const Response& response : m_bodies[i].responses) {
            double& size = m_pushSizes[static_cast<std::size_t>(response.element)];
            size = std::max(size, response.linear.norm());
            if (response.angular.isZero(0)) continue;
            size = std::max(size, response.angular.norm());
            m_bodies[i].turns = true;
        }
    }
}

// What an element's force does to a body; an element that can move nothing does nothing.
Displacement StraightFrame::pushOf(int element, int body) const {
    Displacement push;
    const double size = m_pushSizes[static_cast<std::size_t>(element)];
    if (body == kWorld || !(size > 0)) return push;
    for (const Response& response : m_bodies[static_cast<std::size_t>(body)].responses) {
        if (response.element == element) push = {response.linear / size, response.angular / size};
    }
    return push;
}

// Calls visit with each motion of the element's two bodies that can be other than none, until it returns false: forces
// of elements elsewhere move neither.
template <class Visit>
bool StraightFrame::forMotionsOf(const FlowElement& element, const Visit& visit) const {
    for (const std::vector<Displacement>& motion : m_motions) {
        const auto part = [&](int body) {
            return body == kWorld ? Displacement() : motion[static_cast<std::size_t>(body)];
        };
        if (!visit(part(element.a), part(element.b))) return false;
    }
    for (const int body : {element.a, element.b}) {
        if (body == kWorld) continue;
        for (const Response& response : m_bodies[static_cast<std::size_t>(body)].responses) {
            if (!visit(pushOf(response.element, element.a), pushOf(response.element, element.b))) return false;
        }
    }
    return true;
}

/// True for an element along an axis between bodies that do not turn and, where a moment could turn a, move along it
/// only. Others may keep their directions too.
bool StraightFrame::isSlide(const FlowElement& element, const Row& row) const {
    if (element.geometry != Geometry::AlongAxis) return false;
    const auto turns = [&](int body) { return body != kWorld && m_bodies[static_cast<std::size_t>(body)].turns; };
    if (turns(element.a) || turns(element.b)) return false;
    if (element.a == kWorld || !isTurnable(m_network->bodies[static_cast<std::size_t>(element.a)])) return true;
    const auto isAlong = [&](const Eigen::Vector3d& displacement, double size) {
        return isParallel(displacement, row.direction, 0.5 * kTurnTolerance * size);
    };
    for (const std::vector<Displacement>& motion : m_motions) {
        Eigen::Vector3d across = -motion[static_cast<std::size_t>(element.a)].translation;
        if (element.b != kWorld) across += motion[static_cast<std::size_t>(element.b)].translation;
        if (!isAlong(across, 1)) return false;
    }
    for (const int body : {element.a, element.b}) {
        if (body == kWorld) continue;
        for (const Response& response : m_bodies[static_cast<std::size_t>(body)].responses) {
            if (!isAlong(response.linear, m_pushSizes[static_cast<std::size_t>(response.element)])) return false;
        }
    }
    return true;
}

bool StraightFrame::isStraight(double h) {
    if (m_isRecorded) return true;
    // Gears turn about joints nearly always, and with joints no network is straight.
    const auto isGeared = [](const FlowElement& element) { return element.isGeared(); };
    if (std::any_of(m_network->elements.begin(), m_network->elements.end(), isGeared)) return false;
    findDisplacements(h);
    for (std::size_t e = 0; e < m_rows.size(); ++e) {
        const FlowElement& element = m_network->elements[e];
        const Row& row = m_rows[e];
        if (isSlide(element, row)) continue;
        const auto centreOf = [this](int body) -> Eigen::Vector3d {
            return body == kWorld ? Eigen::Vector3d::Zero().eval()
                                  : m_network->bodies[static_cast<std::size_t>(body)].position;
        };
        const bool respondsA =
            element.a != kWorld && isTurnable(m_network->bodies[static_cast<std::size_t>(element.a)]);
        const StartingElement start{
            element.geometry, element.s_small, row, row.pointA - centreOf(element.a), row.pointB - centreOf(element.b),
            respondsA};
        TurnsOfB turns;
        const bool keeps = forMotionsOf(element, [&](const Displacement& a, const Displacement& b) {
            if (!start.keepsDirection(a, b)) return false;
            if (element.b != kWorld) turns.add(start, b);
            return true;
        });
        if (!keeps || (element.geometry == Geometry::AlongAxis && !turns.areLegal())) return false;
        if (element.geometry == Geometry::AboutAxis) {
            // Tilted bodies: the twist's gradient is not the axis and turns with them.
            const Eigen::Vector3d axis = motionOf(element.a).q * element.axis;
            if ((row.direction - axis).norm() > kTurnTolerance) {
                return false;
            }
        }
    }
    // A body that an element turns must keep its axis of rotation, or its response changes.
    for (std::size_t i = 0; i < m_network->bodies.size(); ++i) {
        if (!m_bodies[i].turns) continue;
        Eigen::Vector3d pushed = Eigen::Vector3d::Zero();
        for (const Response& response : m_bodies[i].responses) {
            if (response.angular.squaredNorm() > pushed.squaredNorm()) {
                pushed = response.angular;
            }
        }
        if (pushed.norm() > kTurnTolerance * m_network->bodies[i].inverseInertia.maxCoeff()) {
            const Eigen::Vector3d axis = pushed.normalized();
            for (const std::vector<Displacement>& motion : m_motions) {
                if (!isParallel(motion[i].rotation, axis, kTurnTolerance)) return false;
            }
            for (const Response& response : m_bodies[i].responses) {
                const Displacement push = pushOf(response.element, static_cast<int>(i));
                if (!isParallel(push.rotation, axis, kTurnTolerance)) return false;
            }
        }
    }
    return true;
}

void StraightFrame::write(RowNetwork& rows) {
    if (m_isRecorded) return;
    const auto m = static_cast<Eigen::Index>(m_rows.size());
    rows.laws.clear();
    rows.W.clear();
    rows.a.setZero(m, 3);
    for (Eigen::Index e = 0; e < m; ++e) {
        const FlowElement& element = m_network->elements[static_cast<std::size_t>(e)];
        const Row& row = m_rows[static_cast<std::size_t>(e)];
        rows.laws.push_back(HybridLaw::from(element.law));
        m_entries.clear();
        const auto add = [&](int index, double sign, const Eigen::Vector3d& angular) {
            if (index == kWorld) {
                return;
            }
            const BodyRows& body = m_bodies[static_cast<std::size_t>(index)];
            for (int k = 0; k < 3; ++k) {
                rows.a(e, k) += sign * row.linear.dot(body.linearLoad[k]) + angular.dot(body.angularLoad[k]);
            }
            for (const Response& response : body.responses) {
                const double w = sign * row.linear.dot(response.linear) + angular.dot(response.angular);
                m_entries.push_back({response.element, -w});
            }
        };
        add(element.a, -1, row.angularA);
        add(element.b, 1, row.angularB);
        // Two elements may have both bodies in common.
        std::sort(m_entries.begin(), m_entries.end(), [](const auto& x, const auto& y) { return x.column < y.column; });
        std::size_t count = 0;
        for (const DelassusMatrix::Entry& entry : m_entries) {
            if (count > 0 && m_entries[count - 1].column == entry.column) {
                m_entries[count - 1].value += entry.value;
            } else {
                m_entries[count++] = entry;
            }
        }
        rows.W.addRow({m_entries.data(), count});
    }
    // Symmetric but for rounding; the integrators rely on it.
    rows.W.symmetrise();
    m_record.note(*m_network, rows.laws);
    rows.number = m_record.isKnown() ? ++m_written : 0;
}

void StraightFrame::start(const RowNetwork& rows, RowState& state) const {
    state.resize(rows.size());
    for (Eigen::Index e = 0; e < rows.size(); ++e) {
        const auto i = static_cast<std::size_t>(e);
        state.s[e] = m_rows[i].s;
        state.v[e] = m_rows[i].v;
        state.z[e] = m_network->elements[i].s_damper;
        state.phases[i] = classify(rows.laws[i], state.s[e], state.v[e], rows.a(e, 0), state.z[e]);
    }
}

// The orientation has a closed form only if the axis of rotation is fixed; a body that tumbles freely is integrated.
bool StraightFrame::turnsFreely(int i) const {
    const auto index = static_cast<std::size_t>(i);
    const FlowBody& body = m_network->bodies[index];
    const Eigen::Vector3d& w = body.angularVelocity;
    const BodyRows& rows = m_bodies[index];
    if (!rows.gyroscopic.isZero(1e-13 * (1 + w.squaredNorm()))) {
        return true;
    }
    const bool isotropic = body.inverseInertia == Eigen::Vector3d::Constant(body.inverseInertia[0]);
    for (const Eigen::Vector3d& load : rows.angularLoad) {
        const double size = load.norm();
        if (size > 0 && (!isotropic || !isParallel(w, load / size, 1e-13 * w.norm()))) {
            return true;
        }
    }
    return false;
}

BodyTick StraightFrame::endOf(int i, double h, const Eigen::VectorXd& P, const Eigen::VectorXd& sigma) {
    const auto index = static_cast<std::size_t>(i);
    const FlowBody& body = m_network->bodies[index];
    const BodyRows& rows = m_bodies[index];
    BodyTick end;
    Eigen::Vector3d shift = Eigen::Vector3d::Zero();
    Eigen::Vector3d turn = Eigen::Vector3d::Zero();
    for (const Response& response : rows.responses) {
        end.elementVelocity += P[response.element] * response.linear;
        end.elementAngularVelocity += P[response.element] * response.angular;
        shift += sigma[response.element] * response.linear;
        turn += sigma[response.element] * response.angular;
    }
    const auto load = [](const Eigen::Vector3d(&a)[3]) { return QuadraticLoad{a[0], a[1], a[2]}; };
    const auto gain = [&](const Eigen::Vector3d(&a)[3]) { return load(a).impulse(h); };
    const auto path = [&](const Eigen::Vector3d(&a)[3]) { return secondIntegralOf(load(a), h); };
    end.position = body.position + (h * body.velocity + (path(rows.linearLoad) + shift));
    end.velocity = body.velocity + (gain(rows.linearLoad) + end.elementVelocity);
    const bool isPushed = !turn.isZero(0) || !end.elementAngularVelocity.isZero(0);
    const auto isNone = [](const Eigen::Vector3d& a) { return a.isZero(0); };
    if (!isPushed && isNone(body.angularVelocity) &&
        std::all_of(std::begin(rows.angularLoad), std::end(rows.angularLoad), isNone)) {
        end.orientation = body.orientation;
        end.angularVelocity.setZero();
    } else if (!isPushed && turnsFreely(i)) {
        const Motion motion = m_free.rotation(body, h);
        end.orientation = motion.q;
        end.angularVelocity = motion.w;
    } else {
        end.orientation = turned(body.orientation, h * body.angularVelocity + (path(rows.angularLoad) + turn));
        end.angularVelocity = body.angularVelocity + (gain(rows.angularLoad) + end.elementAngularVelocity);
    }
    return end;
}

}  // namespace elasto::flow
