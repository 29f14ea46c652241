#include "held_rows.h"

#include "turn_coordinates.h"

#include <algorithm>
#include <optional>

namespace elasto::flow {

namespace {

/// What the rows of a joint along several axes have in common.
struct JointPoints {
    Eigen::Vector3d leverB, fromA;  // to pB, from the centre of mass of b and of a
    Eigen::Vector3d apart;          // from pA to pB
    Eigen::Vector3d velocity;       // of pB against pA
    Eigen::Vector3d centripetal;    // acceleration of pB against pA where no body is accelerated

    JointPoints(const HeldRow& row, const Motion& a, const Motion& b) {
        const Eigen::Vector3d leverA = a.q * row.pointA;
        leverB = b.q * row.pointB;
        const Eigen::Vector3d pointB = b.x + leverB;
        fromA = pointB - a.x;
        apart = pointB - (a.x + leverA);
        velocity = b.v + b.w.cross(leverB) - a.v - a.w.cross(leverA);
        centripetal = b.w.cross(b.w.cross(leverB)) - a.w.cross(a.w.cross(leverA));
    }
};

inline void alongAxis(const HeldRow& row, const Motion& a, const JointPoints& points, HeldMeasure& m) {
    const Eigen::Vector3d d = a.q * row.axisA;
    m.value = d.dot(points.apart) - row.offset;
    m.linear = d;
    m.angularB = points.leverB.cross(d);
    m.angularA = -points.fromA.cross(d);
    const Eigen::Vector3d turning = a.w.cross(d);
    m.gamma = 2 * turning.dot(points.velocity) + d.dot(points.centripetal) + a.w.cross(turning).dot(points.apart);
}

HeldMeasure alongAxis(const HeldRow& row, const Motion& a, const Motion& b) {
    HeldMeasure m;
    alongAxis(row, a, JointPoints(row, a, b), m);
    return m;
}

void addRate(HeldMeasure& m, const Motion& a, const Motion& b) {
    m.rate = m.linear.dot(b.v - a.v) + m.angularB.dot(b.w) + m.angularA.dot(a.w);
}

HeldMeasure orthogonal(const HeldRow& row, const Motion& a, const Motion& b) {
    const Eigen::Vector3d p = a.q * row.axisA;
    const Eigen::Vector3d q = b.q * row.axisB;
    HeldMeasure m;
    m.value = p.dot(q) - row.offset;
    m.angularA = p.cross(q);
    m.angularB = -m.angularA;
    const Eigen::Vector3d dp = a.w.cross(p);
    const Eigen::Vector3d dq = b.w.cross(q);
    m.gamma = a.w.cross(dp).dot(q) + 2 * dp.dot(dq) + p.dot(b.w.cross(dq));
    return m;
}

// A body's own axis feels no change of its rate by turning about it: gamma = 0.
HeldMeasure gear(const HeldRow& row, const Motion& a, const Motion& b) {
    HeldMeasure m;
    m.angularA = a.q * row.axisA;
    m.angularB = row.ratio * (b.q * row.axisB);
    return m;
}

// The twist's gradient turns with frame a, and changes with the tilt of b against a.
double twistGamma(const BoundedRow& row, const Motion& a, const Motion& b) {
    const Eigen::Quaterniond frame = a.q * row.frameA;
    const Eigen::Quaterniond r = frame.conjugate() * (b.q * row.frameB);
    const Eigen::Vector3d axis = row.frameA.conjugate() * row.axis;
    const Eigen::Vector3d spin = frame.conjugate() * (b.w - a.w);
    const double w = r.w();
    const Eigen::Vector3d v = r.vec();
    const double p = v.dot(axis);
    const double norm = w * w + p * p;
    if (!(norm > 1e-12)) return 0;
    const Eigen::Vector3d gradient = (w * w * axis + w * v.cross(axis) + p * v) / norm;
    const double dw = -0.5 * spin.dot(v);
    const Eigen::Vector3d dv = 0.5 * (w * spin + spin.cross(v));
    const double dp = dv.dot(axis);
    const Eigen::Vector3d change = 2 * w * dw * axis + dw * v.cross(axis) + w * dv.cross(axis) + dp * v + p * dv -
                                   (2 * w * dw + 2 * p * dp) * gradient;
    return (change / norm).dot(spin) - gradient.dot((frame.conjugate() * a.w).cross(spin));
}

}  // namespace

HeldMeasure measureHeld(const HeldRow& row, const Motion& a, const Motion& b) {
    HeldMeasure m = row.kind == HeldRow::Kind::AlongAxis    ? alongAxis(row, a, b)
                    : row.kind == HeldRow::Kind::Orthogonal ? orthogonal(row, a, b)
                                                            : gear(row, a, b);
    addRate(m, a, b);
    return m;
}

HeldMeasure measureHeld(const BoundedRow& row, const Motion& a, const Motion& b) {
    const bool isLimit = row.kind == BoundedRow::Kind::Limit;
    const Row measured = measureRow(row, a, b, row.phi);
    HeldMeasure m;
    m.value = isLimit ? measured.s - row.bound : 0;
    m.rate = measured.v - (isLimit ? 0 : row.targetRate);
    m.linear = measured.linear;
    m.angularA = measured.angularA;
    m.angularB = measured.angularB;
    if (row.geometry == Geometry::AlongAxis) {
        HeldRow same;
        same.pointA = row.pointA;
        same.pointB = row.pointB;
        same.axisA = row.axis;
        m.gamma = alongAxis(same, a, b).gamma;
    } else if (row.geometry == Geometry::AboutAxis) {
        m.gamma = twistGamma(row, a, b);
    } else if (row.geometry == Geometry::EulerAngle) {
        m.gamma = eulerAngle(row.turns, framesOf(row, a, b)).gamma;
    } else {
        m.gamma = swingCone(row.spans, framesOf(row, a, b)).gamma;
    }
    return m;
}

void HeldRows::bind(const FlowNetwork& network, const std::vector<int>& bounded) {
    m_network = &network;
    m_bounded.assign(bounded.begin(), bounded.end());
    m_measures.clear();
    if (m_ends.size() < network.bodies.size()) {
        m_ends.resize(network.bodies.size());
        m_movableEnds.clear();
    }
    m_isStructured = false;
}

HeldMeasure HeldRows::measureAt(std::size_t row, const BodiesNow& bodies) const {
    return with(row, [&](const auto& link) { return measureHeld(link, bodies.at(link.a), bodies.at(link.b)); });
}

template <class Visit>
void HeldRows::forEachEnd(std::size_t row, const HeldMeasure& measure, const BodiesNow& bodies,
                          const Visit& visit) const {
    const auto enter = [&](int index, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
        if (index == kWorld) return;
        const auto i = static_cast<std::size_t>(index);
        const FlowBody& body = m_network->bodies[i];
        if (body.isImmovable()) return;
        End end;
        end.row = static_cast<int>(row);
        end.gradient << linear, angular;
        end.response << linearResponse(body, linear), bodies.inverses[i] * angular;
        visit(i, end);
    };
    with(row, [&](const auto& link) {
        enter(link.a, -measure.linear, measure.angularA);
        enter(link.b, measure.linear, measure.angularB);
    });
}

void HeldRows::measureAll(const BodiesNow& bodies) {
    m_measures.resize(size());
    const HeldRow* last = nullptr;
    std::optional<JointPoints> points;  // of the last row along an axis
    for (std::size_t k = 0; k < m_network->joints.size(); ++k) {
        const HeldRow& row = m_network->joints[k];
        HeldMeasure& measure = m_measures[k];
        const Motion& a = bodies.at(row.a);
        const Motion& b = bodies.at(row.b);
        if (row.kind != HeldRow::Kind::AlongAxis) {
            measure = measureHeld(row, a, b);
            continue;
        }
        const bool isSame = last != nullptr && last->a == row.a && last->b == row.b && last->pointA == row.pointA &&
                            last->pointB == row.pointB;
        if (!isSame) points.emplace(row, a, b);
        last = &row;
        alongAxis(row, a, *points, measure);
        addRate(measure, a, b);
    }
    for (std::size_t k = m_network->joints.size(); k < size(); ++k) m_measures[k] = measureAt(k, bodies);
}

bool HeldRows::isMovable(int body) const {
    return body != kWorld && !m_network->bodies[static_cast<std::size_t>(body)].isImmovable();
}

// From tick to tick it is mostly the same.
void HeldRows::restructure() {
    m_isStructured = true;
    std::vector<int>& ends = m_nextMovableEnds;
    ends.clear();
    for (std::size_t k = 0; k < size(); ++k) {
        with(k, [&](const auto& link) {
            ends.push_back(isMovable(link.a) ? link.a : kWorld);
            ends.push_back(isMovable(link.b) ? link.b : kWorld);
        });
    }
    if (ends == m_movableEnds) return;
    m_movableEnds.swap(ends);
    structure();
}

// Which rows end where, and where their products go.
void HeldRows::structure() {
    for (std::vector<End>& ends : m_ends) ends.clear();
    const auto visitEnds = [&](const auto& visit) {
        for (std::size_t k = 0; k < size(); ++k) {
            with(k, [&](const auto& link) {
                if (isMovable(link.a)) visit(static_cast<std::size_t>(link.a), k, true);
                if (isMovable(link.b)) visit(static_cast<std::size_t>(link.b), k, false);
            });
        }
    };
    visitEnds([&](std::size_t i, std::size_t k, bool) { m_ends[i].emplace_back().row = static_cast<int>(k); });
    m_endsOfRows.assign(size(), {});
    std::vector<End*>& next = m_nextEnds;
    next.clear();
    for (std::vector<End>& ends : m_ends) next.push_back(ends.data());
    visitEnds(
        [&](std::size_t i, std::size_t k, bool isA) { (isA ? m_endsOfRows[k].a : m_endsOfRows[k].b) = next[i]++; });
    m_structure.clear();
    for (const std::vector<End>& ends : m_ends) {
        m_structure.push_back(static_cast<int>(ends.size()));
        for (const End& end : ends) m_structure.push_back(end.row);
    }
    m_factor.setBodies(static_cast<int>(size()), m_structure);
    m_entries.clear();
    for (const std::vector<End>& ends : m_ends) {
        for (std::size_t i = 0; i < ends.size(); ++i) {
            for (std::size_t k = 0; k <= i; ++k) m_entries.push_back(m_factor.entryOf(ends[i].row, ends[k].row));
        }
    }
}

void HeldRows::place(const BodiesNow& bodies) {
    measureAll(bodies);
    if (empty()) {
        for (std::vector<End>& ends : m_ends) ends.clear();
        m_movableEnds.clear();
        return;
    }
    if (!m_isStructured) restructure();
    for (std::size_t k = 0; k < size(); ++k) {
        const HeldMeasure& measure = m_measures[k];
        const auto fill = [&](int index, double sign, const Eigen::Vector3d& angular, End& end) {
            const auto i = static_cast<std::size_t>(index);
            const FlowBody& body = m_network->bodies[i];
            end.gradient << sign * measure.linear, angular;
            end.response << sign * body.inverseMass * body.linearFactor.cwiseProduct(measure.linear),
                bodies.inverses[i] * angular;
        };
        const EndsOfRow& ends = m_endsOfRows[k];
        with(k, [&](const auto& link) {
            if (ends.a != nullptr) fill(link.a, -1, measure.angularA, *ends.a);
            if (ends.b != nullptr) fill(link.b, 1, measure.angularB, *ends.b);
        });
    }
    m_factor.clear();
    const std::size_t* entry = m_entries.data();
    for (const std::vector<End>& ends : m_ends) {
        for (std::size_t i = 0; i < ends.size(); ++i) {
            for (std::size_t k = 0; k <= i; ++k) m_factor.addTo(*entry++, ends[k].gradient.dot(ends[i].response));
        }
    }
    m_factor.factor();
}

const Eigen::VectorXd& HeldRows::all(double HeldMeasure::*field, Eigen::VectorXd& result) const {
    result.resize(static_cast<Eigen::Index>(m_measures.size()));
    for (Eigen::Index k = 0; k < result.size(); ++k) result[k] = m_measures[static_cast<std::size_t>(k)].*field;
    return result;
}

const Eigen::VectorXd& HeldRows::along(const std::vector<Vector6>& bodies) const {
    m_along.setZero(static_cast<Eigen::Index>(m_measures.size()));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (const End& end : m_ends[i]) m_along[end.row] += end.gradient.dot(bodies[i]);
    }
    return m_along;
}

void HeldRows::respond(const Eigen::VectorXd& forces, std::vector<Vector6>& bodies) const {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (const End& end : m_ends[i]) bodies[i] += forces[end.row] * end.response;
    }
}

// With the forces l: u' = u'_free + M^-1 G^T l, G u' = -gamma. Only the rows of the moved body change; all feel the
// change of the accelerations.
Eigen::VectorXd HeldRows::differentiate(std::size_t body, const BodiesNow& moved, double step,
                                        const std::vector<Vector6>& accelerations, const Eigen::VectorXd& forces,
                                        std::vector<Vector6>& change) const {
    Eigen::VectorXd wanted = Eigen::VectorXd::Zero(forces.size());
    for (const End& own : m_ends[body]) {
        const auto k = static_cast<std::size_t>(own.row);
        const HeldMeasure now = measureAt(k, moved);
        wanted[own.row] -= (now.gamma - m_measures[k].gamma) / step;
        forEachEnd(k, now, moved, [&](std::size_t i, const End& end) {
            const auto before = std::find_if(m_ends[i].begin(), m_ends[i].end(),
                                             [&](const End& other) { return other.row == own.row; });
            wanted[own.row] -= (end.gradient - before->gradient).dot(accelerations[i]) / step;
            change[i] += forces[own.row] * (end.response - before->response) / step;
        });
    }
    wanted -= along(change);
    m_factor.solve(wanted);
    respond(wanted, change);
    return wanted;
}

void HeldRows::hold(std::vector<Vector6>& bodies) const {
    respond(forces(-along(bodies)), bodies);
}

}  // namespace elasto::flow
