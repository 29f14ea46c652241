// What stands around robots, and several robots, in files.

#include <elasto/robot/robot_scene.h>
#include <elasto/robot/robot_signals.h>
#include <elasto/scene/load_scene.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "small_robot.h"
#include "temporary_folder.h"

using namespace elasto;
using namespace elasto::test;
using nlohmann::json;

namespace {

const json kBox = {{"name", "box"},
                   {"mass", 2},
                   {"inertia", {0.1, 0.1, 0.1}},
                   {"position", {1, 0, 0.5}},
                   {"shape", {{"type", "box"}, {"size", {0.2, 0.2, 0.2}}}}};

/// A folder with small.urdf: upper and lower with the joints shoulder and elbow.
class Folder {
public:
    Folder() {
        writeText(m_folder.path() / "small.urdf", kSmallRobot);
        writeText(
            m_folder.path() / "more.xml",
            R"(<elasto:elements xmlns:elasto="urn:elasto"><elasto:spring joint="elbow" c="3" d="1"/></elasto:elements>)");
        writeText(m_folder.path() / "roof.obj", "v 0 0 0\nv 2 0 0\nv 2 2 1\nv 0 2 1\nf 1/1 2/2 3/3 -1\n");
    }

    /// @param fields beside those that each scene has
    RobotScene parse(const json& fields) const {
        json scene = {{"elasto", 1}, {"name", "test"}};
        scene.update(fields);
        return parseRobotScene(scene.dump(), m_folder.path() / "s.json");
    }
    std::string refusal(const json& fields) const {
        try {
            parse(fields);
        } catch (const SceneError& refused) {
            const std::string said = refused.what();
            return said.substr(said.find("s.json: ") + 8);
        }
        return "";
    }
    /// Of a scene with small.urdf alone.
    RobotScene one(json fields) const {
        fields["robot"] = "small.urdf";
        return parse(fields);
    }
    std::string refusalOfOne(json fields) const {
        fields["robot"] = "small.urdf";
        return refusal(fields);
    }

private:
    TemporaryFolder m_folder;
};

json spring(const char* a, const char* b) {
    return {{"name", "tie"}, {"type", "SpringDamperParallel"}, {"c", 100},
            {"d", 1},        {"frame_a", {{"body", a}}},       {"frame_b", {{"body", b}, {"position", {0, 0, 0.1}}}}};
}

bool hasSignal(const RobotScene& scene, const std::string& name) {
    const std::vector<RobotSignal> signals = availableRobotSignals(scene);
    return std::any_of(signals.begin(), signals.end(), [&](const RobotSignal& one) { return one.name == name; });
}

}  // namespace

TEST_CASE("a robot scene has the sections of scenes") {
    const RobotScene scene = Folder().one({{"flight", "bullet"},
                                           {"bodies", {kBox, {{"name", "wall"}, {"motion", "fixed"}}}},
                                           {"joints",
                                            {{{"name", "hinge"},
                                              {"type", "hinge"},
                                              {"frame_a", {{"body", "wall"}, {"position", {1, 0, 0.5}}}},
                                              {"frame_b", {{"body", "box"}}}}}},
                                           {"heatPorts", {{{"name", "port"}}}},
                                           {"elements",
                                            {{{"name", "stop"},
                                              {"type", "ElastoGap"},
                                              {"c", 1e4},
                                              {"d", 1},
                                              {"heatPort", "port"},
                                              {"frame_a", {{"body", "world"}}},
                                              {"frame_b", {{"body", "box"}}}}}}});
    CHECK(scene.around.bodies.size() == 2);
    CHECK(scene.bodies() == 2);
    CHECK(scene.around.flight == Scene::Flight::Bullet);
    CHECK(scene.around.joints.size() == 1);
    REQUIRE(scene.around.elements.size() == 1);
    CHECK_FALSE(scene.isOnLink(scene.around.elements[0]));
    for (const char* name : {"box.r_0[1]", "hinge.phi_rel", "stop.f", "port.T", "elbow.phi", "totalHeat"}) {
        CHECK(hasSignal(scene, name));
    }
    CHECK_FALSE(hasSignal(scene, "totalLossPower"));  // of the elements around alone
    std::vector<std::string> columns;
    for (const RobotSignal& signal : recordedRobotSignals(scene)) columns.push_back(signal.column);
    for (const char* name : {"box.r_0[3]", "stop.f_mean", "elbow.phi"}) {
        CHECK(std::find(columns.begin(), columns.end(), name) != columns.end());
    }
}

TEST_CASE("several robots have names, and their signals begin with them") {
    const RobotScene scene =
        Folder().parse({{"robots",
                         {{{"name", "left"},
                           {"robot", "small.urdf"},
                           {"base", "fixed"},
                           {"elements", "more.xml"},
                           {"start", {{{"joint", "elbow"}, {"position", 0.5}}}}},
                          {{"name", "right"},
                           {"robot", "small.urdf"},
                           {"position", {2, 0, 0}},
                           {"rpy", {0, 0, M_PI / 2}},
                           {"surfaces", {{{"link", "lower"}, {"friction", 1.5}, {"restitution", 0.25}}}},
                           {"loads", {{{"joint", "elbow"}, {"type", "constant"}, {"torque", 2}}}}}}},
                        {"restitution", 0.5}});
    REQUIRE(scene.robots() == 2);
    CHECK(scene.prefix == "left.");
    CHECK(scene.base == RobotScene::Base::Fixed);
    CHECK(scene.q[1] == 0.5);
    CHECK(scene.robot.elements.size() == 1);
    const SceneRobot& right = scene.at(1);
    CHECK(right.prefix == "right.");
    CHECK(right.pose.position.x() == 2);
    CHECK(right.pose.orientation.z() == Approx(std::sqrt(0.5)));
    CHECK(right.robot.elements.empty());
    CHECK(right.loads.size() == 1);
    const RobotLink& lower = right.robot.links[static_cast<std::size_t>(right.robot.linkIndex("lower"))];
    CHECK(lower.surface.friction == 1.5);
    CHECK(lower.surface.restitution == 0.25);
    CHECK_FALSE(lower.surface.rollingFriction);
    CHECK(scene.restitution == 0.5);
    for (const char* name : {"left.elbow.phi", "left.elbow.spring.tau", "right.lower.contact.f_n", "right.com.r_0[1]",
                             "right.elbow.drive.tau", "totalHeat", "grade"}) {
        CHECK(hasSignal(scene, name));
    }
    CHECK_FALSE(hasSignal(scene, "elbow.phi"));
    CHECK_FALSE(hasSignal(scene, "right.elbow.spring.tau"));
    // One robot may have a name, too.
    CHECK(hasSignal(Folder().parse({{"robots", {{{"name", "a"}, {"robot", "small.urdf"}}}}}), "a.elbow.phi"));
    CHECK(hasSignal(Folder().parse({{"robots", {{{"robot", "small.urdf"}}}}}), "elbow.phi"));
}

TEST_CASE("elements have ends on links by the links' names") {
    const Folder folder;
    const RobotScene scene = folder.one({{"bodies", {kBox}},
                                         {"elements",
                                          {spring("lower", "box"),
                                           {{"name", "own"},
                                            {"type", "Spring"},
                                            {"c", 5},
                                            {"frame_a", {{"body", "world"}}},
                                            {"frame_b", {{"body", "box"}}}}}}});
    CHECK(scene.bodies() == 1);
    REQUIRE(scene.links.size() == 1);
    CHECK(scene.robot.links[static_cast<std::size_t>(scene.links[0].link)].name == "lower");
    REQUIRE(scene.around.elements.size() == 2);
    CHECK(scene.around.elements[0].name == "own");  // those on links are the last ones
    CHECK(scene.isOnLink(scene.around.elements[1]));
    CHECK(scene.around.elements[1].frame_a.body == 1);
    CHECK(hasSignal(scene, "tie.f"));
    // Where the joints have it at the start.
    const std::vector<RobotPose> poses = linkPoses(scene.robot, scene.pose, scene.q);
    CHECK(scene.around.bodies[1].position == poses[static_cast<std::size_t>(scene.links[0].link)].position);
    const json two = {{{"name", "a"}, {"robot", "small.urdf"}},
                      {{"name", "b"}, {"robot", "small.urdf"}, {"position", {0, 2, 0}}}};
    const RobotScene between = folder.parse({{"robots", two}, {"elements", {spring("b.lower", "a.lower")}}});
    REQUIRE(between.links.size() == 2);
    CHECK(between.around.bodies[static_cast<std::size_t>(between.around.elements[0].frame_a.body)].name == "b.lower");
    CHECK(between.at(1).prefix == "b.");
}

TEST_CASE("a mesh comes from a file beside the scene, a height field from its rows") {
    const RobotScene scene = Folder().one(
        {{"bodies",
          {{{"name", "roof"},
            {"motion", "fixed"},
            {"shape", {{"type", "mesh"}, {"file", "roof.obj"}, {"scale", {2, 1, 1}}}}},
           {{"name", "field"},
            {"motion", "fixed"},
            {"shape",
             {{"type", "heightField"}, {"axis", "z"}, {"spacing", {0.5, 1}}, {"heights", {{0, 1, 2}, {3, 4, 5}}}}}}}}});
    const SceneShape& roof = scene.around.bodies[0].shape;
    REQUIRE(roof.points.size() == 4);
    CHECK(roof.points[2] == Eigen::Vector3d(4, 2, 1));
    REQUIRE(roof.triangles.size() == 2);
    CHECK(roof.triangles[1] == std::array<int, 3>{0, 2, 3});
    const SceneShape& field = scene.around.bodies[1].shape;
    CHECK(field.columns == 3);
    CHECK(field.heights == std::vector<double>{0, 1, 2, 3, 4, 5});
    CHECK(field.spacing == std::array<double, 2>{0.5, 1});
}

TEST_CASE("surroundings that cannot be are refused with path, value and what is allowed") {
    const Folder folder;
    const json robot = {{"robot", "small.urdf"}};
    CHECK(folder.refusal(json::object()) == "0 of robot, robots are given; exactly one must be");
    CHECK_THAT(folder.refusal({{"robots", {robot, robot}}}),
               Catch::StartsWith("/robots/0/name: is missing; of several robots each must have one\n"));
    CHECK(folder.refusal(
              {{"robots", {{{"name", "a"}, {"robot", "small.urdf"}}, {{"name", "a"}, {"robot", "small.urdf"}}}}}) ==
          "/robots/1/name: \"a\" is not allowed: it is the name at /robots/0/name already; names must be unique");
    CHECK(folder.refusal({{"robots", {robot}}, {"base", "fixed"}}) ==
          "/base: is not allowed beside robots; it must stand in one of them");
    CHECK(folder.refusal({{"robots", {robot}}, {"elements", "more.xml"}}) ==
          "/elements: \"more.xml\" is not allowed beside robots; it must be an array of the scene's elements. A file "
          "of a "
          "robot's elements must stand in one of them");
    CHECK(folder.refusalOfOne({{"rpy", {0, 0, 1}}, {"orientation", {0, 0, 0, 1}}}) ==
          "/rpy: [0,0,1] is not allowed: orientation says it already");
    CHECK(folder.refusalOfOne({{"surfaces", {{{"link", "lowr"}, {"friction", 1}}}}}) ==
          "/surfaces/0/link: \"lowr\" is not allowed: it fits no link of the robot; did you mean \"lower\"? Links: "
          "world, "
          "upper, lower");
    CHECK(folder.refusalOfOne({{"surfaces", {{{"link", "lower"}, {"friction", -1}}}}}) ==
          "/surfaces/0/friction: -1 is not allowed; friction must be a number >= 0");
    json named = kBox;
    named["name"] = "elbow";
    CHECK(folder.refusalOfOne({{"bodies", {named}}}) ==
          "/bodies/0/name: \"elbow\" is not allowed: it is the name of a joint of the robot already");
    named["mass"] = -1;
    CHECK_THAT(folder.refusalOfOne({{"bodies", {named}}}),
               Catch::StartsWith("/bodies/0/mass: -1 is not allowed; mass must be a number > 0"));
    CHECK(folder.refusalOfOne({{"bodies", {kBox}}, {"elements", {spring("lowr", "box")}}}) ==
          "/elements/0/frame_a/body: \"lowr\" is not allowed: there is no such body; did you mean \"lower\"? Bodies: "
          "box, "
          "upper, lower");
    json started = spring("box", "lower");
    started["start"] = {{"s_rel", 0.4}};
    CHECK(folder.refusalOfOne({{"bodies", {kBox}}, {"elements", {started}}}) ==
          "/elements/0/start: is not allowed where frame_b is on a link, which stands as its joints say");
    const json rubbing = {{"name", "rub"},
                          {"type", "SupportFriction"},
                          {"F_Coulomb", 1},
                          {"frame_a", {{"body", "lower"}}},
                          {"frame_b", {{"body", "box"}}}};
    CHECK(folder.refusalOfOne({{"bodies", {kBox}}, {"elements", {rubbing}}}) ==
          "/elements/0/type: \"SupportFriction\" is not allowed on a link of a robot; friction acts between bodies");
    const json held = {
        {"name", "held"}, {"type", "ball"}, {"frame_a", {{"body", "lower"}}}, {"frame_b", {{"body", "box"}}}};
    CHECK(folder.refusalOfOne({{"bodies", {kBox}}, {"joints", {held}}}) ==
          "/joints/0/frame_a/body: \"lower\" is not allowed: it is a link of a robot, and joints of the scene are "
          "between "
          "its bodies");
    json moving = kBox;
    moving["shape"] = {{"type", "mesh"}, {"file", "roof.obj"}};
    CHECK(folder.refusalOfOne({{"bodies", {moving}}}) ==
          "/bodies/0/shape/type: \"mesh\" is not allowed here: only a fixed body can be a mesh");
    const auto shape = [&](const json& given) {
        return folder.refusalOfOne({{"bodies", {{{"name", "g"}, {"motion", "fixed"}, {"shape", given}}}}});
    };
    CHECK(shape({{"type", "mesh"}, {"file", "none.obj"}}) ==
          "/bodies/0/shape/file: \"none.obj\" is not allowed: it cannot be read: No such file or directory");
    CHECK(shape({{"type", "mesh"}}) == "/bodies/0/shape: 0 of file, points are given; exactly one must be");
    const json points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    CHECK(shape({{"type", "mesh"}, {"points", points}, {"triangles", {{0, 1, 3}}}}) ==
          "/bodies/0/shape/triangles/0/2: 3 is not allowed; it must be a whole number < 3, the number of points");
    CHECK(shape({{"type", "mesh"}, {"points", points}, {"triangles", {{0, 1, 1}}}}) ==
          "/bodies/0/shape/triangles/0: [0,1,1] is not allowed: the triangle has no area");
    CHECK(shape({{"type", "heightField"}, {"spacing", {1, 1}}, {"heights", {{0, 0}, {0, 0, 0}}}}) ==
          "/bodies/0/shape/heights/1: 3 heights are not allowed; each row must have 2, as the first one");
}

TEST_CASE("elements of robots give their heat to ports of the scene") {
    const Folder folder;
    const json ports = {{{"name", "gearbox"}, {"conductance", 5}}, {{"name", "air"}}};
    const json more = {{"elements", "more.xml"}};
    json fields = {{"heatPorts", ports}, {"changes", {{{"element", "*"}, {"heatPort", "gearbox"}},
                                                      {{"element", "elbow.spring"}, {"heatPort", "air"}, {"c", 7}}}}};
    fields.update(more);
    const RobotScene scene = folder.one(fields);
    REQUIRE(scene.heat.size() == scene.robot.elements.size());
    CHECK(scene.robot.elements[static_cast<std::size_t>(scene.heat.back().element)].name == "elbow.spring");
    CHECK(scene.heat.back().heatPort == 1);
    CHECK(hasSignal(scene, "air.power"));
    CHECK(scene.robotAlone(0).heat.empty());

    fields["changes"] = {{{"element", "*"}, {"heatPort", "gearbx"}}};
    CHECK(folder.refusalOfOne(fields) ==
          "/changes/0/heatPort: \"gearbx\" is not allowed: there is no such heat port; did you mean \"gearbox\"? Heat ports: "
          "gearbox, air");
    fields.erase("heatPorts");
    CHECK(folder.refusalOfOne(fields) ==
          "/changes/0/heatPort: \"gearbx\" is not allowed: there is no such heat port; the scene has none");
    fields["changes"] = {{{"element", "*"}, {"heatPort", 3}}};
    CHECK_THAT(folder.refusalOfOne(fields), Catch::Contains("/changes/0/heatPort"));
}
