#include "tree_model.h"

#include "elementary.h"
#include "tree_rotation.h"

#include <cmath>

namespace elasto::flow {
namespace {

Eigen::Matrix3d crossMatrix(const Eigen::Vector3d& v) {
    Eigen::Matrix3d m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
}

/// Rate of change of a direction that moves along with the first twist.
Spatial crossMotion(const Spatial& twist, const Spatial& direction) {
    return {twist.angular.cross(direction.angular),
            twist.angular.cross(direction.linear) + twist.linear.cross(direction.angular)};
}

Spatial crossForce(const Spatial& twist, const Spatial& force) {
    return {twist.angular.cross(force.angular) + twist.linear.cross(force.linear), twist.angular.cross(force.linear)};
}

bool isSimple(const QuadraticLoad& force, const QuadraticLoad& torque) {
    return force.isConstant() && torque.constant.isZero(0) && torque.isConstant();
}

}  // namespace

void TreeModel::bind(const FlowTree& tree) {
    m_tree = &tree;
    m_isFree = !tree.base.isFixed;
    m_start = tree.base.position;
    m_origin = m_start;
    m_baseRest = tree.base.orientation.normalized().toRotationMatrix();
    m_hasSimpleLoads = tree.linearDamping == 0 && tree.angularDamping == 0;
    m_bodies.resize(tree.links.size() + 1);
    m_dofs.clear();
    m_rotations.clear();

    Body& base = m_bodies[0];
    base.parent = -1;
    base.joint = TreeJoint::Fixed;
    base.dof = -1;
    base.dofs = 0;
    base.center.setZero();
    base.mass = m_isFree ? tree.base.mass : 0;
    base.inertia = tree.base.inertia;
    base.hasInertia = m_isFree && !tree.base.inertia.isZero(0);
    base.rotation = m_baseRest;
    base.position.setZero();
    base.centerNow.setZero();
    base.twist = {};
    base.acceleration = {};
    if (m_isFree) {
        for (int k = 0; k < 6; ++k) m_dofs.push_back({k - 1, 0});
        base.dof = 0;
        base.dofs = 6;
        m_rotations.push_back(3);
        m_hasSimpleLoads = m_hasSimpleLoads && isSimple(tree.base.force, tree.base.torque);
    }
    m_mass = base.mass;
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
        const TreeLink& link = tree.links[i];
        Body& body = m_bodies[i + 1];
        body.parent = link.parent + 1;
        body.joint = link.joint;
        body.pivot = link.pivot;
        body.center = link.centerOfMass;
        body.axis = link.axis;
        body.inertia = link.inertia;
        body.mass = link.mass;
        body.hasInertia = !link.inertia.isZero(0);
        body.rest = link.orientation.normalized().toRotationMatrix();
        m_mass += link.mass;
        const auto first = static_cast<Eigen::Index>(m_dofs.size());
        // The nearest coordinate towards the base.
        Eigen::Index before = -1;
        for (int at = body.parent; at >= 0; at = m_bodies[static_cast<std::size_t>(at)].parent) {
            const Body& ancestor = m_bodies[static_cast<std::size_t>(at)];
            if (ancestor.dofs > 0) {
                before = ancestor.dof + ancestor.dofs - 1;
                break;
            }
        }
        body.dofs = link.joint == TreeJoint::Fixed ? 0 : link.joint == TreeJoint::Spherical ? 3 : 1;
        body.dof = body.dofs > 0 ? first : -1;
        for (int k = 0; k < body.dofs; ++k) m_dofs.push_back({k == 0 ? before : first + k - 1, i + 1});
        switch (link.joint) {
            case TreeJoint::Revolute: {
                const Eigen::Matrix3d turn = crossMatrix(link.axis);
                body.restSine = body.rest * turn;
                body.restCosine = body.restSine * turn;
                break;
            }
            case TreeJoint::Prismatic:
                body.slide = body.rest * link.axis;
                break;
            case TreeJoint::Spherical:
                body.rest = body.rest * link.turn.normalized().toRotationMatrix();
                m_rotations.push_back(first);
                break;
            case TreeJoint::Fixed:
                break;
        }
        m_hasSimpleLoads = m_hasSimpleLoads && isSimple(link.force, link.forceTorque) && link.torque.isConstant() &&
                           link.ballTorque.constant.isZero(0) && link.ballTorque.isConstant();
    }
    m_directions.resize(m_dofs.size());
    m_factor.assign(m_dofs.size() * m_dofs.size(), 0);
    if (m_isFree) {
        for (int k = 0; k < 3; ++k) {
            m_directions[static_cast<std::size_t>(k)] = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Unit(k)};
            m_directions[static_cast<std::size_t>(k) + 3] = {Eigen::Vector3d::Unit(k), Eigen::Vector3d::Zero()};
        }
    }
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
}

void TreeModel::restartRotations(double* position) {
    for (const Eigen::Index at : m_rotations) {
        Eigen::Map<Eigen::Vector3d> vector(position + at);
        Body& body = m_bodies[m_dofs[static_cast<std::size_t>(at)].body];
        if (body.parent < 0) {
            m_baseRest = rotationOf(vector) * m_baseRest;
        } else {
            body.rest = body.rest * rotationOf(vector);
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
    Body& base = m_bodies[0];
    if (m_isFree) {
        const Eigen::Map<const Eigen::Vector3d> way(position), turn(position + 3);
        m_origin = m_start + way;
        base.rotation = rotationOf(turn) * m_baseRest;
    }
    Eigen::Vector3d moment = Eigen::Vector3d::Zero();
    for (std::size_t i = 1; i < m_bodies.size(); ++i) {
        Body& body = m_bodies[i];
        const Body& parent = m_bodies[static_cast<std::size_t>(body.parent)];
        body.position = parent.position + parent.rotation * body.pivot;
        switch (body.joint) {
            case TreeJoint::Fixed:
                body.rotation = parent.rotation * body.rest;
                break;
            case TreeJoint::Revolute: {
                const double q = position[body.dof];
                const double sine = elementary::sin(q);
                const double rest = 1 - elementary::cos(q);
                const Eigen::Matrix3d local = body.rest + sine * body.restSine + rest * body.restCosine;
                body.rotation.noalias() = parent.rotation * local;
                Spatial& direction = m_directions[static_cast<std::size_t>(body.dof)];
                direction.angular = body.rotation * body.axis;
                direction.linear = body.position.cross(direction.angular);
                break;
            }
            case TreeJoint::Prismatic: {
                const Eigen::Vector3d slide = parent.rotation * body.slide;
                body.position += position[body.dof] * slide;
                body.rotation = parent.rotation * body.rest;
                m_directions[static_cast<std::size_t>(body.dof)] = {Eigen::Vector3d::Zero(), slide};
                break;
            }
            case TreeJoint::Spherical: {
                const Eigen::Map<const Eigen::Vector3d> turn(position + body.dof);
                body.rotation = parent.rotation * body.rest * rotationOf(turn);
                for (int k = 0; k < 3; ++k) {
                    const Eigen::Vector3d axis = body.rotation.col(k);
                    m_directions[static_cast<std::size_t>(body.dof + k)] = {axis, body.position.cross(axis)};
                }
                break;
            }
        }
        body.centerNow = body.position + body.rotation * body.center;
        moment += body.mass * body.centerNow;
    }
    for (Body& body : m_bodies) {
        const Eigen::Vector3d& c = body.centerNow;
        body.own.mass = body.mass;
        body.own.moment = body.mass * c;
        if (body.hasInertia) {
            const Eigen::Matrix3d turned = body.rotation * body.inertia;
            body.own.rotational.noalias() = turned * body.rotation.transpose();
        } else {
            body.own.rotational.setZero();
        }
        // Steiner: m (c.c 1 - c c^T)
        const Eigen::Vector3d& mc = body.own.moment;
        body.own.rotational.noalias() -= mc * c.transpose();
        body.own.rotational.diagonal().array() += mc.dot(c);
    }
    m_center = m_mass > 0 ? Eigen::Vector3d(moment / m_mass) : Eigen::Vector3d::Zero();
}

void TreeModel::move(const double* velocity) {
    m_velocity = velocity;
    Body& base = m_bodies[0];
    if (m_isFree) {
        base.twist.linear = Eigen::Map<const Eigen::Vector3d>(velocity);
        base.twist.angular = Eigen::Map<const Eigen::Vector3d>(velocity + 3);
        // The velocity of the moving centre of mass changes even where that of the point it passes does not.
        base.acceleration.linear = base.twist.linear.cross(base.twist.angular);
    }
    for (std::size_t i = 1; i < m_bodies.size(); ++i) {
        Body& body = m_bodies[i];
        const Body& parent = m_bodies[static_cast<std::size_t>(body.parent)];
        Spatial own;
        for (int k = 0; k < body.dofs; ++k) {
            const Spatial& direction = m_directions[static_cast<std::size_t>(body.dof + k)];
            const double rate = velocity[body.dof + k];
            own.angular += rate * direction.angular;
            own.linear += rate * direction.linear;
        }
        body.twist = parent.twist;
        body.acceleration = parent.acceleration;
        if (body.dofs > 0) {
            body.twist += own;
            body.acceleration += crossMotion(parent.twist, own);
        }
    }
}

const QuadraticLoad& TreeModel::forceOn(std::size_t body) const {
    return body == 0 ? m_tree->base.force : m_tree->links[body - 1].force;
}

const QuadraticLoad& TreeModel::torqueOn(std::size_t body) const {
    return body == 0 ? m_tree->base.torque : m_tree->links[body - 1].forceTorque;
}

void TreeModel::addLoads(double t, std::size_t index, Spatial& force, TreeLoadRates* rates) const {
    const Body& body = m_bodies[index];
    const QuadraticLoad& load = forceOn(index);
    Eigen::Vector3d pull = load.isConstant() ? load.constant : load.value(t);
    Eigen::Vector3d turn = torqueOn(index).isConstant() ? torqueOn(index).constant : torqueOn(index).value(t);
    const auto velocity = [&] { return Eigen::Vector3d(body.twist.linear + body.twist.angular.cross(body.centerNow)); };
    if (rates != nullptr) {
        if (!load.isConstant()) rates->work += pull.dot(velocity());
        rates->work += turn.dot(body.twist.angular);
    }
    const double linear = m_tree->linearDamping;
    const double angular = m_tree->angularDamping;
    if (linear > 0 || angular > 0) {
        const Eigen::Vector3d v = velocity();
        const Eigen::Vector3d& w = body.twist.angular;
        const Eigen::Vector3d drag = -body.mass * linear * (1 + v.norm()) * v;
        const Eigen::Vector3d brake =
            -angular * (1 + w.norm()) * (body.rotation * (body.inertia * (body.rotation.transpose() * w)));
        if (rates != nullptr) rates->work += drag.dot(v) + (body.hasInertia ? brake.dot(w) : 0);
        pull += drag;
        if (body.hasInertia) turn += brake;
    }
    force.linear += pull;
    force.angular += turn + body.centerNow.cross(pull);
    if (rates != nullptr) {
        rates->force += pull;
        rates->moment += turn + (body.centerNow - m_center).cross(pull);
    }
}

void TreeModel::drive(double t, double* drive, TreeLoadRates* rates) {
    for (std::size_t i = m_isFree ? 0 : 1; i < m_bodies.size(); ++i) {
        Body& body = m_bodies[i];
        const Spatial momentum = body.own * body.twist;
        const Spatial gyroscopic = crossForce(body.twist, momentum);
        Spatial load;
        addLoads(t, i, load, rates);
        body.force = body.own * body.acceleration;
        body.force += gyroscopic;
        if (!m_tree->gyroscopic && body.hasInertia) {
            const Eigen::Vector3d& w = body.twist.angular;
            const Eigen::Vector3d own = body.rotation * (body.inertia * (body.rotation.transpose() * w));
            body.force.angular -= w.cross(own);
        }
        body.force.angular -= load.angular;
        body.force.linear -= load.linear;
    }
    for (std::size_t i = m_bodies.size() - 1; i > 0; --i) {
        const Body& body = m_bodies[i];
        if (body.dofs > 0) {
            const TreeLink& link = m_tree->links[i - 1];
            const bool isBall = body.joint == TreeJoint::Spherical;
            const Eigen::Vector3d ball = isBall ? link.ballTorque.value(t) : Eigen::Vector3d::Zero();
            for (int k = 0; k < body.dofs; ++k) {
                const auto dof = static_cast<std::size_t>(body.dof + k);
                const double torque = isBall ? ball[k] : link.torque.value(t);
                drive[dof] = torque - m_directions[dof].dot(body.force);
                const bool isCounted = isBall || !link.torque.isConstant();
                if (rates != nullptr && isCounted) rates->work += torque * m_velocity[dof];
            }
        }
        m_bodies[static_cast<std::size_t>(body.parent)].force += body.force;
    }
    if (m_isFree) {
        Eigen::Map<Eigen::Vector3d> linear(drive), angular(drive + 3);
        linear = -m_bodies[0].force.linear;
        angular = -m_bodies[0].force.angular;
    }
}

void TreeModel::factorInertia() {
    const Eigen::Index n = size();
    for (Body& body : m_bodies) body.composite = body.own;
    for (std::size_t i = m_bodies.size() - 1; i > 0; --i) {
        m_bodies[static_cast<std::size_t>(m_bodies[i].parent)].composite += m_bodies[i].composite;
    }
    double* H = m_factor.data();
    for (Eigen::Index k = 0; k < n; ++k) {
        const Dof& dof = m_dofs[static_cast<std::size_t>(k)];
        const Spatial& direction = m_directions[static_cast<std::size_t>(k)];
        const Spatial force = m_bodies[dof.body].composite * direction;
        H[k * n + k] = direction.dot(force);
        for (Eigen::Index j = dof.parent; j >= 0; j = m_dofs[static_cast<std::size_t>(j)].parent) {
            H[k * n + j] = m_directions[static_cast<std::size_t>(j)].dot(force);
        }
    }
    const auto parentOf = [&](Eigen::Index k) { return m_dofs[static_cast<std::size_t>(k)].parent; };
    for (Eigen::Index k = n - 1; k >= 0; --k) {
        const double inverse = 1 / H[k * n + k];
        for (Eigen::Index i = parentOf(k); i >= 0; i = parentOf(i)) {
            const double share = H[k * n + i] * inverse;
            for (Eigen::Index j = i; j >= 0; j = parentOf(j)) H[i * n + j] -= share * H[k * n + j];
            H[k * n + i] = share;
        }
        H[k * n + k] = inverse;
    }
}

bool TreeModel::isMovable(Eigen::Index k) const {
    const double inverse = m_factor[static_cast<std::size_t>(k * size() + k)];
    return inverse > 0 && std::isfinite(inverse);
}

void TreeModel::solve(double* x) const {
    const Eigen::Index n = size();
    const double* L = m_factor.data();
    const auto parentOf = [&](Eigen::Index k) { return m_dofs[static_cast<std::size_t>(k)].parent; };
    for (Eigen::Index i = n - 1; i >= 0; --i) {
        for (Eigen::Index j = parentOf(i); j >= 0; j = parentOf(j)) x[j] -= L[i * n + j] * x[i];
    }
    for (Eigen::Index i = 0; i < n; ++i) {
        x[i] *= L[i * n + i];
        for (Eigen::Index j = parentOf(i); j >= 0; j = parentOf(j)) x[i] -= L[i * n + j] * x[j];
    }
}

double TreeModel::kineticEnergy() const {
    double sum = 0;
    for (const Body& body : m_bodies) sum += 0.5 * body.twist.dot(body.own * body.twist);
    return sum;
}

Spatial TreeModel::momentum() const {
    Spatial sum;
    for (const Body& body : m_bodies) sum += body.own * body.twist;
    return sum;
}

SpatialInertia TreeModel::inertia() const {
    SpatialInertia sum;
    for (const Body& body : m_bodies) sum += body.own;
    return sum;
}

double TreeModel::forceWork() const {
    double sum = 0;
    for (std::size_t i = m_isFree ? 0 : 1; i < m_bodies.size(); ++i) {
        const QuadraticLoad& force = forceOn(i);
        if (force.isConstant()) sum += force.constant.dot(m_bodies[i].centerNow + (m_origin - m_start));
    }
    return sum;
}

BodyState TreeModel::baseState() const {
    BodyState state;
    state.position = m_origin;
    state.orientation = m_isFree ? Eigen::Quaterniond(m_bodies[0].rotation).normalized() : m_tree->base.orientation;
    state.velocity = m_bodies[0].twist.linear;
    state.angularVelocity = m_bodies[0].twist.angular;
    return state;
}

BodyState TreeModel::frameState(int link) const {
    const Body& body = m_bodies[static_cast<std::size_t>(link) + 1];
    BodyState state;
    state.position = m_origin + body.position;
    state.orientation = Eigen::Quaterniond(body.rotation).normalized();
    state.velocity = body.twist.linear + body.twist.angular.cross(body.position);
    state.angularVelocity = body.twist.angular;
    return state;
}

Eigen::Quaterniond TreeModel::turnOf(int link, const double* position) const {
    const Body& body = m_bodies[static_cast<std::size_t>(link) + 1];
    const Eigen::Map<const Eigen::Vector3d> vector(position + body.dof);
    const Eigen::Quaterniond rest(m_tree->links[static_cast<std::size_t>(link)].orientation.conjugate() *
                                  Eigen::Quaterniond(body.rest));
    return (rest * quaternionOf(vector)).normalized();
}

}  // namespace elasto::flow
