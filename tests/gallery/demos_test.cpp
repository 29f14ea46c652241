// Every demo says what to look at and what to press, opens, runs and fills a picture.

#include "gallery/stage.h"

#include <catch2/catch.hpp>

#include <set>

using namespace elasto;
using namespace elasto::gallery;

TEST_CASE("demos have names of their own and say what to look at and what to press") {
    CHECK(demos().size() >= 17);
    std::set<std::string> names;
    std::set<int> places;
    for (const Demo& demo : demos()) {
        INFO(demo.name);
        CHECK(names.insert(demo.name).second);
        CHECK(places.insert(demo.place).second);
        CHECK(demo.title.size() > 5);
        CHECK(demo.look.size() > 40);
        CHECK(demo.press.size() > 20);
        CHECK_FALSE(demo.group.empty());
        CHECK(findDemo(demo.name) == &demo);
    }
    CHECK(findDemo("no_such_demo") == nullptr);
}

TEST_CASE("every demo runs for two seconds and its picture holds its elements") {
    for (const Demo& demo : demos()) {
        INFO(demo.name);
        Stage stage(demo);
        if (demo.guest) {
            CHECK(stage.session().world().guests().size() == 1);
        } else {
            REQUIRE(stage.selected() >= 0);
            CHECK(stage.session().scene().elements[static_cast<std::size_t>(stage.selected())].name == demo.selected);
        }
        view::Picture picture;
        std::vector<Label> labels;
        for (int frame = 0; frame < 120; ++frame) stage.pass(1.0 / 60);
        stage.draw({.labels = true}, picture, labels);
        CHECK_FALSE(stage.session().trouble());
        CHECK(stage.session().tick() > 0);
        std::size_t drawn = 0;
        for (const SceneElement& element : stage.session().scene().elements)
            drawn += element.animation.animation ? 1 : 0;
        CHECK(labels.size() >= drawn);
        CHECK(picture.planes.size() == 1);
        const Eigen::AlignedBox3f box = view::bounds(picture);
        CHECK(box.min().allFinite());
        CHECK(box.max().allFinite());
        CHECK(static_cast<double>(box.diagonal().norm()) < 6 * stage.drawing().size());
    }
}

TEST_CASE("guests of demos go back in time with their scene, and come again after a restart") {
    int guests = 0;
    for (const Demo& demo : demos()) {
        if (!demo.guest) continue;
        INFO(demo.name);
        ++guests;
        Stage stage(demo);
        view::Picture picture;
        std::vector<Label> labels;
        const auto seen = [&] {
            stage.draw({}, picture, labels);
            std::vector<Eigen::Vector3f> places;
            for (const view::Capsule& capsule : picture.capsules) places.push_back(capsule.a);
            for (const view::Cylinder& cylinder : picture.cylinders) places.push_back(cylinder.b);
            for (const view::Gear& gear : picture.gears) places.push_back(gear.pose.orientation.vec());
            return places;
        };
        const auto start = seen();
        CHECK(start.size() > 2);
        for (int frame = 0; frame < 120; ++frame) stage.pass(1.0 / 60);
        const long end = stage.session().tick();
        const auto later = seen();
        CHECK(later != start);
        CHECK(stage.session().messages().empty());
        stage.seek(end / 3);
        CHECK(stage.session().bitsAreThoseOfTheFirstPass());
        CHECK(seen() != later);
        stage.seek(end);
        CHECK(stage.session().bitsAreThoseOfTheFirstPass());
        CHECK(seen() == later);
        CHECK(stage.session().snapshots().refusal.empty());
        stage.restart();
        CHECK(seen() == start);
    }
    CHECK(guests == 3);
}

TEST_CASE("slow motion shows what lies inside a tick") {
    Stage stage(*findDemo("comparison"));
    while (stage.session().history().value(stage.session().tick(), 0, play::Quantity::MeanForce) == 0) {
        stage.pass(1.0 / 60);
        REQUIRE(stage.session().time() < 1);
    }
    // The tick of the impact, in 200 steps: the force rises and falls in it, and the ball turns round.
    const long tick = stage.session().tick();
    const double h = stage.session().tickLength();
    double largest = 0;
    double lowest = 1;
    for (int i = 1; i <= 200; ++i) {
        stage.seekTime((static_cast<double>(tick) - 1 + i / 200.0) * h);
        CHECK(stage.session().tick() == tick);
        largest = std::max(largest, -stage.moment().elements[0].sample.force.f);
        lowest = std::min(lowest, stage.moment().bodies[0].position.y());
    }
    // Half a period of sqrt(c / m) at 2.4261 m/s: the peak is v sqrt(c m), the depth v sqrt(m / c).
    const double v = std::sqrt(2 * 9.80665 * 0.3);
    CHECK(largest == Approx(v * std::sqrt(605520.0 * 0.2)).epsilon(0.02));
    CHECK(0.05 - lowest == Approx(v * std::sqrt(0.2 / 605520.0)).epsilon(0.02));
}

TEST_CASE("time stops, goes back and on") {
    Stage stage(*findDemo("elasto_gap"));
    for (int frame = 0; frame < 60; ++frame) stage.pass(1.0 / 60);
    const long tick = stage.session().tick();
    CHECK(tick == 240);
    stage.setPlaying(false);
    CHECK(stage.pass(1) == 0);
    stage.stepBack();
    CHECK(stage.session().tick() == tick - 1);
    stage.stepForward();
    stage.stepForward();
    CHECK(stage.session().tick() == tick + 1);
    CHECK(stage.session().bitsAreThoseOfTheFirstPass());
    stage.restart(60.0);
    CHECK(stage.session().tick() == 0);
    CHECK(stage.session().rate() == 60);
}
