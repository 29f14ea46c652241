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
    /// @param height above the origin @param areApart limbs that are joined do not touch each other
    explicit Ragdoll(TestWorld& world, double height = 0, bool areApart = true)
        : m_world(world), m_height(height), m_areApart(areApart) {
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
        for (const Joint& joint : m_joints) m_world.world->removeConstraint(joint.constraint.get());
    }

    /// The largest distance of a joint's two points.
    double gap() const {
        double largest = 0;
        for (const Joint& joint : m_joints) {
            const btVector3 a = joint.constraint->getRigidBodyA().getWorldTransform() * joint.placeInA;
            const btVector3 b = joint.constraint->getRigidBodyB().getWorldTransform() * joint.placeInB;
            largest = std::max(largest, static_cast<double>((b - a).length()));
        }
        return largest;
    }

    btRigidBody* chest = nullptr;
    btRigidBody* hand = nullptr;  // the right one

private:
    static constexpr double kEighth = SIMD_PI / 4;
    static constexpr double kTwist = 0.01;

    btRigidBody& limb(double mass, double radius, double length, double x, double y, bool lies = false) {
        auto* shape = lies ? static_cast<btCollisionShape*>(new btCapsuleShapeX(btScalar(radius), btScalar(length)))
                           : new btCapsuleShape(btScalar(radius), btScalar(length));
        btRigidBody& body = m_world.body(mass, shape, at(x, y + m_height, 0));
        body.setDamping(btScalar(0.05), btScalar(0.85));
        return body;
    }
    btTransform frameIn(const btRigidBody& body, const btVector3& place, double aboutY, double aboutZ) const {
        btTransform frame = at(0, 0, 0);
        frame.getBasis().setEulerZYX(0, btScalar(aboutY), btScalar(aboutZ));
        frame.setOrigin(place + vec(0, m_height, 0));
        return body.getWorldTransform().inverse() * frame;
    }
    void hinge(btRigidBody& a, btRigidBody& b, const btVector3& place, double low, double high) {
        auto joint = std::make_unique<btHingeConstraint>(a, b, frameIn(a, place, SIMD_HALF_PI, 0),
                                                         frameIn(b, place, SIMD_HALF_PI, 0));
        joint->setLimit(btScalar(low), btScalar(high));
        add(std::move(joint), a, b, place);
    }
    void cone(btRigidBody& a, btRigidBody& b, const btVector3& place, double aboutZ, double swing, double twist) {
        auto joint =
            std::make_unique<btConeTwistConstraint>(a, b, frameIn(a, place, 0, aboutZ), frameIn(b, place, 0, aboutZ));
        joint->setLimit(btScalar(swing), btScalar(swing), btScalar(twist));
        add(std::move(joint), a, b, place);
    }
    void add(std::unique_ptr<btTypedConstraint> joint, const btRigidBody& a, const btRigidBody& b,
             const btVector3& place) {
        m_world.world->addConstraint(joint.get(), m_areApart);
        m_joints.push_back(
            {std::move(joint), frameIn(a, place, 0, 0).getOrigin(), frameIn(b, place, 0, 0).getOrigin()});
    }

    struct Joint {
        std::unique_ptr<btTypedConstraint> constraint;
        btVector3 placeInA, placeInB;
    };

    TestWorld& m_world;
    double m_height;
    bool m_areApart;
    std::vector<Joint> m_joints;
};

}  // namespace

TEST_CASE("limits of a dragged ragdoll do not eat up the budget", "[slow]") {
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
    std::int64_t passive = 0;
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

// Whoever forgets that joined limbs overlap has a ragdoll whose joints and contacts contradict each other: Bullet
// leaves its joints 0.3 m apart, and so do we, but nothing is thrown about where bodies are put right.
TEST_CASE("a ragdoll in its own way stays together", "[slow]") {
    const double rate = GENERATE(120., 240.);
    const double height = GENERATE(1., 3.);
    TestWorld world;
    btRigidBody& plate = world.body(30, new btBoxShape(vec(2, 0.1, 2)), at(0, -0.6, 0));
    plate.setLinearFactor(vec(0, 1, 0));
    plate.setAngularFactor(0);
    for (const btVector3& corner : {vec(1.9, 0, 1.9), vec(1.9, 0, -1.9), vec(-1.9, 0, 1.9), vec(-1.9, 0, -1.9)}) {
        world.add<SpringDamperParallel>(plate, corner, corner - vec(0, 1.6, 0),
                                        SpringDamperParameters{.c = 3000, .d = 200, .s_rel0 = 1});
    }
    const Ragdoll ragdoll(world, height, false);
    double moved = 0;
    std::vector<btVector3> before(world.bodies.size());
    for (int i = 0; i < 3 * rate; ++i) {
        for (std::size_t k = 0; k < before.size(); ++k) before[k] = world.bodies[k]->getCenterOfMassPosition();
        world.world->stepSimulation(btScalar(1 / rate), 0, btScalar(1 / rate));
        for (std::size_t k = 0; k < before.size(); ++k) {
            const btVector3 way = world.bodies[k]->getCenterOfMassPosition() - before[k];
            const btVector3 led = world.bodies[k]->getLinearVelocity() / btScalar(rate);
            moved = std::max(moved, static_cast<double>((way - led).length()));
        }
    }
    CAPTURE(rate, height);
    CHECK(ragdoll.gap() < 0.45);
    CHECK(moved < 0.2);
}
