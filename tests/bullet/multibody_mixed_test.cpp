// Elements between links, rigid bodies and the world: a multibody moves as rigid bodies on joints do.

#include <catch2/catch.hpp>

#include "multibody_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// An arm of two bars on hinges about z, the first at the origin's right; the second holds a ball by a spring and
// damper. Arm and ball fall on the floor.
constexpr double kHalf = 0.25;
constexpr double kHeight = 0.4;
const btVector3 kBar = vec(kHalf, 0.02, 0.05);
const btVector3 kTip = vec(kHalf, 0, 0);
const SpringDamperParameters kHold{.c = 500, .d = 2, .s_rel0 = 0.2};
const ElastoGapParameters kStop{.c = 1e4, .d = 10};
constexpr double kStopAngle = -0.5;

// Links are not swept over the tick: nor is what is to be compared with them.
constexpr btScalar kNear = btScalar(1e-3);

btTransform floorPose() {
    return at(0, -0.5, 0);
}
btTransform ballPose() {
    return at(4 * kHalf, kHeight - 0.2, 0);
}
btBoxShape* barShape() {
    auto* shape = new btBoxShape(kBar);
    shape->setMargin(0);
    return shape;
}

// The arm of a btMultiBody.
class Linked {
public:
    Linked() : m_body(world.multiBody(2)) {
        m_body.setBasePos(vec(0, kHeight, 0));
        bar(0, -1, vec(0, 0, 0));
        bar(1, 0, vec(kHalf, 0, 0));
        for (int link = 0; link < 2; ++link) {
            world.collider(m_body, link, barShape());
            m_body.getLink(link).m_flags |= BT_MULTIBODYLINKFLAGS_DISABLE_PARENT_COLLISION;
        }
        world.add(m_body);
        world.rigid(0, new btBoxShape(vec(5, 0.5, 5)), floorPose()).setContactProcessingThreshold(kNear);
        ball = &world.rigid(0.3, new btSphereShape(btScalar(0.05)), ballPose());
        world.colliders.back()->setIgnoreCollisionCheck(ball, true);  // as of bodies that a constraint links
        ball->setIgnoreCollisionCheck(world.colliders.back().get(), true);
        hold = &world.element(LinkPlacement::alongLine(Flange(m_body, 1), Flange(*ball), kTip, vec(0, 0, 0)),
                              SpringDamperLaw(kHold));
        stop = &world.element(JointCoordinate{&m_body, 1, kStopAngle}, ElastoGapLaw(kStop));
        held = &world.element(
            LinkPlacement::alongAxis(Flange::world(), Flange(m_body, 1), upwards(), btTransform::getIdentity()),
            ElastoGapLaw({.c = 2e3, .d = 5, .s_rel0 = 0.15}));
    }

    void tick(double hz) { world.tick(1, hz); }
    btTransform second() {
        btAlignedObjectArray<btQuaternion> turns;
        btAlignedObjectArray<btVector3> origins;
        m_body.forwardKinematics(turns, origins);
        return m_body.getLink(1).m_cachedWorldTransform;
    }

    MultiBodyWorld world;
    btRigidBody* ball = nullptr;
    MultiBodyElement* hold = nullptr;
    MultiBodyElement* stop = nullptr;
    MultiBodyElement* held = nullptr;

private:
    void bar(int link, int parent, const btVector3& pivot) {
        btVector3 inertia;
        btBoxShape(kBar).calculateLocalInertia(1, inertia);
        m_body.setupRevolute(link, 1, inertia, parent, btQuaternion::getIdentity(), vec(0, 0, 1), pivot, kTip, true);
    }
    btMultiBody& m_body;
};

// The arm of rigid bodies.
class Hinged {
public:
    Hinged() {
        world.world->setGravity(vec(0, -MultiBodyWorld::kGravity, 0));
        btRigidBody& first = world.body(1, barShape(), at(kHalf, kHeight, 0));
        m_second = &world.body(1, barShape(), at(3 * kHalf, kHeight, 0));
        world.body(0, new btBoxShape(vec(5, 0.5, 5)), floorPose()).setContactProcessingThreshold(kNear);
        ball = &world.body(0.3, new btSphereShape(btScalar(0.05)), ballPose());
        world.add<btHingeConstraint>(first, vec(-kHalf, 0, 0), vec(0, 0, 1));
        world.add<btHingeConstraint>(first, *m_second, vec(kHalf, 0, 0), vec(-kHalf, 0, 0), vec(0, 0, 1), vec(0, 0, 1));
        world.add<SpringDamperParallel>(Placement::alongLine(*m_second, *ball, kTip, vec(0, 0, 0)), kHold);
        const btTransform turned(btQuaternion(vec(0, 0, 1), btScalar(kStopAngle)));
        stop = &world.add<ElastoGap>(Placement::aboutAxis(first, *m_second, turned, btTransform::getIdentity()), kStop);
        world.add<ElastoGap>(Placement::alongAxis(*m_second, btTransform::getIdentity(), upwards()),
                             ElastoGapParameters{.c = 2e3, .d = 5, .s_rel0 = 0.15});
    }

    void tick(double hz) { world.tick(1, hz); }
    btTransform second() { return m_second->getWorldTransform(); }

    TestWorld world;
    btRigidBody* ball = nullptr;
    ElastoGap* stop = nullptr;

private:
    btRigidBody* m_second = nullptr;
};

}  // namespace

// Impacts let the two drift apart, from the flow's tolerance for mechanisms on: they are as good as equal in the
// beginning, and for some impacts nearer to one another than mechanisms must be to the oracle.
TEST_CASE("an arm that holds a ball, both on the floor, moves as rigid bodies on hinges do") {
    const double hz = GENERATE(60.0, 240.0);
    CAPTURE(hz);
    Linked linked;
    Hinged hinged;
    bool hasTouched = false;
    bool hasBeenHeld = false;
    double sum = 0;
    const int ticks = static_cast<int>(0.6 * hz);
    for (int i = 0; i < ticks; ++i) {
        linked.tick(hz);
        hinged.tick(hz);
        CAPTURE(i);
        const auto off = [](const btVector3& x, const btVector3& y) { return static_cast<double>((x - y).length()); };
        const double ofArm = off(linked.second().getOrigin(), hinged.second().getOrigin());
        const double ofBall =
            off(linked.ball->getWorldTransform().getOrigin(), hinged.ball->getWorldTransform().getOrigin());
        if (i < 0.2 * hz) {
            REQUIRE(ofArm < byPrecision(1e-6, 1e-4));
            REQUIRE(ofBall < byPrecision(1e-6, 1e-4));
            REQUIRE(linked.stop->s_rel() == Approx(hinged.stop->s_rel()).margin(byPrecision(1e-5, 1e-3)));
        }
        sum += ofArm * ofArm + ofBall * ofBall;
        hasTouched = hasTouched || linked.world.dispatcher.getNumManifolds() > 1;
        hasBeenHeld = hasBeenHeld || linked.held->contact();
    }
    CHECK(hasTouched);
    CHECK(hasBeenHeld);
    const double fall = kHeight;
    // Bodies are swept within the tick, links are not: with neither these were 2e-3 and 5e-4.
    CHECK(std::sqrt(sum / ticks) / fall < (hz < 100 ? 2e-2 : byPrecision(4e-3, 1e-2)));
    CHECK(besideGrades(linked.world.messages).empty());
    CHECK(besideGrades(hinged.world.messages).empty());
    CHECK(linked.world.plugin->totals().uncoupled == 0);
}
