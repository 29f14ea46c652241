#pragma once
/// @file progress.h
/// Progress bar with the time left.

#include <chrono>
#include <string>

namespace elasto::tools {

/// Draws on the standard error while that is a terminal, and is silent otherwise. The line is erased at the end.
class Progress {
public:
    explicit Progress(std::string label = {});
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// @param share of the work that is done, 0..1. Cheap: draws at most ten times a second.
    void update(double share);
    void setLabel(std::string label) { m_label = std::move(label); }
    /// Prints a line of its own on the standard error, terminal or not; the bar comes back with the next update.
    void message(const std::string& text);

private:
    void erase();

    using Clock = std::chrono::steady_clock;
    std::string m_label;
    bool m_terminal;
    bool m_drawn = false;
    Clock::time_point m_start;
    Clock::time_point m_next;
};

/// The line as drawn, without control characters: "label [#####-----]  50 %  0:12 left". Without a finite time left
/// that part is missing.
std::string progressLine(const std::string& label, double share, double secondsLeft);

}  // namespace elasto::tools
