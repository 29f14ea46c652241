#include <elasto/scene/output_file.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <string>

#include "assets.h"
#include "commands.h"
#include "exit_codes.h"
#include "modelica_export.h"
#include "options.h"
#include "scene_input.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

struct ExportOptions {
    std::string scene;
    std::string output;
};

/// A package is called as its file.
std::string packageOf(const std::string& output) {
    const std::string name = std::filesystem::path(output).stem().string();
    const auto isWord = [](unsigned char character) { return std::isalnum(character) != 0 || character == '_'; };
    const bool isName = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
                        std::all_of(name.begin(), name.end(), isWord);
    if (isName) return name;
    throw InputError(fmt::format(
        "-o: '{}' is not allowed; the file has the package's name: letters, digits and _, no digit first", name));
}

int exportScene(const ExportOptions& options) {
    const std::filesystem::path file = findScene(options.scene);
    const SceneInput input(file);
    refuseOverwriting(file, "--output", options.output);
    if (input.isRobot()) throw InputError(file.string() + " is a robot; scenes without robots are exported");
    writeFile(options.output, modelicaOf(input.scene(), packageOf(options.output)));
    return kOk;
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
    command->footer(
        "The package has one model, Example, and needs the Modelica Standard Library 4. What Modelica does not have,\n"
        "collisions first of all, is said in comments in it.\n"
        "Example: elasto export elasto_gap -o ElastoGap.mo");
    command->callback([options, &action] { action = [options] { return exportScene(*options); }; });
}

}  // namespace elasto::tools
