// Springs, stop faces, gears, arrows and lines, read back pixel by pixel.

#include <catch2/catch.hpp>

#include "studio.h"

namespace elasto::view {
namespace {

using Eigen::Vector3f;

/// A studio that looks along -z at right angles, 200 pixels per metre.
struct Board : Studio {
    static constexpr double kScale = 200;

    Board() : Studio(640, 480) {
        camera.fieldOfView = 0.02F;
        camera.viewpoint.distance = static_cast<float>(480 / (2 * kScale * std::tan(0.01)));
    }

    static int column(double x) { return static_cast<int>(std::lround(320 + kScale * x)); }
    static int row(double y) { return static_cast<int>(std::lround(240 - kScale * y)); }
    /// The pixel at a distance and angle from the middle.
    static auto polar(const Image& image, double radius, double angle) {
        return image.pixel(column(radius * std::cos(angle)), row(radius * std::sin(angle)));
    }
};

Spring springTo(float length) {
    Spring spring;
    spring.a = {-1, 0, 0};
    spring.b = {-1 + length, 0, 0};
    spring.width = 0.3F;
    spring.coilWidth = 0.03F;
    spring.surface.color = Color::bytes(0, 0, 255);
    spring.surface.specularCoefficient = 0;
    return spring;
}

/// First and last column with blue in it.
std::pair<int, int> blueColumns(const Image& image) {
    int first = image.width;
    int last = -1;
    for (int x = 0; x < image.width; ++x) {
        for (int y = 0; y < image.height; ++y) {
            if (!isBlue(image.pixel(x, y))) continue;
            first = std::min(first, x);
            last = std::max(last, x);
        }
    }
    return {first, last};
}

/// How often a row enters something blue.
int crossings(const Image& image, int y) {
    int found = 0;
    for (int x = 1; x < image.width; ++x) {
        found += isBlue(image.pixel(x, y)) && !isBlue(image.pixel(x - 1, y)) ? 1 : 0;
    }
    return found;
}

TEST_CASE("A spring reaches from a to b, and longer when it is stretched", "[slow]") {
    Board board;
    for (const float length : {0.5F, 1.0F, 1.9F}) {
        board.picture.springs = {springTo(length)};
        const auto [first, last] = blueColumns(board.draw());
        CHECK(first == Approx(Board::column(-1)).margin(2));
        CHECK(last == Approx(Board::column(-1 + length)).margin(2));
    }
}

TEST_CASE("A spring is as wide as its width, and its wire as thick as its coilWidth", "[slow]") {
    Board board;
    board.picture.springs = {springTo(1.9F)};
    const Image image = board.draw();
    int top = image.height;
    int bottom = 0;
    for (int y = 0; y < image.height; ++y) {
        if (crossings(image, y) == 0) continue;
        top = std::min(top, y);
        bottom = std::max(bottom, y);
    }
    CHECK(bottom - top + 1 == Approx(0.3 * Board::kScale).margin(2));
    // Length of the projected wire times its thickness; overlaps take a little.
    const double perWinding = 1.9 / 5;
    double wire = 0;
    for (int i = 0; i < 1000; ++i) {
        const double angle = 2 * 3.14159265 * i / 1000;
        wire += std::hypot(perWinding, 0.135 * 2 * 3.14159265 * std::cos(angle)) / 1000;
    }
    CHECK(count(image, isBlue) == Approx(5 * wire * 0.03 * Board::kScale * Board::kScale).epsilon(0.12));
}

TEST_CASE("A row through a spring's middle crosses each winding twice") {
    Board board;
    for (const float windings : {3.0F, 5.0F, 8.0F}) {
        Spring spring = springTo(1.9F);
        spring.numberOfWindings = windings;
        // The wire begins above, so that it is not in the middle at its ends.
        spring.side = Vector3f::UnitY();
        board.picture.springs = {spring};
        CHECK(crossings(board.draw(), 240) == 2 * static_cast<int>(windings));
        // Near the upper edge: once per winding, and the two ends.
        CHECK(std::abs(crossings(board.draw(), Board::row(0.135)) - static_cast<int>(windings)) <= 1);
    }
}

TEST_CASE("A spring's wire begins at its side") {
    Board board;
    Spring spring = springTo(1.9F);
    const auto topmostAtEnd = [&] {
        const Image image = board.draw();
        int up = 0;
        int down = 0;
        for (int y = 0; y < image.height; ++y) {
            if (isBlue(image.pixel(Board::column(-0.985), y))) (y < 240 ? up : down) += 1;
        }
        return up - down;
    };
    spring.side = Vector3f::UnitY();
    board.picture.springs = {spring};
    CHECK(topmostAtEnd() > 3);
    spring.side = -Vector3f::UnitY();
    board.picture.springs = {spring};
    CHECK(topmostAtEnd() < -3);
}

TEST_CASE("Springs of no length, of one point or of no width draw nothing wild") {
    Board board;
    Spring spring = springTo(0);
    board.picture.springs = {spring};
    spring.width = 0.001F;
    board.picture.springs.push_back(spring);
    spring.b = {1, 0, 0};
    spring.width = 0;
    spring.coilWidth = 0;
    board.picture.springs.push_back(spring);
    const auto [first, last] = blueColumns(board.draw());
    CHECK(first >= Board::column(-1) - 34);
    CHECK(last <= Board::column(1) + 2);
    CHECK(count(board.draw(), isBlue) < 0.4 * 0.4 * Board::kScale * Board::kScale);
}

TEST_CASE("A stop face glows with its force, and its surroundings with it", "[slow]") {
    Board board;
    StopFace face;
    face.size = {0.5F, 0.5F};
    face.surface.color = Color::bytes(70, 74, 80);
    const auto redness = [&](float glow, double x) {
        face.glow = glow;
        board.picture.stopFaces = {face};
        const auto p = board.draw().pixel(Board::column(x), 240);
        return p[0] - p[2];
    };
    CHECK(std::abs(redness(0, 0)) < 15);
    CHECK(redness(0.3F, 0) > 60);
    CHECK(redness(1, 0.2) > 60);
    const auto bright = [&](float glow) {
        face.glow = glow;
        board.picture.stopFaces = {face};
        return brightness(board.draw().pixel(320, 240));
    };
    CHECK(bright(1) > bright(0.5F) + 0.1);
    // Beside the face, where nothing is but background.
    CHECK(redness(1, 0.28) > redness(0, 0.28) + 20);
    CHECK(redness(1, 0.6) == redness(0, 0.6));
}

TEST_CASE("A gear has its teeth, narrower by the play", "[slow]") {
    Board board;
    Gear gear;
    gear.pitchRadius = 0.8F;
    gear.teeth = 20;
    gear.surface.color = Color::bytes(0, 0, 255);
    // Along the pitch circle: how many teeth, and which share of it they take.
    const auto measure = [&] {
        board.picture.gears = {gear};
        const Image image = board.draw();
        constexpr int kSteps = 3600;
        constexpr int kGap = 12;  // steps, about three pixels
        int teeth = 0;
        int covered = 0;
        int open = 0;
        for (int i = 0; i < kSteps; ++i) {
            const bool here = isBlue(Board::polar(image, 0.8, 2 * 3.14159265 * i / kSteps));
            teeth += here && open > kGap ? 1 : 0;
            covered += here ? 1 : 0;
            open = here ? 0 : open + 1;
        }
        return std::pair(teeth, static_cast<double>(covered) / kSteps);
    };
    const auto [teeth, covered] = measure();
    CHECK(teeth == 20);
    CHECK(covered == Approx(0.5).margin(0.02));
    // A tooth on the x axis.
    CHECK(isBlue(board.draw().pixel(Board::column(0.84), 240)));
    gear.toothPlayAngle = 0.06F;
    const auto [narrowTeeth, narrowCovered] = measure();
    CHECK(narrowTeeth == 20);
    CHECK(narrowCovered == Approx(0.5 - 20 * 0.06 / (2 * 3.14159265)).margin(0.02));
    gear.internal = true;
    gear.toothPlayAngle = 0;
    CHECK(measure().first == 20);
    CHECK_FALSE(isBlue(board.draw().pixel(320, 240)));
    CHECK(isBlue(board.draw().pixel(Board::column(1.05), 240)));
}

TEST_CASE("An arrow is as long as its vector, with its head at the end") {
    Board board;
    Arrow arrow;
    arrow.from = {-0.5F, 0, 0};
    arrow.diameter = 0.04F;
    arrow.surface.color = Color::bytes(0, 0, 255);
    for (const float length : {0.05F, 0.4F, 1.2F}) {
        arrow.vector = {length, 0, 0};
        board.picture.arrows = {arrow};
        const auto [first, last] = blueColumns(board.draw());
        CHECK(first == Approx(Board::column(-0.5)).margin(2));
        CHECK(last == Approx(Board::column(-0.5 + length)).margin(2));
    }
    const Image image = board.draw();
    const auto thickness = [&](double x) {
        int found = 0;
        for (int y = 0; y < image.height; ++y) found += isBlue(image.pixel(Board::column(x), y)) ? 1 : 0;
        return found;
    };
    CHECK(thickness(0) == Approx(0.04 * Board::kScale).margin(1.5));
    CHECK(thickness(0.7 - 0.12) > thickness(0) + 5);
    arrow.vector.setZero();
    board.picture.arrows = {arrow};
    CHECK(count(board.draw(), isBlue) == 0);
}

TEST_CASE("A bent arrow goes as far as its angle, in its sense") {
    Board board;
    CurvedArrow arrow;
    arrow.radius = 0.5F;
    arrow.diameter = 0.04F;
    arrow.surface.color = Color::bytes(0, 0, 255);
    const auto has = [&](double angle) { return isBlue(Board::polar(board.draw(), 0.5, angle)); };
    arrow.angle = 1.5F;
    board.picture.curvedArrows = {arrow};
    CHECK(has(0.1));
    CHECK(has(1.0));
    CHECK_FALSE(has(-0.3));
    CHECK_FALSE(has(1.8));
    arrow.angle = -1.5F;
    board.picture.curvedArrows = {arrow};
    CHECK(has(-1.0));
    CHECK_FALSE(has(0.3));
}

TEST_CASE("A line is as many pixels wide as it says, and on top where it should be", "[slow]") {
    Board board;
    Line line;
    line.a = {-1, 0, 0};
    line.b = {1, 0, 0};
    line.width = 6;
    line.color = Color::bytes(0, 0, 255);
    board.picture.lines = {line};
    int thick = 0;
    const Image image = board.draw();
    for (int y = 0; y < image.height; ++y) thick += isBlue(image.pixel(320, y)) ? 1 : 0;
    CHECK(thick == Approx(6).margin(1));

    Box box;
    box.pose.position.z() = 1;
    box.surface = red();
    board.picture.boxes.push_back(box);
    CHECK(isRed(board.draw().pixel(320, 240)));
    board.picture.lines.front().onTop = true;
    CHECK(isBlue(board.draw().pixel(320, 240)));
}

}  // namespace
}  // namespace elasto::view
