#include "robot_file.h"

#include <elasto/robot/load_robot.h>
#include <elasto/scene/input_file.h>

#include "tool_errors.h"

namespace elasto::tools {

namespace {

bool isUrdf(const std::filesystem::path& file) {
    return file.extension() == ".urdf";
}

}  // namespace

bool isRobot(const std::filesystem::path& file) {
    if (isUrdf(file)) return true;
    std::string whoeverLoadsItTells;
    return isRobotScene(readFile(file, whoeverLoadsItTells));
}

RobotScene loadRobotFile(const std::filesystem::path& file) {
    return isUrdf(file) ? sceneOfRobot(loadRobot(file)) : loadRobotScene(file);
}

void refuseRobot(const std::filesystem::path& file, const std::string& command, const std::string& instead) {
    if (isRobot(file)) throw InputError(file.string() + ": is a robot, and " + command + " is for scenes; " + instead);
}

}  // namespace elasto::tools
