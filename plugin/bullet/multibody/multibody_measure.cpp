#include "multibody/multibody_measure.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>

#include "host/conversion.h"
#include "multibody/multibody_table.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

MultiBodyState presentState(const btMultiBody& body, const MultiBodyTable* table) {
    return table != nullptr ? table->presentState(body) : stateOf(body);
}

Coordinate measureNow(const LinkPlacement& placement, const Law& law, const MultiBodyTable* table, double angle) {
    FlowNetwork network;
    const auto add = [&](const Flange& flange) {
        if (flange.isWorld()) return kWorld;
        FlowBody body;
        if (flange.multiBody() != nullptr) {
            const btMultiBody& multiBody = *flange.multiBody();
            const std::vector<BodyState> links = linkStates(multiBody, presentState(multiBody, table));
            static_cast<BodyState&>(body) = links[static_cast<std::size_t>(flange.link() + 1)];
        } else {
            const btRigidBody& rigid = *flange.rigidBody();
            body.position = toEigen(rigid.getWorldTransform().getOrigin());
            body.orientation = rotationOf(rigid.getWorldTransform().getBasis());
            body.velocity = toEigen(rigid.getLinearVelocity());
            body.angularVelocity = toEigen(rigid.getAngularVelocity());
        }
        network.bodies.push_back(body);
        return static_cast<int>(network.bodies.size()) - 1;
    };
    FlowElement flow{law};
    flow.geometry = placement.geometry();
    flow.a = add(placement.a());
    flow.b = add(placement.b());
    flow.pointA = placement.pointA();
    flow.pointB = placement.pointB();
    flow.axis = placement.axis();
    flow.frameA = placement.frameA();
    flow.frameB = placement.frameB();
    flow.phi = angle;
    const Measure now = measure(network, flow);
    return {now.s, now.v};
}

}  // namespace

Coordinate measureNow(const JointCoordinate& joint, const MultiBodyTable* table) {
    const MultiBodyState state = presentState(*joint.body, table);
    const btMultibodyLink& link = joint.body->getLink(joint.link);
    return {joint.sign * (state.q[static_cast<std::size_t>(link.m_cfgOffset)] - joint.offset),
            joint.sign * state.rates[static_cast<std::size_t>(link.m_dofOffset)]};
}

Coordinate measureNow(const MultiBodyElement& element, const MultiBodyTable* table, double angle) {
    if (const auto* joint = std::get_if<JointCoordinate>(&element.placing())) return measureNow(*joint, table);
    if (const auto* drive = std::get_if<Drive>(&element.placing())) {
        const Coordinate link = measureNow(JointCoordinate{drive->body, drive->link}, table);
        return {link.s - element.motorAngle() / drive->ratio, link.v - element.motorSpeed() / drive->ratio};
    }
    if (const auto* pair = std::get_if<GearPair>(&element.placing())) {
        const Coordinate first = measureNow(pair->first, table);
        const Coordinate second = measureNow(pair->second, table);
        return {first.s - pair->ratio * second.s, first.v - pair->ratio * second.v};
    }
    if (const auto* rotor = std::get_if<RotorCoordinate>(&element.placing())) {
        return {rotor->drive->motorAngle(), rotor->drive->motorSpeed()};
    }
    return measureNow(std::get<LinkPlacement>(element.placing()), element.law(), table, angle);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
