#include "mechanism.h"

#include <elasto/scene/start.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace elasto::tools {

namespace {

/// Below it a row, of length 1 at most, is taken for a sum of others: files have six digits and more.
constexpr double kDependent = 1e-6;

Eigen::Vector3d across(const Eigen::Vector3d& axis) {
    return axis.unitOrthogonal();
}

Eigen::Isometry3d turned(const Eigen::Vector3d& axis, const Eigen::Vector3d& point, double angle) {
    return Eigen::Translation3d(point) * Eigen::AngleAxisd(angle, axis) * Eigen::Translation3d(-point);
}

/// Rows of directions that stay at right angles: what may not turn about `axis`, or not at all.
void holdTurns(std::vector<MachineRow>& rows, const Eigen::Vector3d& axis, bool mayTurn) {
    const Eigen::Vector3d x = across(axis), y = axis.cross(x);
    const auto hold = [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
        rows.push_back({true, a, b, Eigen::Vector3d::Zero()});
    };
    hold(x, axis);
    hold(y, axis);
    if (!mayTurn) hold(x, y);
}

void holdPoint(std::vector<MachineRow>& rows, const Eigen::Vector3d& direction, const Eigen::Vector3d& point) {
    rows.push_back({false, direction, Eigen::Vector3d::Zero(), point});
}

/// Vectors at right angles to each other, which tell whether another one is a sum of them.
class Basis {
public:
    /// Adds what is new of a vector. @return false if there is nothing
    bool add(Eigen::VectorXd v, double least) {
        for (int round = 0; round < 2; ++round) {  // twice is enough
            for (const Eigen::VectorXd& one : m_vectors) v -= one.dot(v) * one;
        }
        if (v.norm() <= least) return false;
        m_vectors.push_back(v.normalized());
        return true;
    }
    std::size_t size() const { return m_vectors.size(); }

private:
    std::vector<Eigen::VectorXd> m_vectors;
};

}  // namespace

BodyFreedom freedomOf(const SceneBody& body) {
    BodyFreedom result;
    // What may not be accelerated along an axis keeps its speed there: only none of it is a joint.
    const Eigen::Vector3d velocity = centreOfMassState(body).velocity;
    const double rest = 1e-12 * (1 + body.velocity.norm() + body.angularVelocity.norm());
    for (int k = 0; k < 3; ++k) {
        const bool isPlain = body.linearFactor[k] == 0 || body.linearFactor[k] == 1;
        result.isJoint = result.isJoint && isPlain && (body.linearFactor[k] != 0 || std::abs(velocity[k]) <= rest);
        result.slides[static_cast<std::size_t>(k)] = body.linearFactor[k] != 0;
    }
    Eigen::Vector3d inverse;
    for (int k = 0; k < 3; ++k) inverse[k] = body.inertia[k] > 0 ? 1 / body.inertia[k] : 0;
    const Eigen::Matrix3d turn = body.orientation.toRotationMatrix();
    const Eigen::Vector3d& factor = body.angularFactor;
    const Eigen::Vector3d root = factor.cwiseSqrt();
    const Eigen::Matrix3d mobility =
        root.asDiagonal() * turn * inverse.asDiagonal() * turn.transpose() * root.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(mobility);
    const double largest = solver.eigenvalues()[2];
    const int rank = static_cast<int>((solver.eigenvalues().array() > 1e-9 * largest).count());
    const bool isOwn = factor == Eigen::Vector3d::Ones(), isOfAxis = (factor.array() != 0).count() <= 1;
    if (largest == 0 || rank == 0) {
        result.turns = 0;
        result.isJoint = result.isJoint && body.angularVelocity.isZero(0);
        return result;
    }
    if (rank == 1) {
        result.turns = 1;
        result.axis = solver.eigenvectors().col(2);
        for (int k = 0; k < 3; ++k) {  // that of the world or of the body which it is, as it is
            if (isOfAxis && factor[k] != 0) result.axis = Eigen::Vector3d::Unit(k);
            if (!isOfAxis && inverse[k] > 0) result.axis = turn.col(k);
        }
        result.inertia = 1 / result.axis.dot(mobility * result.axis);
        // About an axis that neither the world nor the body keeps, what it may do changes as it turns.
        result.isJoint = result.isJoint && (isOwn || isOfAxis) &&
                         body.angularVelocity.cross(result.axis).norm() <= 1e-9 * body.angularVelocity.norm();
        return result;
    }
    // An angular velocity in a plane is no position: no joint says it.
    result.isJoint = result.isJoint && rank == 3 && isOwn;
    return result;
}

Mechanism::Mechanism(const Scene& scene, const std::vector<bool>& isNeeded)
    : m_scene(scene), m_carrier(scene.bodies.size(), -1) {
    double extent = 0;
    for (const SceneBody& body : scene.bodies) {
        extent = std::max(extent, (body.position - scene.bodies[0].position).norm());
    }
    if (extent > 0) m_length = extent;
    addEdges(isNeeded);
    findLoops();
}

std::optional<std::size_t> Mechanism::carrierOf(int body) const {
    if (body == kWorld || m_carrier[static_cast<std::size_t>(body)] < 0) return std::nullopt;
    return static_cast<std::size_t>(m_carrier[static_cast<std::size_t>(body)]);
}

bool Mechanism::isGround(int body) const {
    return body == kWorld || m_scene.bodies[static_cast<std::size_t>(body)].motion != BodyMotion::Dynamic;
}

void Mechanism::addEdges(const std::vector<bool>& isNeeded) {
    const auto pose = [&](int body) {
        Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
        if (body == kWorld) return result;
        const BodyState frame = frameState(m_scene.bodies[static_cast<std::size_t>(body)],
                                           centreOfMassState(m_scene.bodies[static_cast<std::size_t>(body)]));
        result.linear() = frame.orientation.toRotationMatrix();
        result.translation() = frame.position;
        return result;
    };
    std::vector<int> rank;  // the lower, the sooner it is of the tree
    for (std::size_t i = 0; i < m_scene.joints.size(); ++i) {
        const SceneJoint& joint = m_scene.joints[i];
        MachineEdge edge;
        edge.joint = static_cast<int>(i);
        edge.a = joint.frame_a.body;
        edge.b = joint.frame_b.body;
        const Eigen::Isometry3d poseA = pose(edge.a);
        const Eigen::Vector3d point = pose(edge.b) * joint.frame_b.position;
        const Eigen::Vector3d axis = poseA.linear() * joint.axis;
        const Eigen::Vector3d x = across(axis), y = axis.cross(x);
        switch (joint.type) {
            case SceneJoint::Type::Hinge:
                edge.coordinates.push_back({.turns = true, .axis = axis, .point = point});
                for (const Eigen::Vector3d& direction : {x, y, axis}) holdPoint(edge.rows, direction, point);
                holdTurns(edge.rows, axis, true);
                rank.push_back(isNeeded[i] ? 0 : 1);
                break;
            case SceneJoint::Type::Slider:
                edge.coordinates.push_back({.turns = false, .axis = axis, .point = point});
                for (const Eigen::Vector3d& direction : {x, y}) holdPoint(edge.rows, direction, point);
                holdTurns(edge.rows, axis, false);
                rank.push_back(0);
                break;
            case SceneJoint::Type::Ball:
                for (int k = 0; k < 3; ++k) {
                    const Eigen::Vector3d direction = poseA.linear().col(k);
                    edge.coordinates.push_back({.turns = true, .axis = direction, .point = point});
                    holdPoint(edge.rows, direction, point);
                }
                rank.push_back(3);
                break;
            case SceneJoint::Type::Fixed:
                for (int k = 0; k < 3; ++k) holdPoint(edge.rows, poseA.linear().col(k), point);
                holdTurns(edge.rows, poseA.linear().col(2), false);
                rank.push_back(0);
                break;
        }
        m_edges.push_back(std::move(edge));
    }
    for (std::size_t i = 0; i < m_scene.bodies.size(); ++i) {
        const SceneBody& body = m_scene.bodies[i];
        if (body.motion != BodyMotion::Dynamic) continue;
        const BodyFreedom freedom = freedomOf(body);
        const Eigen::Vector3d centre = body.position + body.orientation * body.centreOfMass;
        MachineEdge edge;
        edge.b = static_cast<int>(i);
        for (int k = 0; k < 3; ++k) {
            const Eigen::Vector3d direction = Eigen::Vector3d::Unit(k);
            if (freedom.slides[static_cast<std::size_t>(k)]) {
                edge.coordinates.push_back({.turns = false, .axis = direction, .point = centre});
            } else {
                holdPoint(edge.rows, direction, centre);
            }
        }
        if (freedom.turns == 1) edge.coordinates.push_back({.turns = true, .axis = freedom.axis, .point = centre});
        if (freedom.turns == 3) {
            for (int k = 0; k < 3; ++k) {
                edge.coordinates.push_back({.turns = true, .axis = Eigen::Vector3d::Unit(k), .point = centre});
            }
        } else {
            holdTurns(edge.rows, freedom.axis, freedom.turns == 1);
        }
        // Starts of single coordinates can be given one by one, those of a ball only together.
        rank.push_back(freedom.turns < 3 ? 2 : freedom.isFree() ? 5 : 4);
        m_edges.push_back(std::move(edge));
    }
    std::vector<std::size_t> order(m_edges.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t k) { return rank[i] < rank[k]; });
    spanTree(order);
}

void Mechanism::spanTree(const std::vector<std::size_t>& order) {
    // What hangs together already, by the number of one of its bodies; the last one is what does not move.
    std::vector<std::size_t> group(m_scene.bodies.size() + 1);
    std::iota(group.begin(), group.end(), std::size_t{0});
    const auto groupOf = [&](int body) {
        std::size_t i = isGround(body) ? m_scene.bodies.size() : static_cast<std::size_t>(body);
        while (group[i] != i) i = group[i];
        return i;
    };
    std::vector<std::size_t> chosen;
    for (const std::size_t i : order) {
        const std::size_t a = groupOf(m_edges[i].a), b = groupOf(m_edges[i].b);
        if (a == b) continue;
        group[std::min(a, b)] = std::max(a, b);
        chosen.push_back(i);
    }
    place(chosen);
}

void Mechanism::place(const std::vector<std::size_t>& chosen) {
    const auto has = [&](int body) { return isGround(body) || m_carrier[static_cast<std::size_t>(body)] >= 0; };
    for (bool isNew = true; isNew;) {
        isNew = false;
        for (const std::size_t i : chosen) {
            MachineEdge& edge = m_edges[i];
            if (has(edge.a) == has(edge.b)) continue;
            edge.isOfTree = true;
            edge.isReversed = !has(edge.a);
            m_carrier[static_cast<std::size_t>(edge.isReversed ? edge.a : edge.b)] = static_cast<int>(i);
            m_placed.push_back(i);
            for (std::size_t k = 0; k < edge.coordinates.size(); ++k) m_columns.push_back({i, k});
            isNew = true;
        }
    }
}

Mechanism::Poses Mechanism::posesAt(double step) const {
    Poses poses(m_scene.bodies.size(), Eigen::Isometry3d::Identity());
    const auto at = [&](int body) {
        return isGround(body) ? Eigen::Isometry3d::Identity() : poses[static_cast<std::size_t>(body)];
    };
    double share = 0.5;
    for (const std::size_t i : m_placed) {
        const MachineEdge& edge = m_edges[i];
        Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();
        for (const MachineCoordinate& one : edge.coordinates) {
            share = std::fmod(share + 0.6180339887498949, 1.);  // any place that is not a special one
            const double size = step * (0.5 + share);
            motion = motion * (one.turns ? turned(one.axis, one.point, size)
                                         : Eigen::Isometry3d(Eigen::Translation3d(m_length * size * one.axis)));
        }
        if (edge.isReversed) {
            poses[static_cast<std::size_t>(edge.a)] = at(edge.b) * motion.inverse();
        } else {
            poses[static_cast<std::size_t>(edge.b)] = at(edge.a) * motion;
        }
    }
    return poses;
}

Eigen::RowVectorXd Mechanism::derivative(const MachineEdge& edge, const MachineRow& row, const Poses& poses) const {
    const auto at = [&](int body) {
        return isGround(body) ? Eigen::Isometry3d::Identity() : poses[static_cast<std::size_t>(body)];
    };
    const Eigen::Vector3d a = at(edge.a).linear() * row.a;
    const Eigen::Vector3d point = at(edge.b) * row.point;
    const Eigen::Vector3d aboutTurn = row.turns ? a.cross(at(edge.b).linear() * row.b) : Eigen::Vector3d::Zero();
    Eigen::RowVectorXd result = Eigen::RowVectorXd::Zero(static_cast<Eigen::Index>(m_columns.size()));
    for (const auto& [body, side] : {std::pair(edge.a, -1.), std::pair(edge.b, 1.)}) {
        for (int moved = body; !isGround(moved);) {
            const auto carrier = static_cast<std::size_t>(m_carrier[static_cast<std::size_t>(moved)]);
            const MachineEdge& by = m_edges[carrier];
            for (std::size_t k = 0; k < m_columns.size(); ++k) {
                if (m_columns[k].edge != carrier) continue;
                const MachineCoordinate& one = by.coordinates[m_columns[k].coordinate];
                const Eigen::Vector3d axis = at(by.a).linear() * one.axis;
                const Eigen::Vector3d arm = point - at(by.b) * one.point;
                const Eigen::Vector3d turn = one.turns ? axis : Eigen::Vector3d::Zero();
                const Eigen::Vector3d speed = one.turns ? Eigen::Vector3d(axis.cross(arm) / m_length) : axis;
                result[static_cast<Eigen::Index>(k)] +=
                    side * (by.isReversed ? -1 : 1) * (row.turns ? aboutTurn.dot(turn) : a.dot(speed));
            }
            moved = by.isReversed ? by.b : by.a;
        }
    }
    return result;
}

void Mechanism::findLoops() {
    const Poses start = posesAt(0), beside = posesAt(0.05);
    Basis independent, atStart;
    std::vector<Eigen::RowVectorXd> kept;
    for (std::size_t i = 0; i < m_edges.size(); ++i) {
        MachineEdge& edge = m_edges[i];
        if (edge.isOfTree) continue;
        for (std::size_t k = 0; k < edge.rows.size(); ++k) {
            if (!independent.add(derivative(edge, edge.rows[k], beside).transpose(), kDependent)) continue;
            edge.kept.push_back(k);
            kept.push_back(derivative(edge, edge.rows[k], start));
            const bool isDoubtful = !atStart.add(kept.back().transpose(), kDependent);
            if (isDoubtful && (m_doubtful.empty() || m_doubtful.back() != i)) m_doubtful.push_back(i);
        }
    }
    m_freedoms = m_columns.size() - independent.size();
    findStarts(kept);
}

void Mechanism::findStarts(const std::vector<Eigen::RowVectorXd>& rows) {
    // What follows from the loops is rather far from the world. The coordinates of a ball, or of what is free, have
    // their starts together: they follow only where those of other joints do not suffice.
    std::vector<std::size_t> order(m_columns.size());
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    const auto isSingle = [&](std::size_t i) { return !isOfSeveral(m_columns[i]); };
    for (const bool needsAll : {false, true}) {
        std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return isSingle(i) != needsAll; });
        for (MachineEdge& edge : m_edges) edge.isIndependent.assign(edge.coordinates.size(), true);
        Basis given;
        for (const double least : {0.1, kDependent}) {  // rather well than badly
            for (const std::size_t i : order) {
                std::vector<bool>::reference isIndependent =
                    m_edges[m_columns[i].edge].isIndependent[m_columns[i].coordinate];
                if (!isIndependent || (!needsAll && !isSingle(i))) continue;
                Eigen::VectorXd column(static_cast<Eigen::Index>(rows.size()));
                for (std::size_t k = 0; k < rows.size(); ++k) {
                    column[static_cast<Eigen::Index>(k)] = rows[k][static_cast<Eigen::Index>(i)];
                }
                if (given.add(column, least)) isIndependent = false;
            }
        }
        if (given.size() == rows.size()) return;
    }
}

bool Mechanism::isOfSeveral(const Column& column) const {
    const MachineEdge& edge = m_edges[column.edge];
    const bool isBall = edge.joint >= 0 && edge.coordinates.size() == 3;
    const bool turnsFreely =
        edge.joint < 0 && std::count_if(edge.coordinates.begin(), edge.coordinates.end(),
                                        [](const MachineCoordinate& one) { return one.turns; }) == 3;
    return isBall || (turnsFreely && edge.coordinates[column.coordinate].turns) ||
           (turnsFreely && edge.coordinates.size() == 6);
}

}  // namespace elasto::tools
