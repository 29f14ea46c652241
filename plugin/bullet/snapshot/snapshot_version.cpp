#include "snapshot/snapshot_version.h"

#include <elasto/elasto_gap.h>

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <vector>

#include "snapshot/snapshot.h"
#include "snapshot/snapshot_parts.h"
#include "snapshot/world_record.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr std::array kCompared = {324, 325, 326};

// Something of each kind that a snapshot holds: what touches, what is tied, what flies, what is warm-started.
class SmallWorld {
public:
    SmallWorld() : m_world(&m_dispatcher, &m_broadphase, &m_solver, &m_configuration) {
        m_world.setGravity(btVector3(0, -10, 0));
        addBody(0, m_plane, btVector3(0, 0, 0));
        constexpr int kPile = 3;
        for (int i = 0; i < kPile; ++i) {
            addBody(1, m_box, btVector3(btScalar(0.1 * i), btScalar(0.5 + i), 0));
        }
        addBody(1, m_ball, btVector3(4, 3, 1)).setLinearVelocity(btVector3(-3, 0, btScalar(-0.5)));
        btRigidBody& door = addBody(1, m_box, btVector3(-4, 2, 0));
        m_hinge = std::make_unique<btHingeConstraint>(door, btVector3(-1, 0, 0), btVector3(0, 0, 1));
        m_world.addConstraint(m_hinge.get());
        m_stop =
            std::make_unique<ElastoGap>(Placement::alongAxis(Placement::world(), door, Eigen::Vector3d(-4, 1.2, 0),
                                                             Eigen::Vector3d(0, -0.5, 0), Eigen::Vector3d::UnitY()),
                                        ElastoGapParameters{.c = 1e4, .d = 10});
        m_world.addConstraint(m_stop.get());
        addChain();
        m_tick = std::make_shared<WorldTick>(m_world);
        m_tick->install();
    }
    SmallWorld(const SmallWorld&) = delete;
    SmallWorld& operator=(const SmallWorld&) = delete;
    ~SmallWorld() {
        m_tick->uninstall();
        m_world.removeConstraint(m_stop.get());
        m_world.removeConstraint(m_hinge.get());
        for (const auto& body : m_bodies) {
            m_world.removeRigidBody(body.get());
        }
        m_world.removeCollisionObject(m_collider.get());
        m_world.removeMultiBody(m_chain.get());
    }

    void run(int ticks) {
        for (int i = 0; i < ticks; ++i) {
            m_world.stepSimulation(btScalar(1.0 / 60), 0);
        }
    }
    WorldSnapshot save() {
        auto record = std::make_shared<WorldRecord>();
        fillRecord(*m_tick, SnapshotWorld(m_world, kCaller), *record);
        return WorldSnapshot(std::move(record));
    }
    void putBack(const WorldSnapshot& snapshot) {
        putRecord(*m_tick, SnapshotWorld(m_world, kCaller), *snapshot.record());
    }

private:
    static constexpr const char* kCaller = "Plugin::saveWorld";

    btRigidBody& addBody(btScalar mass, btCollisionShape& shape, const btVector3& place) {
        m_bodies.push_back(
            std::make_unique<btRigidBody>(mass, nullptr, &shape, mass > 0 ? btVector3(1, 1, 1) : btVector3(0, 0, 0)));
        btTransform pose = btTransform::getIdentity();
        pose.setOrigin(place);
        m_bodies.back()->setWorldTransform(pose);
        m_bodies.back()->setInterpolationWorldTransform(pose);
        m_world.addRigidBody(m_bodies.back().get());
        return *m_bodies.back();
    }
    void addChain() {
        m_chain = std::make_unique<btMultiBody>(1, 1, btVector3(1, 1, 1), true, false);
        m_chain->setBasePos(btVector3(8, 4, 0));
        m_chain->setupRevolute(0, 1, btVector3(1, 1, 1), -1, btQuaternion::getIdentity(), btVector3(0, 0, 1),
                               btVector3(0, 0, 0), btVector3(1, 0, 0));
        m_chain->finalizeMultiDof();
        m_world.addMultiBody(m_chain.get());
        m_collider = std::make_unique<btMultiBodyLinkCollider>(m_chain.get(), 0);
        m_collider->setCollisionShape(&m_ball);
        m_chain->getLink(0).m_collider = m_collider.get();
        m_world.addCollisionObject(m_collider.get());
    }

    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher{&m_configuration};
    btDbvtBroadphase m_broadphase;
    btMultiBodyConstraintSolver m_solver;
    btMultiBodyDynamicsWorld m_world;
    btStaticPlaneShape m_plane{btVector3(0, 1, 0), 0};
    btBoxShape m_box{btVector3(btScalar(0.5), btScalar(0.5), btScalar(0.5))};
    btSphereShape m_ball{btScalar(0.3)};
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
    std::unique_ptr<btHingeConstraint> m_hinge;
    std::unique_ptr<ElastoGap> m_stop;
    std::unique_ptr<btMultiBody> m_chain;
    std::unique_ptr<btMultiBodyLinkCollider> m_collider;
    std::shared_ptr<WorldTick> m_tick;
};

}  // namespace

std::string lostOnTheWayBack() {
    constexpr int kBefore = 20;  // the pile has been touched, the ball still flies
    constexpr int kAfter = 40;   // it has landed
    try {
        SmallWorld world;
        world.run(kBefore);
        const WorldSnapshot saved = world.save();
        world.run(kAfter);
        const std::uint64_t first = world.save().hash();
        world.putBack(saved);
        if (world.save().hash() != saved.hash())
            return "a world that was put back is another than the one that was saved";
        world.run(kAfter);
        if (world.save().hash() != first) return "a world that was put back goes on otherwise than before";
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

void requireKnownBullet(int version, const char* caller) {
    if (std::find(kCompared.begin(), kCompared.end(), version) != kCompared.end()) return;
    static const std::string lost = lostOnTheWayBack();
    if (!lost.empty()) {
        throw InvalidParameter(caller, "snapshots do not hold the whole state of Bullet " + std::to_string(version) +
                                           ": " + lost + "; they do of 3.24, 3.25 and 3.26");
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
