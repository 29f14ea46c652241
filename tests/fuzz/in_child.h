#pragma once
// Work in a process of its own, so that crashes and hangs are findings like others.

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <type_traits>

namespace elasto::fuzz {

/// Memory that a child fills for its parent, who reads it after the child has ended, however it has.
template <typename Result>
Result& sharedWithChildren() {
    static_assert(std::is_trivially_copyable_v<Result>);
    static auto* const memory =
        static_cast<Result*>(mmap(nullptr, sizeof(Result), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    return *memory;
}

/// @param limit how long it may take [s] @param isQuiet what it says goes nowhere
/// @return how it ended; empty if as it should
template <typename Work>
std::string inChild(int limit, bool isQuiet, const Work& work) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0) return "no process for it";
    if (child == 0) {
        for (std::FILE* const stream : {stdout, stderr}) {
            if (isQuiet && std::freopen("/dev/null", "w", stream) == nullptr) _exit(3);
        }
        alarm(static_cast<unsigned>(limit));
        work();
        std::fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
        return WTERMSIG(status) == SIGALRM ? fmt::format("not done after {} s", limit)
                                           : fmt::format("signal {}", WTERMSIG(status));
    }
    return WEXITSTATUS(status) == 0 ? std::string() : fmt::format("exit code {}", WEXITSTATUS(status));
}

}  // namespace elasto::fuzz
