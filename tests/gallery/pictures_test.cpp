// Demos as pictures: what is said to be there is there.

#include "studio.h"

#include "../tools/temporary_folder.h"
#include "gallery/element_drawing.h"
#include "play/recording.h"

#include <elasto/scene/load_scene.h>
#include <elasto/scene/output_file.h>

#include <catch2/catch.hpp>

using namespace elasto;
using namespace elasto::gallery;

namespace {

/// A pointer over the second mass of the ElastoGap demo, which is paused.
struct Pointing {
    Studio studio{"elasto_gap"};
    Stage& stage = studio.gallery().stage();
    Mouse mouse;
    MouseState state;

    Pointing() {
        studio.draw(0);
        stage.setPlaying(false);
        const Eigen::Vector2i at = studio.pixel(stage.moment().bodies[1].position.cast<float>());
        state.x = static_cast<float>(at.x());
        state.y = static_cast<float>(at.y());
        update();
    }
    void update() { mouse.update(state, studio.gallery().viewArea(), studio.gallery().picture(), stage); }
};

}  // namespace

TEST_CASE("the panels are there, and the view between them", "[slow]") {
    Studio studio("elasto_gap", true);
    const view::Image image = studio.draw(60);
    const panels::Layout& layout = studio.gallery().workspace().layout();
    for (const panels::Rect& rect : {layout.demos, layout.timeline, layout.status}) {
        REQUIRE(rect.isShown());
        // Texts: bright pixels on the dark panel.
        int bright = 0;
        int dark = 0;
        for (int y = static_cast<int>(rect.top); y < static_cast<int>(rect.bottom()); ++y) {
            for (int x = static_cast<int>(rect.left); x < static_cast<int>(rect.right()); ++x) {
                const Pixel p = image.pixel(x, y);
                (p[0] + p[1] + p[2] > 450 ? bright : dark) += 1;
            }
        }
        CHECK(bright > 100);
        CHECK(dark > 10 * bright);
    }
    CHECK(layout.view.width > 0.3 * kWidth);
}

TEST_CASE("a spring is drawn longer when it is stretched", "[slow]") {
    Studio studio("elasto_gap");
    studio.draw(0);
    const auto length = [&] {
        const view::Spring& spring = studio.gallery().picture().springs.front();
        return (studio.pixel(spring.b) - studio.pixel(spring.a)).cast<double>().norm();
    };
    const double stretched = length();  // mass1 starts at the right wall: 4 m
    studio.draw(60);
    CHECK(length() < 0.8 * stretched);
    const Stage& stage = studio.gallery().stage();
    const double metres =
        (studio.gallery().picture().springs.front().b - studio.gallery().picture().springs.front().a).norm();
    CHECK(metres == Approx(stage.moment().elements[0].sample.s).epsilon(1e-5));
}

TEST_CASE("a stop glows while it is in contact and not before", "[slow]") {
    Studio studio("stiff_stop");
    studio.draw(0);
    REQUIRE_FALSE(studio.gallery().picture().stopFaces.empty());
    CHECK(studio.gallery().picture().stopFaces.front().glow == 0);
    float largest = 0;
    for (int i = 0; i < 30; ++i) {
        studio.draw(1);
        largest = std::max(largest, studio.gallery().picture().stopFaces.front().glow);
    }
    CHECK(largest > 0.2F);
}

TEST_CASE("the mouse picks a body, pulls it with a spring and lets it go", "[slow]") {
    Pointing pointing;
    Stage& stage = pointing.stage;
    MouseState& state = pointing.state;
    CHECK(pointing.mouse.hoveredBody() == 1);
    state.left = true;
    pointing.update();
    REQUIRE(stage.session().drag());
    CHECK(stage.session().drag()->body == 1);
    state.x -= 80;
    state.y -= 60;
    pointing.update();
    // Along the line on which it can move, wherever the pointer goes.
    const Eigen::Vector3d target = stage.session().drag()->target;
    const Eigen::Vector3d before = stage.moment().bodies[1].position;
    CHECK(target.x() < before.x() - 0.1);
    CHECK(std::abs(target.y() - before.y()) < 0.3);
    Stage alone(*findDemo("elasto_gap"));
    alone.seek(0);
    while (alone.session().tick() < stage.session().tick()) alone.session().step();
    stage.setPlaying(true);
    const long tick = stage.session().tick();
    for (int i = 0; i < 40; ++i) stage.pass(1.0 / 60);
    while (alone.session().tick() < stage.session().tick()) alone.session().step();
    CHECK(stage.session().tick() > tick);
    const Eigen::Vector3d after = stage.session().sample().bodies[1].position;
    const double without = alone.session().sample().bodies[1].position.x();
    CHECK(std::abs(after.x() - target.x()) < std::abs(without - target.x()) - 0.1);
    CHECK(after.tail<2>() == before.tail<2>());
    state.left = false;
    pointing.update();
    CHECK_FALSE(stage.session().drag());
    // Back, and on the same way: the drag is part of the run.
    stage.seek(10);
    CHECK(stage.session().bitsAreThoseOfTheFirstPass());
}

TEST_CASE("a ball that was thrown is selected, and a ring or an arrow shows where it went", "[slow]") {
    Studio studio("elasto_gap", true);
    Gallery& gallery = studio.gallery();
    studio.draw(2);
    CHECK(gallery.mouse().selectedBody() == -1);
    gallery.perform(panels::Action::ThrowBody);
    const int ball = gallery.mouse().selectedBody();
    REQUIRE(ball == 2);
    CHECK(gallery.stage().session().isBall(2));
    const auto arrows = [&] {
        int count = 0;
        const ImU32 accent = gallery.workspace().palette().accent;
        for (const ImDrawVert& vertex : ImGui::GetBackgroundDrawList()->VtxBuffer)
            count += vertex.col == accent ? 1 : 0;
        return count;
    };
    studio.draw(1);
    CHECK(arrows() == 0);  // it is in sight
    studio.draw(600);
    CHECK(arrows() > 10);  // far away: a dot with a ring
    gallery.stage().camera().orbit(1.5F, 0);
    studio.draw(0);
    CHECK(arrows() == 3);  // beside the view
    // F follows it, so that it is in sight again.
    gallery.perform(panels::Action::FollowBody);
    CHECK(gallery.stage().followed() == ball);
    gallery.perform(panels::Action::CloseTop);
    CHECK(gallery.mouse().selectedBody() == -1);
    studio.draw(1);
    CHECK(arrows() == 0);
}

TEST_CASE("a body is pulled that the pointer leaves in the frame of the press", "[slow]") {
    Pointing pointing;
    Stage& stage = pointing.stage;
    MouseState& state = pointing.state;
    REQUIRE(pointing.mouse.hoveredBody() == 1);
    state.left = true;
    state.x -= 50;
    pointing.update();
    REQUIRE(stage.session().drag());
    CHECK(stage.session().drag()->body == 1);
    CHECK(stage.session().drag()->target.x() < stage.moment().bodies[1].position.x() - 0.05);
}

TEST_CASE("a file that is dropped on the window is shown, or the demo stays and it is said why", "[slow]") {
    Studio studio("finger_limit");
    studio.draw(8);
    studio.gallery().openFile("/no/such/file.elrec");
    CHECK(studio.gallery().stage().demo().name == "finger_limit");
    CHECK_FALSE(studio.gallery().workspace().notices().empty());
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "finger_limit_7.elrec";
    play::saveRecording(play::recordingOf(studio.gallery().stage().session()), file);
    studio.gallery().openFile(file);
    std::filesystem::remove(file);
    const Stage& stage = studio.gallery().stage();
    CHECK(stage.demo().name == "finger_limit");  // which it was made in
    REQUIRE(stage.session().recordingCheck());
    // It plays up to its end, and stops there.
    studio.draw(10);
    CHECK(stage.session().tick() == stage.session().recordingCheck()->ticks);
    CHECK(stage.session().recordingCheck()->checked == stage.session().recordingCheck()->ticks);
    CHECK_FALSE(stage.isPlaying());
    // Back at the start it is still the recording.
    studio.gallery().perform(panels::Action::Restart);
    CHECK(stage.session().tick() == 0);
    CHECK(stage.session().lastTick() == stage.session().recordingCheck()->ticks);
}

TEST_CASE("all lanes of a comparison are in the picture, also when it is switched off and on", "[slow]") {
    for (const char* demo : {"finger_limit", "stiff_stop", "gear_backlash", "sinking_box", "pendulum_length"}) {
        INFO(demo);
        Studio studio(demo);
        Gallery& gallery = studio.gallery();
        studio.draw(0);
        const Stage& stage = gallery.stage();
        const Eigen::AlignedBox3d& own = stage.drawing().bounds();
        const auto outermost = [&](int lanes) {
            return studio.pixel((own.center() + lanes * stage.demo().baselineOffset).cast<float>());
        };
        const int lanes = gallery.comparison().lanes();
        CHECK(lanes == static_cast<int>(stage.demo().baselines.size()));
        CHECK(isInside(outermost(0)));
        CHECK(isInside(outermost(lanes)));
        const Eigen::Vector2i with = outermost(0);
        gallery.perform(panels::Action::Compare);
        studio.draw(0);
        CHECK(gallery.comparison().lanes() == 0);
        const Eigen::Vector2i without = outermost(0);
        if (std::string(demo) != "pendulum_length")
            CHECK((without - with).norm() > 20);  // these swing behind the others
        gallery.perform(panels::Action::Compare);
        studio.draw(0);
        CHECK((outermost(0) - with).norm() < 2);
        CHECK(isInside(outermost(lanes)));
    }
}

TEST_CASE("the reference ends where the run is edited, and it is said so", "[slow]") {
    Studio studio("stiff_stop");
    Gallery& gallery = studio.gallery();
    Stage& stage = gallery.stage();
    studio.draw(60);
    const auto reference = [&]() -> const panels::Curve& {
        const auto curves =
            gallery.comparison().curves(stage.session(), 0, play::Quantity::S, gallery.workspace().palette());
        for (const panels::ForeignCurve& curve : curves) {
            if (curve.isReference) return *curve.curve;
        }
        throw std::runtime_error("no reference");
    };
    const long edited = stage.session().tick();
    // It knows the future, but nobody can compare that.
    CHECK(reference().size() == static_cast<std::size_t>(edited) + 1);
    CHECK(gallery.comparison().explanation(stage.session()).find("up to now") != std::string::npos);
    const double before = *gallery.comparison().errors()[0];
    stage.session().setParameter(0, "c", 5000);
    studio.draw(60);
    CHECK(reference().size() == static_cast<std::size_t>(edited) + 1);
    CHECK(gallery.comparison().explanation(stage.session()).find("the edit at 1.000 s; R runs again") !=
          std::string::npos);
    CHECK(*gallery.comparison().errors()[0] == Approx(before).epsilon(1e-6).margin(1e-9));
    gallery.perform(panels::Action::Restart);
    studio.draw(60);
    CHECK(reference().size() == static_cast<std::size_t>(stage.session().tick()) + 1);
    CHECK(gallery.comparison().explanation(stage.session()).find("up to now") != std::string::npos);
    CHECK(*gallery.comparison().errors()[0] < 1e-6);
}

TEST_CASE("pictures and films show nothing of the program's notices", "[slow]") {
    const test::TemporaryFolder folder;
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    Studio studio("elasto_gap", true);
    Gallery& gallery = studio.gallery();
    gallery.stage().setPlaying(false);
    studio.draw(0);  // caption and view take their places
    const view::Image plain = studio.draw(0);
    gallery.say("a notice for who looks");
    gallery.perform(panels::Action::SavePicture);
    const view::Image seen = studio.draw(0);
    std::filesystem::current_path(before);
    CHECK(seen.rgba != plain.rgba);
    view::Image opaque = plain;
    for (std::size_t alpha = 3; alpha < opaque.rgba.size(); alpha += 4) opaque.rgba[alpha] = 255;
    view::writePng(opaque, folder.path() / "plain.png");
    CHECK((test::readText(folder.path() / "elasto_gap.png") == test::readText(folder.path() / "plain.png")));
}

TEST_CASE("arrows of forces have shafts, show small forces beside large ones and stay in the scene") {
    CHECK(arrowShare(800, 800) == 1);
    CHECK(arrowShare(-200, 800) == Approx(0.5));
    CHECK(arrowShare(-6, 800) == 0.2);
    CHECK(arrowShare(0.1, 800) == 0);
    CHECK(arrowShare(5, 0) == 0);
    for (const double length : {0.01, 0.1, 0.5, 100.}) {
        const view::Arrow arrow = forceArrow({0, 0, 0}, {length, 0, 0}, 1);
        const auto drawn = static_cast<double>(arrow.vector.norm());
        CHECK(drawn == Approx(std::min(length, 1.)));
        // Its head is 3.2 diameters long.
        CHECK(3.2 * static_cast<double>(arrow.diameter) < 0.6 * drawn);
    }
}

TEST_CASE("baselines stand beside the run and their errors are known", "[slow]") {
    Studio studio("stiff_stop");
    studio.draw(60);
    const auto& errors = studio.gallery().comparison().errors();
    REQUIRE(errors[0]);
    CHECK(*errors[0] < 1e-6);
    for (const play::BaselineKind kind : studio.gallery().stage().demo().baselines) {
        const std::size_t i = 1 + static_cast<std::size_t>(kind);
        INFO(i);
        REQUIRE(errors[i]);
        CHECK((std::isinf(*errors[i]) || *errors[i] > 0.001));
    }
}

TEST_CASE("a stop of one's own is selected when it was placed, whatever was selected before", "[slow]") {
    Studio studio("newton_cradle", true);
    Gallery& gallery = studio.gallery();
    studio.draw(5);
    gallery.perform(panels::Action::PlayOrPause);
    gallery.perform(panels::Action::CloseTop);
    studio.draw(0);
    REQUIRE(gallery.workspace().element() == -1);
    gallery.perform(panels::Action::AddStop);
    ImGuiIO& io = ImGui::GetIO();
    const auto clickOn = [&](const char* name) {
        const play::Session& session = gallery.stage().session();
        const std::vector<SceneBody>& bodies = session.scene().bodies;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (bodies[i].name != name) continue;
            const Eigen::Vector2i at = studio.pixel(session.sample().bodies[i].position.cast<float>());
            io.MousePos = {static_cast<float>(at.x()), static_cast<float>(at.y())};
        }
        // Each frame on its own: the mouse is looked at in all of them.
        for (const bool isDown : {false, false, true, true, false, false}) {
            io.MouseDown[0] = isDown;
            gallery.layOut(kWidth, kHeight);
        }
    };
    clickOn("ball1");
    REQUIRE(gallery.placer().isActive());
    clickOn("ball5");
    REQUIRE_FALSE(gallery.placer().isActive());
    studio.draw(0);
    const play::Session& session = gallery.stage().session();
    const auto selected = static_cast<std::size_t>(gallery.workspace().element());
    REQUIRE(selected < session.elements().size());
    CHECK(session.elements()[selected].name.starts_with("stop"));
    CHECK(gallery.stage().selected() == static_cast<int>(selected));
    io.MouseDown[0] = false;
    io.MousePos = {-1e4F, -1e4F};
    const std::size_t with = session.elements().size();
    gallery.perform(panels::Action::Undo);
    CHECK(gallery.stage().session().elements().size() == with - 1);
}

TEST_CASE("what cannot be written is asked a place for, and the run goes on", "[slow]") {
    Studio studio("elasto_gap", true);
    Gallery& gallery = studio.gallery();
    studio.draw(3);
    gallery.settings().folder = "/proc/no such folder";
    for (const panels::Action action :
         {panels::Action::SaveScene, panels::Action::SaveRecording, panels::Action::SavePicture}) {
        gallery.workspace().files().close();
        gallery.perform(action);
        studio.draw(0);
        CHECK(gallery.workspace().files().isOpen());
        CHECK(gallery.workspace().files().purpose() == panels::FileDialog::Purpose::Save);
        CHECK(gallery.workspace().files().text().find("/proc") == std::string::npos);
        CHECK(gallery.stage().isPlaying());
    }
}

TEST_CASE("a scene of one's own has a name, is marked, and is offered again", "[slow]") {
    Studio studio("elasto_gap", true);
    Gallery& gallery = studio.gallery();
    CHECK(gallery.title() == "Elasto gallery - ElastoGap between walls");
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "elasto_gap.json";
    Scene scene = gallery.stage().session().scene();
    scene.name = "Mine";
    writeFile(file, writeShortScene(scene));
    gallery.openFile(file);
    studio.draw(1);
    CHECK(gallery.title() == "Elasto gallery - Mine");
    CHECK_FALSE(gallery.stage().isOfDemo());  // though a demo has the same name
    CHECK(gallery.settings().recentFiles == std::vector<std::string>{file.string()});
    gallery.open(*findDemo("backlash"));
    gallery.open(*findDemo("elasto_gap"));
    CHECK(gallery.stage().isOfDemo());
    CHECK(gallery.settings().recentFiles.size() == 1);
    gallery.openFile("/no/such/file.json");
    CHECK(gallery.settings().recentFiles.size() == 1);
    std::filesystem::remove(file);
}
