// Compatibility: continuous collision detection, ghost objects, compound shapes.
// (Free bodies with continuous collision detection: motion_sweep_test.cpp.)

#include <BulletCollision/CollisionDispatch/btGhostObject.h>

#include "compatibility.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// A fast ball with a second one tied to it, and one that is alone, above thin plates.
class Shots : public CompatibilityScene {
public:
    explicit Shots(Kind kind) : CompatibilityScene(kind) {
        world->setGravity(vec(0, 0, 0));
        body(0, new btBoxShape(vec(5, 0.01, 5)), at(0, -0.01, 0));
        ball = &fast(0);
        partner = &fast(0.5);
        lone = &fast(3);
        add<btPoint2PointConstraint>(*ball, *partner, vec(0.25, 0, 0), vec(-0.25, 0, 0));
        if (hasElements()) {
            add<SpringDamperParallel>(*ball, *partner, vec(0, 0.05, 0), vec(0, 0.05, 0),
                                      SpringDamperParameters{.c = 100, .d = 1, .s_rel0 = 0.5});
        }
    }
    btRigidBody* ball;
    btRigidBody* partner;
    btRigidBody* lone;

private:
    btRigidBody& fast(double x) {
        btRigidBody& added = TestWorld::ball(1, x, 0.6, 0);
        added.setLinearVelocity(vec(0, -40, 0));
        added.setCcdMotionThreshold(btScalar(0.1));
        added.setCcdSweptSphereRadius(btScalar(0.02));
        return added;
    }
};

// A mass that falls through a ghost onto its stop.
class Haunted : public CompatibilityScene {
public:
    explicit Haunted(Kind kind) : CompatibilityScene(kind) {
        broadphase.getOverlappingPairCache()->setInternalGhostPairCallback(&m_ghosts);
        ghost.setCollisionShape(&m_room);
        ghost.setCollisionFlags(btCollisionObject::CF_NO_CONTACT_RESPONSE);
        ghost.setWorldTransform(at(0, 0.1, 0));
        world->addCollisionObject(&ghost);
        mass = &ball(0.2, 0, 0.6, 0);
        if (hasElements()) {
            add<ElastoGap>(*mass, upwards(), upwards(), ElastoGapParameters{.c = 1e5, .d = 0});
        }
    }
    ~Haunted() override {
        world->removeCollisionObject(&ghost);
        broadphase.getOverlappingPairCache()->setInternalGhostPairCallback(nullptr);
    }
    btPairCachingGhostObject ghost;
    btRigidBody* mass;

private:
    btGhostPairCallback m_ghosts;
    btBoxShape m_room{vec(0.3, 0.2, 0.3)};
};

// Compounds that fall on the floor and on each other, the first two on springs.
class Compounds : public CompatibilityScene {
public:
    explicit Compounds(Kind kind) : CompatibilityScene(kind) {
        body(0, new btBoxShape(vec(5, 1, 5)), at(0, -1, 0)).setFriction(btScalar(0.7));
        auto* part = new btBoxShape(vec(0.2, 0.1, 0.1));
        shapes.emplace_back(part);
        for (int i = 0; i < 4; ++i) {
            auto* shape = new btCompoundShape();
            shape->addChildShape(at(-0.2, 0, 0), part);
            shape->addChildShape(at(0.2, 0.05, 0), part);
            body(1, shape, at(0.05 * i, 0.4 + 0.5 * i, 0));
        }
        if (hasElements()) {
            add<SpringDamperParallel>(*bodies[1], vec(0, 0.1, 0), vec(0, 2, 0),
                                      SpringDamperParameters{.c = 5, .d = 0.5, .s_rel0 = 1});
            add<ElastoGap>(*bodies[2], upwards(), upwards(0.05, 0.5, 0), ElastoGapParameters{.c = 1e3, .d = 5});
        }
    }
    double energy() const {
        double sum = 0;
        for (std::size_t i = 1; i < bodies.size(); ++i) {
            const btRigidBody& body = *bodies[i];
            const btVector3 spin = body.getWorldTransform().getBasis().transpose() * body.getAngularVelocity();
            sum += static_cast<double>(body.getMass()) * kGravity * heightOf(body) +
                   0.5 * static_cast<double>(body.getMass() * body.getLinearVelocity().length2()) +
                   0.5 * static_cast<double>((spin * spin).dot(body.getLocalInertia()));
        }
        for (const auto& element : elements) {
            sum += static_cast<const ForceElement&>(*element).storedEnergy();
        }
        return sum;
    }
};

}  // namespace

TEST_CASE("compatibility: fast bodies with joints and elements stop at a plate") {
    requireBulletsBits<Shots>(60);
    Shots scene(CompatibilityScene::Kind::WithElements);
    const EnergyBook before = scene.plugin->energy();
    requireSound(scene, 60, [&](int) {
        REQUIRE(heightOf(*scene.ball) > 0);
        REQUIRE(heightOf(*scene.partner) > 0);
        REQUIRE(heightOf(*scene.lone) > 0);  // Bullet's own
        REQUIRE(scene.ball->getLinearVelocity().length() < btScalar(41));
        REQUIRE(std::abs(gapOf(before, scene.plugin->energy())) < byPrecision(1e-7, 1e-1));
    });
}

TEST_CASE("compatibility: ghosts see what they would see, and touch nothing") {
    requireBulletsBits<Haunted>(200);
    Haunted scene(CompatibilityScene::Kind::WithElements);
    const DroppedMass oracle(0.2, 0.6, 1e5);
    int inside = 0;
    requireSound(scene, 300, [&](int tick) {
        const double t = (tick + 1) / 60.0;
        REQUIRE(heightOf(*scene.mass) == Approx(oracle.at(t).y).margin(byPrecision(1e-8, 1e-5)));
        REQUIRE_FALSE(static_cast<ForceElement&>(*scene.elements[0]).uncoupled());
        const int seen = scene.ghost.getNumOverlappingObjects();
        inside += seen;
        const double apart = std::abs(heightOf(*scene.mass) - 0.1) - 0.25;  // broadphases see some way ahead
        REQUIRE((apart > 0 || seen == 1));
        REQUIRE((apart < 0.2 || seen == 0));
        REQUIRE(scene.ghost.getOverlappingPairCache()->getNumOverlappingPairs() == seen);
    });
    CHECK(inside > 20);
    CHECK(inside < 280);  // it also leaves
}

TEST_CASE("compatibility: compound shapes have contacts of each child and gain nothing") {
    requireBulletsBits<Compounds>(300);
    Compounds scene(CompatibilityScene::Kind::WithElements);
    double last = scene.energy();
    double largestRise = 0;
    requireSound(scene, 600, [&](int) {
        largestRise = std::max(largestRise, scene.energy() - last);
        last = scene.energy();
    });
    // Bullet's own push out of penetration: plain compounds rise as much.
    Compounds plain(CompatibilityScene::Kind::Plain);
    double plainRise = 0;
    last = plain.energy();
    for (int i = 0; i < 600; ++i) {
        plain.step();
        plainRise = std::max(plainRise, plain.energy() - last);
        last = plain.energy();
    }
    CAPTURE(largestRise, plainRise);
    CHECK(largestRise < 2 * plainRise + 0.05);
    for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
        // A stop has no friction: what slides on it when it has fallen off the others goes on.
        btVector3 velocity = scene.bodies[i]->getLinearVelocity();
        if (i == 2) velocity = btVector3(0, velocity.y(), 0);
        CHECK(velocity.length() < btScalar(0.2));
        CHECK(heightOf(*scene.bodies[i]) > 0.05);
    }
}
