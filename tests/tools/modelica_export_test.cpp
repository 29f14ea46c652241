// Scenes as Modelica text: the library's examples come out with the library's components and numbers.

#include "modelica_export.h"

#include <elasto/scene/load_scene.h>
#include <catch2/catch.hpp>

#include "modelica_text.h"
#include "tool_errors.h"

using namespace elasto;
using namespace elasto::tools;
using Catch::Contains;

namespace {

std::string exported(const std::string& scene) {
    return modelicaOf(loadScene(ELASTO_SOURCE_DIR "/assets/scenes/" + scene + ".json"), "Test");
}

std::string refusal(const std::string& json) {
    try {
        modelicaOf(parseScene(json), "Test");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("Translational.Examples.ElastoGap comes out as it is in the library") {
    const std::string text = exported("elasto_gap");
    for (const char* line :
         {"Translational.Components.Mass mass1(m = 1, L = 0, s(start = 2, fixed = true), v(start = 0, fixed = true));",
          "Translational.Components.Mass mass2(m = 1, L = 0, s(start = 2, fixed = true), v(start = 0, fixed = true));",
          "Translational.Components.SpringDamper springDamper1(c = 10, d = 1.5, s_rel0 = 1);",
          "Translational.Components.ElastoGap elastoGap1(c = 10, d = 1.5, s_rel0 = 1.5, n = 1);",
          "Translational.Components.ElastoGap elastoGap2(c = 10, d = 1.5, s_rel0 = 1.5, n = 1);",
          "Fixed fixed1(s0 = -2);", "Fixed fixed2(s0 = 2);", "connect(fixed1.flange, elastoGap1.flange_a);",
          "connect(elastoGap1.flange_b, mass2.flange_b);"}) {
        CHECK_THAT(text, Contains(line));
    }
}

TEST_CASE("Rotational.Examples.Backlash comes out as it is in the library") {
    const std::string text = exported("backlash");
    for (const char* line :
         {"Inertia inertia2(J = 5, phi(start = 1.570796326794897, fixed = true), w(start = 0, fixed = true));",
          "Rotational.Components.SpringDamper springDamper(c = 20000, d = 50, phi_rel0 = 0);",
          "Rotational.Components.ElastoBacklash elastoBacklash(c = 20000, d = 50, b = 0.7853981633974483, phi_rel0 = "
          "0);",
          "Rotational.Components.ElastoBacklash2 elastoBacklash2(c = 20000, d = 50, b = 0.78539816339745, phi_rel0 = "
          "0);"}) {
        CHECK_THAT(text, Contains(line));
    }
}

TEST_CASE("Translational.Examples.PreLoad comes out with the library's lengths and rods") {
    const std::string text = exported("preload");
    for (const char* line :
         {"Mass springPlateA(m = 0.01, L = 0.002, s(start = -0.093, fixed = true), v(start = 0, fixed = true));",
          "ElastoGap outerContactA(c = 1e+06, d = 250, s_rel0 = 0.0015, n = 1);",
          "ElastoGap innerContactA(c = 1e+06, d = 250, s_rel0 = 0.001, n = 1);",
          "SpringDamper spring(c = 20000, d = 0, s_rel0 = 0.025);", "Rod springPlateA_rod2(L = 0.007);",
          "Sine force_course(amplitude = 150, f = 0.01, phase = 0, offset = 0, startTime = 0);"}) {
        CHECK_THAT(text, Contains(line));
    }
}

TEST_CASE("MultiBody.Examples.Elementary.HeatLosses comes out with its forces along lines") {
    const std::string text = exported("heat_losses_3d");
    for (const char* line :
         {"inner Modelica.Mechanics.MultiBody.World world(g = 9.80665, n = {0, -1, 0});",
          "Body body1(m = 1, r_CM = {0, -0.2, 0}, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1",
          "LineForceWithMass springDamper_force(m = 0", "SpringDamper springDamper(c = 30, d = 2, s_rel0 = 0.1);",
          "Damper springDamperSeries_damper(d = 2, s_rel(start = 0, fixed = true)) \"s_rel is s_damper\";",
          "Spring springDamperSeries(c = 30, s_rel0 = 0.1);"}) {
        CHECK_THAT(text, Contains(line));
    }
}

TEST_CASE("an element against the axis changes ends, and what hangs off a mass has a rod") {
    const std::string text = modelicaOf(parseScene(R"({"elasto": 1, "name": "turned", "gravity": [0, -9.80665, 0],
        "bodies": [{"name": "mass", "mass": 2, "angularFactor": [0, 0, 0], "position": [0, 3, 0]}],
        "elements": [{"name": "gap", "type": "ElastoGap", "frame_a": {"body": "world", "position": [0, 5, 0]},
                      "frame_b": {"body": "mass", "position": [0, 0.5, 0]}, "axis": [0, -1, 0], "c": 10, "d": 1,
                      "n": 1.5, "s_ref": 0.01}]})"),
                                        "Test");
    CHECK_THAT(text, Contains("connect(mass_rod1.flange_b, gap.flange_a);") &&
                         Contains("connect(gap.flange_b, fixed1.flange);") && Contains("Rod mass_rod1(L = 0.5);"));
    // c s_ref^(1 - n), as the library had it before s_ref.
    CHECK_THAT(text, Contains("ElastoGap gap(c = 100, d = 1, s_rel0 = 0, n = 1.5);"));
    CHECK_THAT(text, Contains("Constant mass_weight_size(k = -19.6133);"));
}

TEST_CASE("a gear pair is an ideal gear and its backlash") {
    const std::string text = modelicaOf(parseScene(R"({"elasto": 1, "name": "gear", "gravity": [0, 0, 0],
        "bodies": [{"name": "motor", "mass": 1, "inertia": [1, 1, 1], "linearFactor": [0, 0, 0], "angularFactor": [0, 0, 1]},
                   {"name": "wheel", "mass": 1, "inertia": [4, 4, 4], "linearFactor": [0, 0, 0], "angularFactor": [0, 0, 1]}],
        "elements": [{"name": "mesh", "type": "ElastoBacklash", "frame_a": {"body": "motor"}, "frame_b": {"body": "wheel"},
                      "c": 100, "d": 1, "b": 0.1, "gear": {"ratio": -0.25}}],
        "loads": [{"name": "drive", "body": "motor", "type": "table", "torque": [0, 0, 2], "points": [[0, 0], [1, 1]]}]})"),
                                        "Test");
    CHECK_THAT(text, Contains("IdealGear mesh_gear(ratio = -4)") && Contains("Inertia wheel(J = 4,") &&
                         Contains("connect(motor.flange_b, mesh_gear.flange_a);") &&
                         Contains("connect(mesh_gear.flange_b, mesh.flange_a);") &&
                         Contains("connect(mesh.flange_b, wheel.flange_a);") && Contains("table = [0, 0; 1, 2]"));
}

TEST_CASE("texts, numbers and names are Modelica's") {
    CHECK(modelicaNumber(-0.) == "0");
    CHECK(modelicaNumber(0.1) == "0.1");
    CHECK(modelicaString("a \"b\" \\ c\nd") == "\"a \\\"b\\\" \\\\ c d\"");
    CHECK(modelicaName("when") == "when_");
    CHECK(modelicaName("mass1") == "mass1");
}

TEST_CASE("what cannot be said in Modelica is refused by name") {
    CHECK_THAT(refusal(R"({"elasto": 1, "name": "path",
        "bodies": [{"name": "lift", "motion": "kinematic", "path": [{"time": 0, "position": [0, 0, 0]}]},
                   {"name": "ball", "mass": 1, "inertia": [1, 1, 1]}],
        "elements": [{"name": "spring", "type": "Spring", "frame_a": {"body": "lift"}, "frame_b": {"body": "ball"}, "c": 1}]})"),
               Contains("lift moves along a path, which is not exported"));
    CHECK_THAT(refusal(R"({"elasto": 1, "name": "twist",
        "bodies": [{"name": "ball", "mass": 1, "inertia": [1, 1, 1]}],
        "elements": [{"name": "lash", "type": "ElastoBacklash", "frame_a": {"body": "world"}, "frame_b": {"body": "ball"},
                      "c": 1, "d": 0}]})"),
               Contains("lash acts about an axis between world and ball, which no hinge about that axis joins"));
}
