// Every demo as a picture: what is said to be there is there, in its colours and where it belongs.

#include "gallery/gallery.h"
#include "play/recording.h"
#include "view/context.h"

#include <catch2/catch.hpp>

#include <array>
#include <cmath>

using namespace elasto;
using namespace elasto::gallery;

namespace {

constexpr int kWidth = 960;
constexpr int kHeight = 540;

using Pixel = std::array<std::uint8_t, 4>;

/// One context for all tests: Dear ImGui's back end keeps OpenGL's functions of the first one.
const view::Context& context() {
    static const view::Context theContext;
    return theContext;
}

/// A gallery without a window and what it draws into.
class Studio {
public:
    explicit Studio(const std::string& demo, bool panels = false) : m_gallery(optionsOf(demo, panels), {}, nullptr) {}

    Gallery& gallery() { return m_gallery; }
    /// Lets real time pass and draws.
    view::Image draw(int frames) {
        for (int i = 0; i < frames; ++i) m_gallery.stage().pass(1.0 / 60);
        m_gallery.layOut(kWidth, kHeight);
        m_gallery.frame(0, m_canvas.framebuffer(), kWidth, kHeight);
        return m_canvas.read();
    }
    /// Where a point of the world is in the picture [pixel].
    Eigen::Vector2i pixel(const Eigen::Vector3f& point) {
        const FreeArea area = m_gallery.viewArea();
        const auto at =
            m_gallery.stage().camera().project(point, static_cast<int>(area.width()), static_cast<int>(area.height()));
        if (!at || !(at->cwiseAbs().maxCoeff() < 1e6F)) return {-1, -1};  // nowhere in the picture
        return {static_cast<int>(at->x() + area.left), static_cast<int>(at->y() + area.top)};
    }

private:
    static Options optionsOf(const std::string& demo, bool panels) {
        context();
        Options options;
        options.mode = Options::Mode::Headless;
        options.demo = demo;
        options.width = kWidth;
        options.height = kHeight;
        options.panels = panels;
        options.multisampling = false;
        return options;
    }

    Gallery m_gallery;
    view::Target m_canvas{kWidth, kHeight, 1};
};

bool isInside(const Eigen::Vector2i& at) {
    return at.x() >= 3 && at.y() >= 3 && at.x() < kWidth - 3 && at.y() < kHeight - 3;
}

/// Hue of a colour as direction in the plane across grey; zero for greys.
Eigen::Vector2d hue(double red, double green, double blue) {
    return {red - (green + blue) / 2, (green - blue) * std::sqrt(3.0) / 2};
}

/// Pixels near a place that have the hue of a colour.
int pixelsOf(const view::Image& image, const Eigen::Vector2i& at, int reach, const view::Color& color) {
    const Eigen::Vector2d wanted = hue(color.red, color.green, color.blue).normalized();
    int found = 0;
    for (int y = std::max(0, at.y() - reach); y <= std::min(kHeight - 1, at.y() + reach); ++y) {
        for (int x = std::max(0, at.x() - reach); x <= std::min(kWidth - 1, at.x() + reach); ++x) {
            const Pixel p = image.pixel(x, y);
            const Eigen::Vector2d here = hue(p[0], p[1], p[2]) / 255;
            if (here.norm() > 0.05 && here.normalized().dot(wanted) > 0.9) ++found;
        }
    }
    return found;
}

bool isColored(const view::Color& color) {
    return hue(color.red, color.green, color.blue).norm() > 0.1;
}

}  // namespace

TEST_CASE("in every demo's picture its bodies and springs are where they belong, in their colours") {
    for (const Demo& demo : demos()) {
        INFO(demo.name);
        Studio studio(demo.name);
        studio.gallery().workspace().select(-1);
        studio.gallery().settings().forces = false;
        studio.gallery().stage().select(-1);
        const view::Image image = studio.draw(std::min(demo.pictureFrames, 60));
        const view::Picture& picture = studio.gallery().picture();
        int seen = 0;
        int objects = 0;
        const auto look = [&](const Eigen::Vector3f& at, const view::Surface& surface, int reach) {
            const Eigen::Vector2i place = studio.pixel(at);
            if (!isInside(place) || !isColored(surface.color) || surface.opacity < 1) return;
            ++objects;
            if (pixelsOf(image, place, reach, surface.color) > 2) ++seen;
        };
        for (const view::Box& box : picture.boxes) look(box.pose.position, box.surface, 8);
        for (const view::Sphere& sphere : picture.spheres) look(sphere.pose.position, sphere.surface, 8);
        for (const view::Cylinder& cylinder : picture.cylinders) {
            look((cylinder.a + cylinder.b) / 2, cylinder.surface, 12);
        }
        for (const view::Capsule& capsule : picture.capsules) look((capsule.a + capsule.b) / 2, capsule.surface, 8);
        // A wire is thin: somewhere around the middle of the coil it passes.
        for (const view::Spring& spring : picture.springs) look((spring.a + spring.b) / 2, spring.surface, 24);
        CHECK(objects >= 1);
        // Some hide behind others: wheels behind wheels, boxes behind boxes.
        CHECK(2 * seen >= objects);
        CHECK(picture.springs.size() + picture.stopFaces.size() + picture.gears.size() + picture.hulls.size() > 0);
    }
}

TEST_CASE("the panels are there, and the view between them") {
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

TEST_CASE("a spring is drawn longer when it is stretched") {
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

TEST_CASE("a stop glows while it is in contact and not before") {
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

TEST_CASE("the mouse picks a body, pulls it with a spring and lets it go") {
    Studio studio("elasto_gap");
    Gallery& gallery = studio.gallery();
    studio.draw(0);
    Stage& stage = gallery.stage();
    stage.setPlaying(false);
    const Eigen::Vector2i at = studio.pixel(stage.moment().bodies[1].position.cast<float>());
    Mouse mouse;
    MouseState state{.x = static_cast<float>(at.x()), .y = static_cast<float>(at.y())};
    mouse.update(state, gallery.viewArea(), gallery.picture(), stage);
    CHECK(mouse.hoveredBody() == 1);
    state.left = true;
    mouse.update(state, gallery.viewArea(), gallery.picture(), stage);
    REQUIRE(stage.session().drag());
    CHECK(stage.session().drag()->body == 1);
    state.x -= 80;
    state.y -= 60;
    mouse.update(state, gallery.viewArea(), gallery.picture(), stage);
    CHECK(stage.session().drag()->target.y() > stage.moment().bodies[1].position.y() + 0.1);
    stage.setPlaying(true);
    const double before = stage.moment().bodies[1].position.y();
    for (int i = 0; i < 40; ++i) stage.pass(1.0 / 60);
    CHECK(stage.moment().bodies[1].position.y() > before + 0.05);
    state.left = false;
    mouse.update(state, gallery.viewArea(), gallery.picture(), stage);
    CHECK_FALSE(stage.session().drag());
    // Back, and on the same way: the drag is part of the run.
    stage.seek(10);
    CHECK(stage.session().bitsAreThoseOfTheFirstPass());
}

TEST_CASE("a file that is dropped on the window is shown, or the demo stays and it is said why") {
    Studio studio("stiff_stop");
    studio.draw(1);
    studio.gallery().openFile("/no/such/file.elrec");
    CHECK(studio.gallery().stage().demo().name == "stiff_stop");
    CHECK_FALSE(studio.gallery().workspace().notices().empty());
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "stiff_stop_7.elrec";
    play::saveRecording(play::recordingOf(studio.gallery().stage().session()), file);
    studio.gallery().openFile(file);
    std::filesystem::remove(file);
    const Stage& stage = studio.gallery().stage();
    CHECK(stage.demo().name == "stiff_stop");  // which it was made in
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

TEST_CASE("rivals stand beside the run and their errors are known") {
    Studio studio("comparison");
    studio.draw(60);
    const auto& errors = studio.gallery().comparison().errors();
    REQUIRE(errors[0]);
    CHECK(*errors[0] < 1e-6);
    for (std::size_t i = 1; i < errors.size(); ++i) {
        INFO(i);
        REQUIRE(errors[i]);
        CHECK((std::isinf(*errors[i]) || *errors[i] > 0.001));
    }
}
