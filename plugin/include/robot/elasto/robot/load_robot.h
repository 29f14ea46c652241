#pragma once
/// @file load_robot.h
/// Reads robots from URDF and SDF files.

#include <elasto/export.h>
#include <elasto/robot/description.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace elasto {

/// A robot that cannot be used. what() has one line per mistake, at most ten and then `and 7 more`:
/// `arm.urdf:12: <elasto:gap joint="elbow">: c is missing; it must be ...`.
class ELASTO_API RobotError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Links that a robot may have: the work of a tick grows with the cube of the moving joints, and with more of them it
/// would take seconds.
inline constexpr std::size_t kMostRobotLinks = 1000;

/// Takes warnings about a robot's files, one line each: `arm.urdf:12: <limit>: upper = "90" is more than a turn ...`.
/// Null: nobody does.
using RobotMessageHandler = std::function<void(const std::string&)>;
/// The handler where no other is given: a line on the standard error stream, as Plugin's.
ELASTO_API void printRobotMessage(const std::string& line);

/// How to read a robot.
struct LoadRobotOptions {
    /// More elements, which name the robot's joints: a file with the root `<elasto:elements>`. Empty: none.
    std::filesystem::path elementsFile;
    /// Every limit of the robot's file becomes an ElastoGap, where the file has no `<elasto:gap>` at that end.
    std::optional<RobotStops> stops;
    /// Folders of packages and models: `package://NAME/...` and `model://NAME/...` are looked up here first, then in
    /// the folders above the robot's file (docs/robots.md).
    std::map<std::string, std::filesystem::path> packages;
    /// The caller says whether the base moves (RobotOptions::base): no warning of a base that is fixed for want of
    /// mass.
    bool isBaseChosen = false;
    /// What was assumed, and what is read but hardly meant, goes there, at most ten lines and then `and 7 more`; what
    /// is alike is one line with a count. Assumed: what other readers take as well (docs/robots.md has the list).
    /// Hardly meant: elements and attributes that nobody reads, limits of revolute joints that look like degrees,
    /// moments of inertia that no body of the link's mass and size has, a robot on wheels or legs whose base is fixed
    /// for want of mass. Nothing of a robot that is refused.
    RobotMessageHandler messageHandler = printRobotMessage;
};

/// Reads a URDF or SDF file, which begins with `<robot>` or `<sdf>`: links, joints and collision shapes (of an SDF file
/// those of one model, and of models in it or included by it), and the elements `<elasto:backlash>`,
/// `<elasto:gap>` and so on that stand directly in `<robot>` or `<model>` (docs/robots.md has all of them). Other
/// programs do not see them.
///
/// What other readers take as well is read with a warning that says what was assumed; the rest is a mistake.
/// @throws RobotError naming file, line, name and what is allowed, one line per mistake (of many the first ten, and how
/// many more there are), FileError if a file cannot be read; nothing is loaded then
ELASTO_API RobotDescription loadRobot(const std::filesystem::path& file, const LoadRobotOptions& options = {});

/// The same from text. @param file what messages call it; meshes are looked up relative to its folder
ELASTO_API RobotDescription parseRobot(std::string_view urdf, const std::filesystem::path& file = "robot.urdf",
                                       const LoadRobotOptions& options = {});

}  // namespace elasto
