#pragma once
/// @file robot_stage.h
/// Robots of one's own as a demo, and the scene that they stand in.

#include "gallery/demo.h"
#include "play/session.h"

#include <elasto/robot/robot_scene.h>

#include <filesystem>
#include <string>
#include <vector>

namespace elasto::gallery {

/// What a robot's file becomes.
struct RobotStage {
    Demo demo;                          ///< its guests are the robots
    Scene scene;                        ///< what is around the robots, y upwards, and their ground
    double ballRadius = 0.05;           ///< of what is thrown at them: by their size [m]
    double ballMass = 1;                ///< by their mass [kg]
    std::vector<std::string> warnings;  ///< of its files
};

/// Reads a robot scene, or a URDF or SDF file: of the latter a robot with a free base is put on the ground, as it has
/// no scene that says where it stands.
/// @throws SceneError, RobotError, FileError, tools::InputError if the file is no robot, InvalidParameter for a robot
/// that cannot be built
RobotStage loadRobotStage(const std::filesystem::path& file);

}  // namespace elasto::gallery
