#include "tree_mechanics.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::reference {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

Matrix3d cross(const Vector3d& a) {
    Matrix3d matrix;
    matrix << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return matrix;
}

Quaterniond quaternionAt(const double* y) {
    return Quaterniond(Eigen::Map<const Eigen::Vector4d>(y)).normalized();
}

/// A frame on a link: where it is, how it moves, and its accelerations where no velocity u changes.
struct Frame {
    Matrix3d rotation = Matrix3d::Identity();
    Vector3d origin = Vector3d::Zero();
    Vector3d v = Vector3d::Zero();
    Vector3d w = Vector3d::Zero();
    Vector3d a = Vector3d::Zero();
    Vector3d alpha = Vector3d::Zero();
    MatrixXd linear, angular;  ///< v = linear u, w = angular u

    /// Moves the origin to a point of the same body, r away [m], world axes.
    void shift(const Vector3d& r) {
        origin += r;
        v += w.cross(r);
        a += alpha.cross(r) + w.cross(w.cross(r));
        linear -= cross(r) * angular;
    }
};

/// A body's mass and loads, world axes.
struct Loaded {
    double mass = 0;
    Matrix3d inertia = Matrix3d::Zero();  ///< in the frame's axes
    Vector3d force = Vector3d::Zero();
    Vector3d torque = Vector3d::Zero();
    bool isDragged = true;
};

/// The frame behind a link's joint, from the one before it.
/// @param q, u places of the joint's coordinates and speeds in y @param column of its speeds
void moveByJoint(const TreeLink& link, const double* y, int q, int u, int column, Frame& frame) {
    if (link.joint == TreeJoint::Revolute) {
        const Vector3d axis = frame.rotation * link.axis;
        frame.rotation = frame.rotation * Eigen::AngleAxisd(y[q], link.axis).toRotationMatrix();
        frame.alpha += frame.w.cross(axis) * y[u];
        frame.w += axis * y[u];
        frame.angular.col(column) += axis;
    } else if (link.joint == TreeJoint::Prismatic) {
        const Vector3d axis = frame.rotation * link.axis;
        frame.shift(axis * y[q]);
        frame.a += 2 * frame.w.cross(axis) * y[u];
        frame.v += axis * y[u];
        frame.linear.col(column) += axis;
    } else if (link.joint == TreeJoint::Spherical) {
        frame.rotation = frame.rotation * quaternionAt(y + q).toRotationMatrix();
        const Vector3d spin = frame.rotation * Eigen::Map<const Vector3d>(y + u);
        frame.alpha += frame.w.cross(spin);
        frame.w += spin;
        frame.angular.middleCols<3>(column) += frame.rotation;
    }
}

}  // namespace

TreeMechanics::TreeMechanics(const TreeReferenceProblem& problem) : m_problem(problem) {
    layOut();
    m_mass.resize(m_velocities, m_velocities);
    m_force.resize(m_velocities);
}

void TreeMechanics::layOut() {
    for (const FlowTree& tree : m_problem.network.trees) {
        TreeSlots& slots = m_slots.emplace_back();
        const auto take = [&](int coordinates, int velocities) {
            const Place place{m_coordinates, m_velocities};
            m_coordinates += coordinates;
            m_velocities += velocities;
            return velocities > 0 ? place : Place();
        };
        if (!tree.base.isFixed) slots.base = take(7, 6);
        for (const TreeLink& link : tree.links) {
            const bool isBall = link.joint == TreeJoint::Spherical;
            const int velocities = link.joint == TreeJoint::Fixed ? 0 : isBall ? 3 : 1;
            slots.links.push_back(take(isBall ? 4 : velocities, velocities));
        }
        for (std::size_t k = 0; k < tree.rotors.size(); ++k) slots.rotors.push_back(take(1, 1));
    }
    for (TreeSlots& slots : m_slots) {
        const auto move = [&](Place& place) { place.u += place.q >= 0 ? m_coordinates : 0; };
        move(slots.base);
        std::for_each(slots.links.begin(), slots.links.end(), move);
        std::for_each(slots.rotors.begin(), slots.rotors.end(), move);
    }
    int at = m_coordinates + m_velocities;
    for (std::size_t e = 0; e < m_problem.network.elements.size(); ++e) {
        const TreeElement& element = m_problem.network.elements[e];
        ElementSlot slot{.terms = {}, .offset = element.offset, .characteristic = Characteristic(element.law)};
        for (const TreeTerm& term : element.terms) slot.terms.emplace_back(placeOf(term), term.coefficient);
        if (slot.characteristic.hasDamperState()) slot.damper = at++;
        m_elementSlots.push_back(std::move(slot));
        m_elements.push_back(static_cast<int>(e));
    }
    m_dynamicSize = at;
    for (ElementSlot& slot : m_elementSlots) {
        slot.integrals = at;
        at += 2;
    }
    m_size = at;
}

TreeMechanics::Place TreeMechanics::placeOf(const TreeTerm& term) const {
    const TreeSlots& slots = m_slots[static_cast<std::size_t>(term.tree)];
    const auto index = static_cast<std::size_t>(term.index);
    return term.kind == TreeTerm::Kind::Joint ? slots.links[index] : slots.rotors[index];
}

void TreeMechanics::setInterval(double from, double to) {
    // A torque is asked a little inside, where a jump at either end belongs to the neighbour.
    const double inside = 8 * std::numeric_limits<double>::epsilon();
    m_from = from + inside * std::abs(from);
    m_to = to - inside * std::abs(to);
}

double TreeMechanics::driveTime(double t) const {
    return std::clamp(t, std::min(m_from, m_to), m_to);
}

TreeMechanics::Measured TreeMechanics::measure(const ElementSlot& slot, const double* y) const {
    Measured measured{slot.offset, 0};
    for (const auto& [place, coefficient] : slot.terms) {
        measured.s += coefficient * y[place.q];
        measured.v += coefficient * y[place.u];
    }
    return measured;
}

double TreeMechanics::damperLength(std::size_t element, double s, const double* y) const {
    const ElementSlot& slot = m_elementSlots[element];
    return slot.damper >= 0 ? slot.characteristic.innerState(s, y[slot.damper])
                            : m_problem.network.elements[element].s_damper;
}

void TreeMechanics::addTree(std::size_t index, double t, const double* y) const {
    const FlowTree& tree = m_problem.network.trees[index];
    const TreeSlots& slots = m_slots[index];
    const auto column = [&](const Place& place) { return place.u - m_coordinates; };
    const auto add = [&](Frame frame, const Vector3d& center, const Loaded& body) {
        frame.shift(frame.rotation * center);
        const Matrix3d inertia = frame.rotation * body.inertia * frame.rotation.transpose();
        const double drag = -tree.linearDamping * (1 + frame.v.norm());
        const double spinDrag = body.isDragged ? -tree.angularDamping * (1 + frame.w.norm()) : 0;
        Vector3d torque = body.torque + inertia * (spinDrag * frame.w - frame.alpha);
        if (tree.gyroscopic) torque -= frame.w.cross(inertia * frame.w);
        m_mass += body.mass * frame.linear.transpose() * frame.linear;
        m_mass += frame.angular.transpose() * inertia * frame.angular;
        m_force += frame.linear.transpose() * (body.force + body.mass * (drag * frame.v - frame.a));
        m_force += frame.angular.transpose() * torque;
    };

    Frame base;
    base.linear = MatrixXd::Zero(3, m_velocities);
    base.angular = MatrixXd::Zero(3, m_velocities);
    base.origin = tree.base.position;
    base.rotation = tree.base.orientation.normalized().toRotationMatrix();
    if (slots.base.q >= 0) {
        base.origin = Eigen::Map<const Vector3d>(y + slots.base.q);
        base.rotation = quaternionAt(y + slots.base.q + 3).toRotationMatrix();
        base.v = Eigen::Map<const Vector3d>(y + slots.base.u);
        base.w = Eigen::Map<const Vector3d>(y + slots.base.u + 3);
        base.linear.middleCols<3>(column(slots.base)).setIdentity();
        base.angular.middleCols<3>(column(slots.base) + 3).setIdentity();
        add(base, Vector3d::Zero(),
            {tree.base.mass, tree.base.inertia, tree.base.force.value(t), tree.base.torque.value(t)});
    }

    std::vector<Frame> frames;
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
        const TreeLink& link = tree.links[i];
        const Place place = slots.links[i];
        Frame frame = link.parent == kTreeBase ? base : frames[static_cast<std::size_t>(link.parent)];
        frame.shift(frame.rotation * link.pivot);
        frame.rotation = frame.rotation * link.orientation.normalized().toRotationMatrix();
        moveByJoint(link, y, place.q, place.u, column(place), frame);
        add(frame, link.centerOfMass, {link.mass, link.inertia, link.force.value(t), link.forceTorque.value(t)});
        frames.push_back(frame);

        if (place.u < 0) continue;
        if (link.joint == TreeJoint::Spherical) {
            m_force.segment<3>(column(place)) += link.ballTorque.value(t);
            continue;
        }
        m_force[column(place)] += link.torque.value(t);
        const auto torque = m_problem.jointTorques.find({static_cast<int>(index), static_cast<int>(i)});
        if (torque != m_problem.jointTorques.end()) m_force[column(place)] += torque->second(driveTime(t));
    }
    // A rotor is a body without mass that turns on its carrier. That it is round saves turning its frame.
    for (std::size_t i = 0; i < tree.rotors.size(); ++i) {
        const TreeRotor& rotor = tree.rotors[i];
        const int at = column(slots.rotors[i]);
        Frame frame = rotor.carrier == kTreeBase ? base : frames[static_cast<std::size_t>(rotor.carrier)];
        const Vector3d axis = frame.rotation * rotor.axis;
        const double rate = y[slots.rotors[i].u];
        frame.alpha += frame.w.cross(axis) * rate;
        frame.w += axis * rate;
        frame.angular.col(at) += axis;
        Loaded body;
        body.inertia = rotor.inertia * rotor.axis * rotor.axis.transpose();
        body.isDragged = false;
        add(frame, Vector3d::Zero(), body);
        m_force[at] += rotor.torque.value(t);
        const auto torque = m_problem.rotorTorques.find({static_cast<int>(index), static_cast<int>(i)});
        if (torque != m_problem.rotorTorques.end()) m_force[at] += torque->second(driveTime(t));
    }
}

void TreeMechanics::derivative(double t, const double* y, const Branches& branches, double* dy) const {
    m_mass.setZero();
    m_force.setZero();
    for (std::size_t k = 0; k < m_slots.size(); ++k) addTree(k, t, y);
    for (std::size_t e = 0; e < m_elementSlots.size(); ++e) {
        const ElementSlot& slot = m_elementSlots[e];
        const Measured measured = measure(slot, y);
        const BranchForce force =
            slot.characteristic.force(branches[e], measured.s, measured.v, damperLength(e, measured.s, y));
        if (slot.damper >= 0) dy[slot.damper] = slot.characteristic.damperRate(branches[e], force.terms.f, measured.v);
        dy[slot.integrals] = force.terms.f;
        dy[slot.integrals + 1] = force.dissipatedPower;
        for (const auto& [place, coefficient] : slot.terms) {
            m_force[place.u - m_coordinates] -= coefficient * force.terms.f;
        }
    }
    Eigen::Map<Vector>(dy + m_coordinates, m_velocities) = m_mass.llt().solve(m_force);

    const auto turn = [&](int at, const Quaterniond& rate) {
        Eigen::Map<Eigen::Vector4d>(dy + at) = 0.5 * rate.coeffs();
    };
    const auto pure = [](const double* w) { return Quaterniond(0, w[0], w[1], w[2]); };
    for (std::size_t k = 0; k < m_slots.size(); ++k) {
        const TreeSlots& slots = m_slots[k];
        if (slots.base.q >= 0) {
            std::copy_n(y + slots.base.u, 3, dy + slots.base.q);
            const Quaterniond q(Eigen::Map<const Eigen::Vector4d>(y + slots.base.q + 3));
            turn(slots.base.q + 3, pure(y + slots.base.u + 3) * q);
        }
        for (std::size_t i = 0; i < slots.links.size(); ++i) {
            const Place place = slots.links[i];
            if (place.q < 0) continue;
            if (m_problem.network.trees[k].links[i].joint == TreeJoint::Spherical) {
                const Quaterniond q(Eigen::Map<const Eigen::Vector4d>(y + place.q));
                turn(place.q, q * pure(y + place.u));
            } else {
                dy[place.q] = y[place.u];
            }
        }
        for (const Place& place : slots.rotors) dy[place.q] = y[place.u];
    }
}

void TreeMechanics::boundaries(double /*t*/, const double* y, const Branches& branches, double* g) const {
    for (std::size_t e = 0; e < m_elementSlots.size(); ++e) {
        const ElementSlot& slot = m_elementSlots[e];
        Characteristic::Boundaries values = {1, 1, 1};
        if (slot.characteristic.hasBranches()) {
            const Measured measured = measure(slot, y);
            values =
                slot.characteristic.boundaries(branches[e], measured.s, measured.v, damperLength(e, measured.s, y));
        }
        std::copy(values.begin(), values.end(), g + e * Characteristic::kMaxBoundaries);
    }
}

int TreeMechanics::distanceCount(int local, Branch branch) const {
    return m_elementSlots[static_cast<std::size_t>(local)].characteristic.distanceCount(branch);
}

bool TreeMechanics::hasBranches() const {
    return std::any_of(m_elementSlots.begin(), m_elementSlots.end(),
                       [](const ElementSlot& slot) { return slot.characteristic.hasBranches(); });
}

void TreeMechanics::boundaryNoise(double /*t*/, const double* y, const Branches& branches, const Vector& errors,
                                  double* noise) const {
    for (std::size_t e = 0; e < m_elementSlots.size(); ++e) {
        const ElementSlot& slot = m_elementSlots[e];
        const Measured measured = measure(slot, y);
        double ds = 0;
        double dv = 0;
        for (const auto& [place, coefficient] : slot.terms) {
            ds += std::abs(coefficient) * errors[place.q];
            dv += std::abs(coefficient) * errors[place.u];
        }
        const auto values = slot.characteristic.boundaryNoise(branches[e], measured.s, measured.v, ds, dv);
        std::copy(values.begin(), values.end(), noise + e * Characteristic::kMaxBoundaries);
    }
}

void TreeMechanics::speedBounds(double /*t*/, const double* y, double* speeds) const {
    for (std::size_t e = 0; e < m_elementSlots.size(); ++e) {
        speeds[e] = 0;
        for (const auto& [place, coefficient] : m_elementSlots[e].terms) {
            speeds[e] += std::abs(coefficient * y[place.u]);
        }
    }
}

double TreeMechanics::rate(double /*t*/, const double* y, int local) const {
    return measure(m_elementSlots[static_cast<std::size_t>(local)], y).v;
}

Branch TreeMechanics::beyond(double t, const double* y, const Branches& branches, int local, int boundary) const {
    const auto e = static_cast<std::size_t>(local);
    return m_elementSlots[e].characteristic.beyond(branches[e], boundary, rate(t, y, local));
}

std::vector<TreeTick> TreeMechanics::trees(const double* y) const {
    std::vector<TreeTick> result;
    for (std::size_t k = 0; k < m_slots.size(); ++k) {
        const FlowTree& tree = m_problem.network.trees[k];
        const TreeSlots& slots = m_slots[k];
        TreeTick& tick = result.emplace_back();
        tick.base = tree.base;
        if (slots.base.q >= 0) {
            tick.base.position = Eigen::Map<const Vector3d>(y + slots.base.q);
            tick.base.orientation = quaternionAt(y + slots.base.q + 3);
            tick.base.velocity = Eigen::Map<const Vector3d>(y + slots.base.u);
            tick.base.angularVelocity = Eigen::Map<const Vector3d>(y + slots.base.u + 3);
        }
        for (std::size_t i = 0; i < tree.links.size(); ++i) {
            TreeJointState& joint = tick.links.emplace_back(tree.links[i]);
            const Place place = slots.links[i];
            if (tree.links[i].joint == TreeJoint::Spherical) {
                joint.turn = quaternionAt(y + place.q);
                joint.spin = Eigen::Map<const Vector3d>(y + place.u);
            } else if (place.q >= 0) {
                joint.q = y[place.q];
                joint.qd = y[place.u];
            }
        }
        for (const Place& place : slots.rotors) tick.rotors.push_back({y[place.q], y[place.u]});
    }
    return result;
}

void TreeMechanics::settle(int local, Branch branch, double* y) const {
    const ElementSlot& slot = m_elementSlots[static_cast<std::size_t>(local)];
    if (slot.damper >= 0) y[slot.damper] = slot.characteristic.settled(branch, y[slot.damper]);
}

void TreeMechanics::report(double /*t*/, const double* y, const Branches& branches, ReferenceState& state) const {
    state.trees = trees(y);
    for (std::size_t e = 0; e < m_elementSlots.size(); ++e) {
        const ElementSlot& slot = m_elementSlots[e];
        const Measured measured = measure(slot, y);
        ReferenceElementState& out = state.elements[e];
        out.s = measured.s;
        out.v = measured.v;
        out.s_damper = slot.characteristic.passiveDamperLength(measured.s, damperLength(e, measured.s, y));
        const BranchForce force = slot.characteristic.force(branches[e], measured.s, measured.v, out.s_damper);
        out.force = force.terms;
        out.lossPower = force.lossPower;
        out.dissipatedPower = force.dissipatedPower;
        out.storedEnergy = slot.characteristic.storedEnergy(measured.s, out.s_damper);
        out.impulse = y[slot.integrals];
        out.heat = y[slot.integrals + 1];
    }
}

}  // namespace elasto::reference
