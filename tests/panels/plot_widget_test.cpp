#include <panels/plot_picture.h>
#include <panels/plot_widget.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "null_interface.h"

using namespace elasto::panels;

namespace {

/// A plot in a window, with one sine.
class PlotOnScreen {
public:
    PlotOnScreen() {
        for (int i = 0; i <= 1000; ++i) m_sine.append(i * 0.01, std::sin(i * 0.05));
        m_curves = {{&m_sine, "f", m_palette.curves[0]},
                    {&m_sine, "reference", m_palette.curves[1], CurveStyle::Reference}};
        m_curves[1].curve = &m_reference;
        for (int i = 0; i <= 100; ++i) m_reference.append(i * 0.1, std::cos(i * 0.5));
        frame();
        frame();
    }

    PlotEvents frame() {
        PlotEvents events;
        interface.frame([&] {
            events = plot.draw("plot", {600, 300},
                               {.title = "Force",
                                .y = {"f", "N"},
                                .curves = m_curves,
                                .cursor = cursor,
                                .marks = marks,
                                .hint = "nothing yet"},
                               m_palette);
        });
        return events;
    }

    /// Moves the mouse to a value, in one frame.
    PlotEvents to(double x, double y) {
        interface.mouse(plot.frame().pixelX(x), plot.frame().pixelY(y));
        return frame();
    }

    NullInterface interface { 800, 400 };
    PlotWidget plot;
    std::optional<double> cursor;
    std::vector<double> marks;

    const Palette& palette() const { return m_palette; }
    int drawn(std::size_t curve) const { return verticesOfColor(m_curves[curve].color); }
    Curve& sine() { return m_sine; }
    std::vector<PlotCurve>& curves() { return m_curves; }

private:
    const Palette& m_palette = paletteOf(Theme::Dark);
    Curve m_sine;
    Curve m_reference;
    std::vector<PlotCurve> m_curves;
};

}  // namespace

TEST_CASE("curves are drawn within their frame") {
    PlotOnScreen screen;
    CHECK(screen.drawn(0) > 500);
    CHECK(screen.drawn(1) > 100);  // dashes
    CHECK(screen.plot.view().x().high == Approx(10));
    CHECK(screen.plot.view().y().contains(1));
    const PlotFrame& frame = screen.plot.frame();
    const ImDrawData* data = ImGui::GetDrawData();
    for (int list = 0; list < data->CmdListsCount; ++list) {
        for (const ImDrawVert& vertex : data->CmdLists[list]->VtxBuffer) {
            if (vertex.col != screen.palette().curves[1]) continue;
            if (vertex.pos.y < frame.top) continue;  // the legend's sample
            CHECK(vertex.pos.x >= frame.left - 8);
            CHECK(vertex.pos.x <= frame.right() + 8);
            CHECK(vertex.pos.y <= frame.bottom() + 8);
        }
    }
}

TEST_CASE("the wheel zooms about the mouse") {
    PlotOnScreen screen;
    screen.to(4, 0);
    screen.interface.wheel(3);
    screen.frame();
    screen.frame();
    CHECK(screen.plot.view().x().length() == Approx(10 * std::pow(0.8, 3)));
    CHECK(screen.plot.frame().pixelX(4) == Approx(ImGui::GetIO().MousePos.x).margin(1.5));
    CHECK_FALSE(screen.plot.view().followsX());
    ImGui::GetIO().KeyCtrl = true;
    const double before = screen.plot.view().y().length();
    screen.interface.wheel(1);
    screen.frame();
    CHECK(screen.plot.view().y().length() == Approx(before * 0.8));
    // Beside the plot, over the labels of the y axis, the wheel means values too.
    ImGui::GetIO().KeyCtrl = false;
    screen.interface.mouse(screen.plot.frame().left - 10, screen.plot.frame().top + 50);
    screen.frame();
    const double x = screen.plot.view().x().length();
    screen.interface.wheel(1);
    screen.frame();
    CHECK(screen.plot.view().y().length() == Approx(before * 0.64));
    CHECK(screen.plot.view().x().length() == x);
}

TEST_CASE("a box drawn with the right button is what is seen then") {
    PlotOnScreen screen;
    screen.to(2, 0.5);
    screen.interface.press(1);
    screen.frame();
    screen.to(5, -0.5);
    screen.interface.release(1);
    screen.frame();
    CHECK(screen.plot.view().x().low == Approx(2).margin(0.03));
    CHECK(screen.plot.view().x().high == Approx(5).margin(0.03));
    CHECK(screen.plot.view().y().low == Approx(-0.5).margin(0.02));
    CHECK(screen.plot.view().y().high == Approx(0.5).margin(0.02));
}

TEST_CASE("the left button moves the cursor, also beyond the border") {
    PlotOnScreen screen;
    CHECK_FALSE(screen.to(3, 0).cursor);
    screen.interface.press(0);
    const PlotEvents pressed = screen.frame();
    REQUIRE(pressed.cursor);
    CHECK(*pressed.cursor == Approx(3).margin(0.03));
    const PlotEvents moved = screen.to(6, 0);
    REQUIRE(moved.cursor);
    CHECK(*moved.cursor == Approx(6).margin(0.03));
    screen.interface.mouse(5000, 0);
    const PlotEvents beyond = screen.frame();
    REQUIRE(beyond.cursor);
    CHECK(*beyond.cursor == Approx(10));
    screen.interface.release(0);
    CHECK_FALSE(screen.frame().cursor);
    screen.cursor = 4;
    screen.frame();
    CHECK(verticesOfColor(screen.palette().cursor) > 0);
}

TEST_CASE("the middle button pans and a double click follows again") {
    PlotOnScreen screen;
    screen.to(3, 0);
    screen.interface.press(2);
    screen.frame();
    screen.to(4, 0);
    screen.interface.release(2);
    screen.frame();
    CHECK(screen.plot.view().x().low == Approx(-1).margin(0.05));
    for (int i = 0; i < 2; ++i) {
        screen.interface.press(0);
        screen.frame();
        screen.interface.release(0);
        screen.frame();
    }
    CHECK(screen.plot.view().followsX());
    screen.frame();
    CHECK(screen.plot.view().x().low == 0);
}

TEST_CASE("a click in the legend hides a curve") {
    PlotOnScreen screen;
    // The legend stands to the right of the bold title, above the frame.
    const PlotFrame& frame = screen.plot.frame();
    bool isHidden = false;
    for (float x = frame.left - 40; x < frame.right() && !isHidden; x += 6) {
        screen.interface.mouse(x, frame.top - 12);
        screen.frame();
        screen.interface.press(0);
        screen.frame();
        screen.interface.release(0);
        screen.frame();
        isHidden = screen.plot.isHidden("f");
    }
    REQUIRE(isHidden);
    screen.interface.mouse(-100, -100);
    screen.frame();
    CHECK(screen.drawn(0) == 0);
    CHECK(screen.drawn(1) > 100);
}

TEST_CASE("a plot of a million samples draws about as much as one of a thousand") {
    PlotOnScreen screen;
    const int few = ImGui::GetDrawData()->TotalVtxCount;
    Curve& sine = screen.sine();
    for (int i = 1001; i < 1'000'000; ++i) sine.append(i * 0.01, std::sin(i * 0.05));
    screen.frame();
    screen.frame();
    CHECK(ImGui::GetDrawData()->TotalVtxCount < 12 * few);
    CHECK(screen.drawn(0) > 500);
}

TEST_CASE("every curve is named, in as many rows as it takes, unless another legend does it") {
    NullInterface interface(800, 400);
    const Palette& palette = paletteOf(Theme::Dark);
    Curve line;
    for (int i = 0; i <= 10; ++i) line.append(i, i);
    std::vector<PlotCurve> curves;
    const char* const names[] = {"s_rel",
                                 "explicit force",
                                 "6-dof limit with ERP and CFM",
                                 "6-dof limit with restitution",
                                 "contact with c and d",
                                 "CVODE"};
    for (std::size_t i = 0; i < std::size(names); ++i) curves.push_back({&line, names[i], palette.curves[i]});
    PlotWidget plot;
    PlotContent content;
    content.curves = curves;
    const auto topOf = [&] {
        for (int i = 0; i < 2; ++i) interface.frame([&] { plot.draw("plot", {420, 300}, content, palette); });
        return plot.frame().top - plot.area().low.y;
    };
    const float many = topOf();
    // A sample of each curve's line stands above the frame.
    for (const PlotCurve& curve : curves) {
        const ImDrawData* data = ImGui::GetDrawData();
        int above = 0;
        for (const ImDrawVert& vertex : data->CmdLists[0]->VtxBuffer) {
            above += vertex.col == curve.color && vertex.pos.y < plot.frame().top ? 1 : 0;
        }
        INFO(curve.name);
        CHECK(above > 0);
    }
    for (std::size_t i = 1; i < curves.size(); ++i) curves[i].isNamedAbove = true;
    content.curves = curves;
    CHECK(topOf() < many - 20);
    // Its picture names all of them all the same.
    interface.frame([&] {
        plot.draw("plot", {420, 300}, content, palette);
        const PlotPicture picture = pictureOf("name", "title", content, plot, palette);
        CHECK(picture.size.x == 1200);
        for (const PlotCurve& curve : curves) {
            CHECK(std::any_of(picture.list->VtxBuffer.begin(), picture.list->VtxBuffer.end(),
                              [&](const ImDrawVert& vertex) { return vertex.col == curve.color; }));
        }
        for (const ImDrawVert& vertex : picture.list->VtxBuffer) {
            CHECK(vertex.pos.x > -2);
            CHECK(vertex.pos.x < 1202);
        }
    });
}

TEST_CASE("where the cursor is inside a tick, a curve has the value that is known there") {
    PlotOnScreen screen;
    screen.cursor = 5;
    screen.curves()[0].now = 0.9;
    screen.frame();
    const ImVec2 at = {screen.plot.frame().pixelX(5), screen.plot.frame().pixelY(0.9)};
    int near = 0;
    for (const ImDrawVert& vertex : ImGui::GetDrawData()->CmdLists[0]->VtxBuffer) {
        near += vertex.col == screen.palette().curves[0] && std::hypot(vertex.pos.x - at.x, vertex.pos.y - at.y) < 6
                    ? 1
                    : 0;
    }
    CHECK(near > 8);
}

TEST_CASE("an empty plot says what is missing") {
    PlotOnScreen screen;
    screen.plot.setHidden("f", true);
    screen.plot.setHidden("reference", true);
    screen.frame();
    CHECK(screen.drawn(0) == 0);
    CHECK(screen.drawn(1) == 0);
    CHECK(ImGui::GetDrawData()->TotalVtxCount > 0);
}

TEST_CASE("a ghost that blows up does not flatten the run") {
    NullInterface interface(800, 400);
    const Palette& palette = paletteOf(Theme::Dark);
    Curve run, ghost;
    for (int i = 0; i <= 100; ++i) {
        run.append(i, std::sin(i * 0.1));
        ghost.append(i, std::pow(2., i));
    }
    const PlotCurve curves[] = {{&run, "run", palette.curves[0]},
                                {&ghost, "ghost", palette.curves[1], CurveStyle::Ghost}};
    PlotWidget plot;
    PlotContent content;
    content.curves = curves;
    for (int i = 0; i < 2; ++i) interface.frame([&] { plot.draw("plot", {600, 300}, content, palette); });
    CHECK(plot.view().y().length() < 10);
    CHECK(plot.view().y().high > 2);  // but it is seen to leave
}
