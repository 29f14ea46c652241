#include "command_line.h"

#include <elasto/errors.h>
#include <elasto/precision.h>
#include <elasto/robot/load_robot.h>
#include <elasto/scene/csv_file.h>
#include <elasto/scene/load_scene.h>
#include <elasto/scene/printable.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>

#include "commands.h"
#include "exit_codes.h"
#include "options.h"
#include "print.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

constexpr const char* kFooter =
    "SCENE is a file, or the name of a scene that comes with Elasto (elasto verify --list shows some).\n"
    "Exit codes: 0 ok, 1 target missed or different, 2 bad usage or input, 3 file not readable or writable,\n"
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
std::string namesUnlessKnown(const CLI::App& app, const std::string& first) {
    std::string names;
    for (const CLI::App* command : app.get_subcommands({})) {
        if (command->check_name(first)) return {};
        names += (names.empty() ? "" : ", ") + command->get_name();
    }
    return first.starts_with('-') ? std::string() : names;
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
    app.set_version_flag("--version", fmt::format("elasto {} ({} precision)", ELASTO_VERSION, kPrecision));
    app.require_subcommand(1);
    app.footer(kFooter);
    app.failure_message([](const CLI::App*, const CLI::Error& error) {
        return printable(fmt::format("elasto: {}\nRun with --help for more information.\n", error.what()));
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
    MoreCommand::addAll(app, action);
    if (argc > 1) {
        const std::string names = namesUnlessKnown(app, argv[1]);
        if (!names.empty()) {
            return complain(fmt::format("'{}' is not a command; it must be one of {}", argv[1], names), kBadInput);
        }
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kOk : kBadInput;
    }
    return act(action);
}

}  // namespace elasto::tools
