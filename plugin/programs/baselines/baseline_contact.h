#pragma once
/// @file baseline_contact.h
/// A gap as Bullet's own contact between the shapes of its two bodies.

#include <elasto/precision.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>

class btCollisionWorld;
class btDispatcher;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class BaselineContact {
public:
    /// @param b the body that stiffness and damping are given to, as changeDynamics() of PyBullet does
    BaselineContact(btRigidBody& a, btRigidBody& b, int points) : m_a(a), m_b(b), m_points(points) {}

    /// @param c, d of the whole contact [N/m, N s/m]; each point gets its share
    void soften(double c, double d);
    void setEnabled(bool enabled, btCollisionWorld& world);
    /// Mean force over the last tick, as the gap counts it: <= 0 [N].
    double meanForce(btDispatcher& dispatcher, double h) const;

private:
    btRigidBody& m_a;
    btRigidBody& m_b;
    int m_points;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
