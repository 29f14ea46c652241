// Sliders of a robot's joints.

#include <panels/joints_panel.h>
#include <panels/words.h>
#include <panels/workspace.h>

#include <elasto/robot/robot_scene.h>

#include <play/robot_guest.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "null_interface.h"

using namespace elasto;
using namespace elasto::panels;

namespace {

/// A chain of so many links, each with a range of 1 rad to either side.
RobotScene chain(int links) {
    std::string text = R"(<robot name="chain"><link name="link0"/>)";
    for (int i = 1; i <= links; ++i) {
        const std::string n = std::to_string(i), before = std::to_string(i - 1);
        text +=
            "<link name=\"link" + n +
            R"("><inertial><mass value="0.1"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial></link>)"
            "<joint name=\"left_joint" +
            n + "\" type=\"revolute\"><parent link=\"link" + before + "\"/><child link=\"link" + n +
            R"("/><origin xyz="0.1 0 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="9"/></joint>)";
    }
    return sceneOfRobot(parseRobot(text + "</robot>"));
}

Scene emptyScene() {
    Scene scene;
    scene.name = "empty";
    return scene;
}

class Operator {
public:
    explicit Operator(int links, const std::vector<std::string>& prefixes = {""})
        : session(emptyScene(), optionsOf(links, prefixes)), workspace(settings) {
        settings.leftShare = 0.1;
        input.beginsWithJoints = true;
        ImGui::GetIO().MousePos = {-1e4f, -1e4f};
    }
    void frame() {
        input.shownTime = session.time();
        interface.bareFrame([&] { isPosed = workspace.draw(session, input).isPosed || isPosed; });
    }
    void moveTo(float x, float y) {
        interface.mouse(x, y);
        frame();
    }
    void drag(float x, float y, float toX) {
        moveTo(x, y);
        interface.press(0);
        frame();
        moveTo((x + toX) / 2, y);
        moveTo(toX, y);
        interface.release(0);
        frame();
    }
    /// Drags sliders from the top of the panel on until one has done something.
    bool dragOne() {
        const Rect rect = workspace.layout().parameters;
        const std::size_t before = session.inputs().size();
        for (float y = rect.top + 60; y < rect.bottom() && session.inputs().size() == before; y += 7) {
            drag(rect.left + 0.5f * rect.width, y, rect.left + 0.6f * rect.width);
        }
        return session.inputs().size() > before;
    }

    NullInterface interface { 1600, 900 };
    Settings settings;
    play::Session session;
    Workspace workspace;
    WorkspaceInput input;
    bool isPosed = false;

private:
    static play::SessionOptions optionsOf(int links, const std::vector<std::string>& prefixes) {
        play::SessionOptions options;
        options.balls = 0;
        options.takesMultiBodies = true;
        options.preparedBy = "chain";
        options.prepare = [robot = chain(links), prefixes](SceneWorld& world) {
            for (const std::string& prefix : prefixes) {
                RobotScene one = robot;
                one.prefix = prefix;
                world.add(std::make_unique<play::RobotGuest>(world, one, RobotPose()));
            }
        };
        return options;
    }
};

}  // namespace

TEST_CASE("sliders place joints while time stands, and are targets while it goes on") {
    Operator person(3);
    person.input.playback.isPlaying = false;
    person.frame();
    REQUIRE(person.dragOne());
    CHECK(person.isPosed);
    CHECK(std::holds_alternative<play::JointPlacing>(person.session.inputs().back().action));
    CHECK(person.session.joint(0).q > 0.05);
    CHECK(person.session.joint(0).q < 1);

    // Nothing drives it while it is not held.
    person.isPosed = false;
    person.input.playback.isPlaying = true;
    for (int tick = 0; tick < 5; ++tick) person.session.step();
    person.frame();
    const Rect rect = person.workspace.layout().parameters;
    person.drag(rect.left + 0.5f * rect.width, rect.top + 110, rect.left + 0.6f * rect.width);
    CHECK(person.session.inputs().size() == 1);

    person.session.holdJoints(true);
    const double before = person.session.joint(0).target;
    REQUIRE(person.dragOne());
    CHECK(std::holds_alternative<play::JointTarget>(person.session.inputs().back().action));
    CHECK(person.session.joint(0).target > before + 0.05);
    CHECK_FALSE(person.isPosed);
}

TEST_CASE("forty joints are scrolled and searched, and one is plotted") {
    Operator person(40);
    person.frame();
    person.frame();
    const Rect rect = person.workspace.layout().parameters;
    // The list is longer than the panel: the wheel brings other sliders under the same place.
    person.input.playback.isPlaying = false;
    person.moveTo(rect.left + 0.5f * rect.width, rect.bottom() - 60);
    for (int i = 0; i < 40; ++i) {
        person.interface.wheel(-5);
        person.frame();
    }
    bool isLast = false;
    for (float y = rect.bottom() - 80; y < rect.bottom() && !isLast; y += 6) {
        person.drag(rect.left + 0.5f * rect.width, y, rect.left + 0.6f * rect.width);
        isLast = person.session.joint(39).q != 0;
    }
    CHECK(isLast);
    CHECK(hasWords("left_joint12", "JOINT 12"));
    CHECK(hasWords("left_joint12", ""));
    CHECK_FALSE(hasWords("left_joint12", "right"));
    CHECK_FALSE(hasWords("left_joint12", "left 13"));
}

TEST_CASE("a slider reaches over the joint's range, or half a turn where it has none") {
    play::PlayedJoint joint;
    joint.lower = -0.5;
    joint.upper = 2;
    CHECK(sliderRange(joint, false).low == -0.5);
    CHECK(sliderRange(joint, true).high == 2);
    joint.lower = -INFINITY;
    joint.upper = INFINITY;
    CHECK(sliderRange(joint, false).high == Approx(std::numbers::pi));
    joint.turns = false;
    CHECK(sliderRange(joint, false).low == -0.5);
    joint.servo = RobotServo::Mode::Velocity;
    CHECK(sliderRange(joint, true).high == 10);
    CHECK(sliderRange(joint, false).high == 0.5);
    joint.servo = RobotServo::Mode::Effort;
    CHECK(sliderRange(joint, true).low == -100);
}

TEST_CASE("the joint that is selected has a plot, with its target while it is held") {
    Operator person(2);
    person.session.holdJoints(true);
    person.session.setTarget(0, 0.5);
    for (int tick = 0; tick < 60; ++tick) person.session.step();
    Signals signals;
    signals.update(person.session);
    using Shown = Signals::JointQuantity;
    const Curve& q = signals.joint(person.session, 0, Shown::Position);
    REQUIRE(q.size() == 61);
    CHECK(q.y(60) == person.session.joint(0).q);
    CHECK(signals.joint(person.session, 0, Shown::Rate).y(60) == person.session.joint(0).v);
    CHECK(signals.joint(person.session, 0, Shown::Target).y(60) == 0.5);
    // In the past it goes on from there.
    person.session.seek(20);
    person.session.setTarget(0, -0.5);
    person.session.step();
    signals.update(person.session);
    CHECK(signals.joint(person.session, 0, Shown::Position).size() == 22);
    CHECK(signals.joint(person.session, 0, Shown::Target).y(21) == -0.5);
}

TEST_CASE("several robots have their joints below their names, and are held together or one by one") {
    Operator person(2, {"left.", "right."});
    REQUIRE(person.session.joints().size() == 4);
    person.frame();
    person.frame();
    const Rect rect = person.workspace.layout().parameters;
    const auto click = [&](float y) {
        person.moveTo(rect.left + 20, y);
        person.interface.press(0);
        person.frame();
        person.interface.release(0);
        person.frame();
    };
    std::set<std::pair<bool, bool>> held;
    for (float y = rect.top + 20; y < rect.bottom(); y += 6) {
        click(y);
        if (!person.session.areJointsHeld()) continue;
        held.insert({person.session.areJointsHeld(0), person.session.areJointsHeld(1)});
        click(y);
        CHECK_FALSE(person.session.areJointsHeld());
    }
    CHECK(held == std::set<std::pair<bool, bool>>{{true, true}, {true, false}, {false, true}});
}
