// A window on a real (or virtual) display.

#include <epoxy/gl.h>

#include <catch2/catch.hpp>

#include "studio.h"
#include "view/window.h"

namespace elasto::view {
namespace {

/// What is in the window, upper row first.
Image readWindow(int width, int height) {
    std::vector<std::uint8_t> rows(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glReadBuffer(GL_BACK);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rows.data());
    Image image = {width, height, {}};
    const auto row = static_cast<std::ptrdiff_t>(4 * width);
    for (int y = height - 1; y >= 0; --y) {
        image.rgba.insert(image.rgba.end(), rows.begin() + y * row, rows.begin() + (y + 1) * row);
    }
    return image;
}

TEST_CASE("A window shows the bytes that a picture without a display has") {
    Picture picture;
    Box box;
    box.surface = red();
    box.pose.orientation = Eigen::AngleAxisf(0.5F, Eigen::Vector3f::UnitY());
    picture.boxes.push_back(box);
    picture.planes.push_back({{0, -0.5F, 0}, {0, 1, 0}, 1});

    Image inWindow;
    {
        Window window({"Test", 320, 240, true, false});
        window.pollEvents();
        REQUIRE(window.width() == 320);
        REQUIRE(window.height() == 240);
        CHECK_FALSE(window.shouldClose());
        Renderer renderer(ELASTO_SHADERS);
        Target target(320, 240, 4);
        renderer.draw(picture, {}, {}, {}, target);
        window.show(target);
        inWindow = readWindow(320, 240);
        for (std::size_t i = 3; i < inWindow.rgba.size(); i += 4) inWindow.rgba[i] = 255;
        CHECK((inWindow.rgba == target.read().rgba));
        window.swap();

        window.setFullScreen(true);
        CHECK(window.fullScreen());
        window.pollEvents();
        window.setFullScreen(false);
        CHECK_FALSE(window.fullScreen());
        window.setShouldClose(true);
        CHECK(window.shouldClose());
    }
    Studio studio;
    studio.camera = {};
    studio.picture = picture;
    CHECK((studio.draw().rgba == inWindow.rgba));
}

}  // namespace
}  // namespace elasto::view
