#pragma once
/// @file interrupt.h
/// Ctrl-C that lets the program finish what it holds.

#include <string>

namespace elasto::tools {

/// While one exists, SIGINT and SIGTERM only set a flag; the previous handlers come back with its end. A second signal
/// ends the program at once, for a user who does not want to wait. Only one may exist at a time.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    static bool interrupted();
};

/// The last words of a command that checks cases: do they meet their targets, or how many of them were looked at.
std::string verdictOn(bool passes, double done, double all);

}  // namespace elasto::tools
