#pragma once
// Where elements act: one scalar coordinate per element as a function of its two bodies' poses, and its gradient.
// Everything that integrates 3D motion uses these rows, so force and measured rate are always conjugate: the power of
// an element is exactly f times its rate, whatever the geometry.

#include <elasto/flow.h>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <array>
#include <optional>
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

/// A link whose coordinate may count with a second one: an element, a motor or a limit.
template <class Link>
concept GearedLink = requires(const Link& link) {
    link.geared;
};

/// True if one of a link's angles counts turns.
template <GearedLink Link>
bool countsTurns(const Link& link) {
    return elasto::countsTurns(link.geometry) || link.isGeared();
}

/// Angles near which those of an element, a motor or a limit are measured: they keep the count of turns.
struct Turns {
    double own = 0;
    double geared = 0;
    /// By how much the carrier of a rotor has turned about the rotor's axis, where whoever measures has followed it. Of
    /// an axis that tilts poses do not tell: it depends on the way.
    std::optional<double> carrier = {};

    template <GearedLink Link>
    static Turns of(const Link& link) {
        return {link.phi, link.geared.phi};
    }
    /// Those that a row of the link found.
    template <GearedLink Link>
    static Turns found(const Link& link, const Row& row) {
        return {link.isGeared() ? row.s + link.geared.ratio * row.geared : row.s, row.geared};
    }
    /// Their rates there.
    template <GearedLink Link>
    static Turns rates(const Link& link, const Row& row) {
        return {link.isGeared() ? row.v + link.geared.ratio * row.gearedRate : row.v, row.gearedRate};
    }
    /// Where they are after a time at such rates.
    Turns after(double time, const Turns& rates) const {
        return {own + time * rates.own, geared + time * rates.geared};
    }
    /// Of a link whose angles count turns, from now on.
    template <GearedLink Link>
    void keepIn(Link& link) const {
        if (elasto::countsTurns(link.geometry)) link.phi = own;
        link.geared.phi = geared;
    }
};

/// An element's own coordinate alone. @param phi angles: the one nearest to this is returned
Row measureOwnRow(const FlowElement& element, const Motion& a, const Motion& b, double phi);
/// The same of a motor or limit.
Row measureOwnRow(const BoundedRow& row, const Motion& a, const Motion& b, double phi);
/// Takes a second coordinate into the row of what it belongs to.
/// @param a, b its bodies @param carrier, axis the own body a, and the axis of the own coordinate in it
void addGeared(const GearedCoordinate& geared, const Motion& a, const Motion& b, const Motion& carrier,
               const Eigen::Vector3d& axis, const Turns& turns, Row& row);
/// By how much the carrier of a rotor has turned about an axis in it, as its pose tells.
double carrierTurn(const GearedCoordinate& geared, const Motion& carrier, const Eigen::Vector3d& axis);

/// @param motionAt gives the motion of a body, or of kWorld
template <GearedLink Link, class MotionAt>
Row measureRow(const Link& link, const MotionAt& motionAt, const Turns& turns) {
    Row row = measureOwnRow(link, motionAt(link.a), motionAt(link.b), turns.own);
    if (link.isGeared()) {
        addGeared(link.geared, motionAt(link.geared.a), motionAt(link.geared.b), motionAt(link.a), link.axis,
                  turns, row);
    }
    return row;
}

/// A body's share in the gradient of a geared coordinate; one that is in both coordinates has one share.
struct GearedEnd {
    int body = kWorld;
    Eigen::Vector3d linear = Eigen::Vector3d::Zero();
    Eigen::Vector3d angular = Eigen::Vector3d::Zero();
};
/// Of the own bodies a and b, then of the second coordinate's that these are not; the others are kWorld.
template <GearedLink Link, class Gradient>
std::array<GearedEnd, 4> gearedEnds(const Link& link, const Gradient& row) {
    std::array<GearedEnd, 4> ends = {GearedEnd{link.a, -row.linear, row.angularA + row.carriedAngular},
                                     GearedEnd{link.b, row.linear, row.angularB},
                                     GearedEnd{link.geared.a, -row.gearedLinear, row.gearedAngularA},
                                     GearedEnd{link.geared.b, row.gearedLinear, row.gearedAngularB}};
    for (std::size_t k = 2; k < 4; ++k) {
        for (std::size_t first = 0; first < 2; ++first) {
            if (ends[k].body == kWorld || ends[k].body != ends[first].body) continue;
            ends[first].linear += ends[k].linear;
            ends[first].angular += ends[k].angular;
            ends[k].body = kWorld;
        }
    }
    return ends;
}

/// Calls visit(body, linear, angular) for each body of a row that is not the world: its share in the gradient, so that
/// an element force f acts on it as (-f linear, -f angular).
template <class Link, class Gradient, class Visit>
void forEachEnd(const Link& link, const Gradient& row, const Visit& visit) {
    if constexpr (GearedLink<Link>) {
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
    if constexpr (GearedLink<Link>) {
        if (!link.isGeared()) return;
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
