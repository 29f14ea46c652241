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

/// One ring of the wheel's section: radius (<= 0: the contour's own) and height.
struct SectionPoint {
    float radius;
    float z;
};

/// The wheel's section from its upper middle outwards and down to its lower middle: hub, web, rim.
std::vector<SectionPoint> wheelSection(float root, float module) {
    constexpr float kWeb = 0.55F;  // half of the web's thickness, of the rim's
    const float bore = 0.16F;
    const float hub = 0.32F;
    const float rim = std::max(root - 1.6F * module, 0.55F * root);
    const float slope = 0.03F;
    std::vector<SectionPoint> upper = {{bore, 1}, {hub, 1}};
    if (rim > hub + 4 * slope) {
        upper.insert(upper.end(), {{hub + slope, kWeb}, {rim - slope, kWeb}, {rim, 1}});
    }
    std::vector<SectionPoint> section = {{bore, -1}};
    section.insert(section.end(), upper.begin(), upper.end());
    section.push_back({0, 1});
    section.push_back({0, -1});
    for (auto point = upper.rbegin(); point != upper.rend(); ++point) section.push_back({point->radius, -point->z});
    return section;
}

}  // namespace

Mesh gearShape(int teeth, float toothPlayAngle, bool internal) {
    const float module = 2 / static_cast<float>(teeth);
    const std::vector<Polar> points = contour(teeth, toothPlayAngle, internal);
    const float rim = 1 + 4 * module;
    const std::vector<SectionPoint> section =
        internal ? std::vector<SectionPoint>{{0, -1}, {0, 1}, {rim, 1}, {rim, -1}, {0, -1}}
                 : wheelSection(1 - 1.25F * module, module);
    const auto place = [](const SectionPoint& at, const Polar& point) {
        return Polar{at.radius > 0 ? at.radius : point.radius, point.angle}.at(at.z);
    };
    Mesh mesh;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        for (std::size_t k = 0; k + 1 < section.size(); ++k) {
            addQuad(mesh, place(section[k], points[i]), place(section[k + 1], points[i]),
                    place(section[k + 1], points[i + 1]), place(section[k], points[i + 1]));
        }
    }
    return mesh;
}

}  // namespace elasto::view
