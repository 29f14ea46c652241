// Compatibility: factors, damping, gyroscopic flags, gravity of a single body - in networks with joints.
// (Free bodies: rigid_body_test.cpp.)

#include "compatibility.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// A door on a hinge about z that hits a stop.
class Door : public CompatibilityScene {
public:
    explicit Door(Kind kind) : CompatibilityScene(kind) {
        door = &body(1, new btBoxShape(vec(0.5, 0.02, 0.02)), at(0.5, 0, 0));
        add<btHingeConstraint>(*door, vec(-0.5, 0, 0), vec(0, 0, 1));
        if (hasElements()) {
            add<ElastoGap>(*door, upwards(0.5, 0, 0), upwards(1, -0.5, 0), ElastoGapParameters{.c = 1e4, .d = 20});
        }
    }
    btRigidBody* door;
};

// Held in a plane by the factors besides.
class PlanarDoor : public Door {
public:
    explicit PlanarDoor(Kind kind) : Door(kind) {
        door->setLinearFactor(vec(1, 1, 0));
        door->setAngularFactor(vec(0, 0, 1));
    }
};

class DampedDoor : public Door {
public:
    explicit DampedDoor(Kind kind) : Door(kind) { door->setDamping(btScalar(0.1), btScalar(0.2)); }
};

// A box that spins about all axes, on a ball joint and a spring.
class Spinner : public CompatibilityScene {
public:
    Spinner(Kind kind, int flags) : CompatibilityScene(kind) {
        spinner = &body(1, new btBoxShape(vec(0.1, 0.2, 0.3)), at(0, 0, 0));
        spinner->setFlags(flags);
        spinner->setAngularVelocity(vec(3, 5, 1));
        add<btPoint2PointConstraint>(*spinner, vec(0, 0.4, 0));
        if (hasElements()) {
            add<SpringDamperParallel>(*spinner, vec(0.1, 0, 0), vec(1, 0, 0),
                                      SpringDamperParameters{.c = 30, .d = 0.1, .s_rel0 = 0.8});
        }
    }
    explicit Spinner(Kind kind) : Spinner(kind, BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY) {}
    btRigidBody* spinner;
};

// One body with a gravity of its own, one without any, both on springs and tied to each other by a slider.
class Gravities : public CompatibilityScene {
public:
    explicit Gravities(Kind kind) : CompatibilityScene(kind) {
        btRigidBody& heavy = box(2, 0, 0, 0);
        btRigidBody& floating = box(1, 2, 0, 0);
        heavy.setGravity(vec(0, -1.5, 0));
        floating.setFlags(floating.getFlags() | BT_DISABLE_WORLD_GRAVITY);
        floating.setGravity(vec(0, 0, 0));
        heavy.setDamping(btScalar(0.9), 0);
        floating.setDamping(btScalar(0.9), 0);
        if (hasElements()) {
            for (btRigidBody* each : {&heavy, &floating}) {
                const double x = static_cast<double>(each->getWorldTransform().getOrigin().x());
                add<SpringDamperParallel>(Placement::alongAxis(*each, upwards(), upwards(x, 0, 0)),
                                          SpringDamperParameters{.c = 300, .d = 30});
            }
        }
    }
};

}  // namespace

TEST_CASE("compatibility: factors of a jointed body hold its axes") {
    requireBulletsBits<PlanarDoor>(200);
    PlanarDoor planar(CompatibilityScene::Kind::WithElements);
    Door free(CompatibilityScene::Kind::WithElements);
    const EnergyBook before = planar.plugin->energy();
    double worst = 0;
    requireSound(planar, 300, [&](int) {
        free.step();
        const btVector3 v = planar.door->getLinearVelocity();
        const btVector3 w = planar.door->getAngularVelocity();
        REQUIRE(v.z() == 0);
        REQUIRE(w.x() == 0);
        REQUIRE(w.y() == 0);
        worst = std::max(
            worst,
            static_cast<double>(
                (planar.door->getWorldTransform().getOrigin() - free.door->getWorldTransform().getOrigin()).length()));
        REQUIRE(std::abs(gapOf(before, planar.plugin->energy())) < byPrecision(1e-9, 1e-4));
    });
    CHECK(worst < byPrecision(1e-9, 1e-4));  // the motion is in the plane anyway
}

TEST_CASE("compatibility: Bullet's damping of a jointed body is an entry of its own") {
    requireBulletsBits<DampedDoor>(200);
    DampedDoor damped(CompatibilityScene::Kind::WithElements);
    const EnergyBook before = damped.plugin->energy();
    requireSound(damped, 300, [&](int) {
        REQUIRE(std::abs(gapOf(before, damped.plugin->energy())) < byPrecision(1e-9, 1e-4));
        CHECK(damped.plugin->energy().damping >= 0);
    });

    // In free swing it takes what Bullet takes of plain doors: (1 - d)^h of the velocity in each tick.
    // (With another share of the angular velocity the joint has to make one motion of both.)
    DampedDoor swinging(CompatibilityScene::Kind::WithElements);
    swinging.door->setDamping(btScalar(0.1), btScalar(0.1));
    swinging.world->setGravity(vec(0, 0, 0));
    swinging.door->setGravity(vec(0, 0, 0));
    swinging.door->setAngularVelocity(vec(0, 0, 1));
    swinging.door->setLinearVelocity(vec(0, 0.5, 0));
    swinging.step();  // the first damps what nobody has known yet
    const EnergyBook first = swinging.plugin->energy();
    const double start = first.kinetic;
    for (int i = 0; i < 60; ++i) {
        swinging.step();
    }
    const EnergyBook book = swinging.plugin->energy();
    CHECK(book.damping - first.damping == Approx(start - book.kinetic).margin(byPrecision(1e-10, 1e-5)));
    CHECK(book.kinetic / start == Approx(0.9 * 0.9).epsilon(byPrecision(1e-9, 1e-4)));
}

TEST_CASE("compatibility: the three gyroscopic flags are one to the flow, none is none") {
    requireBulletsBits<Spinner>(200);
    using Kind = CompatibilityScene::Kind;
    Spinner body(Kind::WithElements, BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY);
    Spinner world(Kind::WithElements, BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD);
    Spinner explicitly(Kind::WithElements, BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT);
    Spinner without(Kind::WithElements, 0);
    bool isOther = false;
    const EnergyBook before = body.plugin->energy();
    requireSound(body, 300, [&](int) {
        for (Spinner* other : {&world, &explicitly, &without}) {
            other->step();
            requireFinite(*other);
        }
        REQUIRE(hashOf(*world.world) == hashOf(*body.world));
        REQUIRE(hashOf(*explicitly.world) == hashOf(*body.world));
        isOther = isOther || hashOf(*without.world) != hashOf(*body.world);
        REQUIRE(std::abs(gapOf(before, body.plugin->energy())) < byPrecision(1e-9, 1e-4));
    });
    CHECK(isOther);
}

TEST_CASE("compatibility: each body has its own gravity") {
    requireBulletsBits<Gravities>(200);
    Gravities scene(CompatibilityScene::Kind::WithElements);
    for (int i = 0; i < 600; ++i) {
        scene.step();
    }
    CHECK(heightOf(*scene.bodies[0]) == Approx(-2 * 1.5 / 300).epsilon(byPrecision(1e-6, 1e-3)));
    CHECK(heightOf(*scene.bodies[1]) == 0);
    requireSound(scene, 10);
}
