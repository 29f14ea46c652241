#include "constraints/contact_geometry.h"

#include "bodies/body_kinematics.h"
#include "constraints/contact_box.h"

#include <algorithm>

namespace elasto::flow {

namespace {

/// The vertex seen from a round owner's centre: in the world, and what of it the rounding sees.
struct OverRounding {
    Eigen::Vector3d from, across;
    double distance = 0;
    Eigen::Vector3d outward;

    OverRounding(const ContactPlace& contact, const Motion& owner, const Eigen::Vector3d& vertex)
        : from(vertex - owner.x - owner.q * contact.ownerCentre()),
          across(owner.q * contact.acrossOwner(owner.q.conjugate() * from)),
          distance(across.norm()),
          outward(owner.q * (contact.isVertexOnA ? contact.normal : Eigen::Vector3d(-contact.normal))) {
        if (distance > 0) outward = across / distance;
    }
};

/// As contactTurn, over a rounding: seen by the owner, who turns, the vertex goes past it.
ContactTurn turnOverRounding(const ContactPlace& contact, const Motion& a, const Motion& b) {
    const Motion& vertexBody = contact.isVertexOnA ? a : b;
    const Motion& owner = contact.isVertexOnA ? b : a;
    const double side = contact.isVertexOnA ? 1 : -1;
    const Eigen::Vector3d lever = vertexBody.q * contact.vertex;
    const OverRounding over(contact, owner, vertexBody.x + lever);
    const Eigen::Vector3d rate = vertexBody.v + vertexBody.w.cross(lever);
    const Eigen::Vector3d passing = rate - owner.v - owner.w.cross(owner.q * contact.ownerCentre() + over.from);
    const Eigen::Vector3d bent = vertexBody.w.cross(vertexBody.w.cross(lever)) -
                                 owner.w.cross(owner.w.cross(owner.q * contact.ownerCentre())) -
                                 2 * owner.w.cross(passing) - owner.w.cross(owner.w.cross(over.from));
    ContactTurn turn;
    turn.normal = side * owner.w.cross(over.outward);
    turn.gap = over.outward.dot(bent);
    if (over.distance > 0) {
        const Eigen::Vector3d across = owner.q * contact.acrossOwner(owner.q.conjugate() * passing);
        const Eigen::Vector3d along = across - over.outward.dot(across) * over.outward;
        turn.normal += side / over.distance * along;
        turn.gap += along.squaredNorm() / over.distance;
    }
    const Eigen::Vector3d place = rate - side * contact.radius * turn.normal;
    turn.slip = a.w.cross(place - a.v) - b.w.cross(place - b.v);
    return turn;
}

}  // namespace

ContactMeasure measureContact(const ContactPlace& contact, const Motion& a, const Motion& b) {
    const Motion& vertexBody = contact.isVertexOnA ? a : b;
    const Motion& planeBody = contact.isVertexOnA ? b : a;
    const double side = contact.isVertexOnA ? 1 : -1;
    const Eigen::Vector3d vertex = vertexBody.x + vertexBody.q * contact.vertex;
    ContactMeasure measure;
    if (contact.ownerRadius > 0) {
        const OverRounding over(contact, planeBody, vertex);
        measure.normal = side * over.outward;
        measure.point = vertex - contact.radius * over.outward;
        measure.gap = over.distance - contact.ownerRadius - contact.radius + contact.offset;
        return measure;
    }
    measure.normal = planeBody.q * contact.normal;
    measure.point = vertex - side * contact.radius * measure.normal;
    const Eigen::Vector3d fromPlane = vertex - (planeBody.x + planeBody.q * contact.planePoint);
    measure.gap = side * measure.normal.dot(fromPlane) - contact.radius + contact.offset;
    if (contact.areFaces()) measure.gap = std::max(measure.gap, -faceOverlap(contact, a, b));
    return measure;
}

ContactTurn contactTurn(const ContactPlace& contact, const Motion& a, const Motion& b) {
    if (contact.ownerRadius > 0) return turnOverRounding(contact, a, b);
    const Motion& vertexBody = contact.isVertexOnA ? a : b;
    const Motion& planeBody = contact.isVertexOnA ? b : a;
    const double side = contact.isVertexOnA ? 1 : -1;
    const Eigen::Vector3d lever = vertexBody.q * contact.vertex;
    const Eigen::Vector3d planeLever = planeBody.q * contact.planePoint;
    const Eigen::Vector3d normal = planeBody.q * contact.normal;
    const Eigen::Vector3d fromPlane = vertexBody.x + lever - planeBody.x - planeLever;
    const Eigen::Vector3d rate = vertexBody.v + vertexBody.w.cross(lever);
    const Eigen::Vector3d between = rate - planeBody.v - planeBody.w.cross(planeLever);
    ContactTurn turn;
    turn.normal = planeBody.w.cross(normal);
    turn.gap =
        side *
        (planeBody.w.cross(turn.normal).dot(fromPlane) + 2 * turn.normal.dot(between) +
         normal.dot(vertexBody.w.cross(vertexBody.w.cross(lever)) - planeBody.w.cross(planeBody.w.cross(planeLever))));
    // The place where they touch moves with the vertex, along both surfaces.
    const Eigen::Vector3d place = rate - side * contact.radius * turn.normal;
    turn.slip = a.w.cross(place - a.v) - b.w.cross(place - b.v);
    return turn;
}

BlockRow rowAt(int a, int b, const Motion& motionA, const Motion& motionB, const Eigen::Vector3d& point,
               const Eigen::Vector3d& direction) {
    BlockRow row{a, b};
    row.gradientA << direction, (point - motionA.x).cross(direction);
    row.gradientB << -direction, -(point - motionB.x).cross(direction);
    return row;
}

BlockRow rowAbout(int a, int b, const Eigen::Vector3d& axis) {
    BlockRow row{a, b};
    row.gradientA << Eigen::Vector3d::Zero(), axis;
    row.gradientB << Eigen::Vector3d::Zero(), -axis;
    return row;
}

double rateOf(const BlockRow& row, std::span<const Vector6> velocities) {
    double rate = 0;
    if (row.a >= 0) rate += row.gradientA.dot(velocities[static_cast<std::size_t>(row.a)]);
    if (row.b >= 0) rate += row.gradientB.dot(velocities[static_cast<std::size_t>(row.b)]);
    return rate;
}

double drivenRateOf(const FlowNetwork& network, const BlockRow& row, std::span<const Vector6> velocities) {
    double rate = 0;
    const auto add = [&](int index, const Vector6& gradient) {
        if (index < 0) return;
        const auto i = static_cast<std::size_t>(index);
        rate += drivenRate(network.bodies[i], gradient.head<3>(), gradient.tail<3>(), velocities[i].head<3>(),
                           velocities[i].tail<3>());
    };
    add(row.a, row.gradientA);
    add(row.b, row.gradientB);
    return rate;
}

void readVelocities(const FlowNetwork& network, std::vector<Vector6>& velocities) {
    velocities.resize(network.bodies.size());
    for (std::size_t i = 0; i < velocities.size(); ++i) {
        velocities[i] = velocitiesOf(network.bodies[i]);
    }
}

Tangents::Tangents(const Eigen::Vector3d& normal) {
    Eigen::Index smallest = 0;
    normal.cwiseAbs().minCoeff(&smallest);
    first = normal.cross(Eigen::Vector3d::Unit(smallest)).normalized();
    second = normal.cross(first);
}

Tangents Tangents::turnedTo(const Eigen::Vector3d& normal) const {
    Tangents turned = *this;
    turned.first = (first - normal * normal.dot(first)).normalized();
    turned.second = normal.cross(turned.first);
    return turned;
}

ElastoGapLaw softLaw(const FlowContact& contact) {
    return ElastoGapLaw({.c = contact.stiffness, .d = contact.damping, .characteristic = GapCharacteristic::NoPull});
}

}  // namespace elasto::flow
