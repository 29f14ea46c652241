#include "gnuplot_script.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

using namespace elasto::tools;
using Catch::Matchers::Contains;

namespace {

Picture simplePicture() {
    Picture picture;
    picture.panels = {{"panel", "time [s]", "m", {{"it's s_rel", {0, 1}, {2, 3}}}}};
    return picture;
}

}  // namespace

TEST_CASE("a gnuplot script holds its data, its labels and the wanted format") {
    const std::string script = gnuplotScript(simplePicture(), false, "out.svg");
    CHECK_THAT(script, Contains("set terminal svg noenhanced"));
    CHECK_THAT(script, Contains("set output \"out.svg\"\n"));
    CHECK_THAT(script, Contains("$panel0_0 << EOD\n0 2\n1 3\nEOD\n"));
    CHECK_THAT(script, Contains("title \"it's s_rel\""));
    CHECK_THAT(script, Contains("set xlabel \"time [s]\""));
    CHECK_THAT(gnuplotScript(simplePicture(), true), Contains("set terminal pngcairo") && !Contains("set output"));
}

TEST_CASE("gnuplot takes texts for texts, and the name of the picture for a name") {
    CHECK(gnuplotText("") == R"("")");
    CHECK(gnuplotText("é''\n[m]") == R"("é'' [m]")");
    CHECK(gnuplotText("a\"b\\c`id`@d") == R"("a\042b\134c\140id\140\100d")");
    CHECK(gnuplotText("\x1b\xff") == R"("\134x1b\134xff")");  // shown as \x1b\xff
    CHECK(gnuplotOutput("a b.svg") == "set output \"a b.svg\"\n");
    CHECK(gnuplotOutput("a\n.svg") == "set output \"a\\012.svg\"\n");
    CHECK(gnuplotOutput("|touch a.png") == "set output \"./|touch a.png\"\n");
    CHECK(gnuplotOutput("~root.png") == "set output \"./~root.png\"\n");
    CHECK(gnuplotOutput("/tmp/|a.png") == "set output \"/tmp/|a.png\"\n");
}

TEST_CASE("no two curves of a panel look the same") {
    Picture picture;
    picture.panels = {{"panel", "time [s]", "m", {}}};
    constexpr int kCurves = 100;
    for (int i = 0; i < kCurves; ++i) picture.panels[0].curves.push_back({std::to_string(i), {0, 1}, {2, 3}});
    const std::string script = gnuplotScript(picture, false);
    CHECK_THAT(script, Contains("size 900,1724"));  // the key of 100 lines fits in
    std::set<std::string> styles;
    for (std::size_t at = script.find("lc rgb"); at != std::string::npos; at = script.find("lc rgb", at + 1)) {
        styles.insert(script.substr(at, script.find(" title", at) - at));
    }
    // The grid has a style too.
    CHECK(styles.size() >= kCurves);
}

TEST_CASE("values that are not finite break the line") {
    Picture picture = simplePicture();
    picture.panels[0].curves[0].y[0] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THAT(gnuplotScript(picture, false), Contains("EOD\n\n1 3\nEOD\n"));
}

TEST_CASE("thinning keeps the extremes, the ends and the order") {
    Curve curve{"c", {}, {}};
    for (int k = 0; k < 100000; ++k) {
        curve.x.push_back(k);
        curve.y.push_back(std::sin(1e-3 * k));
    }
    curve.y[54321] = 7;  // a peak of one sample
    const Curve thin = thinned(curve, 500);
    CHECK(thin.x.size() <= 2000);
    CHECK(thin.x.front() == 0);
    CHECK(thin.x.back() == 99999);
    CHECK(std::is_sorted(thin.x.begin(), thin.x.end()));
    CHECK(*std::max_element(thin.y.begin(), thin.y.end()) == 7);
    CHECK(*std::min_element(thin.y.begin(), thin.y.end()) == *std::min_element(curve.y.begin(), curve.y.end()));
}

TEST_CASE("short curves and closed ones are not thinned") {
    const Curve few{"c", {0, 1, 2}, {0, 1, 0}};
    CHECK(thinned(few, 500).x == few.x);
    Curve loop{"c", {}, {}};
    for (int k = 0; k < 5000; ++k) {
        loop.x.push_back(std::cos(0.01 * k));
        loop.y.push_back(std::sin(0.01 * k));
    }
    CHECK(thinned(loop, 100).x == loop.x);
}
