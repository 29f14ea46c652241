#pragma once
/// @file exit_codes.h
/// Exit codes of the `elasto` command. They are part of its interface: scripts rely on them.

namespace elasto::tools {

enum ExitCode : int {
    kOk = 0,         ///< done, and everything asked for holds
    kDifferent = 1,  ///< the answer is no: a target was missed, files differ, no resting start exists, runs of a
                     ///< sweep failed
    kBadInput = 2,   ///< the command line or a file's content is not acceptable
    kIoError = 3,    ///< a file could not be read or written
    kNotExact = 3,   ///< `run --strict`: not all ticks are exact
    kFailed = 4,     ///< something that is needed failed: gnuplot is missing, the reference solver gave up, values of
                     ///< a run are not finite
    kLost = 4,       ///< `export`: physics of the scene is lost
    kInterrupted = 130  ///< SIGINT or SIGTERM; what was computed so far has been written
};

}  // namespace elasto::tools
