#pragma once
// Where elements act: one scalar coordinate per element as a function of its two bodies' poses, and its gradient.
// Everything that integrates 3D motion uses these rows, so force and measured rate are always conjugate: the power of
// an element is exactly f times its rate, whatever the geometry.

#include <elasto/flow.h>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace elasto::flow {

/// Pose and twist of an end of an element; the world's is the default.
struct Motion {
    Eigen::Vector3d x = Eigen::Vector3d::Zero();
    Eigen::Quaterniond q = Eigen::Quaterniond::Identity();
    Eigen::Vector3d v = Eigen::Vector3d::Zero();
    Eigen::Vector3d w = Eigen::Vector3d::Zero();

    static Motion of(const BodyState& body) {
        return {body.position, body.orientation, body.velocity, body.angularVelocity};
    }
};

/// An element's coordinate s, its rate v and the gradient of s: v = linear . (vB - vA) + angularB . wB + angularA . wA.
/// An element force f acts on body b as (-f linear, -f angularB) and on body a as (f linear, -f angularA).
struct Row {
    double s = 0;
    double v = 0;
    Eigen::Vector3d linear = Eigen::Vector3d::Zero();
    Eigen::Vector3d angularA = Eigen::Vector3d::Zero();
    Eigen::Vector3d angularB = Eigen::Vector3d::Zero();
    Eigen::Vector3d pointA = Eigen::Vector3d::Zero();
    Eigen::Vector3d pointB = Eigen::Vector3d::Zero();
    Eigen::Vector3d direction = Eigen::Vector3d::UnitX();
};

/// @param phi AboutAxis: the angle is returned as the one nearest to this
Row measureRow(const FlowElement& element, const Motion& a, const Motion& b, double phi);
Row measureRow(const BoundedRow& row, const Motion& a, const Motion& b, double phi);

/// Inverse inertia in the world frame at orientation q, with the angular factors: sqrt(F) R diag(I^-1) R^T sqrt(F).
Eigen::Matrix3d inverseInertiaWorld(const FlowBody& body, const Eigen::Quaterniond& q);
/// Acceleration of a body by a force f at the centre of mass and by a torque, without the gyroscopic term.
Eigen::Vector3d linearResponse(const FlowBody& body, const Eigen::Vector3d& f);
/// Angular acceleration by the gyroscopic term: -I^-1 (w x I w), zero where it does not apply.
Eigen::Vector3d gyroscopicAcceleration(const FlowBody& body, const Eigen::Quaterniond& q, const Eigen::Vector3d& w);
/// Angular acceleration by an outside torque (applied torques are given with the angular factor in them, as engines
/// do).
Eigen::Vector3d loadResponse(const FlowBody& body, const Eigen::Quaterniond& q, const Eigen::Vector3d& torque);
/// Kinetic energy that elements can change [J].
double kineticEnergy(const FlowBody& body, const Motion& motion);

/// q turned by the rotation vector r (world frame) [rad].
Eigen::Quaterniond turned(const Eigen::Quaterniond& q, const Eigen::Vector3d& r);

}  // namespace elasto::flow
