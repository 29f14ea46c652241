// Tubes around a run: what is early by a little is inside, what is another curve is not.

#include "tube.h"

#include "tube_report.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>

using namespace elasto;
using namespace elasto::tools;
using Catch::Contains;

namespace {

Trajectory curve(const std::string& signal, int rows, double end, const std::function<double(double)>& value) {
    Trajectory run{.time = {}, .signals = {signal}, .columns = {{}}};
    for (int k = 0; k < rows; ++k) {
        const double t = end * k / (rows - 1);
        run.time.push_back(t);
        run.columns[0].push_back(value(t));
    }
    return run;
}

double sine(double t) {
    return 3 * std::sin(6 * t);
}

double step(double t) {
    return t < 1 ? 0 : 5;
}

TubeResult tubeOf(const Trajectory& a, const Trajectory& b, double relative, double absolute = 0) {
    return tubes(a, b, {.relative = relative, .absolute = absolute}).at(0);
}

}  // namespace

TEST_CASE("a curve is inside its own tube, however its rows lie") {
    const Trajectory fine = curve("m.s", 2001, 2, sine);
    CHECK(tubeOf(fine, fine, 1e-6).isInside());
    CHECK(tubeOf(fine, curve("m.s", 777, 2, sine), 1e-4).isInside());
    CHECK(tubeOf(curve("m.s", 501, 2, sine), fine, 1e-3).isInside());
}

TEST_CASE("a tube is as wide as it is said") {
    const Trajectory a = curve("m.s", 2001, 2, [](double) { return 1.; });
    const auto shifted = [](double by) { return curve("m.s", 2001, 2, [by](double) { return 1 + by; }); };
    // A constant has no range: only the absolute width counts.
    CHECK(tubeOf(a, shifted(0.009), 0.01, 0.01).isInside());
    CHECK_FALSE(tubeOf(a, shifted(0.011), 0.01, 0.01).isInside());
    const Trajectory ramp = curve("m.s", 2001, 2, [](double t) { return t; });
    // Of slope 1: half a tube in time and half a tube in value add up.
    const auto late = [](double by) { return curve("m.s", 2001, 2, [by](double t) { return t > 0.1 && t < 1.9 ? t - by : t; }); };
    CHECK(tubeOf(ramp, late(0.0399), 0.01).isInside());
    const TubeResult outside = tubeOf(ramp, late(0.0402), 0.01);
    CHECK(outside.outside == Approx(0.9).margin(0.01));
    CHECK(outside.largest == Approx(0.0002).margin(1e-5));
}

TEST_CASE("an event that is a little early or late is inside, one that is missing is not") {
    const Trajectory a = curve("m.contact", 4001, 2, step);
    const auto moved = [](double by) { return curve("m.contact", 4001, 2, [by](double t) { return step(t - by); }); };
    CHECK(tubeOf(a, moved(0.019), 0.01).isInside());
    CHECK(tubeOf(a, moved(-0.019), 0.01).isInside());
    const TubeResult late = tubeOf(a, moved(0.03), 0.01);
    CHECK_FALSE(late.isInside());
    CHECK(late.firstTime == Approx(1.02).margin(1e-3));
    CHECK(late.outside == Approx(0.01 / 2).margin(1e-3));
    CHECK(tubeOf(a, curve("m.contact", 4001, 2, [](double) { return 0.; }), 0.01).outside == Approx(0.5).margin(0.02));
    // A spike within the width in time of a jump is none.
    CHECK_FALSE(
        tubeOf(a, curve("m.contact", 4001, 2, [](double t) { return std::abs(t - 0.3) < 1e-3 ? 5. : step(t); }), 0.01)
            .isInside());
}

TEST_CASE("rows beyond the reference's time span do not count, and what is not finite is outside") {
    const Trajectory a = curve("m.s", 101, 1, sine);
    Trajectory longer = curve("m.s", 301, 3, [](double t) { return t <= 1 ? sine(t) : 1e6; });
    CHECK(tubeOf(a, longer, 0.01).isInside());
    longer.columns[0][50] = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(tubeOf(a, longer, 0.01).isInside());
}

TEST_CASE("a signal that hardly moves is judged by the range of its kind") {
    Trajectory a = curve("m.s", 101, 1, sine);
    a.signals.emplace_back("n.s");
    a.columns.emplace_back(101, 0.);
    Trajectory b = a;
    for (double& value : b.columns[1]) value = 5e-6;  // a millionth of 6 m is 6e-6
    CHECK(tubes(a, b, {.relative = 1e-9})[1].isInside());
    for (double& value : b.columns[1]) value = 7e-6;
    CHECK_FALSE(tubes(a, b, {.relative = 1e-9})[1].isInside());
}

TEST_CASE("the page says what is outside and shows it first") {
    Trajectory a = curve("m.s", 101, 1, sine);
    a.signals.emplace_back("n<1>.f");
    a.columns.push_back(a.columns[0]);
    Trajectory b = a;
    for (double& value : b.columns[1]) value *= 1.5;
    const std::vector<TubeResult> results = tubes(a, b, {.relative = 0.01});
    const std::vector<SignalError> errors = compareSignals(a, b);
    const std::string html = htmlOf({"a.csv", "b.mat", a, b, results, errors});
    CHECK_THAT(html, Contains("1 of 2 signals leave the tube around a.csv"));
    CHECK_THAT(html, Contains("n&lt;1&gt;.f"));
    CHECK(html.find("<h2 id=\"n&lt;1&gt;.f\">") < html.find("<h2 id=\"m.s\">"));
    CHECK_THAT(html, Contains("class=\"out\""));
    CHECK(htmlOf({"a.csv", "b.mat", a, b, results, errors}) == html);
}
