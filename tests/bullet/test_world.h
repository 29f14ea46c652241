#pragma once
// A Bullet world for tests: builds bodies in one line, owns everything, ticks.

#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/BroadphaseCollision/btSimpleBroadphase.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btMultiSphereShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletDynamics/ConstraintSolver/btConeTwistConstraint.h>
#include <BulletDynamics/ConstraintSolver/btFixedConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGearConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpringConstraint.h>
#include <BulletDynamics/ConstraintSolver/btHinge2Constraint.h>
#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/ConstraintSolver/btPoint2PointConstraint.h>
#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <BulletDynamics/ConstraintSolver/btSliderConstraint.h>
#include <BulletDynamics/ConstraintSolver/btUniversalConstraint.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <elasto/elasto.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "../sanitizers.h"

namespace elasto::test {

/// Bullet's own rounding of a length near 1 m, with some tens of roundings.
inline constexpr double kRounding = sizeof(btScalar) == sizeof(double) ? 1e-14 : 2e-6;

/// Picks a tolerance by precision.
inline constexpr double byPrecision(double inDouble, double inSingle) {
    return sizeof(btScalar) == sizeof(double) ? inDouble : inSingle;
}

/// Ticks of a long run: far fewer where sanitizers look at each access.
inline int longRun(int ticks) {
    return kIsSanitized ? ticks / 50 : ticks;
}

inline btVector3 vec(double x, double y, double z) {
    return {btScalar(x), btScalar(y), btScalar(z)};
}

/// Messages but for those that tell how good ticks were.
inline std::vector<std::string> besideGrades(std::vector<std::string> messages) {
    std::erase_if(messages,
                  [](const std::string& message) { return message.find(" approximate, by ") != std::string::npos; });
    return messages;
}

/// Frame whose x axis points along world y: up.
inline btTransform upwards(double x = 0, double y = 0, double z = 0) {
    return btTransform(btQuaternion(vec(0, 0, 1), SIMD_HALF_PI), vec(x, y, z));
}

inline btTransform at(double x, double y, double z) {
    return btTransform(btQuaternion::getIdentity(), vec(x, y, z));
}

class TestWorld {
public:
    explicit TestWorld(bool withPlugin = true,
                       std::unique_ptr<btSequentialImpulseConstraintSolver> withSolver = nullptr)
        : solver(withSolver ? std::move(withSolver) : std::make_unique<btSequentialImpulseConstraintSolver>()),
          world(std::make_unique<btDiscreteDynamicsWorld>(&dispatcher, &broadphase, solver.get(), &configuration)) {
        world->setGravity(vec(0, -kGravity, 0));
        if (withPlugin) {
            install();
        }
    }

    ~TestWorld() {
        for (const auto& element : elements) {
            world->removeConstraint(element.get());
        }
        for (const auto& body : bodies) {
            if (body->isInWorld()) {
                world->removeRigidBody(body.get());
            }
        }
    }

    void install() {
        plugin = std::make_unique<Plugin>(world.get());
        plugin->setMessageHandler([this](const std::string& message) { messages.push_back(message); });
    }

    btRigidBody& body(double mass, btCollisionShape* shape, const btTransform& pose) {
        shapes.emplace_back(shape);
        btVector3 inertia(0, 0, 0);
        if (mass > 0) {
            shape->calculateLocalInertia(btScalar(mass), inertia);
        }
        bodies.push_back(std::make_unique<btRigidBody>(btScalar(mass), nullptr, shape, inertia));
        btRigidBody& added = *bodies.back();
        added.setCenterOfMassTransform(pose);
        added.setInterpolationWorldTransform(pose);
        added.setActivationState(DISABLE_DEACTIVATION);
        world->addRigidBody(&added);
        return added;
    }

    btRigidBody& ball(double mass, double x, double y, double z, double radius = 0.05) {
        return body(mass, new btSphereShape(btScalar(radius)), at(x, y, z));
    }

    btRigidBody& box(double mass, double x, double y, double z, double half = 0.1) {
        return body(mass, new btBoxShape(vec(half, half, half)), at(x, y, z));
    }

    template <class Element, class... Arguments>
    Element& add(Arguments&&... arguments) {
        auto element = std::make_unique<Element>(std::forward<Arguments>(arguments)...);
        Element& added = *element;
        world->addConstraint(element.get(), true);
        elements.push_back(std::move(element));
        return added;
    }

    void tick(int count = 1, double hz = 60) {
        for (int i = 0; i < count; ++i) {
            world->stepSimulation(btScalar(1 / hz), 0);
        }
    }

    static constexpr double kGravity = 9.80665;

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    std::unique_ptr<btSequentialImpulseConstraintSolver> solver;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> elements;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    std::unique_ptr<Plugin> plugin;
    std::vector<std::string> messages;
};

/// Makes a body one of the elements' network without pulling at it.
inline ForceElement& addThread(TestWorld& world, btRigidBody& body) {
    return world.add<SpringDamperParallel>(body, vec(0, 0, 0), vec(3, 3, 3),
                                           SpringDamperParameters{.c = 1e-9, .d = 0, .s_rel0 = 1});
}

inline double heightOf(const btRigidBody& body) {
    return static_cast<double>(body.getWorldTransform().getOrigin().y());
}
inline double climbOf(const btRigidBody& body) {
    return static_cast<double>(body.getLinearVelocity().y());
}

/// Kinetic energy, and with the potential one.
inline double kineticOf(const btRigidBody& body) {
    const btVector3 inertia = body.getLocalInertia();
    const btVector3 w = body.getAngularVelocity() * body.getWorldTransform().getBasis();
    return 0.5 * static_cast<double>(body.getMass() * body.getLinearVelocity().length2() + (w * w).dot(inertia));
}

inline double energyOf(const btRigidBody& body) {
    return kineticOf(body) + static_cast<double>(body.getMass()) * TestWorld::kGravity * heightOf(body);
}

/// A mass that falls from rest on an undamped linear stop at height 0, for ever.
class DroppedMass {
public:
    DroppedMass(double mass, double height, double c)
        : m_omega(std::sqrt(c / mass)), m_flight(std::sqrt(2 * height / kG)), m_height(height) {
        const double v = kG * m_flight;
        m_sag = kG / (m_omega * m_omega);
        m_amplitude = std::hypot(m_sag, v / m_omega);
        m_contact = 2 * (M_PI - std::atan2(v / m_omega, m_sag)) / m_omega;
    }

    struct State {
        double y;
        double v;
    };
    State at(double t) const {
        const double period = 2 * m_flight + m_contact;
        t = std::fmod(t + m_flight, period);  // 0: leaves the stop upwards
        if (t < 2 * m_flight) {
            const double v = kG * m_flight;
            return {v * t - kG * t * t / 2, v - kG * t};
        }
        const double fromLowest = t - 2 * m_flight - m_contact / 2;
        return {-m_sag - m_amplitude * std::cos(m_omega * fromLowest),
                m_amplitude * m_omega * std::sin(m_omega * fromLowest)};
    }
    double height() const { return m_height; }

private:
    static constexpr double kG = TestWorld::kGravity;
    double m_omega;
    double m_flight;
    double m_height;
    double m_sag;
    double m_amplitude;
    double m_contact;
};

}  // namespace elasto::test
