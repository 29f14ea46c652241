#pragma once
// Boxes on a floor and on each other, for the flow.

#include <elasto/flow.h>

namespace elasto::test {

inline constexpr double kContactGravity = 9.80665;

/// A solid box of half edges `half`, falling.
inline FlowBody solidBox(double m, const Eigen::Vector3d& half, const Eigen::Vector3d& position) {
    const Eigen::Vector3d q = half.cwiseAbs2();
    FlowBody body = FlowBody::rigid(m, m / 3 * Eigen::Vector3d(q.y() + q.z(), q.x() + q.z(), q.x() + q.y()));
    body.position = position;
    body.force.constant = {0, -kContactGravity * m, 0};
    return body;
}

/// The four lower corners of box `a` over the plane y = height of body b (in its frame), or of the world.
inline void addCorners(FlowNetwork& network, int a, const Eigen::Vector3d& half, int b, double height,
                       double friction) {
    for (const int x : {-1, 1}) {
        for (const int z : {-1, 1}) {
            FlowContact contact;
            contact.a = a;
            contact.b = b;
            contact.vertex = {x * half.x(), -half.y(), z * half.z()};
            contact.planePoint = {0, height, 0};
            contact.friction = friction;
            network.contacts.push_back(contact);
        }
    }
}

/// A gap that begins to act where pointA (in frame a) reaches pointB (in frame b) along an axis of a.
inline void addGap(FlowNetwork& network, const ElastoGapLaw& law, int a, const Eigen::Vector3d& pointA, int b,
                   const Eigen::Vector3d& pointB, const Eigen::Vector3d& axis) {
    FlowElement gap{law};
    gap.a = a;
    gap.b = b;
    gap.pointA = pointA;
    gap.pointB = pointB;
    gap.axis = axis;
    network.elements.push_back(gap);
}

}  // namespace elasto::test
