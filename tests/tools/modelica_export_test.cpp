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

ModelicaPackage packageOf(const std::string& scene) {
    return modelicaOf(loadScene(ELASTO_SOURCE_DIR "/assets/scenes/" + scene + ".json"), "Test");
}
std::string exported(const std::string& scene) {
    return packageOf(scene).text;
}
ModelicaPackage ofText(const std::string& json) {
    return modelicaOf(parseScene(json), "Test");
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
         {"Translational.Components.Mass mass1(m = 1, L = 0, s(start = 2, fixed = true), v(start = 0, fixed = true))",
          "Translational.Components.Mass mass2(m = 1, L = 0, s(start = 2, fixed = true), v(start = 0, fixed = true))",
          "Translational.Components.SpringDamper springDamper1(c = 10, d = 1.5, s_rel0 = 1)",
          "Translational.Components.ElastoGap elastoGap1(c = 10, d = 1.5, s_rel0 = 1.5, n = 1)",
          "Translational.Components.ElastoGap elastoGap2(c = 10, d = 1.5, s_rel0 = 1.5, n = 1)",
          "Fixed fixed1(s0 = -2)", "Fixed fixed2(s0 = 2)", "connect(fixed1.flange, elastoGap1.flange_a)",
          "connect(elastoGap1.flange_b, mass2.flange_b)"}) {
        CHECK_THAT(text, Contains(line));
    }
}

TEST_CASE("Rotational.Examples.Backlash comes out as it is in the library") {
    const std::string text = exported("backlash");
    for (const char* line :
         {"Inertia inertia2(J = 5, phi(start = 1.570796326794897, fixed = true), w(start = 0, fixed = true))",
          "Rotational.Components.SpringDamper springDamper(c = 20000, d = 50, phi_rel0 = 0)",
          "Rotational.Components.ElastoBacklash elastoBacklash(c = 20000, d = 50, b = 0.7853981633974483, phi_rel0 = "
          "0)",
          "Rotational.Components.ElastoBacklash2 elastoBacklash2(c = 20000, d = 50, b = 0.78539816339745, phi_rel0 = "
          "0)"}) {
        CHECK_THAT(text, Contains(line));
    }
}

TEST_CASE("Translational.Examples.PreLoad comes out with the library's lengths and rods") {
    const std::string text = exported("preload");
    for (const char* line :
         {"Mass springPlateA(m = 0.01, L = 0.002, s(start = -0.093, fixed = true), v(start = 0, fixed = true))",
          "ElastoGap outerContactA(c = 1e+06, d = 250, s_rel0 = 0.0015, n = 1)",
          "ElastoGap innerContactA(c = 1e+06, d = 250, s_rel0 = 0.001, n = 1)",
          "SpringDamper spring(c = 20000, d = 0, s_rel0 = 0.025)", "Rod springPlateA_rod2(L = 0.007)",
          "Sine force_course(amplitude = 150, f = 0.01, phase = 0, offset = 0, startTime = 0)"}) {
        CHECK_THAT(text, Contains(line));
    }
}

TEST_CASE("MultiBody.Examples.Elementary.HeatLosses comes out with the library's forces and convection") {
    const std::string text = exported("heat_losses_3d");
    for (const char* line :
         {"inner Modelica.Mechanics.MultiBody.World world(g = 9.80665, n = {0, -1, 0})",
          "Body body1(m = 1, r_CM = {0, -0.2, 0}, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1",
          "MultiBody.Forces.Spring spring1(c = 30, s_unstretched = 0.1)",
          "MultiBody.Forces.Damper damper1(d = 2, useHeatPort = true)",
          "MultiBody.Forces.SpringDamperParallel springDamper(c = 30, s_unstretched = 0.1, d = 2, useHeatPort = true)",
          "MultiBody.Forces.SpringDamperSeries springDamperSeries(c = 30, d = 2, s_unstretched = 0.1, "
          "s_damper_start = 0, useHeatPort = true)",
          "HeatTransfer.Components.Convection convection", "Constant convection_Gc(k = 20)",
          "FixedTemperature convection_ambience(T = 298.15)", "connect(convection_Gc.y, convection.Gc)",
          "connect(convection_ambience.port, convection.fluid)", "connect(damper1.heatPort, convection.solid)",
          "connect(springDamperSeries.heatPort, convection.solid)"}) {
        CHECK_THAT(text, Contains(line));
    }
}

TEST_CASE("Translational.Examples.HeatLosses comes out with the library's mass that has stops, and with its heat") {
    const ModelicaPackage package = packageOf("heat_losses_translational");
    for (const char* line :
         {"MassWithStopAndFriction mass4(m = 1, L = 0, F_prop = 0.5, F_Coulomb = 1, F_Stribeck = 2, fexp = 2, smin = "
          "0.05, smax = 0.35, s(start = 0.3, fixed = true), v(start = 0, fixed = true), useHeatPort = true)",
          "ElastoGap elastoGap(c = 100, d = 20, s_rel0 = -0.02, n = 1, useHeatPort = true)",
          "connect(mass4.heatPort, convection.solid)", "connect(brake.heatPort, convection.solid)"}) {
        CHECK_THAT(package.text, Contains(line));
    }
    CHECK(package.losses.empty());
    REQUIRE(package.remarks.size() == 1);
    CHECK_THAT(package.remarks[0], Contains("massWithStopAndFriction is a part of mass4"));
}

TEST_CASE("a planar loop closes in the library's cut hinge, and one of its coordinates has a start") {
    const ModelicaPackage package = packageOf("coupled/slider_crank_motor");
    CHECK(package.losses.empty());
    for (const char* line :
         {"Joints.Revolute drive(n = {0, 0, 1}, phi(start = 2.5, fixed = true), w(start = 10, fixed = true), "
          "useAxisFlange = true)",
          "Joints.Revolute crankPin(n = {0, 0, 1}, phi(start = -2.700838161207637), w(start = ",
          "Joints.RevolutePlanarLoopConstraint sliderPin(n = {0, 0, 1})",
          "Joints.Prismatic guide(n = {1, 0, 0}, s(start = 0.4277111068981273), v(start = ",
          "Rotational.Sources.ConstantSpeed drive_speed(w_fixed = 10, phi(start = 0, fixed = true))",
          "RotationalFriction drive_motor(tau_Coulomb = 1e+05)", "connect(drive_motor.flange_b, drive.axis)"}) {
        CHECK_THAT(package.text, Contains(line));
    }
}

TEST_CASE("a body that may not move in all ways is guided by joints") {
    const std::string text = exported("gallery/pinball");
    for (const char* line :
         {"Joints.Prismatic ball_x(n = {1, 0, 0}, s(start = 0.2249, fixed = true)",
          "Joints.Prismatic ball_z(n = {0, 0, 1}, s(start = 0.939, fixed = true)",
          "Joints.Spherical ball_turn(enforceStates = true, angles_fixed = true", "Joints.Prismatic rod("}) {
        CHECK_THAT(text, Contains(line));
    }
    CHECK_THAT(text, !Contains("plunger_"));  // its slider leaves no more than its factors do
}

TEST_CASE("paths are tables that move joints, and elements between hinges of one axis are between their flanges") {
    const ModelicaPackage package = packageOf("gallery/robot_arm");
    CHECK(package.losses.empty());
    for (const char* line :
         {"Joints.Revolute drive1_turn(n = {0, 0, 1}, useAxisFlange = true)",
          "Rotational.Sources.Move drive1_turn_motion", "connect(drive1_turn_motion_path.y, drive1_turn_motion.u)",
          "connect(drive1_turn_motion.flange, drive1_turn.axis)", "connect(drive1_turn.axis, play1.flange_a)",
          "connect(play1.flange_b, shoulder.axis)"}) {
        CHECK_THAT(package.text, Contains(line));
    }
}

TEST_CASE("a temperature and a least distance of an element's own are exported") {
    const std::string text = ofText(R"({"elasto": 1, "name": "warm",
        "bodies": [{"name": "ball", "mass": 1, "inertia": [1, 1, 1], "position": [0, -1, 0]}],
        "elements": [{"name": "damper", "type": "Damper", "frame_a": {"body": "world"}, "frame_b": {"body": "ball"}, "d": 1,
                      "T": 300, "s_small": 1e-6}]})")
                                 .text;
    CHECK_THAT(text, Contains("Forces.Damper damper(s_small = 1e-06, d = 1, useHeatPort = true)") &&
                         Contains("FixedTemperature damper_T(T = 300)") &&
                         Contains("connect(damper.heatPort, damper_T.port)"));
}

TEST_CASE("lost physics is named") {
    const auto lossOf = [](const std::string& body, const std::string& more) {
        const ModelicaPackage package =
            ofText(R"({"elasto": 1, "name": "lossy", "bodies": [{"name": "box", "mass": 1, )" + body +
                   R"(}], "elements": [{"name": "spring", "type": "Spring", "frame_a": {"body": "world"},
            "frame_b": {"body": "box"}, "c": 1}])" +
                   more + "}");
        return package.losses.empty() ? std::string() : package.losses.back();
    };
    const std::string plain = R"("inertia": [1, 2, 3], "position": [0, -1, 0])";
    CHECK(lossOf(plain, "").empty());
    CHECK_THAT(lossOf(plain + R"(, "linearDamping": 0.1)", ""),
               Contains("box has Bullet's damping (linearDamping 0.1"));
    CHECK_THAT(lossOf(plain + R"(, "gyroscopic": false)", ""), Contains("box turns without its gyroscopic moments"));
    CHECK_THAT(lossOf(plain + R"(, "angularFactor": [1, 1, 0])", ""),
               Contains("box may not be accelerated in all directions") && Contains("angularFactor {1, 1, 0}"));
    CHECK_THAT(lossOf(plain + R"(, "linearFactor": [1, 0.5, 1])", ""), Contains("linearFactor {1, 0.5, 1}"));
    // It keeps its speed along y.
    CHECK_THAT(lossOf(plain + R"(, "linearFactor": [1, 0, 1], "velocity": [0, 1, 0])", ""),
               Contains("linearFactor {1, 0, 1}"));
    CHECK(lossOf(plain + R"(, "linearFactor": [1, 0, 1], "velocity": [1, 0, 0])", "").empty());
    CHECK_THAT(lossOf(plain, R"(, "joints": [{"name": "hinge", "type": "hinge", "frame_a": {"body": "world"},
        "frame_b": {"body": "box", "position": [0, 1, 0]}, "limits": {"lower": -1, "upper": 1}}])"),
               Contains("hinge has limits"));
}

TEST_CASE("a loop that starts in line is said to be doubtful") {
    const ModelicaPackage package = ofText(R"({"elasto": 1, "name": "line", "bodies": [
        {"name": "left", "mass": 1, "inertia": [1, 1, 1]}, {"name": "right", "mass": 1, "inertia": [1, 1, 1], "position": [1, 0, 0]},
        {"name": "coupler", "mass": 1, "inertia": [1, 1, 1], "position": [0.5, 0, 0]}],
        "joints": [{"name": "leftPivot", "type": "hinge", "frame_a": {"body": "world"}, "frame_b": {"body": "left"}},
                   {"name": "rightPivot", "type": "hinge", "frame_a": {"body": "world", "position": [1, 0, 0]}, "frame_b": {"body": "right"}},
                   {"name": "leftPin", "type": "hinge", "frame_a": {"body": "left", "position": [0.5, 0, 0]}, "frame_b": {"body": "coupler"}},
                   {"name": "rightPin", "type": "hinge", "frame_a": {"body": "right", "position": [0.5, 0, 0]},
                    "frame_b": {"body": "coupler", "position": [1, 0, 0]}}],
        "elements": [{"name": "spring", "type": "Spring", "frame_a": {"body": "world", "position": [0, 3, 0]},
                      "frame_b": {"body": "coupler"}, "c": 1}]})");
    CHECK_THAT(package.text, Contains("RevolutePlanarLoopConstraint rightPin"));
    REQUIRE(package.losses.size() == 1);
    CHECK_THAT(package.losses[0], Contains("rightPin closes a loop that cannot be told from another one"));
}

TEST_CASE("names that mean something else in Modelica are changed, and that is said") {
    const ModelicaPackage package = ofText(R"({"elasto": 1, "name": "names", "gravity": [0, 0, 0],
        "bodies": [{"name": "end", "mass": 1, "linearFactor": [1, 0, 0], "angularFactor": [0, 0, 0]},
                   {"name": "end_", "mass": 2, "linearFactor": [1, 0, 0], "angularFactor": [0, 0, 0]}],
        "elements": [{"name": "Bushing", "type": "Bushing", "geometry": "axis", "frame_a": {"body": "end"}, "frame_b": {"body": "end_"},
                      "c": 1, "d": 0, "c_slip": 1, "f_slip": 1}]})");
    CHECK_THAT(package.text,
               Contains("Mass end__(m = 1") && Contains("Mass end_(m = 2") && Contains("  Bushing Bushing_("));
    CHECK(package.remarks ==
          std::vector<std::string>{"end is called end__: its name means something else in Modelica",
                                   "Bushing is called Bushing_: its name means something else in Modelica"});
    CHECK(modelicaIdentifier("model") == "model_");
    CHECK(modelicaIdentifier("Modelica") == "Modelica_");
    CHECK(modelicaIdentifier("my-model") == "my_model");
    CHECK(modelicaIdentifier("2nd") == "_2nd");
    CHECK(modelicaIdentifier("Fine_1") == "Fine_1");
}

TEST_CASE("an element against the axis changes ends, and what hangs off a mass has a rod") {
    const std::string text = ofText(R"({"elasto": 1, "name": "turned", "gravity": [0, -9.80665, 0],
        "bodies": [{"name": "mass", "mass": 2, "angularFactor": [0, 0, 0], "position": [0, 3, 0]}],
        "elements": [{"name": "gap", "type": "ElastoGap", "frame_a": {"body": "world", "position": [0, 5, 0]},
                      "frame_b": {"body": "mass", "position": [0, 0.5, 0]}, "axis": [0, -1, 0], "c": 10, "d": 1,
                      "n": 1.5, "s_ref": 0.01}]})")
                                 .text;
    CHECK_THAT(text, Contains("connect(mass_rod1.flange_b, gap.flange_a)") &&
                         Contains("connect(gap.flange_b, fixed1.flange)") && Contains("Rod mass_rod1(L = 0.5)"));
    // c s_ref^(1 - n), as the library had it before s_ref.
    CHECK_THAT(text, Contains("ElastoGap gap(c = 100, d = 1, s_rel0 = 0, n = 1.5)"));
    CHECK_THAT(text, Contains("Constant mass_weight_size(k = -19.6133)"));
}

TEST_CASE("a gear pair is an ideal gear and its backlash") {
    const std::string text = ofText(R"({"elasto": 1, "name": "gear", "gravity": [0, 0, 0],
        "bodies": [{"name": "motor", "mass": 1, "inertia": [1, 1, 1], "linearFactor": [0, 0, 0], "angularFactor": [0, 0, 1]},
                   {"name": "wheel", "mass": 1, "inertia": [4, 4, 4], "linearFactor": [0, 0, 0], "angularFactor": [0, 0, 1]}],
        "elements": [{"name": "mesh", "type": "ElastoBacklash", "frame_a": {"body": "motor"}, "frame_b": {"body": "wheel"},
                      "c": 100, "d": 1, "b": 0.1, "gear": {"ratio": -0.25}}],
        "loads": [{"name": "drive", "body": "motor", "type": "table", "torque": [0, 0, 2], "points": [[0, 0], [1, 1]]}]})")
                                 .text;
    CHECK_THAT(text, Contains("IdealGear mesh_gear(ratio = -4)") && Contains("Inertia wheel(J = 4,") &&
                         Contains("connect(motor.flange_b, mesh_gear.flange_a)") &&
                         Contains("connect(mesh_gear.flange_b, mesh.flange_a)") &&
                         Contains("connect(mesh.flange_b, wheel.flange_a)") && Contains("table = [0, 0; 1, 2]"));
}

TEST_CASE("texts and numbers are Modelica's") {
    CHECK(modelicaNumber(-0.) == "0");
    CHECK(modelicaNumber(0.1) == "0.1");
    CHECK(modelicaString("a \"b\" \\ c\nd") == "\"a \\\"b\\\" \\\\ c d\"");
}

TEST_CASE("what cannot be said in Modelica is refused by name") {
    CHECK_THAT(refusal(R"({"elasto": 1, "name": "path",
        "bodies": [{"name": "lift", "motion": "kinematic", "path": [{"time": 0, "position": [0, 0, 0]},
                        {"time": 1, "position": [0, 0, 0], "orientation": [0, 0, 0.6, 0.8]},
                        {"time": 2, "position": [0, 0, 0], "orientation": [0.6, 0, 0, 0.8]}]},
                   {"name": "ball", "mass": 1, "inertia": [1, 1, 1], "position": [1, 0, 0]}],
        "elements": [{"name": "spring", "type": "Spring", "frame_a": {"body": "lift"}, "frame_b": {"body": "ball"}, "c": 1}]})"),
               Contains("lift turns about more than one axis along its path, which is not exported"));
}
