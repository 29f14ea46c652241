#include <vector>

#include "commands.h"

namespace elasto::tools {

namespace {

// Made when it is first asked for: registrations come before main, in any order.
std::vector<MoreCommand::Add>& registered() {
    static std::vector<MoreCommand::Add> commands;
    return commands;
}

}  // namespace

MoreCommand::MoreCommand(Add add) {
    registered().push_back(add);
}

void MoreCommand::addAll(CLI::App& app, Action& action) {
    for (const Add add : registered()) add(app, action);
}

}  // namespace elasto::tools
