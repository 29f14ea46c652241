#include <elasto/scene/input_file.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "assets.h"
#include "commands.h"
#include "exit_codes.h"
#include "json_output.h"
#include "print.h"
#include "table.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

struct ListOptions {
    std::string kind;
    bool json = false;
};

constexpr std::pair<Asset::Kind, const char*> kKinds[] = {
    {Asset::Kind::Scene, "scenes"}, {Asset::Kind::Robot, "robots"}, {Asset::Kind::Sweep, "sweeps"}};

/// What a file says of itself. One that cannot be read says so.
std::array<std::string, 2> nameAndText(const Asset& asset) {
    const Json document = Json::parse(readFile(asset.file), nullptr, false);
    if (!document.is_object()) return {"", "(is no JSON)"};
    const auto text = [&](const char* key) {
        const auto found = document.find(key);
        return found != document.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    return {text("name"), text("description")};
}

int list(const ListOptions& options) {
    Json json = Json::object();
    std::string tables;
    for (const auto& [kind, title] : kKinds) {
        if (!options.kind.empty() && options.kind != title) continue;
        Table table({{title}, {"what it is"}});
        json[title] = Json::array();
        for (const Asset& asset : assetsOf(kind)) {
            const auto [name, text] = nameAndText(asset);
            table.addRow({asset.name, name});
            json[title].push_back({{"name", asset.name}, {"title", name}, {"description", text}});
        }
        tables += (tables.empty() ? "" : "\n") + table.text();
    }
    if (options.json) {
        printJson(json);
        return kOk;
    }
    printText("{}", tables);
    if (options.kind.empty()) {
        printText(
            "\nelasto run NAME runs a scene or a robot, elasto sweep NAME a sweep; elasto-gallery --scene NAME shows a "
            "scene.\n");
    }
    return kOk;
}

}  // namespace

void addListCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<ListOptions>();
    CLI::App* command = app.add_subcommand("list", "Names of the scenes, robots and sweeps that come with Elasto");
    command->add_option("KIND", options->kind, "scenes, robots or sweeps; default: all")
        ->check(CLI::Validator(
            [](std::string& text) {
                const bool isKnown = std::any_of(std::begin(kKinds), std::end(kKinds),
                                                 [&](const auto& one) { return text == one.second; });
                return isKnown ? std::string()
                               : fmt::format("'{}' is not allowed; it must be scenes, robots or sweeps", text);
            },
            ""));
    command->add_flag("--json", options->json, "Print names, titles and descriptions as JSON");
    command->footer("Example: elasto list scenes");
    command->callback([options, &action] { action = [options] { return list(*options); }; });
}

}  // namespace elasto::tools
