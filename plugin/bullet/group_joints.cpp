#include "group_joints.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <tuple>

#include "bullet_internals.h"
#include "element_access.h"
#include "inert_row.h"
#include "joint_rows.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

auto orderOf(const HeldJoint& held) {
    const HeldRow& row = held.rows.front();
    return std::tuple(held.joint->getRigidBodyA().getWorldArrayIndex(),
                      held.joint->getRigidBodyB().getWorldArrayIndex(), held.joint->getConstraintType(),
                      held.rows.size(), row.pointA.x(), row.pointA.y(), row.pointA.z(), row.pointB.x(), row.pointB.y(),
                      row.pointB.z(), row.axisA.x(), row.axisA.y(), row.axisA.z());
}

}  // namespace

std::vector<HeldJoint> findJoints(const SolverGroup& group, std::vector<int>& others) {
    std::vector<HeldJoint> joints;
    const btConstraintArray& rows = *group.jointRows;
    int row = 0;
    for (btTypedConstraint* joint : group.constraints) {
        HeldJoint held{joint, {}, row, 0};
        while (row < rows.size() && rows[row].m_originalContactPoint == joint) ++row;
        const int count = row - held.firstRow;
        held.rowCount = count;
        if (count == 0) continue;
        // A body that was taken out of the world has no place in a network; Bullet bears it.
        const auto isInWorld = [](const btRigidBody& body) {
            return body.isStaticObject() || body.getWorldArrayIndex() >= 0;
        };
        if (isInWorld(joint->getRigidBodyA()) && isInWorld(joint->getRigidBodyB()))
            held.rows = heldRowsOf(*joint, count);
        if (held.rows.empty()) {
            for (int i = held.firstRow; i < row; ++i) {
                others.push_back(rows[i].m_solverBodyIdA);
                others.push_back(rows[i].m_solverBodyIdB);
            }
        } else {
            joints.push_back(std::move(held));
        }
    }
    std::stable_sort(joints.begin(), joints.end(),
                     [](const HeldJoint& x, const HeldJoint& y) { return orderOf(x) < orderOf(y); });
    return joints;
}

void silence(SolverGroup& group, const HeldJoint& joint) {
    for (int i = 0; i < joint.rowCount; ++i) makeInert((*group.jointRows)[joint.firstRow + i]);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
