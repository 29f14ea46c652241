#include "network/gather_multibodies.h"

#include <elasto/multibody_element.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <algorithm>

#include "host/conversion.h"
#include "multibody/multibody_rotors.h"
#include "network/element_access.h"
#include "network/element_strength.h"
#include "network/multibody_tree.h"
#include "network/network_builder.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

const MovedMultiBody& movedOf(const SolvedNetwork& target, const btMultiBody* body) {
    return *std::find_if(target.multi.bodies.begin(), target.multi.bodies.end(),
                         [&](const MovedMultiBody& moved) { return moved.body == body; });
}

bool moves(const btRigidBody& body) {
    return isMovable(body) || body.isKinematicObject();
}

// Where a flange's link is: in the flow, or, of a multibody that does not take part (its base is fixed), in the world.
LinkPlace placeOf(const Flange& flange, const SolvedNetwork& target, const MultiBodyTable& table) {
    for (const MovedMultiBody& moved : target.multi.bodies) {
        if (moved.body == flange.multiBody()) return moved.place(flange.link());
    }
    const btMultiBody& body = *flange.multiBody();
    const BodyState at = linkStates(body, table.presentState(body))[static_cast<std::size_t>(flange.link() + 1)];
    LinkPlace place;
    place.origin = at.position;
    place.turn = at.orientation;
    return place;
}

FlowElement onLinks(const MultiBodyElement& element, const LinkPlacement& placement, const SolvedNetwork& target,
                    const MultiBodyTable& table) {
    FlowElement flow{element.law()};
    flow.geometry = placement.geometry();
    flow.pointA = placement.pointA();
    flow.pointB = placement.pointB();
    flow.axis = placement.axis();
    flow.frameA = placement.frameA();
    flow.frameB = placement.frameB();
    flow.phi = ElementAccess::angle(element);
    if (placement.a().multiBody() != nullptr) {
        const LinkPlace place = placeOf(placement.a(), target, table);
        flow.a = place.body;
        flow.pointA = place.point(flow.pointA);
        flow.axis = place.turn * flow.axis;
        flow.frameA = place.turn * flow.frameA;
    }
    if (placement.b().multiBody() != nullptr) {
        const LinkPlace place = placeOf(placement.b(), target, table);
        flow.b = place.body;
        flow.pointB = place.point(flow.pointB);
        flow.frameB = place.turn * flow.frameB;
    }
    return flow;
}

FlowElement flowElement(const MultiBodyElement& element, const SolvedNetwork& target, const MultiBodyTable& table) {
    FlowElement flow{flowLaw(element)};
    if (const auto* joint = std::get_if<JointCoordinate>(&element.placing())) {
        jointRow(movedOf(target, joint->body), *joint).placeIn(flow);
    } else if (const auto* drive = std::get_if<Drive>(&element.placing())) {
        placeOnRotor(movedOf(target, drive->body), element, flow);
    } else if (const auto* pair = std::get_if<GearPair>(&element.placing())) {
        jointRow(movedOf(target, pair->first.body), pair->first).placeIn(flow);
        jointRow(movedOf(target, pair->second.body), pair->second).placeIn(flow.geared);
        flow.geared.ratio = pair->ratio;
    } else if (const auto* placement = std::get_if<LinkPlacement>(&element.placing())) {
        flow = onLinks(element, *placement, target, table);
    } else if (const auto* rotor = std::get_if<RotorCoordinate>(&element.placing())) {
        placeOnRotor(movedOf(target, std::get<Drive>(rotor->drive->placing()).body), *rotor, flow);
    }
    flow.s_damper = element.s_damper();
    flow.pause = ElementAccess::pause(element);
    return flow;
}

// A static body is the world to an element.
template <class Turn>
void toWorld(const btRigidBody& body, Eigen::Vector3d& point, Turn&& turn) {
    const Eigen::Quaterniond orientation = rotationOf(body.getWorldTransform().getBasis());
    point = toEigen(body.getWorldTransform().getOrigin()) + orientation * point;
    turn(orientation);
}

int placeOf(const btRigidBody& body, const SolvedNetwork& target) {
    const auto found = std::find_if(target.bodies.begin(), target.bodies.end(),
                                    [&](const NetworkBody& entry) { return entry.body == &body; });
    return static_cast<int>(found - target.bodies.begin());
}

}  // namespace

MovedMultiBody& addMoved(btMultiBody& body, const MultiBodyTable::Entry& entry, SolvedNetwork& target) {
    MovedMultiBody& moved = target.multi.bodies.emplace_back();
    moved.body = &body;
    moved.start = entry.start;
    moved.loads = entry.loads;
    return moved;
}

EnergyBetweenTicks gatherMultiBodies(const NetworkParts& parts, const std::vector<JointBound>& bounds,
                                     const MultiBodyTable& table, const TickTime& time, SolvedNetwork& target) {
    EnergyBetweenTicks between;
    target.multi.elements = parts.multiBodyElements;
    for (const MultiBodyElement* element : parts.multiBodyElements) target.multi.placings.push_back(element->placing());
    for (btMultiBody* body : parts.multiBodies) addMoved(*body, *table.find(*body), target);
    for (const JointBound& bound : bounds) {
        const auto& bodies = parts.multiBodies;
        if (std::find(bodies.begin(), bodies.end(), bound.body) != bodies.end()) target.multi.bounds.push_back(bound);
    }
    placeLinks(table, time, target);
    for (const MovedMultiBody& moved : target.multi.bodies) {
        const MultiBodyTable::Entry& entry = *table.find(*moved.body);
        target.startEnergy += moved.startKinetic;
        for (const ReflectedRotor& rotor : moved.rotors) {
            const FlowBody& body = target.network.bodies[static_cast<std::size_t>(rotor.body)];
            target.startEnergy += kineticEnergy(body, body);
        }
        (entry.isKnown ? between.pushed : between.tied) += moved.startKinetic - (entry.isKnown ? entry.kinetic : 0);
    }
    return between;
}

void placeLinks(const MultiBodyTable& table, const TickTime& time, SolvedNetwork& target) {
    for (MovedMultiBody& moved : target.multi.bodies) {
        const std::size_t first = target.network.bodies.size();
        addMultiBody(moved, target.network);
        for (const MultiBodyElement* element : target.multi.elements) {
            const auto* drive = std::get_if<Drive>(&element->placing());
            if (drive == nullptr || drive->body != moved.body) continue;
            addRotor(moved, *element, motorPieces(*element, time), time.h, target.network);
        }
        NetworkBody link;
        link.isLink = true;
        target.bodies.resize(target.network.bodies.size(), link);
        if (first < target.network.bodies.size()) setLoads(moved, time.h, nullptr, target.network);
    }
    for (const JointBound& bound : target.multi.bounds) {
        BoundedRow row = bound.row;
        const MovedMultiBody& moved = movedOf(target, bound.body);
        jointRow(moved, {bound.body, bound.link}).placeIn(row);
        row.geared.ratio = bound.ratio;
        if (row.isGeared()) jointRow(moved, {bound.body, bound.second}).placeIn(row.geared);
        target.network.bounded.push_back(row);
    }
    for (const MultiBodyElement* element : target.multi.elements) {
        target.network.elements.push_back(flowElement(*element, target, table));
        addStrength(*element, time, target.network.elements.size() - 1, target.network);
    }
}

void leaveTrees(const MultiBodyTable& table, const TickTime& time, SolvedNetwork& target) {
    target.multi.isTree = false;
    target.multi.trees = {};
    target.network.elements.clear();
    placeLinks(table, time, target);
}

std::vector<btRigidBody*> rigidFlanges(const std::vector<MultiBodyElement*>& elements) {
    std::vector<btRigidBody*> bodies;
    for (const MultiBodyElement* element : elements) {
        const auto* placement = std::get_if<LinkPlacement>(&element->placing());
        if (placement == nullptr) continue;
        for (const Flange* flange : {&placement->a(), &placement->b()}) {
            if (flange->rigidBody() != nullptr && moves(*flange->rigidBody())) bodies.push_back(flange->rigidBody());
        }
    }
    return bodies;
}

EnergyBetweenTicks placeOnRigidBodies(SolvedNetwork& target) {
    EnergyBetweenTicks between;
    for (std::size_t e = 0; e < target.multi.elements.size(); ++e) {
        const MultiBodyElement& element = *target.multi.elements[e];
        FlowElement& flow = target.network.elements[target.elements.size() + e];
        if (const auto* placement = std::get_if<LinkPlacement>(&element.placing())) {
            if (const btRigidBody* body = placement->a().rigidBody()) {
                if (moves(*body)) {
                    flow.a = placeOf(*body, target);
                } else {
                    toWorld(*body, flow.pointA, [&](const Eigen::Quaterniond& turn) {
                        flow.axis = turn * flow.axis;
                        flow.frameA = turn * flow.frameA;
                    });
                }
            }
            if (const btRigidBody* body = placement->b().rigidBody()) {
                if (moves(*body)) {
                    flow.b = placeOf(*body, target);
                } else {
                    toWorld(*body, flow.pointB,
                            [&](const Eigen::Quaterniond& turn) { flow.frameB = turn * flow.frameB; });
                }
            }
        }
        const double stored = storedEnergy(flow.law, measure(target.network, flow).s, flow.s_damper);
        target.startEnergy += stored;
        if (element.tickLength() > 0) {
            between.pushed += stored - ElementAccess::lastStoredEnergy(element);
        }
    }
    return between;
}

bool setLoadsInside(SolvedNetwork& target, const std::vector<BodyTick>& ends) {
    bool isAny = false;
    for (const MovedMultiBody& moved : target.multi.bodies) {
        isAny = setLoads(moved, target.h, &ends, target.network) || isAny;
        isAny = followCarriers(moved, ends, target.network) || isAny;
    }
    return isAny;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
