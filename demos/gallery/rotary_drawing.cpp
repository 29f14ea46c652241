#include "gallery/element_drawing.h"
#include "gallery/modelica_geometry.h"
#include "gallery/sector_mesh.h"

#include <elasto/flow.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace elasto::gallery {

namespace {

constexpr double kLongestTurn = 2;  ///< arrow of the largest torque [rad]
constexpr double kWholeTurn = 6;    ///< a longer one would bite its tail [rad]

const BodyPose& poseOf(int body, const std::vector<BodyPose>& poses) {
    static const BodyPose kOrigin;
    return body == kWorld ? kOrigin : poses[static_cast<std::size_t>(body)];
}

const SceneShape* shapeOf(const SceneFrame& frame, const Scene& scene) {
    return frame.body == kWorld ? nullptr : &scene.bodies[static_cast<std::size_t>(frame.body)].shape;
}

/// Radius of a body that turns about the axis; 0 where it has no such shape.
double radiusOf(const SceneShape* shape) {
    if (shape == nullptr || shape->type == SceneShape::Type::None || shape->type == SceneShape::Type::Plane) return 0;
    return shape->type == SceneShape::Type::Box ? shape->size.minCoeff() / 2 : shape->radius;
}

double reachAlong(const SceneFrame& frame, const ElementView& view, const Eigen::Vector3d& direction) {
    if (frame.body == kWorld) return 0;
    const SceneBody& body = view.scene.bodies[static_cast<std::size_t>(frame.body)];
    if (body.shape.type != SceneShape::Type::Cylinder && body.shape.type != SceneShape::Type::Box) return 0;
    const BodyPose& pose = poseOf(frame.body, view.bodies);
    return reach(body.shape, frame.position - body.centreOfMass, pose.orientation.conjugate() * direction);
}

Rotary rotaryOf(const SceneElement& element, const ElementView& view) {
    const BodyPose& poseA = poseOf(element.frame_a.body, view.bodies);
    const BodyPose& poseB = poseOf(element.frame_b.body, view.bodies);
    Rotary rotary;
    rotary.axis = poseA.orientation * element.axis;
    // z of the frames' own axes that is the element's axis.
    const Eigen::Vector3d inFrame = element.frame_a.orientation.conjugate() * element.axis;
    const Eigen::Quaterniond toAxis = frameAlong(inFrame);
    rotary.a = poseA.orientation * element.frame_a.orientation * toAxis;
    rotary.b = poseB.orientation * element.frame_b.orientation * toAxis;
    rotary.centre_a = pointOf(element.frame_a, view.scene, poseA);
    rotary.centre_b = pointOf(element.frame_b, view.scene, poseB);
    const double radiusA = radiusOf(shapeOf(element.frame_a, view.scene));
    const double radiusB = radiusOf(shapeOf(element.frame_b, view.scene));
    const double both = radiusA > 0 && radiusB > 0 ? std::min(radiusA, radiusB) : std::max(radiusA, radiusB);
    rotary.radius = both > 0 ? both : 0.06 * view.sceneSize;

    const double apart = rotary.axis.dot(rotary.centre_b - rotary.centre_a);
    const double faceA = reachAlong(element.frame_a, view, rotary.axis);
    const double faceB = apart - reachAlong(element.frame_b, view, -rotary.axis);
    if (element.frame_a.body != kWorld && faceB - faceA > 0.05 * rotary.radius) {
        rotary.isBetween = true;
        rotary.centre = rotary.centre_a + (faceA + faceB) / 2 * rotary.axis;
        rotary.begin = -(faceB - faceA) / 2;
        rotary.end = (faceB - faceA) / 2;
    } else {
        const double front = std::max(faceA, apart + reachAlong(element.frame_b, view, rotary.axis));
        const double depth = 0.3 * rotary.radius;
        rotary.centre = rotary.centre_a + (front + depth / 2) * rotary.axis;
        rotary.begin = -depth / 2;
        rotary.end = depth / 2;
    }
    return rotary;
}

view::Surface playSurface(const ElementView& view, const SceneColor& color, double glow) {
    view::Surface surface = surfaceOf(view, color, 0.4F);
    surface.color = hotColor(color, glow);
    return surface;
}

constexpr SceneColor kRing = {112, 122, 136};
constexpr SceneColor kHub = {206, 186, 120};

void drawShaft(const Rotary& rotary, double from, double to, double diameter, const view::Surface& surface,
               const Eigen::Quaterniond& turn, view::Picture& picture) {
    if (!(to > from)) return;
    picture.cylinders.push_back({.a = (rotary.centre + from * rotary.axis).cast<float>(),
                                 .b = (rotary.centre + to * rotary.axis).cast<float>(),
                                 .diameter = static_cast<float>(diameter),
                                 .side = (turn * Eigen::Vector3d::UnitX()).cast<float>(),
                                 .surface = surface});
}

void drawTeeth(const Rotary& rotary, const Eigen::Quaterniond& hub, const PlayParts& parts, double b, double glow,
               const ElementView& view, view::Picture& picture) {
    const double pitch = 0.6 * rotary.radius;
    const double width = rotary.isBetween ? 0.4 * (rotary.end - rotary.begin) : 0.8 * (rotary.end - rotary.begin);
    const auto gear = [&](const Eigen::Quaterniond& turn, bool internal, const SceneColor& color, double extra) {
        picture.gears.push_back({.pose = {.position = rotary.centre.cast<float>(), .orientation = turn.cast<float>()},
                                 .pitchRadius = static_cast<float>(pitch),
                                 .width = static_cast<float>(width * extra),
                                 .teeth = parts.count,
                                 .toothPlayAngle = static_cast<float>(b / 2),
                                 .internal = internal,
                                 .surface = playSurface(view, color, glow)});
    };
    gear(rotary.a, true, kRing, 1);
    gear(hub, false, kHub, 1.05);
    if (!rotary.isBetween) return;
    drawShaft(rotary, rotary.begin, -width / 2, 0.5 * rotary.radius, playSurface(view, kRing, 0), rotary.a, picture);
    drawShaft(rotary, width / 2, rotary.end, 0.5 * rotary.radius, playSurface(view, kHub, 0), rotary.b, picture);
}

void drawClaws(SceneDrawing::ElementState& state, const Rotary& rotary, const Eigen::Quaterniond& hub,
               const PlayParts& parts, double b, double glow, const ElementView& view, view::Picture& picture) {
    const double r = rotary.radius;
    if (state.clawPlay != b) {
        state.clawPlay = b;
        // Between two bodies each part's claws stand on its own body and reach almost to the other one.
        const double reach = rotary.isBetween ? 0.12 * (rotary.end - rotary.begin) : 0;
        state.innerClaws = sectorMesh({.count = parts.count,
                                       .angle = parts.inner,
                                       .inner = 0.25 * r,
                                       .outer = (rotary.isBetween ? 1 : 0.8) * r,
                                       .begin = rotary.begin + reach,
                                       .end = rotary.end});
        // Between the inner ones where phi_rel = phi_rel0: half a pitch further.
        state.outerClaws = sectorMesh({.count = parts.count,
                                       .angle = parts.outer,
                                       .inner = (rotary.isBetween ? 0.25 : 0.5) * r,
                                       .outer = r,
                                       .begin = rotary.begin,
                                       .end = rotary.end - reach,
                                       .turn = std::numbers::pi / parts.count});
    }
    const auto claws = [&](const Eigen::Quaterniond& turn, const std::shared_ptr<const view::Mesh>& mesh,
                           const SceneColor& color) {
        picture.hulls.push_back({.pose = {.position = rotary.centre.cast<float>(), .orientation = turn.cast<float>()},
                                 .mesh = mesh,
                                 .surface = playSurface(view, color, glow)});
    };
    claws(rotary.a, state.outerClaws, kRing);
    claws(hub, state.innerClaws, kHub);
    drawShaft(rotary, rotary.begin, 1.1 * rotary.end, 0.52 * r, playSurface(view, kHub, 0), rotary.b, picture);
}

/// A spring between a pin on each body.
void drawTorsionSpring(const Rotary& rotary, const SceneElement& element, const ElementView& view,
                       view::Picture& picture) {
    if (!hasCoil(element)) return;
    const double r = 0.75 * rotary.radius;
    constexpr double kPin = 1.25;  // [rad] ahead of b's, so that the spring has a length at phi_rel = 0
    const auto pin = [&](const Eigen::Quaterniond& turn, double angle) {
        return Eigen::Vector3d(rotary.centre + turn * Eigen::Vector3d(r * std::cos(angle), r * std::sin(angle), 0));
    };
    const Eigen::Vector3d a = pin(rotary.a, std::numbers::pi / 2 + kPin);
    const Eigen::Vector3d b = pin(rotary.b, std::numbers::pi / 2);
    const double half = (rotary.end - rotary.begin) / 2;
    const SceneAnimation& look = element.animation;
    const auto draw = [&](const Eigen::Vector3d& at, const SceneColor& color) {
        picture.cylinders.push_back({.a = (at - half * rotary.axis).cast<float>(),
                                     .b = (at + half * rotary.axis).cast<float>(),
                                     .diameter = static_cast<float>(0.6 * look.width),
                                     .surface = surfaceOf(view, color, 0.4F)});
    };
    draw(a, look.color_a);
    draw(b, look.color_b);
    if ((b - a).norm() <= 0) return;
    picture.springs.push_back({.a = a.cast<float>(),
                               .b = b.cast<float>(),
                               .width = static_cast<float>(look.width),
                               .coilWidth = static_cast<float>(look.coilWidth),
                               .numberOfWindings = static_cast<float>(look.numberOfWindings),
                               .surface = surfaceOf(view, look.color, static_cast<float>(look.specularCoefficient))});
}

}  // namespace

void drawRotational(SceneDrawing::ElementState& state, const ElementView& view, view::Picture& picture,
                    std::vector<Label>& labels) {
    drawRotational(state, rotaryOf(state.element, view), view, picture, labels);
}

void drawRotational(SceneDrawing::ElementState& state, const Rotary& rotary, const ElementView& view,
                    view::Picture& picture, std::vector<Label>& labels) {
    const SceneElement& element = state.element;
    if (!rotary.centre.allFinite()) return;
    const double torque = view.moment.shownForce;
    const double strongest = std::max(std::abs(view.moment.sample.force.f), std::abs(torque));
    const double glow = view.moment.isEnabled ? 0.8 * glowOf(strongest, state.largest) : 0;
    const auto* law = std::get_if<ElastoBacklashLaw>(&element.law);
    if (!rotary.isShown) {
        // Only its torque is.
    } else if (drawGearPair(element, rotary, glow, view, picture)) {
        // Its wheels are.
    } else if (law != nullptr) {
        const double b = law->parameters().b;
        const PlayParts parts = playParts(b, rotary.isBetween);
        // The middle of the play, not of the frames.
        const Eigen::Quaterniond hub =
            rotary.b * Eigen::AngleAxisd(-law->parameters().phi_rel0, Eigen::Vector3d::UnitZ());
        if (parts.isToothed) {
            drawTeeth(rotary, hub, parts, b, glow, view, picture);
        } else {
            drawClaws(state, rotary, hub, parts, b, glow, view, picture);
        }
    } else {
        drawTorsionSpring(rotary, element, view, picture);
    }
    const double share = arrowShare(torque, view.largestOfAll);
    if (view.options.forces && view.moment.isEnabled && share > 0) {
        const double angle =
            std::copysign(std::min(share * kLongestTurn * view.options.forceScale, kWholeTurn), -torque);
        picture.curvedArrows.push_back(
            {.center = rotary.centre.cast<float>(),
             .axis = rotary.axis.cast<float>(),
             .start = (rotary.a * Eigen::Vector3d(0, 1, 0)).cast<float>(),
             .angle = static_cast<float>(angle),
             .radius = static_cast<float>(1.25 * rotary.radius),
             .diameter = static_cast<float>(0.06 * rotary.radius),
             .surface = {.color = view::Color::bytes(232, 70, 60), .specularCoefficient = 0.2F}});
    }
    if (view.options.labels) {
        labels.push_back({.at = (rotary.centre + 0.2 * rotary.radius * rotary.axis).cast<float>(),
                          .text = labelOf(element, view.moment.sample)});
    }
}

}  // namespace elasto::gallery
