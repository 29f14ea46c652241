#include "gallery/joint_drawing.h"

#include "gallery/modelica_geometry.h"

#include <elasto/flow.h>

#include <algorithm>
#include <cmath>

namespace elasto::gallery {

namespace {

constexpr SceneColor kPin = {96, 102, 110};
constexpr SceneColor kCoil = {60, 160, 250};

/// Sizes of springs and dampers of an element, by those of its joint.
void scale(const JointLook& look, SceneElement& element) {
    SceneAnimation& animation = element.animation;
    const double r = look.radius;
    animation.width = r;
    animation.coilWidth = 0.12 * r;
    animation.diameter_a = 0.8 * r;
    animation.diameter_b = 0.45 * r;
    animation.length_a = 0.4 * look.length;
    animation.numberOfWindings = 6;
    animation.color = kCoil;
}

double shownGlow(const SceneDrawing::ElementState& state, const ElementView& view) {
    const double force = std::max(std::abs(view.moment.sample.force.f), std::abs(view.moment.shownForce));
    return view.moment.isEnabled ? glowOf(force, state.largest) : 0;
}

view::StopFace face(const Eigen::Vector3d& at, const Eigen::Vector3d& direction, const Eigen::Vector3d& up, double wide,
                    double high, double glow, const ElementView& view) {
    Eigen::Matrix3d axes;
    axes << up.cross(direction), up, direction;
    return {.pose = {.position = at.cast<float>(), .orientation = Eigen::Quaterniond(axes).cast<float>()},
            .size = Eigen::Vector2d(wide, high).cast<float>(),
            .thickness = static_cast<float>(0.3 * high),
            .glow = static_cast<float>(glow),
            .surface = surfaceOf(view, {120, 126, 134}, 0.3F)};
}

void addCylinder(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double diameter, const view::Surface& surface,
                 view::Picture& picture) {
    picture.cylinders.push_back(
        {.a = a.cast<float>(), .b = b.cast<float>(), .diameter = static_cast<float>(diameter), .surface = surface});
}

/// A pin turns with the link about the axis, and a plate on the parent is where it is stopped.
void drawTurningStop(const SceneDrawing::ElementState& state, const JointPlace& place, const JointLook& look,
                     const ElementView& view, view::Picture& picture) {
    const double r = look.radius, depth = look.end - look.begin;
    const double pin = 0.3 * r;  // diameter
    const Eigen::Vector3d centre = place.pivot + place.sign * (look.begin + depth / 2) * place.axis;
    addCylinder(centre, centre + 1.5 * r * place.side, pin, surfaceOf(view, kPin, 0.4F), picture);
    addCylinder(centre - depth / 2 * place.axis, centre + depth / 2 * place.axis, 0.6 * r, surfaceOf(view, kPin, 0.4F),
                picture);
    // The plate is where the pin's side is when contact begins, and looks towards it.
    const double ahead = unstretched(state.element.law) - view.moment.sample.s - std::asin(pin / 2 / (1.25 * r));
    const Eigen::Vector3d arm = Eigen::AngleAxisd(ahead, place.axis) * place.side;
    const Eigen::Vector3d towards = place.axis.cross(arm);
    picture.stopFaces.push_back(
        face(centre + 1.25 * r * arm, towards, place.axis, 0.6 * r, depth, shownGlow(state, view), view));
}

/// A drum that the link turns in, and a spring between pins.
void drawTurningSpring(SceneDrawing::ElementState& state, const JointPlace& place, const JointLook& look,
                       const Rotary& rotary, const ElementView& view, view::Picture& picture,
                       std::vector<Label>& labels) {
    const SceneElement& element = state.element;
    if (hasDamper(element) || !hasCoil(element)) {
        const double depth = look.end - look.begin;
        const Eigen::Vector3d first = rotary.centre - depth / 2 * place.axis;
        addCylinder(first, first + 0.6 * depth * place.axis, 1.1 * look.radius,
                    surfaceOf(view, element.animation.color_a, 0.5F), picture);
        addCylinder(first + 0.6 * depth * place.axis, first + depth * place.axis, 0.6 * look.radius,
                    surfaceOf(view, element.animation.color_b, 0.5F), picture);
    }
    drawRotational(state, rotary, view, picture, labels);
}

/// A collar slides with the link, and a plate on the parent is where it is stopped.
void drawSlidingStop(const SceneDrawing::ElementState& state, const JointPlace& place, const JointLook& look,
                     const ElementView& view, view::Picture& picture) {
    const double r = look.radius;
    const Eigen::Vector3d pivot = place.pivot + look.beside * place.side;
    const double half = 0.15 * r;
    addCylinder(pivot - half * place.axis, pivot + half * place.axis, 0.9 * r, surfaceOf(view, kPin, 0.4F), picture);
    const double ahead = unstretched(state.element.law) - view.moment.sample.s - half;
    const Eigen::Vector3d at = pivot + ahead * place.axis;
    picture.stopFaces.push_back(face(at, place.axis, place.side, r, r, shownGlow(state, view), view));
    const Eigen::Vector3d back = at - 0.3 * r * place.axis;
    picture.springs.push_back({.a = (back - r * place.axis).cast<float>(),
                               .b = back.cast<float>(),
                               .width = static_cast<float>(0.8 * r),
                               .coilWidth = static_cast<float>(0.12 * r),
                               .numberOfWindings = 3,
                               .surface = surfaceOf(view, kCoil, 0.5F)});
}

void drawSlidingSpring(const SceneDrawing::ElementState& state, const JointPlace& place, const JointLook& look,
                       const ElementView& view, view::Picture& picture) {
    // Its length is what the joint has moved, and what the picture has besides.
    const double sign = look.isAhead ? -1 : 1;
    ElementMoment moment = view.moment;
    moment.sample.s_damper = look.length + sign * view.moment.sample.s_damper;
    const Eigen::Vector3d b = place.pivot + look.beside * place.side;
    const double s = look.length + sign * view.moment.sample.s;
    const Ends ends{.a = b - sign * s * place.axis, .b = b, .e = sign * place.axis, .s = s};
    const ElementView moved{.scene = view.scene,
                            .bodies = view.bodies,
                            .moment = moment,
                            .options = view.options,
                            .index = view.index,
                            .sceneSize = view.sceneSize,
                            .largestOfAll = view.largestOfAll};
    drawSpringDamper(ends, state.element, moved, picture);
    const view::Surface surface = surfaceOf(view, kPin, 0.4F);
    for (const Eigen::Vector3d& end : {ends.a, ends.b}) {
        addCylinder(end - look.beside * place.side, end, 0.25 * look.radius, surface, picture);
    }
}

void drawForce(const JointPlace& place, const ElementView& view, view::Picture& picture) {
    const double share = arrowShare(view.moment.shownForce, view.largestOfAll);
    if (!view.options.forces || !view.moment.isEnabled || share == 0) return;
    const double length =
        std::copysign(share * view.options.forceScale * kLongestArrow * view.sceneSize, -view.moment.shownForce);
    picture.arrows.push_back(forceArrow(place.pivot, length * place.axis, view.sceneSize));
}

void drawTurning(SceneDrawing::ElementState& state, const JointPlace& place, const std::optional<JointLook>& look,
                 const ElementView& view, view::Picture& picture, std::vector<Label>& labels) {
    const JointLook shape = look.value_or(JointLook{.radius = 0.08 * view.sceneSize});
    const double middle = (shape.begin + shape.end) / 2;
    Rotary rotary;
    rotary.centre = place.pivot + place.sign * middle * place.axis;
    rotary.axis = place.axis;
    rotary.b = place.frame;
    rotary.a = rotary.b * Eigen::AngleAxisd(-view.moment.sample.s, Eigen::Vector3d::UnitZ());
    rotary.radius = shape.radius;
    rotary.begin = shape.begin - middle;
    rotary.end = shape.end - middle;
    rotary.isBetween = shape.isBetween;
    const bool hasPlay = std::holds_alternative<ElastoBacklashLaw>(state.element.law);
    const bool stops = isStop(state.element);
    rotary.isShown = look && !stops;
    if (look && stops) drawTurningStop(state, place, *look, view, picture);
    if (look && !stops && !hasPlay) {
        drawTurningSpring(state, place, *look, rotary, view, picture, labels);
    } else {
        drawRotational(state, rotary, view, picture, labels);
    }
}

}  // namespace

void drawOnJoint(SceneDrawing::ElementState& state, bool turns, const JointPlace& place,
                 const std::optional<JointLook>& look, const ElementView& view, view::Picture& picture,
                 std::vector<Label>& labels) {
    if (look) scale(*look, state.element);
    if (turns) return drawTurning(state, place, look, view, picture, labels);
    if (look) {
        if (isStop(state.element)) {
            drawSlidingStop(state, place, *look, view, picture);
        } else {
            drawSlidingSpring(state, place, *look, view, picture);
        }
    }
    drawForce(place, view, picture);
    if (view.options.labels) {
        labels.push_back({.at = place.pivot.cast<float>(), .text = labelOf(state.element, view.moment.sample)});
    }
}

}  // namespace elasto::gallery
