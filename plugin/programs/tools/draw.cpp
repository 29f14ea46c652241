#include "draw.h"

#include <elasto/scene/output_file.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "tool_errors.h"

extern char** environ;

namespace elasto::tools {

namespace {

using TemporaryFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

TemporaryFile temporaryFile() {
    TemporaryFile file(std::tmpfile(), std::fclose);
    if (!file) throw IoError(ioMessage("create a file in", "/tmp", errno));
    return file;
}

std::string readAll(int descriptor) {
    std::string text;
    std::array<char, 65536> buffer{};
    for (;;) {
        const ssize_t count = read(descriptor, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

/// gnuplot's standard output for a script. The script and its messages go through files, so that no pipe can fill up
/// while the other side waits.
std::string runGnuplot(const std::string& script) {
    const TemporaryFile input = temporaryFile();
    const TemporaryFile messages = temporaryFile();
    if (std::fwrite(script.data(), 1, script.size(), input.get()) != script.size() || std::fflush(input.get()) != 0) {
        throw IoError(ioMessage("write a file in", "/tmp", errno));
    }
    std::rewind(input.get());

    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw FailureError(ioMessage("start", "gnuplot", errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(input.get()), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(messages.get()), STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    std::string program = "gnuplot";
    std::array<char*, 2> arguments{program.data(), nullptr};
    pid_t child = 0;
    const int error = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        if (error == ENOENT) throw FailureError("gnuplot is not installed; on Debian: apt-get install gnuplot-nox");
        throw FailureError(ioMessage("start", "gnuplot", error));
    }
    std::string output = readAll(ends[0]);
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || output.empty()) {
        std::rewind(messages.get());
        throw FailureError("gnuplot failed: " + readAll(fileno(messages.get())));
    }
    return output;
}

}  // namespace

void draw(const Picture& picture, const std::filesystem::path& file, bool keepScript) {
    drawScript([&](bool png, const std::string& output) { return gnuplotScript(picture, png, output); }, file,
               keepScript);
}

void drawScript(const MakeScript& script, const std::filesystem::path& file, bool keepScript) {
    const bool png = file.extension() == ".png";
    // The script is written first: it is what helps when gnuplot is missing or fails.
    if (keepScript) writeFile(file.string() + ".gp", script(png, file.string()));
    writeFile(file, runGnuplot(script(png, "")));
}

}  // namespace elasto::tools
