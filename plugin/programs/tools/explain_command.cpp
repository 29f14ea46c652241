#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assets.h"
#include "commands.h"
#include "element_facts.h"
#include "exit_codes.h"
#include "first_ticks.h"
#include "json_output.h"
#include "options.h"
#include "print.h"
#include "robot_facts.h"
#include "scene_input.h"
#include "table.h"

namespace elasto::tools {

namespace {

struct ExplainOptions {
    std::string scene;
    double rate = 0;
    bool json = false;
};

std::string cell(const std::optional<double>& value) {
    return value ? fmt::format("{:.4g}", *value) : "-";
}

Json jsonOf(const std::optional<double>& value) {
    return value ? Json(*value) : Json();
}

void printTable(const Scene& scene, const std::vector<ElementFacts>& elements, double rate) {
    using enum Table::Align;
    printText("{} at {:g} Hz (a tick is {:.4g} ms)\n\n", scene.name, rate, 1000 / rate);
    Table table({{"element"},
                 {"type"},
                 {"mass", Right},
                 {"stiffness", Right},
                 {"frequency Hz", Right},
                 {"damping ratio", Right},
                 {"contact ms", Right},
                 {"contact ticks", Right},
                 {"method"},
                 {"explodes below Hz", Right}});
    for (const ElementFacts& facts : elements) {
        table.addRow({facts.name, facts.type, fmt::format("{:.4g}", facts.effectiveMass),
                      fmt::format("{:.4g}", facts.stiffness), cell(facts.frequency), cell(facts.dampingRatio),
                      facts.contactTime ? fmt::format("{:.4g}", 1000 * *facts.contactTime) : "-",
                      cell(facts.contactTicks), facts.method, cell(facts.explicitRate)});
    }
    printText("{}", table.text());
    printText(
        "\nmass: effective mass along s [kg] or about the axis [kg.m2]; stiffness [N/m, N.m/rad] in contact.\n"
        "contact: time from touching until parting after an impact. method: how a tick in which it acts is solved.\n"
        "explodes below: ticks per second that the element alone needs when its force is computed once per tick.\n");
    for (const ElementFacts& facts : elements) {
        if (facts.speed) {
            printText("{}: stiffness and contact time hold for an impact at {:.4g} m/s.\n", facts.name, *facts.speed);
        }
    }
}

Json jsonOf(const ElementFacts& facts) {
    return {{"name", facts.name},
            {"type", facts.type},
            {"effectiveMass", facts.effectiveMass},
            {"stiffness", facts.stiffness},
            {"frequency", jsonOf(facts.frequency)},
            {"dampingRatio", jsonOf(facts.dampingRatio)},
            {"speed", jsonOf(facts.speed)},
            {"contactTime", jsonOf(facts.contactTime)},
            {"contactTicks", jsonOf(facts.contactTicks)},
            {"method", facts.method},
            {"explicitRate", jsonOf(facts.explicitRate)}};
}

void printRobotTable(const RobotScene& scene, const std::vector<RobotElementFacts>& elements, double rate) {
    using enum Table::Align;
    printText("{} at {:g} Hz (a tick is {:.4g} ms)\n\n", scene.name, rate, 1000 / rate);
    if (elements.empty()) {
        printText("{}\n", scene.robots() > 1 ? "The robots have no elements." : "The robot has no elements.");
        return;
    }
    Table table({{"element"},
                 {"type"},
                 {"joint inertia", Right},
                 {"rotor", Right},
                 {"stiffness", Right},
                 {"frequency Hz", Right},
                 {"damping ratio", Right},
                 {"contact ms", Right},
                 {"contact ticks", Right},
                 {"explodes below Hz", Right}});
    for (const RobotElementFacts& facts : elements) {
        const ElementFacts& own = facts.element;
        table.addRow({own.name, own.type, fmt::format("{:.4g}", facts.jointInertia), cell(facts.rotorInertia),
                      fmt::format("{:.4g}", own.stiffness), cell(own.frequency), cell(own.dampingRatio),
                      own.contactTime ? fmt::format("{:.4g}", 1000 * *own.contactTime) : "-", cell(own.contactTicks),
                      cell(own.explicitRate)});
    }
    printText("{}", table.text());
    printText(
        "\njoint inertia: of the joint with all that it moves at the start, the other joints free; between links\n"
        "of their distance [kg.m2, kg].\n"
        "rotor: of the motor behind the element, on the joint's side of its gear: inertia ratio^2. The frequency is\n"
        "that of both sides against each other. stiffness [N.m/rad, N/m] in contact.\n"
        "contact: time from touching until parting after an impact. explodes below: ticks per second that the element\n"
        "alone needs when its force is computed once per tick.\n");
}

int explainRobot(const RobotScene& scene, const ExplainOptions& options) {
    const double rate = options.rate > 0 ? options.rate : scene.rate;
    std::vector<RobotElementFacts> elements;
    for (std::size_t i = 0; i < scene.robots(); ++i) {
        for (RobotElementFacts& facts : tools::explainRobot(scene.robotAlone(i), rate)) {
            const std::string& prefix = scene.at(i).prefix;
            facts.element.name = prefix + facts.element.name;
            if (!facts.joint.empty()) facts.joint = prefix + facts.joint;
            elements.push_back(std::move(facts));
        }
    }
    const Scene around = scene.aroundAlone();
    std::vector<ElementFacts> elementsAround = explainElements(around, rate);
    for (ElementFacts& facts : explainOnLinks(scene, rate)) elementsAround.push_back(std::move(facts));
    const FirstTicks first = firstTicks(scene, rate);
    if (!options.json) {
        printRobotTable(scene, elements, rate);
        if (!elementsAround.empty()) {
            printText("\n");
            printTable(around, elementsAround, rate);
        }
        if (!scene.links.empty()) {
            printText("mass of those on links: with all that the robot's joints move at the start, the joints free.\n");
        }
        printText("{}", textOf(first));
        return kOk;
    }
    Json json;
    json["robot"] = scene.robot.name;
    json["rate"] = rate;
    json["elements"] = Json::array();
    for (const RobotElementFacts& facts : elements) {
        Json entry = jsonOf(facts.element);
        entry["joint"] = facts.joint;
        entry["jointInertia"] = facts.jointInertia;
        entry["rotorInertia"] = jsonOf(facts.rotorInertia);
        json["elements"].push_back(std::move(entry));
    }
    for (const ElementFacts& facts : elementsAround) json["elementsAround"].push_back(jsonOf(facts));
    json["beforehand"] = jsonOf(first);
    printJson(json);
    return kOk;
}

int explain(const ExplainOptions& options) {
    const SceneInput input(findScene(options.scene));
    if (input.isRobot()) return explainRobot(input.robot(), options);
    const Scene scene = input.scene();
    const double rate = options.rate > 0 ? options.rate : scene.rate;
    const std::vector<ElementFacts> elements = explainElements(scene, rate);
    const FirstTicks first = firstTicks(scene, rate);
    if (!options.json) {
        printTable(scene, elements, rate);
        printText("{}", textOf(first));
        return kOk;
    }
    Json json;
    json["scene"] = scene.name;
    json["rate"] = rate;
    json["elements"] = Json::array();
    for (const ElementFacts& facts : elements) json["elements"].push_back(jsonOf(facts));
    json["beforehand"] = jsonOf(first);
    printJson(json);
    return kOk;
}

}  // namespace

void addExplainCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<ExplainOptions>();
    CLI::App* command = app.add_subcommand("explain", "Say what each element means at a tick rate");
    command
        ->add_option("SCENE", options->scene, "Scene file, URDF or SDF file, or name of a scene that comes with Elasto")
        ->required();
    command->add_option("--hz", options->rate, "Ticks per second [Hz]; default: the scene's")->check(tickRate());
    command->add_flag("--json", options->json, "Print a JSON summary");
    command->footer(
        "Per element: effective mass, frequency, damping ratio, contact time in ticks, the method that solves\n"
        "its ticks, and the tick rate below which a force computed once per tick would explode.\n"
        "Of a robot: the same at its joints, with the inertia of the motors behind them.\n"
        "The last lines say what is found at the start, and how good the first ticks (100 at most) are.\n"
        "Example: elasto explain gap_laws --hz 60");
    command->callback([options, &action] { action = [options] { return explain(*options); }; });
}

}  // namespace elasto::tools
