// Robots of one's own: shown, framed, moved by their joints, and what is no robot is said.

#include "gallery/robot_look.h"
#include "play/turned_scene.h"
#include "studio.h"

#include <elasto/robot/load_robot.h>
#include <elasto/robot/robot_world.h>

#include <play/recording.h>

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <set>

#include <unistd.h>

using namespace elasto;
using namespace elasto::gallery;

namespace {

/// A folder with files of robots, that goes away with the test.
class Files {
public:
    Files() : m_folder(std::filesystem::temp_directory_path() / ("elasto-robots-" + std::to_string(getpid()))) {
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
    }
    ~Files() { std::filesystem::remove_all(m_folder); }
    std::string add(const std::string& name, const std::string& text) const {
        std::ofstream(m_folder / name) << text;
        return (m_folder / name).string();
    }

private:
    std::filesystem::path m_folder;
};

std::string inertial(double mass, double moment) {
    const std::string m = std::to_string(moment);
    return "<inertial><mass value=\"" + std::to_string(mass) + "\"/><inertia ixx=\"" + m + "\" iyy=\"" + m +
           "\" izz=\"" + m + "\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
}

/// A cart on a rail with a pole on it, and one element of each kind that is drawn.
std::string cartPole() {
    return R"(<robot name="cart_pole" xmlns:elasto="urn:elasto"><link name="rail"/>
<link name="cart">)" +
           inertial(1, 0.01) + R"(<collision><geometry><box size="0.2 0.1 0.1"/></geometry></collision></link>
<link name="pole">)" +
           inertial(0.2, 0.01) +
           R"(<collision><origin xyz="0 0 0.3"/><geometry><capsule radius="0.02" length="0.5"/></geometry></collision></link>
<joint name="slide" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
<limit lower="-0.5" upper="0.5" effort="9" velocity="9"/></joint>
<joint name="swing" type="revolute"><parent link="cart"/><child link="pole"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="9" velocity="9"/></joint>
<elasto:spring joint="slide" c="20" d="1"/><elasto:gap joint="slide" side="both" c="1e4" d="5"/>
<elasto:spring joint="swing" c="5" d="0.1"/><elasto:gap joint="swing" side="both" c="1e3" d="1"/>
<elasto:line link_a="rail" xyz_a="0.6 0 0" link_b="pole" xyz_b="0 0 0.6" c="10" d="1"/></robot>)";
}

/// A chain of links without shapes, as many as are wanted.
std::string chain(int links, double length) {
    std::string text = R"(<robot name="chain"><link name="link0"/>)";
    for (int i = 1; i <= links; ++i) {
        const std::string n = std::to_string(i), before = std::to_string(i - 1);
        text += "<link name=\"link" + n + "\">" + inertial(0.1, 0.001) + "</link><joint name=\"joint" + n +
                "\" type=\"continuous\"><parent link=\"link" + before + "\"/><child link=\"link" + n +
                "\"/><origin xyz=\"" + std::to_string(i > 1 ? length : 0) + " 0 0\"/><axis xyz=\"0 1 0\"/></joint>";
    }
    return text + "</robot>";
}

/// Whether all links of a robot are in the picture of a stage that has just been opened.
bool isFramed(Stage& stage) {
    stage.frameHome(static_cast<double>(kWidth) / kHeight);
    for (std::size_t i = stage.session().world().bodies(); i < stage.session().bodies(); ++i) {
        const auto at = stage.camera().project(stage.moment().bodies[i].position.cast<float>(), kWidth, kHeight);
        if (!at || at->x() < 0 || at->y() < 0 || at->x() > kWidth || at->y() > kHeight) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("robots of any size are framed, and fill the picture") {
    const Files files;
    const std::string robots[] = {
        ELASTO_SOURCE_DIR "/assets/robots/arm6.json", ELASTO_SOURCE_DIR "/assets/robots/leg.json",
        files.add("cart.urdf", cartPole()),           files.add("chain.urdf", chain(40, 0.1)),
        files.add("tiny.urdf", chain(3, 0.003)),      files.add("huge.urdf", chain(5, 20))};
    for (const std::string& file : robots) {
        INFO(file);
        const std::unique_ptr<Stage> stage = Stage::ofRobot(file, std::nullopt);
        CHECK(isFramed(*stage));
        CHECK(stage->isOfRobot());
        // From four times the distance it would be small.
        const double size = stage->drawing().bounds().diagonal().norm();
        CHECK(static_cast<double>(stage->camera().viewpoint.distance) < 4 * size);
        for (int frame = 0; frame < 10; ++frame) stage->pass(1.0 / 60);
        CHECK_FALSE(stage->session().trouble());
        CHECK(stage->session().tick() == 40);
        stage->seek(10);
        CHECK(stage->session().bitsAreThoseOfTheFirstPass());
    }
}

TEST_CASE("each element of a robot has its picture: springs, dampers, stops, lines") {
    const Files files;
    const std::unique_ptr<Stage> stage = Stage::ofRobot(files.add("cart.urdf", cartPole()), std::nullopt);
    view::Picture picture;
    std::vector<Label> labels;
    for (int frame = 0; frame < 10; ++frame) stage->pass(1.0 / 60);
    stage->draw({.labels = true}, picture, labels);
    std::map<std::string, std::set<std::string>> seen;  // by element
    const auto note = [&](const auto& objects, const char* kind) {
        for (const auto& object : objects) {
            const int element = elementOfId(object.surface.id);
            if (element >= 0) seen[stage->session().elements()[static_cast<std::size_t>(element)].name].insert(kind);
        }
    };
    note(picture.springs, "spring");
    note(picture.cylinders, "cylinder");
    note(picture.stopFaces, "stop");
    CHECK(seen.size() == stage->session().elements().size());
    CHECK(labels.size() == stage->session().elements().size());
    for (const auto& [name, kinds] : seen) {
        INFO(name);
        // "slide.lower", "swing.upper"
        const bool isStop = name.ends_with("er");
        CHECK(kinds.contains(isStop ? "stop" : "spring"));
        CHECK(kinds.contains("cylinder"));
    }
    CHECK(std::count_if(picture.capsules.begin(), picture.capsules.end(),
                        [](const view::Capsule& capsule) { return capsule.diameter == 0.04F; }) == 1);  // the pole
    // A stop's plate meets the cart's collar when contact begins: it is as far away as the joint has to go.
    stage->setPlaying(false);
    stage->session().placeJoint(0, 0.4);
    stage->showTick();
    stage->draw({}, picture, labels);
    const double cart = stage->moment().bodies[stage->session().world().bodies() + 1].position.x();
    CHECK(cart == Approx(0.4));
    double nearest = 1;
    for (const view::StopFace& face : picture.stopFaces) {
        if (std::abs(face.pose.position.x() - 0.5F) < 0.02F) nearest = std::abs(face.pose.position.x() - 0.5);
    }
    CHECK(nearest < 0.01);
}

TEST_CASE("meshes of collision are drawn as their hulls, links without shapes as bones") {
    RobotScene scene = sceneOfRobot(parseRobot(chain(3, 0.5)));
    RobotShape hull;
    hull.type = RobotShape::Type::Hull;
    for (const double x : {0., 1.}) {
        for (const double y : {0., 1.}) {
            for (const double z : {0., 1.}) hull.points.emplace_back(x, y, z);
        }
    }
    hull.points.emplace_back(0.5, 0.5, 0.5);  // inside
    scene.robot.links[3].collisions.push_back(hull);
    const RobotLook look(scene);
    REQUIRE(look.mesh(3, 0) != nullptr);
    CHECK(look.mesh(3, 0)->triangles.size() == 12 * 3);
    for (std::size_t i = 0; i < look.mesh(3, 0)->positions.size(); ++i) {
        const Eigen::Vector3f out = look.mesh(3, 0)->positions[i] - Eigen::Vector3f(0.5F, 0.5F, 0.5F);
        CHECK(look.mesh(3, 0)->normals[i].dot(out) > 0);
    }
    REQUIRE(look.bones(1).size() == 1);
    CHECK(look.bones(1)[0].x() == 0.5);
    CHECK(look.bones(3).empty());
    // A foot away from its joint is tied to it.
    scene.robot.links[3].collisions[0].pose.position = {2, 0, 0};
    const RobotLook apart(scene);
    REQUIRE(apart.bones(3).size() == 1);
    CHECK((apart.bones(3)[0] - Eigen::Vector3d(2.5, 0.5, 0.5)).norm() < 1e-12);
    CHECK(reachOf(hull, Eigen::Vector3d(1, 1, 0).normalized()) == Approx(std::sqrt(2.)));
}

TEST_CASE("a robot's file with a free base stands on the ground, one that is fixed needs none") {
    const Files files;
    const std::string free = files.add("free.urdf", "<robot name=\"free\"><link name=\"box\">" + inertial(1, 0.1) +
                                                        "<collision><geometry><box size=\"1 1 1\"/></geometry>"
                                                        "</collision></link></robot>");
    const std::unique_ptr<Stage> stage = Stage::ofRobot(free, std::nullopt);
    REQUIRE(stage->session().scene().bodies.size() == 1);
    CHECK(stage->followed());
    for (int frame = 0; frame < 60; ++frame) stage->pass(1.0 / 60);
    CHECK(stage->session().sample().bodies.back().position.y() == Approx(0.5).margin(1e-3));
    CHECK(stage->session().joints().empty());
    const std::unique_ptr<Stage> fixed = Stage::ofRobot(files.add("cart.urdf", cartPole()), std::nullopt);
    CHECK(fixed->session().scene().bodies.empty());
    CHECK_FALSE(fixed->followed());
    // Gravity is URDF's: the pole falls to its side, the cart stays on its rail.
    CHECK(fixed->session().scene().gravity.y() == -9.80665);
}

TEST_CASE("what is no robot and no scene is said once with all its mistakes, and the last demo stays", "[slow]") {
    const Files files;
    Studio studio("elasto_gap", true);
    Gallery& gallery = studio.gallery();
    studio.draw(5);
    const std::string bad = files.add("bad.urdf", R"(<robot name="bad" xmlns:elasto="urn:elasto"><link name="a"/>
<link name="b"/><joint name="j" type="revolute"><parent link="a"/><child link="c"/></joint>
<elasto:spring joint="none" c="1" d="1"/></robot>)");
    for (const std::string& file :
         {bad, files.add("bad.json", R"({"elasto": 1, "bodies": 3})"), files.add("text.urdf", "hello"),
          files.add("bad.sdf", "<sdf version=\"1.7\"><model/></sdf>"), std::string("/no/such.urdf")}) {
        INFO(file);
        gallery.workspace().notices().clear();
        gallery.openFile(file);
        CHECK(gallery.stage().demo().name == "elasto_gap");
        CHECK_FALSE(gallery.workspace().notices().empty());
    }
    CHECK_THROWS_WITH(Stage::ofFile(bad, std::nullopt),
                      Catch::Contains("bad.urdf:2: <joint name=\"j\">") &&
                          Catch::Contains("bad.urdf:3: <elasto:spring joint=\"none\">"));
    // Files that are dropped on the window are opened the same way, whatever they are.
    gallery.openFile(files.add("cart.urdf", cartPole()));
    CHECK(gallery.stage().isOfRobot());
    CHECK(gallery.stage().demo().title == "cart_pole");
    CHECK(gallery.stage().session().joints().size() == 2);
    studio.draw(5);
    gallery.openFile(ELASTO_SOURCE_DIR "/assets/scenes/bumper.json");
    CHECK_FALSE(gallery.stage().isOfRobot());
    CHECK(gallery.stage().demo().name == "bumper");
    gallery.openFile(ELASTO_SOURCE_DIR "/assets/robots/arm6.json");
    CHECK(gallery.stage().session().joints().size() == 6);
    studio.draw(2);
}

TEST_CASE("a run of a robot of one's own is recorded, and runs again") {
    const Files files;
    const std::unique_ptr<Stage> stage = Stage::ofRobot(files.add("cart.urdf", cartPole()), std::nullopt);
    for (int frame = 0; frame < 10; ++frame) stage->pass(1.0 / 60);
    stage->session().holdJoints(true);
    stage->session().setTarget(1, 0.3);
    for (int frame = 0; frame < 20; ++frame) stage->pass(1.0 / 60);
    const std::string file = files.add("run.elrec", "");
    const std::string other = files.add("run.txt", "");  // a recording is one under any name
    play::saveRecording(play::recordingOf(stage->session()), file);
    play::saveRecording(play::recordingOf(stage->session()), other);
    const std::unique_ptr<Stage> again = Stage::ofFile(GENERATE_COPY(file, other), std::nullopt);
    again->seek(120);
    CHECK(again->session().bitsAreThoseOfTheFirstPass());
    CHECK_FALSE(again->session().recordingCheck()->difference);
    CHECK(again->session().joint(1).q == stage->session().joint(1).q);
    CHECK(again->session().joint(1).target == 0.3);
}

TEST_CASE("several robots are shown with what is around them, and move as in their own world") {
    const std::string file = ELASTO_SOURCE_DIR "/assets/robots/pushers.json";
    const std::unique_ptr<Stage> stage = Stage::ofRobot(file, std::nullopt);
    play::Session& session = stage->session();
    std::vector<std::string> joints;
    for (const play::PlayedJoint& joint : session.joints()) joints.push_back(joint.name);
    CHECK(joints == std::vector<std::string>{"left.shoulder", "left.elbow", "right.shoulder", "right.elbow"});
    const auto has = [&](const std::string& name) {
        return std::any_of(session.elements().begin(), session.elements().end(),
                           [&](const play::PlayedElement& element) { return element.name == name; });
    };
    CHECK(has("stop_left"));
    CHECK(has("balancer_right"));
    CHECK(has("left.elbow.backlash"));
    CHECK_FALSE(stage->followed());
    // The world of the robots has z upwards.
    RobotWorld world(loadRobotScene(file));
    for (int tick = 0; tick < 240; ++tick) {
        session.step();
        world.step();
    }
    const Eigen::Vector3d crate = session.sample().bodies[0].position;
    const Eigen::Vector3d there = world.sampleAround().bodies[0].position;
    CHECK((crate - Eigen::Vector3d(there.x(), there.z(), -there.y())).norm() < 1e-6);
    for (std::size_t i = 0; i < joints.size(); ++i) {
        CHECK(session.joint(static_cast<int>(i)).q ==
              Approx(world.robot(i / 2).q(static_cast<int>(i % 2))).margin(1e-6));
    }
    // It is recorded, and runs again.
    const Files files;
    const std::string recorded = files.add("run.elrec", "");
    play::saveRecording(play::recordingOf(session), recorded);
    const std::unique_ptr<Stage> again = Stage::ofFile(recorded, std::nullopt);
    again->seek(240);
    CHECK(again->session().bitsAreThoseOfTheFirstPass());
    CHECK_FALSE(again->session().recordingCheck()->difference);
    CHECK(again->session().sample().bodies[0].position == crate);
}

TEST_CASE("a scene that is turned moves as it did") {
    Scene scene;
    scene.name = "turned";
    scene.gravity = {0, 0, -5};
    SceneBody body;
    body.name = "body";
    body.inertia = {0.1, 0.2, 0.3};
    body.position = {1, 2, 3};
    body.velocity = {0.5, -1, 2};
    body.angularVelocity = {1, 2, -3};
    body.linearFactor = {1, 0.5, 0};
    scene.bodies.push_back(body);
    SceneElement spring;
    spring.name = "spring";
    spring.geometry = Geometry::AlongLine;
    spring.frame_a = {.body = kWorld, .position = {1, 0, 3}};
    spring.frame_b = {.body = 0, .position = {0.1, 0, 0}};
    spring.law = SpringDamperLaw({.c = 100, .d = 1, .s_rel0 = 1});
    scene.elements.push_back(spring);
    SceneLoad load;
    load.name = "load";
    load.vector = {1, 2, 3};
    scene.loads.push_back(load);
    SceneWorld here(scene, 240), there(play::turned(scene, play::upright()), 240);
    for (int tick = 0; tick < 240; ++tick) {
        here.step();
        there.step();
    }
    const BodyState a = here.sample().bodies[0], b = there.sample().bodies[0];
    CHECK((play::upright() * a.position - b.position).norm() < 1e-9);
    CHECK((play::upright() * a.orientation).angularDistance(b.orientation) < 1e-9);
}
