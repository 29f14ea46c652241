#include "progress.h"

#include "print.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace elasto::tools {

namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr auto kPatience = std::chrono::milliseconds(300);  // what ends sooner needs no bar
constexpr int kWidth = 30;

}  // namespace

std::string progressLine(const std::string& label, double share, double secondsLeft) {
    share = std::clamp(share, 0.0, 1.0);
    const int full = static_cast<int>(share * kWidth);
    std::string line = fmt::format("{}{}[{:#>{}}{:->{}}] {:3.0f} %", label, label.empty() ? "" : " ", "", full, "",
                                   kWidth - full, 100 * share);
    if (std::isfinite(secondsLeft)) {
        const long seconds = std::lround(std::min(secondsLeft, 359999.0));
        const long minutes = seconds / 60;
        line += minutes < 60 ? fmt::format("  {}:{:02} left", minutes, seconds % 60)
                             : fmt::format("  {}:{:02}:{:02} left", minutes / 60, minutes % 60, seconds % 60);
    }
    return line;
}

Progress::Progress(std::string label)
    : m_label(std::move(label)),
      m_terminal(isatty(STDERR_FILENO) == 1),
      m_start(Clock::now()),
      m_next(m_start + kPatience) {}

Progress::~Progress() {
    erase();
}

void Progress::erase() {
    if (m_drawn) fmt::print(stderr, "\r\x1b[K");
    m_drawn = false;
}

void Progress::message(const std::string& text) {
    erase();
    printTo(stderr, text + "\n");
}

void Progress::update(double share) {
    if (!m_terminal) return;
    const Clock::time_point now = Clock::now();
    if (now < m_next) return;
    m_next = now + kInterval;
    m_drawn = true;
    const double elapsed = std::chrono::duration<double>(now - m_start).count();
    const double left = share > 0 ? elapsed * (1 - share) / share : std::numeric_limits<double>::infinity();
    fmt::print(stderr, "\r{}\x1b[K", progressLine(m_label, share, left));
    std::fflush(stderr);
}

}  // namespace elasto::tools
