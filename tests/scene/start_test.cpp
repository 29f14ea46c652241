// Start values move body b; contradictions are errors.

#include "complete_scene.h"

#include <elasto/errors.h>
#include <elasto/scene/start.h>

#include <catch2/catch.hpp>

using namespace elasto;
using Catch::Contains;
using nlohmann::json;
using Vector = Eigen::Vector3d;

namespace {

constexpr double kRounding = 1e-14;

/// The small scene with one element replaced and start values given.
json withElement(std::size_t index, const char* text) {
    json document = smallScene();
    document["elements"][index] = json::parse(text);
    return document;
}

Measure measured(const Scene& scene, std::size_t element) {
    const FlowNetwork network = startNetwork(scene);
    return measure(network, network.elements[element]);
}

}  // namespace

TEST_CASE("s_rel and v_rel move body b along the axis and leave the rest") {
    const Scene scene = parseScene(withElement(0, R"({"name": "g", "type": "ElastoGap", "c": 1, "d": 1,
        "frame_a": {"body": "world", "position": [0, 5, 0]}, "frame_b": {"body": "mass2", "position": [0.5, 0, 0]},
        "axis": [3, 4, 0], "start": {"s_rel": 2, "v_rel": -3}})")
                                       .dump());
    const Measure now = measured(scene, 0);
    CHECK(now.s == Approx(2).epsilon(kRounding));
    CHECK(now.v == Approx(-3).epsilon(kRounding));
    // mass2 was at (4, 3, 0): it moved along (0.6, 0.8, 0) only.
    const Vector moved = scene.bodies[1].position - Vector(4, 3, 0);
    CHECK(moved.cross(Vector(0.6, 0.8, 0)).norm() < kRounding);
    CHECK(scene.bodies[1].velocity.cross(Vector(0.6, 0.8, 0)).norm() < kRounding);
    CHECK(scene.bodies[0].position == Vector(1, 0, 0));
}

TEST_CASE("on a line body b moves away from or towards a") {
    const Scene scene = parseScene(withElement(2, R"({"name": "s", "type": "Spring", "c": 1,
        "frame_a": {"body": "mass1"}, "frame_b": {"body": "mass2"}, "start": {"s_rel": 10, "v_rel": 1}})")
                                       .dump());
    // From (1, 0, 0) towards (4, 3, 0).
    CHECK((scene.bodies[1].position - (Vector(1, 0, 0) + 10 * Vector(1, 1, 0).normalized())).norm() < kRounding * 10);
    CHECK((scene.bodies[1].velocity - Vector(1, 1, 0).normalized()).norm() < kRounding);
}

TEST_CASE("phi_rel turns body b about the axis through frame_b, counting turns") {
    const Scene scene = parseScene(withElement(2, R"({"name": "t", "type": "RotationalSpringDamper", "c": 1, "d": 0,
        "frame_a": {"body": "world"}, "frame_b": {"body": "mass2", "position": [1, 0, 0]},
        "start": {"phi_rel": 7, "w_rel": 2}})")
                                       .dump());
    const SceneBody& body = scene.bodies[1];
    // The point frame_b stays at (5, 3, 0) and rests; the origin turns about it.
    const Vector arm = body.orientation * Vector(1, 0, 0);
    CHECK((body.position + arm - Vector(5, 3, 0)).norm() < kRounding * 10);
    CHECK((body.velocity + body.angularVelocity.cross(arm)).norm() < kRounding * 10);
    CHECK(body.angularVelocity == Vector(0, 0, 2));
    CHECK(arm.head<2>().isApprox(Eigen::Vector2d(std::cos(7.0), std::sin(7.0)), 1e-14));
    CHECK(startNetwork(scene).elements[2].phi == Approx(7).epsilon(kRounding));
    CHECK(measured(scene, 2).v == Approx(2).epsilon(kRounding));
}

TEST_CASE("s_damper in start is s_damper_start") {
    const json document = withElement(2, R"({"name": "s", "type": "SpringDamperSeries", "c": 1, "d": 1,
        "frame_a": {"body": "mass1"}, "frame_b": {"body": "mass2"}, "start": {"s_damper": 0.75}})");
    const Scene scene = parseScene(document.dump());
    CHECK(std::get<SpringDamperSeriesLaw>(scene.elements[2].law).parameters().s_damper_start == 0.75);
    CHECK(startNetwork(scene).elements[2].s_damper == 0.75);
    CHECK(scene.bodies[1].position == Vector(4, 3, 0));
}

TEST_CASE("start values hold along a chain of elements, whatever their order") {
    json document = smallScene();
    document["elements"][0]["start"] = {{"s_rel", 3}};  // world -> mass1
    document["elements"][2] = json::parse(R"({"name": "s", "type": "Spring", "geometry": "axis", "c": 1,
        "frame_a": {"body": "mass1"}, "frame_b": {"body": "mass2"}, "start": {"s_rel": 5}})");
    std::swap(document["elements"][0], document["elements"][2]);
    const Scene scene = parseScene(document.dump());
    CHECK(scene.bodies[0].position == Vector(3, 0, 0));
    CHECK((scene.bodies[1].position - Vector(8, 3, 0)).norm() < kRounding);
}

TEST_CASE("two elements may move one body at right angles") {
    json document = smallScene();
    document["elements"][0]["start"] = {{"s_rel", 3}};
    document["elements"].push_back(json::parse(R"({"name": "up", "type": "ElastoGap", "c": 1, "d": 1, "axis": [0, 1, 0],
        "frame_a": {"body": "world"}, "frame_b": {"body": "mass1"}, "start": {"s_rel": 4}})"));
    CHECK((parseScene(document.dump()).bodies[0].position - Vector(3, 4, 0)).norm() < kRounding);
}

TEST_CASE("start values that the scene has already change nothing, bit for bit") {
    json document = smallScene();
    document["bodies"][0]["position"] = {0.1, 0.2, 0.3};
    document["elements"][0]["start"] = {{"s_rel", 0.1}, {"v_rel", 0}};
    CHECK(parseScene(document.dump()).bodies[0].position == Vector(0.1, 0.2, 0.3));
    // Also where body b cannot move.
    document["elements"][1]["start"] = {{"s_rel", 9.9}};
    CHECK_NOTHROW(parseScene(document.dump()));
}

TEST_CASE("elements that want one body in different places contradict each other") {
    json document = smallScene();
    document["elements"][0]["start"] = {{"s_rel", 3}};
    document["elements"].push_back(json::parse(R"({"name": "other", "type": "ElastoGap", "c": 1, "d": 1,
        "frame_a": {"body": "world"}, "frame_b": {"body": "mass1"}, "start": {"s_rel": 4}})"));
    CHECK_THAT(refusal(document),
               Contains("ElastoGap 'gap1'") && Contains("s_rel = 3") && Contains("it is 4") && Contains("contradict"));
    document["elements"][3]["start"] = {{"s_rel", 3}};
    CHECK_NOTHROW(parseScene(document.dump()));
}

TEST_CASE("rates that contradict each other") {
    json document = smallScene();
    document["elements"][0]["start"] = {{"v_rel", 3}};
    document["elements"].push_back(json::parse(R"({"name": "other", "type": "ElastoGap", "c": 1, "d": 1,
        "frame_a": {"body": "world"}, "frame_b": {"body": "mass1"}, "start": {"v_rel": 4}})"));
    CHECK_THAT(refusal(document), Contains("v_rel = 3") && Contains("it is 4") && Contains("contradict"));
}

TEST_CASE("a body b that no force moves cannot be started") {
    json document = smallScene();
    document["elements"][1]["start"] = {{"s_rel", 3}};
    CHECK_THAT(refusal(document), Contains("ElastoGap 'gap2'") && Contains("s_rel = 3") && Contains("it is 9") &&
                                      Contains("not a dynamic body"));
    document["elements"][1]["start"] = {{"v_rel", 3}};
    CHECK_THAT(refusal(document), Contains("v_rel = 3") && Contains("not a dynamic body"));
}

TEST_CASE("a line whose points coincide has no direction to start along") {
    json document = smallScene();
    document["bodies"][1]["position"] = document["bodies"][0]["position"];
    document["elements"][2]["start"] = {{"s_rel", 3}};
    CHECK_THAT(refusal(document), Contains("Spring 'spring'") && Contains("no direction"));
    document["elements"][2]["start"] = {{"v_rel", 3}};
    CHECK_THAT(refusal(document), Contains("Spring 'spring'") && Contains("no direction"));
}

TEST_CASE("a scene that cannot be resolved is left as it was") {
    json document = smallScene();
    document["elements"][0]["start"] = {{"s_rel", 3}};
    Scene scene = parseScene(document.dump());
    scene.elements[0].start.s = 8;
    scene.elements[1].start.s = 1;  // frame_b is on the wall
    const Vector before = scene.bodies[0].position;
    CHECK_THROWS_AS(resolveStart(scene), InvalidParameter);
    CHECK(scene.bodies[0].position == before);
}
