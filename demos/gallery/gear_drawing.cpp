// Gear pairs of scenes: two wheels whose teeth mesh, with the play between them.

#include "gallery/element_drawing.h"

#include "gallery/modelica_geometry.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace elasto::gallery {

namespace {

constexpr int kFewestTeeth = 12, kMostTeeth = 200;

/// Numbers of teeth of two wheels whose quotient is the ratio as nearly as teeth can be.
std::pair<int, int> teethFor(double ratio) {
    const double larger = std::max(ratio, 1 / ratio);
    int best = 16;
    double least = 1;
    for (int teeth = 16; teeth <= 32 && teeth * larger <= kMostTeeth; ++teeth) {
        const double other = teeth * larger;
        const double error = std::abs(other - std::round(other));
        if (error < least - 1e-9) {
            least = error;
            best = teeth;
        }
    }
    const int others = std::clamp(static_cast<int>(std::round(best * larger)), kFewestTeeth, kMostTeeth);
    return ratio >= 1 ? std::pair(best, others) : std::pair(others, best);
}

double widthOf(const SceneFrame& frame, const Scene& scene, double otherwise) {
    const SceneShape& shape = scene.bodies[static_cast<std::size_t>(frame.body)].shape;
    return shape.type == SceneShape::Type::Cylinder ? shape.length : otherwise;
}

}  // namespace

bool drawGearPair(const SceneElement& element, const Rotary& rotary, double glow, const ElementView& view,
                  view::Picture& picture) {
    if (!element.gear || element.gear->ratio >= 0 || element.frame_a.body == kWorld || element.frame_b.body == kWorld) {
        return false;
    }
    Eigen::Vector3d across = rotary.centre_b - rotary.centre_a;
    across -= rotary.axis.dot(across) * rotary.axis;
    const double distance = across.norm();
    const bool hasOwnAxis = element.gear->axis_b.has_value();
    if (!(distance > 0) || hasOwnAxis) return false;  // bevel gears, and wheels on one axis, are drawn as couplings
    // The wheel of frame_b turns by the ratio of the other one.
    const double larger = 1 / std::abs(element.gear->ratio);
    const double radiusA = distance / (1 + larger), radiusB = distance - radiusA;
    const auto [teethA, teethB] = teethFor(larger);
    const auto* law = std::get_if<ElastoBacklashLaw>(&element.law);
    const double play = law == nullptr ? 0 : law->parameters().b * radiusB;  // along the pitch circle
    const Eigen::Vector3d towards = across / distance;
    const auto draw = [&](const SceneFrame& frame, const Eigen::Vector3d& centre, double radius, int teeth,
                          double turned, const SceneColor& color) {
        const BodyPose& pose = view.bodies[static_cast<std::size_t>(frame.body)];
        const Eigen::Quaterniond start = view.scene.bodies[static_cast<std::size_t>(frame.body)].orientation;
        // How the wheels stand at the start: a tooth of the one in a gap of the other. They turn with their bodies.
        const Eigen::Vector3d z = rotary.axis;
        Eigen::Matrix3d mesh;
        mesh.col(0) = towards;
        mesh.col(1) = z.cross(towards);
        mesh.col(2) = z;
        const Eigen::Quaterniond turn = pose.orientation * start.conjugate() * Eigen::Quaterniond(mesh) *
                                        Eigen::AngleAxisd(turned, Eigen::Vector3d::UnitZ());
        view::Surface surface = surfaceOf(view, color, 0.4F);
        surface.color = hotColor(color, glow);
        picture.gears.push_back({.pose = {.position = centre.cast<float>(), .orientation = turn.cast<float>()},
                                 .pitchRadius = static_cast<float>(radius),
                                 .width = static_cast<float>(0.8 * widthOf(frame, view.scene, 0.3 * radius)),
                                 .teeth = teeth,
                                 .toothPlayAngle = static_cast<float>(play / 2 / radius),
                                 .surface = surface});
    };
    draw(element.frame_a, rotary.centre_a, radiusA, teethA, 0, {226, 148, 76});
    draw(element.frame_b, rotary.centre_b, radiusB, teethB, std::numbers::pi + std::numbers::pi / teethB,
         {88, 134, 198});
    return true;
}

}  // namespace elasto::gallery
