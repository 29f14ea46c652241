// Every demo's picture: each object that nothing hides is where it belongs, in its colour.

#include "studio.h"

#include "view/pick.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace elasto;
using namespace elasto::gallery;

namespace {

using Points = std::vector<Eigen::Vector3f>;

/// An object of a picture, and points of it that may be seen.
struct Object {
    std::string name;
    view::Surface surface;
    Points points;
};

Points along(const Eigen::Vector3f& a, const Eigen::Vector3f& b) {
    Points points;
    for (int i = 1; i < 12; ++i) points.push_back(a + (b - a) * (static_cast<float>(i) / 12));
    return points;
}

/// Middles of faces and of what lies between them.
Points onBox(const view::Pose& pose, const Eigen::Vector3f& half) {
    Points points;
    for (int i = 0; i < 125; ++i) {
        const Eigen::Vector3f share(static_cast<float>(i % 5 - 2), static_cast<float>(i / 5 % 5 - 2),
                                    static_cast<float>(i / 25 - 2));
        if (share.cwiseAbs().maxCoeff() < 2) continue;
        points.push_back(pose.position + pose.orientation * Eigen::Vector3f(0.45F * share.cwiseProduct(half)));
    }
    return points;
}

Points onBall(const Eigen::Vector3f& center, float radius) {
    Points points;
    for (int i = 0; i < 27; ++i) {
        const Eigen::Vector3f share(static_cast<float>(i % 3 - 1), static_cast<float>(i / 3 % 3 - 1),
                                    static_cast<float>(i / 9 - 1));
        points.push_back(center + 0.5F * radius * share);
    }
    return points;
}

Points onHull(const view::Hull& hull) {
    // The middles of its triangles.
    Points points;
    const std::vector<std::uint32_t>& corners = hull.mesh->triangles;
    const std::size_t stride = 3 * (corners.size() / 3 / 200 + 1);
    for (std::size_t i = 0; i + 2 < corners.size(); i += stride) {
        Eigen::Vector3f middle = Eigen::Vector3f::Zero();
        for (std::size_t k = 0; k < 3; ++k) middle += hull.mesh->positions[corners[i + k]] / 3;
        points.push_back(hull.pose.position + hull.pose.orientation * Eigen::Vector3f(hull.scale.cwiseProduct(middle)));
    }
    return points;
}

Points onGear(const view::Gear& gear) {
    Points points;
    for (int i = 0; i < 16; ++i) {
        const float angle = static_cast<float>(i) * static_cast<float>(M_PI) / 8;
        for (const float side : {-0.5F, 0.5F}) {
            const Eigen::Vector3f local(0.8F * gear.pitchRadius * std::cos(angle),
                                        0.8F * gear.pitchRadius * std::sin(angle), side * gear.width);
            points.push_back(gear.pose.position + gear.pose.orientation * local);
        }
    }
    return points;
}

/// Numbers all objects of a picture, so that picking tells which of them a pixel shows.
std::vector<Object> number(view::Picture& picture) {
    std::vector<Object> objects;
    const auto add = [&](auto& items, const char* name, const auto& pointsOf) {
        for (auto& item : items) {
            objects.push_back({name, item.surface, pointsOf(item)});
            item.surface.id = static_cast<int>(objects.size()) - 1;
        }
    };
    const auto ofEnds = [](const auto& item) { return along(item.a, item.b); };
    add(picture.boxes, "box", [](const view::Box& box) { return onBox(box.pose, box.halfExtents); });
    add(picture.spheres, "ball", [](const view::Sphere& ball) { return onBall(ball.pose.position, ball.radius); });
    add(picture.capsules, "capsule", ofEnds);
    add(picture.cylinders, "cylinder", ofEnds);
    add(picture.cones, "cone", ofEnds);
    add(picture.hulls, "hull", onHull);
    add(picture.springs, "spring", ofEnds);
    add(picture.stopFaces, "stop", [](const view::StopFace& stop) {
        return onBox(stop.pose, {stop.size.x() / 2, stop.size.y() / 2, stop.thickness / 2});
    });
    add(picture.gears, "gear", onGear);
    return objects;
}

/// The places in the picture where an object is what a ray meets first.
std::vector<Eigen::Vector2i> placesOf(const Object& object, int index, Studio& studio, const view::Picture& numbered) {
    std::vector<Eigen::Vector2i> places;
    const FreeArea area = studio.gallery().viewArea();
    for (const Eigen::Vector3f& point : object.points) {
        const Eigen::Vector2i place = studio.pixel(point);
        if (!isInside(place)) continue;
        const view::Ray ray = studio.gallery().stage().camera().ray(
            static_cast<float>(place.x()) + 0.5F - area.left, static_cast<float>(place.y()) + 0.5F - area.top,
            static_cast<int>(area.width()), static_cast<int>(area.height()));
        const std::optional<view::Hit> hit = view::pick(numbered, ray);
        if (hit && hit->id == index) places.push_back(place);
    }
    return places;
}

}  // namespace

TEST_CASE("in every demo's picture all that is not hidden is where it belongs, in its colour", "[slow]") {
    for (const Demo& demo : demos()) {
        INFO(demo.name);
        Studio studio(demo.name);
        studio.gallery().workspace().select(-1);
        studio.gallery().settings().forces = false;
        studio.gallery().stage().select(-1);
        const view::Image image = studio.draw(std::min(demo.pictureFrames, 60));
        view::Picture numbered = studio.gallery().picture();
        const std::vector<Object> objects = number(numbered);
        int seen = 0;
        int inView = 0;
        for (std::size_t i = 0; i < objects.size(); ++i) {
            const Object& object = objects[i];
            // Grey has no hue to look for, and ghosts are mixed with what is behind them.
            if (!isColored(object.surface.color) || object.surface.opacity < 1) continue;
            const auto isShown = [&](const Eigen::Vector3f& point) { return isInside(studio.pixel(point)); };
            if (std::any_of(object.points.begin(), object.points.end(), isShown)) ++inView;
            const std::vector<Eigen::Vector2i> places = placesOf(object, static_cast<int>(i), studio, numbered);
            if (places.size() < 2) continue;  // behind others, out of the view, or its edge alone is seen
            int found = 0;
            for (const Eigen::Vector2i& place : places) {
                // A coil is met as the cylinder around it: its wire passes nearby.
                found += pixelsOf(image, place, object.name == "spring" ? 12 : 2, object.surface.color) > 0 ? 1 : 0;
            }
            INFO(object.name << " " << i << " at " << places.front().transpose() << ", " << places.size() << " places");
            CHECK(2 * found >= static_cast<int>(places.size()));
            ++seen;
        }
        CHECK(seen >= 1);
        CHECK(3 * seen >= inView);  // teeth hide in rings, plates behind coils
        if (demo.guests) continue;
        // What elements are drawn as; a rope is a row of capsules.
        CHECK(numbered.springs.size() + numbered.stopFaces.size() + numbered.gears.size() + numbered.hulls.size() +
                  numbered.capsules.size() >
              0);
    }
}
