#include "batches.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace elasto::view {

namespace {

using Eigen::Quaternionf;
using Eigen::Vector3f;
using Eigen::Vector4f;

constexpr int kFramesUntilForgotten = 600;

float linearLight(float code) {
    code = std::clamp(code, 0.0F, 1.0F);
    return code <= 0.04045F ? code / 12.92F : std::pow((code + 0.055F) / 1.055F, 2.4F);
}

Vector4f colorWith(const Color& color, float opacity) {
    const Vector3f light = linear(color);
    return {light.x(), light.y(), light.z(), std::clamp(opacity, 0.0F, 1.0F)};
}

/// The rotation that brings z to an axis and x as near to `side` as can be.
Quaternionf alignedTo(const Vector3f& axis, const Vector3f& side) {
    Vector3f across = side - axis * axis.dot(side);
    if (!(across.squaredNorm() > 1e-12F)) {
        // Any, but the same one for neighbouring axes.
        const Vector3f other = std::abs(axis.y()) < 0.9F ? Vector3f::UnitY() : Vector3f::UnitX();
        across = other - axis * axis.dot(other);
    }
    across.normalize();
    Eigen::Matrix3f matrix;
    matrix << across, axis.cross(across), axis;
    return Quaternionf(matrix);
}

void place(Instance& instance, const Vector3f& position, const Quaternionf& orientation) {
    instance.position = position;
    instance.rotation = orientation.normalized().coeffs();
}

bool isFinite(const Instance& instance) {
    return instance.position.allFinite() && instance.rotation.allFinite() && instance.size.allFinite() &&
           std::isfinite(instance.bevel) && instance.color.allFinite() && instance.material.allFinite();
}

/// Direction and length from a to b; a length of zero has any direction.
std::pair<Vector3f, float> span(const Vector3f& a, const Vector3f& b) {
    const Vector3f difference = b - a;
    const float length = difference.norm();
    return {length > 1e-9F ? Vector3f(difference / length) : Vector3f::UnitX(), length};
}

/// Rounds up to one of few numbers (1, 1.5, 2, 3, 4 ... times the least), so that there are few meshes.
int stepUp(float wanted, int least, int most) {
    int step = least;
    while (step < most && static_cast<float>(step) < wanted) {
        if (static_cast<float>(step + step / 2) >= wanted) return step + step / 2;
        step *= 2;
    }
    return step;
}

}  // namespace

Vector3f linear(const Color& color) {
    return {linearLight(color.red), linearLight(color.green), linearLight(color.blue)};
}

void Batches::fill(const Picture& picture, const Camera& camera, int height, float detail) {
    for (Batch& batch : m_batches) {
        bool idle = true;
        for (std::vector<Instance>& layer : batch.instances) {
            idle = idle && layer.empty();
            layer.clear();
        }
        batch.idleFrames = idle ? batch.idleFrames + 1 : 0;
    }
    std::erase_if(m_batches, [](const Batch& batch) { return batch.idleFrames > kFramesUntilForgotten; });
    m_lines.clear();
    m_linesOnTop.clear();
    m_halos.clear();
    m_objects = 0;
    m_eye = camera.position();
    m_pixelsAtOneMetre = 1 / camera.metresPerPixel(m_eye + camera.forward(), height);
    m_detail = detail;

    for (const Box& box : picture.boxes) {
        Instance instance;
        place(instance, box.pose.position, box.pose.orientation);
        instance.size = box.halfExtents.cwiseAbs();
        // Edges are broken a little, so that they catch the light.
        instance.bevel = std::min(0.15F * instance.size.minCoeff(), 0.04F * instance.size.maxCoeff());
        add({Shape::Box, 0, 0, nullptr}, instance, box.surface);
    }
    for (const Sphere& sphere : picture.spheres) {
        Instance instance;
        place(instance, sphere.pose.position, sphere.pose.orientation);
        instance.size.setConstant(std::abs(sphere.radius));
        instance.bevel = std::abs(sphere.radius);
        add({Shape::Capsule, segments(sphere.pose.position, 2 * sphere.radius), 0, nullptr}, instance, sphere.surface);
    }
    for (const Capsule& capsule : picture.capsules) {
        addRound(capsule.a, capsule.b, capsule.diameter, capsule.side, capsule.surface, Shape::Capsule, false);
    }
    for (const Cylinder& cylinder : picture.cylinders) {
        addRound(cylinder.a, cylinder.b, cylinder.diameter, cylinder.side, cylinder.surface, Shape::Cylinder, false);
    }
    for (const Cone& cone : picture.cones) {
        addRound(cone.a, cone.b, cone.diameter, Vector3f::Zero(), cone.surface, Shape::Cone, false);
    }
    for (const Hull& hull : picture.hulls) {
        if (hull.mesh == nullptr) continue;
        Instance instance;
        place(instance, hull.pose.position, hull.pose.orientation);
        instance.size = hull.scale;
        add({Shape::Hull, 0, 0, hull.mesh}, instance, hull.surface);
    }
    for (const Spring& spring : picture.springs) addSpring(spring);
    for (const StopFace& face : picture.stopFaces) addStopFace(face);
    for (const Gear& gear : picture.gears) addGear(gear);
    for (const Arrow& arrow : picture.arrows) addArrow(arrow);
    for (const CurvedArrow& arrow : picture.curvedArrows) addCurvedArrow(arrow);
    for (const Line& line : picture.lines) addLine(line);
}

float Batches::pixels(const Vector3f& at, float length) const {
    return length * m_pixelsAtOneMetre / std::max((at - m_eye).norm(), 1e-3F);
}

int Batches::segments(const Vector3f& at, float diameter) const {
    // A chord leaves its circle by less than a fifth of a pixel: angle = sqrt(8 error / radius).
    const float wanted = std::numbers::pi_v<float> * std::sqrt(std::max(pixels(at, diameter), 1.0F) / 0.8F) * m_detail;
    return stepUp(wanted, 12, 96);
}

void Batches::add(const MeshKey& key, const Instance& instance, const Surface& surface, bool sign) {
    Instance whole = instance;
    whole.color = colorWith(surface.color, surface.opacity);
    whole.material.x() = std::clamp(surface.specularCoefficient, 0.0F, 1.0F);
    whole.material.y() = std::clamp(surface.highlight, 0.0F, 1.0F);
    if (surface.marked && whole.pattern == 0) whole.pattern = 1;
    if (!isFinite(whole) || whole.color.w() <= 0) return;
    ++m_objects;
    auto batch = std::find_if(m_batches.begin(), m_batches.end(), [&](const Batch& b) { return b.key == key; });
    if (batch == m_batches.end()) {
        m_batches.push_back({key, {}, 0});
        batch = m_batches.end() - 1;
    }
    const Layer layer = surface.opacity < 1 ? Layer::Ghost : sign ? Layer::Sign : Layer::Solid;
    batch->instances[static_cast<int>(layer)].push_back(whole);
}

void Batches::addRound(const Vector3f& a, const Vector3f& b, float diameter, const Vector3f& side,
                       const Surface& surface, Shape shape, bool sign) {
    const auto [axis, length] = span(a, b);
    const float radius = std::abs(diameter) / 2;
    Instance instance;
    const Quaternionf orientation = alignedTo(axis, side);
    if (shape == Shape::Cone) {
        place(instance, a, orientation);
        instance.size = {radius, radius, length};
    } else {
        const bool capsule = shape == Shape::Capsule;
        place(instance, (a + b) / 2, orientation);
        instance.size = {radius, radius, length / 2 + (capsule ? radius : 0)};
        instance.bevel = capsule ? radius : std::min(0.035F * radius, 0.1F * length);
    }
    if (shape != Shape::Capsule && !(length > 0)) return;
    add({shape, segments((a + b) / 2, diameter), 0, nullptr}, instance, surface, sign);
}

void Batches::addWire(const Spring& wire, float length, const Vector3f& axis, bool sign) {
    const float windings = std::clamp(wire.numberOfWindings, 0.01F, 1000.0F);
    // As many pieces as look round at this distance; a power of two, so that few meshes serve all springs.
    const float turn = std::numbers::pi_v<float> * std::sqrt(std::max(pixels(wire.a, wire.width), 1.0F)) * m_detail;
    const int segments = stepUp(windings * std::clamp(turn, 6.0F, 48.0F), 16, 8192);
    const float thick = pixels(wire.a, wire.coilWidth) * m_detail;
    const int sides = thick < 2 ? 3 : thick < 4 ? 4 : thick < 12 ? 6 : thick < 40 ? 10 : 16;
    Instance instance;
    place(instance, wire.a, alignedTo(axis, wire.side));
    instance.size = {std::abs(wire.width) / 2, std::abs(wire.coilWidth) / 2, length};
    instance.material.w() = windings;
    add({Shape::Wire, segments, sides, nullptr}, instance, wire.surface, sign);
}

void Batches::addSpring(const Spring& spring) {
    const auto [axis, length] = span(spring.a, spring.b);
    addWire(spring, length, axis, false);
}

void Batches::addStopFace(const StopFace& face) {
    Instance instance;
    const Quaternionf orientation = face.pose.orientation.normalized();
    const float half = std::abs(face.thickness) / 2;
    place(instance, face.pose.position - orientation * Vector3f(0, 0, half), orientation);
    instance.size = {std::abs(face.size.x()) / 2, std::abs(face.size.y()) / 2, half};
    instance.bevel = std::min(0.4F * half, 0.1F * instance.size.minCoeff());
    instance.pattern = 2;
    instance.material.z() = std::clamp(face.glow, 0.0F, 1.0F);
    add({Shape::Box, 0, 0, nullptr}, instance, face.surface);
    if (face.glow > 0 && face.surface.opacity >= 1 && isFinite(instance)) {
        m_halos.push_back({instance.rotation, face.pose.position, instance.size.head<2>(), instance.material.z()});
    }
}

void Batches::addGear(const Gear& gear) {
    Instance instance;
    place(instance, gear.pose.position, gear.pose.orientation);
    instance.size = {std::abs(gear.pitchRadius), std::abs(gear.pitchRadius), std::abs(gear.width) / 2};
    constexpr float kPlayPerStep = 1e-5F;
    const float play = std::isfinite(gear.toothPlayAngle) ? std::clamp(gear.toothPlayAngle, 0.0F, 1.0F) : 0;
    add({gear.internal ? Shape::Ring : Shape::Gear, std::clamp(gear.teeth, 6, 400),
         static_cast<int>(std::lround(play / kPlayPerStep)), nullptr},
        instance, gear.surface);
}

void Batches::addArrow(const Arrow& arrow) {
    const float length = arrow.vector.norm();
    if (!(length > 0)) return;
    const Vector3f axis = arrow.vector / length;
    // A short arrow is all head, and shrinks as a whole.
    const float head = std::min(3.2F * arrow.diameter, length);
    const float scale = head / (3.2F * std::max(arrow.diameter, 1e-9F));
    const Vector3f neck = arrow.from + (length - head) * axis;
    addRound(arrow.from, neck, arrow.diameter, Vector3f::Zero(), arrow.surface, Shape::Cylinder, true);
    addRound(neck, arrow.from + arrow.vector, 2.4F * scale * arrow.diameter, Vector3f::Zero(), arrow.surface,
             Shape::Cone, true);
}

void Batches::addCurvedArrow(const CurvedArrow& arrow) {
    if (!(std::abs(arrow.angle) > 0) || !(arrow.axis.norm() > 0) || !(arrow.radius > 0)) return;
    const Vector3f axis = (arrow.angle > 0 ? 1.0F : -1.0F) * arrow.axis.normalized();
    const float turn = std::abs(arrow.angle);
    const float headAngle = std::min(3.2F * arrow.diameter / arrow.radius, turn);
    const float scale = headAngle * arrow.radius / (3.2F * std::max(arrow.diameter, 1e-9F));
    const Quaternionf frame = alignedTo(axis, arrow.start);
    Spring shaft;
    // A coil that is as long as its wire is thick lies in a plane.
    shaft.a = arrow.center - axis * (arrow.diameter / 2);
    shaft.width = 2 * arrow.radius + arrow.diameter;
    shaft.coilWidth = arrow.diameter;
    shaft.numberOfWindings = (turn - headAngle) / (2 * std::numbers::pi_v<float>);
    shaft.side = frame * Vector3f::UnitX();
    shaft.surface = arrow.surface;
    if (shaft.numberOfWindings > 1e-3F) addWire(shaft, arrow.diameter, axis, true);
    const auto onArc = [&](float angle) -> Vector3f {
        return arrow.center + frame * Vector3f(arrow.radius * std::cos(angle), arrow.radius * std::sin(angle), 0);
    };
    addRound(onArc(turn - headAngle), onArc(turn), 2.4F * scale * arrow.diameter, Vector3f::Zero(), arrow.surface,
             Shape::Cone, true);
}

void Batches::addLine(const Line& line) {
    const LineInstance instance = {line.a, line.b, colorWith(line.color, line.opacity), line.width};
    if (!line.a.allFinite() || !line.b.allFinite() || !(line.width > 0) || !instance.color.allFinite()) return;
    ++m_objects;
    (line.onTop ? m_linesOnTop : m_lines).push_back(instance);
}

}  // namespace elasto::view
