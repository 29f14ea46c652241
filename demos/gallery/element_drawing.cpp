#include "gallery/element_drawing.h"

#include "gallery/modelica_geometry.h"
#include "gallery/rope_shape.h"
#include "panels/context.h"

#include <elasto/flow.h>

#include <algorithm>
#include <cmath>

namespace elasto::gallery {

namespace {

const BodyPose& poseOf(int body, const std::vector<BodyPose>& poses) {
    static const BodyPose kOrigin;
    return body == kWorld ? kOrigin : poses[static_cast<std::size_t>(body)];
}

Ends endsOf(const SceneDrawing::ElementState& state, const ElementView& view) {
    const SceneElement& element = state.element;
    const BodyPose& poseA = poseOf(element.frame_a.body, view.bodies);
    Ends ends{.a = pointOf(element.frame_a, view.scene, poseA),
              .b = pointOf(element.frame_b, view.scene, poseOf(element.frame_b.body, view.bodies)),
              .e = Eigen::Vector3d::UnitX(),
              .isWorldA = element.frame_a.body == kWorld,
              .isWorldB = element.frame_b.body == kWorld};
    if (element.geometry == Geometry::AlongAxis) {
        ends.e = poseA.orientation * element.axis;
        ends.s = ends.e.dot(ends.b - ends.a);
        if (state.isCarriedByB) ends.a = ends.b - ends.s * ends.e;
    } else {
        const Eigen::Vector3d line = ends.b - ends.a;
        ends.s = line.norm();
        if (ends.s > 0) ends.e = line / ends.s;
    }
    return ends;
}

/// How far the surface of an end's body reaches from its frame in a world direction [m].
double surfaceBeyond(const SceneFrame& frame, const ElementView& view, const Eigen::Vector3d& direction) {
    if (frame.body == kWorld) return 0;
    const SceneBody& body = view.scene.bodies[static_cast<std::size_t>(frame.body)];
    const BodyPose& pose = poseOf(frame.body, view.bodies);
    return reach(body.shape, frame.position - body.centreOfMass, pose.orientation.conjugate() * direction);
}

view::Pose facing(const Eigen::Vector3d& point, const Eigen::Vector3d& direction) {
    return {.position = point.cast<float>(), .orientation = frameAlong(direction).cast<float>()};
}

/// A block that stands for the world where an element is fixed to it.
void drawAnchor(const Eigen::Vector3d& point, const Eigen::Vector3d& outwards, double width, view::Picture& picture) {
    const double depth = 0.35 * width;
    const view::Surface surface{.color = view::Color::bytes(150, 154, 160), .specularCoefficient = 0.2F};
    picture.boxes.push_back({.pose = facing(point + outwards * depth / 2, outwards),
                             .halfExtents = Eigen::Vector3d(width, width, depth / 2).cast<float>(),
                             .surface = surface});
}

void drawCylinder(const Ends& ends, const Span& span, double scale, double diameter, const view::Surface& surface,
                  view::Picture& picture) {
    const Eigen::Vector3d along = (ends.b - ends.a).normalized() * scale;
    picture.cylinders.push_back({.a = (ends.a + span.begin * along).cast<float>(),
                                 .b = (ends.a + span.end * along).cast<float>(),
                                 .diameter = static_cast<float>(diameter),
                                 .surface = surface});
}

/// @return where the surfaces meet [m]
Eigen::Vector3d drawStop(const Ends& ends, const SceneDrawing::ElementState& state, const ElementView& view,
                         view::Picture& picture) {
    const SceneElement& element = state.element;
    const SceneAnimation& look = element.animation;
    const double s_rel0 = unstretched(element.law);
    const double surface_a = surfaceBeyond(element.frame_a, view, ends.e);
    const double surface_b = surfaceBeyond(element.frame_b, view, -ends.e);
    const StopParts parts = stopParts(ends.s, s_rel0, surface_a, surface_b);
    const double force = std::max(std::abs(view.moment.sample.force.f), std::abs(view.moment.shownForce));
    const double glow = view.moment.isEnabled ? glowOf(force, state.largest) : 0;
    // The buffer hangs on a's body, or on b's and looks the other way.
    const Eigen::Vector3d forward = state.isCarriedByB ? Eigen::Vector3d(-ends.e) : ends.e;
    const Eigen::Vector3d root = state.isCarriedByB ? Eigen::Vector3d(ends.b - surface_b * ends.e)
                                                    : Eigen::Vector3d(ends.a + surface_a * ends.e);
    const double length =
        state.isCarriedByB ? std::max(0.0, std::min(ends.s, s_rel0) - surface_a - surface_b) : parts.buffer.length();
    const Eigen::Vector3d face = root + length * forward;
    const bool isInWorld = ends.isWorldA || ends.isWorldB;
    if (parts.isBare && (!isInWorld || state.isCarriedByB) && glow == 0 && view.options.selected != view.index) {
        return face;
    }
    const double plate = parts.isBare ? std::max(1.5 * look.width, 0.03 * view.sceneSize) : 1.5 * look.width;
    const double thickness = std::min(0.25 * look.width, parts.isBare ? look.width : 0.4 * std::max(length, 1e-9));
    view::Surface surface{.color = view::Color::bytes(120, 126, 134), .specularCoefficient = 0.3F};
    surface.id = idOfElement(view.index);
    if (view.options.selected == view.index) surface.highlight = kSelected;
    if (!view.moment.isEnabled) surface.opacity = 0.3F;
    picture.stopFaces.push_back({.pose = facing(face, forward),
                                 .size = Eigen::Vector2d(plate, plate).cast<float>(),
                                 .thickness = static_cast<float>(thickness),
                                 .glow = static_cast<float>(glow),
                                 .surface = surface});
    if (parts.isBare || length <= thickness) return face;
    picture.springs.push_back({.a = root.cast<float>(),
                               .b = (face - thickness * forward).cast<float>(),
                               .width = static_cast<float>(look.width),
                               .coilWidth = static_cast<float>(look.coilWidth),
                               .numberOfWindings = static_cast<float>(look.numberOfWindings),
                               .surface = surfaceOf(view, look.color, static_cast<float>(look.specularCoefficient))});
    if (!state.isCarriedByB && ends.isWorldA) drawAnchor(root, -ends.e, look.width, picture);
    if (ends.isWorldB) drawAnchor(ends.b, ends.e, look.width, picture);
    return face;
}

/// A rope that hangs where it is slack, and glows with its force.
void drawRope(const Ends& ends, const SceneDrawing::ElementState& state, const ElementView& view,
              view::Picture& picture) {
    const SceneAnimation& look = state.element.animation;
    const bool slips = std::get<RopeLaw>(state.element.law).isLimited();
    const double length = unstretched(state.element.law) + (slips ? view.moment.sample.s_damper : 0);
    const double slack = std::max(length - ends.s, 0.);
    const double force = std::max(std::abs(view.moment.sample.force.f), std::abs(view.moment.shownForce));
    view::Surface surface = surfaceOf(view, look.color, static_cast<float>(look.specularCoefficient));
    surface.color = hotColor(look.color, view.moment.isEnabled ? glowOf(force, state.largest) : 0);
    const std::vector<Eigen::Vector3d> points = ropePoints(ends.a, ends.b, (ends.b - ends.a).norm() + slack);
    for (std::size_t i = 1; i < points.size(); ++i) {
        picture.capsules.push_back({.a = points[i - 1].cast<float>(),
                                    .b = points[i].cast<float>(),
                                    .diameter = static_cast<float>(look.width),
                                    .surface = surface});
    }
}

/// A shoe below the body, that glows with what friction takes and is away from it where a brake is open.
void drawShoe(const Ends& ends, const SceneDrawing::ElementState& state, const ElementView& view,
              view::Picture& picture) {
    const SceneElement& element = state.element;
    const ElementSample& sample = view.moment.sample;
    const bool isSteep = std::abs(ends.e.y()) > 0.7;
    const Eigen::Vector3d up = isSteep ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
    const Eigen::Vector3d out = (ends.e * ends.e.dot(up) - up).normalized();
    const double width = element.animation.width, thickness = 0.3 * width;
    const bool isOpen = !view.moment.isEnabled || std::abs(sample.s_damper) == FrictionLaw::kSlides;
    const double gap = isOpen ? 0.5 * thickness : 0;
    const Eigen::Vector3d at = ends.b + (surfaceBeyond(element.frame_b, view, out) + gap + thickness / 2) * out;
    const double power = view.moment.isEnabled && !sample.force.contact ? std::abs(sample.force.f) : 0;
    const SceneColor grey = {110, 112, 118};
    view::Surface surface = surfaceOf(view, grey, 0.2F);
    surface.color = hotColor(grey, glowOf(power, state.largest));
    Eigen::Matrix3d axes;
    axes << ends.e, out.cross(ends.e), out;
    picture.boxes.push_back(
        {.pose = {.position = at.cast<float>(), .orientation = Eigen::Quaterniond(axes).cast<float>()},
         .halfExtents = Eigen::Vector3d(0.8 * width, 0.5 * width, thickness / 2).cast<float>(),
         .surface = surface});
}

/// Forces on both bodies, beside the bodies so that they are seen.
void drawForces(const Ends& ends, const Eigen::Vector3d& at, const SceneElement& element, const ElementView& view,
                view::Picture& picture) {
    const double f = view.moment.shownForce;
    if (!view.options.forces || !view.moment.isEnabled || !(view.largestOfAll > 0) || f == 0) return;
    const double length = arrowShare(f, view.largestOfAll) * kLongestArrow * view.sceneSize * view.options.forceScale;
    if (length == 0) return;
    const bool isSteep = std::abs(ends.e.y()) > 0.7;
    const Eigen::Vector3d beside =
        (isSteep ? Eigen::Vector3d(ends.e.cross(Eigen::Vector3d::UnitZ())) : Eigen::Vector3d(Eigen::Vector3d::UnitY()))
            .normalized();
    const auto arrow = [&](const SceneFrame& frame, bool isWorld, const Eigen::Vector3d& point, double sign) {
        if (isWorld) return;
        const double offset = surfaceBeyond(frame, view, beside) + 0.02 * view.sceneSize;
        const Eigen::Vector3d from = point + offset * beside;
        picture.arrows.push_back(forceArrow(from, sign * length * ends.e, view.sceneSize));
    };
    const double onB = f > 0 ? -1 : 1;
    const bool isGap = isStop(element);
    arrow(element.frame_b, ends.isWorldB, isGap ? at : ends.b, onB);
    arrow(element.frame_a, ends.isWorldA, isGap ? at : ends.a, -onB);
}

}  // namespace

double arrowShare(double force, double largest) {
    constexpr double kLeast = 0.05, kShortest = 0.2;
    const double share = largest > 0 ? std::sqrt(std::min(1.0, std::abs(force) / largest)) : 0;
    return share >= kLeast ? std::max(share, kShortest) : 0;
}

view::Arrow forceArrow(const Eigen::Vector3d& from, const Eigen::Vector3d& vector, double sceneSize) {
    constexpr double kThickest = 0.011;  // of the scene's size
    constexpr double kSlender = 6;       // length / diameter at least
    const double length = std::min(vector.norm(), sceneSize);
    return {.from = from.cast<float>(),
            .vector = (length * vector.normalized()).cast<float>(),
            .diameter = static_cast<float>(std::min(kThickest * sceneSize, length / kSlender)),
            .surface = {.color = view::Color::bytes(232, 70, 60), .specularCoefficient = 0.2F}};
}

std::string labelOf(const SceneElement& element, const ElementSample& sample) {
    std::string text = element.name;
    for (const play::Quantity quantity : {play::Quantity::Force, play::Quantity::S}) {
        text += std::string("\n") + play::quantityName(quantity, element.geometry) + " = " +
                panels::readingOf(quantity, element.geometry, play::valueOf(sample, quantity));
    }
    return text;
}

view::Color colorOf(const SceneColor& color) {
    return view::Color::bytes(color[0], color[1], color[2]);
}

view::Color hotColor(const SceneColor& color, double glow) {
    const view::Color own = colorOf(color);
    const view::Color hot = view::Color::bytes(255, 130, 20);
    const auto share = static_cast<float>(glow);
    return {own.red + share * (hot.red - own.red), own.green + share * (hot.green - own.green),
            own.blue + share * (hot.blue - own.blue)};
}

view::Surface surfaceOf(const ElementView& view, const SceneColor& color, float specularCoefficient) {
    view::Surface surface{.color = colorOf(color), .specularCoefficient = specularCoefficient};
    surface.id = idOfElement(view.index);
    if (view.options.selected == view.index) surface.highlight = kSelected;
    if (!view.moment.isEnabled) surface.opacity = 0.3F;
    return surface;
}

void drawSpringDamper(const Ends& ends, const SceneElement& element, const ElementView& view, view::Picture& picture) {
    const SceneAnimation& look = element.animation;
    const SpringDamperParts parts = partsOf(element, ends.s, view.moment.sample.s_damper);
    const double distance = (ends.b - ends.a).norm();
    if (!(distance > 0)) return;
    // Bodies that left the axis: the parts lie on the line between the ends.
    const double scale = ends.s != 0 ? distance / std::abs(ends.s) : 1;
    const auto specular = static_cast<float>(look.specularCoefficient);
    if (parts.cylinder_a) {
        drawCylinder(ends, *parts.cylinder_a, scale, look.diameter_a, surfaceOf(view, look.color_a, specular), picture);
    }
    if (parts.cylinder_b) {
        drawCylinder(ends, *parts.cylinder_b, scale, look.diameter_b, surfaceOf(view, look.color_b, specular), picture);
    }
    if (parts.coil) {
        const Eigen::Vector3d along = (ends.b - ends.a) / distance * scale;
        picture.springs.push_back({.a = (ends.a + parts.coil->begin * along).cast<float>(),
                                   .b = (ends.a + parts.coil->end * along).cast<float>(),
                                   .width = static_cast<float>(look.width),
                                   .coilWidth = static_cast<float>(look.coilWidth),
                                   .numberOfWindings = static_cast<float>(look.numberOfWindings),
                                   .surface = surfaceOf(view, look.color, specular)});
    }
    const double anchor = std::max(look.width, hasDamper(element) ? look.diameter_a : 0.0);
    if (ends.isWorldA) drawAnchor(ends.a, -ends.e, anchor, picture);
    if (ends.isWorldB) drawAnchor(ends.b, ends.e, anchor, picture);
}

void drawTranslational(SceneDrawing::ElementState& state, const ElementView& view, view::Picture& picture,
                       std::vector<Label>& labels) {
    drawTranslational(state, endsOf(state, view), view, picture, labels);
}

void drawTranslational(SceneDrawing::ElementState& state, const Ends& ends, const ElementView& view,
                       view::Picture& picture, std::vector<Label>& labels) {
    if (!ends.a.allFinite() || !ends.b.allFinite()) return;
    Eigen::Vector3d at = ends.b;
    if (isStop(state.element)) {
        at = drawStop(ends, state, view, picture);
    } else if (std::holds_alternative<FrictionLaw>(state.element.law)) {
        drawShoe(ends, state, view, picture);
    } else if (std::holds_alternative<RopeLaw>(state.element.law)) {
        drawRope(ends, state, view, picture);
    } else {
        drawSpringDamper(ends, state.element, view, picture);
    }
    drawForces(ends, at, state.element, view, picture);
    if (view.options.labels) {
        labels.push_back({.at = at.cast<float>(), .text = labelOf(state.element, view.moment.sample)});
    }
}

}  // namespace elasto::gallery
