// Stops that a person places: where they act, what they do, and why some cannot be.

#include "play_scenes.h"

#include <play/stop_place.h>

#include <elasto/errors.h>
#include <elasto/scene/start.h>

#include <cmath>

using namespace elasto;
using namespace elasto::play;
using Catch::Contains;
using Eigen::Vector3d;

namespace {

/// A ball 0.4 m above a floor that is turned by 0.3 rad, a box, a second ball, and a body on a rail along x.
Scene yard() {
    return parseScene(R"({"elasto": 1, "name": "yard", "gravity": [0, 0, 0],
        "bodies": [
            {"name": "ball", "mass": 0.2, "inertia": [2e-4, 2e-4, 2e-4], "position": [0, 0.5, 0],
             "shape": {"type": "sphere", "radius": 0.1}},
            {"name": "floor", "motion": "fixed", "orientation": [0, 0, 0.14943813247359922, 0.9887710779360422],
             "shape": {"type": "plane"}},
            {"name": "box", "mass": 3, "inertia": [0.1, 0.1, 0.1], "position": [3, 2, 0],
             "centreOfMass": [0.1, 0, 0], "shape": {"type": "box", "size": [0.4, 0.6, 0.8]}},
            {"name": "post", "mass": 0.2, "inertia": [1e-3, 1e-3, 1e-3], "position": [0, 2, 0],
             "shape": {"type": "sphere", "radius": 0.2}},
            {"name": "cart", "mass": 1, "angularFactor": [0, 0, 0], "linearFactor": [1, 0, 0], "position": [-3, 1, 0],
             "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}}
        ]})");
}

constexpr int kBall = 0, kFloor = 1, kBox = 2, kPost = 3, kCart = 4;

/// Runs until the body flies away from the stop again. @return speed after / speed before
double rebound(Scene scene, SceneElement stop, int body, const Vector3d& velocity) {
    scene.bodies[static_cast<std::size_t>(body)].velocity = velocity;
    SceneWorld world(withElement(std::move(scene), std::move(stop)));
    for (int i = 0; i < 240; ++i) world.step();
    return world.sample().bodies[static_cast<std::size_t>(body)].velocity.norm() / velocity.norm();
}

std::string refusalOf(int body, const Face& face) {
    try {
        stopBefore(yard(), body, face);
    } catch (const InvalidParameter& refusal) {
        return refusal.problem();
    }
    return "";
}

}  // namespace

TEST_CASE("a placed stop acts along the face's normal and gives back the share that is wished for") {
    const Scene scene = yard();
    const double share = GENERATE(0.7, 0.3, 1.0);
    const Face face{.body = kFloor, .point = {0.8, 0, 0.3}, .normal = {0, 1, 0}};
    const SceneElement stop = stopBefore(scene, kBall, face, {.restitution = share, .contactTime = 0.02});
    CHECK(stop.name == "stop");
    const Vector3d outward = scene.bodies[kFloor].orientation * Vector3d::UnitY();
    CHECK(rebound(scene, stop, kBall, -3 * outward) == Approx(share).epsilon(2e-3));  // c and d have three digits
}

TEST_CASE("a placed stop begins half of the body's reach before the wall, and in touch where there is no room") {
    const Scene scene = yard();
    const auto begin = [](const SceneElement& stop) { return unstretched(stop.law); };
    const Face far{.body = kWorld, .point = {0, -5, 0}, .normal = {0, 1, 0}};
    CHECK(begin(stopBefore(scene, kBall, far)) == Approx(0.15));
    CHECK(begin(stopBefore(scene, kBox, far)) == Approx(0.45));
    const Face near{.body = kWorld, .point = {0, 0.38, 0}, .normal = {0, 1, 0}};
    CHECK(begin(stopBefore(scene, kBall, near)) == Approx(0.11));
    const Face inside{.body = kWorld, .point = {0, 0.45, 0}, .normal = {0, 1, 0}};
    const SceneElement touching = stopBefore(scene, kBall, inside);
    CHECK(begin(touching) == Approx(0.05));
    // It rests where it began.
    SceneWorld world(withElement(scene, touching));
    for (int i = 0; i < 100; ++i) world.step();
    CHECK(world.sample().bodies[kBall].position.y() == Approx(0.5).epsilon(1e-6));
}

TEST_CASE("between two balls the stop acts along the line of their centres, and both of them move") {
    const Scene scene = yard();
    const Face face{.body = kPost, .point = {0.2, 0, 0}, .normal = {1, 0, 0}};
    const SceneElement stop = stopBefore(scene, kBall, face, {.restitution = 1, .contactTime = 0.02});
    CHECK(stop.geometry == Geometry::AlongLine);
    CHECK(unstretched(stop.law) == Approx(0.35));
    // Of equal masses the one that flew stands, and the other one flies.
    CHECK(rebound(scene, stop, kBall, {0, 4, 0}) < 1e-2);
}

TEST_CASE("a stop on a body that moves pushes both, and their momentum stays") {
    Scene scene = yard();
    const Face face{.body = kBox, .point = {0, 0.3, 0}, .normal = {0, 1, 0}};
    scene.bodies[kBall].position = {3.1, 3.5, 0};
    const SceneElement stop = stopBefore(scene, kBall, face, {.restitution = 1, .contactTime = 0.02});
    const double share = rebound(scene, stop, kBall, {0, -4, 0});
    CHECK(share == Approx((3 - 0.2) / (3 + 0.2)).epsilon(2e-3));
}

TEST_CASE("a stop that can do nothing is refused with the reason") {
    const Face ground{.body = kWorld, .point = {0, 0, 0}, .normal = {0, 1, 0}};
    CHECK(refusalOf(kFloor, ground) == "floor is not moved by forces; a stop needs a body that is");
    CHECK_THAT(refusalOf(kBall, {.body = kBall}), Contains("this is ball itself"));
    CHECK(refusalOf(kCart, ground) == "cart cannot move towards this face of the world");
    CHECK(refusalOf(kBall, {.body = kWorld, .point = {0, 1, 0}, .normal = {0, 1, 0}}) ==
          "ball is behind this face of the world");
    CHECK(refusalOf(kBall, ground).empty());
}

TEST_CASE("surfaces look outwards") {
    const auto normal = [](const SceneShape& shape, const Vector3d& point) {
        return outwardNormal(shape, point).value();
    };
    const SceneShape box{.type = SceneShape::Type::Box, .size = {2, 4, 6}};
    CHECK(normal(box, {0.9, 0.5, 2.999}) == Vector3d(0, 0, 1));
    CHECK(normal(box, {-1, 1.5, 2.5}) == Vector3d(-1, 0, 0));
    const SceneShape can{.type = SceneShape::Type::Cylinder, .radius = 1, .length = 2, .axis = 0};
    CHECK(normal(can, {1, 0.3, 0}) == Vector3d(1, 0, 0));
    CHECK(normal(can, {0.5, 0, -1}) == Vector3d(0, 0, -1));
    const SceneShape pill{.type = SceneShape::Type::Capsule, .radius = 1, .length = 2, .axis = 1};
    CHECK(normal(pill, {0, 2, 0}) == Vector3d(0, 1, 0));
    CHECK(normal(pill, {1, 0.5, 0}) == Vector3d(1, 0, 0));
    CHECK_FALSE(outwardNormal({.type = SceneShape::Type::None}, {1, 0, 0}));
    CHECK(reachFromCentre(box, Vector3d(3, 0, 4) / 5) == Approx((3. + 4 * 3) / 5));
    CHECK(reachFromCentre(can, Vector3d::UnitY()) == 1);
    CHECK(reachFromCentre(pill, -Vector3d::UnitY()) == 2);
}

TEST_CASE("an element that is added is recorded, and leaves nothing behind when it is removed") {
    const Scene before = yard();
    const Face ground{.body = kWorld, .point = {0, 0, 0}, .normal = {0, 1, 0}};
    Scene after = withElement(before, stopBefore(before, kBall, ground));
    CHECK(stopBefore(after, kBall, ground).name == "stop2");
    const std::vector<Signal> recorded = recordedSignals(after);
    CHECK(std::any_of(recorded.begin(), recorded.end(), [](const Signal& one) { return one.name == "stop.f_c"; }));
    CHECK(writeScene(parseScene(writeShortScene(after))) == writeScene(after));
    CHECK(writeScene(withoutElement(after, 0)) == writeScene(before));
    CHECK_THROWS_AS(withoutElement(after, 1), std::out_of_range);
}

TEST_CASE("the edited scene is what a session's edits have made of it") {
    Session session(asset("gallery/gear_train"), withoutBalls());
    const Scene start = session.editedScene();
    CHECK(writeScene(start) == writeScene(session.scene()));
    session.setParameter(0, "c", 123);
    session.setMotor(0, 1.5, session.motor(0).maxForce);
    session.setGravity({0, -1, 0});
    session.setIterations(17);
    run(session, 3);
    session.restart(100.);
    const Scene edited = session.editedScene();
    CHECK(parameterOf(edited.elements[0].law, "c") == 123);
    CHECK(edited.gravity == Vector3d(0, -1, 0));
    CHECK(edited.solverIterations == 17);
    CHECK(edited.rate == 100);
    bool hasMotor = false;
    for (const SceneJoint& joint : edited.joints) hasMotor |= joint.motor && joint.motor->velocity == 1.5;
    CHECK(hasMotor);
    // It runs as the session does.
    Session again(parseScene(writeShortScene(edited)), withoutBalls());
    run(session, 50);
    run(again, 50);
    CHECK(markOf(again.world()) == markOf(session.world()));
}
