// Springs, suspensions, cardan joints and cones inside the tick: closed forms, energies, and plain Bullet at ticks that
// are so short that its rows do the same.

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>

#include "test_world.h"

namespace joint_springs_test {

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double kGravity = TestWorld::kGravity;

struct Joints {
    TestWorld& world;
    std::vector<std::unique_ptr<btTypedConstraint>> all = {};

    template <class Joint, class... Arguments>
    Joint& add(Arguments&&... arguments) {
        auto joint = std::make_unique<Joint>(std::forward<Arguments>(arguments)...);
        Joint& added = *joint;
        world.world->addConstraint(joint.get(), true);
        all.push_back(std::move(joint));
        return added;
    }
    ~Joints() {
        for (const auto& joint : all) world.world->removeConstraint(joint.get());
    }
};

// A mass that a spring of a joint carries along y.
btGeneric6DofSpring2Constraint& suspend(Joints& joints, btRigidBody& mass, double c, double d) {
    auto& joint = joints.add<btGeneric6DofSpring2Constraint>(Placement::world(), mass, at(0, 0, 0), at(0, 0, 0));
    joint.setLimit(1, 1, -1);
    for (int k = 3; k < 6; ++k) joint.setLimit(k, 0, 0);
    joint.enableSpring(1, true);
    joint.setStiffness(1, btScalar(c), false);
    joint.setDamping(1, btScalar(d), false);
    joint.setEquilibriumPoint(1, btScalar(0.1));
    return joint;
}

// What a scene moves.
struct Scene {
    std::vector<btRigidBody*> bodies;
    double energy() const {
        double sum = 0;
        for (const btRigidBody* body : bodies) sum += energyOf(*body);
        return sum;
    }
};

using Build = std::function<Scene(TestWorld&, Joints&)>;

struct Course {
    std::vector<btTransform> poses;
    std::vector<double> energies;
    bool isUncoupled = false;
    std::string message;
};

Course run(const Build& build, bool withPlugin, double hz, double seconds, int iterations = 10) {
    TestWorld world(withPlugin);
    world.world->getSolverInfo().m_numIterations = iterations;
    Joints joints{world};
    const Scene scene = build(world, joints);
    ForceElement* element = withPlugin ? &addThread(world, *scene.bodies.back()) : nullptr;
    Course course;
    for (int i = 0; i < static_cast<int>(seconds * hz + 0.5); ++i) {
        world.tick(1, hz);
        course.energies.push_back(scene.energy());
        if (element != nullptr) course.isUncoupled |= element->uncoupled();
    }
    for (const btRigidBody* body : scene.bodies) course.poses.push_back(body->getWorldTransform());
    if (!world.messages.empty()) course.message = world.messages[0];
    return course;
}

// Largest difference of positions, and of the ends of the axes.
double difference(const Course& x, const Course& y) {
    double worst = 0;
    for (std::size_t i = 0; i < x.poses.size(); ++i) {
        worst = std::max(worst, static_cast<double>((x.poses[i].getOrigin() - y.poses[i].getOrigin()).length()));
        for (int k = 0; k < 3; ++k) {
            const btVector3 apart = x.poses[i].getBasis().getColumn(k) - y.poses[i].getBasis().getColumn(k);
            worst = std::max(worst, static_cast<double>(apart.length()));
        }
    }
    return worst;
}

}  // namespace

TEST_CASE("a joint's spring swings as its equation says", "[slow]") {
    const double hz = GENERATE(30., 60., 240.);
    const double d = GENERATE(0., 3., 20.);
    const double c = GENERATE(200., 1e5);
    const int iterations = GENERATE(1, 50);
    TestWorld world;
    world.world->getSolverInfo().m_numIterations = iterations;
    Joints joints{world};
    btRigidBody& mass = world.ball(1.3, 0, 0, 0);
    auto& joint = suspend(joints, mass, c, d);
    btJointFeedback feedback;
    joint.setJointFeedback(&feedback);
    ForceElement& element = addThread(world, mass);
    const double middle = 0.1 - 1.3 * kGravity / c;
    const double decay = d / (2 * 1.3);
    const double omega = std::sqrt(c / 1.3 - decay * decay);
    double worst = 0;
    double last = 0;
    for (int i = 1; i <= static_cast<int>(2 * hz); ++i) {
        world.tick(1, hz);
        const double t = i / hz;
        const double envelope = -middle * std::exp(-decay * t);
        const double y = middle + envelope * (std::cos(omega * t) + decay / omega * std::sin(omega * t));
        const double v = -envelope * (omega + decay * decay / omega) * std::sin(omega * t);
        worst = std::max(worst, std::abs(heightOf(mass) - y));
        // B is the mass: weight and mean acceleration.
        CHECK(static_cast<double>(feedback.m_appliedForceBodyB.y()) ==
              Approx(1.3 * (kGravity + (v - last) * hz)).margin(byPrecision(1e-4, 1e-1) * std::sqrt(c)));
        last = v;
    }
    CAPTURE(hz, c, d, worst);
    CHECK(worst < byPrecision(1e-6, 1e-4));
    CHECK_FALSE(element.uncoupled());
    CHECK(world.messages.empty());
}

TEST_CASE("the book closes with joints' springs in it") {
    TestWorld world;
    Joints joints{world};
    btRigidBody& mass = world.ball(1.3, 0, 0, 0);
    suspend(joints, mass, 300, 2);
    world.add<SpringDamperParallel>(mass, vec(0, 0, 0), vec(0, 1, 0),
                                    SpringDamperParameters{.c = 20, .d = 1, .s_rel0 = 1});
    const EnergyBook before = world.plugin->energy();
    world.tick(120);
    const EnergyBook after = world.plugin->energy();
    const double gain = after.kinetic + after.stored - before.kinetic - before.stored;
    CHECK(gain ==
          Approx(after.work + after.pushed - after.exchanged - after.damping - after.dissipated + after.numerical)
              .margin(byPrecision(1e-9, 1e-4)));
    CHECK(std::abs(after.numerical) < byPrecision(1e-7, 1e-3));
    CHECK(std::abs(after.exchanged) > 0.1);
    CHECK(after.dissipated > 0.01);
}

TEST_CASE("a carriage stands on its suspension, and that on the floor") {
    const double hz = GENERATE(60., 240.);
    TestWorld world;
    Joints joints{world};
    world.body(0, new btBoxShape(vec(2, 0.5, 2)), at(0, -0.5, 0));
    btRigidBody& axle = world.box(1, 0, 0.1, 0);
    btRigidBody& carriage = world.box(2, 0, 0.62, 0);
    auto& joint = joints.add<btGeneric6DofSpring2Constraint>(axle, carriage, at(0, 0, 0), at(0, 0, 0));
    joint.setLimit(1, btScalar(0.3), btScalar(0.7));
    for (int k = 3; k < 6; ++k) joint.setLimit(k, 0, 0);
    joint.enableSpring(1, true);
    joint.setStiffness(1, 2000, false);
    joint.setDamping(1, 60, false);
    joint.setEquilibriumPoint(1, btScalar(0.5));
    const ForceElement& element = addThread(world, carriage);
    bool isUncoupled = false;
    for (int i = 0; i < static_cast<int>(3 * hz); ++i) {
        world.tick(1, hz);
        isUncoupled |= element.uncoupled();
    }
    CAPTURE(hz, heightOf(axle), heightOf(carriage));
    CHECK_FALSE(isUncoupled);
    CHECK(heightOf(carriage) - heightOf(axle) == Approx(0.5 - 2 * kGravity / 2000).margin(byPrecision(1e-7, 1e-4)));
    CHECK(heightOf(axle) == Approx(0.1).margin(1e-3));
    CHECK(std::abs(climbOf(carriage)) < byPrecision(1e-6, 1e-4));
}

TEST_CASE("springs about Euler angles keep their energy") {
    const double hz = GENERATE(60., 240.);
    const RotateOrder order = GENERATE(RO_XYZ, RO_ZXY, RO_ZYX);
    TestWorld world;
    Joints joints{world};
    btRigidBody& bar = world.body(1, new btBoxShape(vec(0.02, 0.3, 0.04)), at(0, -0.3, 0));
    auto& joint = joints.add<btGeneric6DofSpring2Constraint>(bar, at(0, 0.3, 0), order);
    for (int k = 3; k < 6; ++k) {
        joint.setLimit(k, 1, -1);
        joint.enableSpring(k, true);
        joint.setStiffness(k, btScalar(0.25));
        joint.setEquilibriumPoint(k, btScalar(0.1 * (k - 4)));
    }
    bar.setAngularVelocity(vec(4, 3, -4));
    bar.setLinearVelocity(bar.getAngularVelocity().cross(vec(0, -0.3, 0)));
    const ForceElement& element = addThread(world, bar);
    const auto energy = [&] {
        joint.calculateTransforms();
        double sum = energyOf(bar);
        for (int k = 0; k < 3; ++k) {
            const double apart = static_cast<double>(joint.getAngle(k)) - 0.1 * (k - 1);
            sum += 0.5 * 0.25 * apart * apart;
        }
        return sum;
    };
    const double start = energy();
    double worst = 0;
    double largest = 0;
    for (int i = 0; i < static_cast<int>(3 * hz); ++i) {
        world.tick(1, hz);
        worst = std::max(worst, std::abs(energy() - start));
        largest = std::max(largest, std::abs(static_cast<double>(joint.getAngle(1))));
    }
    CAPTURE(hz, order, worst, largest, start);
    CHECK(worst < byPrecision(1e-7, 1e-4));
    CHECK(largest > 0.2);
    CHECK_FALSE(element.uncoupled());
}

TEST_CASE("a bar slides along its flat cone and gains nothing") {
    const double hz = GENERATE(60., 240.);
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));  // which would pull it off the cone
    Joints joints{world};
    btRigidBody& bar = world.body(1, new btBoxShape(vec(0.02, 0.3, 0.04)), at(0, -0.3, 0));
    const btQuaternion down(vec(0, 0, 1), -SIMD_HALF_PI);
    auto& joint = joints.add<btConeTwistConstraint>(bar, btTransform(down, vec(0, 0.3, 0)));
    const double aboutZ = 0.3;
    const double aboutY = 0.7;
    joint.setLimit(btScalar(aboutZ), btScalar(aboutY), 3);
    bar.setAngularVelocity(vec(3, 1.5, 3));
    bar.setLinearVelocity(bar.getAngularVelocity().cross(vec(0, -0.3, 0)));
    const ForceElement& element = addThread(world, bar);
    const btMatrix3x3 frame(down);
    double energy = kineticOf(bar);
    int atBound = 0;
    for (int i = 0; i < static_cast<int>(2 * hz); ++i) {
        world.tick(1, hz);
        const btVector3 x = (bar.getWorldTransform().getBasis() * frame.getColumn(0)) * frame;  // in B's frame
        const double sine = std::hypot(static_cast<double>(x.y()), static_cast<double>(x.z()));
        const double angle = std::atan2(sine, static_cast<double>(x.x()));
        const double n =
            angle / sine * std::hypot(static_cast<double>(x.z()) / aboutY, static_cast<double>(x.y()) / aboutZ);
        CHECK(n <= 1 + byPrecision(1e-8, 1e-5));
        atBound += n > 1 - byPrecision(1e-8, 1e-5) ? 1 : 0;
        CHECK(kineticOf(bar) <= energy + byPrecision(1e-9, 1e-5));
        energy = kineticOf(bar);
    }
    CAPTURE(hz, atBound);
    CHECK(atBound > 3);
    CHECK_FALSE(element.uncoupled());
}

TEST_CASE("suspensions, cardan joints and cones go where Bullet's shortest ticks go", "[slow]") {
    struct Case {
        const char* name;
        Build build;
        double tolerance;
    };
    const auto wheel = [](TestWorld& world, Joints& joints) {
        // Steering axis up, axle along z. The wheel spins and is turned about the steering axis.
        btRigidBody& body = world.body(10, new btCylinderShapeZ(vec(0.3, 0.3, 0.1)), at(0, 0, 0));
        btVector3 anchor = vec(0, 0, 0);
        btVector3 up = vec(0, 1, 0);
        btVector3 axle = vec(0, 0, 1);
        auto& joint = joints.add<btHinge2Constraint>(Placement::world(), body, anchor, up, axle);
        joint.setStiffness(2, 4000);
        joint.setDamping(2, 100);
        joint.enableSpring(5, true);
        joint.setStiffness(5, 30);
        body.setAngularVelocity(vec(0, 1.5, 6));
        return Scene{{&body}};
    };
    const auto cardan = [](TestWorld& world, Joints& joints) {
        // Two shafts at an angle of 0.5 rad, coupled by a universal joint; the first is turned by its spin.
        btRigidBody& first = world.body(2, new btCylinderShapeX(vec(0.5, 0.1, 0.1)), at(-0.5, 0, 0));
        const btTransform bent(btQuaternion(vec(0, 0, 1), btScalar(0.5)), vec(0, 0, 0));
        btRigidBody& second = world.body(2, new btCylinderShapeX(vec(0.5, 0.1, 0.1)), bent * at(0.5, 0, 0));
        joints.add<btHingeConstraint>(first, vec(-0.5, 0, 0), vec(1, 0, 0));
        // No more than is needed, or in single precision the loop's rounding would brake it.
        auto& bearing = joints.add<btGeneric6DofSpring2Constraint>(second, at(0.5, 0, 0));
        bearing.setLimit(0, 1, -1);
        for (int k = 3; k < 6; ++k) bearing.setLimit(k, 1, -1);
        btVector3 anchor = vec(0, 0, 0);
        btVector3 yokeA = vec(0, 0, 1);
        btVector3 yokeB = bent.getBasis() * vec(0, 1, 0);
        joints.add<btUniversalConstraint>(first, second, anchor, yokeA, yokeB);
        first.setAngularVelocity(vec(2.5, 0, 0));
        second.setAngularVelocity(bent.getBasis() * vec(2.5, 0, 0));
        return Scene{{&first, &second}};
    };
    const auto hanging = [](double aboutZ, double aboutY, double twist, const btVector3& spin) {
        return [=](TestWorld& world, Joints& joints) {
            // A bar whose x of the frame points down.
            btRigidBody& bar = world.body(1, new btBoxShape(vec(0.02, 0.3, 0.04)), at(0, -0.3, 0));
            const btQuaternion down(vec(0, 0, 1), -SIMD_HALF_PI);
            // With little bias: what Bullet pushes back over a limit stays as speed.
            auto& joint = joints.add<btConeTwistConstraint>(bar, btTransform(down, vec(0, 0.3, 0)));
            joint.setLimit(btScalar(aboutZ), btScalar(aboutY), btScalar(twist), 1, btScalar(0.01), 1);
            bar.setAngularVelocity(spin);
            bar.setLinearVelocity(bar.getAngularVelocity().cross(vec(0, -0.3, 0)));
            return Scene{{&bar}};
        };
    };
    const auto angles = [](TestWorld& world, Joints& joints) {
        btRigidBody& bar = world.body(1, new btBoxShape(vec(0.02, 0.3, 0.04)), at(0, -0.3, 0));
        auto& joint = joints.add<btGeneric6DofSpring2Constraint>(bar, at(0, 0.3, 0));
        joint.setLimit(3, btScalar(-0.3), btScalar(0.4));
        joint.setLimit(4, btScalar(-0.2), btScalar(0.2));
        joint.setLimit(5, btScalar(-0.5), btScalar(0.3));
        bar.setAngularVelocity(vec(2, 1.5, 3));
        bar.setLinearVelocity(bar.getAngularVelocity().cross(vec(0, -0.3, 0)));
        return Scene{{&bar}};
    };
    const auto servo = [](TestWorld& world, Joints& joints) {
        btRigidBody& bar = world.body(1, new btBoxShape(vec(0.02, 0.3, 0.04)), at(0, -0.3, 0));
        auto& joint = joints.add<btGeneric6DofSpring2Constraint>(bar, at(0, 0.3, 0));
        for (int k = 3; k < 6; ++k) joint.setLimit(k, 0, 0);
        joint.setLimit(5, 1, -1);
        joint.enableMotor(5, true);
        joint.setServo(5, true);
        joint.setTargetVelocity(5, 2);
        joint.setServoTarget(5, btScalar(0.8));
        joint.setMaxMotorForce(5, 30);
        return Scene{{&bar}};
    };
    const Case all[] = {
        {"hinge 2", wheel, 5e-3},
        {"universal", cardan, 5e-3},
        {"round cone", hanging(0.6, 0.6, 3, vec(2, 1.5, 3)), 5e-3},
        {"hinge about y", hanging(0.01, 0.7, 3, vec(2, 1.5, 3)), 5e-3},
        {"twist", hanging(0.01, 0.01, 0.2, vec(0, 1.5, 0)), 5e-3},
        {"three limits", angles, 1e-2},
        {"servo", servo, 5e-3},
    };
    for (const Case& given : all) {
        const Course oracle = run(given.build, false, 1e4, 0.6, 100);
        for (const double hz : {60., 240.}) {
            const Course ours = run(given.build, true, hz, 0.6);
            const double apart = difference(ours, oracle);
            CAPTURE(given.name, hz, apart, ours.message);
            CHECK_FALSE(ours.isUncoupled);
            CHECK(apart < given.tolerance + byPrecision(0, 1e-2));
            for (const int iterations : {1, 50}) {
                const Course same = run(given.build, true, hz, 0.6, iterations);
                CHECK(difference(ours, same) == 0);
            }
        }
    }
}

}  // namespace joint_springs_test
