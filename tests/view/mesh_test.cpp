// Normals of meshes made from corners.

#include <Eigen/Geometry>

#include <catch2/catch.hpp>
#include <cmath>

#include "view/mesh.h"

namespace elasto::view {
namespace {

using Eigen::Vector3f;

/// A prism of many sides about z, radius 1, with its upper face.
Mesh prism(int sides, float creaseAngle) {
    std::vector<Vector3f> corners;
    std::vector<std::uint32_t> triangles;
    const auto count = static_cast<std::uint32_t>(sides);
    for (const float z : {0.0F, 1.0F}) {
        for (int i = 0; i < sides; ++i) {
            const float angle = 6.2831853F * static_cast<float>(i) / static_cast<float>(sides);
            corners.emplace_back(std::cos(angle), std::sin(angle), z);
        }
    }
    corners.emplace_back(0, 0, 1);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t next = (i + 1) % count;
        triangles.insert(triangles.end(), {i, next, count + next, i, count + next, count + i});
        triangles.insert(triangles.end(), {count + i, count + next, 2 * count});
    }
    return creasedMesh(corners, triangles, creaseAngle);
}

TEST_CASE("Round parts get the normals of what they approximate, edges stay") {
    const Mesh mesh = prism(16, 0.6F);
    REQUIRE(mesh.normals.size() == mesh.positions.size());
    int onSide = 0;
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        const Vector3f& normal = mesh.normals[i];
        if (std::abs(normal.z()) < 0.5F) {
            ++onSide;
            const Vector3f radial(mesh.positions[i].x(), mesh.positions[i].y(), 0);
            CHECK((normal - radial).norm() < 1e-4F);
        } else {
            CHECK((normal - Vector3f::UnitZ()).norm() < 1e-6F);
        }
    }
    CHECK(onSide == 6 * 16);
}

TEST_CASE("An angle sharper than the crease is an edge") {
    // 90 degrees between the sides of a square prism.
    const Mesh square = prism(4, 0.6F);
    for (std::size_t i = 0; i < square.positions.size(); ++i) {
        const Vector3f radial = square.positions[i].cwiseProduct(Vector3f(1, 1, 0));
        if (std::abs(square.normals[i].z()) < 0.5F) CHECK(square.normals[i].dot(radial) == Approx(std::sqrt(0.5F)));
    }
}

}  // namespace
}  // namespace elasto::view
