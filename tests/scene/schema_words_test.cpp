// The wording of messages, word for word where it matters.

#include "complete_scene.h"

#include <catch2/catch.hpp>

using Catch::Contains;
using nlohmann::json;

namespace {

std::string refusalWith(const char* path, const json& value) {
    json document = smallScene();
    document[json::json_pointer(path)] = value;
    return refusal(document);
}

}  // namespace

TEST_CASE("a message has the source, the path, the value and what is allowed") {
    CHECK(refusalWith("/elements/0/n", 0.5) == "test: /elements/0/n: 0.5 is not allowed; n must be a number >= 1");
    CHECK(refusalWith("/gravity", 9.81) ==
          "test: /gravity: 9.81 is not allowed; gravity must be an array of 3 numbers");
    CHECK(refusalWith("/bodies/0/position/1", "up") ==
          "test: /bodies/0/position/1: \"up\" is not allowed; it must be a number");
    CHECK(refusalWith("/bodies/0/sleeping", 0) ==
          "test: /bodies/0/sleeping: 0 is not allowed; sleeping must be true or false");
    CHECK(refusalWith("/solverIterations", 0) ==
          "test: /solverIterations: 0 is not allowed; solverIterations must be a whole number >= 1");
    CHECK(refusalWith("/bodies/0/restitution", 2) ==
          "test: /bodies/0/restitution: 2 is not allowed; restitution must be a number >= 0 and <= 1");
}

TEST_CASE("an unknown field proposes the nearest and lists the allowed ones") {
    CHECK_THAT(refusalWith("/elements/0/s_rel_0", 1),
               Contains("/elements/0/s_rel_0: 1 is not allowed: unknown field; did you mean \"s_rel0\"?") &&
                   Contains("Allowed: T, animation, axis, c, characteristic, d, frame_a"));
    // The fields of an element are those of its type.
    CHECK_THAT(refusalWith("/elements/2/d", 1), Contains("/elements/2/d: 1 is not allowed: unknown field."));
    CHECK_THAT(refusalWith("/elements/2/n", 1), Contains("Allowed: T, animation, axis, c, frame_a, frame_b, geometry, "
                                                         "heatPort, name, s_small, s_unstretched, start, type"));
    CHECK_THAT(refusalWith("/bodies/2/mass", 1), Contains("unknown field. Allowed: friction, motion, name"));
}

TEST_CASE("a wrong word proposes the nearest") {
    CHECK_THAT(refusalWith("/elements/0/type", "elastogap"), Contains("did you mean \"ElastoGap\"?"));
    CHECK_THAT(refusalWith("/elements/0/characteristic", "nopull"), Contains("did you mean \"noPull\"?"));
    CHECK_THAT(refusalWith("/bodies/0/motion", "x"), !Contains("did you mean"));
}

TEST_CASE("a missing c or d proposes Modelica's start value") {
    json document = smallScene();
    document["elements"][0].erase("c");
    CHECK(refusal(document) ==
          "test: /elements/0/c: is missing; it must be a number >= 0. "
          "Spring constant c [N/m] (Modelica's start value: 1)");
    document = smallScene();
    document["elements"][0]["type"] = "ElastoBacklash";
    document["elements"][0].erase("d");
    CHECK_THAT(refusal(document), Contains("/elements/0/d: is missing") && Contains("Modelica's start value: 0"));
}

TEST_CASE("all mistakes are named at once") {
    json document = smallScene();
    document["bodies"][0]["mass"] = -1;
    document["elements"][1]["n"] = 0;
    document["rate"] = 0;
    const std::string message = refusal(document);
    CHECK_THAT(message, Contains("/bodies/0/mass: -1") && Contains("/elements/1/n: 0") && Contains("/rate: 0"));
    CHECK(std::count(message.begin(), message.end(), '\n') == 2);
}

TEST_CASE("a long value is cut short") {
    const std::string message =
        refusalWith("/rate", json::array({1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                          16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29}));
    CHECK_THAT(message, Contains("... is not allowed; rate must be a number > 0"));
}

TEST_CASE("the schema's highest rate is that of the world and of the command") {
    const json schema = json::parse(elasto::sceneSchema());
    CHECK(schema.at("properties").at("rate").at("maximum") == elasto::kHighestRate);
    CHECK(refusalWith("/rate", 1000001) ==
          "test: /rate: 1000001 is not allowed; rate must be a number > 0 and <= 1000000");
}
