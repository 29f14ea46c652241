#pragma once
/// @file robot_scene.h
/// A robot and what drives it, as a scene file says.

#include <elasto/export.h>
#include <elasto/robot/load_robot.h>
#include <elasto/scene/description.h>

#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace elasto {

/// A value as a function of time.
struct RobotFunction : TimeCourse {
    double value = 0;  ///< what the factor of time multiplies

    double at(double t) const { return factor(t) * value; }  ///< t [s]
};

/// A torque or force on a joint; on its motor if an element gives it one.
struct RobotLoad {
    int joint = 0;        ///< index in RobotDescription::joints
    RobotFunction value;  ///< [N.m, N]; a motor's on its own side of the gear
};

/// A controller of a joint, or of its motor if an element gives it one. Once per tick it sets the torque
/// stiffness (wanted - is) + damping (wanted rate - rate), at most maxEffort, all on the joint's side of the gear.
struct RobotServo {
    int joint = 0;                                               ///< index in RobotDescription::joints
    RobotFunction position;                                      ///< wanted [rad, m]
    double stiffness = 0;                                        ///< [N.m/rad, N/m]
    double damping = 0;                                          ///< [N.m.s/rad, N.s/m]
    double maxEffort = std::numeric_limits<double>::infinity();  ///< [N.m, N]
};

/// A robot, where it stands and what drives it.
struct RobotScene {
    /// Whether the root link may move; see RobotOptions::Base.
    enum class Base {
        AsStated,  ///< as the description says
        Fixed,     ///< it never moves
        Free,      ///< it moves
    };
    /// Who moves the robot; see RobotOptions::Solver.
    enum class Solver {
        Elasto,  ///< exactly, whether it has elements or not
        Bullet,  ///< Bullet's own step; only of robots without elements
    };
    std::string name;                            ///< of the scene, for lists and titles
    std::string description;                     ///< says what to look at
    RobotDescription robot;                      ///< from the URDF file that the scene names
    Base base = Base::AsStated;                  ///< as the description says, at first
    Solver solver = Solver::Elasto;              ///< Elasto, at first
    RobotPose pose;                              ///< of the root link's frame
    std::vector<double> q;                       ///< start of the joints, as many as joints [rad, m]
    std::vector<double> v;                       ///< [rad/s, m/s]
    bool ground = false;                         ///< a fixed plane z = 0
    double friction = 0.5;                       ///< Bullet's coefficient of all shapes
    bool selfCollision = false;                  ///< of links that are not neighbours
    Eigen::Vector3d gravity = {0, 0, -9.80665};  ///< [m/s^2]
    double rate = 240;                           ///< ticks per second [Hz]
    double duration = 10;                        ///< [s]
    int solverIterations = 10;                   ///< Bullet's
    std::vector<RobotLoad> loads;                ///< torques and forces over time
    std::vector<RobotServo> servos;              ///< at most one per joint
    std::vector<SceneRecord> record;             ///< empty: the main signals
};

/// True if the text is that of a robot scene: a JSON object with a field `robot`.
ELASTO_API bool isRobotScene(std::string_view json);

/// Reads a robot scene and the files it names (docs/robots.md).
/// @throws SceneError for the scene, RobotError for the robot's files: one line per mistake; FileError for one that
/// cannot be read
/// @param messageHandler for warnings about the robot's files
ELASTO_API RobotScene loadRobotScene(const std::filesystem::path& file,
                                     const RobotMessageHandler& messageHandler = printRobotMessage);
/// The same from text. @param file what messages call it; files are looked up relative to its folder
ELASTO_API RobotScene parseRobotScene(std::string_view json, const std::filesystem::path& file = "scene.json",
                                      const RobotMessageHandler& messageHandler = printRobotMessage);
/// A scene of nothing but a robot: it stands at the origin and nothing drives it.
ELASTO_API RobotScene sceneOfRobot(RobotDescription robot);

/// The JSON schema (draft 7) of robot scenes: the text of assets/schema/robot_scene.schema.json.
ELASTO_API std::string_view robotSceneSchema();

}  // namespace elasto
