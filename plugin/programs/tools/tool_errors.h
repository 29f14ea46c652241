#pragma once
/// @file tool_errors.h
/// Errors of the command itself. Each what() is one message for the user; main turns the type into an exit code.

#include <stdexcept>
#include <string>

namespace elasto::tools {

/// Wrong input: ExitCode kBadInput. The message names the field, the value and what is allowed.
class InputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A file that cannot be read or written: ExitCode kIoError.
class IoError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A program or solver that is needed is missing or failed: ExitCode kFailed.
class FailureError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// "cannot write 'run.csv': No space left on device" from an errno value.
std::string ioMessage(const std::string& what, const std::string& file, int error);

}  // namespace elasto::tools
