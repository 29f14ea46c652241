#include "gallery/shifted_picture.h"

namespace elasto::gallery {

namespace {

template <class Objects, class Move>
void append(const Objects& from, Objects& to, Move moved) {
    for (auto object : from) {
        moved(object);
        if constexpr (requires { object.surface.id; }) object.surface.id = -1;
        to.push_back(object);
    }
}

}  // namespace

void appendShifted(const view::Picture& from, const Eigen::Vector3f& shift, view::Picture& to) {
    const auto byPose = [&](auto& object) { object.pose.position += shift; };
    const auto byEnds = [&](auto& object) {
        object.a += shift;
        object.b += shift;
    };
    append(from.boxes, to.boxes, byPose);
    append(from.spheres, to.spheres, byPose);
    append(from.hulls, to.hulls, byPose);
    append(from.stopFaces, to.stopFaces, byPose);
    append(from.gears, to.gears, byPose);
    append(from.capsules, to.capsules, byEnds);
    append(from.cylinders, to.cylinders, byEnds);
    append(from.cones, to.cones, byEnds);
    append(from.springs, to.springs, byEnds);
    append(from.lines, to.lines, byEnds);
    append(from.arrows, to.arrows, [&](view::Arrow& arrow) { arrow.from += shift; });
    append(from.curvedArrows, to.curvedArrows, [&](view::CurvedArrow& arrow) { arrow.center += shift; });
}

}  // namespace elasto::gallery
