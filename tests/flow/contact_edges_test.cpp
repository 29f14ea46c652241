// What goes over the edges of a box, and faces that slide off each other, in closed form.

#include "contact_scenes.h"

#include <elasto/errors.h>
#include <elasto/flow.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

namespace contact_edges_test {

using namespace elasto;
using namespace elasto::test;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

constexpr double g = kContactGravity;
constexpr double kTick = 1. / 60;

ContactBox boxOf(const Vector3d& half, double rounding = 0) {
    ContactBox box;
    box.half = half.asDiagonal();
    box.rounding = rounding;
    return box;
}

/// All of a network as seen by somebody who is turned. @param isSwapped a and b change places in contacts
FlowNetwork turned(FlowNetwork network, const Quaterniond& turn, bool isSwapped) {
    for (FlowBody& body : network.bodies) {
        body.position = turn * body.position;
        body.orientation = turn * body.orientation;
        body.velocity = turn * body.velocity;
        body.angularVelocity = turn * body.angularVelocity;
        body.force.constant = turn * body.force.constant;
    }
    for (FlowContact& contact : network.contacts) {
        if (!isSwapped) continue;
        std::swap(contact.a, contact.b);
        contact.isVertexOnA = !contact.isVertexOnA;
        contact.normal = -contact.normal;
    }
    return network;
}

const Quaterniond kTurn(Eigen::AngleAxisd(0.8, Vector3d(1, -2, 0.5).normalized()));

/// A ball without friction on a table whose edge is at x = 0, z is along the edge.
FlowNetwork ballOnTable(double radius, double rounding, const Vector3d& velocity, double from) {
    FlowNetwork network;
    network.bodies = {FlowBody::sphere(0.7, radius), FlowBody()};
    FlowBody& ball = network.bodies[0];
    ball.position = {-from, radius, 0};
    ball.velocity = velocity;
    ball.force.constant = {0, -g * 0.7, 0};
    const Vector3d half(0.4, 0.2, 0.6);
    network.bodies[1].position = {-rounding - half.x(), -rounding - half.y(), 0};
    FlowContact contact;
    contact.a = 0;
    contact.b = 1;
    contact.radius = radius;
    contact.ownerBox = boxOf(half, rounding);
    contact.planePoint = {0, half.y() + rounding, 0};
    network.contacts = {contact};
    return network;
}

/// A block without friction, that keeps its attitude, on another one that is fixed: it overlaps by this much.
FlowNetwork blockOnBlock(double overlap, const Vector3d& velocity, const Vector3d& half) {
    const Vector3d base(0.3, 0.1, 0.5);
    FlowNetwork network;
    network.bodies = {solidBox(2, half, {half.x() - overlap, half.y(), 0}), FlowBody()};
    network.bodies[0].angularFactor.setZero();
    network.bodies[0].velocity = velocity;
    network.bodies[1].position = {-base.x(), -base.y(), 0};
    // The corners of where they overlap.
    const double deep = std::min(half.z(), base.z());
    for (const double x : {-half.x(), -half.x() + overlap}) {
        for (const double z : {-deep, deep}) {
            FlowContact contact;
            contact.a = 0;
            contact.b = 1;
            contact.vertex = {x, -half.y(), z};
            contact.planePoint = {0, base.y(), 0};
            contact.ownerBox = boxOf(base);
            contact.vertexBox = boxOf(half);
            network.contacts.push_back(contact);
        }
    }
    return network;
}

}  // namespace

TEST_CASE("a ball that slides over an edge leaves it where it presses no more") {
    const double rounding = GENERATE(0., 0.03);
    const double speed = GENERATE(0.3, 0.6);
    const double rate = GENERATE(60., 240.);
    const bool isTurned = GENERATE(false, true);
    constexpr double kRadius = 0.1;
    const Quaterniond turn = isTurned ? kTurn : Quaterniond::Identity();
    FlowNetwork network = turned(ballOnTable(kRadius, rounding, {speed, 0, 0.2}, rounding + 0.004), turn, isTurned);
    // About the edge as a pendulum upside down: v^2 = speed^2 + 2 g r (1 - cos), until v^2 = g r cos.
    const double r = kRadius + rounding;
    const double cosine = (speed * speed + 2 * g * r) / (3 * g * r);
    const double along = std::sqrt(g * r * cosine) * cosine;
    double impulse = 0;
    for (int tick = 0; tick < static_cast<int>(0.5 * rate); ++tick) {
        const TickResult result = solveTick(network, 1 / rate);
        CHECK_FALSE(result.overBudget);
        impulse = result.contacts[0].impulse;
        network.adopt(result);
    }
    const FlowBody& ball = network.bodies[0];
    const Vector3d v = turn.conjugate() * ball.velocity, x = turn.conjugate() * ball.position;
    CAPTURE(rounding, speed, rate, isTurned, v.transpose(), x.transpose());
    CHECK(impulse == 0);
    CHECK(v.x() == Approx(along).epsilon(1e-6));
    CHECK(v.z() == Approx(0.2).epsilon(1e-9));
    CHECK(v.squaredNorm() / 2 + g * x.y() == Approx((speed * speed + 0.04) / 2 + g * kRadius).epsilon(1e-6));
}

TEST_CASE("a ball that falls on an edge, or a corner, bounces off along the line to its centre") {
    const bool isCorner = GENERATE(false, true);
    constexpr double kRadius = 0.1, kDown = 3;
    const Vector3d off = isCorner ? Vector3d(0.04, 0, 0.03) : Vector3d(0.05, 0, 0);
    FlowNetwork network = ballOnTable(kRadius, 0, {0, -kDown, 0}, 0);
    const Vector3d corner(0, 0, isCorner ? 0.6 : 0);
    const double height = std::sqrt(kRadius * kRadius - off.squaredNorm());
    network.bodies[0].position = corner + off + Vector3d(0, height + kDown * 0.002, 0);
    network.bodies[0].force.constant.setZero();
    network.contacts[0].restitution = 1;
    const TickResult result = solveTick(network, kTick);
    const Vector3d n = (off + Vector3d(0, height, 0)) / kRadius;
    const Vector3d right = Vector3d(0, -kDown, 0) + 2 * kDown * n.y() * n;
    CAPTURE(isCorner, result.bodies[0].velocity.transpose(), right.transpose());
    CHECK((result.bodies[0].velocity - right).norm() < 1e-8 * kDown);
}

TEST_CASE("a block falls from where its face has left the one below") {
    constexpr double kOverlap = 0.02, kSpeed = 3;
    const bool isTurned = GENERATE(false, true);
    const double heading = GENERATE(0., 0.5, -0.9);  // of the way, from that across the edge
    const Quaterniond turn = isTurned ? kTurn : Quaterniond::Identity();
    const Vector3d velocity = kSpeed * Vector3d(std::cos(heading), 0, std::sin(heading));
    const FlowNetwork network = turned(blockOnBlock(kOverlap, velocity, {0.2, 0.05, 0.3}), turn, isTurned);
    const TickResult result = solveTick(network, kTick);
    const double falls = kTick - kOverlap / velocity.x();
    const Vector3d v = turn.conjugate() * result.bodies[0].velocity;
    CAPTURE(isTurned, heading, v.transpose());
    CHECK(v.y() == Approx(-g * falls).epsilon(1e-6));
    CHECK(v.x() == Approx(velocity.x()).epsilon(1e-9));
    CHECK(v.z() == Approx(velocity.z()).epsilon(1e-9).margin(1e-9));
}

TEST_CASE("a block that a spring presses goes past an edge with the speed that it has") {
    // In the second tick it begins beside the edge, and the points are still listed.
    constexpr double kOverlap = 0.01, kSpeed = 1.5;
    FlowNetwork network = blockOnBlock(kOverlap, {kSpeed, 0, 0}, {0.2, 0.05, 0.3});
    const Vector3d start = network.bodies[0].position;
    for (int tick = 0; tick < 2; ++tick) network.adopt(solveTick(network, kTick));
    const double falls = 2 * kTick - kOverlap / kSpeed;
    CHECK(network.bodies[0].position.y() - start.y() == Approx(-g / 2 * falls * falls).epsilon(1e-6));
    CHECK(network.bodies[0].velocity.y() == Approx(-g * falls).epsilon(1e-6));
}

TEST_CASE("gap and overlap of faces that are apart") {
    FlowNetwork network = blockOnBlock(0.02, Vector3d::Zero(), {0.2, 0.05, 0.3});
    const FlowContact& contact = network.contacts[0];
    FlowBody& block = network.bodies[0];
    CHECK(faceOverlap(contact, block, network.bodies[1]) == Approx(0.02));
    CHECK(contactGap(contact, block, network.bodies[1]) == Approx(0).margin(1e-15));
    block.position += Vector3d(0.05, -0.01, 0);  // beside it, and lower
    CHECK(faceOverlap(contact, block, network.bodies[1]) == Approx(-0.03));
    CHECK(contactGap(contact, block, network.bodies[1]) == Approx(0.03));
    CHECK(std::isinf(faceOverlap(ballOnTable(0.1, 0, Vector3d::Zero(), 0).contacts[0], block, network.bodies[1])));
}

TEST_CASE("the part of a box that is nearest to what is round") {
    FlowNetwork network = ballOnTable(0.1, 0.03, Vector3d::Zero(), 0);
    FlowContact& contact = network.contacts[0];
    FlowBody& ball = network.bodies[0];
    const auto gapAt = [&](const Vector3d& place) {
        ball.position = place;
        faceVertex(contact, ball, network.bodies[1]);
        return contactGap(contact, ball, network.bodies[1]);
    };
    CHECK(gapAt({-0.2, 0.15, 0.1}) == Approx(0.05));  // over the face
    CHECK(contact.ownerRadius == 0);
    CHECK(gapAt({0.15, -0.2, 0.1}) == Approx(0.05));                          // beside the next
    CHECK(gapAt({0.07, 0.02, 0.1}) == Approx(std::hypot(0.1, 0.05) - 0.13));  // the edge
    CHECK(contact.ownerAxis.cwiseAbs().z() == Approx(1));
    CHECK(gapAt({0.07, 0.02, 0.7}) == Approx(Vector3d(0.1, 0.05, 0.1).norm() - 0.13));  // the corner
    CHECK(contact.ownerAxis.isZero(0));
    const FlowContact before = contact;
    gapAt({-0.2, -0.2, 0.1});  // inside: no part is nearest
    CHECK(contact == before);
}

TEST_CASE("boxes that cannot be are refused") {
    FlowNetwork network = ballOnTable(0.1, 0, Vector3d::Zero(), 0);
    ContactBox& box = network.contacts[0].ownerBox;
    SECTION("a flat one") {
        box.half.col(1).setZero();
    }
    SECTION("a rounding below 0") {
        box.rounding = -1;
    }
    SECTION("what is not finite") {
        box.centre.x() = std::numeric_limits<double>::quiet_NaN();
    }
    CHECK_THROWS_AS(solveTick(network, kTick), InvalidNetwork);
}

}  // namespace contact_edges_test
