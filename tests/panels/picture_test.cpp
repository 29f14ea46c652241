// All panels drawn by OpenGL without a display, and read back.

#include <panels/workspace.h>

#include <elasto/scene/load_scene.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "offscreen.h"

using namespace elasto;
using namespace elasto::panels;

namespace {

Scene asset(const std::string& name) {
    return loadScene(ELASTO_SOURCE_DIR "/assets/scenes/" + name + ".json");
}

std::vector<DemoEntry> someDemos() {
    return {
        {"gap", "ElastoGap between walls", "A mass bounces between two stops whose force only ever pushes.",
         "Pull the mass with the mouse; drag the slider of d while it flies.", "Elements"},
        {"curves", "Three characteristics side by side", "Bounded, plain and no-pull damper in the same impact.",
         "Change d of one of them.", "Elements"},
        {"backlash", "Backlash in a shaft", "Two inertias with play between them.", "Turn one of them.", "Elements"},
        {"cradle", "Newton's cradle", "Five balls.", "Lift one.", "Machines"}};
}

/// A workspace on a screen in memory, with a session that runs.
class GalleryOnScreen {
public:
    GalleryOnScreen(const std::string& scene, int width, int height, float scale, Theme theme, long ticks)
        : screen(width, height, scale, theme), session(asset(scene)), demos(someDemos()), workspace(settings) {
        settings.theme = theme;
        for (long i = 0; i < ticks; ++i) session.step();
        input.demos = demos;
        input.demo = 0;
        input.figures = {1.0, 2.1e-4, 60, "llvmpipe", ""};
    }

    Requests frames(int count = 3) {
        Requests last;
        for (int i = 0; i < count; ++i) {
            input.shownTime = session.time();
            screen.frame([&] { last = workspace.draw(session, input); });
        }
        return last;
    }

    Offscreen screen;
    Settings settings;
    play::Session session;
    std::vector<DemoEntry> demos;
    Workspace workspace;
    WorkspaceInput input;
};

int inRect(const view::Image& image, ImU32 color, const Rect& rect) {
    return pixelsOf(image, color, static_cast<int>(rect.left), static_cast<int>(rect.top),
                    static_cast<int>(rect.right()), static_cast<int>(rect.bottom()));
}

}  // namespace

TEST_CASE("all panels are there on both themes and at two sizes", "[slow]") {
    const Theme theme = GENERATE(Theme::Dark, Theme::Light);
    const float scale = GENERATE(1.f, 2.f);
    const int factor = static_cast<int>(scale);
    GalleryOnScreen gallery("elasto_gap", 1600 * factor, 900 * factor, scale, theme, 400);
    gallery.frames();
    const std::string name =
        std::string("panels_") + (theme == Theme::Dark ? "dark" : "light") + "_" + std::to_string(factor);
    const view::Image image = gallery.screen.picture(name);
    const Palette& palette = paletteOf(theme);
    const Layout& layout = gallery.workspace.layout();
    for (const Rect& rect :
         {layout.demos, layout.parameters, layout.plots, layout.analysis, layout.timeline, layout.status}) {
        REQUIRE(rect.isShown());
        CHECK(inRect(image, palette.panel, rect) > 0.3 * static_cast<double>(rect.width * rect.height) * 0.3);
        CHECK(inRect(image, palette.text, rect) > 50 * factor);
    }
    // Curves in the plots, branches in the map of the law, the cursor in the timeline.
    for (const std::size_t curve : {0u, 1u, 2u})
        CHECK(inRect(image, palette.curves[curve], layout.plots) > 150 * factor);
    CHECK(inRect(image, palette.cursor, layout.timeline) > 30 * factor);
    CHECK(inRect(image, palette.cursor, layout.analysis) > 20 * factor);
}

TEST_CASE("each analysis draws the scene it is made for", "[slow]") {
    const auto [analysis, scene, name] = GENERATE(table<Analysis, std::string, std::string>({
        {Analysis::Oscilloscope, "elasto_gap", "oscilloscope"},
        {Analysis::Law, "elasto_gap", "law_gap"},
        {Analysis::Law, "backlash", "law_backlash"},
        {Analysis::Law, "suspension", "law_plain"},
        {Analysis::Loop, "elasto_gap", "loop"},
        {Analysis::Comparison, "elasto_gap", "comparison"},
    }));
    GalleryOnScreen gallery(scene, 1600, 900, 1, Theme::Dark, 0);
    gallery.settings.analysis = analysis;
    gallery.settings.rightShare = 0.2;
    const Palette& palette = paletteOf(Theme::Dark);
    std::vector<ComparisonRow> rows = {
        {"Elasto", "The element inside the tick", 2.3e-7, palette.curves[0]},
        {"Explicit force", "The force at the tick's start", 0.35, palette.curves[1]},
        {"6-dof limit with ERP and CFM", "btGeneric6DofSpring2Constraint", 0.04, palette.curves[3]},
        {"6-dof limit with restitution", "btGeneric6DofSpring2Constraint", std::nan(""), palette.curves[5]}};
    gallery.input.comparison = rows;
    gallery.input.comparisonText = "NRMSE of mass2.s against CVODE up to now.";
    gallery.frames(1);
    for (int i = 0; i < 500; ++i) {
        gallery.session.step();
        if (i % 4 == 0) gallery.frames(1);
    }
    gallery.frames(2);
    const view::Image image = gallery.screen.picture("analysis_" + name);
    CHECK(inRect(image, palette.text, gallery.workspace.layout().analysis) > 40);
    CHECK(inRect(image, palette.curves[0], gallery.workspace.layout().analysis) > 30);
}

TEST_CASE("help, settings and trouble lie over the panels", "[slow]") {
    GalleryOnScreen gallery("elasto_gap", 1600, 900, 1, Theme::Dark, 100);
    const Palette& palette = paletteOf(Theme::Dark);
    CHECK(gallery.workspace.perform(Action::Help, gallery.session));
    gallery.frames();
    view::Image image = gallery.screen.picture("help");
    CHECK(pixelsOf(image, palette.text, 400, 100, 1200, 800) > 3000);
    CHECK(gallery.workspace.hasTopLayer(gallery.session));
    CHECK(gallery.workspace.perform(Action::CloseTop, gallery.session));
    CHECK_FALSE(gallery.workspace.hasTopLayer(gallery.session));
}

TEST_CASE("the dialog of files shows what is in a folder, and the tour's cards stand above the view", "[slow]") {
    GalleryOnScreen gallery("elasto_gap", 1600, 900, 1, Theme::Dark, 100);
    const Palette& palette = paletteOf(Theme::Dark);
    gallery.settings.recentFiles = {"/home/user/scenes/my_arm.urdf", "/home/user/scenes/door.json"};
    const std::string folder = ELASTO_SOURCE_DIR "/assets/scenes/";
    gallery.workspace.files().open(FileDialog::Purpose::Open, folder);
    gallery.frames(6);
    view::Image image = gallery.screen.picture("open");
    CHECK(pixelsOf(image, palette.text, 500, 200, 1100, 700) > 1500);  // scenes
    CHECK(pixelsOf(image, palette.accent, 500, 200, 1100, 700) > 40);  // folders
    gallery.workspace.files().open(FileDialog::Purpose::Save, folder + "mine.json", "It cannot be written there.");
    gallery.frames(6);
    image = gallery.screen.picture("save");
    CHECK(pixelsOf(image, palette.warning, 500, 200, 1100, 700) > 50);
    gallery.workspace.files().close();
    gallery.workspace.tour().start();
    gallery.frames(6);
    const Rect view = gallery.workspace.view();
    CHECK(view.top > 60);
    image = gallery.screen.picture("tour");
    CHECK(pixelsOf(image, palette.text, static_cast<int>(view.left), 0, static_cast<int>(view.right()),
                   static_cast<int>(view.top)) > 500);
    gallery.workspace.tour().close();
    CHECK(gallery.workspace.perform(Action::NextPanel, gallery.session));
    CHECK(gallery.workspace.perform(Action::NextPanel, gallery.session));
    gallery.frames(6);
    image = gallery.screen.picture("keyboard");
    const Rect panel = gallery.workspace.layout().parameters;  // its first item is framed
    CHECK(pixelsOf(image, palette.accent, static_cast<int>(panel.left), static_cast<int>(panel.top),
                   static_cast<int>(panel.right()), static_cast<int>(panel.bottom())) > 50);
}
