#include "joint_geometry.h"

#include <elasto/scene/start.h>

#include <algorithm>
#include <cmath>

namespace elasto::scene {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Type = SceneJoint::Type;

Vector3d fromCentreOfMass(const Scene& scene, const SceneFrame& frame) {
    if (frame.body == kWorld) return frame.position;
    return frame.position - scene.bodies[static_cast<std::size_t>(frame.body)].centreOfMass;
}

/// Two directions across the axis, and the axis.
Matrix3d basisAbout(const Vector3d& axis) {
    int least = 0;
    axis.cwiseAbs().minCoeff(&least);
    Matrix3d basis;
    basis.col(0) = axis.cross(Vector3d::Unit(least)).normalized();
    basis.col(1) = axis.cross(basis.col(0));
    basis.col(2) = axis;
    return basis;
}

BodyState stateOf(const SceneFrame& frame, const std::vector<BodyState>& bodies) {
    return frame.body == kWorld ? BodyState() : bodies[static_cast<std::size_t>(frame.body)];
}

}  // namespace

JointFrames jointFrames(const Scene& scene, const SceneJoint& joint) {
    JointFrames frames;
    frames.pointA = fromCentreOfMass(scene, joint.frame_a);
    frames.pointB = fromCentreOfMass(scene, joint.frame_b);
    const Matrix3d across = basisAbout(joint.frame_a.orientation.conjugate() * joint.axis);
    frames.basisA = joint.frame_a.orientation.toRotationMatrix() * across;
    frames.basisB = joint.frame_b.orientation.toRotationMatrix() * across;
    return frames;
}

std::vector<HeldRow> jointRows(const Scene& scene, const SceneJoint& joint) {
    const JointFrames frames = jointFrames(scene, joint);
    std::vector<HeldRow> rows;
    const auto add = [&](HeldRow::Kind kind, int axisA, int axisB) {
        HeldRow row;
        row.kind = kind;
        row.a = joint.frame_a.body;
        row.b = joint.frame_b.body;
        row.pointA = frames.pointA;
        row.pointB = frames.pointB;
        row.axisA = frames.basisA.col(axisA).normalized();
        row.axisB = frames.basisB.col(axisB).normalized();
        rows.push_back(row);
    };
    const int heldDirections = joint.type == Type::Slider ? 2 : 3;
    for (int k = 0; k < heldDirections; ++k) add(HeldRow::Kind::AlongAxis, k, k);
    if (joint.type == Type::Ball) return rows;
    add(HeldRow::Kind::Orthogonal, 2, 0);
    add(HeldRow::Kind::Orthogonal, 2, 1);
    if (joint.type != Type::Hinge) add(HeldRow::Kind::Orthogonal, 0, 1);
    return rows;
}

JointOpening jointOpening(const Scene& scene, const SceneJoint& joint) {
    const JointFrames frames = jointFrames(scene, joint);
    std::vector<BodyState> bodies;
    for (const SceneBody& body : scene.bodies) bodies.push_back(centreOfMassState(body));
    const BodyState a = stateOf(joint.frame_a, bodies);
    const BodyState b = stateOf(joint.frame_b, bodies);
    const Matrix3d basisA = a.orientation.toRotationMatrix() * frames.basisA;
    const Matrix3d basisB = b.orientation.toRotationMatrix() * frames.basisB;

    Vector3d apart = b.position + b.orientation * frames.pointB - a.position - a.orientation * frames.pointA;
    if (joint.type == Type::Slider) apart -= basisA.col(2) * basisA.col(2).dot(apart);
    JointOpening opening;
    opening.distance = apart.norm();
    if (joint.type == Type::Hinge) {
        opening.angle = std::atan2(basisA.col(2).cross(basisB.col(2)).norm(), basisA.col(2).dot(basisB.col(2)));
    } else if (joint.type != Type::Ball) {
        opening.angle = Eigen::Quaterniond(basisA).angularDistance(Eigen::Quaterniond(basisB));
    }
    return opening;
}

JointCoordinate jointCoordinate(const Scene& scene, const SceneJoint& joint, const std::vector<BodyState>& bodies) {
    const JointFrames frames = jointFrames(scene, joint);
    const BodyState a = stateOf(joint.frame_a, bodies);
    const BodyState b = stateOf(joint.frame_b, bodies);
    const Matrix3d basisA = a.orientation.toRotationMatrix() * frames.basisA;
    const Vector3d axis = basisA.col(2);
    JointCoordinate coordinate;
    if (joint.type == Type::Hinge) {
        const Vector3d across = b.orientation * frames.basisB.col(0);
        coordinate.value = std::atan2(basisA.col(1).dot(across), basisA.col(0).dot(across));
        coordinate.rate = axis.dot(b.angularVelocity - a.angularVelocity);
    } else if (joint.type == Type::Slider) {
        const Vector3d armB = b.orientation * frames.pointB;
        const Vector3d armA = b.position + armB - a.position;  // the axis turns with a
        coordinate.value = axis.dot(armA - a.orientation * frames.pointA);
        coordinate.rate =
            axis.dot(b.velocity + b.angularVelocity.cross(armB) - a.velocity - a.angularVelocity.cross(armA));
    }
    return coordinate;
}

}  // namespace elasto::scene
