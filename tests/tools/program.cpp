#include "program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <thread>

#include "temporary_folder.h"

extern char** environ;

namespace elasto::test {

namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

std::vector<std::string> environmentWith(const std::map<std::string, std::string>& changes) {
    std::vector<std::string> result;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        if (changes.count(text.substr(0, text.find('='))) == 0) result.push_back(text);
    }
    for (const auto& [name, value] : changes) result.push_back(name + "=" + value);
    return result;
}

bool holdsText(const std::string& folder) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.is_regular_file(ignored) && entry.file_size(ignored) > 0) return true;
    }
    return false;
}

/// A terminal whose far end we read.
class Terminal {
public:
    Terminal() : m_master(posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)) {
        if (m_master < 0 || grantpt(m_master) != 0 || unlockpt(m_master) != 0) {
            // ctest takes a test that prints this as skipped.
            std::puts("skipped: this machine has no pseudo-terminal");
            std::exit(EXIT_FAILURE);
        }
    }
    ~Terminal() { close(m_master); }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    std::string name() const { return ptsname(m_master); }
    void drain() {
        std::array<char, 4096> buffer{};
        for (ssize_t count = 1; count > 0;) {
            count = read(m_master, buffer.data(), buffer.size());
            if (count > 0) m_text.append(buffer.data(), static_cast<std::size_t>(count));
        }
    }
    const std::string& text() const { return m_text; }

private:
    int m_master;
    std::string m_text;
};

/// Exit code of the child; sends the signal when there is something to interrupt.
int waitFor(pid_t child, const ProgramOptions& options, Terminal* terminal) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point end = Clock::now() + std::chrono::minutes(1);
    bool sent = false;
    for (;;) {
        if (terminal != nullptr) terminal->drain();
        int status = 0;
        const pid_t done = waitpid(child, &status, WNOHANG);
        if (done == child) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        if (options.interruptWith && !sent && holdsText(options.watchedFolder)) {
            kill(child, *options.interruptWith);
            sent = true;
        }
        if (Clock::now() > end) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            throw std::runtime_error("elasto did not end within a minute");
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

}  // namespace

ProgramResult runElasto(const std::vector<std::string>& arguments, const ProgramOptions& options) {
    const TemporaryFolder folder;
    const std::string outputFile = options.outputFile.empty() ? folder.file("output") : options.outputFile;
    std::vector<std::string> texts = {ELASTO_COMMAND};
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    std::vector<std::string> environment = environmentWith(options.environment);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, outputFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    std::optional<Terminal> terminal;
    if (options.errorsOnTerminal) terminal.emplace();
    const std::string errorsFile = terminal ? terminal->name() : folder.file("errors");
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errorsFile.c_str(), O_WRONLY | O_CREAT | O_NOCTTY, 0600);
    pid_t child = 0;
    const int error =
        posix_spawn(&child, ELASTO_COMMAND, &actions, nullptr, pointers(texts).data(), pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::runtime_error("cannot start " ELASTO_COMMAND);

    ProgramResult result;
    result.code = waitFor(child, options, terminal ? &*terminal : nullptr);
    if (options.outputFile.empty()) result.output = readText(outputFile);
    if (terminal) terminal->drain();
    result.errors = terminal ? terminal->text() : readText(errorsFile);
    return result;
}

}  // namespace elasto::test
