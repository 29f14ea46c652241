// Workspaces: ticks do not depend on what one was used for before, and steady ticks allocate nothing.

#include <elasto/flow.h>

#include <catch2/catch.hpp>

#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#include "../sanitizers.h"
#include "contact_scenes.h"
#include "joint_rows.h"

using namespace elasto;
using Eigen::Vector3d;
using elasto::test::addBall;
using elasto::test::addCorners;
using elasto::test::addGap;
using elasto::test::addHinge;
using elasto::test::solidBox;

namespace {

long allocations = 0;

constexpr double kTick = 1.0 / 60;
/// Ticks in which everything that happens to a network has happened once.
constexpr int kSteady = 150;
constexpr double kGravity = 9.80665;

FlowBody bar(const Vector3d& centre, double half) {
    const double thin = 0.04 * 0.04;
    const double along = 4 * half * half;
    FlowBody body = FlowBody::rigid(1, Vector3d(2 * thin, along + thin, along + thin) / 12);
    body.position = centre;
    body.force.constant = {0, -kGravity, 0};
    return body;
}

FlowElement stop(int b, const Vector3d& pointB, const Vector3d& place, double c, double d) {
    FlowElement element{ElastoGapLaw({.c = c, .d = d})};
    element.b = b;
    element.pointA = place;
    element.pointB = pointB;
    element.axis = {0, 1, 0};
    return element;
}

FlowNetwork bouncingBall() {
    FlowNetwork network;
    network.bodies.push_back(FlowBody::sphere(0.2, 0.05));
    network.bodies[0].position = {0, 0.3, 0};
    network.bodies[0].force.constant = {0, -0.2 * kGravity, 0};
    network.elements.push_back(stop(0, Vector3d::Zero(), Vector3d::Zero(), 1e6, 0));
    return network;
}

FlowNetwork door() {
    FlowNetwork network;
    network.bodies.push_back(bar({0.5, 0, 0}, 0.5));
    addHinge(network, kWorld, Vector3d::Zero(), 0, {-0.5, 0, 0});
    network.elements.push_back(stop(0, {0.5, 0, 0}, {1, -0.5, 0}, 1e5, 0));
    return network;
}

FlowNetwork chain(int links) {
    FlowNetwork network;
    for (int i = 0; i < links; ++i) {
        network.bodies.push_back(bar({0.1 + 0.2 * i, 0, 0}, 0.1));
        network.bodies.back().velocity = {0, 0, 0.2 * i};
        addBall(network, i - 1, {i > 0 ? 0.1 : 0, 0, 0}, i, {-0.1, 0, 0});
    }
    network.elements.push_back(stop(links - 1, {0.1, 0, 0}, {2, -1, 0}, 1e4, 0));
    return network;
}

FlowNetwork tumblingBox() {
    FlowNetwork network = bouncingBall();
    network.bodies[0] = FlowBody::rigid(1, {0.1, 0.2, 0.3});
    network.bodies[0].angularVelocity = {3, 1, 2};
    network.bodies[0].force.constant = {0, -kGravity, 0};
    network.elements[0].pointB = {0.1, 0.1, 0};
    return network;
}

FlowNetwork twoParts() {
    FlowNetwork network = bouncingBall();
    network.bodies.push_back(network.bodies[0]);
    network.bodies[1].position = {1, 0.1, 0};
    network.bodies.push_back(FlowBody());
    network.elements.push_back(stop(1, Vector3d::Zero(), Vector3d::Zero(), 1e4, 2));
    network.elements.back().a = 2;
    return network;
}

/// Boxes on the floor, the uppermost one pressed down through a gap.
FlowNetwork pressedStack(int boxes, double friction) {
    const Vector3d half(0.5, 0.5, 0.5);
    FlowNetwork network;
    for (int i = 0; i < boxes; ++i) {
        network.bodies.push_back(solidBox(1, half, {0, 0.5 + i, 0}));
        addCorners(network, i, half, i - 1, i > 0 ? 0.5 : 0, friction);
    }
    addGap(network, ElastoGapLaw({.c = 1e6, .d = 0, .s_rel0 = 1e-3}), kWorld, {0, 1. * boxes, 0}, boxes - 1,
           {0, 0.5, 0}, {0, -1, 0});
    return network;
}

/// Pushed over the floor, faster and faster.
FlowNetwork slidingBox() {
    FlowNetwork network = pressedStack(1, 0.5);
    network.bodies[0].force.constant.x() = 8;
    network.elements[0].axis = {1, 0, 0};
    return network;
}

BoundedRow aboutHinge(BoundedRow::Kind kind) {
    BoundedRow row;
    row.kind = kind;
    row.geometry = Geometry::AboutAxis;
    row.b = 0;
    row.axis = Vector3d::UnitZ();
    return row;
}

/// A driven arm that turns until it lies on its limit.
FlowNetwork drivenArm() {
    FlowNetwork network = door();
    network.bounded.push_back(aboutHinge(BoundedRow::Kind::Motor));
    network.bounded.back().targetRate = -1;
    network.bounded.back().maxForce = 20;
    network.bounded.push_back(aboutHinge(BoundedRow::Kind::Limit));
    network.bounded.back().bound = -0.3;
    network.bounded.back().side = 1;
    network.bounded.back().restitution = 0.3;
    return network;
}

/// The same with a box on the floor in its way.
FlowNetwork armOnBox() {
    const Vector3d half(0.1, 0.1, 0.1);
    FlowNetwork network = drivenArm();
    network.bodies.push_back(solidBox(0.5, half, {0.8, -0.3, 0}));
    addCorners(network, 1, half, kWorld, -0.4, 0.5);
    FlowContact contact;
    contact.a = 0;
    contact.b = 1;
    contact.vertex = {0.3, -0.02, 0};
    contact.planePoint = {0, 0.1, 0};
    contact.friction = 0.3;
    network.contacts.push_back(contact);
    return network;
}

void requireSame(const TickResult& one, const TickResult& other) {
    REQUIRE(one.bodies.size() == other.bodies.size());
    for (std::size_t i = 0; i < one.bodies.size(); ++i) {
        const BodyTick& x = one.bodies[i];
        const BodyTick& y = other.bodies[i];
        REQUIRE(x.position == y.position);
        REQUIRE(x.orientation.coeffs() == y.orientation.coeffs());
        REQUIRE(x.velocity == y.velocity);
        REQUIRE(x.angularVelocity == y.angularVelocity);
        REQUIRE(x.elementVelocity == y.elementVelocity);
        REQUIRE(x.elementAngularVelocity == y.elementAngularVelocity);
    }
    REQUIRE(one.elements.size() == other.elements.size());
    for (std::size_t e = 0; e < one.elements.size(); ++e) {
        REQUIRE(one.elements[e].impulse == other.elements[e].impulse);
        REQUIRE(one.elements[e].heat == other.elements[e].heat);
        REQUIRE(one.elements[e].s == other.elements[e].s);
    }
    REQUIRE(one.bounded.size() == other.bounded.size());
    for (std::size_t k = 0; k < one.bounded.size(); ++k) REQUIRE(one.bounded[k].impulse == other.bounded[k].impulse);
    REQUIRE(one.contacts.size() == other.contacts.size());
    for (std::size_t i = 0; i < one.contacts.size(); ++i) {
        REQUIRE(one.contacts[i].impulse == other.contacts[i].impulse);
        REQUIRE(one.contacts[i].frictionImpulse == other.contacts[i].frictionImpulse);
        REQUIRE(one.contacts[i].gap == other.contacts[i].gap);
    }
    REQUIRE(one.contactLoss == other.contactLoss);
    REQUIRE(one.cost == other.cost);
    REQUIRE(one.events.size() == other.events.size());
    for (std::size_t k = 0; k < one.events.size(); ++k) REQUIRE(one.events[k].time == other.events[k].time);
    REQUIRE(one.method == other.method);
    REQUIRE(one.steps == other.steps);
    REQUIRE(one.overBudget == other.overBudget);
    REQUIRE(one.energyHandedOut == other.energyHandedOut);
    REQUIRE(one.energyRepaired == other.energyRepaired);
    REQUIRE(one.jointEnergy == other.jointEnergy);
}

}  // namespace

// Eigen's vectors come from malloc, everything else from operator new, which calls it.
#if defined(__GLIBC__) && !defined(ELASTO_TEST_IS_SANITIZED)
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
    ++allocations;
    return __libc_malloc(size);
}
#else
void* operator new(std::size_t size) {
    ++allocations;
    if (void* place = std::malloc(size > 0 ? size : 1)) return place;
    throw std::bad_alloc();
}
void operator delete(void* place) noexcept {
    std::free(place);
}
void operator delete(void* place, std::size_t) noexcept {
    std::free(place);
}
#endif

TEST_CASE("a tick does not depend on what its workspace was used for", "[flow][workspace]") {
    std::vector<FlowNetwork> networks{
        bouncingBall(),       door(),      chain(10),  tumblingBox(), twoParts(),        chain(3),
        pressedStack(3, 0.5), drivenArm(), armOnBox(), slidingBox(),  pressedStack(1, 0)};
    FlowWorkspace shared;
    TickResult result;
    for (int i = 0; i < 40; ++i) {
        for (FlowNetwork& network : networks) {
            const TickResult fresh = solveTick(network, kTick);
            solveTick(network, kTick, {}, shared, result);
            requireSame(result, fresh);
            network.adopt(result);
        }
    }
}

TEST_CASE("a workspace can be moved", "[flow][workspace]") {
    FlowNetwork network = door();
    FlowWorkspace first;
    TickResult result;
    solveTick(network, kTick, {}, first, result);
    FlowWorkspace second = std::move(first);
    network.adopt(result);
    const TickResult fresh = solveTick(network, kTick);
    solveTick(network, kTick, {}, second, result);
    requireSame(result, fresh);
}

TEST_CASE("steady ticks allocate nothing", "[flow][workspace]") {
    const std::vector<FlowNetwork (*)()> makers{bouncingBall,
                                                door,
                                                [] { return chain(10); },
                                                tumblingBox,
                                                twoParts,
                                                [] { return pressedStack(1, 0); },
                                                [] { return pressedStack(5, 0.5); },
                                                slidingBox,
                                                armOnBox};
    for (const auto make : makers) {
        FlowNetwork network = make();
        FlowWorkspace workspace;
        TickResult result;
        for (int i = 0; i < kSteady; ++i) {
            solveTick(network, kTick, {}, workspace, result);
            network.adopt(result);
        }
        const long before = allocations;
        for (int i = 0; i < kSteady; ++i) {
            // What stands is not solved again as long as nothing changes.
            network.bodies[0].force.constant.y() *= 1 + 1e-9;
            solveTick(network, kTick, {}, workspace, result);
            network.adopt(result);
        }
        const long made = allocations - before;
        CAPTURE(network.bodies.size(), network.joints.size(), network.bounded.size(), network.contacts.size());
        CHECK(made == 0);
    }
}
