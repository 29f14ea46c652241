// What the campaign is made of: machines that are scenes and the same each time, and judges that notice.
#include <elasto/scene/load_scene.h>
#include <elasto/scene/start.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "compare.h"
#include "families.h"
#include "invariants.h"
#include "scene_facts.h"
#include "shrink.h"

using namespace elasto;
using namespace elasto::differential;

namespace {

/// The scene's start as a row.
SceneSample startOf(const Scene& scene) {
    SceneSample sample;
    for (const SceneBody& body : scene.bodies) sample.bodies.push_back(centreOfMassState(body));
    sample.elements.resize(scene.elements.size());
    return sample;
}

bool notices(const Scene& scene, const SceneSample& later, const std::string& what) {
    Invariants invariants(scene, Bounds{});
    invariants.see(startOf(scene));
    invariants.see(later);
    const std::vector<Breach> found = invariants.breaches();
    return std::any_of(found.begin(), found.end(), [&](const Breach& breach) { return breach.what == what; });
}

Scene wheel() {
    return parseScene(R"({"elasto": 1, "name": "wheel", "gravity": [0, 0, 0],
        "bodies": [{"name": "wheel", "mass": 1, "inertia": [1, 1, 2], "angularVelocity": [0, 0, 10]}],
        "joints": [{"name": "axle", "type": "hinge", "frame_a": {"body": "world"}, "frame_b": {"body": "wheel"}}]})");
}

}  // namespace

TEST_CASE("machines of every family are scenes, and the same each time", "[slow]") {
    for (const Family& family : families()) {
        std::set<std::string> texts;
        for (std::uint64_t index = 0; index < 40; ++index) {
            const Identity identity{family.name, 3, index};
            INFO(identity.text());
            const std::string text = makeScene(identity, {}).dump();
            CHECK(text == makeScene(identity, {}).dump());
            CHECK_NOTHROW(parseScene(text));
            texts.insert(text);
        }
        CHECK(texts.size() == 40);
    }
}

TEST_CASE("rates are those asked for, and paths have their points on ticks") {
    for (const Family& family : families()) {
        for (std::uint64_t index = 0; index < 20; ++index) {
            const Json scene = makeScene({family.name, 5, index}, {60, 240});
            const int rate = scene["rate"];
            CHECK((rate == 60 || rate == 240));
            const Json any = makeScene({family.name, 5, index}, {});
            for (const Json& body : any["bodies"]) {
                if (body.contains("path")) CHECK(any["rate"].get<int>() % kBeat == 0);
            }
        }
    }
}

TEST_CASE("a name of a machine is read back, and anything else refused") {
    const Identity identity = Identity::parse("chain:7:123");
    CHECK(identity.family == "chain");
    CHECK(identity.seed == 7);
    CHECK(identity.index == 123);
    for (const char* const wrong : {"chain", "chain:1", "chain:1:x", "chain:1:", "chian:1:2", ""}) {
        CHECK_THROWS_AS(Identity::parse(wrong), std::invalid_argument);
    }
}

TEST_CASE("the judge of invariants notices what cannot be") {
    const Scene scene = wheel();
    CHECK(coasting(scene) == std::vector<int>{0});
    SceneSample later = startOf(scene);
    later.time = 0.5;
    later.bodies[0].orientation = Eigen::AngleAxisd(5, Eigen::Vector3d::UnitZ());
    CHECK_FALSE(notices(scene, later, "spin without torque"));
    later.bodies[0].orientation = Eigen::AngleAxisd(5.0001, Eigen::Vector3d::UnitZ());
    CHECK(notices(scene, later, "spin without torque"));
    CHECK_FALSE(notices(scene, later, "open joint"));
    later.bodies[0].position.x() = 1e-3;
    CHECK(notices(scene, later, "open joint"));
    CHECK_FALSE(notices(scene, later, "energy"));
    later.bodies[0].angularVelocity *= 1.001;
    CHECK(notices(scene, later, "energy"));
    CHECK_FALSE(notices(scene, later, "momentum"));  // its axle may take it

    Scene floating = scene;
    floating.joints.clear();
    floating.bodies[0].velocity = {1, 0, 0};
    REQUIRE(isFloating(floating));
    later = startOf(floating);
    CHECK_FALSE(notices(floating, later, "momentum"));
    later.bodies[0].velocity.x() = 1.0001;
    CHECK(notices(floating, later, "momentum"));

    // Twice in a row, after it moved.
    Invariants invariants(floating, Bounds{});
    invariants.see(startOf(floating));
    later.bodies[0].velocity = later.bodies[0].angularVelocity = Eigen::Vector3d::Zero();
    for (int i = 0; i < 2; ++i) invariants.see(later);
    const std::vector<Breach> found = invariants.breaches();
    CHECK(std::any_of(found.begin(), found.end(), [](const Breach& b) { return b.what == "stands still"; }));
}

TEST_CASE("a motor that loses its speed is noticed, one that runs up is not") {
    const Scene scene = parseScene(R"({"elasto": 1, "name": "driven",
        "bodies": [{"name": "a", "mass": 1, "inertia": [1, 1, 1]}],
        "joints": [{"name": "j", "type": "hinge", "axis": [0, 0, 1], "frame_a": {"body": "world"},
                    "frame_b": {"body": "a"}, "motor": {"velocity": 3, "maxTorque": 10}}]})");
    Invariants invariants(scene, Bounds{});
    SceneSample sample = startOf(scene);
    invariants.see(sample);
    sample.bodies[0].angularVelocity.z() = 3;
    invariants.see(sample);
    CHECK_FALSE(invariants.hasMotorGivenWay());
    sample.bodies[0].angularVelocity.z() = 2.999;
    invariants.see(sample);
    CHECK(invariants.hasMotorGivenWay());
}

TEST_CASE("the judge of runs tells the worst signal, and when it was first wrong") {
    const Scene scene = parseScene(R"({"elasto": 1, "name": "two",
        "bodies": [{"name": "a", "mass": 1, "inertia": [1, 1, 1]}, {"name": "b", "mass": 1, "inertia": [1, 1, 1]}]})");
    const std::vector<Signal> signals = judgedSignals(scene);
    Trajectory reference;
    reference.time = {0, 1, 2, 3};
    for (const Signal& signal : signals) {
        reference.signals.push_back(signal.name);
        reference.columns.push_back({0, 0, 0, 0});
    }
    const auto column = [&](Trajectory& of, const char* name) -> std::vector<double>& {
        return of.columns[static_cast<std::size_t>(of.find(name))];
    };
    column(reference, "a.r_0[1]") = {0, 1, 2, 3};
    column(reference, "b.r_0[1]") = {0, 1, 2, 3};
    Trajectory run = reference;
    column(run, "a.r_0[1]")[2] += 0.006;
    column(run, "b.r_0[1]")[3] += 0.009;
    const Difference difference = differenceOf(scene, reference, run, signals, Bounds{}, 1e-3, 1);
    CHECK(difference.share == Approx(0.003));
    CHECK(difference.signal == "b.r_0[1]");
    CHECK(difference.firstTime == 2);
    CHECK(difference.firstSignal == "a.r_0[1]");
    CHECK(differenceOf(scene, reference, reference, signals, Bounds{}, 1e-3, 1).share == 0);
}

TEST_CASE("a machine is shrunk to what fails") {
    const Json scene = makeScene({"line", 1, 0}, {});
    REQUIRE(scene["bodies"].size() > 2);
    REQUIRE(looseBodies(scene) == 0);
    // It "fails" while its first mass is there.
    const Json small = shrunk(scene, 1000, [](const Json& simpler) {
        return simpler["duration"].get<double>() > 0.1 && simpler["bodies"][0]["name"] == "m0";
    });
    CHECK(small["bodies"].size() == 1);
    CHECK(small["elements"].size() == 1);  // without any it would be Bullet's
    CHECK(small["loads"].empty());
    CHECK(small["duration"].get<double>() <= 0.2);
}
