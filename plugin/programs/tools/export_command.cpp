#include <elasto/scene/output_file.h>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "assets.h"
#include "commands.h"
#include "exit_codes.h"
#include "first_touch.h"
#include "modelica_export.h"
#include "modelica_text.h"
#include "options.h"
#include "print.h"
#include "scene_input.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

struct ExportOptions {
    std::string scene;
    std::string output;
    bool allowsLosses = false;
};

/// What is lost of collisions: nothing where no shapes come together.
std::string collisionOf(const Scene& scene) {
    const std::optional<Touch> touch = firstTouch(scene);
    if (!touch) return "";
    return fmt::format("the shapes of {} and {} come together at {:.4g} s; Modelica's library knows no collisions",
                       scene.bodies[touch->a].name, scene.bodies[touch->b].name, touch->time);
}

int exportScene(const ExportOptions& options) {
    const std::filesystem::path file = findScene(options.scene);
    const SceneInput input(file);
    refuseOverwriting(file, "--output", options.output);
    if (input.isRobot()) throw InputError(file.string() + " is a robot; scenes without robots are exported");
    // A package is called as its file.
    const std::string name = std::filesystem::path(options.output).stem().string();
    const std::string package = modelicaIdentifier(name);
    const ModelicaPackage model = modelicaOf(input.scene(), package, collisionOf(input.scene()));
    writeFile(options.output, model.text);
    if (package != name) {
        printMessage("the package is called {}, since '{}' is no name that a package may have: rename the file {}.mo",
                     package, name, package);
    }
    for (const std::string& remark : model.remarks) printMessage("{}", remark);
    for (const std::string& loss : model.losses) printMessage("lost: {}", loss);
    return model.losses.empty() || options.allowsLosses ? kOk : kLost;
}

}  // namespace

void addExportCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<ExportOptions>();
    CLI::App* command = app.add_subcommand("export", "Write a scene as a model of Modelica");
    command->add_option("SCENE", options->scene, "Scene file, or name of a scene that comes with Elasto")->required();
    command->add_option("-o,--output", options->output, "File to write, .mo; its name is the package's")
        ->required()
        ->check(CLI::Validator(
            [](std::string& text) {
                return std::filesystem::path(text).extension() == ".mo"
                           ? std::string()
                           : fmt::format("'{}' is not allowed; it must be a file name that ends with .mo", text);
            },
            ""));
    command->add_flag("--allow-losses", options->allowsLosses, "Exit code 0, although the model lacks physics");
    command->footer(
        "The package has one model, Example, and needs the Modelica Standard Library 4. What Modelica does not have,\n"
        "collisions first of all (the scene is run to see whether there are any), is said on standard error\n"
        "('lost: ...') and in comments of the model; the exit code is then 4. What has another name there is said, "
        "too.\n"
        "Example: elasto export elasto_gap -o ElastoGap.mo");
    command->callback([options, &action] { action = [options] { return exportScene(*options); }; });
}

}  // namespace elasto::tools
