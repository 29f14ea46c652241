// What a picture shows, read back pixel by pixel.

#include <catch2/catch.hpp>
#include <limits>

#include "studio.h"

namespace elasto::view {
namespace {

using Eigen::Vector3f;

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

TEST_CASE("Round bodies have the outlines of their sizes", "[slow]") {
    Studio studio;
    // Far away, so that outlines are those of a parallel projection; scale [pixel/m] at the target.
    studio.camera.fieldOfView = 0.05F;
    studio.camera.viewpoint.distance = 50;
    const double scale = 240 / (2 * 50 * std::tan(0.025));
    const double pi = 3.14159265;
    double expected = 0;
    SECTION("ball") {
        studio.picture.spheres.push_back({{}, 0.6F, red()});
        expected = pi * 0.36;
    }
    SECTION("capsule") {
        studio.picture.capsules.push_back({{-0.5F, 0, 0}, {0.5F, 0, 0}, 0.4F, Vector3f::Zero(), red()});
        expected = 1 * 0.4 + pi * 0.04;
    }
    SECTION("cylinder from the side") {
        studio.picture.cylinders.push_back({{0, -0.5F, 0}, {0, 0.4F, 0}, 0.5F, Vector3f::Zero(), red()});
        expected = 0.9 * 0.5;
    }
    SECTION("cylinder from its end") {
        studio.picture.cylinders.push_back({{0, 0, -0.5F}, {0, 0, 0.4F}, 0.5F, Vector3f::Zero(), red()});
        expected = pi * 0.0625;
    }
    SECTION("cone") {
        studio.picture.cones.push_back({{-0.5F, 0, 0}, {0.7F, 0, 0}, 0.8F, red()});
        expected = 1.2 * 0.8 / 2;
    }
    SECTION("gear") {
        Gear gear;
        gear.pitchRadius = 0.8F;
        gear.teeth = 30;
        gear.surface = red();
        studio.picture.gears.push_back(gear);
        // Teeth and gaps take turns about the pitch circle, the dedendum is a quarter larger; the bore is open.
        expected = pi * 0.64 * (1 - 0.16 * 0.16) - 0.02;
    }
    SECTION("hull, scaled") {
        const auto mesh = std::make_shared<const Mesh>(
            flatMesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}));
        studio.picture.hulls.push_back({{}, {0.8F, 0.9F, 0.5F}, mesh, red()});
        expected = 0.5 * 0.8 * 0.9;
    }
    const double area = count(studio.draw(), isRed) / (scale * scale);
    CHECK(area == Approx(expected).epsilon(0.03));
}

TEST_CASE("The same picture has the same bytes", "[slow]") {
    Studio studio;
    studio.picture.boxes.emplace_back();
    studio.picture.planes.push_back({{0, -0.5F, 0}, {0, 1, 0}, 1});
    studio.camera.viewpoint.elevation = 0.4F;
    const Image first = studio.draw();
    CHECK((studio.draw().rgba == first.rgba));
}

TEST_CASE("Colours in the light are those that were asked for") {
    Studio studio;
    Box box;
    box.surface.color = Color::bytes(120, 160, 90);
    box.surface.specularCoefficient = 0;
    studio.picture.boxes.push_back(box);
    // The lamp behind the viewer.
    studio.light.direction = Vector3f::UnitZ();
    const auto pixel = studio.draw().pixel(160, 120);
    CHECK(std::abs(pixel[0] - 120) < 22);
    CHECK(std::abs(pixel[1] - 160) < 22);
    CHECK(std::abs(pixel[2] - 90) < 22);
}

TEST_CASE("Edges of multisampled pictures are mixed as light", "[slow]") {
    // A white square over black, a little turned: how many pixels have a share of its light.
    const auto mesh =
        std::make_shared<const Mesh>(flatMesh({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {0, 1, 2, 0, 2, 3}));
    const auto pixelsWith = [&](int samples, double share) {
        Studio studio(320, 240, samples);
        studio.light.zenith = studio.light.horizon = studio.light.ground = Color::bytes(0, 0, 0);
        Hull square;
        square.mesh = mesh;
        square.surface.color = Color::bytes(255, 255, 255);
        square.surface.specularCoefficient = 0;
        square.pose.orientation = Eigen::AngleAxisf(0.1F, Vector3f::UnitZ());
        studio.picture.hulls.push_back(square);
        const Image image = studio.draw();
        const double whole = std::pow(brightness(image.pixel(160, 120)), 2.2);
        const double expected = std::pow(share * whole, 1 / 2.2);
        return count(image, [&](const auto& p) { return std::abs(brightness(p) - expected) < 0.03; });
    };
    for (const double share : {0.25, 0.5, 0.75}) CHECK(pixelsWith(4, share) > 40);
    CHECK(pixelsWith(1, 0.5) == 0);
    // Mixed as code, a quarter would look like a twentieth of the light.
    CHECK(pixelsWith(4, std::pow(0.25, 2.2)) == 0);
}

TEST_CASE("A shadow darkens the ground beside a box, and only with shadows on", "[slow]") {
    Studio studio;
    studio.camera.viewpoint = {{0, 0, 0}, 6, 0, 0.8F};
    studio.picture.planes.push_back({{0, 0, 0}, {0, 1, 0}, 0});
    Box box;
    box.pose.position.y() = 0.5F;
    studio.picture.boxes.push_back(box);
    // From the left: the shadow falls to the right, as far as the box is high.
    studio.light.direction = {-1, 1, 0};
    const auto inShadow = studio.camera.project({0.9F, 0, 0}, 320, 240);
    const auto inLight = studio.camera.project({-0.9F, 0, 0}, 320, 240);
    const auto ratio = [&] {
        const Image image = studio.draw();
        return brightnessAround(image, static_cast<int>(inShadow->x()), static_cast<int>(inShadow->y())) /
               brightnessAround(image, static_cast<int>(inLight->x()), static_cast<int>(inLight->y()));
    };
    studio.quality.contactShade = false;
    for (const Shadows kind : {Shadows::Plain, Shadows::Soft}) {
        studio.quality.shadows = kind;
        CHECK(ratio() < 0.8);
    }
    studio.quality.shadows = Shadows::Off;
    CHECK(ratio() == Approx(1).margin(0.01));
}

TEST_CASE("Soft shadows are sharp at the foot of what casts them and soft at its head") {
    Studio studio(640, 480);
    // A thin tall wall seen from above, its shadow to the right.
    studio.camera.viewpoint = {{1, 0, 0}, 12, 0, Camera::kHighest};
    studio.picture.planes.push_back({{0, 0, 0}, {0, 1, 0}, 0});
    Box wall;
    wall.halfExtents = {0.02F, 1.5F, 0.4F};
    wall.pose.position.y() = 1.5F;
    studio.picture.boxes.push_back(wall);
    studio.light.direction = {-0.6F, 1, 0.3F};
    studio.quality.contactShade = false;
    const Image image = studio.draw();
    // Across the shadow's long border near the foot and near the head.
    const auto width = [&](float along) {
        int mixed = 0;
        const auto line = studio.camera.project({along, 0, 0}, 640, 480);
        const double light = brightness(image.pixel(static_cast<int>(line->x()), 20));
        double darkest = 1;
        for (int y = 0; y < 480; ++y) {
            darkest = std::min(darkest, brightness(image.pixel(static_cast<int>(line->x()), y)));
        }
        REQUIRE(darkest < 0.85 * light);
        for (int y = 0; y < 480; ++y) {
            const double share =
                (brightness(image.pixel(static_cast<int>(line->x()), y)) - darkest) / (light - darkest);
            mixed += share > 0.15 && share < 0.85 ? 1 : 0;
        }
        return mixed;
    };
    CHECK(width(1.6F) > width(0.15F) + 1);
}

TEST_CASE("Bodies shade the ground they stand on where no lamp casts a shadow") {
    Studio studio;
    studio.camera.viewpoint = {{0, 0, 0}, 6, 0, 0.8F};
    studio.picture.planes.push_back({{0, 0, 0}, {0, 1, 0}, 0});
    studio.picture.spheres.push_back({{{0, 0.5F, 0}, Eigen::Quaternionf::Identity()}, 0.5F, red()});
    studio.quality.shadows = Shadows::Off;
    const auto near = studio.camera.project({0.3F, 0, 0.45F}, 320, 240);
    const auto far = studio.camera.project({0.3F, 0, 1.8F}, 320, 240);
    const auto ratio = [&] {
        const Image image = studio.draw();
        return brightnessAround(image, static_cast<int>(near->x()), static_cast<int>(near->y()), 1) /
               brightnessAround(image, static_cast<int>(far->x()), static_cast<int>(far->y()), 1);
    };
    CHECK(ratio() < 0.93);
    studio.quality.contactShade = false;
    CHECK(ratio() == Approx(1).margin(0.01));
}

TEST_CASE("A plane is seen from the side of its normal, with its grid", "[slow]") {
    Studio studio;
    studio.camera.viewpoint = {{0, 0, 0}, 6, 0, 0.9F};
    const Image empty = studio.draw();
    studio.picture.planes.push_back({{0, 0, 0}, {0, 1, 0}, 0});
    const Image plain = studio.draw();
    studio.picture.planes.front().spacing = 1;
    const Image lined = studio.draw();
    CHECK((plain.rgba != empty.rgba));
    // Lines through the origin: darker there than on the plane itself.
    CHECK(brightness(lined.pixel(160, 120)) < brightness(plain.pixel(160, 120)) - 0.05);
    studio.camera.viewpoint.elevation = -0.9F;
    const Image below = studio.draw();
    studio.picture.planes.clear();
    CHECK((below.rgba == studio.draw().rgba));
}

TEST_CASE("A ghost lets through what is behind it, once", "[slow]") {
    Studio studio;
    Box box;
    box.surface = red();
    box.surface.color = Color::bytes(0, 0, 255);
    box.halfExtents.setConstant(0.2F);
    box.pose.position.z() = -1;
    studio.picture.boxes.push_back(box);
    const auto behind = studio.draw().pixel(160, 120);
    Box ghost;
    ghost.surface = red();
    ghost.surface.opacity = 0.4F;
    studio.picture.boxes.push_back(ghost);
    const auto through = studio.draw().pixel(160, 120);
    studio.picture.boxes.back().surface.opacity = 1;
    const auto front = studio.draw().pixel(160, 120);
    CHECK(through[0] > behind[0] + 40);
    CHECK(through[0] < front[0] - 10);
    CHECK(through[2] > front[2] + 40);
    // Nothing of its back or of a second ghost inside it is added.
    studio.picture.boxes.back().surface.opacity = 0.4F;
    ghost.halfExtents.setConstant(0.3F);
    studio.picture.boxes.push_back(ghost);
    CHECK(studio.draw().pixel(160, 120) == through);
}

TEST_CASE("What is not finite is left out, and the rest is drawn") {
    Studio studio;
    Box box;
    box.surface = red();
    studio.picture.boxes.push_back(box);
    const Image good = studio.draw();
    box.pose.position.x() = std::numeric_limits<float>::quiet_NaN();
    studio.picture.boxes.push_back(box);
    studio.picture.springs.push_back({Vector3f::Zero(), Vector3f::Constant(std::numeric_limits<float>::infinity()),
                                      0.1F, 0.01F, 5, Vector3f::Zero(), red()});
    Plane plane;
    plane.normal.setZero();
    studio.picture.planes.push_back(plane);
    CHECK((studio.draw().rgba == good.rgba));
}

TEST_CASE("What is highlighted turns towards the accent colour") {
    Studio studio;
    Sphere ball;
    ball.surface.color = Color::bytes(60, 60, 70);
    studio.picture.spheres.push_back(ball);
    const auto orange = [](const auto& p) { return p[0] > p[2] + 60; };
    CHECK(count(studio.draw(), orange) == 0);
    studio.picture.spheres.front().surface.highlight = 1;
    CHECK(count(studio.draw(), orange) > 1000);
}

}  // namespace
}  // namespace elasto::view
