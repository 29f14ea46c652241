// What springs bring together within a tick: against impacts that are followed in steps of a microsecond.

#include <catch2/catch.hpp>

#include <cmath>

#include "test_world.h"

namespace missed_contacts_test {

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double kHalfTray = 0.05, kHalf = 0.124, kThreshold = 0.2;

enum class Falls { Ball, Box };

btCollisionShape* shapeOf(Falls kind) {
    if (kind == Falls::Ball) return new btSphereShape(btScalar(kHalf));
    return new btBoxShape(vec(0.1, kHalf, 0.1));
}

struct Bounce {
    double tray = 0, ball = 0;  ///< masses [kg]
    double c = 0, d = 0;        ///< of the tray's spring [N/m, N.s/m]
    double height = 0;          ///< of what falls above the tray [m]
    double restitution = 0;
    double end = 0;  ///< [s]
};

/// Heights at the end: tray, and what has fallen.
struct Heights {
    double tray = 0, ball = 0;
};

/// A mass on the tray's spring, which pulls it to a height.
struct Swing {
    double mass, c, d, middle;

    void move(double t, double& x, double& v) const {
        const double decay = d / (2 * mass), w = std::sqrt(c / mass - decay * decay);
        const double from = x - middle, rate = (v + decay * from) / w;
        const double damped = std::exp(-decay * t), cosine = std::cos(w * t), sine = std::sin(w * t);
        x = middle + damped * (from * cosine + rate * sine);
        v = damped * ((rate * w - decay * from) * cosine - (from * w + decay * rate) * sine);
    }
    double acceleration(double x, double v) const { return (-c * (x - middle) - d * v) / mass; }
};

/// Of the tray's top, from where it rests, and of what is above it.
struct Motion {
    double x = 0, v = 0, y = 0, u = 0;
    bool isTogether = false;
};

Motion after(const Bounce& bounce, Motion motion, double t) {
    constexpr double g = TestWorld::kGravity;
    if (motion.isTogether) {
        const double both = bounce.tray + bounce.ball;
        Swing{both, bounce.c, bounce.d, -bounce.ball * g / bounce.c}.move(t, motion.x, motion.v);
        motion.y = motion.x;
        motion.u = motion.v;
    } else {
        Swing{bounce.tray, bounce.c, bounce.d, 0}.move(t, motion.x, motion.v);
        motion.y += t * (motion.u - g * t / 2);
        motion.u -= g * t;
    }
    return motion;
}

/// What must not be below 0: the gap, or what presses.
double margin(const Bounce& bounce, const Motion& motion) {
    if (!motion.isTogether) return motion.y - motion.x;
    const double both = bounce.tray + bounce.ball, g = TestWorld::kGravity;
    return Swing{both, bounce.c, bounce.d, -bounce.ball * g / bounce.c}.acceleration(motion.x, motion.v) + g;
}

Heights reference(const Bounce& bounce) {
    constexpr double kLook = 1e-5;
    Motion now{.y = bounce.height};
    for (double t = 0; t < bounce.end;) {
        double step = std::min(kLook, bounce.end - t);
        if (margin(bounce, after(bounce, now, step)) >= 0) {
            now = after(bounce, now, step);
            t += step;
            continue;
        }
        double good = 0;
        for (int k = 0; k < 50; ++k) {
            const double middle = (good + step) / 2;
            (margin(bounce, after(bounce, now, middle)) >= 0 ? good : step) = middle;
        }
        now = after(bounce, now, step);
        t += step;
        if (now.isTogether) {
            now.isTogether = false;
            now.y = now.x;
            continue;
        }
        const double e = now.v - now.u > kThreshold ? bounce.restitution : 0;
        const double impulse = (1 + e) * (now.v - now.u) * bounce.tray * bounce.ball / (bounce.tray + bounce.ball);
        now.v -= impulse / bounce.tray;
        now.u += impulse / bounce.ball;
        now.y = now.x;
        now.isTogether = e == 0;
        if (now.isTogether && margin(bounce, now) < 0) now.isTogether = false;
    }
    return {now.x, now.y};
}

Heights solved(const Bounce& bounce, Falls kind, double hz) {
    TestWorld world;
    world.world->getSolverInfo().m_restitutionVelocityThreshold = btScalar(kThreshold);
    btRigidBody& tray = world.body(bounce.tray, new btBoxShape(vec(0.5, kHalfTray, 0.5)), at(0, -kHalfTray, 0));
    btRigidBody& falls = world.body(bounce.ball, shapeOf(kind), at(0, bounce.height + kHalf, 0));
    for (btRigidBody* body : {&tray, &falls}) {
        body->setAngularFactor(0);
        body->setLinearFactor(vec(0, 1, 0));
        body->setDamping(0, 0);
    }
    tray.setRestitution(1);
    falls.setRestitution(btScalar(bounce.restitution));
    const double sag = bounce.tray * TestWorld::kGravity / bounce.c;
    const Eigen::Vector3d up = Eigen::Vector3d::UnitY();
    world.add<SpringDamperParallel>(
        Placement::alongAxis(Placement::world(), tray, Eigen::Vector3d(0, -1 - kHalfTray, 0), Eigen::Vector3d::Zero(),
                             up),
        SpringDamperParameters{.c = bounce.c, .d = bounce.d, .s_rel0 = 1 + sag});
    world.add<SpringDamperParallel>(
        Placement::alongAxis(Placement::world(), falls, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), up),
        SpringDamperParameters{.c = 1e-9, .d = 0});
    world.tick(static_cast<int>(std::lround(bounce.end * hz)), hz);
    return {heightOf(tray) + kHalfTray, heightOf(falls) - kHalf};
}

}  // namespace

TEST_CASE("what falls on a sprung tray bounces in coarse ticks as in fine ones") {
    const Falls kind = GENERATE(Falls::Ball, Falls::Box);
    const Bounce bounce =
        GENERATE(Bounce{0.97, 3.5, 13600, 11.5, 0.331, 0.5, 0.6}, Bounce{0.34, 4.4, 28300, 50, 0.9, 0.3, 0.8},
                 Bounce{3, 2.75, 29200, 5, 0.35, 0.8, 0.8}, Bounce{0.93, 4.3, 9800, 5, 0.4, 0, 0.8});
    const Heights expected = reference(bounce);
    const double hz = GENERATE(30., 60., 240., 960.);
    const Heights heights = solved(bounce, kind, hz);
    CAPTURE(static_cast<int>(kind), bounce.tray, bounce.ball, bounce.c, hz);
    CHECK(heights.ball == Approx(expected.ball).margin(byPrecision(1e-8, 2e-4)));
    CHECK(heights.tray == Approx(expected.tray).margin(byPrecision(1e-8, 2e-4)));
}

}  // namespace missed_contacts_test
