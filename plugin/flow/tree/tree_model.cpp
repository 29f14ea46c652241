// Coordinates of a tree, and where its links are and how they move.

#include "tree/tree_model.h"

#include "numerics/elementary.h"
#include "tree/tree_rotation.h"

#include <algorithm>

namespace elasto::flow {
namespace {

bool isSimple(const QuadraticLoad& force, const QuadraticLoad& torque) {
    return force.isConstant() && torque.constant.isZero(0) && torque.isConstant();
}

bool isDragged(const FlowTree& tree) {
    return tree.linearDamping > 0 || tree.angularDamping > 0;
}

}  // namespace

void TreeModel::bind(const FlowTree& tree) {
    m_tree = &tree;
    m_isFree = !tree.base.isFixed;
    m_start = Vector(tree.base.position);
    m_origin = m_start;
    m_baseRest = Matrix(tree.base.orientation.normalized().toRotationMatrix());
    m_hasSimpleLoads = tree.linearDamping == 0 && tree.angularDamping == 0;
    m_bodies.resize(tree.links.size() + 1);
    m_dofs.clear();
    m_rotations.clear();
    m_isPlaced = false;
    m_isFactored = false;
    bindBase(tree);
    for (std::size_t i = 0; i < tree.links.size(); ++i) bindLink(tree, i);
    m_rotors.clear();
    for (const TreeRotor& rotor : tree.rotors) bindRotor(rotor);
    m_directions.resize(static_cast<std::size_t>(jointSize()));
    m_factor.assign(m_dofs.size() * m_dofs.size(), 0);
    if (m_isFree) {
        for (int k = 0; k < 3; ++k) {
            const Vector unit(Eigen::Vector3d::Unit(k));
            m_directions[static_cast<std::size_t>(k)] = {{}, unit};
            m_directions[static_cast<std::size_t>(k) + 3] = {unit, {}};
        }
    }
}

void TreeModel::bindBase(const FlowTree& tree) {
    Body& base = m_bodies[0];
    base.parent = -1;
    base.joint = TreeJoint::Fixed;
    base.dof = -1;
    base.dofs = 0;
    base.center = {};
    base.mass = m_isFree ? tree.base.mass : 0;
    base.inertia = Symmetric(tree.base.inertia);
    base.hasInertia = m_isFree && !tree.base.inertia.isZero(0);
    base.rotation = m_baseRest;
    base.position = {};
    base.centerNow = {};
    base.twist = {};
    base.acceleration = {};
    if (m_isFree) {
        for (int k = 0; k < 6; ++k) m_dofs.push_back({k - 1, 0});
        base.dof = 0;
        base.dofs = 6;
        m_rotations.push_back(3);
        m_hasSimpleLoads = m_hasSimpleLoads && isSimple(tree.base.force, tree.base.torque);
    }
    base.isLoaded = isDragged(tree) || !isSimple(tree.base.force, tree.base.torque);
    m_mass = base.mass;
}

/// Coordinate before a body: the nearest one towards the base, -1 for none.
Eigen::Index TreeModel::coordinateBefore(int body) const {
    for (int at = body; at >= 0; at = m_bodies[static_cast<std::size_t>(at)].parent) {
        const Body& ancestor = m_bodies[static_cast<std::size_t>(at)];
        if (ancestor.dofs > 0) return ancestor.dof + ancestor.dofs - 1;
    }
    return -1;
}

void TreeModel::bindLink(const FlowTree& tree, std::size_t i) {
    const TreeLink& link = tree.links[i];
    Body& body = m_bodies[i + 1];
    body.parent = link.parent + 1;
    body.joint = link.joint;
    body.pivot = Vector(link.pivot);
    body.center = Vector(link.centerOfMass);
    body.axis = Vector(link.axis);
    body.inertia = Symmetric(link.inertia);
    body.mass = link.mass;
    body.hasInertia = !link.inertia.isZero(0);
    body.isLoaded = isDragged(tree) || !isSimple(link.force, link.forceTorque);
    body.rest = Matrix(link.orientation.normalized().toRotationMatrix());
    m_mass += link.mass;
    const auto first = static_cast<Eigen::Index>(m_dofs.size());
    const Eigen::Index before = coordinateBefore(body.parent);
    body.dofs = link.joint == TreeJoint::Fixed ? 0 : link.joint == TreeJoint::Spherical ? 3 : 1;
    body.dof = body.dofs > 0 ? first : -1;
    for (int k = 0; k < body.dofs; ++k) m_dofs.push_back({k == 0 ? before : first + k - 1, i + 1});
    switch (link.joint) {
        case TreeJoint::Revolute: {
            const Vector& n = body.axis;
            const Matrix turn({0, n.z, -n.y}, {-n.z, 0, n.x}, {n.y, -n.x, 0});  // v -> n x v
            body.restSine = body.rest * turn;
            body.restCosine = body.restSine * turn;
            break;
        }
        case TreeJoint::Prismatic:
            body.slide = body.rest * body.axis;
            break;
        case TreeJoint::Spherical:
            body.rest = body.rest * Matrix(link.turn.normalized().toRotationMatrix());
            m_rotations.push_back(first);
            break;
        case TreeJoint::Fixed:
            break;
    }
    m_hasSimpleLoads = m_hasSimpleLoads && isSimple(link.force, link.forceTorque) && link.torque.isConstant() &&
                       link.ballTorque.constant.isZero(0) && link.ballTorque.isConstant();
}

void TreeModel::bindRotor(const TreeRotor& rotor) {
    const int carrier = rotor.carrier + 1;
    m_dofs.push_back({coordinateBefore(carrier), static_cast<std::size_t>(carrier)});
    m_rotors.push_back({static_cast<std::size_t>(carrier), rotor.inertia, Vector(rotor.axis), {}, 0});
    m_hasSimpleLoads = m_hasSimpleLoads && rotor.torque.isConstant();
}

void TreeModel::readStart(double* position, double* velocity) const {
    if (m_isFree) {
        for (int k = 0; k < 3; ++k) {
            position[k] = position[k + 3] = 0;
            velocity[k] = m_tree->base.velocity[k];
            velocity[k + 3] = m_tree->base.angularVelocity[k];
        }
    }
    for (std::size_t i = 1; i < m_bodies.size(); ++i) {
        const Body& body = m_bodies[i];
        const TreeLink& link = m_tree->links[i - 1];
        for (int k = 0; k < body.dofs; ++k) {
            position[body.dof + k] = body.dofs == 1 ? link.q : 0;
            velocity[body.dof + k] = body.dofs == 1 ? link.qd : link.spin[k];
        }
    }
    for (std::size_t r = 0; r < m_rotors.size(); ++r) {
        const Eigen::Index dof = jointSize() + static_cast<Eigen::Index>(r);
        position[dof] = m_tree->rotors[r].phi;
        velocity[dof] = m_tree->rotors[r].w;
    }
}

void TreeModel::restartRotations(double* position) {
    m_isPlaced = false;
    m_isFactored = false;
    for (const Eigen::Index at : m_rotations) {
        Eigen::Map<Eigen::Vector3d> vector(position + at);
        Body& body = m_bodies[m_dofs[static_cast<std::size_t>(at)].body];
        if (body.parent < 0) {
            m_baseRest = Matrix(rotationOf(vector)) * m_baseRest;
        } else {
            body.rest = body.rest * Matrix(rotationOf(vector));
        }
        vector.setZero();
    }
}

void TreeModel::rates(const double* position, const double* velocity, double* rate) const {
    for (Eigen::Index i = 0; i < size(); ++i) rate[i] = velocity[i];
    for (const Eigen::Index at : m_rotations) {
        const bool isBase = m_dofs[static_cast<std::size_t>(at)].body == 0;
        const Eigen::Map<const Eigen::Vector3d> vector(position + at), spin(velocity + at);
        Eigen::Map<Eigen::Vector3d>(rate + at) = rotationVectorRate(vector, spin, isBase ? -1 : 1);
    }
}

void TreeModel::place(const double* position) {
    const auto count = static_cast<std::size_t>(jointSize());
    if (m_isPlaced && std::equal(m_placed.begin(), m_placed.end(), position)) return;
    m_placed.assign(position, position + count);
    m_isPlaced = true;
    m_isFactored = false;
    Body& base = m_bodies[0];
    if (m_isFree) {
        m_origin = m_start + Vector(position);
        base.rotation = Matrix(rotationOf(Eigen::Map<const Eigen::Vector3d>(position + 3))) * m_baseRest;
    }
    Vector moment;
    for (std::size_t i = 0; i < m_bodies.size(); ++i) {
        Body& body = m_bodies[i];
        if (i > 0) placeBody(body, position);
        const Vector c = body.position + body.rotation * body.center;
        const Vector mc = body.mass * c;
        moment += mc;
        // Steiner: m (c.c 1 - c c^T)
        Symmetric rotational = body.hasInertia ? turned(body.rotation, body.inertia) : Symmetric();
        rotational.xx += mc.y * c.y + mc.z * c.z;
        rotational.yy += mc.x * c.x + mc.z * c.z;
        rotational.zz += mc.x * c.x + mc.y * c.y;
        rotational.xy -= mc.x * c.y;
        rotational.xz -= mc.x * c.z;
        rotational.yz -= mc.y * c.z;
        body.centerNow = c;
        body.own.mass = body.mass;
        body.own.moment = mc;
        body.own.rotational = rotational;
    }
    m_center = m_mass > 0 ? (1 / m_mass) * moment : Vector();
    for (Rotor& rotor : m_rotors) rotor.axisNow = m_bodies[rotor.carrier].rotation * rotor.axis;
}

void TreeModel::placeBody(Body& body, const double* position) {
    const Body& parent = m_bodies[static_cast<std::size_t>(body.parent)];
    const Matrix up = parent.rotation;
    Vector at = parent.position + up * body.pivot;
    switch (body.joint) {
        case TreeJoint::Fixed:
            body.rotation = up * body.rest;
            break;
        case TreeJoint::Revolute: {
            const double q = position[body.dof];
            const double sine = elementary::sin(q);
            const double rest = 1 - elementary::cos(q);
            const Matrix R = up * (body.rest + sine * body.restSine + rest * body.restCosine);
            const Vector axis = R * body.axis;
            body.rotation = R;
            m_directions[static_cast<std::size_t>(body.dof)] = {axis, cross(at, axis)};
            break;
        }
        case TreeJoint::Prismatic: {
            const Vector slide = up * body.slide;
            at += position[body.dof] * slide;
            body.rotation = up * body.rest;
            m_directions[static_cast<std::size_t>(body.dof)] = {{}, slide};
            break;
        }
        case TreeJoint::Spherical: {
            const Eigen::Map<const Eigen::Vector3d> turn(position + body.dof);
            const Matrix R = up * (body.rest * Matrix(rotationOf(turn)));
            body.rotation = R;
            const Vector* axes[] = {&R.a, &R.b, &R.c};
            for (int k = 0; k < 3; ++k) {
                m_directions[static_cast<std::size_t>(body.dof + k)] = {*axes[k], cross(at, *axes[k])};
            }
            break;
        }
    }
    body.position = at;
}

void TreeModel::move(const double* velocity) {
    m_velocity = velocity;
    Body& base = m_bodies[0];
    if (m_isFree) {
        base.twist.linear = Vector(velocity);
        base.twist.angular = Vector(velocity + 3);
        // The velocity of the moving centre of mass changes even where that of the point it passes does not.
        base.acceleration.linear = cross(base.twist.linear, base.twist.angular);
    }
    for (std::size_t i = 1; i < m_bodies.size(); ++i) {
        Body& body = m_bodies[i];
        const Body& parent = m_bodies[static_cast<std::size_t>(body.parent)];
        Spatial twist = parent.twist;
        Spatial acceleration = parent.acceleration;
        if (body.dofs > 0) {
            Spatial own;
            for (int k = 0; k < body.dofs; ++k) {
                const Spatial& direction = m_directions[static_cast<std::size_t>(body.dof + k)];
                const double rate = velocity[body.dof + k];
                own.angular += rate * direction.angular;
                own.linear += rate * direction.linear;
            }
            acceleration += crossMotion(twist, own);
            twist += own;
        }
        body.twist = twist;
        body.acceleration = acceleration;
    }
    for (std::size_t r = 0; r < m_rotors.size(); ++r) {
        Rotor& rotor = m_rotors[r];
        const double rate = velocity[jointSize() + static_cast<Eigen::Index>(r)];
        rotor.spin = dot(rotor.axisNow, m_bodies[rotor.carrier].twist.angular) + rate;
    }
}

BodyState TreeModel::baseState() const {
    BodyState state;
    state.position = m_origin.eigen();
    state.orientation =
        m_isFree ? Eigen::Quaterniond(m_bodies[0].rotation.eigen()).normalized() : m_tree->base.orientation;
    state.velocity = m_bodies[0].twist.linear.eigen();
    state.angularVelocity = m_bodies[0].twist.angular.eigen();
    return state;
}

BodyState TreeModel::frameState(int link) const {
    const Body& body = m_bodies[static_cast<std::size_t>(link) + 1];
    BodyState state;
    state.position = (m_origin + body.position).eigen();
    state.orientation = Eigen::Quaterniond(body.rotation.eigen()).normalized();
    state.velocity = (body.twist.linear + cross(body.twist.angular, body.position)).eigen();
    state.angularVelocity = body.twist.angular.eigen();
    return state;
}

Eigen::Quaterniond TreeModel::turnOf(int link, const double* position) const {
    const Body& body = m_bodies[static_cast<std::size_t>(link) + 1];
    const Eigen::Map<const Eigen::Vector3d> vector(position + body.dof);
    const Eigen::Quaterniond rest(m_tree->links[static_cast<std::size_t>(link)].orientation.conjugate() *
                                  Eigen::Quaterniond(body.rest.eigen()));
    return (rest * quaternionOf(vector)).normalized();
}

}  // namespace elasto::flow
