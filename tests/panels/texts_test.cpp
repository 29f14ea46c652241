#include <panels/comparison_panel.h>
#include <panels/context.h>
#include <panels/demo_list.h>
#include <panels/energy_gauge.h>
#include <panels/layout.h>
#include <panels/loop_panel.h>
#include <panels/oscilloscope_panel.h>
#include <panels/status_bar.h>
#include <panels/timeline_bar.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace elasto;
using namespace elasto::panels;

TEST_CASE("demos are found by any of their words") {
    const DemoEntry demo{"gap", "ElastoGap between walls", "A mass bounces", "Pull it", "Elements"};
    CHECK(matches(demo, ""));
    CHECK(matches(demo, "WALL"));
    CHECK(matches(demo, "bounces  gap"));
    CHECK(matches(demo, "elements pull"));
    CHECK_FALSE(matches(demo, "gap cradle"));
    const std::vector<DemoEntry> demos = {
        {"egg", "Fingers that pick up an egg", "A stop too stiff for its tick would break it", "", ""},
        {"finger_limit", "A joint limit too stiff for its tick", "", "", ""},
        {"gap", "A gap", "", "", ""},
        {"gear", "Gear", "", "", ""},
        {"gear_box", "Gear box", "", "", ""}};
    CHECK(bestMatch(demos, "too stiff") == 1);
    CHECK(bestMatch(demos, "stiff limit") == 1);
    CHECK(bestMatch(demos, "break") == 0);
    CHECK(bestMatch(demos, "gear box ") == 4);
    CHECK(bestMatch(demos, "gear") == 3);
    CHECK(bestMatch(demos, "gear_b") == 4);
    CHECK(bestMatch(demos, "nothing") == -1);
    CHECK(neighbour(0, -1, 4) == 3);
    CHECK(neighbour(3, 1, 4) == 0);
    CHECK(neighbour(-1, 1, 4) == 0);
    CHECK(neighbour(0, 1, 0) == -1);
}

TEST_CASE("speeds go in steps to 1/1000 and 4") {
    CHECK(slower(1) == 0.5);
    CHECK(faster(1) == 2);
    CHECK(faster(4) == 4);
    CHECK(slower(0.001) == 0.001);
    CHECK(slower(0.3) == 0.2);
    double speed = 4;
    for (int i = 0; i < 20; ++i) speed = slower(speed);
    CHECK(speed == 0.001);
    CHECK(speedText(1) == "1\u00d7");
    CHECK(speedText(0.001) == "1/1000\u00d7");
    CHECK(speedText(4) == "4\u00d7");
}

TEST_CASE("errors are written so that they can be compared") {
    CHECK(errorText(0) == "0 %");
    CHECK(errorText(0.35) == "35 %");
    CHECK(errorText(0.00123) == "0.12 %");
    CHECK(errorText(2e-7) == "2e-05 %");
    CHECK(errorText(50) == "> 1000 %");
    CHECK(errorText(1.42) == "142 %");
    CHECK(errorText(0.997) == "100 %");
    CHECK(errorText(std::nan("")) == "blew up");
    CHECK(errorText(std::numeric_limits<double>::infinity()) == "blew up");
    CHECK(errorShare(1e-9) == 0);
    CHECK(errorShare(1e-3) == Approx(0.5));
    CHECK(errorShare(3) == 1);
    CHECK(errorShare(std::nan("")) == 1);
}

TEST_CASE("the status bar counts elements by method") {
    TickStatistics statistics;
    CHECK(methodsText(statistics) == "asleep");
    statistics.elementsPerMethod[static_cast<std::size_t>(FlowMethod::ClosedForm)] = 3;
    statistics.elementsPerMethod[static_cast<std::size_t>(FlowMethod::Contacts)] = 1;
    CHECK(methodsText(statistics) ==
          std::string("3 ") + methodName(FlowMethod::ClosedForm) + ", 1 " + methodName(FlowMethod::Contacts));
}

TEST_CASE("a contact is told by its tick, or by how many ticks it lasts") {
    const double tick = 1. / 60;
    CHECK(contactText({}, tick) == "One tick is 16.67 ms");
    CHECK(contactText(play::ScopeContact{.begin = 1.5}, tick) == "In contact since 1.500 s");
    CHECK(contactText(play::ScopeContact{.begin = 1, .end = 1.0019}, tick) ==
          "Contact lasted 1.900 ms of a tick of 16.67 ms");
    CHECK(contactText(play::ScopeContact{.begin = 1, .end = 1.02019}, tick) ==
          "Contact lasted 20.19 ms: 1.2 ticks of 16.67 ms");
}

TEST_CASE("the track grows in steps") {
    CHECK(trackLength(0, 10) == 10);
    CHECK(trackLength(9.9, 10) == 10);
    CHECK(trackLength(10.1, 10) == 20);
    CHECK(trackLength(12, 20) == 20);
    CHECK(trackLength(0.5, 60) == 10);  // after a restart
    CHECK(trackLength(4000, 3600) == 7200);
}

TEST_CASE("a rise of energy is seen, rounding and what Bullet gave is not counted") {
    const auto of = [](const std::vector<double>& gauge, const std::vector<double>& given, double size) {
        EnergyCurves energy;
        for (std::size_t i = 0; i < gauge.size(); ++i) {
            const auto time = static_cast<double>(i);
            energy.gauge.append(time, gauge[i]);
            energy.own.append(time, gauge[i] - given[i]);
            energy.size.append(time, size);
        }
        return energy;
    };
    const EnergyCurves rising = of({10, 8, 8.5, 7, 7.2, 3}, {0, 0, 0, 0, 0, 0}, 10);
    CHECK(largestRise(rising.gauge) == Approx(0.5));
    CHECK_FALSE(judge(rising).isRounding());
    CHECK_FALSE(judge(rising).isBullets());
    const EnergyCurves given = of({10, 8, 8.5, 7, 7.2, 3}, {0, 0, 0.5, 0.5, 0.7, 0.7}, 10);
    CHECK(judge(given).rise == Approx(0.5));
    CHECK_FALSE(judge(given).isRounding());
    CHECK(judge(given).isBullets());
    // Rounding is measured by the largest energy so far, not by what is left at the end.
    const std::vector<double> tiny = {1e-12, 1.0001e-12 + 5e-12};
    CHECK(judge(of(tiny, {0, 0}, 0.1)).isRounding());
    CHECK_FALSE(judge(of(tiny, {0, 0}, 1e-5)).isRounding());
    CHECK(largestRise(Curve()) == 0);
}

TEST_CASE("a loop costs the area that it encloses") {
    Curve s;
    std::vector<double> f;
    constexpr int kSteps = 1000;
    for (int i = 0; i <= kSteps; ++i) {
        const double t = 2 * M_PI * i / kSteps;
        s.append(i, 0.2 * std::sin(t));
        f.push_back(30 * std::cos(t));  // a damper: force along the velocity pulls back
    }
    CHECK(workAlong(s, f, 0) == Approx(M_PI * 0.2 * 30).epsilon(1e-4));
}

TEST_CASE("panels fill the screen around the view") {
    const Settings settings;
    for (const ImVec2 screen : {ImVec2{1600, 900}, ImVec2{1280, 720}, ImVec2{3200, 1800}}) {
        const Layout l = layOut(screen, 1, settings);
        INFO(screen.x << " x " << screen.y);
        for (const Rect& rect : {l.demos, l.parameters, l.plots, l.analysis, l.timeline, l.status, l.view}) {
            CHECK(rect.isShown());
        }
        CHECK(l.view.width >= kLeastView * screen.x - 2);
        CHECK(l.demos.width + l.view.width + l.plots.width == screen.x);
        CHECK(l.demos.height + l.parameters.height == l.view.height);
        CHECK(l.plots.height + l.analysis.height == l.view.height);
        CHECK(l.view.height + l.timeline.height + l.status.height == screen.y);
    }
    // Without room the right column goes first; the view always stays.
    const Layout small = layOut({480, 320}, 1, settings);
    CHECK_FALSE(small.plots.isShown());
    CHECK(small.view.width >= kLeastView * 480);
    CHECK(small.view.height >= 160);
    Settings hidden;
    hidden.panels.all = false;
    CHECK(layOut({1600, 900}, 1, hidden).view.width == 1600);
    hidden.panels.all = true;
    hidden.panels.demos = hidden.panels.parameters = false;
    CHECK(layOut({1600, 900}, 1, hidden).view.left == 0);
    hidden.panels.analysis = false;
    CHECK(layOut({1600, 900}, 1, hidden).plots.height == layOut({1600, 900}, 1, hidden).view.height);
}
