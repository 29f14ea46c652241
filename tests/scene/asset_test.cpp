// Every scene in assets/scenes loads and says what it is; the public references are what their sources say.

#include "complete_scene.h"

#include <elasto/scene/signals.h>
#include <elasto/scene/start.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

using namespace elasto;
namespace fs = std::filesystem;

namespace {

const fs::path kScenes = ELASTO_SOURCE_DIR "/assets/scenes";

std::vector<fs::path> sceneFiles() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(kScenes)) {
        if (!entry.is_directory()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

Scene asset(const std::string& name) {
    return loadScene(kScenes / (name + ".json"));
}

/// s (phi) of every element at the start.
std::vector<double> startLengths(const Scene& scene) {
    const FlowNetwork network = startNetwork(scene);
    std::vector<double> lengths;
    for (const FlowElement& element : network.elements) lengths.push_back(measure(network, element).s);
    return lengths;
}

void checkLengths(const std::string& name, const std::vector<double>& expected) {
    INFO(name);
    const std::vector<double> lengths = startLengths(asset(name));
    REQUIRE(lengths.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        INFO("element " << i);
        CHECK(lengths[i] == Approx(expected[i]).margin(1e-12));
    }
}

std::set<std::string> columns(const Scene& scene) {
    std::set<std::string> names;
    for (const Signal& signal : recordedSignals(scene)) names.insert(signal.column);
    return names;
}

}  // namespace

TEST_CASE("every asset loads, tells what to look at and reads back") {
    const std::vector<fs::path> files = sceneFiles();
    CHECK(files.size() >= 30);
    for (const fs::path& file : files) {
        INFO(file);
        REQUIRE(file.extension() == ".json");
        const Scene scene = loadScene(file);
        CHECK_FALSE(scene.name.empty());
        CHECK(scene.description.size() > 60);
        // The elements of these belong to the robots that the gallery puts into them.
        const std::set<std::string> forRobots = {"gear_pairs", "hopping_leg", "six_axis_arm"};
        CHECK(scene.elements.empty() == forRobots.contains(file.stem().string()));
        const std::string schema = file.parent_path() == kScenes ? "../schema" : "../../schema";
        CHECK(writeScene(parseScene(writeScene(scene))) == writeScene(scene));
        CHECK(writeScene(parseScene(writeShortScene(scene))) == writeScene(scene));
        std::ifstream stream(file);
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        CHECK(nlohmann::json::parse(text).at("$schema") == schema + "/scene.schema.json");
    }
}

TEST_CASE("the references start as Modelica's examples do") {
    // Relative positions at t = 0 from the reference results, first rows.
    checkLengths("elasto_gap", {4, 0, 4, 0});
    checkLengths("preload", {0.0015, 0.00325, 0.001, 0.00275, 0.02175, 0.0095 - 0.0});
    checkLengths("backlash", {1.570796326794897, 1.570796326794897, 1.570796326794897});
    checkLengths("heat_losses_3d", {0.2, 0.2, 0.2, 0.2, 0.2});
    checkLengths("gap_laws", {0.05, 0.05, 0.05});
    checkLengths("armature_stopper", {0.005, 0.005});
    checkLengths("heat_losses_translational", {0, 0.05, -0.05, 0.1, 0, 0.2, 0, 0.3});
}

TEST_CASE("the references last as long as theirs and have gravity where they have") {
    CHECK(asset("elasto_gap").duration == 5);
    CHECK(asset("preload").duration == 100);
    CHECK(asset("backlash").duration == 1);
    CHECK(asset("heat_losses_3d").duration == 3);
    CHECK(asset("gap_laws").duration == 0.3);
    CHECK(asset("armature_stopper").duration == 0.3);
    CHECK(asset("heat_losses_translational").duration == 2);
    CHECK(asset("heat_losses_3d").gravity == Eigen::Vector3d(0, -9.80665, 0));
    for (const char* name : {"elasto_gap", "preload", "backlash", "gap_laws", "armature_stopper"}) {
        CHECK(asset(name).gravity == Eigen::Vector3d::Zero());
    }
}

TEST_CASE("a hanging body turns about its frame, as in the reference") {
    const Scene scene = asset("heat_losses_3d");
    const BodyState centre = centreOfMassState(scene.bodies[0]);
    CHECK((centre.position - Eigen::Vector3d(0.3, -0.4, 0)).norm() < 1e-15);
    CHECK((centre.velocity - Eigen::Vector3d(0.034906585039887 * 0.2, 0, 0)).norm() < 1e-15);
}

TEST_CASE("columns have Modelica's names") {
    const std::set<std::string> gap = columns(asset("elasto_gap"));
    for (const char* name : {"mass1.s", "mass2.v", "elastoGap1.v_rel", "elastoGap2.s_rel", "springDamper1.f",
                             "elastoGap1.lossPower", "elastoGap1.contact"}) {
        INFO(name);
        CHECK(gap.count(name) == 1);
    }
    const std::set<std::string> heat = columns(asset("heat_losses_3d"));
    for (const char* name : {"body1.frame_a.r_0[1]", "body3.v_0[2]", "body2.w_a[3]", "springDamperSeries.s_damper",
                             "totalLossPower", "totalHeat", "convection.T"}) {
        INFO(name);
        CHECK(heat.count(name) == 1);
    }
    const std::set<std::string> backlash = columns(asset("backlash"));
    for (const char* name : {"inertia1.phi", "inertia2.w", "elastoBacklash.phi_rel", "elastoBacklash2.tau"}) {
        INFO(name);
        CHECK(backlash.count(name) == 1);
    }
}

TEST_CASE("all elements of heat_losses_3d give their heat to one port") {
    const Scene scene = asset("heat_losses_3d");
    for (const SceneElement& element : scene.elements) CHECK(element.heatPort == 0);
}

TEST_CASE("the dropped balls fall 0.3 m") {
    for (const char* name : {"drop_c1e3_d0", "drop_c1e3_d5", "drop_c1e6_d0", "drop_c1e6_d5", "drop_c1e9_d0",
                             "drop_c1e9_d5", "drop_hertz_d0", "drop_hertz_d5"}) {
        INFO(name);
        const Scene scene = asset(name);
        const ElastoGapParameters& gap = std::get<ElastoGapLaw>(scene.elements[0].law).parameters();
        CHECK(startLengths(scene)[0] - gap.s_rel0 == Approx(0.3).epsilon(1e-14));
        CHECK(scene.bodies[0].mass == 0.2);
        CHECK(scene.duration == 2);
        const std::string text = name;
        CHECK(gap.d == (text.ends_with("d0") ? 0 : 5));
        CHECK(gap.n == (text.find("hertz") == std::string::npos ? 1 : 1.5));
    }
}

TEST_CASE("the swings start in balance with their turning") {
    for (const double c : {1e3, 1e5, 1e7}) {
        const Scene scene = asset("swing_c1e" + std::to_string(std::lround(std::log10(c))));
        CHECK(std::get<SpringDamperLaw>(scene.elements[0].law).parameters().c == c);
        // s = 1 m + m omega^2 (1 m) / c.
        CHECK(startLengths(scene)[0] == Approx(1 + 64 / c).epsilon(1e-12));
        CHECK(scene.bodies[0].angularVelocity == Eigen::Vector3d(0, 0, 8));
    }
}

TEST_CASE("the tumbling box has inertias 1 : 2 : 3 and tumbles about the middle axis") {
    const SceneBody box = asset("tumbling_box").bodies[0];
    CHECK(box.inertia / box.inertia[0] == Eigen::Vector3d(1, 2, 3));
    CHECK(box.angularVelocity[1] > 50 * box.angularVelocity[0]);
}

TEST_CASE("friction that starts beyond its stop is refused") {
    const auto load = [](const char* position) {
        return elasto::parseScene(
            std::string(
                R"({"elasto": 1, "name": "t", "duration": 1, "bodies": [{"name": "m", "mass": 1, "angularFactor": [0, 0, 0], "position": [)") +
            position + R"(, 0, 0]}], "elements": [{"name": "f", "type": "SupportFriction", "frame_a": {"body": "world"},
            "frame_b": {"body": "m"}, "F_Coulomb": 1, "s_min": -1, "s_max": 0.1}]})");
    };
    CHECK_NOTHROW(load("0.1"));
    CHECK_THROWS_WITH(load("0.15"),
                      Catch::Contains("/elements/0/s_max: 0.1 is not allowed: the element starts beyond"));
    CHECK_THROWS_WITH(load("-1.5"), Catch::Contains("/elements/0/s_min"));
}
