// Equations of motion of a tree: loads, inertia matrix and its factor, energies.

#include "tree/tree_model.h"

#include <cmath>

namespace elasto::flow {

const QuadraticLoad& TreeModel::forceOn(std::size_t body) const {
    return body == 0 ? m_tree->base.force : m_tree->links[body - 1].force;
}

const QuadraticLoad& TreeModel::torqueOn(std::size_t body) const {
    return body == 0 ? m_tree->base.torque : m_tree->links[body - 1].forceTorque;
}

/// Loads of a body that are more than a constant force at its centre of mass.
Spatial TreeModel::loadOn(double t, std::size_t index, TreeLoadRates* rates) const {
    const Body& body = m_bodies[index];
    const QuadraticLoad& load = forceOn(index);
    Vector pull(load.value(t));
    Vector turn(torqueOn(index).value(t));
    const Vector& w = body.twist.angular;
    const Vector v = body.twist.linear + cross(w, body.centerNow);
    double work = dot(turn, w) + (load.isConstant() ? 0 : dot(pull, v));
    const double linear = m_tree->linearDamping;
    const double angular = m_tree->angularDamping;
    if (linear > 0 || angular > 0) {
        const Vector drag = -body.mass * linear * (1 + std::sqrt(dot(v, v))) * v;
        const Vector brake = -angular * (1 + std::sqrt(dot(w, w))) * spinMomentum(body);
        work += dot(drag, v) + dot(brake, w);
        pull += drag;
        turn += brake;
    }
    if (rates != nullptr) {
        rates->work += work;
        rates->force += pull;
        rates->moment += turn + cross(body.centerNow - m_center, pull);
    }
    return {turn + cross(body.centerNow, pull), pull};
}

/// Of a body's turning about its own centre of mass.
Vector TreeModel::spinMomentum(const Body& body) {
    if (!body.hasInertia) return {};
    return body.rotation * (body.inertia * turnedBack(body.rotation, body.twist.angular));
}

/// What moves a body so, about the reference point.
Spatial TreeModel::neededForce(const Body& body, const Spatial& acceleration) const {
    const Spatial twist = body.twist;
    const SpatialInertia own = body.own;
    Spatial force = own * acceleration;
    force += crossForce(twist, own * twist);
    if (!m_tree->gyroscopic) force.angular -= cross(twist.angular, spinMomentum(body));
    return force;
}

void TreeModel::driveRotor(std::size_t r, double t, double* drive, TreeLoadRates* rates) {
    const Rotor& rotor = m_rotors[r];
    Body& carrier = m_bodies[rotor.carrier];
    const Eigen::Index dof = jointSize() + static_cast<Eigen::Index>(r);
    const double needed = rotor.inertia * dot(rotor.axisNow, carrier.acceleration.angular);
    carrier.force.angular += needed * rotor.axisNow;
    if (m_tree->gyroscopic) {
        carrier.force.angular += (rotor.inertia * rotor.spin) * cross(carrier.twist.angular, rotor.axisNow);
    }
    const QuadraticTorque& load = m_tree->rotors[r].torque;
    const double torque = load.value(t);
    drive[dof] = torque - needed;
    if (rates != nullptr && !load.isConstant()) rates->work += torque * m_velocity[dof];
}

void TreeModel::drive(double t, double* drive, TreeLoadRates* rates) {
    for (std::size_t i = m_isFree ? 0 : 1; i < m_bodies.size(); ++i) {
        Body& body = m_bodies[i];
        Spatial force = neededForce(body, body.acceleration);
        Spatial load;
        if (body.isLoaded || (rates != nullptr && m_isFree)) {
            load = loadOn(t, i, rates);
        } else {
            const Vector pull(forceOn(i).constant);
            load = {cross(body.centerNow, pull), pull};
        }
        force.angular -= load.angular;
        force.linear -= load.linear;
        body.force = force;
    }
    for (std::size_t r = 0; r < m_rotors.size(); ++r) driveRotor(r, t, drive, rates);
    for (std::size_t i = m_bodies.size() - 1; i > 0; --i) {
        const Body& body = m_bodies[i];
        const Spatial force = body.force;
        if (body.dofs > 0) {
            const TreeLink& link = m_tree->links[i - 1];
            const bool isBall = body.joint == TreeJoint::Spherical;
            const Eigen::Vector3d ball = isBall ? link.ballTorque.value(t) : Eigen::Vector3d::Zero();
            for (int k = 0; k < body.dofs; ++k) {
                const auto dof = static_cast<std::size_t>(body.dof + k);
                const double torque = isBall ? ball[k] : link.torque.value(t);
                drive[dof] = torque - dot(m_directions[dof], force);
                const bool isCounted = isBall || !link.torque.isConstant();
                if (rates != nullptr && isCounted) rates->work += torque * m_velocity[dof];
            }
        }
        m_bodies[static_cast<std::size_t>(body.parent)].force += force;
    }
    if (m_isFree) {
        const Spatial& force = m_bodies[0].force;
        const double parts[6] = {force.linear.x,  force.linear.y,  force.linear.z,
                                 force.angular.x, force.angular.y, force.angular.z};
        for (int k = 0; k < 6; ++k) drive[k] = -parts[k];
    }
}

/// A rotor's row of L is what the rates of its carrier's coordinates give to its spin.
void TreeModel::factorRotors() {
    const Eigen::Index n = size();
    for (std::size_t r = 0; r < m_rotors.size(); ++r) {
        const Eigen::Index k = jointSize() + static_cast<Eigen::Index>(r);
        double* row = m_factor.data() + k * n;
        row[k] = 1 / m_rotors[r].inertia;
        for (Eigen::Index j = m_dofs[static_cast<std::size_t>(k)].parent; j >= 0;
             j = m_dofs[static_cast<std::size_t>(j)].parent) {
            row[j] = dot(m_directions[static_cast<std::size_t>(j)].angular, m_rotors[r].axisNow);
        }
    }
}

void TreeModel::factorInertia() {
    if (m_isFactored) return;
    m_isFactored = true;
    const Eigen::Index n = size();
    for (Body& body : m_bodies) body.composite = body.own;
    for (std::size_t i = m_bodies.size() - 1; i > 0; --i) {
        m_bodies[static_cast<std::size_t>(m_bodies[i].parent)].composite += m_bodies[i].composite;
    }
    double* H = m_factor.data();
    for (Eigen::Index k = 0; k < jointSize(); ++k) {
        const Dof& dof = m_dofs[static_cast<std::size_t>(k)];
        const Spatial& direction = m_directions[static_cast<std::size_t>(k)];
        const Spatial force = m_bodies[dof.body].composite * direction;
        H[k * n + k] = dot(direction, force);
        for (Eigen::Index j = dof.parent; j >= 0; j = m_dofs[static_cast<std::size_t>(j)].parent) {
            H[k * n + j] = dot(m_directions[static_cast<std::size_t>(j)], force);
        }
    }
    const auto parentOf = [&](Eigen::Index k) { return m_dofs[static_cast<std::size_t>(k)].parent; };
    for (Eigen::Index k = jointSize() - 1; k >= 0; --k) {
        const double inverse = 1 / H[k * n + k];
        for (Eigen::Index i = parentOf(k); i >= 0; i = parentOf(i)) {
            const double share = H[k * n + i] * inverse;
            for (Eigen::Index j = i; j >= 0; j = parentOf(j)) H[i * n + j] -= share * H[k * n + j];
            H[k * n + i] = share;
        }
        H[k * n + k] = inverse;
    }
    factorRotors();
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
        if (x[i] == 0) continue;  // most are, where one force acts
        for (Eigen::Index j = parentOf(i); j >= 0; j = parentOf(j)) x[j] -= L[i * n + j] * x[i];
    }
    for (Eigen::Index i = 0; i < n; ++i) {
        x[i] *= L[i * n + i];
        for (Eigen::Index j = parentOf(i); j >= 0; j = parentOf(j)) x[i] -= L[i * n + j] * x[j];
    }
}

double TreeModel::kineticEnergy() const {
    double sum = 0;
    for (const Body& body : m_bodies) sum += 0.5 * dot(body.twist, body.own * body.twist);
    for (const Rotor& rotor : m_rotors) sum += 0.5 * rotor.inertia * rotor.spin * rotor.spin;
    return sum;
}

Spatial TreeModel::momentum() const {
    Spatial sum;
    for (const Body& body : m_bodies) sum += body.own * body.twist;
    for (const Rotor& rotor : m_rotors) sum.angular += (rotor.inertia * rotor.spin) * rotor.axisNow;
    return sum;
}

SpatialInertia TreeModel::inertia() const {
    SpatialInertia sum;
    for (const Body& body : m_bodies) sum += body.own;
    for (const Rotor& rotor : m_rotors) {
        const Vector& n = rotor.axisNow;
        const Vector Jn = rotor.inertia * n;
        sum.rotational.xx += Jn.x * n.x;
        sum.rotational.yy += Jn.y * n.y;
        sum.rotational.zz += Jn.z * n.z;
        sum.rotational.xy += Jn.x * n.y;
        sum.rotational.xz += Jn.x * n.z;
        sum.rotational.yz += Jn.y * n.z;
    }
    return sum;
}

double TreeModel::forceWork() const {
    double sum = 0;
    for (std::size_t i = m_isFree ? 0 : 1; i < m_bodies.size(); ++i) {
        const QuadraticLoad& force = forceOn(i);
        if (force.isConstant()) sum += dot(Vector(force.constant), m_bodies[i].centerNow + (m_origin - m_start));
    }
    return sum;
}

}  // namespace elasto::flow
