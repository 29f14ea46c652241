#include "held_joints.h"

#include <elasto/errors.h>
#include <fmt/format.h>

#include <Eigen/SVD>

#include <algorithm>
#include <cmath>

#include "joint_geometry.h"
#include "relation.h"

namespace elasto::tools {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Vector6 = Eigen::Matrix<double, 6, 1>;

constexpr double kRowsFollow = 1e-9;  // of the largest singular value: rows of closed loops follow from one another

reference::Relation relationAt(const FlowNetwork& network, const HeldRow& row) {
    static const BodyState world;
    return reference::relationOf(row, [&](int body) -> const BodyState& {
        return body == kWorld ? world : network.bodies[static_cast<std::size_t>(body)];
    });
}

VectorXd gradientOf(const reference::Relation& relation, Index size) {
    VectorXd gradient = VectorXd::Zero(size);
    for (const reference::Form::Share& share : relation.form) {
        gradient.segment<6>(6 * static_cast<Index>(share.body)) += share.on;
    }
    return gradient;
}

/// The row that holds the coordinate of a hinge or a slider at a value.
HeldRow rowAt(const Scene& scene, const SceneJoint& joint, double value) {
    const scene::JointFrames frames = scene::jointFrames(scene, joint);
    HeldRow row;
    row.a = joint.frame_a.body;
    row.b = joint.frame_b.body;
    row.pointA = frames.pointA;
    row.pointB = frames.pointB;
    if (joint.type == SceneJoint::Type::Slider) {
        row.axisA = frames.basisA.col(2).normalized();
        row.offset = value;
        return row;
    }
    row.kind = HeldRow::Kind::Orthogonal;
    row.axisA = (std::cos(value) * frames.basisA.col(1) - std::sin(value) * frames.basisA.col(0)).normalized();
    row.axisB = frames.basisB.col(0).normalized();
    return row;
}

std::vector<BodyState> statesOf(const FlowNetwork& network) {
    return {network.bodies.begin(), network.bodies.end()};
}

}  // namespace

HeldJoints::HeldJoints(const Scene& scene, const FlowNetwork& start) : m_scene(&scene) {
    for (const HeldRow& row : start.joints) m_rows.push_back({.row = row});
    for (std::size_t i = 0; i < scene.joints.size(); ++i) {
        const SceneJoint& joint = scene.joints[i];
        if (joint.motor && joint.motor->maxForce > 0) {
            if (joint.motor->velocity != 0) {
                throw InvalidParameter("joint '" + joint.name + "'",
                                       "its motor moves it, so that nothing can rest; give it velocity 0, or no motor");
            }
            const double value = scene::jointCoordinate(scene, joint, statesOf(start)).value;
            m_rows.push_back({.row = rowAt(scene, joint, value), .joint = i, .largest = joint.motor->maxForce});
        }
        if (!joint.limits) continue;
        for (const auto& [end, limit] :
             {std::pair(End::Lower, joint.limits->lower), {End::Upper, joint.limits->upper}}) {
            m_rows.push_back(
                {.row = rowAt(scene, joint, limit), .joint = i, .end = end, .limit = limit, .holds = false});
        }
    }
}

std::vector<const HeldJoints::Row*> HeldJoints::holding() const {
    std::vector<const Row*> rows;
    for (const Row& row : m_rows) {
        if (row.holds) rows.push_back(&row);
    }
    return rows;
}

HeldJoints::Hold HeldJoints::hold(const Statics& statics, const VectorXd& forces) const {
    const MatrixXd root = statics.mobilityRoot();
    const std::vector<const Row*> rows = holding();
    if (rows.empty()) return {root, {}, forces};
    MatrixXd gradients(root.rows(), static_cast<Index>(rows.size()));
    for (std::size_t k = 0; k < rows.size(); ++k) {
        gradients.col(static_cast<Index>(k)) = gradientOf(relationAt(statics.network(), rows[k]->row), statics.size());
    }
    Eigen::JacobiSVD<MatrixXd> parts(root.transpose() * gradients, Eigen::ComputeFullU | Eigen::ComputeThinV);
    parts.setThreshold(kRowsFollow);
    const VectorXd held = parts.solve(-root.transpose() * forces);
    return {root * parts.matrixU().rightCols(root.cols() - parts.rank()), held, forces + gradients * held};
}

HeldJoints::Hold HeldJoints::letGo(const Statics& statics, const VectorXd& forces) {
    for (;;) {
        Hold found = hold(statics, forces);
        Row* worst = nullptr;
        double most = 0;
        Index place = 0;
        for (Row& row : m_rows) {
            if (!row.holds) continue;
            const double force = found.forces[place++];
            const double pull = row.end == End::Lower ? -force : row.end == End::Upper ? force : 0;
            if (!(pull > most)) continue;
            most = pull;
            worst = &row;
        }
        if (worst == nullptr) return found;
        worst->holds = false;
    }
}

MatrixXd HeldJoints::stiffness(const Statics& statics, const VectorXd& forces) const {
    // As of elements (Statics::stiffness).
    constexpr double kDifference = 1e-6;
    const Index size = statics.size();
    MatrixXd result = MatrixXd::Zero(size, size);
    const std::vector<const Row*> rows = holding();
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const HeldRow& row = rows[k]->row;
        for (const int body : {row.a, row.b}) {
            if (body == kWorld) continue;
            for (int axis = 0; axis < 6; ++axis) {
                VectorXd change = VectorXd::Zero(size);
                for (const double sign : {1., -1.}) {
                    FlowNetwork moved = statics.network();
                    moveBody(moved.bodies[static_cast<std::size_t>(body)], sign * kDifference * Vector6::Unit(axis));
                    change += sign * gradientOf(relationAt(moved, row), size);
                }
                result.col(6 * static_cast<Index>(body) + axis) -=
                    forces[static_cast<Index>(k)] * change / (2 * kDifference);
            }
        }
    }
    return 0.5 * (result + result.transpose());
}

void HeldJoints::project(Statics& statics) const {
    constexpr int kRounds = 6;  // each squares what is left
    const std::vector<const Row*> rows = holding();
    for (int round = 0; round < kRounds && !rows.empty(); ++round) {
        const MatrixXd root = statics.mobilityRoot();
        MatrixXd held(static_cast<Index>(rows.size()), root.cols());
        VectorXd opening(held.rows());
        for (Index k = 0; k < held.rows(); ++k) {
            const reference::Relation relation = relationAt(statics.network(), rows[static_cast<std::size_t>(k)]->row);
            held.row(k) = gradientOf(relation, statics.size()).transpose() * root;
            opening[k] = relation.opening;
        }
        Eigen::JacobiSVD<MatrixXd> parts(held, Eigen::ComputeThinU | Eigen::ComputeThinV);
        parts.setThreshold(kRowsFollow);
        statics.move(root * parts.solve(-opening));
    }
}

void HeldJoints::close(Statics& statics) {
    project(statics);
    bool isPassed = false;
    for (Row& row : m_rows) {
        if (row.end == End::None || row.holds) continue;
        const double value =
            scene::jointCoordinate(*m_scene, m_scene->joints[row.joint], statesOf(statics.network())).value;
        row.holds = row.end == End::Lower ? value < row.limit : value > row.limit;
        isPassed = isPassed || row.holds;
    }
    if (isPassed) project(statics);
}

double HeldJoints::opening(const Statics& statics) const {
    double largest = 0;
    for (const Row* row : holding()) {
        largest = std::max(largest, std::abs(relationAt(statics.network(), row->row).opening));
    }
    return largest;
}

std::string HeldJoints::weakMotor(const Statics& statics, const VectorXd& forces) const {
    const VectorXd held = hold(statics, forces).forces;
    const std::vector<const Row*> rows = holding();
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const double force = std::abs(held[static_cast<Index>(k)]);
        if (rows[k]->largest == 0 || force <= rows[k]->largest) continue;
        const SceneJoint& joint = m_scene->joints[rows[k]->joint];
        const char* unit = joint.type == SceneJoint::Type::Slider ? "N" : "N.m";
        return fmt::format(
            "no resting start: the motor of joint '{}' would have to hold {:.4g} {}, and can hold {:.4g} {}",
            joint.name, force, unit, rows[k]->largest, unit);
    }
    return {};
}

}  // namespace elasto::tools
