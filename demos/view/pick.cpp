#include "view/pick.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::view {

namespace {

using Eigen::Vector3f;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// The part of a ray that is inside something convex.
struct Inside {
    float enter = -kInfinity;
    float leave = kInfinity;

    void cut(float from, float to) {
        enter = std::max(enter, from);
        leave = std::min(leave, to);
    }
    std::optional<float> first() const {
        if (!(enter <= leave) || leave < 0) return std::nullopt;
        return std::max(enter, 0.0F);
    }
};

/// Between two parallel planes at +-half along an axis, from the ray's coordinates along it.
void cutSlab(Inside& inside, float origin, float direction, float half) {
    if (direction == 0) {
        if (std::abs(origin) > half) inside.cut(kInfinity, -kInfinity);
        return;
    }
    const float low = (-half - origin) / direction;
    const float high = (half - origin) / direction;
    inside.cut(std::min(low, high), std::max(low, high));
}

/// Where |origin + t direction|^2 <= radius^2, for vectors of two or three dimensions.
template <class Vector>
void cutRound(Inside& inside, const Vector& origin, const Vector& direction, float radius) {
    const float a = direction.squaredNorm();
    if (a == 0) {
        if (origin.norm() > radius) inside.cut(kInfinity, -kInfinity);
        return;
    }
    // From the point next to the middle, so that far origins lose no digits.
    const float nearest = -origin.dot(direction) / a;
    const float left = radius * radius - (origin + nearest * direction).squaredNorm();
    if (left < 0) {
        inside.cut(kInfinity, -kInfinity);
        return;
    }
    const float half = std::sqrt(left / a);
    inside.cut(nearest - half, nearest + half);
}

/// The nearest hit so far.
class Nearest {
public:
    explicit Nearest(const Ray& ray) : m_ray(ray) {}

    template <class Meet>
    void offer(const Surface& surface, Meet meet) {
        if (surface.id < 0 || surface.opacity < 1) return;
        const std::optional<float> distance = meet();
        if (!distance || !(*distance < m_hit.distance)) return;
        m_hit = {surface.id, *distance, m_ray.origin + *distance * m_ray.direction};
    }
    std::optional<Hit> hit() const { return m_hit.id < 0 ? std::nullopt : std::optional(m_hit); }

private:
    const Ray& m_ray;
    Hit m_hit = {-1, kInfinity, Vector3f::Zero()};
};

std::optional<float> meetHull(const Ray& ray, const Hull& hull) {
    if (hull.mesh == nullptr) return std::nullopt;
    // In the mesh's own frame, where it is not turned; scaling it is cheaper than turning all corners.
    const Eigen::Quaternionf back = hull.pose.orientation.normalized().conjugate();
    const Ray own = {back * Vector3f(ray.origin - hull.pose.position), back * ray.direction};
    std::optional<float> nearest;
    const std::vector<std::uint32_t>& corners = hull.mesh->triangles;
    const auto corner = [&](std::size_t i) -> Vector3f {
        return hull.scale.cwiseProduct(hull.mesh->positions[corners[i]]);
    };
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
        const std::optional<float> distance = meetTriangle(own, corner(i), corner(i + 1), corner(i + 2));
        if (distance && (!nearest || *distance < *nearest)) nearest = distance;
    }
    return nearest;
}

}  // namespace

std::optional<float> meetBox(const Ray& ray, const Pose& pose, const Vector3f& halfExtents) {
    const Eigen::Quaternionf back = pose.orientation.normalized().conjugate();
    const Vector3f origin = back * Vector3f(ray.origin - pose.position);
    const Vector3f direction = back * ray.direction;
    Inside inside;
    for (int axis = 0; axis < 3; ++axis) {
        cutSlab(inside, origin[axis], direction[axis], std::abs(halfExtents[axis]));
    }
    return inside.first();
}

std::optional<float> meetBall(const Ray& ray, const Vector3f& center, float radius) {
    Inside inside;
    cutRound(inside, Vector3f(ray.origin - center), ray.direction, radius);
    return inside.first();
}

std::optional<float> meetCylinder(const Ray& ray, const Vector3f& a, const Vector3f& b, float radius) {
    const Vector3f axis = (b - a).stableNormalized();
    const Vector3f from = ray.origin - (a + b) / 2;
    Inside inside;
    cutSlab(inside, from.dot(axis), ray.direction.dot(axis), (b - a).norm() / 2);
    cutRound(inside, Vector3f(from - axis * from.dot(axis)), Vector3f(ray.direction - axis * ray.direction.dot(axis)),
             radius);
    return inside.first();
}

std::optional<float> meetCapsule(const Ray& ray, const Vector3f& a, const Vector3f& b, float radius) {
    std::optional<float> nearest = meetCylinder(ray, a, b, radius);
    for (const Vector3f& center : {a, b}) {
        const std::optional<float> distance = meetBall(ray, center, radius);
        if (distance && (!nearest || *distance < *nearest)) nearest = distance;
    }
    return nearest;
}

std::optional<float> meetTriangle(const Ray& ray, const Vector3f& a, const Vector3f& b, const Vector3f& c) {
    const Vector3f toB = b - a;
    const Vector3f toC = c - a;
    const Vector3f p = ray.direction.cross(toC);
    const float determinant = toB.dot(p);
    if (determinant == 0) return std::nullopt;
    const Vector3f from = ray.origin - a;
    const float u = from.dot(p) / determinant;
    const Vector3f q = from.cross(toB);
    const float v = ray.direction.dot(q) / determinant;
    const float distance = toC.dot(q) / determinant;
    if (!(u >= 0 && v >= 0 && u + v <= 1 && distance >= 0)) return std::nullopt;
    return distance;
}

std::optional<float> meetPlane(const Ray& ray, const Vector3f& point, const Vector3f& normal) {
    const float approach = -ray.direction.dot(normal);
    const float height = (ray.origin - point).dot(normal);
    if (!(approach > 0) || height < 0) return std::nullopt;
    return height / approach;
}

std::optional<Hit> pick(const Picture& picture, const Ray& ray, float slack) {
    Nearest nearest(ray);
    const auto thick = [&](float diameter, const Vector3f& at) {
        return std::max(std::abs(diameter) / 2, slack * (at - ray.origin).norm());
    };
    for (const Box& item : picture.boxes) {
        nearest.offer(item.surface, [&] { return meetBox(ray, item.pose, item.halfExtents); });
    }
    for (const Sphere& item : picture.spheres) {
        nearest.offer(item.surface, [&] { return meetBall(ray, item.pose.position, item.radius); });
    }
    for (const Capsule& item : picture.capsules) {
        nearest.offer(item.surface, [&] { return meetCapsule(ray, item.a, item.b, thick(item.diameter, item.a)); });
    }
    for (const Cylinder& item : picture.cylinders) {
        nearest.offer(item.surface, [&] { return meetCylinder(ray, item.a, item.b, thick(item.diameter, item.a)); });
    }
    for (const Cone& item : picture.cones) {
        // Its own shape hardly differs for a pointer from the cylinder of its lower two thirds.
        nearest.offer(item.surface,
                      [&] { return meetCylinder(ray, item.a, item.a + (item.b - item.a) * 2 / 3, item.diameter / 3); });
    }
    for (const Hull& item : picture.hulls) {
        nearest.offer(item.surface, [&] { return meetHull(ray, item); });
    }
    for (const Spring& item : picture.springs) {
        nearest.offer(item.surface, [&] { return meetCylinder(ray, item.a, item.b, thick(item.width, item.a)); });
    }
    for (const StopFace& item : picture.stopFaces) {
        nearest.offer(item.surface, [&] {
            Pose middle = item.pose;
            middle.position -= item.pose.orientation * Vector3f(0, 0, item.thickness / 2);
            return meetBox(ray, middle, {item.size.x() / 2, item.size.y() / 2, item.thickness / 2});
        });
    }
    for (const Gear& item : picture.gears) {
        nearest.offer(item.surface, [&] {
            const Vector3f half = item.pose.orientation * Vector3f(0, 0, item.width / 2);
            return meetCylinder(ray, item.pose.position - half, item.pose.position + half, item.pitchRadius);
        });
    }
    return nearest.hit();
}

}  // namespace elasto::view
