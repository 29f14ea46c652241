#include <elasto/scene/start.h>

#include <catch2/catch.hpp>

using namespace elasto;
using Vector = Eigen::Vector3d;

namespace {

constexpr double kRounding = 1e-14;

/// A body whose frame is turned by 90 degrees about z, with its centre of mass ahead on the frame's x axis.
SceneBody turnedBody() {
    SceneBody body;
    body.name = "body";
    body.mass = 2;
    body.inertia = {1, 2, 4};
    body.centreOfMass = {0.5, 0, 0};
    body.position = {1, 2, 3};
    body.orientation = Eigen::AngleAxisd(1.5707963267948966, Vector::UnitZ());
    body.velocity = {1, 0, 0};
    body.angularVelocity = {0, 0, 2};
    return body;
}

}  // namespace

TEST_CASE("position and velocity of a body belong to its frame") {
    const SceneBody body = turnedBody();
    const BodyState centre = centreOfMassState(body);
    CHECK((centre.position - Vector(1, 2.5, 3)).norm() < kRounding);
    CHECK((centre.velocity - Vector(1 - 2 * 0.5, 0, 0)).norm() < kRounding);
    CHECK(centre.angularVelocity == body.angularVelocity);
    CHECK(centre.orientation.coeffs() == body.orientation.coeffs());

    const BodyState frame = frameState(body, centre);
    CHECK((frame.position - body.position).norm() < kRounding);
    CHECK((frame.velocity - body.velocity).norm() < kRounding);
}

TEST_CASE("a kinematic body follows its path") {
    SceneBody body;
    body.motion = BodyMotion::Kinematic;
    const Eigen::Quaterniond turned(Eigen::AngleAxisd(2.0, Vector::UnitY()));
    body.path = {{1, Vector(0, 0, 0), Eigen::Quaterniond::Identity()}, {3, Vector(4, 0, 2), turned}};

    CHECK(pathState(body, 0).position == Vector(0, 0, 0));
    CHECK(pathState(body, 0).velocity == Vector(0, 0, 0));
    const BodyState middle = pathState(body, 2);
    CHECK((middle.position - Vector(2, 0, 1)).norm() < kRounding);
    CHECK((middle.velocity - Vector(2, 0, 1)).norm() < kRounding);
    CHECK((middle.angularVelocity - Vector(0, 1, 0)).norm() < kRounding);
    CHECK(middle.orientation.angularDistance(Eigen::Quaterniond(Eigen::AngleAxisd(1.0, Vector::UnitY()))) < kRounding);
    CHECK(pathState(body, 3).position == Vector(4, 0, 2));
    CHECK(pathState(body, 9).velocity == Vector(0, 0, 0));
    CHECK(pathState(body, 9).orientation.coeffs() == turned.coeffs());
    CHECK(centreOfMassState(body).position == Vector(0, 0, 0));
}

TEST_CASE("a path turns the short way round") {
    SceneBody body;
    body.motion = BodyMotion::Kinematic;
    Eigen::Quaterniond turned(Eigen::AngleAxisd(0.5, Vector::UnitX()));
    turned.coeffs() *= -1;  // the same orientation
    body.path = {{0, Vector::Zero(), Eigen::Quaterniond::Identity()}, {1, Vector::Zero(), turned}};
    CHECK((pathState(body, 0.5).angularVelocity - Vector(0.5, 0, 0)).norm() < kRounding);
}

TEST_CASE("a scene as a network of the flow") {
    Scene scene;
    scene.gravity = {0, -10, 0};
    scene.bodies.push_back(turnedBody());
    SceneBody held;
    held.mass = 4;
    held.angularFactor = Vector::Zero();
    held.gyroscopic = false;
    scene.bodies.push_back(held);
    SceneBody wall;
    wall.motion = BodyMotion::Fixed;
    scene.bodies.push_back(wall);

    SceneElement spring;
    spring.geometry = Geometry::AlongLine;
    spring.frame_a = {.body = kWorld, .position = {1, 2, 0}};
    spring.frame_b = {.body = 0, .position = {0.5, 1, 0}};
    spring.law = SpringDamperSeriesLaw({.c = 1, .d = 1, .s_damper_start = 0.25});
    scene.elements.push_back(spring);
    SceneElement torsion;
    torsion.geometry = Geometry::AboutAxis;
    torsion.axis = Vector::UnitZ();
    torsion.frame_b.body = 0;
    torsion.start.s = 1.5707963267948966 + 4 * 3.141592653589793;
    scene.elements.push_back(torsion);

    const FlowNetwork network = startNetwork(scene);
    REQUIRE(network.bodies.size() == 3);
    CHECK(network.bodies[0].inverseMass == 0.5);
    CHECK(network.bodies[0].inverseInertia == Vector(1, 0.5, 0.25));
    CHECK(network.bodies[0].force.constant == Vector(0, -20, 0));
    CHECK(network.bodies[0].position == centreOfMassState(scene.bodies[0]).position);
    CHECK(network.bodies[1].inverseInertia == Vector::Zero());
    CHECK(network.bodies[1].angularFactor == Vector::Zero());
    CHECK_FALSE(network.bodies[1].gyroscopic);
    CHECK(network.bodies[2].isImmovable());
    CHECK(network.bodies[2].force.constant == Vector::Zero());

    REQUIRE(network.elements.size() == 2);
    CHECK(network.elements[0].a == kWorld);
    CHECK(network.elements[0].pointA == Vector(1, 2, 0));
    CHECK(network.elements[0].pointB == Vector(0, 1, 0));  // seen from the centre of mass
    CHECK(network.elements[0].s_damper == 0.25);
    // frame_b is at (1, 2, 3) + 90 degrees about z of (0.5, 1, 0).
    const Measure line = measure(network, network.elements[0]);
    CHECK((line.pointB - Vector(0, 2.5, 3)).norm() < kRounding);
    CHECK(network.elements[1].phi == Approx(torsion.start.s.value()).epsilon(1e-14));  // two turns on
}
