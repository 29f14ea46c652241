#include "child_program.h"

#include "tool_errors.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

extern char** environ;

namespace elasto::sweep {

using tools::FailureError;
using tools::ioMessage;

namespace {

/// What a child writes goes through files, so that no pipe can fill up.
class Caught {
public:
    Caught() : m_file(std::tmpfile(), std::fclose) {
        if (!m_file) throw tools::IoError(ioMessage("create a file in", "/tmp", errno));
    }
    int descriptor() const { return fileno(m_file.get()); }
    std::string text() const {
        std::string text;
        std::array<char, 4096> buffer{};
        std::rewind(m_file.get());
        while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), m_file.get())) {
            text.append(buffer.data(), count);
        }
        return text;
    }

private:
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> m_file;
};

}  // namespace

ChildResult runChild(const std::vector<std::string>& arguments) {
    std::vector<std::string> words = arguments;
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);

    const Caught output;
    const Caught errors;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), STDERR_FILENO);
    pid_t child = 0;
    const int error = posix_spawnp(&child, pointers.front(), &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT) throw FailureError(arguments.front() + " is not installed, or not in the PATH");
    if (error != 0) throw FailureError(ioMessage("start", arguments.front(), error));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output.text(), errors.text()};
}

std::string shellWord(const std::string& text) {
    std::string word = "'";
    for (const char letter : text) word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return word + "'";
}

}  // namespace elasto::sweep
