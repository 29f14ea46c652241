// A ragdoll on a bungee that is dragged about by a hand: a tree of limbs whose limits are hit again and again, while
// the motors of the mouse's joint pull.

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <vector>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// Eleven limbs on hinges and cones, arms spread.
class Ragdoll {
public:
    explicit Ragdoll(TestWorld& world) : m_world(world) {
        btRigidBody& pelvis = limb(10, 0.15, 0.2, 0, 1);
        chest = &limb(15, 0.15, 0.28, 0, 1.2);
        btRigidBody& head = limb(5, 0.1, 0.05, 0, 1.6);
        hinge(pelvis, *chest, vec(0, 1.1, 0), -kEighth, 2 * kEighth);
        cone(*chest, head, vec(0, 1.5, 0), SIMD_HALF_PI, kEighth, 2 * kEighth);
        for (const int side : {-1, 1}) {
            btRigidBody& thigh = limb(7, 0.07, 0.45, 0.18 * side, 0.65);
            btRigidBody& shin = limb(4, 0.05, 0.37, 0.18 * side, 0.2);
            cone(pelvis, thigh, vec(0.18 * side, 0.9, 0), side < 0 ? -5 * kEighth : kEighth, kEighth, kTwist);
            hinge(thigh, shin, vec(0.18 * side, 0.42, 0), 0, 2 * kEighth);
            btRigidBody& arm = limb(2.5, 0.05, 0.33, 0.35 * side, 1.45, true);
            btRigidBody& forearm = limb(1.5, 0.04, 0.25, 0.7 * side, 1.45, true);
            cone(*chest, arm, vec(0.2 * side, 1.45, 0), side < 0 ? SIMD_PI : 0, 2 * kEighth, kTwist);
            hinge(arm, forearm, vec(0.53 * side, 1.45, 0), -2 * kEighth, 0);
            hand = &forearm;
        }
    }
    ~Ragdoll() {
        for (const auto& joint : m_joints) m_world.world->removeConstraint(joint.get());
    }

    btRigidBody* chest = nullptr;
    btRigidBody* hand = nullptr;  // the right one

private:
    static constexpr double kEighth = SIMD_PI / 4;
    static constexpr double kTwist = 0.01;

    btRigidBody& limb(double mass, double radius, double length, double x, double y, bool lies = false) {
        auto* shape = lies ? static_cast<btCollisionShape*>(new btCapsuleShapeX(btScalar(radius), btScalar(length)))
                           : new btCapsuleShape(btScalar(radius), btScalar(length));
        btRigidBody& body = m_world.body(mass, shape, at(x, y, 0));
        body.setDamping(btScalar(0.05), btScalar(0.85));
        return body;
    }
    btTransform frameIn(const btRigidBody& body, const btVector3& place, double aboutY, double aboutZ) const {
        btTransform frame = at(0, 0, 0);
        frame.getBasis().setEulerZYX(0, btScalar(aboutY), btScalar(aboutZ));
        frame.setOrigin(place);
        return body.getWorldTransform().inverse() * frame;
    }
    void hinge(btRigidBody& a, btRigidBody& b, const btVector3& place, double low, double high) {
        auto joint = std::make_unique<btHingeConstraint>(a, b, frameIn(a, place, SIMD_HALF_PI, 0),
                                                         frameIn(b, place, SIMD_HALF_PI, 0));
        joint->setLimit(btScalar(low), btScalar(high));
        add(std::move(joint));
    }
    void cone(btRigidBody& a, btRigidBody& b, const btVector3& place, double aboutZ, double swing, double twist) {
        auto joint =
            std::make_unique<btConeTwistConstraint>(a, b, frameIn(a, place, 0, aboutZ), frameIn(b, place, 0, aboutZ));
        joint->setLimit(btScalar(swing), btScalar(swing), btScalar(twist));
        add(std::move(joint));
    }
    void add(std::unique_ptr<btTypedConstraint> joint) {
        m_world.world->addConstraint(joint.get(), true);
        m_joints.push_back(std::move(joint));
    }

    TestWorld& m_world;
    std::vector<std::unique_ptr<btTypedConstraint>> m_joints;
};

}  // namespace

TEST_CASE("limits of a dragged ragdoll do not eat up the budget") {
    const double impulse = GENERATE(10., 30., 100.);
    TestWorld world;
    const Ragdoll ragdoll(world);
    world.add<SpringDamperParallel>(*ragdoll.chest, vec(0, 0.2, 0), vec(0, 4, 0),
                                    SpringDamperParameters{.c = 2000, .d = 50, .s_rel0 = 2});
    const btVector3 grip = vec(0.15, 0, 0);
    const btVector3 start = ragdoll.hand->getWorldTransform() * grip;
    btPoint2PointConstraint drag(*ragdoll.hand, grip);
    drag.m_setting.m_impulseClamp = btScalar(impulse);
    world.world->addConstraint(&drag);
    int passive = 0;
    double fastest = 0;
    for (int i = 0; i < 180; ++i) {
        const double t = i / 60.;
        drag.setPivotB(start + vec(0.8 * std::sin(3 * t), 0.5 * std::sin(5 * t), 0.8 * (1 - std::cos(2 * t))));
        world.tick();
        passive += world.plugin->statistics().fallbacks;
        for (const auto& body : world.bodies) {
            fastest = std::max(fastest, static_cast<double>(body->getLinearVelocity().length()));
        }
    }
    CAPTURE(impulse, passive, fastest);
    CHECK(world.plugin->totals().uncoupled == 0);
    CHECK(passive < 80);
    CHECK(fastest < 16);
    world.world->removeConstraint(&drag);
}
