#pragma once
// Worlds for snapshots: what Bullet solves alone, with elements among it, and the pushes that keep them going.

#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>

#include <algorithm>
#include <memory>
#include <random>

#include "test_world.h"
#include "world_hash.h"

namespace elasto::test {

enum class SnapshotScene {
    Stack,     ///< five boxes with two hinges, thrown spheres, a spring on the top box
    Pile,      ///< boxes, spheres and capsules with rolling friction and damping
    Hulls,     ///< hulls on a mesh of triangles
    Sleepers,  ///< two piles that fall asleep and are woken
    Pendulum,  ///< bars on hinges with stops, a plate on a kinematic platform, a series element on loose bodies
    Fast,  ///< continuous collision detection, a platform, motors, random order, frames of another length than ticks
    Compounds,  ///< compound shapes among themselves, on a floor and with boxes
};
inline constexpr SnapshotScene kSnapshotScenes[] = {
    SnapshotScene::Stack,    SnapshotScene::Pile, SnapshotScene::Hulls,    SnapshotScene::Sleepers,
    SnapshotScene::Pendulum, SnapshotScene::Fast, SnapshotScene::Compounds};

inline const char* nameOf(SnapshotScene scene) {
    constexpr const char* names[] = {"stack", "pile", "hulls", "sleepers", "pendulum", "fast", "compounds"};
    return names[static_cast<int>(scene)];
}

class SnapshotWorldScene : public TestWorld {
public:
    /// @param isShaken the heap between the bodies is full of holes, so that new nodes of trees may lie anywhere
    explicit SnapshotWorldScene(SnapshotScene scene, bool isShaken = false) : m_scene(scene), m_isShaken(isShaken) {
        shakeHeap();
        switch (scene) {
            case SnapshotScene::Stack:
                buildStack();
                break;
            case SnapshotScene::Pile:
            case SnapshotScene::Sleepers:
                buildPile();
                break;
            case SnapshotScene::Hulls:
                buildHulls();
                break;
            case SnapshotScene::Pendulum:
                buildPendulum();
                break;
            case SnapshotScene::Fast:
                buildFast();
                break;
            case SnapshotScene::Compounds:
                buildCompounds();
                break;
        }
    }
    ~SnapshotWorldScene() {
        for (const auto& joint : elements) {
            world->removeConstraint(joint.get());
        }
        elements.clear();
        for (const auto& added : bodies) {
            world->removeRigidBody(added.get());
        }
        bodies.clear();
    }

    /// @param tick from 0: pushes, platforms and motors depend on it
    std::uint64_t step(int tick) {
        shakeHeap();
        push(tick);
        if (platform != nullptr) {
            platform->setWorldTransform(at(btSin(btScalar(0.02) * btScalar(tick)), 0.4, 0));
        }
        if (m_scene == SnapshotScene::Fast) {
            for (std::size_t i = 4; tick % 37 == 5 && i < bodies.size(); i += 3) {
                bodies[i]->activate();
                bodies[i]->setLinearVelocity(vec(0, 3, tick % 2 == 0 ? -30 : 30));
            }
            world->stepSimulation(btScalar(1.0 / 144), 4, btScalar(1.0 / 60));
        } else {
            world->stepSimulation(btScalar(1.0 / 60), 0);
        }
        return hash();
    }

    std::uint64_t hash() const {
        BitHash hash;
        const std::uint64_t ofBodies = hashOf(*world);
        hash.add(&ofBodies, sizeof ofBodies);
        for (const auto& joint : elements) {
            if (const auto* force = dynamic_cast<const ForceElement*>(joint.get())) {
                const double values[] = {force->s_damper(), force->heat(), force->impulse(), force->s_rel(),
                                         force->f()};
                hash.add(values, sizeof values);
            }
        }
        const EnergyBook book = plugin->energy();
        const double sums[] = {plugin->time(), book.work,
                               book.pushed,    book.dissipated,
                               book.damping,   book.exchanged,
                               book.numerical, book.repaired,
                               book.handedOut, static_cast<double>(plugin->totals().steps)};
        hash.add(sums, sizeof sums);
        return hash.value();
    }

    btRigidBody* platform = nullptr;

private:
    double random(double from, double to) {
        return from + (to - from) * (static_cast<double>(m_random()) / 4294967296.0);
    }
    btQuaternion randomTurn() {
        btQuaternion turn(btScalar(random(-1, 1)), btScalar(random(-1, 1)), btScalar(random(-1, 1)), 1);
        return turn.normalize();
    }
    btRigidBody& sleepy(double mass, btCollisionShape* shape, const btTransform& pose) {
        btRigidBody& added = body(mass, shape, pose);
        added.forceActivationState(ACTIVE_TAG);
        return added;
    }
    void floor() { body(0, new btBoxShape(vec(20, 1, 20)), at(0, -1, 0)).setFriction(btScalar(0.7)); }

    void buildStack() {
        floor();
        btRigidBody* last = nullptr;
        for (int i = 0; i < 5; ++i) {
            btRigidBody& box = sleepy(1, new btBoxShape(vec(0.5, 0.25, 0.5)), at(0.03 * i, 0.26 + 0.52 * i, 0));
            if (i == 2 || i == 4) {
                auto& hinge = add<btHingeConstraint>(*last, box, vec(0.5, 0.25, 0), vec(0.5, -0.25, 0), vec(0, 0, 1),
                                                     vec(0, 0, 1));
                hinge.setLimit(btScalar(-0.4), btScalar(0.4));
            }
            last = &box;
        }
        add<SpringDamperParallel>(*last, vec(0, 0.25, 0), vec(0, 4, 0),
                                  SpringDamperParameters{.c = 30, .d = 1, .s_rel0 = 1.2});
        for (int i = 0; i < 3; ++i) {
            sleepy(0.5, new btSphereShape(btScalar(0.3)), at(-4 - i, 1 + i, 0)).setLinearVelocity(vec(4 + i, 0, 0));
        }
    }

    void buildPile() {
        const bool areTwo = m_scene == SnapshotScene::Sleepers;
        floor();
        for (int i = 0; i < 30; ++i) {
            btCollisionShape* shape = nullptr;
            if (i % 3 == 0) {
                shape = new btBoxShape(vec(0.3, 0.2, 0.25));
            } else if (i % 3 == 1) {
                shape = new btSphereShape(btScalar(0.25));
            } else {
                shape = new btCapsuleShape(btScalar(0.15), btScalar(0.4));
            }
            const btVector3 place = vec((areTwo && i >= 15 ? 6 : 0) + random(-0.8, 0.8),
                                        0.5 + 0.35 * i * (areTwo ? 0.5 : 1), random(-0.8, 0.8));
            btRigidBody& added = sleepy(random(0.5, 2), shape, btTransform(randomTurn(), place));
            added.setAngularVelocity(vec(random(-3, 3), random(-3, 3), random(-3, 3)));
            if (i % 3 != 0) {
                added.setRollingFriction(btScalar(0.02));
                added.setDamping(btScalar(0.05), btScalar(0.1));
            }
        }
    }

    void buildHulls() {
        const auto height = [](int x, int z) { return 0.3 * std::sin(1.3 * x) * std::cos(z); };
        const auto point = [&](int x, int z) { return vec(x, height(x, z), z); };
        for (int x = -6; x < 6; ++x) {
            for (int z = -6; z < 6; ++z) {
                m_mesh.addTriangle(point(x, z), point(x, z + 1), point(x + 1, z));
                m_mesh.addTriangle(point(x + 1, z), point(x, z + 1), point(x + 1, z + 1));
            }
        }
        body(0, new btBvhTriangleMeshShape(&m_mesh, true), at(0, 0, 0));
        for (int i = 0; i < 15; ++i) {
            auto* hull = new btConvexHullShape();
            for (int k = 0; k < 12; ++k) {
                btVector3 corner = vec(random(-1, 1), random(-1, 1), random(-1, 1));
                hull->addPoint(corner.normalize() * btScalar(0.4), false);
            }
            hull->recalcLocalAabb();
            if (i % 2 == 1) {
                hull->initializePolyhedralFeatures();
            }
            sleepy(1, hull, at(random(-3, 3), 1 + 0.4 * i, random(-3, 3)));
        }
    }

    void buildPendulum() {
        floor();
        movingPlatform(6);
        btRigidBody& bar = sleepy(2, new btBoxShape(vec(0.5, 0.05, 0.05)), at(0.5, 4, 3));
        btRigidBody& second = sleepy(1, new btBoxShape(vec(0.4, 0.05, 0.05)), at(1.4, 4, 3));
        add<btHingeConstraint>(bar, vec(-0.5, 0, 0), vec(0, 0, 1));
        add<btHingeConstraint>(bar, second, vec(0.5, 0, 0), vec(-0.4, 0, 0), vec(0, 0, 1), vec(0, 0, 1));
        auto port = std::make_shared<HeatPort>();
        add<ElastoGap>(bar, upwards(0.3, 0, 0), upwards(0.8, 3.5, 3), ElastoGapParameters{.c = 1e4, .d = 30})
            .setHeatPort(port);
        btRigidBody& plate = sleepy(1, new btBoxShape(vec(0.2, 0.05, 0.2)), at(0, 1, 0));
        add<SpringDamperParallel>(Placement::alongAxis(*platform, plate, upwards(0, 0.1, 0), upwards()),
                                  SpringDamperParameters{.c = 400, .d = 3, .s_rel0 = 0.5});
        btRigidBody& bob = sleepy(0.3, new btSphereShape(btScalar(0.1)), at(0, 1.6, 0));
        add<SpringDamperSeries>(
            plate, bob, vec(0, 0.05, 0), vec(0, 0, 0),
            SpringDamperSeriesParameters{.c = 300, .d = 8, .s_unstretched = 0.4, .s_damper_start = 0.2})
            .setHeatPort(port);
        // Uncoupled: it lies on the floor.
        btRigidBody& crate = sleepy(1, new btBoxShape(vec(0.2, 0.2, 0.2)), at(-4, 0.5, 0));
        add<SpringDamperParallel>(crate, vec(0, 0.2, 0), vec(-4, 2, 0),
                                  SpringDamperParameters{.c = 60, .d = 0.5, .s_rel0 = 1});
        plugin->addLoad(Load::sine(second, Load::Kind::Force, vec(0, 1, 0), {.amplitude = 4, .f = 1.3}));
    }

    void movingPlatform(double x) {
        platform = &body(0, new btBoxShape(vec(1, 0.1, 1)), at(x, 0.4, 0));
        world->removeRigidBody(platform);
        platform->setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
        world->addRigidBody(platform);
    }

    void buildFast() {
        floor();
        world->getSolverInfo().m_solverMode |= SOLVER_RANDMIZE_ORDER;
        for (const double z : {3.0, -3.0}) {
            body(0, new btBoxShape(vec(3, 2, 0.02)), at(0, 2, z));
        }
        movingPlatform(0);
        for (int i = 0; i < 16; ++i) {
            btCollisionShape* shape = nullptr;
            if (i % 2 == 0) {
                shape = new btBoxShape(vec(0.2, 0.2, 0.2));
            } else {
                shape = new btSphereShape(btScalar(0.15));
            }
            btRigidBody& added = sleepy(1, shape, at(random(-2, 2), 1 + 0.5 * i, random(-2, 2)));
            added.setLinearVelocity(vec(0, 0, i % 4 < 2 ? 25 : -25));
            added.setCcdMotionThreshold(btScalar(0.1));
            added.setCcdSweptSphereRadius(btScalar(0.1));
            added.setRestitution(btScalar(0.9));
        }
        auto& motor = add<btHingeAccumulatedAngleConstraint>(*bodies[5], *bodies[6], vec(0.5, 0, 0), vec(-0.5, 0, 0),
                                                             vec(0, 1, 0), vec(0, 1, 0));
        motor.enableAngularMotor(true, 9, btScalar(0.05));
        auto& spring = add<btGeneric6DofSpring2Constraint>(*bodies[7], *bodies[8], btTransform::getIdentity(),
                                                           btTransform::getIdentity());
        spring.setLinearLowerLimit(vec(-1, -1, -1));
        spring.setLinearUpperLimit(vec(1, 1, 1));
        spring.enableSpring(0, true);
        spring.setStiffness(0, 40);
        add<ElastoGap>(*bodies[9], upwards(), upwards(0, 0.5, 0), ElastoGapParameters{.c = 1e4, .d = 3});
    }

    template <class Shape, class... Arguments>
    Shape& part(Arguments&&... arguments) {
        auto* shape = new Shape(std::forward<Arguments>(arguments)...);
        shapes.emplace_back(shape);
        return *shape;
    }

    void buildCompounds() {
        floor();
        btBoxShape& rod = part<btBoxShape>(vec(0.3, 0.1, 0.1));
        btSphereShape& knob = part<btSphereShape>(btScalar(0.2));
        btCapsuleShape& pin = part<btCapsuleShape>(btScalar(0.08), btScalar(0.3));
        for (int i = 0; i < 16; ++i) {
            const btVector3 place = vec(random(-0.8, 0.8), 0.6 + 0.5 * i, random(-0.8, 0.8));
            const btTransform pose(randomTurn(), place);
            if (i % 5 == 0) {
                sleepy(1, new btBoxShape(vec(0.3, 0.1, 0.1)), pose);
                continue;
            }
            auto* compound = new btCompoundShape(i % 4 != 1);  // some without a tree of boxes
            compound->addChildShape(at(0, 0, 0), &rod);
            compound->addChildShape(at(-0.4, 0, 0.2), &knob);
            if (i % 4 == 2) {  // one in the other
                btCompoundShape& inner = part<btCompoundShape>();
                inner.addChildShape(at(0, 0.2, 0), &pin);
                inner.addChildShape(at(0.1, -0.1, 0), &rod);
                compound->addChildShape(at(0.3, 0.3, 0), &inner);
            } else {
                compound->addChildShape(at(0.3, 0.3, 0), &rod);
            }
            sleepy(1, compound, pose);
        }
    }

    void push(int tick) {
        if (tick % 170 != 100) {
            return;
        }
        for (std::size_t i = 1; i < bodies.size(); i += 4) {
            if (bodies[i]->getInvMass() > 0) {
                bodies[i]->activate();
                bodies[i]->applyCentralImpulse(vec((tick / 170) % 2 == 1 ? 0.8 : -0.8, 2.5, 0.5));
            }
        }
    }

    // Holes of a tree node's size at random places, and blocks of any size that come and go.
    void shakeHeap() {
        if (!m_isShaken) {
            return;
        }
        if (m_blocks.empty()) {
            for (int i = 0; i < 4000; ++i) {
                m_blocks.push_back(std::make_unique<char[]>(sizeof(btDbvtNode) + 24));
            }
            std::shuffle(m_blocks.begin(), m_blocks.end(), m_heap);
            m_blocks.resize(2000);
        }
        std::vector<std::unique_ptr<char[]>> gone;
        for (int i = 0; i < 40; ++i) {
            auto block = std::make_unique<char[]>(m_heap() % 400 + 16);
            (m_heap() % 2 == 0 ? gone : m_blocks).push_back(std::move(block));
        }
    }

    SnapshotScene m_scene;
    bool m_isShaken;
    std::mt19937 m_random{7};
    std::mt19937 m_heap{11};
    std::vector<std::unique_ptr<char[]>> m_blocks;
    btTriangleMesh m_mesh;
};

}  // namespace elasto::test
