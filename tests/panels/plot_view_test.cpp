#include <panels/plot_drawing.h>
#include <panels/plot_view.h>

#include <catch2/catch.hpp>
#include <cmath>

using namespace elasto::panels;

TEST_CASE("a view follows the newest sample in its window") {
    PlotView view(10.);
    view.update({0, 3}, Interval{-1, 1});
    CHECK(view.x().low == 0);
    CHECK(view.x().high == 5);
    view.update({0, 7}, Interval{-1, 1});
    CHECK(view.x().high == 10);
    view.update({0, 25}, Interval{-1, 1});
    CHECK(view.x().low == 15);
    CHECK(view.x().high == 25);
    view.pause();
    view.update({0, 40}, Interval{-1, 1});
    CHECK(view.x().high == 25);
    view.follow();
    view.update({0, 40}, Interval{-1, 1});
    CHECK(view.x().high == 40);
}

TEST_CASE("a view that follows keeps the cursor in sight, however far it is behind") {
    PlotView view(10.);
    view.update({0, 100}, Interval{-1, 1}, 95.);
    CHECK(view.x().high == 100);
    for (const double cursor : {89., 50., 3., 0.}) {
        view.update({0, 100}, Interval{-1, 1}, cursor);
        CHECK(view.x().contains(cursor));
        CHECK(view.x().length() == Approx(10));
        CHECK(view.x().low >= 0);
    }
    CHECK(view.followsX());
    view.update({0, 100}, Interval{-1, 1}, 100.);
    CHECK(view.x().high == 100);
}

TEST_CASE("rounding does not fill an axis by itself") {
    CHECK(fitted({0.1192223, 0.1192223 + 3e-9}, std::nullopt).length() > 0.05);
    CHECK(fitted({-0.0936, -0.0936 + 2e-6}, std::nullopt).length() > 0.05);
    CHECK(fitted({0.119, 0.120}, std::nullopt).length() < 0.002);
    // What is left of 5 rad/s at rest.
    CHECK(fitted({-2e-12, 5e-12}, std::nullopt, 5e-7).length() > 1);
    CHECK(fitted({-2e-12, 5e-12}, std::nullopt).length() < 1e-10);
}

TEST_CASE("zooming keeps what is under the mouse and ends where numbers do") {
    PlotView view;
    view.update({0, 100}, Interval{0, 1});
    const double before = (30 - view.x().low) / view.x().length();
    view.zoomX(0.5, 30);
    CHECK(view.x().length() == Approx(50));
    CHECK((30 - view.x().low) / view.x().length() == Approx(before));
    CHECK_FALSE(view.followsX());
    CHECK(view.fitsY());
    for (int i = 0; i < 200; ++i) view.zoomX(0.5, 30);
    CHECK(isShowable(view.x()));
    CHECK(view.x().contains(30));
    CHECK(std::nextafter(30., 31.) - 30 < view.x().length() / 1000);
    for (int i = 0; i < 2000; ++i) view.zoomX(2, 30);
    CHECK(isShowable(view.x()));
    view.reset();
    view.update({0, 100}, Interval{0, 1});
    CHECK(view.x().high == 100);
}

TEST_CASE("panning moves both axes") {
    PlotView view;
    view.update({0, 10}, Interval{0, 10});
    const Interval y = view.y();
    view.pan(0.5, -0.25);
    CHECK(view.x().low == Approx(5));
    CHECK(view.y().low == Approx(y.low - 0.25 * y.length()));
    view.show({1, 2}, {3, 4});
    CHECK(view.x().low == 1);
    CHECK(view.y().high == 4);
    view.show({2, 1}, {3, 4});  // reversed: refused
    CHECK(view.x().low == 1);
}

TEST_CASE("values are fitted with room and stay until they leave it") {
    const Interval first = fitted({-1, 1}, std::nullopt);
    CHECK(first.low < -1);
    CHECK(first.high > 1);
    CHECK(first.length() < 3.2);
    const Interval same = fitted({-0.9, 1.05}, first);
    CHECK(same.low == first.low);
    CHECK(same.high == first.high);
    const Interval grown = fitted({-0.9, 3}, first);
    CHECK(grown.high > 3);
    const Interval shrunk = fitted({-0.1, 0.1}, first);
    CHECK(shrunk.length() < first.length() / 3);
    // A force that only pushes is seen with its zero.
    CHECK(fitted({-900, -100}, std::nullopt).contains(0));
    // A constant has room around it.
    CHECK(fitted({5, 5}, std::nullopt).contains(5));
    CHECK(fitted({5, 5}, std::nullopt).length() > 1);
    CHECK(fitted({0, 0}, std::nullopt).length() > 1);
    CHECK(isShowable(fitted({std::nan(""), 1}, std::nullopt)));
}

TEST_CASE("pixels and values are inverse to each other") {
    const PlotFrame frame{{2, 4}, {-1, 1}, 100, 50, 400, 200};
    CHECK(frame.pixelX(2) == 100);
    CHECK(frame.pixelX(4) == 500);
    CHECK(frame.pixelY(-1) == 250);
    CHECK(frame.pixelY(1) == 50);
    for (const float pixel : {100.f, 233.f, 500.f}) CHECK(frame.pixelX(frame.valueX(pixel)) == Approx(pixel));
    CHECK(frame.valueY(150) == Approx(0).margin(1e-9));
}

TEST_CASE("lines are cut to the frame however far they reach") {
    const PlotFrame frame{{0, 1}, {0, 1}, 0, 0, 100, 100};
    double x1 = -1e12, y1 = 50, x2 = 1e12, y2 = 50;
    REQUIRE(cutToBox(frame, 0, x1, y1, x2, y2));
    CHECK(x1 == Approx(0).margin(1e-3));
    CHECK(x2 == Approx(100).epsilon(1e-5));
    CHECK(y1 == 50);
    x1 = 10, y1 = 10, x2 = 20, y2 = 20;
    REQUIRE(cutToBox(frame, 0, x1, y1, x2, y2));
    CHECK((x1 == 10 && y1 == 10 && x2 == 20 && y2 == 20));
    x1 = 10, y1 = -5, x2 = 20, y2 = -50;
    CHECK_FALSE(cutToBox(frame, 0, x1, y1, x2, y2));
    x1 = -50, y1 = 60, x2 = 60, y2 = -50;  // cuts the corner
    REQUIRE(cutToBox(frame, 0, x1, y1, x2, y2));
    CHECK(x1 == Approx(0).margin(1e-9));
    CHECK(y1 == Approx(10));
    CHECK(x2 == Approx(10));
    CHECK(y2 == Approx(0).margin(1e-9));
    x1 = -50, y1 = 40, x2 = 40, y2 = -50;  // passes it by
    CHECK_FALSE(cutToBox(frame, 0, x1, y1, x2, y2));
}
