#pragma once
/// A robot of three links for tests, whose lines can be replaced.

#include <elasto/robot/load_robot.h>
#include <elasto/scene/file_error.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace elasto::test {

/// Line numbers are those of the text: `<robot>` is line 1.
inline const std::string kSmallRobot = R"(<robot name="small" xmlns:elasto="https://elasto">
<link name="world"/>
<link name="upper">
  <inertial><origin xyz="0.25 0 0"/><mass value="2"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.04" iyz="0" izz="0.04"/></inertial>
  <collision><origin xyz="0.25 0 0"/><geometry><box size="0.5 0.1 0.1"/></geometry></collision>
</link>
<link name="lower">
  <inertial><origin xyz="0.2 0 0"/><mass value="1"/><inertia ixx="0.005" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial>
</link>
<joint name="shoulder" type="revolute"><parent link="world"/><child link="upper"/><axis xyz="0 0 1"/><limit lower="-1" upper="2" effort="10" velocity="5"/></joint>
<joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="0.5 0 0"/><axis xyz="0 1 0"/></joint>
</robot>
)";

/// The small robot with one piece of text replaced by another.
inline std::string smallRobot(const std::string& piece, const std::string& by) {
    std::string text = kSmallRobot;
    const std::size_t at = text.find(piece);
    if (at == std::string::npos) throw std::logic_error("no such piece: " + piece);
    return text.replace(at, piece.size(), by);
}

/// The small robot with elements before its end, from line 12 on.
inline std::string smallRobotWith(const std::string& elements) {
    return smallRobot("</robot>", elements + "\n</robot>");
}

/// What parseRobot says about a text; "" if it takes it.
inline std::string refusal(const std::string& text, const LoadRobotOptions& options = {}) {
    try {
        parseRobot(text, "small.urdf", options);
    } catch (const RobotError& refused) {
        return refused.what();
    } catch (const FileError& refused) {
        return refused.what();
    }
    return "";
}

using Lines = std::vector<std::string>;

/// The warnings about a text. @param file where meshes are looked up
inline Lines warningsOf(const std::string& text, const std::filesystem::path& file = "small.urdf") {
    Lines lines;
    LoadRobotOptions options;
    options.messageHandler = [&](const std::string& line) { lines.push_back(line); };
    parseRobot(text, file, options);
    return lines;
}

}  // namespace elasto::test
