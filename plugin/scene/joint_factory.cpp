#include "joint_factory.h"

#include "host/conversion.h"
#include "joint_geometry.h"

#include <BulletDynamics/ConstraintSolver/btFixedConstraint.h>
#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/ConstraintSolver/btPoint2PointConstraint.h>
#include <BulletDynamics/ConstraintSolver/btSliderConstraint.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// Signs as in the scene: the coordinate counts how b stands against a.
constexpr bool kFrameA = true;

btScalar scalar(double value) {
    return static_cast<btScalar>(value);
}

/// The columns of a basis as Bullet's axes; `first` becomes x.
btTransform frameFrom(const Eigen::Matrix3d& basis, int first, const Eigen::Vector3d& origin) {
    btTransform frame;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            frame.getBasis()[row][column] = scalar(basis(row, (first + column) % 3));
        }
    }
    frame.setOrigin(toBullet(origin));
    return frame;
}

// About z.
std::unique_ptr<btTypedConstraint> makeHinge(const SceneJoint& joint, const scene::JointFrames& frames, btRigidBody& a,
                                             btRigidBody& b, double tick) {
    auto made = std::make_unique<btHingeConstraint>(a, b, frameFrom(frames.basisA, 0, frames.pointA),
                                                    frameFrom(frames.basisB, 0, frames.pointB), kFrameA);
    if (joint.limits) {
        constexpr btScalar kSoftness = btScalar(0.9);  // not used by Bullet
        constexpr btScalar kBias = 1;                  // Bullet multiplies the restitution by it
        made->setLimit(scalar(joint.limits->lower), scalar(joint.limits->upper), kSoftness, kBias,
                       scalar(joint.limits->restitution));
    }
    if (joint.motor) {
        made->enableAngularMotor(true, scalar(joint.motor->velocity), scalar(joint.motor->maxForce * tick));
    }
    return made;
}

// Along x.
std::unique_ptr<btTypedConstraint> makeSlider(const SceneJoint& joint, const scene::JointFrames& frames, btRigidBody& a,
                                              btRigidBody& b) {
    auto made = std::make_unique<btSliderConstraint>(a, b, frameFrom(frames.basisA, 2, frames.pointA),
                                                     frameFrom(frames.basisB, 2, frames.pointB), kFrameA);
    if (joint.limits) {
        made->setLowerLinLimit(scalar(joint.limits->lower));
        made->setUpperLinLimit(scalar(joint.limits->upper));
        made->setDampingLimLin(scalar(1 - joint.limits->restitution));
    }
    if (joint.motor) {
        made->setPoweredLinMotor(true);
        made->setTargetLinMotorVelocity(scalar(joint.motor->velocity));
        made->setMaxLinMotorForce(scalar(joint.motor->maxForce));
    }
    return made;
}

}  // namespace

std::unique_ptr<btTypedConstraint> makeJoint(const Scene& scene, const SceneJoint& joint, btRigidBody& a,
                                             btRigidBody& b, double tick) {
    const scene::JointFrames frames = scene::jointFrames(scene, joint);
    switch (joint.type) {
        case SceneJoint::Type::Hinge:
            return makeHinge(joint, frames, a, b, tick);
        case SceneJoint::Type::Slider:
            return makeSlider(joint, frames, a, b);
        case SceneJoint::Type::Ball:
            return std::make_unique<btPoint2PointConstraint>(a, b, toBullet(frames.pointA), toBullet(frames.pointB));
        case SceneJoint::Type::Fixed:
            break;
    }
    return std::make_unique<btFixedConstraint>(a, b, frameFrom(frames.basisA, 0, frames.pointA),
                                               frameFrom(frames.basisB, 0, frames.pointB));
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
