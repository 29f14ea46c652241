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

/// A folder with small.urdf, whose elbow has a motor behind a backlash.
class RobotFolder {
public:
    RobotFolder() {
        writeText(
            m_folder.path() / "small.urdf",
            smallRobotWith(R"(<elasto:backlash joint="elbow" c="1e4" d="20" b="0.01" inertia="1e-4" ratio="50"/>)"));
    }

    RobotScene parse(const json& changes) const { return parseRobotScene(text(changes), m_folder.path() / "s.json"); }
    std::string refusal(const json& changes) const {
        try {
            parse(changes);
        } catch (const SceneError& refused) {
            const std::string said = refused.what();
            return said.substr(said.find("s.json: ") + 8);
        } catch (const FileError& refused) {
            return refused.what();
        } catch (const RobotError& refused) {
            return refused.what();
        }
        return "";
    }
    const std::filesystem::path& path() const { return m_folder.path(); }

private:
    static std::string text(const json& changes) {
        json scene = {{"elasto", 1}, {"name", "small"}, {"robot", "small.urdf"}};
        scene.update(changes);
        return scene.dump();
    }

    TemporaryFolder m_folder;
};

std::vector<std::string> namesOf(const std::vector<RobotSignal>& signals) {
    std::vector<std::string> names;
    for (const RobotSignal& signal : signals) names.push_back(signal.column);
    return names;
}

}  // namespace

TEST_CASE("a robot scene has defaults of its own") {
    const RobotScene scene = RobotFolder().parse(json::object());
    CHECK(scene.name == "small");
    CHECK(scene.robot.joints.size() == 2);
    CHECK(scene.gravity == Eigen::Vector3d(0, 0, -9.80665));
    CHECK(scene.rate == 240);
    CHECK(scene.base == RobotScene::Base::AsStated);
    CHECK_FALSE(scene.ground);
    CHECK(scene.q == std::vector<double>{0, 0});
}

TEST_CASE("a robot scene says where the robot is and what drives it") {
    const RobotScene scene = RobotFolder().parse({
        {"base", "fixed"},
        {"position", {1, 2, 3}},
        {"orientation", {0, 0, 2, 2}},
        {"velocity", {0.1, 0.2, 0.3}},
        {"angularVelocity", {-1, 0, 2}},
        {"ground", true},
        {"friction", 0.9},
        {"rate", 100},
        {"duration", 2.5},
        {"start", {{{"joint", "shoulder"}, {"position", 0.5}, {"velocity", -1}}}},
        {"loads", {{{"joint", "elbow"}, {"type", "sine"}, {"torque", 0.2}, {"frequency", 2}, {"phase", 0.1}}}},
        {"servos",
         {{{"joint", "shoulder"}, {"type", "constant"}, {"position", 0.5}, {"stiffness", 100}, {"damping", 5}}}},
    });
    CHECK(scene.base == RobotScene::Base::Fixed);
    CHECK(scene.pose.position == Eigen::Vector3d(1, 2, 3));
    CHECK(scene.pose.orientation.z() == Approx(std::sqrt(0.5)));
    CHECK(scene.velocity == Eigen::Vector3d(0.1, 0.2, 0.3));
    CHECK(scene.angularVelocity == Eigen::Vector3d(-1, 0, 2));
    CHECK(scene.ground);
    CHECK(scene.friction == 0.9);
    CHECK(scene.rate == 100);
    CHECK(scene.duration == 2.5);
    CHECK(scene.q == std::vector<double>{0.5, 0});
    CHECK(scene.v == std::vector<double>{-1, 0});
    REQUIRE(scene.loads.size() == 1);
    CHECK(scene.loads[0].joint == 1);
    CHECK(scene.loads[0].value.at(0.3) == Approx(0.2 * std::sin(2 * M_PI * 2 * 0.3 + 0.1)));
    REQUIRE(scene.servos.size() == 1);
    CHECK(scene.servos[0].maxEffort == 10);  // the effort of the joint's limit
}

TEST_CASE("an effort of 0 is taken as not stated, with a warning that names the joint") {
    const RobotFolder folder;
    std::string urdf = kSmallRobot;
    for (std::size_t at = 0; (at = urdf.find("effort=\"", at)) != std::string::npos; at += 8)
        urdf.replace(at + 8, urdf.find('"', at + 8) - at - 8, "0");
    writeText(folder.path() / "small.urdf", urdf);
    std::vector<std::string> said;
    const json servo = {
        {"joint", "shoulder"}, {"type", "constant"}, {"position", 0.5}, {"stiffness", 9}, {"damping", 5}};
    const RobotScene scene =
        parseRobotScene(json{{"elasto", 1}, {"name", "small"}, {"robot", "small.urdf"}, {"servos", {servo}}}.dump(),
                        folder.path() / "s.json", [&](const std::string& line) { said.push_back(line); });
    CHECK(scene.servos.at(0).maxEffort == std::numeric_limits<double>::infinity());
    REQUIRE(said.size() == 1);
    CHECK(said[0] == (folder.path() / "s.json").string() +
                         ": /servos/0: effort = \"0\" in the <limit> of joint \"shoulder\" is taken as not stated, as "
                         "exporters write it: nothing bounds the servo; give maxEffort");
    said.clear();
    json bounded = servo;
    bounded["maxEffort"] = 0;
    CHECK(parseRobotScene(json{{"elasto", 1}, {"name", "small"}, {"robot", "small.urdf"}, {"servos", {bounded}}}.dump(),
                          folder.path() / "s.json", [&](const std::string& line) { said.push_back(line); })
              .servos.at(0)
              .maxEffort == 0);
    CHECK(said.empty());
}

TEST_CASE("a scene leaves a robot to Bullet only where it has no elements") {
    const RobotFolder folder;
    CHECK(folder.refusal({{"solver", "bullet"}}) ==
          "/solver: \"bullet\" is not allowed: the robot has elements, such as \"elbow.backlash\", which Bullet's step "
          "cannot solve");
    writeText(folder.path() / "small.urdf", kSmallRobot);
    CHECK(folder.parse({{"solver", "bullet"}}).solver == RobotScene::Solver::Bullet);
    CHECK(folder.parse(json::object()).solver == RobotScene::Solver::Elasto);
}

TEST_CASE("a joint starts at the limit nearest to zero") {
    const RobotFolder folder;
    writeText(folder.path() / "small.urdf", smallRobot("lower=\"-1\" upper=\"2\"", "lower=\"0.5\" upper=\"2\""));
    CHECK(folder.parse(json::object()).q == std::vector<double>{0.5, 0});
}

TEST_CASE("a scene changes parameters of elements") {
    const RobotScene scene = RobotFolder().parse(
        {{"changes", {{{"element", "*.backlash"}, {"b", 0}}, {{"element", "elbow.backlash"}, {"c", 5}}}}});
    const ElastoBacklashParameters& p = std::get<ElastoBacklashLaw>(scene.robot.elements.at(0).law).parameters();
    CHECK(p.b == 0);
    CHECK(p.c == 5);
    CHECK(p.d == 20);
}

TEST_CASE("limits become stops, and elements come from another file, where a scene says so") {
    const RobotFolder folder;
    writeText(folder.path() / "more.xml",
              "<elasto:elements><elasto:series joint='elbow' c='1' d='1'/></elasto:elements>");
    const RobotScene scene = folder.parse({{"stops", {{"c", 1e4}, {"d", 3}}}, {"elements", "more.xml"}});
    CHECK(scene.robot.elements.size() == 4);
}

TEST_CASE("signals are named by joints, motors, elements and links") {
    const std::vector<std::string> names = namesOf(availableRobotSignals(
        RobotFolder().parse({{"loads", {{{"joint", "elbow"}, {"type", "constant"}, {"torque", 1}}}}})));
    for (const char* name :
         {"shoulder.phi", "shoulder.w", "elbow.motor.phi", "elbow.motor.w", "elbow.drive.tau", "elbow.backlash.phi_rel",
          "elbow.backlash.tau", "elbow.backlash.heat", "elbow.backlash.tau_c", "elbow.backlash.tau_d",
          "elbow.backlash.tau_d_limited", "elbow.backlash.flange_a.tau", "elbow.backlash.flange_b.tau",
          "elbow.backlash.dissipatedPower", "elbow.backlash.TheatPort", "lower.r_0[3]", "lower.q[4]"}) {
        INFO(name);
        CHECK(std::find(names.begin(), names.end(), name) != names.end());
    }
}

TEST_CASE("a scene picks its signals") {
    const RobotFolder folder;
    const auto recorded = [&](const json& record) {
        return namesOf(recordedRobotSignals(folder.parse({{"record", record}})));
    };
    CHECK(recorded({"*.phi", {{"signal", "lower.r_0[1]"}, {"as", "tip"}}}) ==
          std::vector<std::string>{"shoulder.phi", "elbow.phi", "elbow.motor.phi", "tip"});
    // What cannot be recorded is refused where the file is read, which the message names.
    const auto refused = [&](const json& record) { return folder.refusal({{"record", record}}); };
    CHECK(refused({"elbow.phy"}) ==
          "/record/0: \"elbow.phy\" is not allowed: it matches no signal; did you mean \"elbow.phi\"?");
    CHECK(refused({{{"signal", "*.phi"}, {"as", "a"}}}) ==
          "/record/0/signal: \"*.phi\" is not allowed: it matches 3 signals; with a name it must match one");
    const json tip = {{"signal", "lower.r_0[1]"}, {"as", "tip"}};
    CHECK(refused({tip, {{"signal", "lower.r_0[2]"}, {"as", "tip"}}}) ==
          "/record/1/as: \"tip\" is not allowed: it is the name at /record/0/as already");
}

TEST_CASE("a robot scene that cannot be is refused with path, value and what is allowed") {
    const RobotFolder folder;
    const auto with = [&](const char* list, const json& item) { return folder.refusal({{list, json::array({item})}}); };
    CHECK(
        folder.refusal({{"robod", 1}}) ==
        "/robod: 1 is not allowed: unknown field; did you mean \"robot\"? Allowed: $schema, angularVelocity, base, "
        "bodies, brakes, changes, control, description, duration, elasto, elements, flight, friction, gravity, ground, "
        "heatPorts, joints, loads, name, orientation, position, rate, record, restitution, robot, robots, rpy, "
        "selfCollision, servos, solver, solverIterations, start, stops, surfaces, trajectory, velocity");
    CHECK(folder.refusal({{"rate", 0}}) == "/rate: 0 is not allowed; rate must be a number > 0 and <= 1000000");
    CHECK(folder.refusal({{"orientation", {0, 0, 0, 0}}}) ==
          "/orientation: [0,0,0,0] is not allowed; a quaternion x, y, z, w must not be zero");
    CHECK(folder.refusal({{"robot", "none.urdf"}}) ==
          (folder.path() / "none.urdf").string() + ": cannot be read: No such file or directory");
    CHECK(with("start", {{"joint", "knee"}}) ==
          "/start/0/joint: \"knee\" is not allowed: there is no such joint that moves. Joints: shoulder, elbow");
    CHECK(with("start", {{"joint", "shoulder"}, {"position", 2.5}}) ==
          "/start/0/position: 2.5 is not allowed; it must be within the limits of joint \"shoulder\", -1.0 .. 2.0");
    CHECK(with("loads", {{"joint", "elbow"}, {"type", "constant"}, {"force", 1}}) ==
          "/loads/0: force is not allowed: joint \"elbow\" takes a torque");
    CHECK(with("loads", {{"joint", "elbow"}, {"type", "sine"}, {"torque", 1}}) ==
          "/loads/0/frequency: is missing; it must be a number >= 0. Frequency [Hz]");
    CHECK(with("loads", {{"joint", "elbow"}, {"type", "table"}, {"torque", 1}, {"points", {{1, 1}, {0, 2}}}}) ==
          "/loads/0/points/1/0: 0 is not allowed; times must rise: it must be >= 1");
    CHECK(with("loads", {{"joint", "elbow"}, {"type", "constant"}, {"torque", 1}, {"startTime", 2}, {"endTime", 1}}) ==
          "/loads/0/endTime: 1 is not allowed; it must be > the startTime, 2");
    CHECK(with("servos", {{"joint", "elbow"}, {"type", "constant"}, {"position", 1}, {"damping", 1}}) ==
          "/servos/0/stiffness: is missing; it must be a number >= 0. Torque or force per error of the coordinate, on "
          "the joint's side of the gear [N.m/rad, N/m]");
    CHECK(with("changes", {{"element", "knee.*"}, {"b", 0}}) ==
          "/changes/0/element: \"knee.*\" is not allowed: it fits no element of the robot. Elements: elbow.backlash");
    CHECK(with("changes", {{"element", "*"}, {"s_rel0", 0}}) ==
          "/changes/0: element 'elbow.backlash': it has no parameter s_rel0; it must be one of c, d, b, phi_rel0");
    CHECK(with("changes", {{"element", "*"}, {"b", -1}}) ==
          "/changes/0: element 'elbow.backlash': b = -1 is not allowed; b must be finite and >= 0");
    const json servo = {{"joint", "elbow"}, {"type", "constant"}, {"position", 1}, {"damping", 1}, {"stiffness", 1}};
    CHECK(folder.refusal({{"servos", {servo, servo}}}) ==
          "/servos/1/joint: \"elbow\" is not allowed: it has a servo already");
}

TEST_CASE("the robot scenes that come with Elasto can be loaded") {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(ELASTO_SOURCE_DIR "/assets/robots")) {
        if (entry.path().extension() != ".json") continue;
        INFO(entry.path());
        const RobotScene scene = loadRobotScene(entry.path());
        CHECK_FALSE(scene.description.empty());
        CHECK_FALSE(recordedRobotSignals(scene).empty());
        ++count;
    }
    CHECK(count >= 3);
}

TEST_CASE("a robot scene is known by its field") {
    CHECK(isRobotScene(R"({"robot": "a.urdf"})"));
    CHECK(isRobotScene(R"({"robots": []})"));
    CHECK_FALSE(isRobotScene(R"({"bodies": []})"));
    CHECK_FALSE(isRobotScene("robot"));
    CHECK_FALSE(isRobotScene("[\"robot\"]"));
}
