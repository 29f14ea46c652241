#include "constraints/held_rows.h"
#include "constraints/tuning.h"

#include <algorithm>

namespace elasto::flow {

void HeldRows::bind(const FlowNetwork& network, const std::vector<int>& bounded) {
    m_network = &network;
    m_bounded.assign(bounded.begin(), bounded.end());
    m_measures.clear();
    m_ballCount = 0;
    m_singles.clear();
    if (m_ends.size() < network.bodies.size()) {
        m_ends.resize(network.bodies.size());
        m_movableEnds.clear();
    }
    m_isStructured = false;
}

RowMeasure HeldRows::measureAt(std::size_t row, const BodyKinematics& bodies) const {
    if (row < m_network->joints.size()) {
        const HeldRow& link = m_network->joints[row];
        return measureHeld(link, bodies.at(link.a), bodies.turnOf(link.a), bodies.at(link.b), bodies.turnOf(link.b));
    }
    const BoundedRow& link = m_network->bounded[static_cast<std::size_t>(m_bounded[row - m_network->joints.size()])];
    return measureHeld(link, [&](int body) -> const Motion& { return bodies.at(body); });
}

RowMeasure HeldRows::measure(std::size_t row) const {
    const int index = m_ballOf[row];
    if (index < 0) return m_measures[row];
    const Ball& ball = m_balls[static_cast<std::size_t>(index)];
    return ball.measure(m_network->joints[row], row - ball.first);
}

template <class Visit>
void HeldRows::forEachEnd(std::size_t row, const RowMeasure& measure, const BodyKinematics& bodies,
                          const Visit& visit) const {
    const auto enter = [&](int index, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
        if (!isMovable(index)) return;
        const auto i = static_cast<std::size_t>(index);
        Vector6 gradient, response;
        gradient << linear, angular;
        response << linearResponse(m_network->bodies[i], linear), bodies.inverses[i] * angular;
        visit(i, gradient, response);
    };
    with(row, [&](const auto& link) { flow::forEachEnd(link, measure, enter); });
}

const BoundedRow* HeldRows::gearedOf(std::size_t row) const {
    const std::size_t joints = m_network->joints.size();
    if (row < joints) return nullptr;
    const BoundedRow& link = m_network->bounded[static_cast<std::size_t>(m_bounded[row - joints])];
    return link.isGeared() ? &link : nullptr;
}

bool HeldRows::isMovable(int body) const {
    return body != kWorld && !m_network->bodies[static_cast<std::size_t>(body)].isImmovable();
}

bool HeldRows::isBall(std::size_t first) const {
    const std::vector<HeldRow>& rows = m_network->joints;
    if (first + 3 > rows.size()) return false;
    const HeldRow& row = rows[first];
    Eigen::Matrix3d axes;
    for (std::size_t k = 0; k < 3; ++k) {
        const HeldRow& other = rows[first + k];
        const bool isAlike = other.kind == HeldRow::Kind::AlongAxis && other.a == row.a && other.b == row.b &&
                             other.pointA == row.pointA && other.pointB == row.pointB && other.offset == 0;
        if (!isAlike) return false;
        axes.col(static_cast<Eigen::Index>(k)) = other.axisA;
    }
    return (axes.transpose() * axes - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() <= kRightAngle;
}

void HeldRows::findBalls() {
    m_ballCount = 0;
    m_singles.clear();
    m_ballOf.assign(size(), -1);
    for (std::size_t k = 0; k < size();) {
        if (!isBall(k)) {
            m_singles.push_back(k++);
            continue;
        }
        if (m_balls.size() == m_ballCount) m_balls.emplace_back();
        std::fill_n(m_ballOf.begin() + static_cast<std::ptrdiff_t>(k), 3, static_cast<int>(m_ballCount));
        Ball& ball = m_balls[m_ballCount++];
        ball.first = k;
        for (Eigen::Index axis = 0; axis < 3; ++axis) ball.axes.col(axis) = m_network->joints[k++].axisA;
    }
}

// From tick to tick it is mostly the same.
void HeldRows::restructure() {
    m_isStructured = true;
    findBalls();
    std::vector<int>& ends = m_nextMovableEnds;
    ends.clear();
    const auto addPair = [&](std::size_t row, int ball, int a, int b) {
        ends.push_back(static_cast<int>(row));
        ends.push_back(ball);
        ends.push_back(isMovable(a) ? a : kWorld);
        ends.push_back(isMovable(b) ? b : kWorld);
    };
    const auto add = [&](std::size_t row, int ball) {
        with(row, [&](const auto& link) { addPair(row, ball, link.a, link.b); });
    };
    for (std::size_t i = 0; i < m_ballCount; ++i) add(m_balls[i].first, static_cast<int>(i));
    for (const std::size_t row : m_singles) {
        add(row, -1);
        if (const BoundedRow* link = gearedOf(row)) {
            const std::array<GearedEnd, 4> all = gearedEnds(*link, RowMeasure());
            addPair(row, kSecond, all[2].body, all[3].body);
        }
    }
    if (ends == m_movableEnds) return;
    m_movableEnds.swap(ends);
    structure();
}

HeldRows::Entry HeldRows::entryOf(const End& one, const End& other) const {
    const auto at = [&](int i, int k) {
        return static_cast<std::ptrdiff_t>(m_factor.entryOf(one.row + i, other.row + k));
    };
    Entry entry;
    entry.first = static_cast<std::size_t>(at(0, 0));
    if (one.ball >= 0) entry.ofOne = at(1, 0) - at(0, 0);
    if (other.ball >= 0) {
        const int row = &one == &other ? 1 : 0;  // in the lower triangle
        entry.ofOther = at(row, 1) - at(row, 0);
    }
    return entry;
}

// Which rows end where, and where their products go.
void HeldRows::structure() {
    for (std::vector<End>& ends : m_ends) ends.clear();
    for (std::size_t i = 0; i < m_movableEnds.size(); i += 4) {
        for (const bool isB : {false, true}) {
            const int body = m_movableEnds[i + (isB ? 3 : 2)];
            if (body == kWorld) continue;
            End& end = m_ends[static_cast<std::size_t>(body)].emplace_back();
            end.row = m_movableEnds[i];
            const bool isSecond = m_movableEnds[i + 1] == kSecond;
            end.ball = isSecond ? -1 : m_movableEnds[i + 1];
            end.isB = isB;
            const bool isGeared = end.ball < 0 && gearedOf(static_cast<std::size_t>(end.row)) != nullptr;
            end.geared = isGeared ? (isSecond ? 2 : 0) + (isB ? 1 : 0) : -1;
        }
    }
    m_structure.clear();
    for (const std::vector<End>& ends : m_ends) {
        const std::size_t count = m_structure.size();
        m_structure.push_back(0);
        for (const End& end : ends) {
            for (int k = 0; k < (end.ball >= 0 ? 3 : 1); ++k) m_structure.push_back(end.row + k);
        }
        m_structure[count] = static_cast<int>(m_structure.size() - count) - 1;
    }
    m_factor.setBodies(m_structure, m_ballOf);
    m_entries.clear();
    for (const std::vector<End>& ends : m_ends) {
        for (std::size_t i = 0; i < ends.size(); ++i) {
            for (std::size_t k = 0; k <= i; ++k) m_entries.push_back(entryOf(ends[i], ends[k]));
        }
    }
}

void HeldRows::fillEnds(const BodyKinematics& bodies) {
    m_linearResponses.resize(m_network->bodies.size());
    for (std::size_t i = 0; i < m_network->bodies.size(); ++i) {
        const FlowBody& body = m_network->bodies[i];
        m_linearResponses[i] = body.inverseMass * body.linearFactor;
        const Eigen::Matrix3d& inverse = bodies.inverses[i];
        for (End& end : m_ends[i]) {
            if (end.geared >= 0) {
                const auto row = static_cast<std::size_t>(end.row);
                const GearedEnd own = gearedEnds(*gearedOf(row), m_measures[row])[static_cast<std::size_t>(end.geared)];
                end.gradient << own.linear, own.angular;
                end.response << m_linearResponses[i].cwiseProduct(own.linear), inverse * own.angular;
                continue;
            }
            if (end.ball < 0) {
                const RowMeasure& measure = m_measures[static_cast<std::size_t>(end.row)];
                const Eigen::Vector3d& angular = end.isB ? measure.angularB : measure.angularA;
                end.gradient << end.sign() * measure.linear, angular;
                end.response << end.sign() * m_linearResponses[i].cwiseProduct(measure.linear), inverse * angular;
                continue;
            }
            const JointPoints& points = m_balls[static_cast<std::size_t>(end.ball)].points;
            end.lever = end.isB ? points.leverB : points.fromA;
            end.turning.col(0) = end.lever[2] * inverse.col(1) - end.lever[1] * inverse.col(2);
            end.turning.col(1) = end.lever[0] * inverse.col(2) - end.lever[2] * inverse.col(0);
            end.turning.col(2) = end.lever[1] * inverse.col(0) - end.lever[0] * inverse.col(1);
        }
    }
}

/// Adds a ball's rates, the velocity of its point, by forces at another one's. What is at (row, column) goes that many
/// steps from the first entry.
inline void HeldRows::addRates(const End& one, const End& other, const Eigen::Vector3d& linear, double sign,
                               const Entry& entry, double* matrix) {
    const Eigen::Vector3d lever = sign * one.lever;
    double* to = matrix + entry.first;
    for (int column = 0; column < 3; ++column, to += entry.ofOther) {
        const double x = other.turning(0, column), y = other.turning(1, column), z = other.turning(2, column);
        to[0] += y * lever[2] - z * lever[1];
        to[entry.ofOne] += z * lever[0] - x * lever[2];
        to[2 * entry.ofOne] += x * lever[1] - y * lever[0];
        to[column * entry.ofOne] += sign * linear[column];
    }
}

/// The same of one ball, the lower triangle.
inline void HeldRows::addOwnRates(const End& end, const Eigen::Vector3d& linear, const Entry& entry, double* matrix) {
    const Eigen::Vector3d& lever = end.lever;
    const Eigen::Matrix3d& turning = end.turning;
    double* to = matrix + entry.first;
    to[0] += turning(1, 0) * lever[2] - turning(2, 0) * lever[1] + linear[0];
    to[1] += turning(2, 0) * lever[0] - turning(0, 0) * lever[2];
    to[2] += turning(0, 0) * lever[1] - turning(1, 0) * lever[0];
    to += entry.ofOther;
    to[1] += turning(2, 1) * lever[0] - turning(0, 1) * lever[2] + linear[1];
    to[2] += turning(0, 1) * lever[1] - turning(1, 1) * lever[0];
    to += entry.ofOther;
    to[2] += turning(0, 2) * lever[1] - turning(1, 2) * lever[0] + linear[2];
}

void HeldRows::fillFactor() {
    m_factor.clear();
    const Entry* entry = m_entries.data();
    double* const matrix = m_factor.entries();
    for (std::size_t body = 0; body < m_network->bodies.size(); ++body) {
        const std::vector<End>& ends = m_ends[body];
        const Eigen::Vector3d& linear = m_linearResponses[body];
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const End& one = ends[i];
            for (std::size_t k = 0; k <= i; ++k, ++entry) {
                const End& other = ends[k];
                if (one.ball >= 0 && other.ball >= 0) {
                    if (k == i) {
                        addOwnRates(one, linear, *entry, matrix);
                    } else {
                        addRates(one, other, linear, one.sign() * other.sign(), *entry, matrix);
                    }
                } else if (one.ball >= 0 || other.ball >= 0) {
                    double* const to = matrix + entry->first;
                    const End& ball = one.ball >= 0 ? one : other;
                    const Vector6& response = one.ball >= 0 ? other.response : one.response;
                    const std::ptrdiff_t step = one.ball >= 0 ? entry->ofOne : entry->ofOther;
                    const Eigen::Vector3d rates = response.head<3>() + response.tail<3>().cross(ball.lever);
                    for (int row = 0; row < 3; ++row) to[row * step] += ball.sign() * rates[row];
                } else {
                    matrix[entry->first] += one.gradient.dot(other.response);
                }
            }
        }
    }
    m_factor.factor();
}

void HeldRows::place(const BodyKinematics& bodies) {
    if (empty()) {
        for (std::vector<End>& ends : m_ends) ends.clear();
        m_movableEnds.clear();
        m_ballCount = 0;
        m_singles.clear();
        return;
    }
    if (!m_isStructured) restructure();
    for (std::size_t i = 0; i < m_ballCount; ++i) {
        Ball& ball = m_balls[i];
        ball.place(m_network->joints[ball.first], bodies);
    }
    m_measures.resize(size());
    for (const std::size_t row : m_singles) m_measures[row] = measureAt(row, bodies);
    fillEnds(bodies);
    fillFactor();
}

const Eigen::VectorXd& HeldRows::all(Eigen::Vector3d JointPoints::*ofBalls, double RowMeasure::*ofRows,
                                     Eigen::VectorXd& result) const {
    result.resize(static_cast<Eigen::Index>(size()));
    for (std::size_t i = 0; i < m_ballCount; ++i) {
        const Ball& ball = m_balls[i];
        result.segment<3>(static_cast<Eigen::Index>(ball.first)) = ball.axesNow().transpose() * (ball.points.*ofBalls);
    }
    for (const std::size_t row : m_singles) result[static_cast<Eigen::Index>(row)] = m_measures[row].*ofRows;
    return result;
}

void HeldRows::toWorld(Eigen::VectorXd& rows) const {
    for (std::size_t i = 0; i < m_ballCount; ++i) {
        auto own = rows.segment<3>(static_cast<Eigen::Index>(m_balls[i].first));
        own = (m_balls[i].axesNow() * own).eval();
    }
}

void HeldRows::toRows(Eigen::VectorXd& rows) const {
    for (std::size_t i = 0; i < m_ballCount; ++i) {
        auto own = rows.segment<3>(static_cast<Eigen::Index>(m_balls[i].first));
        own = (m_balls[i].axesNow().transpose() * own).eval();
    }
}

void HeldRows::addAlong(const std::vector<Vector6>& bodies, Eigen::VectorXd& rates) const {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vector6& motion = bodies[i];
        for (const End& end : m_ends[i]) {
            if (end.ball < 0) {
                rates[end.row] += end.gradient.dot(motion);
            } else {
                const Eigen::Vector3d ofPoint = motion.head<3>() + motion.tail<3>().cross(end.lever);
                rates.segment<3>(end.row) += end.sign() * ofPoint;
            }
        }
    }
}

void HeldRows::addResponse(const Eigen::VectorXd& forces, std::vector<Vector6>& bodies) const {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        Vector6& motion = bodies[i];
        for (const End& end : m_ends[i]) {
            if (end.ball < 0) {
                motion += forces[end.row] * end.response;
            } else {
                const Eigen::Vector3d force = end.sign() * forces.segment<3>(end.row);
                motion.head<3>() += m_linearResponses[i].cwiseProduct(force);
                motion.tail<3>() += end.turning * force;
            }
        }
    }
}

void HeldRows::solve(Eigen::VectorXd& wanted) const {
    if (wanted.size() == 0) return;
    toWorld(wanted);
    m_factor.solveExactly(wanted);
    toRows(wanted);
}

void HeldRows::keep(std::vector<Vector6>& accelerations, bool isExact) const {
    Eigen::VectorXd& rates = m_kept;
    rates.resize(static_cast<Eigen::Index>(size()));
    for (std::size_t i = 0; i < m_ballCount; ++i) {
        rates.segment<3>(static_cast<Eigen::Index>(m_balls[i].first)) = m_balls[i].points.acceleration;
    }
    for (const std::size_t row : m_singles) rates[static_cast<Eigen::Index>(row)] = m_measures[row].gamma;
    addAlong(accelerations, rates);
    rates = -rates;
    if (rates.size() > 0) isExact ? m_factor.solveExactly(rates) : m_factor.solveNearly(rates);
    addResponse(rates, accelerations);
}

void HeldRows::keptForces(Eigen::VectorXd& forces) const {
    forces = m_kept;
    toRows(forces);
}

const Eigen::VectorXd& HeldRows::along(const std::vector<Vector6>& bodies) const {
    m_along.setZero(static_cast<Eigen::Index>(size()));
    addAlong(bodies, m_along);
    toRows(m_along);
    return m_along;
}

void HeldRows::respond(const Eigen::VectorXd& forces, std::vector<Vector6>& bodies) const {
    m_pushes = forces;
    toWorld(m_pushes);
    addResponse(m_pushes, bodies);
}

// With the forces l: u' = u'_free + M^-1 G^T l, G u' = -gamma. Only the rows of the moved body change; all feel the
// change of the accelerations.
Eigen::VectorXd HeldRows::differentiate(std::size_t body, const BodyKinematics& placed, const BodyKinematics& moved,
                                        double step, const std::vector<Vector6>& accelerations,
                                        const Eigen::VectorXd& forces, std::vector<Vector6>& change) const {
    Eigen::VectorXd wanted = Eigen::VectorXd::Zero(forces.size());
    forEachMoved(body, moved, [&](std::size_t k, const RowMeasure& now) {
        const auto row = static_cast<Eigen::Index>(k);
        const auto add = [&](const RowMeasure& measure, const BodyKinematics& bodies, double share) {
            wanted[row] -= share * measure.gamma;
            forEachEnd(k, measure, bodies, [&](std::size_t i, const Vector6& gradient, const Vector6& response) {
                wanted[row] -= share * gradient.dot(accelerations[i]);
                change[i] += share * forces[row] * response;
            });
        };
        add(now, moved, 1 / step);
        add(measure(k), placed, -1 / step);
    });
    wanted -= along(change);
    toWorld(wanted);
    m_factor.solve(wanted);
    addResponse(wanted, change);
    toRows(wanted);
    return wanted;
}

void HeldRows::hold(std::vector<Vector6>& bodies) const {
    respond(forces(-along(bodies)), bodies);
}

}  // namespace elasto::flow
