// What a picture shows, read back pixel by pixel.

#include <catch2/catch.hpp>

#include "studio.h"

namespace elasto::view {
namespace {

TEST_CASE("A box is where the camera says") {
    Studio studio;
    Box box;
    box.surface = red();
    studio.picture.boxes.push_back(box);
    const Image image = studio.draw();

    CHECK(isRed(image.pixel(160, 120)));
    CHECK_FALSE(isRed(image.pixel(10, 10)));
    // Its front face is 3.5 m away and 1 m wide.
    const double expected = std::pow(240 / (2 * 3.5 * std::tan(0.3)), 2);
    CHECK(count(image, isRed) == Approx(expected).epsilon(0.03));
}

TEST_CASE("The same picture has the same bytes") {
    Studio studio;
    studio.picture.boxes.emplace_back();
    studio.picture.planes.push_back({{0, -0.5F, 0}, {0, 1, 0}, 1});
    studio.camera.viewpoint.elevation = 0.4F;
    const Image first = studio.draw();
    CHECK(studio.draw().rgba == first.rgba);
}

}  // namespace
}  // namespace elasto::view
