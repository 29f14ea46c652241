#pragma once
// Contact points at given poses, and the relations between bodies' velocities that they bring.

#include "bodies/geometry.h"
#include "constraints/block_factor.h"
#include "constraints/tuning.h"

namespace elasto::flow {

/// A contact where its bodies stand now.
struct ContactMeasure {
    double gap = 0;                                    ///< [m]
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< world frame, from b to a
    Eigen::Vector3d point = Eigen::Vector3d::Zero();   ///< world frame: on the surface of the vertex
};
ContactMeasure measureContact(const ContactPlace& contact, const Motion& a, const Motion& b);

/// How a contact's geometry turns with its bodies, while they move as they do and nothing accelerates them.
struct ContactTurn {
    double gap = 0;                                    ///< second derivative of the gap [m/s^2]
    Eigen::Vector3d slip = Eigen::Vector3d::Zero();    ///< acceleration of a's surface against b's where they touch
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< rate of the normal [1/s]
};
ContactTurn contactTurn(const ContactPlace& contact, const Motion& a, const Motion& b);

/// Rate of a point of a against the same point of b along a direction: the gap's rate where that is the normal. An
/// impulse of the row pushes a along the direction.
BlockRow rowAt(int a, int b, const Motion& motionA, const Motion& motionB, const Eigen::Vector3d& point,
               const Eigen::Vector3d& direction);
/// A row of the network, with the gradient of its coordinate or value.
template <class Link, class Gradient>
BlockRow rowOf(const Link& link, const Gradient& gradient) {
    BlockRow row{link.a, link.b};
    row.gradientA << -gradient.linear, gradient.angularA;
    row.gradientB << gradient.linear, gradient.angularB;
    return row;
}
/// An element's gradient, or that of a motor or limit: the sum of both.
struct ElementRow {
    BlockRow own;
    BlockRow second;  ///< of what is geared: of the bodies that own has not
    bool isGeared = false;

    template <GearedLink Link, class Gradient>
    static ElementRow of(const Link& link, const Gradient& row) {
        if (!link.isGeared()) return {rowOf(link, row), {}, false};
        const std::array<GearedEnd, 4> ends = gearedEnds(link, row);
        const auto pairOf = [&](std::size_t first) {
            BlockRow pair{ends[first].body, ends[first + 1].body};
            pair.gradientA << ends[first].linear, ends[first].angular;
            pair.gradientB << ends[first + 1].linear, ends[first + 1].angular;
            return pair;
        };
        return {pairOf(0), pairOf(2), true};
    }
};
/// Rate by which a turns against b about an axis.
BlockRow rowAbout(int a, int b, const Eigen::Vector3d& axis);

/// Rate of a row where the bodies move so.
double rateOf(const BlockRow& row, std::span<const Vector6> velocities);

/// The part of it that bodies have which nothing moves.
double drivenRateOf(const FlowNetwork& network, const BlockRow& row, std::span<const Vector6> velocities);

/// Of all bodies.
void readVelocities(const FlowNetwork& network, std::vector<Vector6>& velocities);

/// Any two unit vectors at right angles to a unit vector and to each other.
struct Tangents {
    explicit Tangents(const Eigen::Vector3d& normal);
    /// These, brought to a normal that is not far from theirs.
    Tangents turnedTo(const Eigen::Vector3d& normal) const;
    Eigen::Vector3d first, second;
};

/// The law by which a soft contact pushes.
ElastoGapLaw softLaw(const FlowContact& contact);

}  // namespace elasto::flow
