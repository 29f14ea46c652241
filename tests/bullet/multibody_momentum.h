#pragma once
// Momentum and moment of momentum of a btMultiBody.

#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <Eigen/Core>

#include <vector>

namespace elasto::test {

struct Momentum {
    Eigen::Vector3d linear = Eigen::Vector3d::Zero();
    Eigen::Vector3d angular = Eigen::Vector3d::Zero();  // about the origin
};

inline Eigen::Vector3d eigen(const btVector3& v) {
    return {double(v.x()), double(v.y()), double(v.z())};
}

// From what Bullet shows: link velocities in their own frames.
inline Momentum momentumOf(btMultiBody& body) {
    const int n = body.getNumLinks();
    std::vector<btVector3> omega(static_cast<std::size_t>(n) + 1);
    std::vector<btVector3> velocity(omega.size());
    body.compTreeLinkVelocities(omega.data(), velocity.data());
    Momentum sum;
    std::vector<btQuaternion> turns{body.getWorldToBaseRot()};
    std::vector<btVector3> places{body.getBasePos()};
    for (int i = -1; i < n; ++i) {
        const auto k = static_cast<std::size_t>(i + 1);
        if (i >= 0) {
            const auto parent = static_cast<std::size_t>(body.getParent(i) + 1);
            turns.push_back(body.getParentToLocalRot(i) * turns[parent]);
            places.push_back(places[parent] + quatRotate(turns[k].inverse(), body.getRVector(i)));
        }
        const btScalar mass = i < 0 ? body.getBaseMass() : body.getLinkMass(i);
        const btVector3 inertia = i < 0 ? body.getBaseInertia() : body.getLinkInertia(i);
        const Eigen::Vector3d p = double(mass) * eigen(quatRotate(turns[k].inverse(), velocity[k]));
        sum.linear += p;
        sum.angular += eigen(places[k]).cross(p) + eigen(quatRotate(turns[k].inverse(), inertia * omega[k]));
    }
    return sum;
}

}  // namespace elasto::test
