#pragma once
// Parts of which the translations of Bullet's joints are made.

#include <LinearMath/btTransform.h>

#include "joints/joint_rows.h"

class btConeTwistConstraint;
class btGearConstraint;
class btGeneric6DofConstraint;
class btGeneric6DofSpring2Constraint;
class btGeneric6DofSpringConstraint;
class btHingeConstraint;
class btPoint2PointConstraint;
class btSliderConstraint;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// The frames of a joint in its bodies' frames.
struct JointFrames {
    const btTypedConstraint& joint;
    const btTransform& a;
    const btTransform& b;

    HeldRow alongAxis(int axis, double offset = 0) const;
    HeldRow orthogonal(int axisA, int axisB) const;
    /// Coordinates for motors and limits: displacement of b's origin along an axis of a, turn of b about it.
    BoundedRow along(int axis) const;
    BoundedRow about(int axis) const;
    /// One of the angles that turn A's frame into B's.
    BoundedRow euler(const EulerTurns& turns, int axis) const;
    /// A's direction against B's, both in the joint's frames: row, and present value.
    HeldRow orthogonal(const Eigen::Vector3d& inA, const Eigen::Vector3d& inB, double offset) const;
    double product(const Eigen::Vector3d& inA, const Eigen::Vector3d& inB) const;
    /// Axes at right angles also hold where a body is turned over: there Bullet turns it back, and it is left to
    /// Bullet.
    bool isAligned(int axis) const;
};

/// Adds what keeps all of a frame's origin.
void addBall(const JointFrames& frames, JointRows& rows);
/// Adds a motor. @param maxForce [N, N.m]; 0 does nothing, SIMD_INFINITY prescribes the rate
void addMotor(BoundedRow coordinate, double targetRate, btScalar maxForce, JointRows& rows);
/// Adds both limits of a coordinate. For an angle it is the one nearest to their middle that counts; limits a whole
/// turn apart are none.
void addLimits(BoundedRow coordinate, double lower, double upper, double restitution, JointRows& rows);

/// Adds a spring and damper in parallel. @return why not, or null
const char* addSpring(const BoundedRow& coordinate, const SpringDamperParameters& spring, JointRows& rows);

void refuse(const char* reason, JointRows& rows);

void translate(const btHingeConstraint& joint, double h, JointRows& rows);
void translate(const btSliderConstraint& joint, JointRows& rows);
void translate(const btConeTwistConstraint& joint, JointRows& rows);
void translate(const btGeneric6DofConstraint& joint, JointRows& rows);
void translate(const btGeneric6DofSpringConstraint& joint, JointRows& rows);
void translate(const btGeneric6DofSpring2Constraint& joint, const JointTick& tick, JointRows& rows);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
