#include "network/joint_feedback.h"

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/bullet_internals.h"
#include "host/conversion.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Vector12 = Eigen::Matrix<double, 12, 1>;

void fillFeedback(btTypedConstraint& joint, const Vector12& impulse, double h) {
    btJointFeedback& feedback = *joint.getJointFeedback();
    const btRigidBody& a = joint.getRigidBodyA();
    const btRigidBody& b = joint.getRigidBodyB();
    const auto mean = [&](int first, const btVector3& factor) {
        return toBullet(Eigen::Vector3d(impulse.segment<3>(first) / h)) * factor;
    };
    feedback.m_appliedForceBodyA = mean(0, a.getLinearFactor());
    feedback.m_appliedTorqueBodyA = mean(3, a.getAngularFactor());
    feedback.m_appliedForceBodyB = mean(6, b.getLinearFactor());
    feedback.m_appliedTorqueBodyB = mean(9, b.getAngularFactor());
}

/// What a spring did, along the mean of its directions at the tick's start and end.
Reaction reactionOf(const SolvedNetwork& solved, std::size_t spring) {
    const FlowElement& element = solved.network.elements[spring];
    FlowNetwork end = solved.network;
    for (std::size_t i = 0; i < end.bodies.size(); ++i) {
        static_cast<BodyState&>(end.bodies[i]) = solved.bodies[i].isMovable
                                                     ? static_cast<const BodyState&>(solved.result.bodies[i])
                                                     : solved.bodies[i].pathEnd;
    }
    Reaction reaction;
    for (const FlowNetwork* at : {&solved.network, static_cast<const FlowNetwork*>(&end)}) {
        const Measure now = measure(*at, element);
        const Eigen::Vector3d impulse = -0.5 * solved.result.elements[spring].impulse * now.direction;  // on b
        if (countsTurns(element.geometry)) {
            reaction.angularA -= impulse;
            reaction.angularB += impulse;
            continue;
        }
        const auto lever = [&](int body) -> Eigen::Vector3d {
            return body == kWorld ? now.pointB : now.pointB - at->bodies[static_cast<std::size_t>(body)].position;
        };
        reaction.linear += impulse;
        reaction.angularA -= lever(element.a).cross(impulse);
        reaction.angularB += lever(element.b).cross(impulse);
    }
    return reaction;
}

}  // namespace

bool isWatched(const btTypedConstraint& joint) {
    return joint.needsFeedback() || joint.getJointFeedback() != nullptr ||
           joint.getBreakingImpulseThreshold() < SIMD_INFINITY;
}

void noteRows(const SolverGroup& group, const HeldJoint& held, SolvedNetwork& solved) {
    const auto watched = std::find_if(solved.watched.begin(), solved.watched.end(),
                                      [&](const WatchedJoint& entry) { return entry.joint == held.joint; });
    if (watched == solved.watched.end()) return;
    watched->rows.resize(12, held.rowCount);
    for (int i = 0; i < held.rowCount; ++i) {
        const btSolverConstraint& row = (*group.jointRows)[held.firstRow + i];
        watched->rows.col(i) << toEigen(row.m_contactNormal1), toEigen(row.m_relpos1CrossNormal),
            toEigen(row.m_contactNormal2), toEigen(row.m_relpos2CrossNormal);
    }
}

void reportImpulses(const SolvedNetwork& solved, btScalar bulletH) {
    for (std::size_t k = 0; k < solved.watched.size(); ++k) {
        const WatchedJoint& watched = solved.watched[k];
        Reaction reaction = k < solved.result.reactions.size() ? solved.result.reactions[k] : Reaction();
        for (std::size_t i = 0; i < watched.springCount; ++i) reaction += reactionOf(solved, watched.firstSpring + i);
        if (watched.startAtB) {
            reaction.linear *= -1;
            std::swap(reaction.angularA, reaction.angularB);
        }
        Vector12 impulse;
        impulse << -reaction.linear, reaction.angularA, reaction.linear, reaction.angularB;
        double last = 0;
        double largest = 0;
        if (watched.rows.cols() > 0) {
            const Eigen::VectorXd rows = watched.rows.completeOrthogonalDecomposition().solve(impulse);
            last = rows[rows.size() - 1];
            largest = rows.cwiseAbs().maxCoeff();
        }
        // Limits that are reached within the tick have no row of Bullet's yet.
        for (int i = 0; i < watched.boundedCount; ++i) {
            const auto row = static_cast<std::size_t>(watched.firstBounded + i);
            largest = std::max(largest, std::abs(solved.result.bounded[row].impulse));
        }
        btTypedConstraint& joint = *watched.joint;
        if (joint.getJointFeedback() != nullptr) fillFeedback(joint, impulse, static_cast<double>(bulletH));
        joint.internalSetAppliedImpulse(btScalar(last));
        if (largest >= static_cast<double>(joint.getBreakingImpulseThreshold())) joint.setEnabled(false);
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
