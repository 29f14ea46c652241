#include "mesh_shapes.h"

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace elasto::view {

namespace {

using Eigen::Vector3f;

constexpr float kPi = std::numbers::pi_v<float>;

/// Adds a grid of rows x columns vertices, already in the mesh from `first` on, as triangles.
void addGrid(Mesh& mesh, std::size_t first, int rows, int columns) {
    for (int row = 0; row + 1 < rows; ++row) {
        for (int column = 0; column + 1 < columns; ++column) {
            const auto corner = static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(row * columns + column);
            const std::uint32_t above = corner + static_cast<std::uint32_t>(columns);
            mesh.triangles.insert(mesh.triangles.end(), {corner, corner + 1, above, above, corner + 1, above + 1});
        }
    }
}

void addVertex(Mesh& mesh, const Vector3f& position, const Vector3f& normal) {
    mesh.positions.push_back(position);
    mesh.normals.push_back(normal.normalized());
}

Vector3f onCircle(int segment, int segments) {
    const float angle = 2 * kPi * static_cast<float>(segment % segments) / static_cast<float>(segments);
    return {std::cos(angle), std::sin(angle), 0};
}

}  // namespace

Mesh flatMesh(const std::vector<Vector3f>& corners, const std::vector<std::uint32_t>& triangles) {
    Mesh mesh;
    for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
        const Vector3f& a = corners[triangles[i]];
        const Vector3f& b = corners[triangles[i + 1]];
        const Vector3f& c = corners[triangles[i + 2]];
        const Vector3f normal = (b - a).cross(c - a);
        if (!(normal.norm() > 0)) continue;
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        for (const Vector3f& corner : {a, b, c}) addVertex(mesh, corner, normal);
        mesh.triangles.insert(mesh.triangles.end(), {first, first + 1, first + 2});
    }
    return mesh;
}

Mesh boxShape() {
    Mesh mesh;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float sign : {-1.0F, 1.0F}) {
            // Two directions across, so that u x v = the face's normal.
            const Vector3f normal = sign * Vector3f::Unit(axis);
            const Vector3f u = Vector3f::Unit((axis + 1) % 3);
            const Vector3f v = sign * Vector3f::Unit((axis + 2) % 3);
            const std::size_t first = mesh.positions.size();
            // Per direction: the bent edge, the flat part's two borders, the bent edge.
            for (int row = 0; row < 4; ++row) {
                for (int column = 0; column < 4; ++column) {
                    const float alongU = column < 2 ? -1.0F : 1.0F;
                    const float alongV = row < 2 ? -1.0F : 1.0F;
                    const float bentU = column == 0 || column == 3 ? alongU : 0;
                    const float bentV = row == 0 || row == 3 ? alongV : 0;
                    addVertex(mesh, normal + alongU * u + alongV * v, normal + bentU * u + bentV * v);
                }
            }
            addGrid(mesh, first, 4, 4);
        }
    }
    return mesh;
}

Mesh cylinderShape(int segments) {
    Mesh mesh;
    const std::size_t side = mesh.positions.size();
    // From the lower rim's bent edge over the side to the upper rim's.
    for (const auto& [z, bent] : {std::pair{-1.0F, true}, {-1.0F, false}, {1.0F, false}, {1.0F, true}}) {
        for (int i = 0; i <= segments; ++i) {
            const Vector3f out = onCircle(i, segments);
            const Vector3f end = z * Vector3f::UnitZ();
            addVertex(mesh, out + end, bent ? Vector3f(out + end) : out);
        }
    }
    addGrid(mesh, side, 4, segments + 1);
    for (const float z : {-1.0F, 1.0F}) {
        const Vector3f end = z * Vector3f::UnitZ();
        const std::size_t cap = mesh.positions.size();
        for (const auto& [radius, bent] : {std::pair{1.0F, true}, {1.0F, false}, {0.0F, false}}) {
            for (int i = 0; i <= segments; ++i) {
                // Clockwise below, so that the face looks down.
                const Vector3f out = onCircle(z > 0 ? i : segments - i, segments);
                addVertex(mesh, radius * out + end, bent ? Vector3f(out + end) : end);
            }
        }
        addGrid(mesh, cap, 3, segments + 1);
    }
    return mesh;
}

Mesh capsuleShape(int segments) {
    Mesh mesh;
    const int rings = segments / 4;
    const auto addRing = [&](float elevation, float z) {
        for (int i = 0; i <= segments; ++i) {
            const Vector3f normal =
                std::cos(elevation) * onCircle(i, segments) + std::sin(elevation) * Vector3f::UnitZ();
            addVertex(mesh, z * Vector3f::UnitZ(), normal);
        }
    };
    for (int ring = -rings; ring <= 0; ++ring) {
        addRing(kPi / 2 * static_cast<float>(ring) / static_cast<float>(rings), -1);
    }
    for (int ring = 0; ring <= rings; ++ring) {
        addRing(kPi / 2 * static_cast<float>(ring) / static_cast<float>(rings), 1);
    }
    addGrid(mesh, 0, 2 * (rings + 1), segments + 1);
    return mesh;
}

Mesh coneShape(int segments) {
    Mesh mesh;
    for (const float z : {0.0F, 1.0F}) {
        for (int i = 0; i <= segments; ++i) {
            const Vector3f out = onCircle(i, segments);
            addVertex(mesh, (1 - z) * out + z * Vector3f::UnitZ(), out + Vector3f::UnitZ());
        }
    }
    addGrid(mesh, 0, 2, segments + 1);
    const std::size_t base = mesh.positions.size();
    for (const float radius : {1.0F, 0.0F}) {
        for (int i = 0; i <= segments; ++i) {
            addVertex(mesh, radius * onCircle(segments - i, segments), -Vector3f::UnitZ());
        }
    }
    addGrid(mesh, base, 2, segments + 1);
    return mesh;
}

Mesh wireShape(int segments, int sides) {
    Mesh mesh;
    const auto addRing = [&](float way, float radius) {
        for (int side = 0; side <= sides; ++side) {
            const float angle = 2 * kPi * static_cast<float>(side % sides) / static_cast<float>(sides);
            mesh.positions.emplace_back(way, angle, radius);
            mesh.normals.push_back(Vector3f::UnitZ());
        }
    };
    addRing(0, 0);
    for (int segment = 0; segment <= segments; ++segment) {
        addRing(static_cast<float>(segment) / static_cast<float>(segments), 1);
    }
    addRing(1, 0);
    addGrid(mesh, 0, segments + 3, sides + 1);
    return mesh;
}

}  // namespace elasto::view
