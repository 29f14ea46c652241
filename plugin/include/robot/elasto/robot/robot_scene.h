#pragma once
/// @file robot_scene.h
/// A robot and what drives it, as a scene file says.

#include <elasto/export.h>
#include <elasto/robot/joint_trajectory.h>
#include <elasto/robot/load_robot.h>
#include <elasto/scene/description.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elasto {

/// A value as a function of time: a course, or a column of a trajectory.
struct ELASTO_API RobotFunction : TimeCourse {
    double value = 0;  ///< what the factor of time, or the trajectory's value, is multiplied by
    /// Of a file: instead of the course; its time 0 is startTime. Null: the course counts.
    std::shared_ptr<const JointTrajectory> trajectory;
    std::size_t column = 0;  ///< of the trajectory

    double at(double t) const;         ///< t [s]
    double rate(double t) const;       ///< by time, as TimeCourse::slope; t [s]
    double nextBreak(double t) const;  ///< as TimeCourse::nextBreak; t [s]
};

/// A torque or force on a joint; on its motor if an element gives it one.
struct RobotLoad {
    int joint = 0;        ///< index in RobotDescription::joints
    RobotFunction value;  ///< [N.m, N]; a motor's on its own side of the gear
};

/// How strong a friction element is, as a brake.
struct RobotBrake {
    int element = 0;    ///< index in RobotDescription::elements: one of FrictionLaw
    TimeCourse course;  ///< share of its force over time: f_normalized of ElementCommon::setF_normalized
};

/// When a controller reads its joint, and when what it says acts.
struct RobotControl {
    /// The controller's equation holds at every instant, as that of a spring and damper: exact at any tick. Only of a
    /// servo of Mode::Position on a joint without a motor, without bounds, integral part and gravity compensation.
    bool isContinuous = false;
    /// Sampled: readings per second, at k / rate [Hz]; what it says holds until the next. Without it the scene's rate.
    std::optional<double> rate;
    double delay = 0;  ///< Sampled: from a reading until what follows from it acts [s], >= 0

    bool operator==(const RobotControl&) const = default;  ///< equal where all fields are
};

/// Where the heat of an element goes.
struct RobotHeat {
    int element = 0;   ///< index in RobotDescription::elements
    int heatPort = 0;  ///< index in Scene::heatPorts of RobotScene::around
};

/// A controller of a joint, or of its motor if an element gives it one, all on the joint's side of the gear:
///
///     Position  u = stiffness (w - q) + damping (w' - v) + i + feedforward,   i' = integral (w - q)
///     Velocity  u = damping (w - v) + i + feedforward,                        i' = integral (w - v)
///     Effort    u = w + feedforward
///
/// w is the target, w' its rate, which a jump does not have. u is kept within damping (+-maxVelocity - v), i within
/// +-maxIntegral; gravity compensation is added, and the sum is kept within +-maxEffort. i does not grow against a
/// bound that holds u.
struct RobotServo {
    /// What the target is, as in ros2_control.
    enum class Mode {
        Position,  ///< a coordinate [rad, m]
        Velocity,  ///< its rate [rad/s, m/s]
        Effort,    ///< a torque or force [N.m, N]
    };
    int joint = 0;                                               ///< index in RobotDescription::joints
    RobotFunction target;                                        ///< w
    double stiffness = 0;                                        ///< Position [N.m/rad, N/m]
    double damping = 0;                                          ///< [N.m.s/rad, N.s/m]
    double maxEffort = std::numeric_limits<double>::infinity();  ///< [N.m, N]
    Mode mode = Mode::Position;                                  ///< decides the equation
    RobotFunction feedforward = {};                              ///< [N.m, N]
    double integral = 0;                                         ///< [N.m/(rad.s), N/(m.s)]; Velocity [N.m/rad, N/m]
    double maxIntegral = 0;                                      ///< of the integral part [N.m, N]; finite
    /// The drive never pushes a joint beyond this rate [rad/s, m/s], > 0, where damping > 0: at it only what else acts
    /// can. A sampled controller keeps it where damping / rate is below the inertia it moves, without delay.
    double maxVelocity = std::numeric_limits<double>::infinity();
    bool gravity = false;       ///< adds what holds the joint against gravity, with all joints as they are
    RobotControl control = {};  ///< when it reads and acts
};

/// A robot of a scene: where it stands and what drives it.
struct SceneRobot {
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
    /// Its name and a point, such as "left.", with which the names of its signals begin, and what elements of the scene
    /// call its links; empty where it is alone.
    std::string prefix;
    RobotDescription robot;                       ///< from the URDF file that the scene names
    Base base = Base::AsStated;                   ///< as the description says, at first
    Solver solver = Solver::Elasto;               ///< Elasto, at first
    RobotPose pose;                               ///< of the root link's frame
    Eigen::Vector3d velocity = {0, 0, 0};         ///< of a free base at the start, as RobotOptions::velocity [m/s]
    Eigen::Vector3d angularVelocity = {0, 0, 0};  ///< the same [rad/s]
    std::vector<double> q;                        ///< start of the joints, as many as joints [rad, m]
    std::vector<double> v;                        ///< [rad/s, m/s]
    bool selfCollision = false;                   ///< of links that are not neighbours
    std::vector<RobotLoad> loads;                 ///< torques and forces over time
    std::vector<RobotBrake> brakes;               ///< at most one per element; others have all their strength
    std::vector<RobotServo> servos;               ///< at most one per joint
    std::vector<RobotHeat> heat;                  ///< at most one per element; others keep their T
};

/// A link of a robot of a scene.
struct SceneLink {
    std::size_t robot = 0;  ///< index for RobotScene::at
    int link = 0;           ///< index in RobotDescription::links
};

/// One robot, or several, and what stands around them. The scene is the first of its robots itself.
struct ELASTO_API RobotScene : SceneRobot {
    std::string name;                            ///< of the scene, for lists and titles
    std::string description;                     ///< says what to look at
    std::vector<SceneRobot> others;              ///< after the first
    bool ground = false;                         ///< a fixed plane z = 0
    double friction = 0.5;                       ///< Bullet's coefficient of the ground and all robots' shapes
    double restitution = 0;                      ///< Bullet's coefficient of the same, 0 .. 1
    Eigen::Vector3d gravity = {0, 0, -9.80665};  ///< [m/s^2]
    double rate = 240;                           ///< ticks per second [Hz]
    double duration = 10;                        ///< [s]
    int solverIterations = 10;                   ///< Bullet's
    std::vector<SceneRecord> record;             ///< empty: the main signals
    /// Bodies, joints, elements, loads and heat ports, as in scenes; of the rest `flight` counts. Elements may have
    /// ends on links: these stand as bodies after all others, in the order of `links`, with their frames where the
    /// links have theirs at the start; elements on them come after all others.
    Scene around;
    std::vector<SceneLink> links;  ///< on which elements of `around` have ends

    std::size_t robots() const { return 1 + others.size(); }  ///< how many there are
    /// A robot by its index. @throws std::out_of_range
    const SceneRobot& at(std::size_t index) const { return index == 0 ? *this : others.at(index - 1); }
    /// Bodies of `around` that are bodies; the others stand for links.
    std::size_t bodies() const { return around.bodies.size() - links.size(); }
    /// Whether there is anything around them.
    bool hasAround() const { return !around.bodies.empty() || !around.heatPorts.empty(); }
    /// True for an element of `around` with an end on a link.
    bool isOnLink(const SceneElement& element) const;
    /// What is around the robots as a scene of its own, without links and elements on them: its name, gravity, rate and
    /// so on are those of this scene.
    Scene aroundAlone() const;
    /// A scene of one of the robots and nothing around it. @throws std::out_of_range
    RobotScene robotAlone(std::size_t index) const;
};

/// True if the text is that of a robot scene: a JSON object with a field `robot` or `robots`.
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
