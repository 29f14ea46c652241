// Impacts of bodies that turn: against closed forms of the impact, and against ticks so short that nothing turns in
// them.

#include "body_energy.h"
#include "contact_scenes.h"

#include <elasto/flow.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

namespace contact_impacts_test {

using namespace elasto;
using namespace elasto::test;
using Eigen::Vector3d;

namespace {

/// Ball a against ball b, wherever they are.
FlowContact ballsTouch(int a, double radiusA, int b, double radiusB) {
    FlowContact contact;
    contact.a = a;
    contact.b = b;
    contact.radius = radiusA;
    contact.ownerRadius = radiusB;
    contact.planePoint = {0, radiusB, 0};
    return contact;
}

struct Velocities {
    Vector3d v[2], w[2];
};

/// Two balls of network.bodies at the instant at which they touch, after friction that suffices to stop their surfaces
/// against each other, or does not.
Velocities afterImpact(const FlowNetwork& network, double time) {
    const FlowContact& contact = network.contacts[0];
    const FlowBody &a = network.bodies[0], &b = network.bodies[1];
    const Vector3d n = (a.position - b.position + time * (a.velocity - b.velocity)).normalized();
    const Vector3d armA = -contact.radius * n, armB = contact.ownerRadius * n;
    const Vector3d against = a.velocity + a.angularVelocity.cross(armA) - b.velocity - b.angularVelocity.cross(armB);
    const double approach = -n.dot(against);
    const Vector3d slip = against + approach * n;
    const double inverse = a.inverseMass + b.inverseMass;
    const double alongSurface = inverse + contact.radius * contact.radius * a.inverseInertia.x() +
                                contact.ownerRadius * contact.ownerRadius * b.inverseInertia.x();
    const double press = (1 + contact.restitution) * approach / inverse;
    const double friction = std::min(contact.friction * press, slip.norm() / alongSurface);
    const Vector3d impulse = press * n - friction * slip.normalized();
    return {{a.velocity + a.inverseMass * impulse, b.velocity - b.inverseMass * impulse},
            {a.angularVelocity + a.inverseInertia.x() * armA.cross(impulse),
             b.angularVelocity - b.inverseInertia.x() * armB.cross(impulse)}};
}

/// Two balls in space that meet off centre, spinning.
FlowNetwork twoBalls(double friction) {
    FlowNetwork network;
    network.bodies = {FlowBody::sphere(1.5, 0.1), FlowBody::sphere(0.7, 0.15)};
    network.bodies[0].position = {0.06, 0.28, 0.03};
    network.bodies[0].velocity = {0.4, -2.5, 0.1};
    network.bodies[0].angularVelocity = {9, -4, 12};
    network.bodies[1].velocity = {-0.3, 0.8, 0.2};
    network.bodies[1].angularVelocity = {-3, 8, 15};
    network.contacts = {ballsTouch(0, 0.1, 1, 0.15)};
    network.contacts[0].friction = friction;
    network.contacts[0].restitution = 0.6;
    return network;
}

/// When their distance is the sum of their radii.
double timeOfTouch(const FlowNetwork& network) {
    const Vector3d from = network.bodies[0].position - network.bodies[1].position;
    const Vector3d rate = network.bodies[0].velocity - network.bodies[1].velocity;
    const double sum = network.contacts[0].radius + network.contacts[0].ownerRadius;
    const double half = from.dot(rate), speed = rate.squaredNorm();
    return (-half - std::sqrt(half * half - speed * (from.squaredNorm() - sum * sum))) / speed;
}

/// A tray on four springs along lines, and a ball that comes down on it aside.
FlowNetwork trayAndBall(double c, double d, double restitution) {
    const Vector3d half(0.4, 0.05, 0.4);
    FlowNetwork network;
    network.bodies = {solidBox(1.2, half, {0, 0.5, 0}), FlowBody::sphere(0.8, 0.1)};
    network.bodies[0].velocity = {0, 0.3, 0};
    network.bodies[1].position = {0.15, 0.67, 0.08};
    network.bodies[1].velocity = {0.8, -3, -0.5};
    network.bodies[1].angularVelocity = {10, -5, 8};
    network.bodies[1].force.constant = {0, -kContactGravity * 0.8, 0};
    for (const int x : {-1, 1}) {
        for (const int z : {-1, 1}) {
            FlowElement spring{SpringDamperLaw({.c = c, .d = d, .s_rel0 = 0.55})};
            spring.geometry = Geometry::AlongLine;
            spring.a = kWorld;
            spring.b = 0;
            spring.pointA = {0.5 * x, 0, 0.5 * z};
            spring.pointB = {0.35 * x, 0, 0.35 * z};
            network.elements.push_back(spring);
        }
    }
    FlowContact contact;
    contact.a = 1;
    contact.b = 0;
    contact.radius = 0.1;
    contact.planePoint = {0.15, half.y(), 0.08};
    contact.friction = 0.25;
    contact.restitution = restitution;
    network.contacts = {contact};
    return network;
}

/// The same over so many ticks.
FlowNetwork after(FlowNetwork network, double h, int ticks) {
    for (int tick = 0; tick < ticks; ++tick) network.adopt(solveTick(network, h / ticks));
    return network;
}

}  // namespace

TEST_CASE("a rod that is dragged over its tip wedges and stops at once, as it must") {
    // Pressure with its friction would bring the tip down, and so would weight without it: no forces are right
    // (Painleve). It was an implicit tick, in which the rod slid on into the floor.
    const double lean = GENERATE(0.7, M_PI / 4, 0.9), friction = GENERATE(0.3, 2., 3.), mass = GENERATE(1., 100.);
    const double speed = GENERATE(0.1, 1., 2.), heading = GENERATE(0., 2.), hz = GENERATE(60., 1000., 1e6);
    CAPTURE(lean, friction, mass, speed, heading, hz);
    const double l = 0.5;
    const Vector3d along = Eigen::AngleAxisd(heading, Vector3d::UnitY()) * Vector3d::UnitX();
    const Vector3d axis = along.cross(Vector3d::UnitY());
    FlowNetwork network;
    network.bodies = {FlowBody::rigid(mass, mass * Vector3d(l * l / 3, 1e-3, l * l / 3))};
    FlowBody& rod = network.bodies[0];
    rod.orientation = Eigen::AngleAxisd(lean, axis);
    rod.position = rod.orientation * Vector3d(0, l, 0);
    rod.velocity = speed * along;
    rod.force.constant = {0, -kContactGravity * mass, 0};
    FlowContact tip;
    tip.a = 0;
    tip.vertex = {0, -l, 0};
    tip.friction = friction;
    network.contacts = {tip};
    FlowWorkspace workspace;
    TickResult tick;
    solveTick(network, 1 / hz, FlowSettings(), workspace, tick);
    const BodyTick& end = tick.bodies[0];
    const Vector3d arm = end.orientation * Vector3d(0, -l, 0);
    const Vector3d slip = end.velocity + end.angularVelocity.cross(arm);
    CHECK(tick.grade.grade == Grade::Exact);
    CHECK((end.position + arm).y() > -1e-9);
    const double s = std::sin(lean), c = std::cos(lean);
    const bool wedges = 1 + 3 * s * (s - friction * c) < 0;
    if (!wedges) {
        CHECK(slip.norm() > 0.9 * speed);
        return;
    }
    CHECK(slip.norm() < 1e-6 * speed);
    // Impulses per mass of the tip that stop it: [1 + 3 s^2, -3 s c; -3 s c, 1 + 3 c^2] (press, drag) = (0, speed).
    const double drag = speed * (1 + 3 * s * s) / 4, press = speed * 3 * s * c / 4;
    if (hz < 1e6) return;  // the rod turns on its tip for the rest of the tick
    CHECK(end.velocity.dot(along) == Approx(speed - drag).epsilon(1e-3));
    CHECK(end.velocity.y() == Approx(press).margin(1e-3 * speed + 2e-5));
}

TEST_CASE("balls that neither turn nor rub part along the line on which they meet") {
    FlowNetwork network = twoBalls(0);
    for (FlowBody& ball : network.bodies) ball.angularVelocity.setZero();
    constexpr double h = 1. / 60;
    const Velocities right = afterImpact(network, timeOfTouch(network));
    const TickResult result = solveTick(network, h);
    for (std::size_t i = 0; i < 2; ++i) {
        CAPTURE(i, result.bodies[i].velocity.transpose(), right.v[i].transpose());
        CHECK((result.bodies[i].velocity - right.v[i]).norm() < 1e-9 * right.v[i].norm());
        CHECK(result.bodies[i].angularVelocity.norm() < 1e-9);
    }
}

TEST_CASE("balls that meet within a tick touch where they are then", "[flow][contacts][impacts]") {
    const double friction = GENERATE(0., 0.05, 0.4);
    const double h = GENERATE(1. / 60, 1. / 240);
    FlowNetwork network = twoBalls(friction);
    const double time = timeOfTouch(network);
    REQUIRE(time > 0);
    if (time > h) {  // they are brought near by flying on
        for (FlowBody& body : network.bodies) body.position += (time - h / 2) * body.velocity;
    }
    const Velocities expected = afterImpact(network, timeOfTouch(network));
    const TickResult tick = solveTick(network, h);
    for (std::size_t i = 0; i < 2; ++i) {
        CAPTURE(i, friction, h);
        CHECK((tick.bodies[i].velocity - expected.v[i]).norm() < 1e-7);
        CHECK((tick.bodies[i].angularVelocity - expected.w[i]).norm() < 1e-6);
    }
    CHECK(tick.contacts[0].impulse > 0.5);
}

TEST_CASE("balls go round each other without a touch", "[flow][contacts][impacts]") {
    // The planes of their nearest points meet.
    FlowNetwork network = twoBalls(0.3);
    network.bodies[0].position = {0.26, 0.02, 0};
    network.bodies[0].velocity = {0, -6, 0};
    network.bodies[1].velocity.setZero();
    network.contacts[0].normal = Vector3d::UnitX();
    network.contacts[0].planePoint = {0.15, 0, 0};
    const TickResult tick = solveTick(network, 1. / 60);
    CHECK(tick.contacts[0].impulse == 0);
    CHECK((tick.bodies[0].velocity - network.bodies[0].velocity).norm() < 1e-12);
    CHECK(tick.contacts[0].gap == Approx(std::hypot(0.26, 0.08) - 0.25).margin(1e-9));
}

TEST_CASE("a ball leaves a tray that turns as in short ticks", "[flow][contacts][impacts]") {
    const double c = GENERATE(200., 4000., 1e5);
    const double d = GENERATE(0., 3.);
    const double restitution = GENERATE(0.3, 0.9);
    CAPTURE(c, d, restitution);
    const double h = 1. / 60;
    const FlowNetwork start = trayAndBall(c, d, restitution);
    const FlowNetwork coarse = after(start, h, 1), fine = after(start, h, 64);
    for (std::size_t i = 0; i < 2; ++i) {
        const FlowBody &body = coarse.bodies[i], &expected = fine.bodies[i];
        CAPTURE(i);
        CHECK((body.position - expected.position).norm() < 1e-6);
        CHECK((body.velocity - expected.velocity).norm() < 1e-4);
        CHECK((body.angularVelocity - expected.angularVelocity).norm() < 1e-3);
    }
}

TEST_CASE("impacts without loss keep the energy of what turns", "[flow][contacts][impacts]") {
    FlowNetwork network = trayAndBall(4000, 0, 1);
    network.contacts[0].friction = 0;
    const auto energy = [](const FlowNetwork& now) {
        double sum = storedEnergy(now);
        for (const FlowBody& body : now.bodies) sum += kineticEnergy(body) - body.force.constant.dot(body.position);
        return sum;
    };
    const double before = energy(network);
    const TickResult tick = solveTick(network, 1. / 60);
    network.adopt(tick);
    CHECK(tick.contacts[0].impulse > 1);
    CHECK(energy(network) == Approx(before).epsilon(1e-7));
    CHECK(std::abs(tick.contactLoss) < 1e-7 * before);
}

}  // namespace contact_impacts_test
