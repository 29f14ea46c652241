// The panels over the elements of a robot that is a guest in the scene.

#include <panels/workspace.h>

#include <elasto/robot/robot_scene.h>
#include <elasto/scene/load_scene.h>

#include <play/robot_guest.h>
#include <catch2/catch.hpp>

#include "../tools/temporary_folder.h"
#include "null_interface.h"

using namespace elasto;
using namespace elasto::panels;

namespace {

play::SessionOptions withArm() {
    play::SessionOptions options;
    options.takesMultiBodies = true;
    options.preparedBy = "arm";
    options.prepare = [](SceneWorld& world) {
        const RobotScene arm = loadRobotScene(ELASTO_SOURCE_DIR "/assets/robots/arm6_swinging.json");
        const Eigen::Quaterniond upright(Eigen::AngleAxisd(-M_PI / 2, Eigen::Vector3d::UnitX()));
        world.add(std::make_unique<play::RobotGuest>(world, arm, RobotPose{.orientation = upright}));
    };
    return options;
}

}  // namespace

TEST_CASE("panels show the elements of a robot as those of a scene") {
    NullInterface interface(1600, 900);
    play::Session session(loadScene(ELASTO_SOURCE_DIR "/assets/scenes/gallery/six_axis_arm.json"), withArm());
    Settings settings;
    Workspace workspace(settings);
    WorkspaceInput input;
    const auto frame = [&] {
        input.shownTime = session.time();
        interface.bareFrame([&] { workspace.draw(session, input); });
    };
    frame();
    // One with play first.
    REQUIRE(workspace.element() >= 0);
    CHECK(session.elements()[static_cast<std::size_t>(workspace.element())].name == "yaw.backlash");
    for (int tick = 0; tick < 200; ++tick) session.step();
    for (const Analysis analysis : {Analysis::Law, Analysis::Loop, Analysis::Oscilloscope, Analysis::Comparison}) {
        settings.analysis = analysis;
        for (int element = 0; element < static_cast<int>(session.elements().size()); ++element) {
            INFO("analysis " << static_cast<int>(analysis) << ", element " << element);
            workspace.select(element);
            frame();
            frame();
            CHECK(ImGui::GetDrawData()->TotalVtxCount > 1000);
            CHECK(workspace.element() == element);
        }
    }
    CHECK_FALSE(session.trouble());
}

TEST_CASE("a drive has a plot of its motor and link, and its loop shows the lost motion") {
    NullInterface interface(1600, 900);
    play::Session session(loadScene(ELASTO_SOURCE_DIR "/assets/scenes/gallery/six_axis_arm.json"), withArm());
    for (int tick = 0; tick < 240; ++tick) session.step();
    int element = 0;
    while (session.elements()[static_cast<std::size_t>(element)].name != "elbow.backlash") ++element;
    Signals signals;
    signals.update(session);
    const Curve& motor = signals.curve(session, element, play::Quantity::FlangeA);
    const Curve& link = signals.curve(session, element, play::Quantity::FlangeB);
    const Curve& behind = signals.curve(session, element, play::Quantity::S);
    REQUIRE(motor.size() == 241);
    for (std::size_t i = 0; i < motor.size(); ++i) {
        CHECK(link.y(i) - motor.y(i) == Approx(behind.y(i)).margin(1e-12));
    }
    // The elbow begins at 1.2 rad and swings.
    CHECK(link.y(0) == Approx(1.2));
    CHECK(std::abs(link.y(240) - link.y(0)) > 0.01);

    // Of its plots the one of the flanges is drawn, and a damper has none.
    const Palette& palette = paletteOf(Theme::Dark);
    const Playback playback;
    Requests requests;
    PlotsPanel plots(10);
    const auto vertices = [&](int selected) {
        const ElementSample now = session.sample().elements[static_cast<std::size_t>(selected)];
        Context context{session, palette, playback, session.time(), selected, requests, &now};
        for (int i = 0; i < 2; ++i) interface.frame([&] { plots.draw(context, signals, {}); });
        return ImGui::GetDrawData()->TotalVtxCount;
    };
    int damper = 0;
    while (session.elements()[static_cast<std::size_t>(damper)].name != "elbow.damping") ++damper;
    CHECK_FALSE(session.elements()[static_cast<std::size_t>(damper)].hasFlanges());
    CHECK(session.elements()[static_cast<std::size_t>(element)].hasFlanges());
    CHECK(vertices(element) > vertices(damper) + 400);
}
