// The bodies of a tree, as those see them who do not know its coordinates.

#include "tree/tree_model.h"

namespace elasto::flow {

TreeModel::BodyMotion TreeModel::motionOf(int link) const {
    const Body& body = m_bodies[static_cast<std::size_t>(link + 1)];
    const Vector& w = body.twist.angular;
    return {m_origin + body.centerNow, body.rotation, body.twist.linear + cross(w, body.centerNow), w};
}

// That of the point of the body which passes the reference point is the spatial one, and what its turning adds.
Spatial TreeModel::evenAcceleration(int link) const {
    const Body& body = m_bodies[static_cast<std::size_t>(link + 1)];
    const Vector &w = body.twist.angular, &c = body.centerNow;
    const Vector velocity = body.twist.linear + cross(w, c);
    return {body.acceleration.angular,
            body.acceleration.linear + cross(body.acceleration.angular, c) + cross(w, velocity)};
}

void TreeModel::addForce(int link, const Spatial& force, double* forces) const {
    const Vector& c = m_bodies[static_cast<std::size_t>(link + 1)].centerNow;
    const Spatial about{force.angular + cross(c, force.linear), force.linear};
    for (Eigen::Index k = coordinateBefore(link + 1); k >= 0; k = m_dofs[static_cast<std::size_t>(k)].parent) {
        forces[k] += dot(m_directions[static_cast<std::size_t>(k)], about);
    }
}

void TreeModel::jointForces(double t, const double* accelerations, const std::vector<Spatial>& applied,
                            std::vector<Spatial>& held) {
    m_gained.assign(m_bodies.size(), {});
    m_transmitted.resize(m_bodies.size());
    held.resize(m_bodies.size() - 1);
    for (std::size_t i = 0; i < m_bodies.size(); ++i) {
        const Body& body = m_bodies[i];
        Spatial& gained = m_gained[i];
        if (i > 0) gained = m_gained[static_cast<std::size_t>(body.parent)];
        for (int k = 0; k < body.dofs; ++k) {
            const Spatial& direction = m_directions[static_cast<std::size_t>(body.dof + k)];
            gained.angular += accelerations[body.dof + k] * direction.angular;
            gained.linear += accelerations[body.dof + k] * direction.linear;
        }
        Spatial acceleration = body.acceleration;
        acceleration += gained;
        Spatial force = neededForce(body, acceleration);
        const Spatial load = i > 0 || m_isFree ? loadOn(t, i, nullptr) : Spatial();
        const Spatial& own = applied[i];
        force.angular -= load.angular + own.angular + cross(body.centerNow, own.linear);
        force.linear -= load.linear + own.linear;
        m_transmitted[i] = force;
    }
    for (std::size_t i = m_bodies.size() - 1; i > 0; --i) {
        const Body& body = m_bodies[i];
        const Spatial& force = m_transmitted[i];
        m_transmitted[static_cast<std::size_t>(body.parent)] += force;
        held[i - 1] = {force.angular - cross(body.centerNow, force.linear), force.linear};
    }
}

}  // namespace elasto::flow
