#pragma once
// The servos of a robot scene.

#include <elasto/robot/robot_scene.h>

#include "problems.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>

namespace elasto::robot {

/// Reads servos from a part of a document that fits the schema, and the trajectory that they may follow.
class ServoReader {
public:
    /// Takes a warning: where it is in the document, and what it says.
    using Warn = std::function<void(const std::string& path, const std::string& message)>;

    /// All must outlast it. @param place of the document, in problems @param folder in which files are looked for
    ServoReader(const nlohmann::json& document, const std::string& place, const std::filesystem::path& folder,
                const RobotDescription& robot, scene::Problems& problems, Warn warn);

    /// @param item of the list "servos" @param joint that it names @param path of the item
    RobotServo read(const nlohmann::json& item, int joint, const std::string& path);

private:
    void readTrajectory(const std::string& place);
    void readTarget(const nlohmann::json& item, const std::string& path, RobotServo& servo);
    void followTrajectory(const nlohmann::json& item, const std::string& path, RobotFunction& target);
    void readFeedforward(const nlohmann::json& item, const std::string& path, RobotServo& servo);
    void readBounds(const nlohmann::json& item, const std::string& path, RobotServo& servo);
    void readIntegral(const nlohmann::json& item, const std::string& path, RobotServo& servo);
    RobotControl readControl(const nlohmann::json& from, const std::string& path) const;
    void checkContinuous(const nlohmann::json& item, const std::string& path, RobotServo& servo);
    bool hasMotor(int joint) const;

    const nlohmann::json& m_document;
    const std::filesystem::path& m_folder;
    const RobotDescription& m_robot;
    scene::Problems& m_problems;
    Warn m_warn;
    std::shared_ptr<const JointTrajectory> m_trajectory;
    RobotControl m_control;  ///< of servos that do not say it
    std::set<int> m_served;
};

}  // namespace elasto::robot
