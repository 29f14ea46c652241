#pragma once
/// Runs the `elasto` command as a user does.

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace elasto::test {

struct ProgramResult {
    int code = 0;  ///< exit code, or 128 + signal
    std::string output;
    std::string errors;
};

struct ProgramOptions {
    std::map<std::string, std::string> environment = {};  ///< set in addition to ours
    std::string outputFile = {};                          ///< where the standard output goes; empty: caught
    std::optional<int> interruptWith = {};                ///< signal to send once a file in watchedFolder holds text
    std::string watchedFolder = {};
    bool errorsOnTerminal = false;  ///< the standard error is a terminal
};

/// Runs ELASTO_COMMAND with the arguments. @throws std::runtime_error if it cannot be started or hangs for a minute
ProgramResult runElasto(const std::vector<std::string>& arguments, const ProgramOptions& options = {});

}  // namespace elasto::test
