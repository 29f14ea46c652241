// Rays through pixels, and what they meet.

#include <catch2/catch.hpp>
#include <random>

#include "view/pick.h"

namespace elasto::view {
namespace {

using Eigen::Vector3f;

Surface withId(int id) {
    Surface surface;
    surface.id = id;
    return surface;
}

/// A ray towards a point from outside.
Ray towards(const Vector3f& from, const Vector3f& to) {
    return {from, (to - from).normalized()};
}

TEST_CASE("A ray through a pixel meets what is drawn there") {
    Camera camera;
    camera.viewpoint = {{0.3F, -0.2F, 0.7F}, 5, 0.8F, 0.4F};
    const Vector3f point(0.9F, 0.1F, 0.2F);
    const auto pixel = camera.project(point, 640, 480);
    REQUIRE(pixel);
    const Ray ray = camera.ray(pixel->x(), pixel->y(), 640, 480);
    CHECK((ray.origin - camera.position()).norm() < 1e-5F);
    CHECK((ray.direction.cross(point - ray.origin)).norm() < 1e-4F);

    Picture picture;
    picture.spheres.push_back({{point, Eigen::Quaternionf::Identity()}, 0.1F, withId(7)});
    const auto hit = pick(picture, ray);
    REQUIRE(hit);
    CHECK(hit->id == 7);
    CHECK(hit->distance == Approx((point - ray.origin).norm() - 0.1F).epsilon(1e-4));
    CHECK((hit->point - point).norm() == Approx(0.1F).epsilon(1e-3));
    CHECK_FALSE(pick(picture, camera.ray(pixel->x() + 60, pixel->y(), 640, 480)));
}

TEST_CASE("What is behind the camera is nowhere in the picture") {
    Camera camera;
    CHECK_FALSE(camera.project(camera.position() - camera.forward(), 640, 480));
}

TEST_CASE("Rays meet bodies where their surfaces are") {
    // Random rays against each body; the point met must lie on the surface, and points a little before it outside.
    std::mt19937 random(5);
    std::uniform_real_distribution<float> number(-1, 1);
    const auto vector = [&] { return Vector3f(number(random), number(random), number(random)); };
    const Vector3f a(-0.4F, 0.1F, 0.2F);
    const Vector3f b(0.5F, -0.2F, 0.1F);
    const float radius = 0.3F;
    const Pose pose = {{0.1F, 0.2F, -0.1F},
                       Eigen::Quaternionf(Eigen::AngleAxisf(0.7F, Vector3f(1, 2, 3).normalized()))};
    const Vector3f half(0.3F, 0.2F, 0.4F);
    const auto alongAxis = [&](const Vector3f& p) { return (p - a).dot(b - a) / (b - a).squaredNorm(); };
    const auto axisDistance = [&](const Vector3f& p, float along) { return (p - a - along * (b - a)).norm(); };
    // Signed measures: negative inside, zero on the surface.
    const auto capsule = [&](const Vector3f& p) {
        return axisDistance(p, std::clamp(alongAxis(p), 0.0F, 1.0F)) - radius;
    };
    const auto cylinder = [&](const Vector3f& p) {
        const float s = alongAxis(p);
        return std::max(axisDistance(p, s) - radius, (std::abs(s - 0.5F) - 0.5F) * (b - a).norm());
    };
    const auto box = [&](const Vector3f& p) {
        const Vector3f own = pose.orientation.conjugate() * Vector3f(p - pose.position);
        return (own.cwiseAbs() - half).maxCoeff();
    };
    int met = 0;
    for (int i = 0; i < 300; ++i) {
        const Ray ray = towards(4 * vector().normalized(), 0.6F * vector());
        const auto check = [&](const std::optional<float>& distance, auto measure) {
            // Does any point of the ray lie inside?
            float least = 1e9F;
            for (float t = 0; t < 8; t += 0.01F) least = std::min(least, measure(ray.origin + t * ray.direction));
            if (distance) {
                ++met;
                CHECK(std::abs(measure(ray.origin + *distance * ray.direction)) < 2e-5F);
                CHECK(measure(ray.origin + (*distance - 1e-3F) * ray.direction) > 0);
            } else {
                CHECK(least > 0);
            }
        };
        check(meetCapsule(ray, a, b, radius), capsule);
        check(meetCylinder(ray, a, b, radius), cylinder);
        check(meetBox(ray, pose, half), box);
        check(meetBall(ray, a, radius), [&](const Vector3f& p) { return (p - a).norm() - radius; });
    }
    CHECK(met > 300);
}

TEST_CASE("From inside, a body is met at once, and behind one, never") {
    CHECK(meetBall({Vector3f::Zero(), Vector3f::UnitX()}, Vector3f::Zero(), 1) == 0.0F);
    CHECK_FALSE(meetBall({Vector3f(2, 0, 0), Vector3f::UnitX()}, Vector3f::Zero(), 1));
    CHECK_FALSE(meetBox({Vector3f(2, 0, 0), Vector3f::UnitX()}, {}, Vector3f::Ones()));
    CHECK_FALSE(meetPlane({Vector3f(0, -1, 0), Vector3f::UnitY()}, Vector3f::Zero(), Vector3f::UnitY()));
}

TEST_CASE("The nearest object is picked, ghosts and nameless ones are not") {
    Picture picture;
    const Ray ray = {Vector3f(0, 0, 10), -Vector3f::UnitZ()};
    Box box;
    box.surface = withId(1);
    picture.boxes.push_back(box);
    box.pose.position.z() = 2;
    box.surface = withId(2);
    box.surface.opacity = 0.5F;
    picture.boxes.push_back(box);
    box.pose.position.z() = 4;
    box.surface = withId(-1);
    picture.boxes.push_back(box);
    CHECK(pick(picture, ray)->id == 1);

    Spring spring;
    spring.a = {-1, 0.1F, 3};
    spring.b = {1, 0.1F, 3};
    spring.width = 0.1F;
    spring.surface = withId(3);
    picture.springs.push_back(spring);
    CHECK(pick(picture, ray)->id == 1);
    // 0.1 m beside a spring 7 m away: met with a slack of 0.015 rad.
    CHECK(pick(picture, ray, 0.015F)->id == 3);

    auto corner = std::make_shared<Mesh>(flatMesh({{-1, -1, 5}, {1, -1, 5}, {0, 1, 5}}, {0, 1, 2}));
    picture.hulls.push_back({{}, Vector3f::Ones(), corner, withId(4)});
    CHECK(pick(picture, ray)->id == 4);
    picture.hulls.back().scale.setConstant(0.5F);
    CHECK(pick(picture, ray)->point.z() == Approx(2.5F));
}

TEST_CASE("A camera fits a box into its picture, and goes home") {
    Camera camera;
    camera.viewpoint.elevation = 0.5F;
    const Eigen::AlignedBox3f box(Vector3f(-3, 0, -1), Vector3f(5, 2, 1));
    camera.fit(box, 640.0F / 480);
    float widest = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const auto pixel = camera.project(box.corner(static_cast<Eigen::AlignedBox3f::CornerType>(corner)), 640, 480);
        REQUIRE(pixel);
        widest = std::max({widest, std::abs(pixel->x() / 320 - 1), std::abs(pixel->y() / 240 - 1)});
    }
    CHECK(widest <= 0.85F);
    CHECK(widest > 0.8F);
    camera.home();
    CHECK(camera.viewpoint.distance == Viewpoint().distance);
}

TEST_CASE("Panning and zooming keep what is under the pointer") {
    Camera camera;
    camera.viewpoint = {{1, 2, 3}, 6, -0.6F, 0.3F};
    const Vector3f held = camera.viewpoint.target + 0.4F * camera.right() - 0.3F * camera.upward();
    const Eigen::Vector2f before = *camera.project(held, 640, 480);
    camera.zoomAt(0.7F, before.x(), before.y(), 640, 480);
    CHECK((*camera.project(held, 640, 480) - before).norm() < 0.1F);
    camera.pan(30, -20, 480);
    CHECK((*camera.project(held, 640, 480) - before - Eigen::Vector2f(30, -20)).norm() < 0.1F);
}

}  // namespace
}  // namespace elasto::view
