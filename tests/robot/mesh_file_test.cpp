#include "mesh_file.h"
#include "small_robot.h"

#include "temporary_folder.h"

#include <catch2/catch.hpp>

using namespace elasto;
using namespace elasto::test;

namespace {

void writeMesh(const std::filesystem::path& file) {
    std::filesystem::create_directories(file.parent_path());
    writeText(file, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
}

}  // namespace

TEST_CASE("a file of a robot is found beside it, in its package, and without the folders around") {
    const TemporaryFolder folder;
    const std::filesystem::path urdf = folder.path() / "workspace" / "my_robot" / "urdf";
    const std::filesystem::path mesh = folder.path() / "workspace" / "my_robot" / "meshes" / "arm" / "a.obj";
    std::filesystem::create_directories(urdf);
    writeMesh(mesh);
    const auto find = [&](const std::string& uri) { return robot::findFile(uri, urdf, {}).path; };
    for (const char* uri :
         {"../meshes/arm/a.obj", "package://my_robot/meshes/arm/a.obj", "model://my_robot/meshes/arm/a.obj",
          "package://another_name/meshes/arm/a.obj", "meshes/arm/a.obj", "/home/somebody/my_robot/meshes/arm/a.obj",
          "file:///home/somebody/src/my_robot/meshes/arm/a.obj"}) {
        INFO(uri);
        CHECK(find(uri) == mesh);
    }
    CHECK(find("file://" + mesh.string()) == mesh);
    // A package that is beside the robot's own.
    writeMesh(folder.path() / "workspace" / "common" / "meshes" / "b.obj");
    CHECK(find("package://common/meshes/b.obj") == folder.path() / "workspace" / "common" / "meshes" / "b.obj");
    // A folder is no file.
    CHECK(find("package://my_robot/meshes/arm").empty());
    CHECK(find("package://my_robot/meshes/arm/b.obj").empty());
    // A name alone says too little to be looked for elsewhere.
    writeMesh(urdf / "model.obj");
    CHECK(find("package://another/model.obj").empty());
    CHECK(robot::findFile("c.obj", urdf, {}).looked.front() == urdf / "c.obj");
}

TEST_CASE("packages that are given come first") {
    const TemporaryFolder folder;
    writeMesh(folder.path() / "other" / "meshes" / "a.obj");
    writeMesh(folder.path() / "pack" / "meshes" / "a.obj");
    LoadRobotOptions options;
    options.packages["pack"] = folder.path() / "other";
    CHECK(robot::findFile("package://pack/meshes/a.obj", folder.path(), options).path ==
          folder.path() / "other" / "meshes" / "a.obj");
}

TEST_CASE("a shape without its mesh is left out, and the warning says what was looked for") {
    const TemporaryFolder folder;
    const std::string box = "<box size=\"0.5 0.1 0.1\"/>";
    const auto said = [&](const std::string& mesh) {
        const Lines lines = warningsOf(smallRobot(box, "<mesh filename=\"" + mesh + "\"/>"), folder.file("r.urdf"));
        return lines.empty() ? std::string() : lines[0].substr(folder.file("").size());
    };
    LoadRobotOptions quiet;
    quiet.messageHandler = nullptr;
    CHECK(parseRobot(smallRobot(box, "<mesh filename=\"none.stl\"/>"), "r.urdf", quiet).links[1].collisions.empty());
    const std::string start =
        "r.urdf:5: <mesh filename=\"none.stl\">: the shape is left out (of <link name=\"upper\">): ";
    CHECK(said("none.stl")
              .starts_with(start + "there is no file \"none.stl\"; looked for as '" + folder.file("none.stl") + "'"));
    writeText(folder.path() / "none.stl", "v");
    CHECK(said("none.stl") ==
          start + "'" + folder.file("none.stl") + "': it has 0 different vertices; a hull must have at least 4");
    writeText(folder.path() / "a.ply", "v");
    CHECK(said("a.ply").find("the format \".ply\" is not allowed") != std::string::npos);
}
