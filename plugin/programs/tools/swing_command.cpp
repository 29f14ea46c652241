#include "swing_command.h"

#include <elasto/precision.h>
#include <elasto/robot/load_robot.h>
#include <elasto/robot/robot.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>

#include "assets.h"
#include "robots_bed.h"
#include "robots_measures.h"
#include "tool_errors.h"

namespace elasto::tools {

using Eigen::Vector3d;

namespace {

constexpr double kGravity = 9.80665;
const std::map<double, double> kTargets{{60, 0.1}, {240, 0.01}};  // [%]

/// The oracle's frame of a link is the file's.
TreeLink treeLink(const RobotDescription& robot, std::size_t joint, const SwingStart& start) {
    const RobotJoint& from = robot.joints[joint];
    const RobotLink& body = robot.links[joint + 1];
    TreeLink link;
    link.parent = from.parent - 1;
    link.joint = !from.isScalar()                           ? TreeJoint::Fixed
                 : from.type == RobotJoint::Type::Prismatic ? TreeJoint::Prismatic
                                                            : TreeJoint::Revolute;
    link.axis = from.axis;
    link.pivot = from.pose.position;
    link.orientation = from.pose.orientation;
    link.mass = body.mass;
    link.centerOfMass = body.principalFrame.position;
    const Eigen::Matrix3d axes = body.principalFrame.orientation.toRotationMatrix();
    link.inertia = axes * body.principalMoments.asDiagonal() * axes.transpose();
    link.force.constant = Vector3d(0, 0, -kGravity * body.mass);
    link.q = start.q[joint];
    link.qd = start.v[joint];
    return link;
}

/// Coordinates as they are now, in the order of coordinateNames().
std::vector<double> coordinatesOf(const Robot& robot) {
    std::vector<double> values;
    const std::vector<RobotJoint>& joints = robot.description().joints;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        values.push_back(joints[i].isScalar() ? robot.q(static_cast<int>(i)) : 0);
    }
    return values;
}

RobotOutcome measureSwing(const RobotModel& model, const RobotDescription& bare, const SwingStart& start, double rate,
                          const Continue& proceed) {
    RobotBed bed(model.gravity);
    RobotOptions options;
    options.base = RobotOptions::Base::Fixed;
    options.q = start.q;
    options.v = start.v;
    options.tickLength = 1 / rate;
    Robot robot(bare, options);
    robot.addTo(bed.world());
    return measureCoordinates(
        model, true, bed, [&] { return coordinatesOf(robot); }, rate, proceed);
}

std::optional<double> targetAt(double rate) {
    const auto found = kTargets.find(rate);
    if (found == kTargets.end()) return std::nullopt;
    const bool isSingle = std::string_view(kPrecision) == "single";
    return isSingle ? std::max(3 * found->second, 0.02) : found->second;
}

SuiteCase swingCase(const std::filesystem::path& file) {
    LoadRobotOptions loading;
    loading.isBaseChosen = true;
    const RobotDescription robot = loadRobot(file, loading);
    const SwingStart start = swingStart(robot);
    const RobotDescription bare = bareRobot(robot);
    SuiteCase one;
    one.name = file.filename().string();
    one.targets = targetsText("NRMSE", "%", kTargets);
    one.why = "A file's links and joints, swinging freely.";
    const auto run = [name = one.name, bare, start, model = swingModel(bare, start)](double rate,
                                                                                     const Continue& proceed) {
        std::vector<SuiteResult> results;
        if (const RobotOutcome outcome = measureSwing(model, bare, start, rate, proceed)) {
            results.push_back({name, "", rate, 0, "NRMSE", "%", outcome->reached, targetAt(rate), outcome->totals});
        }
        return results;
    };
    one.variants.push_back({"", run});
    return one;
}

}  // namespace

RobotDescription bareRobot(RobotDescription robot) {
    robot.elements.clear();
    for (RobotJoint& joint : robot.joints) {
        if (joint.isScalar() && joint.type != RobotJoint::Type::Prismatic) joint.type = RobotJoint::Type::Continuous;
        if (!joint.isScalar()) joint.type = RobotJoint::Type::Fixed;
        joint.limits.reset();
        joint.mimic.reset();
        joint.stops.reset();
        joint.damping = joint.friction = joint.springStiffness = 0;
    }
    return robot;
}

SwingStart swingStart(const RobotDescription& robot) {
    SwingStart start;
    for (const RobotJoint& joint : robot.joints) {
        const double most = joint.type == RobotJoint::Type::Prismatic ? 0.1 : 1;
        const double lower = joint.hasRange() ? joint.limits->lower : -most;
        const double upper = joint.hasRange() ? joint.limits->upper : most;
        const double way = 2.4 * static_cast<double>(start.q.size());
        const double reach = std::min(most, (upper - lower) / 2);
        start.q.push_back(joint.isScalar() ? (lower + upper) / 2 + reach * std::sin(1 + way) : 0);
        start.v.push_back(joint.isScalar() ? most * std::sin(2 + way) : 0);
    }
    return start;
}

RobotModel swingModel(const RobotDescription& bare, const SwingStart& start) {
    const auto moves = [](const RobotJoint& joint) { return joint.isScalar(); };
    if (std::none_of(bare.joints.begin(), bare.joints.end(), moves)) {
        throw InputError("CASE: robot '" + bare.name +
                         "' is not allowed; it must have a joint that is revolute, continuous or prismatic");
    }
    RobotModel model;
    model.gravity = {0, 0, -kGravity};
    FlowTree& tree = model.problem.network.trees.emplace_back();
    for (std::size_t i = 0; i < bare.joints.size(); ++i) {
        tree.links.push_back(treeLink(bare, i, start));
        const bool isSlide = bare.joints[i].type == RobotJoint::Type::Prismatic;
        model.names.push_back(bare.joints[i].name + (isSlide ? ".s" : ".phi"));
    }
    return model;
}

int verifySwing(const SuiteOptions& options) {
    std::vector<std::filesystem::path> files(options.cases.begin(), options.cases.end());
    if (files.empty()) {
        for (const char* robot : {"arm6", "leg", "pusher"}) {
            files.push_back(assetsFolder() / "robots" / (std::string(robot) + ".urdf"));
        }
    }
    Suite suite{"robots' files that swing freely", {60, 240}, {}};
    for (const std::filesystem::path& file : files) suite.cases.push_back(swingCase(file));
    SuiteOptions ofFiles = options;
    ofFiles.cases.clear();
    return runSuite(suite, ofFiles);
}

}  // namespace elasto::tools
