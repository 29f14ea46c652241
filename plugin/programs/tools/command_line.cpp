#include "command_line.h"

#include <elasto/errors.h>
#include <elasto/precision.h>
#include <elasto/robot/load_robot.h>
#include <elasto/scene/csv_file.h>
#include <elasto/scene/load_scene.h>
#include <elasto/scene/printable.h>
#include <elasto/version.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "commands.h"
#include "exit_codes.h"
#include "option_meant.h"
#include "options.h"
#include "print.h"
#include "problems.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

constexpr const char* kFooter =
    "SCENE is a file, or the name of a scene that comes with Elasto (see elasto list).\n"
    "Exit codes: 0 ok, 1 target missed, different or runs failed, 2 bad usage or input, 3 file not readable or "
    "writable,\n"
    "            4 a program or solver that is needed failed, or values are not finite, 130 interrupted.\n"
    "Environment: ELASTO_ASSETS is the folder of scenes/ and verify.json, where it is not found by itself.\n"
    "Example: elasto run gap_laws --hz 60 --csv gap.csv";

/// What is wrong may be a name or a number of any length.
int complain(const std::string& message, ExitCode code) {
    constexpr std::size_t kMostBytes = 8000;
    if (message.size() > kMostBytes) {
        printMessage("{} ... ({} bytes more)", message.substr(0, kMostBytes), message.size() - kMostBytes);
        return code;
    }
    printMessage("{}", message);
    return code;
}

/// The names of all commands, or nothing if the first argument may be one of them (or is an option).
std::vector<std::string> namesUnlessKnown(const CLI::App& app, const std::string& first) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) {
        if (command->check_name(first) || first.starts_with('-')) return {};
        names.push_back(command->get_name());
    }
    return names;
}

/// The command that an argument names, or the program itself.
const CLI::App& commandNamed(const CLI::App& app, const std::string& first) {
    const auto commands = app.get_subcommands([&](const CLI::App* one) { return one->check_name(first); });
    return commands.empty() ? app : *commands.front();
}

int act(const Action& action) {
    try {
        const int code = action();
        // Text that could not be delivered must not look like a success.
        if (std::fflush(stdout) != 0) throw IoError(ioMessage("write", "standard output", errno));
        return code;
    } catch (const InputError& error) {
        return complain(error.what(), kBadInput);
    } catch (const SceneError& error) {
        return complain(error.what(), kBadInput);
    } catch (const RobotError& error) {
        return complain(error.what(), kBadInput);
    } catch (const InvalidParameter& error) {
        return complain(error.what(), kBadInput);
    } catch (const IoError& error) {
        return complain(error.what(), kIoError);
    } catch (const FileError& error) {
        return complain(error.what(), kIoError);
    } catch (const std::system_error& error) {
        // fmt reports a failed write to the standard output like this.
        return complain(error.what(), kIoError);
    } catch (const std::exception& error) {
        return complain(error.what(), kFailed);
    }
}

}  // namespace

int runCommandLine(int argc, char** argv) {
    CLI::App app("Modelica's ElastoGap, ElastoBacklash and SpringDamperSeries in Bullet", "elasto");
    app.set_version_flag("--version", fmt::format("elasto {} ({} precision)", version(), kPrecision));
    app.require_subcommand(1);
    app.footer(kFooter);
    app.failure_message([first = std::string(argc > 1 ? argv[1] : "")](const CLI::App* main, const CLI::Error& error) {
        return printable(fmt::format("elasto: {}{}\nRun with --help for more information.\n", error.what(),
                                     optionMeant(commandNamed(*main, first), error)));
    });

    Action action;
    addRunCommand(app, action);
    addVerifyCommand(app, action);
    addCompareCommand(app, action);
    addConvergenceCommand(app, action);
    addPlotCommand(app, action);
    addFigureCommand(app, action);
    addEquilibriumCommand(app, action);
    addExplainCommand(app, action);
    addExportCommand(app, action);
    addListCommand(app, action);
    addTickCommand(app, action);
    MoreCommand::addAll(app, action);
    if (argc > 1) {
        const std::vector<std::string> names = namesUnlessKnown(app, argv[1]);
        if (!names.empty()) {
            const std::string near = scene::nearest(argv[1], names);
            const std::string meant = near.empty() ? "" : fmt::format(" (did you mean {}?)", near);
            return complain(
                fmt::format("'{}' is not a command{}; it must be one of {}", argv[1], meant, scene::join(names)),
                kBadInput);
        }
    }
    try {
        if (argc > 1 && std::string_view(argv[1]).starts_with("--") && !app.get_option_no_throw(argv[1])) {
            throw CLI::ExtrasError({argv[1]});  // else only the command would be missed
        }
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kOk : kBadInput;
    }
    return act(action);
}

}  // namespace elasto::tools
