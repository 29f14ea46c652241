#include "held_rows.h"

#include <algorithm>

namespace elasto::flow {

namespace {

HeldMeasure alongAxis(const HeldRow& row, const Motion& a, const Motion& b) {
    const Eigen::Vector3d leverA = a.q * row.pointA;
    const Eigen::Vector3d leverB = b.q * row.pointB;
    const Eigen::Vector3d d = a.q * row.axisA;
    const Eigen::Vector3d pointB = b.x + leverB;
    const Eigen::Vector3d D = pointB - (a.x + leverA);
    const Eigen::Vector3d velocity = b.v + b.w.cross(leverB) - a.v - a.w.cross(leverA);
    HeldMeasure m;
    m.value = d.dot(D) - row.offset;
    m.linear = d;
    m.angularB = leverB.cross(d);
    m.angularA = -(pointB - a.x).cross(d);
    const Eigen::Vector3d turning = a.w.cross(d);
    m.gamma = 2 * turning.dot(velocity) + d.dot(b.w.cross(b.w.cross(leverB)) - a.w.cross(a.w.cross(leverA))) +
              a.w.cross(turning).dot(D);
    return m;
}

HeldMeasure orthogonal(const HeldRow& row, const Motion& a, const Motion& b) {
    const Eigen::Vector3d p = a.q * row.axisA;
    const Eigen::Vector3d q = b.q * row.axisB;
    HeldMeasure m;
    m.value = p.dot(q);
    m.angularA = p.cross(q);
    m.angularB = -m.angularA;
    const Eigen::Vector3d dp = a.w.cross(p);
    const Eigen::Vector3d dq = b.w.cross(q);
    m.gamma = a.w.cross(dp).dot(q) + 2 * dp.dot(dq) + p.dot(b.w.cross(dq));
    return m;
}

}  // namespace

HeldMeasure measureHeld(const HeldRow& row, const Motion& a, const Motion& b) {
    HeldMeasure m = row.kind == HeldRow::Kind::AlongAxis ? alongAxis(row, a, b) : orthogonal(row, a, b);
    m.rate = m.linear.dot(b.v - a.v) + m.angularB.dot(b.w) + m.angularA.dot(a.w);
    return m;
}

HeldRows::HeldRows(const FlowNetwork& network) : m_network(network), m_ends(network.bodies.size()) {}

template <class Visit>
void HeldRows::forEachEnd(std::size_t row, const HeldMeasure& measure, const BodiesNow& bodies,
                          const Visit& visit) const {
    const auto enter = [&](int index, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
        if (index == kWorld) return;
        const auto i = static_cast<std::size_t>(index);
        const FlowBody& body = m_network.bodies[i];
        if (body.isImmovable()) return;
        End end{static_cast<int>(row), {}, {}};
        end.gradient << linear, angular;
        end.response << linearResponse(body, linear), bodies.inverses[i] * angular;
        visit(i, end);
    };
    enter(m_network.joints[row].a, -measure.linear, measure.angularA);
    enter(m_network.joints[row].b, measure.linear, measure.angularB);
}

void HeldRows::place(const BodiesNow& bodies) {
    m_measures.clear();
    for (std::vector<End>& ends : m_ends) ends.clear();
    for (std::size_t k = 0; k < m_network.joints.size(); ++k) {
        const HeldRow& row = m_network.joints[k];
        m_measures.push_back(measureHeld(row, bodies.at(row.a), bodies.at(row.b)));
        forEachEnd(k, m_measures.back(), bodies, [&](std::size_t i, const End& end) { m_ends[i].push_back(end); });
    }
    m_structure.clear();
    for (const std::vector<End>& ends : m_ends) {
        m_structure.push_back(static_cast<int>(ends.size()));
        for (const End& end : ends) m_structure.push_back(end.row);
    }
    m_factor.setBodies(static_cast<int>(m_network.joints.size()), m_structure);
    for (const std::vector<End>& ends : m_ends) {
        for (std::size_t i = 0; i < ends.size(); ++i) {
            for (std::size_t k = 0; k <= i; ++k) {
                m_factor.add(ends[i].row, ends[k].row, ends[k].gradient.dot(ends[i].response));
            }
        }
    }
    m_factor.factor();
}

Eigen::VectorXd HeldRows::all(double HeldMeasure::*field) const {
    Eigen::VectorXd result(static_cast<Eigen::Index>(m_measures.size()));
    for (Eigen::Index k = 0; k < result.size(); ++k) result[k] = m_measures[static_cast<std::size_t>(k)].*field;
    return result;
}

Eigen::VectorXd HeldRows::forces(const Eigen::VectorXd& wanted) const {
    Eigen::VectorXd result = wanted;
    m_factor.solveExactly(result);
    return result;
}

Eigen::VectorXd HeldRows::along(const std::vector<Vector6>& bodies) const {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(m_measures.size()));
    for (std::size_t i = 0; i < m_ends.size(); ++i) {
        for (const End& end : m_ends[i]) result[end.row] += end.gradient.dot(bodies[i]);
    }
    return result;
}

void HeldRows::respond(const Eigen::VectorXd& forces, std::vector<Vector6>& bodies) const {
    for (std::size_t i = 0; i < m_ends.size(); ++i) {
        for (const End& end : m_ends[i]) bodies[i] += forces[end.row] * end.response;
    }
}

// With the forces l: u' = u'_free + M^-1 G^T l, G u' = -gamma. Only the rows of the moved body change; all feel the
// change of the accelerations.
void HeldRows::differentiate(std::size_t body, const BodiesNow& moved, double step,
                             const std::vector<Vector6>& accelerations, const Eigen::VectorXd& forces,
                             std::vector<Vector6>& change) const {
    Eigen::VectorXd wanted = Eigen::VectorXd::Zero(forces.size());
    for (const End& own : m_ends[body]) {
        const auto k = static_cast<std::size_t>(own.row);
        const HeldRow& row = m_network.joints[k];
        const HeldMeasure now = measureHeld(row, moved.at(row.a), moved.at(row.b));
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
}

void HeldRows::hold(std::vector<Vector6>& bodies) const {
    respond(forces(-along(bodies)), bodies);
}

}  // namespace elasto::flow
