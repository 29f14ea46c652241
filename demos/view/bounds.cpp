#include <cmath>

#include "shadow_map.h"
#include "view/picture.h"

namespace elasto::view {

namespace {

using Eigen::AlignedBox3f;
using Eigen::Vector3f;

void addBall(AlignedBox3f& box, const Vector3f& center, float radius) {
    if (!center.allFinite() || !std::isfinite(radius)) return;
    const Vector3f reach = Vector3f::Constant(std::abs(radius));
    box.extend(center - reach);
    box.extend(center + reach);
}

void addBox(AlignedBox3f& box, const Pose& pose, const Vector3f& low, const Vector3f& high) {
    const AlignedBox3f own(low, high);
    for (int corner = 0; corner < 8; ++corner) {
        addBall(box, pose.position + pose.orientation * own.corner(static_cast<AlignedBox3f::CornerType>(corner)), 0);
    }
}

/// A round body between two points: its end discs are across its axis.
void addRound(AlignedBox3f& box, const Vector3f& a, const Vector3f& b, float radiusA, float radiusB) {
    const Vector3f axis = (b - a).stableNormalized();
    const Vector3f across = (Vector3f::Ones() - axis.cwiseAbs2()).cwiseMax(0).cwiseSqrt();
    for (const float sign : {-1.0F, 1.0F}) {
        addBall(box, a + sign * std::abs(radiusA) * across, 0);
        addBall(box, b + sign * std::abs(radiusB) * across, 0);
    }
}

/// Around all objects whose surface counts, with arrows and lines or without.
template <class Counts>
AlignedBox3f boundsOf(const Picture& picture, Counts counts, bool withSigns) {
    AlignedBox3f box;
    const auto each = [&](const auto& items, auto add) {
        for (const auto& item : items) {
            if (counts(item.surface)) add(item);
        }
    };
    each(picture.boxes, [&](const Box& item) { addBox(box, item.pose, -item.halfExtents, item.halfExtents); });
    each(picture.spheres, [&](const Sphere& item) { addBall(box, item.pose.position, item.radius); });
    each(picture.capsules, [&](const Capsule& item) {
        addBall(box, item.a, item.diameter / 2);
        addBall(box, item.b, item.diameter / 2);
    });
    each(picture.cylinders,
         [&](const Cylinder& item) { addRound(box, item.a, item.b, item.diameter / 2, item.diameter / 2); });
    each(picture.cones, [&](const Cone& item) { addRound(box, item.a, item.b, item.diameter / 2, 0); });
    each(picture.hulls, [&](const Hull& item) {
        if (item.mesh == nullptr) return;
        for (const Vector3f& corner : item.mesh->positions) {
            addBall(box, item.pose.position + item.pose.orientation * item.scale.cwiseProduct(corner), 0);
        }
    });
    each(picture.springs, [&](const Spring& item) { addRound(box, item.a, item.b, item.width / 2, item.width / 2); });
    each(picture.stopFaces, [&](const StopFace& item) {
        addBox(box, item.pose, {-item.size.x() / 2, -item.size.y() / 2, -item.thickness},
               {item.size.x() / 2, item.size.y() / 2, 0});
    });
    each(picture.gears, [&](const Gear& item) {
        const float outer = item.pitchRadius * (1 + (item.internal ? 8.0F : 2.0F) / static_cast<float>(item.teeth));
        const Vector3f half = item.pose.orientation * Vector3f(0, 0, item.width / 2);
        addRound(box, item.pose.position - half, item.pose.position + half, outer, outer);
    });
    if (!withSigns) return box;
    for (const Arrow& item : picture.arrows) {
        addBall(box, item.from, item.diameter / 2);
        addBall(box, item.from + item.vector, item.diameter / 2);
    }
    for (const CurvedArrow& item : picture.curvedArrows) {
        addRound(box, item.center, item.center + 1e-6F * item.axis, item.radius, item.radius);
    }
    for (const Line& item : picture.lines) {
        addBall(box, item.a, 0);
        addBall(box, item.b, 0);
    }
    return box;
}

}  // namespace

void Picture::clear() {
    boxes.clear();
    spheres.clear();
    capsules.clear();
    cylinders.clear();
    cones.clear();
    hulls.clear();
    springs.clear();
    stopFaces.clear();
    gears.clear();
    arrows.clear();
    curvedArrows.clear();
    lines.clear();
    planes.clear();
}

AlignedBox3f bounds(const Picture& picture) {
    return boundsOf(
        picture, [](const Surface&) { return true; }, true);
}

AlignedBox3f boundsOfCasters(const Picture& picture) {
    return boundsOf(
        picture, [](const Surface& surface) { return surface.opacity >= 1; }, false);
}

}  // namespace elasto::view
