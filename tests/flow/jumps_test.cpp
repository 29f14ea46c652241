// What moves by itself jumps, and joints hand it on to what lies there: against closed forms.

#include "contact_scenes.h"

#include <elasto/flow.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

namespace jumps_test {

using namespace elasto;
using namespace elasto::test;
using Eigen::Vector3d;

namespace {

const Vector3d kPlate(2, 0.05, 2), kBox(0.1, 0.1, 0.1);

enum class Drive { Fixed, Hinge, Slider, Chain, Motor };

void holdPoint(FlowNetwork& network, int a, int b, std::initializer_list<int> axes) {
    HeldRow row;
    row.a = a;
    row.b = b;
    if (a == kWorld) row.pointA = network.bodies[static_cast<std::size_t>(b)].position;
    for (const int k : axes) {
        row.axisA = Vector3d::Unit(k);
        network.joints.push_back(row);
    }
}

void holdAngles(FlowNetwork& network, int a, int b, std::initializer_list<int> axes) {
    HeldRow row;
    row.kind = HeldRow::Kind::Orthogonal;
    row.a = a;
    row.b = b;
    for (const int k : axes) {
        row.axisA = Vector3d::Unit((k + 1) % 3);
        row.axisB = Vector3d::Unit((k + 2) % 3);
        network.joints.push_back(row);
    }
}

// A hand that moves by itself, plates that joints tie to it in a row, and a box at rest on the last of them.
FlowNetwork driven(Drive drive, const Vector3d& velocity, double friction, double restitution = 0) {
    FlowNetwork network;
    FlowBody hand;
    hand.inverseMass = 0;
    hand.inverseInertia.setZero();
    hand.velocity = velocity;
    network.bodies.push_back(hand);
    const int plates = drive == Drive::Chain ? 3 : 1;
    for (int i = 1; i <= plates; ++i) {
        network.bodies.push_back(solidBox(5, kPlate, {0, 0, 0}));
        const int before = drive == Drive::Motor ? kWorld : i - 1;
        switch (drive) {
            case Drive::Fixed:
            case Drive::Chain:
                holdPoint(network, before, i, {0, 1, 2});
                holdAngles(network, before, i, {0, 1, 2});
                break;
            case Drive::Hinge:
                holdPoint(network, before, i, {0, 1, 2});
                holdAngles(network, before, i, {0, 2});
                break;
            case Drive::Slider:  // free across the hand's motion
                holdPoint(network, before, i, {0, 1});
                holdAngles(network, before, i, {0, 1, 2});
                break;
            case Drive::Motor: {
                holdPoint(network, before, i, {1, 2});
                holdAngles(network, before, i, {0, 1, 2});
                BoundedRow motor;
                motor.b = i;
                motor.targetRate = velocity.x();
                motor.maxForce = std::numeric_limits<double>::infinity();
                network.bounded.push_back(motor);
                break;
            }
        }
    }
    network.bodies.push_back(solidBox(1, kBox, {0, kPlate.y() + kBox.y(), 0}));
    addCorners(network, plates + 1, kBox, plates, kPlate.y(), friction);
    for (FlowContact& contact : network.contacts) contact.restitution = restitution;
    return network;
}

}  // namespace

TEST_CASE("a box slips on a plate that a joint drags along from one moment on") {
    const Drive drive = GENERATE(Drive::Fixed, Drive::Hinge, Drive::Slider, Drive::Chain, Drive::Motor);
    const double hz = GENERATE(30., 60., 240., 960.);
    const double friction = GENERATE(1e-4, 0.09, 0.6);
    const double v = GENERATE(0.2, 1., 5.);
    FlowNetwork network = driven(drive, {v, 0, 0}, friction);
    const double end = 0.5;  // [s]
    for (int t = 0; t < static_cast<int>(hz * end); ++t) network.adopt(solveTick(network, 1 / hz));
    const double a = friction * kContactGravity;
    const double slipping = std::min(end, v / a);
    CAPTURE(static_cast<int>(drive), hz, friction, v);
    const FlowBody& box = network.bodies.back();
    // What friction stops within a hundredth of the tick is stopped at once.
    const double caught = std::max(1e-10, 2e-4 * a / (hz * hz));
    CHECK(box.position.x() == Approx(a * slipping * slipping / 2 + v * (end - slipping)).epsilon(0).margin(caught));
    CHECK(box.velocity.x() == Approx(a * slipping).margin(1e-8));
    CHECK(box.position.y() == Approx(kPlate.y() + kBox.y()).margin(1e-9));
}

TEST_CASE("a plate that a joint pulls away from under a box does not take it along") {
    const Drive drive = GENERATE(Drive::Fixed, Drive::Hinge, Drive::Chain);
    const double hz = GENERATE(60., 240.);
    FlowNetwork network = driven(drive, {0, -3, 0}, 0.5);
    network.adopt(solveTick(network, 1 / hz));
    const FlowBody& box = network.bodies.back();
    CHECK(box.velocity.y() == Approx(-kContactGravity / hz).epsilon(1e-9));
    CHECK(network.bodies[1].velocity.y() == Approx(-3).epsilon(1e-9));
}

TEST_CASE("what a plate on a joint hits leaves it as its restitution says") {
    const Drive drive = GENERATE(Drive::Fixed, Drive::Hinge, Drive::Chain);
    const double restitution = GENERATE(0., 0.3, 1.);
    const double hz = GENERATE(60., 240.);
    FlowNetwork network = driven(drive, {0, 2, 0}, 0.5, restitution);
    network.adopt(solveTick(network, 1 / hz));
    const FlowBody& box = network.bodies.back();
    const double fall = restitution > 0 ? kContactGravity / hz : 0;
    CHECK(box.velocity.y() == Approx(2 * (1 + restitution) - fall).epsilon(1e-9));
}

TEST_CASE("friction of what a plate on a joint hits is bounded by the impact") {
    // Upwards and aside: the box gets as much of either as it is pressed.
    const double friction = GENERATE(0.1, 0.5, 0.9);  // with 1 it would tip
    FlowNetwork network = driven(Drive::Fixed, {0.7, 1, 0}, friction);
    const double hz = 1e4;
    network.adopt(solveTick(network, 1 / hz));
    const double pressed = friction * (1 + kContactGravity / hz);
    CHECK(network.bodies.back().velocity.x() == Approx(std::min(pressed, 0.7)).epsilon(1e-9));
}

}  // namespace jumps_test
