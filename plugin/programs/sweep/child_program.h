#pragma once
/// @file child_program.h
/// Other programs, such as those of Slurm.

#include <string>
#include <vector>

namespace elasto::sweep {

struct ChildResult {
    int code = 0;  ///< exit code, or 128 + signal
    std::string output;
    std::string errors;
};

/// Runs a program of the PATH to its end, without a standard input.
/// @param arguments the first one is the program
/// @throws FailureError if there is no such program, or it cannot be started
ChildResult runChild(const std::vector<std::string>& arguments);

/// A text as one word for sh.
std::string shellWord(const std::string& text);

}  // namespace elasto::sweep
