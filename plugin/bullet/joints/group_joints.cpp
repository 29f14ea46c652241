#include "joints/group_joints.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "host/bullet_internals.h"
#include "host/disabled_row.h"
#include "host/element_of.h"
#include "host/stable_sort.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

auto orderOf(const HeldJoint& joint) {
    const JointRows& rows = joint.rows;
    Eigen::Matrix<double, 9, 1> frames;
    if (!rows.held.empty()) {
        frames << rows.held.front().pointA, rows.held.front().pointB, rows.held.back().axisA;
    } else if (!rows.bounded.empty()) {
        frames << rows.bounded.front().pointA, rows.bounded.front().pointB, rows.bounded.front().axis;
    } else {
        frames << rows.springs.front().pointA, rows.springs.front().pointB, rows.springs.front().axis;
    }
    std::array<double, 9> numbers;
    std::copy(frames.begin(), frames.end(), numbers.begin());
    return std::tuple(joint.joint->getRigidBodyA().getWorldArrayIndex(),
                      joint.joint->getRigidBodyB().getWorldArrayIndex(), joint.joint->getConstraintType(),
                      rows.held.size(), rows.bounded.size(), rows.springs.size(), numbers);
}

}  // namespace

void findJoints(const SolverGroup& group, double h, GroupJoints& joints) {
    joints.clear();
    const btConstraintArray& rows = *group.jointRows;
    std::size_t count = 0;
    int row = 0;
    for (btTypedConstraint* joint : group.constraints) {
        if (joints.storage.size() == count) joints.storage.emplace_back();
        HeldJoint& held = joints.storage[count];
        held.joint = joint;
        held.firstRow = row;
        while (row < rows.size() && rows[row].m_originalContactPoint == joint) ++row;
        held.rowCount = row - held.firstRow;
        if (!joint->isEnabled() || elementOf(joint) != nullptr) continue;
        // A body that was taken out of the world has no place in a network; Bullet bears it.
        const auto isInWorld = [](const btRigidBody& body) {
            return body.isStaticObject() || body.getWorldArrayIndex() >= 0;
        };
        if (isInWorld(joint->getRigidBodyA()) && isInWorld(joint->getRigidBodyB())) {
            rowsOf(*joint, {h, static_cast<double>(group.info->m_erp)}, held.rows);
        } else {
            held.rows.clear();
            held.rows.refusal = "a joint with a body that is not in the world";
        }
        const bool isUnexpected = held.rowCount < held.rows.fewest || held.rowCount > held.rows.most;
        if (held.rows.refusal == nullptr && isUnexpected) held.rows.refusal = "a limit that it does not know";
        if (held.rows.refusal != nullptr) {
            for (int i = held.firstRow; i < row; ++i) {
                joints.refused.push_back({rows[i].m_solverBodyIdA, rows[i].m_solverBodyIdB, held.rows.refusal});
            }
        } else if (!held.rows.isEmpty()) {
            ++count;
        }
    }
    for (std::size_t i = 0; i < count; ++i) joints.held.push_back(&joints.storage[i]);
    sortSteadily(joints.held, [](const HeldJoint* x, const HeldJoint* y) { return orderOf(*x) < orderOf(*y); });
}

void disable(SolverGroup& group, const HeldJoint& joint) {
    for (int i = 0; i < joint.rowCount; ++i) disableRow((*group.jointRows)[joint.firstRow + i]);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
