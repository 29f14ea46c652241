#include "mesh_points.h"

#include <catch2/catch.hpp>

#include <cstring>

using namespace elasto::robot;

namespace {

std::string binaryStl(const std::vector<float>& numbers) {
    std::string content(80, ' ');
    content.replace(0, 5, "solid");  // some programs write it into binary files
    const auto put = [&](const void* bytes, std::size_t count) {
        content.append(static_cast<const char*>(bytes), count);
    };
    const std::uint32_t triangles = static_cast<std::uint32_t>(numbers.size() / 12);
    put(&triangles, 4);
    for (std::size_t k = 0; k < triangles; ++k) {
        put(&numbers[12 * k], 48);
        content.append(2, '\0');
    }
    return content;
}

}  // namespace

TEST_CASE("vertices of an OBJ file, none twice") {
    const std::vector<Eigen::Vector3d> points = meshPoints(
        "# a tetrahedron\no t\nv 0 0 0\nv 1.5e0 0 0 1.0\r\n  v 0 -1 0\nvn 0 0 1\nvt 0 0\nv 0 0 0.25\nv 0 0 0\nf 1 2 "
        "3\n",
        ".obj");
    REQUIRE(points.size() == 4);
    CHECK(points[1] == Eigen::Vector3d(1.5, 0, 0));
    CHECK(points[2] == Eigen::Vector3d(0, -1, 0));
    CHECK(points[3] == Eigen::Vector3d(0, 0, 0.25));
}

TEST_CASE("vertices of an STL file as text") {
    const std::vector<Eigen::Vector3d> points = meshPoints(R"(solid t
facet normal 0 0 1
  outer loop
    vertex 0 0 0
    vertex 1 0 0
    vertex 0 1 0
  endloop
endfacet
facet normal 0 0 1
  outer loop
    vertex 0 0 0
    vertex 1 0 0
    vertex 0 0 2
  endloop
endfacet
endsolid t
)",
                                                           ".stl");
    REQUIRE(points.size() == 4);
    CHECK(points[3] == Eigen::Vector3d(0, 0, 2));
}

TEST_CASE("vertices of a binary STL file, also where it begins like text") {
    const std::vector<Eigen::Vector3d> points =
        meshPoints(binaryStl({0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 2.5}), ".stl");
    REQUIRE(points.size() == 4);
    CHECK(points[2] == Eigen::Vector3d(0, 1, 0));
    CHECK(points[3] == Eigen::Vector3d(0, 0, 2.5));
}

TEST_CASE("a mesh that cannot be used is refused") {
    CHECK_THROWS_WITH(meshPoints("", ".obj"), "it has 0 different vertices; a hull must have at least 4");
    CHECK_THROWS_WITH(meshPoints("v 0 0 0\nv 1 0 zero\n", ".obj"),
                      "line 2: \"zero\" is not allowed; a vertex must be three finite numbers");
    CHECK_THROWS_WITH(meshPoints("v 0 0\n", ".obj"),
                      "line 1: \"\" is not allowed; a vertex must be three finite numbers");
    for (const char* flat : {"v 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n", "v 0 0 0\nv 1 1 1\nv 2 2 2\nv 3 3 3\n"}) {
        CHECK_THROWS_WITH(meshPoints(flat, ".obj"), "all its vertices lie in one plane; a hull must have a volume");
    }
    CHECK_THROWS_WITH(meshPoints("", ".ply"),
                      "the format \".ply\" is not allowed; a mesh must be a .obj, .stl or .dae file");
    CHECK_THROWS_WITH(
        meshPoints(binaryStl({0, 0, 1, 0, 0, 0, 1, 0, 0, 0, std::numeric_limits<float>::infinity(), 0}), ".stl"),
        "a vertex is not finite");
}
