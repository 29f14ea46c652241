#pragma once
// elasto replay of what Plugin::record has kept: the run of any program's world.

#include <string>

namespace elasto::play {

/// How `elasto replay` is called.
struct ReplayOptions {
    std::string file;    ///< a recording
    bool check = false;  ///< the exit code tells whether the bits are the same
    bool json = false;   ///< print a summary for programs
};

/// True if the first line of what a file holds is that of such a recording (of any version and precision).
bool isWorldRecording(const std::string& content);

/// Runs it and prints what came of it. @param content what the file holds @return the exit code
/// @throws tools::InputError naming the file for one that is none
int replayWorld(const ReplayOptions& options, const std::string& content);

}  // namespace elasto::play
