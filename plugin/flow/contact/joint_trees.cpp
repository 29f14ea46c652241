#include "contact/joint_trees.h"

#include "balance/network_state.h"
#include "constraints/row_measure.h"
#include "contact/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Of one of a joint's ends, in the frame of its body.
struct End {
    Vector3d point, axis;

    static End of(const FoundJoint& joint, bool isB) {
        return isB ? End{joint.pointB, joint.axisB} : End{joint.pointA, joint.axisA};
    }
};

/// Rows of one joint: of the same bodies and points, relations of points first.
std::size_t endOfJoint(const std::vector<HeldRow>& rows, std::size_t first) {
    const HeldRow& begin = rows[first];
    std::size_t end = first + 1;
    for (; end < rows.size() && rows[end].a == begin.a && rows[end].b == begin.b; ++end) {
        if (rows[end].kind != HeldRow::Kind::AlongAxis) continue;
        const bool isSamePoint = rows[end].pointA == begin.pointA && rows[end].pointB == begin.pointB;
        if (rows[end - 1].kind != HeldRow::Kind::AlongAxis || !isSamePoint) break;
    }
    return end;
}

}  // namespace

/// What a tree has coordinates for: nothing is locked, and nothing moves by itself.
bool JointTrees::isUsable(int body) const {
    if (body == kWorld) return false;
    const FlowBody& at = bodyAt(*m_network, body);
    return at.inverseMass > 0 && (at.inverseInertia.array() > 0).all() && (at.linearFactor.array() == 1).all() &&
           (at.angularFactor.array() == 1).all();
}

bool JointTrees::isGround(int body) const {
    if (body == kWorld) return true;
    const FlowBody& at = bodyAt(*m_network, body);
    return at.isImmovable() && at.velocity.isZero(0) && at.angularVelocity.isZero(0);
}

void JointTrees::findJoints() {
    const std::vector<HeldRow>& rows = m_network->joints;
    m_joints.clear();
    for (auto& joints : m_jointsOf) joints.clear();
    if (m_jointsOf.size() < m_network->bodies.size()) m_jointsOf.resize(m_network->bodies.size());
    for (std::size_t first = 0, end = 0; first < rows.size(); first = end) {
        end = endOfJoint(rows, first);
        const int a = rows[first].a, b = rows[first].b;
        const bool canBe = (isUsable(a) && (isUsable(b) || isGround(b))) || (isUsable(b) && isGround(a));
        if (!canBe || a == b) continue;
        const std::optional<FoundJoint> joint = findJoint(*m_network, first, end - first);
        if (!joint) continue;
        for (const int body : {a, b}) {
            if (isUsable(body)) m_jointsOf[static_cast<std::size_t>(body)].push_back(m_joints.size());
        }
        m_joints.push_back(*joint);
    }
}

void JointTrees::begin(int base) {
    if (m_trees.size() == m_count) m_trees.emplace_back();
    Tree& tree = m_trees[m_count++];
    tree.tree.base = {};
    tree.tree.links.clear();
    tree.bodies.assign(1, base);
    tree.joints.clear();
    if (base == kWorld) return;
    const FlowBody& body = bodyAt(*m_network, base);
    static_cast<BodyState&>(tree.tree.base) = body;
    tree.tree.base.isFixed = false;
    tree.tree.base.mass = 1 / body.inverseMass;
    tree.tree.base.inertia = body.inverseInertia.cwiseInverse().asDiagonal();
    tree.tree.base.force = body.force;
    tree.tree.base.torque = body.torque;
    tree.tree.gyroscopic = body.gyroscopic;
    m_places[static_cast<std::size_t>(base)] = {static_cast<int>(m_count - 1), kTreeBase};
}

/// @param parent the joint's other body, or one that stands still
void JointTrees::addLink(Tree& tree, std::size_t index, int parent) {
    const FoundJoint& joint = m_joints[index];
    const int child = otherEnd(joint, parent);
    const End own = End::of(joint, joint.b == child), on = End::of(joint, joint.b != child);
    const FlowBody& body = bodyAt(*m_network, child);
    const Motion at = Motion::of(body), from = motionOf(*m_network, parent);
    const bool isOnGround = isGround(parent);
    const int parentLink = isOnGround ? kTreeBase : linkOf(parent);
    // The base's frame is the world's where it is fixed, else its own.
    const Eigen::Quaterniond frame = isOnGround ? from.q : Eigen::Quaterniond::Identity();
    const Eigen::Quaterniond relative = from.q.conjugate() * at.q;
    TreeLink link;
    link.parent = parentLink;
    link.joint = joint.kind;
    link.axis = own.axis;
    link.centerOfMass = -own.point;
    link.mass = 1 / body.inverseMass;
    link.inertia = body.inverseInertia.cwiseInverse().asDiagonal();
    link.force = body.force;
    link.forceTorque = body.torque;
    link.pivot = frame * on.point;
    if (isOnGround) link.pivot += from.x;
    if (parentLink != kTreeBase) link.pivot += tree.tree.links[static_cast<std::size_t>(parentLink)].centerOfMass;
    link.orientation = frame * relative;
    if (joint.kind == TreeJoint::Revolute) {
        // The axes coincide up to what the joint has opened by.
        const Vector3d axis = relative * own.axis;
        link.orientation = frame * (Eigen::Quaterniond::FromTwoVectors(axis, on.axis) * relative);
    } else if (joint.kind == TreeJoint::Prismatic) {
        const Vector3d apart = from.q.conjugate() * (at.x + at.q * own.point - from.x) - on.point;
        link.pivot += frame * (apart.dot(on.axis) * on.axis);
    }
    link.orientation.normalize();
    tree.tree.links.push_back(link);
    tree.bodies.push_back(child);
    tree.joints.push_back(index);
    m_places[static_cast<std::size_t>(child)] = {static_cast<int>(&tree - m_trees.data()),
                                                 static_cast<int>(tree.tree.links.size()) - 1};
    std::fill_n(m_isHeld.begin() + static_cast<std::ptrdiff_t>(joint.first), joint.count, true);
}

/// All that hangs on a tree's bodies from one of them on.
void JointTrees::grow(Tree& tree, int from) {
    for (auto at = static_cast<std::size_t>(from); at < tree.bodies.size(); ++at) {
        const int body = tree.bodies[at];
        for (const std::size_t index : m_jointsOf[static_cast<std::size_t>(body)]) {
            const int other = otherEnd(m_joints[index], body);
            if (!isUsable(other) || has(other)) continue;
            if (bodyAt(*m_network, other).gyroscopic == tree.tree.gyroscopic) addLink(tree, index, body);
        }
    }
}

void JointTrees::find(const FlowNetwork& network) {
    m_network = &network;
    m_count = 0;
    m_coordinates = 0;
    m_places.assign(network.bodies.size(), {});
    m_isHeld.assign(network.joints.size(), false);
    findJoints();
    // What hangs on what stands still.
    for (std::size_t index = 0; index < m_joints.size(); ++index) {
        const FoundJoint& joint = m_joints[index];
        if (!isGround(joint.a) && !isGround(joint.b)) continue;
        const int ground = isGround(joint.a) ? joint.a : joint.b, body = otherEnd(joint, ground);
        if (has(body)) continue;
        begin(kWorld);
        Tree& tree = m_trees[m_count - 1];
        tree.tree.gyroscopic = bodyAt(network, body).gyroscopic;
        addLink(tree, index, ground);
        grow(tree, 1);
    }
    // What floats, from the body with the most joints on: ways to it are the shortest.
    m_bases.clear();
    for (std::size_t i = 0; i < network.bodies.size(); ++i) {
        if (!m_jointsOf[i].empty()) m_bases.push_back(static_cast<int>(i));
    }
    const auto joints = [&](int body) { return m_jointsOf[static_cast<std::size_t>(body)].size(); };
    std::sort(m_bases.begin(), m_bases.end(), [&](int one, int other) {
        return joints(one) != joints(other) ? joints(one) > joints(other) : one < other;
    });
    for (const int base : m_bases) {
        if (has(base)) continue;
        begin(base);
        grow(m_trees[m_count - 1], 0);
    }
    m_apart = 0;
    for (std::size_t k = 0; k < network.joints.size(); ++k) {
        if (!holds(k)) continue;
        const HeldRow& row = network.joints[k];
        const double value = measureHeld(row, motionOf(network, row.a), motionOf(network, row.b)).value;
        m_apart = std::max(m_apart, std::abs(value));
    }
    placeAll();
}

void JointTrees::clear() {
    m_count = 0;
    m_coordinates = 0;
    m_places.assign(m_places.size(), {});
    m_isHeld.assign(m_isHeld.size(), false);
}

void JointTrees::placeAll() {
    if (m_models.size() < m_count) m_models.resize(m_count);
    for (std::size_t i = 0; i < m_count; ++i) {
        m_models[i].bind(m_trees[i].tree);
        m_trees[i].place = m_coordinates;
        m_coordinates += m_models[i].size();
    }
    m_isLength.assign(static_cast<std::size_t>(m_coordinates), false);
    for (std::size_t i = 0; i < m_count; ++i) {
        const auto first = m_isLength.begin() + m_trees[i].place;
        if (m_models[i].hasFreeBase()) std::fill_n(first, 3, true);
        for (std::size_t link = 0; link < m_trees[i].tree.links.size(); ++link) {
            if (m_trees[i].tree.links[link].joint != TreeJoint::Prismatic) continue;
            *(first + m_models[i].coordinateOf(static_cast<int>(link))) = true;
        }
    }
    const FlowNetwork& network = *m_network;
    m_bounded.clear();
    for (std::size_t k = 0; k < network.bounded.size(); ++k) m_bounded.push_back(pairOf(k));
    m_elements.clear();
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const FlowElement& element = network.elements[e];
        m_elements.push_back(element.isGeared() ? Own() : ownOf(element, rowOf(network, e).s));
    }
}

template <class Link>
JointTrees::Own JointTrees::ownOf(const Link& row, double s) const {
    const bool isTurn = row.geometry == Geometry::AboutAxis;
    if (!isTurn && row.geometry != Geometry::AlongAxis) return {};
    for (const bool isB : {true, false}) {
        const int child = isB ? row.b : row.a, parent = isB ? row.a : row.b;
        if (!has(child) || linkOf(child) == kTreeBase) continue;
        const Tree& tree = m_trees[treeOf(child)];
        const auto link = static_cast<std::size_t>(linkOf(child));
        const FoundJoint& joint = m_joints[tree.joints[link]];
        if (otherEnd(joint, child) != parent) continue;
        if (joint.kind != (isTurn ? TreeJoint::Revolute : TreeJoint::Prismatic)) continue;
        const Vector3d& axis = joint.a == row.a ? joint.axisA : joint.axisB;
        if (axis.cross(row.axis).norm() > kOneAxis) continue;
        if (isTurn) {
            const Eigen::Quaterniond frameA = motionOf(*m_network, row.a).q * row.frameA;
            const Eigen::Quaterniond turn = frameA.conjugate() * (motionOf(*m_network, row.b).q * row.frameB);
            if (turn.vec().cross(row.frameA.conjugate() * row.axis).norm() > kOneAxis) continue;
        }
        Own own;
        own.place = tree.place + m_models[treeOf(child)].coordinateOf(static_cast<int>(link));
        own.sign = (axis.dot(row.axis) > 0) == isB ? 1 : -1;
        own.offset = s;  // trees are found where their joints' coordinates are 0
        return own;
    }
    return {};
}

JointTrees::Pair JointTrees::pairOf(std::size_t k) const {
    const BoundedRow& bounded = m_network->bounded[k];
    const Turns turns = Turns::found(bounded, boundedRowOf(*m_network, k));
    Pair pair;
    pair.ratio = bounded.geared.ratio;
    if (bounded.geared.carried != 0) return pair;
    pair.own = ownOf(bounded, turns.own);
    if (bounded.isGeared()) pair.second = ownOf(bounded.geared, turns.geared);
    return pair;
}

void JointTrees::start(std::span<const Vector6> u, double* state) const {
    for (std::size_t t = 0; t < m_count; ++t) {
        const Tree& tree = m_trees[t];
        double* position = state + tree.place;
        double* velocity = position + m_coordinates;
        m_models[t].readStart(position, velocity);
        const int base = tree.bodies[0];
        if (base != kWorld) Eigen::Map<Vector6>{velocity} = u[static_cast<std::size_t>(base)];
        for (std::size_t i = 0; i < tree.joints.size(); ++i) {
            const FoundJoint& joint = m_joints[tree.joints[i]];
            if (joint.kind == TreeJoint::Fixed) continue;
            const int child = tree.bodies[i + 1], parent = otherEnd(joint, child);
            const End on = End::of(joint, joint.b != child), own = End::of(joint, joint.b == child);
            const Motion at = motionOf(*m_network, child), from = motionOf(*m_network, parent);
            Vector6 before = Vector6::Zero();
            if (has(parent)) before = u[static_cast<std::size_t>(parent)];
            const Vector6& now = u[static_cast<std::size_t>(child)];
            const Vector3d spin = now.tail<3>() - before.tail<3>();
            double* rate = velocity + m_models[t].coordinateOf(static_cast<int>(i));
            if (joint.kind == TreeJoint::Revolute) {
                *rate = (from.q * on.axis).dot(spin);
            } else if (joint.kind == TreeJoint::Spherical) {
                Eigen::Map<Vector3d>{rate} = at.q.conjugate() * spin;
            } else {
                const Vector3d point = at.x + at.q * own.point;
                const Vector3d apart = now.head<3>() + now.tail<3>().cross(point - at.x) - before.head<3>() -
                                       before.tail<3>().cross(point - from.x);
                *rate = (from.q * on.axis).dot(apart);
            }
        }
    }
}

void JointTrees::place(const double* state, BodyKinematics& bodies, std::vector<Vector6>& u) {
    m_positions.assign(state, state + m_coordinates);
    m_velocities.assign(state + m_coordinates, state + 2 * m_coordinates);
    for (std::size_t t = 0; t < m_count; ++t) {
        TreeModel& model = m_models[t];
        model.place(m_positions.data() + m_trees[t].place);
        model.move(m_velocities.data() + m_trees[t].place);
        const std::vector<int>& all = m_trees[t].bodies;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i] == kWorld) continue;
            const auto body = static_cast<std::size_t>(all[i]);
            const TreeModel::BodyMotion now = model.motionOf(static_cast<int>(i) - 1);
            Motion& motion = bodies.motions[body];
            motion.x = now.center.eigen();
            bodies.turns[body] = now.rotation.eigen();
            motion.q = Eigen::Quaterniond(bodies.turns[body]);
            motion.v = now.velocity.eigen();
            motion.w = now.spin.eigen();
            u[body] << motion.v, motion.w;
        }
    }
}

void JointTrees::rates(double* rate) const {
    for (std::size_t t = 0; t < m_count; ++t) {
        const Eigen::Index at = m_trees[t].place;
        m_models[t].rates(m_positions.data() + at, m_velocities.data() + at, rate + at);
    }
}

bool JointTrees::restartRotations(double* state) {
    bool hasChanged = false;
    for (std::size_t t = 0; t < m_count; ++t) {
        double* position = state + m_trees[t].place;
        const auto& rotations = m_models[t].rotations();
        const auto isLarge = [&](Eigen::Index at) {
            return Eigen::Map<const Vector3d>(position + at).norm() > kSeenTurn;
        };
        if (std::none_of(rotations.begin(), rotations.end(), isLarge)) continue;
        m_models[t].restartRotations(position);
        hasChanged = true;
    }
    return hasChanged;
}

void JointTrees::countReactions(double time, const double* accelerations, std::span<const Vector6> pushes,
                                std::vector<Reaction>& reactions) {
    for (std::size_t t = 0; t < m_count; ++t) {
        const Tree& tree = m_trees[t];
        m_applied.clear();
        for (const int body : tree.bodies) {
            const Vector6 push = body == kWorld ? Vector6(Vector6::Zero()) : pushes[static_cast<std::size_t>(body)];
            m_applied.push_back({Vector(push.data() + 3), Vector(push.data())});
        }
        m_models[t].jointForces(time, accelerations + tree.place, m_applied, m_held);
        for (std::size_t i = 0; i < tree.joints.size(); ++i) {
            const FoundJoint& joint = m_joints[tree.joints[i]];
            const int index = m_network->joints[joint.first].reaction;
            if (index < 0) continue;
            const int child = tree.bodies[i + 1], parent = otherEnd(joint, child);
            const Vector3d force = m_held[i].linear.eigen(), moment = m_held[i].angular.eigen();
            const auto centerOf = [&](int body) {
                return has(body) ? m_models[t].motionOf(linkOf(body)).center.eigen() : motionOf(*m_network, body).x;
            };
            const Vector3d onParent = -(moment + (centerOf(child) - centerOf(parent)).cross(force));
            const bool isB = joint.b == child;
            Reaction& reaction = reactions[static_cast<std::size_t>(index)];
            reaction.linear += isB ? force : Vector3d(-force);
            reaction.angularA += isB ? onParent : moment;
            reaction.angularB += isB ? moment : onParent;
        }
    }
}

}  // namespace elasto::flow
