#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "mesh_shapes.h"

namespace elasto::view {

namespace {

using Eigen::Vector3f;

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kPressureAngle = 20 * kPi / 180;

float involute(float angle) {
    return std::tan(angle) - angle;
}

/// A point of the contour in the gear's plane.
struct Polar {
    float radius;
    float angle;

    Vector3f at(float z) const { return {radius * std::cos(angle), radius * std::sin(angle), z}; }
};

/// The contour of all teeth, counter-clockwise, closed: its last point is its first.
std::vector<Polar> contour(int teeth, float toothPlayAngle, bool internal) {
    const auto z = static_cast<float>(teeth);
    const float module = 2 / z;
    const float base = std::cos(kPressureAngle);
    const float tip = internal ? 1 - module : 1 + module;
    const float root = internal ? 1 + 1.25F * module : 1 - 1.25F * module;
    const float halfAtPitch = std::max(kPi / z - toothPlayAngle, 0.2F / z) / 2;
    // A ring's teeth are what the teeth of a wheel leave.
    const float sense = internal ? -1.0F : 1.0F;
    const auto halfAngle = [&](float radius) {
        const float pressure = std::acos(std::min(base / radius, 1.0F));
        return std::max(halfAtPitch + sense * (involute(kPressureAngle) - involute(pressure)), 0.1F / z);
    };
    constexpr int kSteps = 5;
    std::vector<Polar> points;
    for (int tooth = 0; tooth < teeth; ++tooth) {
        const float middle = 2 * kPi * static_cast<float>(tooth) / z;
        for (int step = 0; step <= kSteps; ++step) {
            const float radius = root + (tip - root) * static_cast<float>(step) / kSteps;
            points.push_back({radius, middle - halfAngle(radius)});
        }
        for (int step = kSteps; step >= 0; --step) {
            const float radius = root + (tip - root) * static_cast<float>(step) / kSteps;
            points.push_back({radius, middle + halfAngle(radius)});
        }
        points.push_back({root, middle + kPi / z});
    }
    points.push_back({points.front().radius, points.front().angle + 2 * kPi});
    return points;
}

void addQuad(Mesh& mesh, const Vector3f& a, const Vector3f& b, const Vector3f& c, const Vector3f& d) {
    const Vector3f normal = (c - a).cross(d - b);
    if (!(normal.norm() > 0)) return;
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const Vector3f& corner : {a, b, c, d}) {
        mesh.positions.push_back(corner);
        mesh.normals.push_back(normal.normalized());
    }
    mesh.triangles.insert(mesh.triangles.end(), {first, first + 1, first + 2, first, first + 2, first + 3});
}

/// A ring of the section through the gear's axis.
struct SectionPoint {
    float radius;
    float z;
};

/// Turns a section about the axis. Going along it, the outside is on the right, seen with the axis upwards.
void addTurned(Mesh& mesh, const std::vector<SectionPoint>& section, int segments) {
    for (int i = 0; i < segments; ++i) {
        const float from = 2 * kPi * static_cast<float>(i) / static_cast<float>(segments);
        const float to = 2 * kPi * static_cast<float>(i + 1) / static_cast<float>(segments);
        for (std::size_t k = 0; k + 1 < section.size(); ++k) {
            const SectionPoint& a = section[k];
            const SectionPoint& b = section[k + 1];
            addQuad(mesh, Polar{a.radius, from}.at(a.z), Polar{a.radius, to}.at(a.z), Polar{b.radius, to}.at(b.z),
                    Polar{b.radius, from}.at(b.z));
        }
    }
}

/// The teeth with both faces between them and a circle.
void addToothed(Mesh& mesh, const std::vector<Polar>& points, float circle, bool internal) {
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const Polar& a = points[internal ? i + 1 : i];
        const Polar& b = points[internal ? i : i + 1];
        const Polar insideA = {circle, a.angle};
        const Polar insideB = {circle, b.angle};
        addQuad(mesh, a.at(-1), b.at(-1), b.at(1), a.at(1));
        addQuad(mesh, insideA.at(1), a.at(1), b.at(1), insideB.at(1));
        addQuad(mesh, insideA.at(-1), insideB.at(-1), b.at(-1), a.at(-1));
    }
}

/// From the rim's lower edge inwards to the bore and back above: rim, web and hub.
std::vector<SectionPoint> wheelSection(float rim) {
    constexpr float kBore = 0.16F;
    constexpr float kHub = 0.32F;
    constexpr float kSlope = 0.03F;
    constexpr float kWeb = 0.55F;  // half of the web's thickness, of the rim's
    std::vector<SectionPoint> lower = {{rim, -1}};
    if (rim > kHub + 4 * kSlope) {
        lower.insert(lower.end(), {{rim - kSlope, -kWeb}, {kHub + kSlope, -kWeb}, {kHub, -1}});
    }
    lower.push_back({kBore, -1});
    std::vector<SectionPoint> section = lower;
    for (auto point = lower.rbegin(); point != lower.rend(); ++point) section.push_back({point->radius, -point->z});
    return section;
}

}  // namespace

Mesh gearShape(int teeth, float toothPlayAngle, bool internal) {
    const float module = 2 / static_cast<float>(teeth);
    const std::vector<Polar> points = contour(teeth, toothPlayAngle, internal);
    constexpr int kSegments = 64;
    Mesh mesh;
    if (internal) {
        const float rim = 1 + 4 * module;
        addToothed(mesh, points, rim, true);
        addTurned(mesh, {{rim, -1}, {rim, 1}}, kSegments);
    } else {
        const float root = 1 - 1.25F * module;
        const float rim = std::max(root - 1.6F * module, 0.55F * root);
        addToothed(mesh, points, rim, false);
        addTurned(mesh, wheelSection(rim), kSegments);
    }
    return mesh;
}

}  // namespace elasto::view
