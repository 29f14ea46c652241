#include <elasto/scene/load_scene.h>
#include <elasto/scene/output_file.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "assets.h"
#include "commands.h"
#include "equilibrium.h"
#include "exit_codes.h"
#include "json_output.h"
#include "options.h"
#include "print.h"
#include "robot_equilibrium.h"
#include "robot_start_file.h"
#include "scene_input.h"
#include "table.h"

namespace elasto::tools {

namespace {

struct EquilibriumOptions {
    std::string scene;
    std::string output;
    bool json = false;
};

std::string vectorText(const Eigen::Vector3d& v) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x(), v.y(), v.z());
}

double turnedDegrees(const SceneBody& from, const SceneBody& to) {
    constexpr double kDegrees = 57.29577951308232;
    return kDegrees * from.orientation.angularDistance(to.orientation);
}

bool canTouch(const Scene& scene) {
    return std::count_if(scene.bodies.begin(), scene.bodies.end(),
                         [](const SceneBody& body) { return body.shape.type != SceneShape::Type::None; }) > 1;
}

void printTables(const Scene& start, const Equilibrium& rest) {
    using enum Table::Align;
    Table bodies({{"body"}, {"position m"}, {"moved m", Right}, {"turned deg", Right}});
    for (std::size_t i = 0; i < start.bodies.size(); ++i) {
        const SceneBody& from = start.bodies[i];
        const SceneBody& to = rest.scene.bodies[i];
        bodies.addRow({to.name, vectorText(to.position), fmt::format("{:.6g}", (to.position - from.position).norm()),
                       fmt::format("{:.4g}", turnedDegrees(from, to))});
    }
    Table elements({{"element"}, {"s m, rad", Right}, {"f N, N.m", Right}});
    for (std::size_t e = 0; e < start.elements.size(); ++e) {
        elements.addRow({start.elements[e].name, fmt::format("{:.9g}", rest.s[e]), fmt::format("{:.6g}", rest.f[e])});
    }
    printText("{}\n{}", bodies.text(), elements.text());
    printText("\nresting start found in {} steps; largest acceleration left: {:.3g} m/s2, rad/s2\n", rest.iterations,
              rest.unbalanced);
    if (canTouch(start)) printText("Contacts between the bodies' shapes are not part of it.\n");
}

/// How the search ended. @param kind, name of what was to rest
template <class Rest>
Json headOf(const char* kind, const std::string& name, const Rest& rest) {
    Json json;
    json[kind] = name;
    json["found"] = rest.found;
    json["steps"] = rest.iterations;
    rest.found ? json["unbalanced"] = rest.unbalanced : json["reason"] = rest.reason;
    return json;
}

/// Where an element is, and what it does.
template <class Elements, class Rest>
Json elementsOf(const Elements& elements, const Rest& rest) {
    Json json = Json::array();
    for (std::size_t e = 0; e < elements.size(); ++e) {
        json.push_back({{"name", elements[e].name}, {"s", rest.s[e]}, {"f", rest.f[e]}});
    }
    return json;
}

Json jsonOf(const Scene& start, const Equilibrium& rest) {
    Json json = headOf("scene", start.name, rest);
    if (!rest.found) return json;
    json["bodies"] = Json::array();
    for (const SceneBody& body : rest.scene.bodies) {
        const Eigen::Quaterniond& q = body.orientation;
        json["bodies"].push_back({{"name", body.name},
                                  {"position", {body.position.x(), body.position.y(), body.position.z()}},
                                  {"orientation", {q.x(), q.y(), q.z(), q.w()}}});
    }
    json["elements"] = elementsOf(start.elements, rest);
    return json;
}

void printRobotTables(const RobotScene& start, const RobotEquilibrium& rest) {
    using enum Table::Align;
    Table joints({{"joint"}, {"position rad, m", Right}, {"moved rad, m", Right}});
    for (std::size_t i = 0; i < start.robot.joints.size(); ++i) {
        const RobotJoint& joint = start.robot.joints[i];
        if (!joint.isScalar()) continue;
        joints.addRow(
            {joint.name, fmt::format("{:.9g}", rest.scene.q[i]), fmt::format("{:.6g}", rest.scene.q[i] - start.q[i])});
    }
    printText("{}", joints.text());
    if (!start.robot.elements.empty()) {
        Table elements({{"element"}, {"s rad, m", Right}, {"f N.m, N", Right}});
        for (std::size_t e = 0; e < start.robot.elements.size(); ++e) {
            elements.addRow(
                {start.robot.elements[e].name, fmt::format("{:.9g}", rest.s[e]), fmt::format("{:.6g}", rest.f[e])});
        }
        printText("\n{}", elements.text());
    }
    printText("\nresting start found in {} steps; largest torque or force left: {:.3g} N.m, N\n", rest.iterations,
              rest.unbalanced);
    printText("Contacts and friction are not part of it.\n");
}

Json jsonOf(const RobotScene& start, const RobotEquilibrium& rest) {
    Json json = headOf("robot", start.robot.name, rest);
    if (!rest.found) return json;
    json["joints"] = Json::array();
    for (std::size_t i = 0; i < start.robot.joints.size(); ++i) {
        const RobotJoint& joint = start.robot.joints[i];
        if (joint.isScalar()) json["joints"].push_back({{"name", joint.name}, {"position", rest.scene.q[i]}});
    }
    json["elements"] = elementsOf(start.robot.elements, rest);
    return json;
}

int equilibriumOfRobot(const SceneInput& input, const EquilibriumOptions& options) {
    const RobotScene start = input.robot();
    const RobotEquilibrium rest = findRobotEquilibrium(start);
    if (rest.found && !options.output.empty()) writeFile(options.output, withStart(input, rest.scene, options.output));
    if (options.json) {
        printJson(jsonOf(start, rest));
    } else if (rest.found) {
        printRobotTables(start, rest);
    } else {
        printMessage("{}: {}", start.name, rest.reason);
    }
    return rest.found ? kOk : kDifferent;
}

int equilibrium(const EquilibriumOptions& options) {
    const SceneInput input(findScene(options.scene));
    for (const std::filesystem::path& file : input.files()) refuseOverwriting(file, "--output", options.output);
    if (input.isRobot()) return equilibriumOfRobot(input, options);
    const Scene start = input.scene();
    const Equilibrium rest = findEquilibrium(start);
    if (rest.found && !options.output.empty()) writeFile(options.output, writeScene(rest.scene));
    if (options.json) {
        printJson(jsonOf(start, rest));
    } else if (rest.found) {
        printTables(start, rest);
    } else {
        printMessage("{}: {}", start.name, rest.reason);
    }
    return rest.found ? kOk : kDifferent;
}

}  // namespace

void addEquilibriumCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<EquilibriumOptions>();
    CLI::App* command = app.add_subcommand("equilibrium", "Find a start at which everything rests");
    command
        ->add_option("SCENE", options->scene, "Scene file, URDF or SDF file, or name of a scene that comes with Elasto")
        ->required();
    command->add_option("-o,--output", options->output, "Scene file to write, with the bodies or joints at rest")
        ->check(fileName());
    command->add_flag("--json", options->json, "Print a JSON summary");
    command->footer(
        "All bodies at rest, element forces balance gravity and the loads at t = 0; joints and motors of velocity 0\n"
        "hold. It looks near the given start\n"
        "and goes downhill, so that it finds a stable rest. Exit code 1 and one sentence if there is none.\n"
        "Of a robot on a fixed base: its joints and motors, under gravity, elements, servos and loads at t = 0.\n"
        "Example: elasto equilibrium preload -o preload_resting.json");
    command->callback([options, &action] { action = [options] { return equilibrium(*options); }; });
}

}  // namespace elasto::tools
