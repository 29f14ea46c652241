// Triangles of mesh files.

#include "mesh_text.h"

#include <catch2/catch.hpp>

using elasto::scene::meshTriangles;
using elasto::scene::TriangleMesh;

TEST_CASE("polygons of an OBJ file are fans of triangles, and vertices count from 1 or from the last") {
    const TriangleMesh mesh = meshTriangles(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 0\nf 1/1/1 2//1 3 4\nf -1 -3 -2\nf 1 2 2\nf 1 5 2\n", ".obj");
    CHECK(mesh.points.size() == 4);  // the fifth is the first
    // Of those behind the first face the last two have no area.
    CHECK(mesh.triangles == std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 2, 3}});
}

TEST_CASE("an STL file's triangles share their corners") {
    const TriangleMesh mesh = meshTriangles(
        "solid\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\nendsolid\n",
        ".stl");
    CHECK(mesh.points.size() == 4);
    CHECK(mesh.triangles == std::vector<std::array<int, 3>>{{0, 1, 2}, {1, 3, 2}});
}

TEST_CASE("a mesh without triangles, or with corners that are no vertices, is refused") {
    CHECK_THROWS_WITH(meshTriangles("v 0 0 0\nv 1 0 0\nv 0 1 0\n", ".obj"), "it has no triangle with an area");
    CHECK_THROWS_WITH(meshTriangles("v 0 0 0\nv 1 0 0\nf 1 2 3\n", ".obj"),
                      "line 3: \"3\" is not allowed; a corner must be one of the 2 vertices");
    CHECK_THROWS_WITH(meshTriangles("v 0 0 0\nf 0 1 1\n", ".obj"),
                      "line 2: \"0\" is not allowed; a corner must be one of the 1 vertices");
    CHECK_THROWS_WITH(meshTriangles(std::filesystem::path("none.obj")), "it cannot be read: No such file or directory");
}
