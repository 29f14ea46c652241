#pragma once
/// @file commands.h
/// The subcommands of `elasto`. Each adds its options to the command line and, when it is chosen, an action.

#include <CLI/App.hpp>
#include <functional>

namespace elasto::tools {

/// What the command line asked for; returns an ExitCode.
using Action = std::function<int()>;

void addRunCommand(CLI::App& app, Action& action);
void addVerifyCommand(CLI::App& app, Action& action);
void addCompareCommand(CLI::App& app, Action& action);
void addConvergenceCommand(CLI::App& app, Action& action);
void addPlotCommand(CLI::App& app, Action& action);
void addFigureCommand(CLI::App& app, Action& action);
void addEquilibriumCommand(CLI::App& app, Action& action);
void addExplainCommand(CLI::App& app, Action& action);
void addExportCommand(CLI::App& app, Action& action);
void addTickCommand(CLI::App& app, Action& action);
void addListCommand(CLI::App& app, Action& action);

/// Commands of what is built upon this library: sources that are added to the program register theirs with a static
/// MoreCommand. They come after ours.
class MoreCommand {
public:
    using Add = void (*)(CLI::App& app, Action& action);

    explicit MoreCommand(Add add);
    static void addAll(CLI::App& app, Action& action);
};

}  // namespace elasto::tools
