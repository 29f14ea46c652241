// Every demo says what to look at and what to press, opens, runs and fills a picture.

#include "gallery/stage.h"
#include "panels/energy_gauge.h"
#include "panels/signals.h"
#include "play/stop_place.h"
#include "view/pick.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <variant>

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

TEST_CASE("every demo runs for two seconds and its picture holds its elements", "[slow]") {
    for (const Demo& demo : demos()) {
        INFO(demo.name);
        Stage stage(demo);
        if (demo.guests) {
            CHECK(stage.session().world().guests().size() == 1);
        }
        REQUIRE(stage.selected() >= 0);
        CHECK(stage.session().elements()[static_cast<std::size_t>(stage.selected())].name == demo.selected);
        view::Picture picture;
        std::vector<Label> labels;
        for (int frame = 0; frame < 120; ++frame) stage.pass(1.0 / 60);
        stage.draw({.labels = true}, picture, labels);
        CHECK_FALSE(stage.session().trouble());
        CHECK(stage.session().tick() > 0);
        std::size_t drawn = 0;
        for (const play::PlayedElement& element : stage.session().elements()) {
            // All joints have a label.
            drawn += element.animation.animation || element.place != play::PlayedElement::Place::Scene ? 1 : 0;
        }
        CHECK(labels.size() >= drawn);
        CHECK(picture.planes.size() == 1);
        const Eigen::AlignedBox3f box = view::bounds(picture);
        CHECK(box.min().allFinite());
        CHECK(box.max().allFinite());
        if (!demo.followed.empty()) continue;  // its size is that of what moves
        CHECK(static_cast<double>(box.diagonal().norm()) < 6 * stage.drawing().size());
    }
}

TEST_CASE("no element of a demo that nobody has touched makes energy", "[slow]") {
    for (const Demo& demo : demos()) {
        INFO(demo.name);
        Stage stage(demo);
        panels::Signals signals;
        bool isGood = true;
        for (int frame = 0; frame < 480 && isGood; ++frame) {
            stage.pass(1.0 / 60);
            signals.update(stage.session());
            const panels::EnergyVerdict verdict = panels::judge(signals.energy(stage.session()));
            isGood = verdict.isRounding() || verdict.isBullets();
            INFO(stage.session().time() << " s: " << verdict.own << " J of " << verdict.size << " J");
            CHECK(isGood);
        }
    }
}

TEST_CASE("guests of demos go back in time with their scene, and come again after a restart", "[slow]") {
    int guests = 0;
    for (const Demo& demo : demos()) {
        if (!demo.guests) continue;
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
        for (const std::string& message :
             stage.session().messages()) {  // a foot that is not swept is found in the floor
            CAPTURE(message);
            CHECK(message.find(" approximate, by ") != std::string::npos);
        }
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

TEST_CASE("links of a robot are picked, and a click on one selects the element of its joint") {
    Stage stage(*findDemo("six_axis_arm"));
    const play::Session& session = stage.session();
    for (int frame = 0; frame < 30; ++frame) stage.pass(1.0 / 60);
    view::Picture picture;
    std::vector<Label> labels;
    stage.draw({}, picture, labels);
    int links = 0;
    for (std::size_t i = session.world().bodies(); i < session.bodies(); ++i) {
        if (!session.isMovedByForces(static_cast<int>(i)) || session.bodyName(static_cast<int>(i)) == "tip") continue;
        INFO(session.bodyName(static_cast<int>(i)));
        // From far above the link's own middle, or from its side where another one is above it.
        const Eigen::Vector3f middle = session.sample().bodies[i].position.cast<float>();
        bool isSeen = false;
        for (const Eigen::Vector3f& side :
             {Eigen::Vector3f(0, 1, 0), Eigen::Vector3f(0, 0, 1), Eigen::Vector3f(1, 0, 0), Eigen::Vector3f(0, 0, -1),
              Eigen::Vector3f(-1, 0, 0)}) {
            const auto hit = view::pick(picture, {.origin = middle + 5 * side, .direction = -side}, 0);
            isSeen = isSeen || (hit && bodyOfId(hit->id) == static_cast<int>(i));
        }
        CHECK(isSeen);
        stage.selectElementOf(static_cast<int>(i));
        const play::PlayedElement& selected = session.elements()[static_cast<std::size_t>(stage.selected())];
        CHECK(selected.body == static_cast<int>(i));
        CHECK(std::holds_alternative<ElastoBacklashLaw>(selected.law));
        ++links;
    }
    CHECK(links == 6);
    // Couplings are picked as their elements.
    std::set<int> elements;
    for (const view::Gear& gear : picture.gears) elements.insert(elementOfId(gear.surface.id));
    for (const view::Hull& hull : picture.hulls) elements.insert(elementOfId(hull.surface.id));
    CHECK(elements.size() == 6);
}

TEST_CASE("what robots did on a branch that was left stays as a ghost") {
    for (const char* name : {"six_axis_arm", "hopping_leg", "gear_pairs"}) {
        INFO(name);
        Stage stage(*findDemo(name));
        view::Picture picture;
        std::vector<Label> labels;
        const auto paleOnes = [&] {
            stage.draw({}, picture, labels);
            const auto count = [](const auto& objects) {
                return std::count_if(objects.begin(), objects.end(),
                                     [](const auto& object) { return object.surface.opacity == 0.28F; });
            };
            return count(picture.cylinders) + count(picture.capsules) + count(picture.gears);
        };
        for (int frame = 0; frame < 30; ++frame) stage.pass(1.0 / 60);
        CHECK(paleOnes() == 0);
        stage.seek(60);
        const int element = stage.selected();
        stage.session().setParameter(element, "c", 2 * stage.session().parameter(element, "c"));
        for (int frame = 0; frame < 10; ++frame) stage.pass(1.0 / 60);
        REQUIRE(stage.session().ghosts().size() == 1);
        CHECK(paleOnes() >= 3);
        for (const view::Capsule& capsule : picture.capsules) {
            if (capsule.surface.opacity < 1) CHECK(capsule.surface.id == -1);
        }
    }
}

TEST_CASE("slow motion shows what lies inside a tick") {
    Stage stage(*findDemo("stiff_stop"));
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

TEST_CASE("where something is hit time slows down by itself, and goes on as fast as before") {
    Stage stage(*findDemo("stiff_stop"));
    stage.lookInside(true);
    const double h = stage.session().tickLength();
    double largest = 0, time = 0;
    int inside = 0, impacts = 0;
    bool wasInside = false;
    for (int frame = 0; frame < 600; ++frame) {  // 10 s on the clock
        stage.pass(1.0 / 60);
        CHECK(stage.shownTime() >= time);
        time = stage.shownTime();
        const bool isInside = stage.shownSpeed() < 1;
        if (isInside) {
            ++inside;
            impacts += wasInside ? 0 : 1;
            CHECK(stage.shownSpeed() == Approx(h / 1.5));
            largest = std::max(largest, -stage.moment().elements[0].sample.force.f);
        }
        wasInside = isInside;
    }
    // The peak lies inside the tick: at its ends the ball is off the stop.
    CHECK(largest > 0.95 * std::sqrt(2 * 9.80665 * 0.3) * std::sqrt(605520.0 * 0.2));
    CHECK(impacts >= 3);
    CHECK(inside == Approx(90 * impacts).margin(90));
    CHECK(time == Approx(10 - 1.5 * impacts).margin(1.6));
    // Where nothing is slowed down all of it passes.
    Stage plain(*findDemo("stiff_stop"));
    for (int frame = 0; frame < 600; ++frame) plain.pass(1.0 / 60);
    CHECK(plain.session().time() == Approx(10).margin(0.1));
    CHECK(plain.session().history().value(100, 0, play::Quantity::S) ==
          stage.session().history().value(100, 0, play::Quantity::S));
}

namespace {

/// A demo's scene at a tick rate, after a time [s].
std::unique_ptr<play::Session> played(const char* demo, double rate, double time) {
    auto session = std::make_unique<play::Session>(Stage(*findDemo(demo)).session().scene(),
                                                   play::SessionOptions{.rate = rate, .balls = 0});
    while (session->time() < time - 0.5 / rate) session->step();
    return session;
}

Eigen::Vector3d placeOf(const play::Session& session, const std::string& body) {
    for (std::size_t i = 0; i < session.bodies(); ++i) {
        if (session.bodyName(static_cast<int>(i)) == body) return session.sample().bodies[i].position;
    }
    throw std::out_of_range(body);
}

double forceOf(const play::Session& session, const std::string& element) {
    for (std::size_t i = 0; i < session.elements().size(); ++i) {
        if (session.elements()[i].name == element) return session.sample().elements[i].force.f;
    }
    throw std::out_of_range(element);
}

}  // namespace

TEST_CASE("the pinball flies the same way at 240 and at 1000 Hz until it meets a flipper") {
    const auto coarse = played("pinball", 240, 2.3);
    const auto fine = played("pinball", 1000, 2.3);
    const Eigen::Vector3d ball = placeOf(*fine, "ball");
    CHECK((placeOf(*coarse, "ball") - ball).norm() < 0.005);  // after two bumpers
    CHECK(ball.x() < 0.19);                                   // it came out of its lane, round the corner
    CHECK(ball.z() < 0.8);
    // What drains rolls back to the plunger.
    const auto later = played("pinball", 240, 12);
    CHECK(placeOf(*later, "ball").x() == Approx(0.225).margin(0.01));
    CHECK(placeOf(*later, "ball").z() > 0.9);
}

TEST_CASE("soft fingers hold the egg with 6 N, stiff ones crush it, and both put it back") {
    for (const double rate : {60., 240.}) {
        CAPTURE(rate);
        const auto held = played("egg_picker", rate, 3);
        CHECK(placeOf(*held, "softEgg").y() == Approx(0.068 + 0.12).margin(0.003));
        CHECK(placeOf(*held, "stiffEgg").y() == Approx(0.068 + 0.12).margin(0.003));
        CHECK(forceOf(*held, "softLeft") == Approx(-6).epsilon(0.01));
        CHECK(forceOf(*held, "stiffLeft") == Approx(-800).epsilon(0.01));
        const auto back = played("egg_picker", rate, 6);
        CHECK(placeOf(*back, "softEgg").y() == Approx(0.068).margin(0.001));
        CHECK(forceOf(*back, "softLeft") == Approx(0).margin(0.01));
    }
}

TEST_CASE("friction takes most of the bushing's swing at once, then it rings as the spring does") {
    const auto session = played("mounts", 240, 0);
    // Peak to peak in a quarter of a second [m].
    const auto swing = [&](const char* body, double from) {
        double low = 1, high = 0;
        const auto index = [&] {
            for (std::size_t i = 0;; ++i) {
                if (session->bodyName(static_cast<int>(i)) == body) return i;
            }
        }();
        for (auto tick = std::lround(240 * from); tick <= std::lround(240 * (from + 0.25)); ++tick) {
            const double y = static_cast<double>(session->history().pose(tick, index).position.y());
            low = std::min(low, y);
            high = std::max(high, y);
        }
        return high - low;
    };
    while (session->time() < 4) REQUIRE(session->step());
    CHECK(swing("onBushing", 0) > 1.8 * swing("onSpring", 0));
    CHECK(swing("onBushing", 1) > 0.05);
    CHECK(swing("onBushing", 1.25) < 0.013);
    for (const double time : {2., 3., 3.5}) {
        CHECK(swing("onBushing", time) > 0.003);
        CHECK(swing("onBushing", time) == Approx(swing("onSpring", time)).epsilon(0.1));
    }
}

TEST_CASE("the car's stops take the blows of kerbs, and do not touch on the road") {
    const auto session = played("car_over_kerbs", 240, 0);
    const int stop = 4;
    REQUIRE(session->elements()[stop].name == "rearLeftStop");
    double first = 0, all = 0, lowest = 1;
    while (session->time() < 8) {
        REQUIRE(session->step());
        for (std::size_t i = stop; i < 8; ++i) {
            const double force = -session->sample().elements[i].force.f;
            all = std::max(all, force);
            if (session->time() < 0.5) first = std::max(first, force);
        }
        lowest = std::min(lowest, placeOf(*session, "chassis").y());
    }
    CHECK(first == 0);
    CHECK(all > 1500);
    CHECK(lowest > 0.5);
    CHECK(placeOf(*session, "chassis").x() > 25);
    CHECK(std::abs(placeOf(*session, "chassis").z()) < 1.5);  // kerbs that it takes with one side turn it
}

TEST_CASE("a view that follows keeps its body where it was, and the home view finds it again") {
    Stage stage(*findDemo("car_over_kerbs"));
    const auto seen = [&] {
        return stage.camera().project(placeOf(stage.session(), "chassis").cast<float>(), 960, 540);
    };
    const auto before = seen();
    REQUIRE(before);
    for (int frame = 0; frame < 90; ++frame) stage.pass(1.0 / 60);
    REQUIRE(seen());
    CHECK((*seen() - *before).norm() < 2);
    stage.follow(std::nullopt);
    for (int frame = 0; frame < 60; ++frame) stage.pass(1.0 / 60);
    CHECK((!seen() || (*seen() - *before).norm() > 100));
    stage.goHome();
    REQUIRE(seen());
    CHECK((*seen() - *before).norm() < 2);
}

TEST_CASE("a demo that comes to rest begins again as long as nobody touches it") {
    Stage stage(*findDemo("elasto_gap"));
    const long end = 6 * 240;
    CHECK(stage.startsOverAt() == 6.);
    for (int frame = 0; frame < 359; ++frame) stage.pass(1.0 / 60);
    CHECK(stage.session().tick() == end - 4);
    for (int frame = 0; frame < 11; ++frame) stage.pass(1.0 / 60);
    CHECK(stage.session().tick() == 10 * 4);
    CHECK(stage.session().ghosts().empty());
    // What somebody does stays.
    stage.session().setParameter(0, "c", 20);
    CHECK_FALSE(stage.startsOverAt());
    for (int frame = 0; frame < 400; ++frame) stage.pass(1.0 / 60);
    CHECK(stage.session().tick() == 410 * 4);
    CHECK(stage.session().parameter(0, "c") == 20);
}

TEST_CASE("a stop that is placed acts from then on, and what was before stays bit for bit") {
    Stage stage(*findDemo("door"));
    for (int frame = 0; frame < 20; ++frame) stage.pass(1.0 / 60);
    stage.session().setParameter(0, "c", 25000);
    for (int frame = 0; frame < 10; ++frame) stage.pass(1.0 / 60);
    const long now = stage.session().tick();
    REQUIRE(now > 60);
    const Scene& scene = stage.session().scene();
    const auto ball = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                   [](const SceneBody& body) { return body.name == "ball"; });
    REQUIRE(ball != scene.bodies.end());
    const auto body = static_cast<int>(ball - scene.bodies.begin());
    const Scene present = stage.session().presentScene();
    const Eigen::Vector3d at = present.bodies[static_cast<std::size_t>(body)].position;
    CHECK((at - ball->position).norm() > 1e-3);
    // A wall half a metre behind the ball.
    const Eigen::Vector3d ahead = stage.session().sample().bodies[static_cast<std::size_t>(body)].velocity.normalized();
    const play::Face face{.body = kWorld, .point = at + 0.5 * ahead, .normal = -ahead};
    const std::unique_ptr<Stage> next = stage.withElement(play::stopBefore(present, body, face));
    const play::Session& session = next->session();
    CHECK(session.tick() == now);
    CHECK(session.scene().elements.size() == scene.elements.size() + 1);
    CHECK(session.isEnabled(static_cast<int>(scene.elements.size())));
    CHECK(session.parameter(0, "c") == 25000);
    CHECK(session.startParameter(0, "c") == stage.session().startParameter(0, "c"));
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        INFO(scene.bodies[i].name);
        CHECK(session.sample().bodies[i].position == stage.session().sample().bodies[i].position);
        CHECK(session.sample().bodies[i].velocity == stage.session().sample().bodies[i].velocity);
    }
    // It is what has been placed: far in the past it does not act.
    CHECK(session.history().element(now / 2, scene.elements.size()).force.f == 0);
    next->seek(now / 2);
    CHECK(next->session().bitsAreThoseOfTheFirstPass());
    CHECK_FALSE(next->session().isEnabled(static_cast<int>(scene.elements.size())));
    // From the start on it acts when the run starts again.
    next->seek(now);
    next->restart();
    CHECK(next->session().isEnabled(static_cast<int>(scene.elements.size())));
    CHECK(next->session().ghosts().size() == 1);
}

TEST_CASE("a stop that is placed among robots leaves the edits of theirs where they were") {
    const std::unique_ptr<Stage> stage = Stage::ofRobot("pushers", std::nullopt);
    play::Session& session = stage->session();
    const std::size_t own = session.scene().elements.size();
    REQUIRE(session.elements().size() > own);
    const auto guest = static_cast<int>(session.elements().size()) - 1;
    const std::string symbol = play::parametersOf(session.elements().back()).front().symbol;
    const double wanted = 1.5 * session.parameter(guest, symbol);
    for (int frame = 0; frame < 5; ++frame) stage->pass(1.0 / 60);
    session.setParameter(guest, symbol, wanted);
    for (int frame = 0; frame < 5; ++frame) stage->pass(1.0 / 60);
    const Scene present = session.presentScene();
    const auto moving = std::find_if(present.bodies.begin(), present.bodies.end(),
                                     [](const SceneBody& body) { return body.motion == BodyMotion::Dynamic; });
    REQUIRE(moving != present.bodies.end());
    const play::Face face{.point = moving->position - Eigen::Vector3d::UnitY(), .normal = Eigen::Vector3d::UnitY()};
    const auto body = static_cast<int>(moving - present.bodies.begin());
    const std::unique_ptr<Stage> next = stage->withElement(play::stopBefore(present, body, face));
    CHECK(next->session().elements()[own].name == "stop");
    CHECK(next->session().parameter(guest + 1, symbol) == wanted);
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
