// Rules that a schema cannot state, each broken once.

#include "complete_scene.h"

#include <catch2/catch.hpp>

namespace meaning_test {

using nlohmann::json;

namespace {

struct Rule {
    std::string name;
    std::string change;                 ///< JSON patch to the small scene
    std::vector<std::string> expected;  ///< texts that the message must have, the path first
};

/// A joint of the small scene, which places mass1 at (1, 0, 0).
std::string jointPatch(const std::string& fields) {
    return R"([{"op": "add", "path": "/joints", "value": [{"name": "joint", )" + fields + "}]}]";
}

const std::vector<Rule> kRules = {
    {"a joint named like a body",
     R"([{"op": "add", "path": "/joints", "value": [{"name": "mass1", "type": "ball", "frame_a": {"body": "world"}, "frame_b": {"body": "mass1", "position": [-1, 0, 0]}}]}])",
     {"/joints/0/name: ", "\"mass1\"", "/bodies/0/name"}},
    {"a joint with both ends on one body",
     jointPatch(R"("type": "ball", "frame_a": {"body": "mass1"}, "frame_b": {"body": "mass1"})"),
     {"/joints/0/frame_b/body: ", "\"mass1\"", "same body"}},
    {"a joint that no force can move",
     jointPatch(R"("type": "ball", "frame_a": {"body": "world", "position": [10, 0, 0]}, "frame_b": {"body": "wall"})"),
     {"/joints/0: ", "\"world\" and \"wall\"", "dynamic body"}},
    {"a joint to an unknown body",
     jointPatch(R"("type": "ball", "frame_a": {"body": "world"}, "frame_b": {"body": "mass3"})"),
     {"/joints/0/frame_b/body: ", "\"mass3\"", "did you mean"}},
    {"a joint's axis without direction",
     jointPatch(
         R"("type": "hinge", "axis": [0, 0, 0], "frame_a": {"body": "world", "position": [1, 0, 0]}, "frame_b": {"body": "mass1"})"),
     {"/joints/0/axis: ", "[0,0,0]", "direction"}},
    {"limits the wrong way round",
     jointPatch(
         R"("type": "slider", "limits": {"lower": 1, "upper": -1}, "frame_a": {"body": "world"}, "frame_b": {"body": "mass1"})"),
     {"/joints/0/limits/upper: ", "-1 is not allowed", ">= lower, 1"}},
    {"a limit beyond half a turn",
     jointPatch(
         R"("type": "hinge", "limits": {"lower": -4, "upper": 1}, "frame_a": {"body": "world", "position": [1, 0, 0]}, "frame_b": {"body": "mass1"})"),
     {"/joints/0/limits/lower: ", "-4 is not allowed", "-pi .. pi"}},
    {"a joint that is open at the start",
     jointPatch(R"("type": "ball", "frame_a": {"body": "world"}, "frame_b": {"body": "mass1"})"),
     {"/joints/0: ", "1 m between the ends is not allowed", "open at the start"}},
    {"a slider that is turned at the start",
     jointPatch(
         R"("type": "slider", "frame_a": {"body": "world"}, "frame_b": {"body": "mass1", "orientation": [0, 0, 1, 0]})"),
     {"/joints/0: ", "3.14159 rad between the ends is not allowed"}},
    {"a hinge whose axes are not parallel",
     jointPatch(
         R"("type": "hinge", "frame_a": {"body": "world", "position": [1, 0, 0]}, "frame_b": {"body": "mass1", "orientation": [1, 0, 0, 1]})"),
     {"/joints/0: ", "1.5708 rad between the ends is not allowed"}},
    {"two bodies of one name",
     R"([{"op": "add", "path": "/bodies/-", "value": {"name": "mass1", "motion": "fixed"}}])",
     {"/bodies/3/name: ", "\"mass1\"", "/bodies/0/name"}},
    {"an element named like a body",
     R"([{"op": "replace", "path": "/elements/0/name", "value": "mass2"}])",
     {"/elements/0/name: ", "\"mass2\"", "/bodies/1/name"}},
    {"a load named like an element",
     R"([{"op": "add", "path": "/loads", "value": [{"name": "gap1", "body": "mass1", "type": "constant", "force": [1, 0, 0]}]}])",
     {"/loads/0/name: ", "\"gap1\"", "unique"}},
    {"a heat port named like a body",
     R"([{"op": "add", "path": "/heatPorts", "value": [{"name": "wall"}]}])",
     {"/heatPorts/0/name: ", "\"wall\"", "unique"}},
    {"a body named world",
     R"([{"op": "replace", "path": "/bodies/1/name", "value": "world"},
         {"op": "replace", "path": "/elements/2/frame_b/body", "value": "wall"}])",
     {"/bodies/1/name: ", "\"world\"", "reserved"}},
    {"an unknown body at frame_a",
     R"([{"op": "replace", "path": "/elements/2/frame_a/body", "value": "mas1"}])",
     {"/elements/2/frame_a/body: ", "\"mas1\"", "did you mean \"mass1\"?", "mass1, mass2, wall"}},
    {"an unknown body at frame_b",
     R"([{"op": "replace", "path": "/elements/2/frame_b/body", "value": "nothing"}])",
     {"/elements/2/frame_b/body: ", "\"nothing\"", "no such body. Bodies: mass1, mass2, wall"}},
    {"both ends on one body",
     R"([{"op": "replace", "path": "/elements/2/frame_b/body", "value": "mass1"}])",
     {"/elements/2/frame_b/body: ", "\"mass1\"", "same body"}},
    {"both ends on the world",
     R"([{"op": "replace", "path": "/elements/0/frame_b/body", "value": "world"}])",
     {"/elements/0/frame_b/body: ", "\"world\"", "same body"}},
    {"both ends immovable",
     R"([{"op": "replace", "path": "/elements/0/frame_b/body", "value": "wall"}])",
     {"/elements/0: ", "\"world\" and \"wall\"", "dynamic body"}},
    {"an axis without direction",
     R"([{"op": "add", "path": "/elements/0/axis", "value": [0, 0, 0]}])",
     {"/elements/0/axis: ", "[0,0,0]", "direction"}},
    {"an axis on a line",
     R"([{"op": "add", "path": "/elements/2/axis", "value": [1, 0, 0]}])",
     {"/elements/2/axis: ", "[1,0,0]", "geometry axis"}},
    {"an orientation where none is used",
     R"([{"op": "add", "path": "/elements/0/frame_b/orientation", "value": [0, 0, 0, 1]}])",
     {"/elements/0/frame_b/orientation: ", "[0,0,0,1]", "axis"}},
    {"a body's quaternion of zero length",
     R"([{"op": "add", "path": "/bodies/0/orientation", "value": [0, 0, 0, 0]}])",
     {"/bodies/0/orientation: ", "[0,0,0,0]", "not be zero"}},
    {"a frame's quaternion of zero length",
     R"([{"op": "replace", "path": "/elements/0", "value": {"name": "g", "type": "ElastoBacklash", "c": 1, "d": 1,
          "frame_a": {"body": "world", "orientation": [0, 0, 0, 0]}, "frame_b": {"body": "mass1"}}}])",
     {"/elements/0/frame_a/orientation: ", "[0,0,0,0]", "not be zero"}},
    {"a plane without a normal",
     R"([{"op": "add", "path": "/bodies/2/shape", "value": {"type": "plane", "normal": [0, 0, 0]}}])",
     {"/bodies/2/shape/normal: ", "[0,0,0]", "direction"}},
    {"a plane that can move",
     R"([{"op": "add", "path": "/bodies/0/shape", "value": {"type": "plane"}}])",
     {"/bodies/0/shape/type: ", "\"plane\"", "fixed"}},
    {"a dynamic body that turns without an inertia",
     R"([{"op": "remove", "path": "/bodies/0/inertia"}])",
     {"/bodies/0/inertia: ", "is missing", "angularFactor [0, 0, 0]"}},
    {"an inertia that no body has",
     R"([{"op": "replace", "path": "/bodies/0/inertia", "value": [1, 2.1, 1]}])",
     {"/bodies/0/inertia/1: ", "2.1", "at most the sum of the other two moments of inertia, 2"}},
    {"a mass too small to divide by",
     R"([{"op": "replace", "path": "/bodies/0/mass", "value": 1e-300}])",
     {"/bodies/0/mass: ", "1e-300", ">= 1e-60"}},
    {"a moment of inertia too small to divide by",
     R"([{"op": "replace", "path": "/bodies/0/inertia", "value": [1, 1, 1e-300]}])",
     {"/bodies/0/inertia/2: ", "1e-300", ">= 1e-60"}},
    {"an unknown heat port",
     R"([{"op": "add", "path": "/elements/0/heatPort", "value": "prot"},
         {"op": "add", "path": "/heatPorts", "value": [{"name": "port"}]}])",
     {"/elements/0/heatPort: ", "\"prot\"", "heat ports: port"}},
    {"a heat port where there are none",
     R"([{"op": "add", "path": "/elements/0/heatPort", "value": "port"}])",
     {"/elements/0/heatPort: ", "\"port\"", "has none"}},
    {"a load on an unknown body",
     R"([{"op": "add", "path": "/loads", "value": [{"name": "l", "body": "world", "type": "constant", "force": [1, 0, 0]}]}])",
     {"/loads/0/body: ", "\"world\"", "Bodies: mass1"}},
    {"a load on a fixed body",
     R"([{"op": "add", "path": "/loads", "value": [{"name": "l", "body": "wall", "type": "constant", "force": [1, 0, 0]}]}])",
     {"/loads/0/body: ", "\"wall\"", "dynamic"}},
    {"a torque with a point",
     R"([{"op": "add", "path": "/loads", "value": [{"name": "l", "body": "mass1", "type": "constant", "torque": [1, 0, 0], "point": [0, 1, 0]}]}])",
     {"/loads/0/point: ", "torque", "force"}},
    {"a table whose times stand still",
     R"([{"op": "add", "path": "/loads", "value": [{"name": "l", "body": "mass1", "type": "table", "force": [1, 0, 0],
          "points": [[0, 1], [0.5, 2], [0.5, 3], [0.5, 4]]}]}])",
     {"/loads/0/points/3/0: ", "0.5", "> 0.5"}},
    {"a path that goes back in time",
     R"([{"op": "replace", "path": "/bodies/2", "value": {"name": "wall", "motion": "kinematic",
          "path": [{"time": 0, "position": [0, 0, 0]}, {"time": -1, "position": [0, 0, 0]}]}}])",
     {"/bodies/2/path/1/time: ", "-1", "> 0"}},
    {"a path with a zero quaternion",
     R"([{"op": "replace", "path": "/bodies/2", "value": {"name": "wall", "motion": "kinematic",
          "path": [{"time": 0, "position": [0, 0, 0], "orientation": [0, 0, 0, 0]}]}}])",
     {"/bodies/2/path/0/orientation: ", "[0,0,0,0]"}},
    {"a record of nothing",
     R"([{"op": "add", "path": "/record", "value": ["mass1.*", "gap1.s_real"]}])",
     {"/record/1: ", "\"gap1.s_real\"", "did you mean \"gap1.s_rel\"?"}},
    {"a pattern under one name",
     R"([{"op": "add", "path": "/record", "value": [{"signal": "mass1.r_0*", "as": "x"}]}])",
     {"/record/0/signal: ", "\"mass1.r_0*\"", "3 signals"}},
    {"a name for nothing",
     R"([{"op": "add", "path": "/record", "value": [{"signal": "mass1.s", "as": "x"}]}])",
     {"/record/0/signal: ", "\"mass1.s\"", "no signal"}},
    {"a column named time",
     R"([{"op": "add", "path": "/record", "value": [{"signal": "gap1.f", "as": "time"}]}])",
     {"/record/0/as: ", "\"time\"", "first column"}},
    {"two columns of one name",
     R"([{"op": "add", "path": "/record", "value": [{"signal": "gap1.f", "as": "x"}, {"signal": "gap2.f", "as": "x"}]}])",
     {"/record/1/as: ", "\"x\"", "/record/0/as"}},
    {"a column named like another signal",
     R"([{"op": "add", "path": "/record", "value": [{"signal": "gap1.f", "as": "gap2.f"}]}])",
     {"/record/0/as: ", "\"gap2.f\"", "signal"}},
    {"iterations beyond an int",
     R"([{"op": "add", "path": "/solverIterations", "value": 3000000000}])",
     {"/solverIterations: ", "3000000000", "2147483647"}},
    {"two values for the damper's length",
     R"([{"op": "replace", "path": "/elements/2", "value": {"name": "s", "type": "SpringDamperSeries", "c": 1, "d": 1,
          "frame_a": {"body": "mass1"}, "frame_b": {"body": "mass2"}, "s_damper_start": 1, "start": {"s_damper": 2}}}])",
     {"/elements/2/start/s_damper: ", "2 contradicts s_damper_start = 1"}},
    {"a negative distance along a line",
     R"([{"op": "add", "path": "/elements/2/start", "value": {"s_rel": -1}}])",
     {"/elements/2/start/s_rel: ", "-1", "> 0"}},
};

}  // namespace

TEST_CASE("the small scene is valid") {
    CHECK_NOTHROW(elasto::parseScene(smallScene().dump()));
}

TEST_CASE("moments of inertia of flat and thin bodies are accepted, up to rounding") {
    for (const char* inertia : {"[0.1, 0.2, 0.3]", "[0.0833, 0.0833, 0.1667]", "[1e-9, 1, 1]", "[3, 1, 2]"}) {
        json scene = smallScene();
        scene["bodies"][0]["inertia"] = json::parse(inertia);
        INFO(inertia);
        CHECK_NOTHROW(elasto::parseScene(scene.dump()));
    }
}

TEST_CASE("the smallest mass and moments of inertia are accepted") {
    json scene = smallScene();
    scene["bodies"][0]["mass"] = 1e-60;
    scene["bodies"][0]["inertia"] = {1e-60, 1e-60, 1e-60};
    CHECK_NOTHROW(elasto::parseScene(scene.dump()));
}

TEST_CASE("each rule of meaning is refused with path, value and what is allowed") {
    for (const Rule& rule : kRules) {
        const std::string message = refusal(smallScene().patch(json::parse(rule.change)));
        INFO(rule.name << "\nmessage: " << message);
        CHECK(message.starts_with("test: " + rule.expected.front()));
        for (const std::string& text : rule.expected) CHECK(message.find(text) != std::string::npos);
        CHECK(std::count(message.begin(), message.end(), '\n') == 0);
    }
}

}  // namespace meaning_test
