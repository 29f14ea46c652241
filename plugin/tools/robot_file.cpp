#include "robot_file.h"

#include <elasto/robot/load_robot.h>

#include <fstream>
#include <iterator>

#include "tool_errors.h"

namespace elasto::tools {

namespace {

bool isUrdf(const std::filesystem::path& file) {
    return file.extension() == ".urdf";
}

}  // namespace

bool isRobot(const std::filesystem::path& file) {
    if (isUrdf(file)) return true;
    std::ifstream stream(file, std::ios::binary);
    return isRobotScene(std::string{std::istreambuf_iterator<char>(stream), {}});
}

RobotScene loadRobotFile(const std::filesystem::path& file) {
    return isUrdf(file) ? sceneOfRobot(loadRobot(file)) : loadRobotScene(file);
}

void refuseRobot(const std::filesystem::path& file, const std::string& command, const std::string& instead) {
    if (isRobot(file)) throw InputError(file.string() + ": is a robot, and " + command + " is for scenes; " + instead);
}

}  // namespace elasto::tools
