#include "network/multibody_tree.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <algorithm>

#include "host/conversion.h"
#include "multibody/multibody_rotors.h"
#include "network/element_access.h"
#include "network/element_strength.h"
#include "network/gather_multibodies.h"
#include "network/load_table.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

TreeJoint jointOf(const btMultibodyLink& link) {
    switch (link.m_jointType) {
        case btMultibodyLink::eRevolute:
            return TreeJoint::Revolute;
        case btMultibodyLink::ePrismatic:
            return TreeJoint::Prismatic;
        case btMultibodyLink::eSpherical:
            return TreeJoint::Spherical;
        default:
            return TreeJoint::Fixed;
    }
}

/// Of a joint, in the parent link's frame.
Eigen::Vector3d axisOnParent(const btMultibodyLink& link) {
    return (zeroTurn(link) * axisOf(link)).normalized();
}

void setJoint(const btMultibodyLink& link, const MovedMultiBody& moved, TreeLink& target) {
    const double* q = moved.start.q.data() + link.m_cfgOffset;
    const double* rates = moved.start.rates.data() + link.m_dofOffset;
    const QuadraticTorque* torques = moved.loads.joints.data() + link.m_dofOffset;
    if (target.joint == TreeJoint::Spherical) {
        target.turn = Eigen::Quaterniond(q[3], q[0], q[1], q[2]).normalized();
        target.spin = Eigen::Vector3d(rates[0], rates[1], rates[2]);
        target.ballTorque.constant = Eigen::Vector3d(torques[0].constant, torques[1].constant, torques[2].constant);
    } else if (target.joint != TreeJoint::Fixed) {
        target.axis = axisOf(link);
        target.q = q[0];
        target.qd = rates[0];
        target.torque = torques[0];
    }
}

// A link's frame has its origin in the joint's point; Bullet's has it in the centre of mass. The axes are Bullet's.
FlowTree treeOf(const MovedMultiBody& moved) {
    const btMultiBody& body = *moved.body;
    FlowTree tree;
    static_cast<BodyState&>(tree.base) = moved.start.base;
    tree.base.isFixed = body.hasFixedBase();
    tree.base.mass = static_cast<double>(body.getBaseMass());
    tree.base.inertia = toEigen(body.getBaseInertia()).asDiagonal();
    tree.base.force.constant = moved.loads.forces[0];
    tree.base.torque.constant = moved.loads.torques[0];
    tree.linearDamping = static_cast<double>(body.getLinearDamping());
    tree.angularDamping = static_cast<double>(body.getAngularDamping());
    tree.gyroscopic = body.getUseGyroTerm();
    for (int i = 0; i < body.getNumLinks(); ++i) {
        const btMultibodyLink& link = body.getLink(i);
        const auto at = static_cast<std::size_t>(i + 1);
        TreeLink& target = tree.links.emplace_back();
        target.parent = link.m_parent < 0 ? kTreeBase : link.m_parent;
        target.joint = jointOf(link);
        target.pivot = toEigen(link.m_eVector);
        if (link.m_parent >= 0) target.pivot += tree.links[static_cast<std::size_t>(link.m_parent)].centerOfMass;
        target.orientation = zeroTurn(link);
        target.centerOfMass = toEigen(link.m_dVector);
        target.mass = static_cast<double>(link.m_mass);
        target.inertia = toEigen(link.m_inertiaLocal).asDiagonal();
        target.force.constant = moved.loads.forces[at];
        target.forceTorque.constant = moved.loads.torques[at];
        setJoint(link, moved, target);
    }
    return tree;
}

int treeIndex(const std::vector<MovedMultiBody>& bodies, const btMultiBody* body) {
    const auto found =
        std::find_if(bodies.begin(), bodies.end(), [&](const MovedMultiBody& moved) { return moved.body == body; });
    return static_cast<int>(found - bodies.begin());
}

/// All pieces but the first.
void addChanges(const std::vector<LoadPiece>& pieces, const TreeTerm& place, TreeNetwork& network) {
    for (std::size_t k = 1; k < pieces.size(); ++k) {
        insertByTime(TreeLoadChange{.time = pieces[k].start,
                                    .kind = place.kind,
                                    .tree = place.tree,
                                    .index = place.index,
                                    .torque = QuadraticTorque::of(pieces[k])},
                     network.changes);
    }
}

class Coordinates {
public:
    Coordinates(SolvedNetwork& target, const TickTime& time) : m_target(target), m_time(time) {}

    void add(const MultiBodyElement& element, TreeElement& tree) {
        if (const auto* joint = std::get_if<JointCoordinate>(&element.placing())) {
            add(*joint, 1, tree);
        } else if (const auto* pair = std::get_if<GearPair>(&element.placing())) {
            add(pair->first, 1, tree);
            add(pair->second, -pair->ratio, tree);
        } else if (const auto* drive = std::get_if<Drive>(&element.placing())) {
            add(JointCoordinate{drive->body, drive->link}, 1, tree);
            const int index = treeIndex(m_target.multi.bodies, drive->body);
            std::vector<TreeRotor>& rotors = m_target.multi.trees.trees[static_cast<std::size_t>(index)].rotors;
            tree.terms.push_back(TreeTerm::rotor(index, static_cast<int>(rotors.size()), -1 / drive->ratio));
            TreeRotor& rotor = rotors.emplace_back();
            const btMultibodyLink& link = drive->body->getLink(drive->link);
            m_rotors.emplace_back(&element, tree.terms.back());
            rotor.carrier = link.m_parent < 0 ? kTreeBase : link.m_parent;
            rotor.axis = axisOnParent(link);
            rotor.inertia = drive->inertia;
            rotor.phi = element.motorAngle();
            rotor.w = element.motorSpeed();
            const std::vector<LoadPiece> pieces = motorPieces(element, m_time);
            rotor.torque = QuadraticTorque::of(pieces.front());
            addChanges(pieces, {TreeTerm::Kind::Rotor, index, static_cast<int>(rotors.size()) - 1, 1},
                       m_target.multi.trees);
        } else if (const auto* on = std::get_if<RotorCoordinate>(&element.placing())) {
            // Its drive comes first (MultiBodyTick::sortByPlace).
            const auto found = std::find_if(m_rotors.begin(), m_rotors.end(),
                                            [&](const auto& known) { return known.first == on->drive; });
            tree.terms.push_back(found->second);
            tree.terms.back().coefficient = 1 / flowScale(element);
        }
    }

private:
    void add(const JointCoordinate& joint, double factor, TreeElement& tree) {
        const int index = treeIndex(m_target.multi.bodies, joint.body);
        tree.terms.push_back(TreeTerm::joint(index, joint.link, factor * joint.sign));
        tree.offset -= factor * joint.sign * joint.offset;
    }

    SolvedNetwork& m_target;
    const TickTime& m_time;
    std::vector<std::pair<const MultiBodyElement*, TreeTerm>> m_rotors;  ///< of drives
};

TreeBounded treeBound(const JointBound& bound, const SolvedNetwork& target) {
    TreeBounded row;
    const int tree = treeIndex(target.multi.bodies, bound.body);
    row.terms = {TreeTerm::joint(tree, bound.link)};
    if (bound.ratio != 0) row.terms.push_back(TreeTerm::joint(tree, bound.second, -bound.ratio));
    row.kind = bound.row.kind;
    row.targetRate = bound.row.targetRate;
    row.maxForce = bound.row.maxForce;
    row.bound = bound.row.bound;
    row.side = bound.row.side;
    row.restitution = bound.row.restitution;
    return row;
}

double valueOf(const TreeNetwork& network, const TreeCoordinate& coordinate) {
    double value = coordinate.offset;
    for (const TreeTerm& term : coordinate.terms) {
        const FlowTree& tree = network.trees[static_cast<std::size_t>(term.tree)];
        const auto i = static_cast<std::size_t>(term.index);
        value += term.coefficient * (term.kind == TreeTerm::Kind::Joint ? tree.links[i].q : tree.rotors[i].phi);
    }
    return value;
}

}  // namespace

double rotorEnergy(const Drive& drive, double w, const std::vector<BodyState>& links) {
    const btMultibodyLink& link = drive.body->getLink(drive.link);
    const BodyState& carrier = links[static_cast<std::size_t>(link.m_parent + 1)];
    const double spin = carrier.angularVelocity.dot(carrier.orientation * axisOnParent(link)) + w;
    return drive.inertia * spin * spin / 2;
}

std::vector<LoadPiece> motorPieces(const MultiBodyElement& element, const TickTime& time) {
    return piecesOf([&](double t) -> LoadValue { return element.motorTorque(t) * LoadValue::Unit(0); },
                    [&](double t) { return element.nextMotorBreak(t); }, time);
}

bool isTree(const NetworkParts& parts, bool hasTies) {
    if (!parts.elements.empty() || hasTies) return false;
    const auto isPlanar = [](const btMultiBody* body) {
        for (int i = 0; i < body->getNumLinks(); ++i) {
            if (body->getLink(i).m_jointType == btMultibodyLink::ePlanar) return true;
        }
        return false;
    };
    return std::none_of(parts.multiBodies.begin(), parts.multiBodies.end(), isPlanar) &&
           std::none_of(parts.multiBodyElements.begin(), parts.multiBodyElements.end(),
                        [](const MultiBodyElement* element) {
                            return std::holds_alternative<LinkPlacement>(element->placing());
                        });
}

EnergyBetweenTicks gatherTrees(const NetworkParts& parts, const std::vector<JointBound>& bounds,
                               const MultiBodyTable& table, const TickTime& time, SolvedNetwork& target) {
    EnergyBetweenTicks between;
    target.multi.elements = parts.multiBodyElements;
    for (btMultiBody* body : parts.multiBodies) {
        const MultiBodyTable::Entry& entry = *table.find(*body);
        MovedMultiBody& moved = addMoved(*body, entry, target);
        target.multi.trees.trees.push_back(treeOf(moved));
        for (const MultiBodyLoads::JointTorque& jointTorque : moved.loads.jointTorques) {
            target.multi.trees.trees.back().links[static_cast<std::size_t>(jointTorque.link)].torque =
                QuadraticTorque::of(jointTorque.pieces.front());
            const auto index = static_cast<int>(target.multi.trees.trees.size()) - 1;
            addChanges(jointTorque.pieces, TreeTerm::joint(index, jointTorque.link), target.multi.trees);
        }
        moved.startKinetic = kineticEnergy(target.multi.trees.trees.back());
        target.startEnergy += moved.startKinetic;
        (entry.isKnown ? between.pushed : between.tied) += moved.startKinetic - (entry.isKnown ? entry.kinetic : 0);
    }
    for (const JointBound& bound : bounds) {
        const auto& bodies = parts.multiBodies;
        if (std::find(bodies.begin(), bodies.end(), bound.body) != bodies.end()) {
            target.multi.trees.bounded.push_back(treeBound(bound, target));
            target.multi.bounds.push_back(bound);
        }
    }
    Coordinates coordinates(target, time);
    for (const MultiBodyElement* element : parts.multiBodyElements) {
        TreeElement& tree = target.multi.trees.elements.emplace_back(flowLaw(*element));
        coordinates.add(*element, tree);
        tree.s_damper = element->s_damper();
        addStrength(*element, time, target.multi.trees.elements.size() - 1, target.multi.trees);
        FlowElement& flow = target.network.elements.emplace_back(FlowElement{tree.law});
        flow.s_damper = tree.s_damper;
        const double stored = storedEnergy(tree.law, valueOf(target.multi.trees, tree), tree.s_damper);
        target.startEnergy += stored;
        if (element->tickLength() > 0) between.pushed += stored - ElementAccess::lastStoredEnergy(*element);
    }
    for (std::size_t i = 0; i < target.multi.bodies.size(); ++i) {
        target.startEnergy += kineticEnergy(target.multi.trees.trees[i]) - target.multi.bodies[i].startKinetic;
    }
    return between;
}

MultiBodyState stateOf(const MovedMultiBody& moved, const TreeTick& tree) {
    const btMultiBody& body = *moved.body;
    MultiBodyState state = moved.start;
    if (!body.hasFixedBase()) {
        state.base = tree.base;
        state.base.orientation.normalize();
    }
    for (int i = 0; i < body.getNumLinks(); ++i) {
        const btMultibodyLink& link = body.getLink(i);
        const TreeJointState& joint = tree.links[static_cast<std::size_t>(i)];
        double* q = state.q.data() + link.m_cfgOffset;
        double* rates = state.rates.data() + link.m_dofOffset;
        if (link.m_jointType == btMultibodyLink::eSpherical) {
            const double side = joint.turn.coeffs().dot(Eigen::Map<Eigen::Vector4d>(q)) < 0 ? -1 : 1;
            Eigen::Map<Eigen::Vector4d>{q} = side * joint.turn.coeffs().normalized();
            Eigen::Map<Eigen::Vector3d>{rates} = joint.spin;
        } else if (link.m_dofCount == 1) {
            q[0] = joint.q;
            rates[0] = joint.qd;
        }
    }
    return state;
}

void readTrees(SolvedNetwork& target) {
    const TreeTickResult& end = target.multi.result;
    target.result = {};
    target.result.elements = end.elements;
    target.result.bounded = end.bounded;
    target.result.events = end.events;
    target.result.method = end.method;
    target.result.steps = end.steps;
    target.result.overBudget = end.overBudget;
    target.result.cost = end.cost;
    target.result.leastCost = end.leastCost;
    target.result.energyHandedOut = end.energyHandedOut;
    target.result.driveWork = end.driveWork;
    target.result.limitLoss = end.limitLoss;
    target.result.energyRepaired = end.energyRepaired;
    target.result.balance = end.balance;
    target.result.grade = end.grade;
    // What is driven past the trees.
    for (const NetworkBody& body : target.bodies) {
        static_cast<BodyState&>(target.result.bodies.emplace_back()) = body.pathEnd;
    }
    for (std::size_t i = 0; i < target.multi.bodies.size(); ++i) {
        MovedMultiBody& moved = target.multi.bodies[i];
        moved.end = stateOf(moved, end.trees[i]);
        closeGears(target.multi.bounds, *moved.body, moved.end);
        const std::vector<BodyState> links = linkStates(*moved.body, moved.end);
        moved.endKinetic = kineticEnergy(*moved.body, links);
        moved.endRotors = 0;
        for (std::size_t r = 0; r < end.trees[i].rotors.size(); ++r) {
            const TreeRotor& rotor = target.multi.trees.trees[i].rotors[r];
            const BodyState& carrier = links[static_cast<std::size_t>(rotor.carrier + 1)];
            const double spin =
                carrier.angularVelocity.dot(carrier.orientation * rotor.axis) + end.trees[i].rotors[r].w;
            moved.endRotors += rotor.inertia * spin * spin / 2;
        }
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
