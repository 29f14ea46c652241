#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "view/mesh.h"

namespace elasto::view {

namespace {

using Eigen::Vector3f;

bool before(const Vector3f& a, const Vector3f& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

/// The positions in steps of a hundred thousandth of the mesh: corners that were computed twice are at the same place.
std::vector<Vector3f> rounded(const std::vector<Vector3f>& positions) {
    float largest = 0;
    for (const Vector3f& position : positions) largest = std::max(largest, position.cwiseAbs().maxCoeff());
    const float step = 1e-5F * largest;
    std::vector<Vector3f> places;
    places.reserve(positions.size());
    for (const Vector3f& position : positions) {
        places.emplace_back((position / step).array().round());
    }
    return places;
}

/// The angle of a triangle at its first corner, 0 .. pi.
float angleAt(const Vector3f& corner, const Vector3f& next, const Vector3f& last) {
    const Vector3f u = next - corner;
    const Vector3f v = last - corner;
    return std::atan2(u.cross(v).norm(), u.dot(v));
}

}  // namespace

Mesh creasedMesh(const std::vector<Vector3f>& corners, const std::vector<std::uint32_t>& triangles, float creaseAngle) {
    Mesh mesh = flatMesh(corners, triangles);
    const std::vector<Vector3f> faces = mesh.normals;
    // Vertices at the same place stand side by side in this order.
    const std::vector<Vector3f> places = rounded(mesh.positions);
    std::vector<std::uint32_t> order(mesh.positions.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Vector3f& p = places[a];
        const Vector3f& q = places[b];
        return before(p, q) || (p == q && a < b);
    });
    const float smooth = std::cos(creaseAngle);
    const auto weight = [&](std::uint32_t vertex) {
        // flatMesh gives the three vertices of a triangle one after the other.
        const std::uint32_t first = vertex - vertex % 3;
        return angleAt(mesh.positions[vertex], mesh.positions[first + (vertex + 1) % 3],
                       mesh.positions[first + (vertex + 2) % 3]);
    };
    for (auto begin = order.begin(); begin != order.end();) {
        const Vector3f& place = places[*begin];
        const auto end = std::find_if(begin, order.end(), [&](std::uint32_t v) { return places[v] != place; });
        for (auto vertex = begin; vertex != end; ++vertex) {
            Vector3f sum = Vector3f::Zero();
            for (auto other = begin; other != end; ++other) {
                if (faces[*other].dot(faces[*vertex]) >= smooth) sum += weight(*other) * faces[*other];
            }
            if (sum.norm() > 0) mesh.normals[*vertex] = sum.normalized();
        }
        begin = end;
    }
    return mesh;
}

}  // namespace elasto::view
