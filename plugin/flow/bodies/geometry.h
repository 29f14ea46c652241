#pragma once
// Where elements act: one scalar coordinate per element as a function of its two bodies' poses, and its gradient.
// Everything that integrates 3D motion uses these rows, so force and measured rate are always conjugate: the power of
// an element is exactly f times its rate, whatever the geometry.

#include <elasto/flow.h>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <array>
#include <type_traits>

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
    // Of a geared element: s = own - ratio geared. The gradient of s by the second coordinate's bodies, as that above.
    double geared = 0;
    double gearedRate = 0;
    Eigen::Vector3d gearedDirection = Eigen::Vector3d::Zero();
    Eigen::Vector3d gearedLinear = Eigen::Vector3d::Zero();
    Eigen::Vector3d gearedAngularA = Eigen::Vector3d::Zero();
    Eigen::Vector3d gearedAngularB = Eigen::Vector3d::Zero();
    Eigen::Vector3d carriedAngular = Eigen::Vector3d::Zero();  ///< by body a, because it carries the rotor
};

/// True if one of an element's angles counts turns.
inline bool countsTurns(const FlowElement& element) {
    return elasto::countsTurns(element.geometry) || element.isGeared();
}

/// Angles near which an element's are measured: they keep the count of turns.
struct Turns {
    double own = 0;
    double geared = 0;

    static Turns of(const FlowElement& element) { return {element.phi, element.geared.phi}; }
    /// Those that a row of the element found.
    static Turns found(const FlowElement& element, const Row& row) {
        return {element.isGeared() ? row.s + element.geared.ratio * row.geared : row.s, row.geared};
    }
    /// Their rates there.
    static Turns rates(const FlowElement& element, const Row& row) {
        return {element.isGeared() ? row.v + element.geared.ratio * row.gearedRate : row.v, row.gearedRate};
    }
    /// Where they are after a time at such rates.
    Turns after(double time, const Turns& rates) const {
        return {own + time * rates.own, geared + time * rates.geared};
    }
    /// Of an element whose angles count turns, from now on.
    void keepIn(FlowElement& element) const;
};

/// An element's own coordinate alone. @param phi angles: the one nearest to this is returned
Row measureOwnRow(const FlowElement& element, const Motion& a, const Motion& b, double phi);
/// Takes the second coordinate of a geared element into its row.
/// @param a, b its bodies @param carrier the element's own body a
void addGeared(const FlowElement& element, const Motion& a, const Motion& b, const Motion& carrier, double phi,
               Row& row);

/// @param motionAt gives the motion of a body, or of kWorld
template <class MotionAt>
Row measureRow(const FlowElement& element, const MotionAt& motionAt, const Turns& turns) {
    Row row = measureOwnRow(element, motionAt(element.a), motionAt(element.b), turns.own);
    if (element.isGeared()) {
        addGeared(element, motionAt(element.geared.a), motionAt(element.geared.b), motionAt(element.a), turns.geared,
                  row);
    }
    return row;
}

/// @param phi angles: the one nearest to this is returned
Row measureRow(const BoundedRow& row, const Motion& a, const Motion& b, double phi);

/// A body's share in the gradient of a geared element's coordinate; one that is in both coordinates has one share.
struct GearedEnd {
    int body = kWorld;
    Eigen::Vector3d linear = Eigen::Vector3d::Zero();
    Eigen::Vector3d angular = Eigen::Vector3d::Zero();
};
std::array<GearedEnd, 4> gearedEnds(const FlowElement& element, const Row& row);

/// Calls visit(body, linear, angular) for each body of a row that is not the world: its share in the gradient, so that
/// an element force f acts on it as (-f linear, -f angular).
template <class Link, class Gradient, class Visit>
void forEachEnd(const Link& link, const Gradient& row, const Visit& visit) {
    if constexpr (std::is_same_v<Link, FlowElement>) {
        if (link.isGeared()) {
            for (const GearedEnd& end : gearedEnds(link, row)) {
                if (end.body != kWorld) visit(end.body, end.linear, end.angular);
            }
            return;
        }
    }
    if (link.a != kWorld) visit(link.a, Eigen::Vector3d(-row.linear), row.angularA);
    if (link.b != kWorld) visit(link.b, row.linear, row.angularB);
}

/// Calls visit(body) for each body of a link, kWorld included; some may come twice.
template <class Link, class Visit>
void forEachBody(const Link& link, const Visit& visit) {
    visit(link.a);
    visit(link.b);
    if constexpr (requires { link.geared; }) {
        if (link.geared.ratio == 0) return;
        visit(link.geared.a);
        visit(link.geared.b);
    }
}

/// Inverse inertia in the world frame at an orientation, with the angular factors: sqrt(F) R diag(I^-1) R^T sqrt(F).
Eigen::Matrix3d inverseInertiaWorld(const FlowBody& body, const Eigen::Matrix3d& turn);
inline Eigen::Matrix3d inverseInertiaWorld(const FlowBody& body, const Eigen::Quaterniond& q) {
    return inverseInertiaWorld(body, q.toRotationMatrix());
}
/// Acceleration of a body by a force f at the centre of mass and by a torque, without the gyroscopic term.
Eigen::Vector3d linearResponse(const FlowBody& body, const Eigen::Vector3d& f);
/// Rate at which the energy of a turning body changes by itself [W], because factors lock some of its axes: the inertia
/// about those that are left turns with the body, and Bullet's law keeps its speed. Zero without such factors.
double lockingPower(const FlowBody& body, const Eigen::Matrix3d& turn, const Eigen::Vector3d& w);
/// Angular acceleration by the gyroscopic term: -I^-1 (w x (I w + spinMomentum)), zero where it does not apply.
Eigen::Vector3d gyroscopicAcceleration(const FlowBody& body, const Eigen::Matrix3d& turn, const Eigen::Vector3d& w);
inline Eigen::Vector3d gyroscopicAcceleration(const FlowBody& body, const Eigen::Quaterniond& q,
                                              const Eigen::Vector3d& w) {
    return gyroscopicAcceleration(body, q.toRotationMatrix(), w);
}
/// Angular acceleration by an outside torque (applied torques are given with the angular factor in them, as engines
/// do).
Eigen::Vector3d loadResponse(const FlowBody& body, const Eigen::Quaterniond& q, const Eigen::Vector3d& torque);
/// Kinetic energy that elements can change [J].
double kineticEnergy(const FlowBody& body, const Motion& motion);

/// q turned by the rotation vector r (world frame) [rad].
Eigen::Quaterniond turned(const Eigen::Quaterniond& q, const Eigen::Vector3d& r);

}  // namespace elasto::flow
