#include "children.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <deque>
#include <stdexcept>

namespace elasto::differential {

namespace {

struct Child {
    int piece = 0;
    pid_t process = -1;
    int from = -1;  // end of the pipe that is read; < 0: it has ended
    Ended ended;
};

void writeAll(int to, const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t count = write(to, text.data() + done, text.size() - done);
        if (count <= 0) return;
        done += static_cast<std::size_t>(count);
    }
}

Child startChild(int piece, int limit, const std::function<std::string(int)>& work) {
    int ends[2];
    std::fflush(nullptr);
    if (pipe(ends) != 0) throw std::runtime_error("no pipe for a child");
    const pid_t process = fork();
    if (process < 0) throw std::runtime_error("no process for a child");
    if (process == 0) {
        close(ends[0]);
        alarm(static_cast<unsigned>(limit));
        writeAll(ends[1], work(piece));
        close(ends[1]);
        _exit(0);
    }
    close(ends[1]);
    return {piece, process, ends[0], {}};
}

void waitFor(Child& child, int limit) {
    close(child.from);
    child.from = -1;
    int status = 0;
    waitpid(child.process, &status, 0);
    if (WIFSIGNALED(status)) {
        child.ended.failure = WTERMSIG(status) == SIGALRM ? fmt::format("not done after {} s", limit)
                                                          : fmt::format("signal {}", WTERMSIG(status));
    } else if (WEXITSTATUS(status) != 0) {
        child.ended.failure = fmt::format("exit code {}", WEXITSTATUS(status));
    }
}

/// Reads what the children say until one of them has ended.
void readSome(std::deque<Child>& children, int limit) {
    std::vector<pollfd> waited;
    for (const Child& child : children) {
        if (child.from >= 0) waited.push_back({child.from, POLLIN, 0});
    }
    poll(waited.data(), waited.size(), -1);
    for (const pollfd& one : waited) {
        if ((one.revents & (POLLIN | POLLHUP)) == 0) continue;
        Child& child =
            *std::find_if(children.begin(), children.end(), [&](const Child& c) { return c.from == one.fd; });
        char buffer[4096];
        const ssize_t count = read(one.fd, buffer, sizeof buffer);
        if (count > 0) {
            child.ended.text.append(buffer, static_cast<std::size_t>(count));
        } else {
            waitFor(child, limit);
        }
    }
}

}  // namespace

void inChildren(int jobs, int limit, const std::function<bool(int)>& next, const std::function<std::string(int)>& work,
                const std::function<void(int, const Ended&)>& take) {
    std::deque<Child> children;
    bool isOver = false;
    for (int piece = 0; !isOver || !children.empty();) {
        const auto running =
            std::count_if(children.begin(), children.end(), [](const Child& child) { return child.from >= 0; });
        if (!isOver && running < jobs) {
            isOver = !next(piece);
            if (!isOver) children.push_back(startChild(piece++, limit, work));
            continue;
        }
        if (running > 0) readSome(children, limit);
        while (!children.empty() && children.front().from < 0) {
            take(children.front().piece, children.front().ended);
            children.pop_front();
        }
    }
}

}  // namespace elasto::differential
