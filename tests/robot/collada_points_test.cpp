#include "collada_points.h"
#include "mesh_points.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace elasto::robot;

namespace {

/// A tetrahedron with normals before its positions, shown by a scene of given nodes.
std::string collada(const std::string& nodes, const std::string& asset = "") {
    return R"(<?xml version="1.0"?><COLLADA version="1.4.1"><asset>)" + asset + R"(</asset>
<library_geometries><geometry id="t"><mesh>
<source id="n"><float_array count="3">9 9 9</float_array></source>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0
 0 1 0 0 0 1</float_array><technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="NORMAL" source="#n"/><input semantic="POSITION" source="#p"/></vertices>
</mesh></geometry></library_geometries>)" +
           nodes + "</COLLADA>";
}

std::string sceneOf(const std::string& nodes) {
    return "<library_visual_scenes><visual_scene>" + nodes + "</visual_scene></library_visual_scenes>";
}

const std::string kShown = "<instance_geometry url=\"#t\"/>";

}  // namespace

TEST_CASE("a COLLADA file without a scene is its positions, in metres") {
    const auto points = colladaPoints(collada("", "<unit meter=\"0.01\"/><up_axis>Y_UP</up_axis>"));
    REQUIRE(points.size() == 4);
    CHECK(points[1] == Eigen::Vector3d(0.01, 0, 0));
    CHECK(points[3] == Eigen::Vector3d(0, 0, 0.01));
}

TEST_CASE(
    "nodes of a COLLADA scene move what they show, from the last transform to the first, and the outer node last") {
    const auto points = colladaPoints(
        collada(sceneOf("<node><translate>0 0 5</translate><node><translate>1 2 3</translate><rotate>0 0 1 90</rotate>"
                        "<scale>2 2 2</scale>" +
                        kShown + "</node></node>")));
    REQUIRE(points.size() == 4);
    CHECK((points[0] - Eigen::Vector3d(1, 2, 8)).norm() < 1e-15);
    CHECK((points[1] - Eigen::Vector3d(1, 4, 8)).norm() < 1e-15);  // 2 along x, turned to y
    CHECK((points[2] - Eigen::Vector3d(-1, 2, 8)).norm() < 1e-15);
    const auto byMatrix = colladaPoints(
        collada(sceneOf("<node><matrix>0 -1 0 1  1 0 0 2  0 0 1 3  0 0 0 1</matrix>" + kShown + kShown + "</node>")));
    REQUIRE(byMatrix.size() == 8);  // as often as it is shown
    CHECK((byMatrix[1] - Eigen::Vector3d(1, 3, 3)).norm() < 1e-15);
}

TEST_CASE("nodes and skins that a COLLADA scene refers to are shown") {
    const std::string library = "<library_nodes><node id=\"a\"><translate>1 0 0</translate>" + kShown +
                                "</node></library_nodes><library_controllers><controller id=\"c\"><skin source=\"#t\"/>"
                                "</controller></library_controllers>";
    CHECK(colladaPoints(collada(library + sceneOf("<node><instance_node url=\"#a\"/></node>")))[0] ==
          Eigen::Vector3d(1, 0, 0));
    CHECK(colladaPoints(collada(library + sceneOf("<node><instance_controller url=\"#c\"/></node>"))).size() == 4);
}

TEST_CASE("a COLLADA file that cannot be is refused") {
    CHECK_THROWS_WITH(colladaPoints("<COLLADA>"), "line 1: it is no XML");
    CHECK_THROWS_WITH(colladaPoints("<x/>"), "it is no COLLADA file: it must begin with <COLLADA>");
    CHECK_THROWS_WITH(colladaPoints(collada(sceneOf("<node><scale>1 2</scale>" + kShown + "</node>"))),
                      "line 7: <scale> must have 3 numbers");
    CHECK_THROWS_WITH(colladaPoints(collada(sceneOf("<node><scale>1 2 x</scale>" + kShown + "</node>"))),
                      "line 7: \"x\" is not allowed; it must be a finite number");
    // A node that shows itself.
    CHECK_THROWS_WITH(
        colladaPoints(collada("<library_nodes><node id=\"a\"><instance_node url=\"#a\"/></node></library_nodes>" +
                              sceneOf("<node><instance_node url=\"#a\"/></node>"))),
        "its nodes are nested too deep");
    CHECK_THROWS_WITH(meshPoints("<COLLADA/>", ".dae"), "it has 0 different vertices; a hull must have at least 4");
}
