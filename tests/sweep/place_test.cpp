#include "place.h"

#include <elasto/scene/load_scene.h>

#include <catch2/catch.hpp>

using namespace elasto;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

json scene() {
    return json::parse(R"({"elasto": 1, "name": "s", "rate": 60,
"bodies": [{"name": "cart", "mass": 2, "position": [1, 2, 3]}, {"name": "floor", "motion": "fixed"}],
"joints": [{"name": "door", "type": "hinge", "frame_a": {"body": "cart"}, "motor": {"velocity": 1, "maxForce": 2}}],
"elements": [{"name": "gap", "type": "ElastoGap", "frame_a": {"body": "cart"}, "frame_b": {"body": "floor"}, "c": 1, "d": 1}],
"loads": [{"name": "push", "body": "cart", "type": "table", "force": [1, 0, 0], "points": [[0, 1], [1, 2]]}]})");
}

/// The place as a pointer, or the message.
std::string place(const std::string& text) {
    json document = scene();
    scene::Problems problems("sweep");
    const std::string found =
        sweep::findPlace(text, document, sceneSchema(), "/parameters/0/set", problems).to_string();
    try {
        problems.throwIfAny();
    } catch (const SceneError& error) {
        return error.what();
    }
    return found;
}

}  // namespace

TEST_CASE("places by the names of what has them") {
    CHECK(place("gap.c") == "/elements/0/c");
    CHECK(place("cart.mass") == "/bodies/0/mass");
    CHECK(place("cart.position[2]") == "/bodies/0/position/1");
    CHECK(place("door.motor.velocity") == "/joints/0/motor/velocity");
    CHECK(place("push.points[2][1]") == "/loads/0/points/1/0");
    CHECK(place("elements.gap.d") == "/elements/0/d");
    CHECK(place("rate") == "/rate");
}

TEST_CASE("places that the scene leaves to their defaults") {
    CHECK(place("gap.n") == "/elements/0/n");
    CHECK(place("gap.start.s_rel") == "/elements/0/start/s_rel");
    CHECK(place("solverIterations") == "/solverIterations");
    CHECK(place("gravity[2]") == "/gravity/1");
    CHECK(place("cart.velocity[1]") == "/bodies/0/velocity/0");
}

TEST_CASE("places by JSON pointers") {
    CHECK(place("/loads/0/force/2") == "/loads/0/force/2");
    CHECK(place("/bodies/1/friction") == "/bodies/1/friction");
}

TEST_CASE("what is no place is refused with what there is") {
    CHECK(place("gapp.c") ==
          "sweep: /parameters/0/set: \"gapp.c\" is not allowed; the scene has nothing of that name; did you mean "
          "\"gap\"? Names: cart, floor, gap, door, push");
    CHECK_THAT(place("gap.cc"), Contains("there is no field cc; did you mean \"c\"? Fields: T, animation, axis, c,"));
    CHECK_THAT(place("gap"), Contains("it must name one of its fields"));
    CHECK_THAT(place("cart.position"), Contains("it is an array"));
    CHECK_THAT(place("cart.position[4]"), Contains("the array has 3"));
    CHECK_THAT(place("cart.mass.x"), Contains("has no fields: 2"));
    CHECK_THAT(place("elements.lash.c"), Contains("no item of /elements is for \"lash\""));
    CHECK_THAT(place("/bodies/7/mass"), Contains("the array has 2"));
    CHECK_THAT(place("/bodies/x/mass"), Contains("there is no such item"));
    CHECK_THAT(place("/bodies/0/~2"), Contains("it must be a JSON pointer"));
    for (const char* text : {"", ".", "gap..c", "gap.c.", "gap[0].c", "gap[1", "gap.c]"}) {
        CHECK_THAT(place(text), Contains("is not allowed"));
    }
}
