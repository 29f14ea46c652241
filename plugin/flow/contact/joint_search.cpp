#include "contact/joint_search.h"

#include "balance/network_state.h"
#include "contact/tuning.h"

#include <cmath>

namespace elasto::flow {

namespace {

using Kind = HeldRow::Kind;
using Eigen::Matrix3d;
using Eigen::Vector3d;

bool areSquare(const Vector3d& p, const Vector3d& q) {
    return std::abs(p.dot(q)) <= kSquare;
}

/// The rows of a joint by what they hold, three of a kind at most.
struct Rows {
    const HeldRow* along[3];
    const HeldRow* orthogonal[3];
    int alongCount = 0, orthogonalCount = 0;

    /// @return false if there is another row among them, or one more
    bool read(const FlowNetwork& network, std::size_t first, std::size_t count) {
        for (std::size_t k = first; k < first + count; ++k) {
            const HeldRow& row = network.joints[k];
            if (row.offset != 0) return false;
            if (row.kind == Kind::AlongAxis && alongCount < 3) {
                along[alongCount++] = &row;
            } else if (row.kind == Kind::Orthogonal && orthogonalCount < 3) {
                orthogonal[orthogonalCount++] = &row;
            } else {
                return false;
            }
        }
        return alongCount > 0;
    }

    /// Along axes at right angles, between the same points.
    bool areOfOnePoint() const {
        for (int k = 1; k < alongCount; ++k) {
            if (along[k]->pointA != along[0]->pointA || along[k]->pointB != along[0]->pointB) return false;
            for (int other = 0; other < k; ++other) {
                if (!areSquare(along[k]->axisA, along[other]->axisA)) return false;
            }
        }
        return true;
    }

    /// An axis of one body at right angles to two of the other, which stand so, too.
    bool holdAxis(FoundJoint& joint) const {
        const HeldRow &one = *orthogonal[0], &other = *orthogonal[1];
        if (one.axisA == other.axisA && areSquare(one.axisB, other.axisB)) {
            joint.axisA = one.axisA;
            joint.axisB = one.axisB.cross(other.axisB).normalized();
            return true;
        }
        if (one.axisB == other.axisB && areSquare(one.axisA, other.axisA)) {
            joint.axisB = one.axisB;
            joint.axisA = one.axisA.cross(other.axisA).normalized();
            return true;
        }
        return false;
    }

    /// Three axes that leave no turn.
    bool holdTurn(const Matrix3d& turnA, const Matrix3d& turnB) const {
        Matrix3d gradients;
        for (int k = 0; k < 3; ++k) {
            gradients.col(k) = (turnA * orthogonal[k]->axisA).cross(turnB * orthogonal[k]->axisB);
        }
        return std::abs(gradients.determinant()) > kNoTurnLeft;
    }
};

}  // namespace

std::optional<FoundJoint> findJoint(const FlowNetwork& network, std::size_t first, std::size_t count) {
    Rows rows;
    if (!rows.read(network, first, count) || !rows.areOfOnePoint()) return {};
    FoundJoint joint;
    joint.a = rows.along[0]->a;
    joint.b = rows.along[0]->b;
    joint.first = first;
    joint.count = count;
    joint.pointA = rows.along[0]->pointA;
    joint.pointB = rows.along[0]->pointB;
    joint.axisA = joint.axisB = Vector3d::UnitZ();
    const Matrix3d turnA = motionOf(network, joint.a).q.toRotationMatrix();
    const Matrix3d turnB = motionOf(network, joint.b).q.toRotationMatrix();
    if (rows.alongCount == 3 && rows.orthogonalCount == 0) {
        joint.kind = TreeJoint::Spherical;
    } else if (rows.alongCount == 3 && rows.orthogonalCount == 2 && rows.holdAxis(joint)) {
        joint.kind = TreeJoint::Revolute;
        if ((turnA * joint.axisA).dot(turnB * joint.axisB) < 0) joint.axisB = -joint.axisB;
    } else if (rows.alongCount >= 2 && rows.orthogonalCount == 3 && rows.holdTurn(turnA, turnB)) {
        if (rows.alongCount == 3) return joint;
        joint.kind = TreeJoint::Prismatic;
        joint.axisA = rows.along[0]->axisA.cross(rows.along[1]->axisA).normalized();
        joint.axisB = turnB.transpose() * (turnA * joint.axisA);
    } else {
        return {};
    }
    return joint;
}

}  // namespace elasto::flow
