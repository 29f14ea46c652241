#include "read_servos.h"

#include "scene_course.h"

#include <elasto/errors.h>
#include <elasto/scene/description.h>
#include <elasto/scene/printable.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace elasto::robot {

using nlohmann::json;

namespace {

/// In the order of RobotServo::Mode; the field of the target has the same name.
constexpr std::array kModes = {"position", "velocity", "effort"};

void readNumber(const json& object, const char* key, double& value) {
    if (object.contains(key)) value = object.at(key).get<double>();
}

}  // namespace

ServoReader::ServoReader(const json& document, const std::string& place, const std::filesystem::path& folder,
                         const RobotDescription& robot, scene::Problems& problems, Warn warn)
    : m_document(document), m_folder(folder), m_robot(robot), m_problems(problems), m_warn(std::move(warn)) {
    readTrajectory(place);
    if (document.contains("control")) m_control = readControl(document.at("control"), place + "/control");
}

void ServoReader::readTrajectory(const std::string& place) {
    if (!m_document.contains("trajectory")) return;
    const json& from = m_document.at("trajectory");
    using Interpolation = JointTrajectory::Interpolation;
    const bool isLinear = from.value("interpolation", "cubic") == "linear";
    try {
        m_trajectory = std::make_shared<const JointTrajectory>(loadJointTrajectory(
            m_folder / from.at("file").get<std::string>(), isLinear ? Interpolation::Linear : Interpolation::Cubic));
    } catch (const FileError& error) {
        m_problems.add(place + "/trajectory/file", error.what());
    }
}

bool ServoReader::hasMotor(int joint) const {
    return std::any_of(m_robot.elements.begin(), m_robot.elements.end(),
                       [&](const RobotElement& element) { return element.joint == joint && element.drive; });
}

void ServoReader::followTrajectory(const json& item, const std::string& path, RobotFunction& target) {
    if (!m_document.contains("trajectory")) {
        m_problems.add(path + "/type", "\"trajectory\" is not allowed: the scene names no file in a field trajectory");
    }
    if (!m_trajectory) return;
    readNumber(item, "startTime", target.startTime);
    const std::string column = item.value("column", item.at("joint").get<std::string>());
    target.column = m_trajectory->column(column);
    if (target.column == m_trajectory->names().size()) {
        const std::string proposal = scene::didYouMean(column, m_trajectory->names());
        m_problems.add(path + "/column",
                       "\"" + printable(column) + "\" is not allowed: the trajectory has no such column" + proposal +
                           (proposal.empty() ? "." : "") + " Columns: " + scene::joinFirst(m_trajectory->names()));
        return;
    }
    target.trajectory = m_trajectory;
}

void ServoReader::readTarget(const json& item, const std::string& path, RobotServo& servo) {
    const std::string word = item.value("mode", kModes[0]);
    servo.mode = static_cast<RobotServo::Mode>(std::find(kModes.begin(), kModes.end(), word) - kModes.begin());
    for (const char* other : kModes) {
        if (other != word && item.contains(other)) {
            m_problems.add(path + "/" + other,
                           "is not allowed: a servo of mode " + word + " follows its field " + word);
        }
    }
    const auto refuse = [&](const char* field) {
        if (item.contains(field)) m_problems.add(path + "/" + field, "is not allowed in mode " + word);
    };
    if (servo.mode != RobotServo::Mode::Position) refuse("stiffness");
    if (servo.mode == RobotServo::Mode::Effort) refuse("integral");
    const bool isTrajectory = item.at("type") == "trajectory";
    servo.target.value = isTrajectory ? 1 : 0;
    readNumber(item, word.c_str(), servo.target.value);
    if (!isTrajectory && !item.contains(word)) {
        m_problems.add(path + "/" + word, "is missing; it must be a number: what a servo of mode " + word + " follows");
    }
    if (isTrajectory) {
        followTrajectory(item, path, servo.target);
    } else {
        scene::readCourse(item, m_folder, path, servo.target, m_problems);
        scene::checkCourse(servo.target, path, m_problems);
    }
}

void ServoReader::readFeedforward(const json& item, const std::string& path, RobotServo& servo) {
    if (!item.contains("feedforward")) return;
    const json& from = item.at("feedforward");
    const std::string place = path + "/feedforward";
    if (from.is_number()) {
        servo.feedforward.value = from.get<double>();
        return;
    }
    readNumber(from, "effort", servo.feedforward.value);
    scene::readCourse(from, m_folder, place, servo.feedforward, m_problems);
    if (servo.feedforward.type == TimeCourse::Type::Sine && !from.contains("frequency"))
        m_problems.add(place + "/frequency", "is missing; a sine must have one, a number >= 0 [Hz]");
    scene::checkCourse(servo.feedforward, place, m_problems);
}

/// A bound that is not given is the file's. Exporters write 0 where they know none.
void ServoReader::readBounds(const json& item, const std::string& path, RobotServo& servo) {
    const RobotJoint& joint = m_robot.joints[static_cast<std::size_t>(servo.joint)];
    if (item.contains("maxEffort")) {
        readNumber(item, "maxEffort", servo.maxEffort);
    } else if (joint.limits && joint.limits->effort > 0) {
        servo.maxEffort = joint.limits->effort;
    } else if (joint.limits) {
        m_warn(path, "effort = \"0\" in the <limit> of joint \"" + joint.name +
                         "\" is taken as not stated, as exporters write it: nothing bounds the servo; give maxEffort");
    }
    if (item.contains("maxVelocity")) {
        readNumber(item, "maxVelocity", servo.maxVelocity);
        if (!(servo.damping > 0)) {
            m_problems.add(path + "/maxVelocity", "is not allowed without damping > 0, which is what keeps it");
        }
    } else if (joint.limits && joint.limits->velocity > 0) {
        servo.maxVelocity = joint.limits->velocity;
    }
}

void ServoReader::readIntegral(const json& item, const std::string& path, RobotServo& servo) {
    readNumber(item, "integral", servo.integral);
    if (!(servo.integral > 0)) return;
    servo.maxIntegral = servo.maxEffort;
    readNumber(item, "maxIntegral", servo.maxIntegral);
    if (std::isfinite(servo.maxIntegral)) return;
    m_problems.add(path + "/maxIntegral",
                   "is missing; it must be a number >= 0, for nothing else bounds the integral part: there is no "
                   "maxEffort");
}

RobotControl ServoReader::readControl(const json& from, const std::string& path) const {
    RobotControl control;
    if (from.is_string()) {
        control.isContinuous = from == "continuous";
        if (!control.isContinuous) {
            m_problems.add(path, "\"" + printable(from.get<std::string>()) +
                                     "\" is not allowed; it must be \"continuous\" or an object with rate and delay");
        }
        return control;
    }
    if (from.contains("rate")) control.rate = from.at("rate").get<double>();
    readNumber(from, "delay", control.delay);
    return control;
}

void ServoReader::checkContinuous(const json& item, const std::string& path, RobotServo& servo) {
    const auto refuse = [&](const std::string& what) {
        m_problems.add(path + "/control", "\"continuous\" is not allowed " + what + "; give it a rate");
    };
    for (const char* field : {"maxEffort", "maxVelocity", "integral", "gravity"}) {
        if (item.contains(field) && item.at(field) != false) refuse(std::string("with ") + field);
    }
    if (servo.mode != RobotServo::Mode::Position) refuse("in mode " + item.at("mode").get<std::string>());
    if (hasMotor(servo.joint)) refuse("for a joint with a motor");
    // What the file says of the joint's drive is for controllers that can keep it.
    servo.maxEffort = std::numeric_limits<double>::infinity();
    servo.maxVelocity = servo.maxEffort;
}

RobotServo ServoReader::read(const json& item, int joint, const std::string& path) {
    RobotServo servo;
    servo.joint = joint;
    readTarget(item, path, servo);
    readNumber(item, "stiffness", servo.stiffness);
    readNumber(item, "damping", servo.damping);
    readFeedforward(item, path, servo);
    servo.control = item.contains("control") ? readControl(item.at("control"), path + "/control") : m_control;
    if (servo.control.isContinuous) {
        checkContinuous(item, path, servo);
    } else {
        readBounds(item, path, servo);
        readIntegral(item, path, servo);
        servo.gravity = item.value("gravity", false);
    }
    if (!m_served.insert(joint).second) {
        m_problems.add(path + "/joint",
                       "\"" + item.at("joint").get<std::string>() + "\" is not allowed: it has a servo already");
    }
    return servo;
}

}  // namespace elasto::robot
