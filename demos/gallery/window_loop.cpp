#include "gallery/window_loop.h"

#include "exit_codes.h"
#include "gallery/gallery.h"
#include "gallery/keyboard.h"
#include "gallery/state_report.h"
#include "interrupt.h"
#include "print.h"
#include "view/window.h"

#include <algorithm>
#include <chrono>

namespace elasto::gallery {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Keeps settings; a folder that cannot be written is said once.
void keep(const panels::Settings& settings, bool& hasComplained) {
    try {
        panels::saveSettings(settings, panels::settingsFile());
    } catch (const std::exception& error) {
        if (!std::exchange(hasComplained, true))
            tools::printTo(stderr, fmt::format("elasto-gallery: {}\n", error.what()));
    }
}

/// Real-time factor and frame rate over about half a second.
class Figures {
public:
    /// @param computing on the clock @param processor of that, of the processor
    void add(double seconds, double simulated, double computing, double processor, long ticks) {
        m_processor += processor;
        m_seconds += seconds;
        m_simulated += simulated;
        m_computing += computing;
        m_ticks += ticks;
        ++m_frames;
        if (m_seconds < 0.5) return;
        m_shown.realTimeFactor = m_simulated / m_seconds;
        m_shown.frameRate = m_frames / m_seconds;
        if (m_ticks > 0) {
            m_shown.tickCost = m_processor / static_cast<double>(m_ticks);
            m_tickTime = m_computing / static_cast<double>(m_ticks);
        }
        *this = Figures(m_shown, m_tickTime);
    }
    const panels::RunFigures& shown() const { return m_shown; }
    double tickTime() const { return m_tickTime; }  ///< on the clock [s]
    Figures() = default;

private:
    Figures(panels::RunFigures shown, double tickTime) : m_shown(std::move(shown)), m_tickTime(tickTime) {}

    double m_seconds = 0;
    double m_simulated = 0;
    double m_computing = 0;
    double m_processor = 0;
    long m_ticks = 0;
    int m_frames = 0;
    panels::RunFigures m_shown;
    double m_tickTime = 0;
};

/// Draws no frames that would be the same as the last one.
class Rest {
public:
    explicit Rest(bool isAllowed) : m_isAllowed(isAllowed) {}
    /// Handles the events that have come. Where everything has stood still for a while, for tooltips and errors that
    /// are still to come, it waits for the next one.
    void wait(view::Window& window, const Gallery& gallery) {
        constexpr double kSettling = 2;  // [s]
        const bool isStill = m_isAllowed && m_hasDrawn && gallery.isStill();
        if (!isStill) m_since = Clock::now();
        m_isResting = isStill && secondsSince(m_since) > kSettling;
        m_hasDrawn = true;
        if (!m_isResting) return window.pollEvents();
        if (!window.waitEvents()) return;
        m_isResting = false;
        m_since = Clock::now();
    }
    bool isResting() const { return m_isResting; }

private:
    bool m_isAllowed;
    bool m_hasDrawn = false;
    bool m_isResting = false;
    Clock::time_point m_since = Clock::now();
};

}  // namespace

int runWindow(const Options& options) {
    const tools::InterruptGuard guard;
    panels::LoadedSettings loaded = panels::loadSettings(panels::settingsFile());
    if (!loaded.message.empty()) tools::printTo(stderr, fmt::format("elasto-gallery: {}\n", loaded.message));
    panels::Settings& settings = loaded.settings;
    view::Window window({.title = "Elasto gallery",
                         .width = options.isSizeGiven ? options.width : settings.windowWidth,
                         .height = options.isSizeGiven ? options.height : settings.windowHeight});
    Keyboard keyboard(window.handle());
    Gallery gallery(options, settings, window.handle());
    if (!loaded.message.empty()) gallery.say(loaded.message, panels::Notices::Kind::Bad);

    constexpr double kTourSeconds = 10;
    Clock::time_point last = Clock::now();
    Figures figures;
    double onDemo = 0;
    long frames = 0;
    bool hasComplained = false;
    // Scripts count frames.
    Rest rest(!options.frames && options.state.empty());
    while (!window.shouldClose() && !gallery.wantsToQuit() && !tools::InterruptGuard::interrupted()) {
        rest.wait(window, gallery);
        for (const panels::Action action : keyboard.take()) gallery.perform(action);
        for (const std::string& file : window.takeDropped()) gallery.openFile(file);
        window.setTitle(gallery.title());
        // Nobody looks: time stands, too.
        if (!window.isSeen() && !gallery.isFilming()) {
            window.waitEvents();
            last = Clock::now();
            continue;
        }
        if (rest.isResting()) continue;
        // A window that was moved or minimised does not make time jump. A film has its own time.
        const double seconds = gallery.isFilming() ? Film::kFrame : std::min(secondsSince(last), 0.1);
        last = Clock::now();
        gallery.setScreenScale(window.contentScale());
        gallery.setFigures(figures.shown());
        // Ticks get two thirds of a frame at most: where that is not enough, time passes more slowly.
        const double cost = std::max(figures.tickTime(), 1e-6);
        gallery.setTickLimit(std::max(1L, static_cast<long>(0.04 / cost)));
        const double before = gallery.stage().shownTime();
        gallery.frame(seconds, 0, window.width(), window.height());
        window.swap();
        const double simulated = std::clamp(gallery.stage().shownTime() - before, 0.0, 1.0);
        figures.add(seconds, simulated, gallery.computingTime(), gallery.processorTime(), gallery.ticksOfLastFrame());
        if (gallery.takeSettingsChanged()) keep(gallery.settingsToKeep(), hasComplained);
        if (gallery.wantsFullScreen() != window.fullScreen()) window.setFullScreen(gallery.wantsFullScreen());
        // Who is at work on a demo does not lose it.
        if (gallery.isTouched()) onDemo = 0;
        if (options.tour && (onDemo += seconds) > kTourSeconds) {
            onDemo = 0;
            gallery.perform(panels::Action::NextDemo);
        }
        ++frames;
        if (!options.state.empty()) writeState(gallery, frames, options.state);
        if (options.frames && frames >= *options.frames) break;
    }
    if (!window.fullScreen() && !options.isSizeGiven) {
        gallery.settings().windowWidth = std::clamp(window.width(), 320, 16384);
        gallery.settings().windowHeight = std::clamp(window.height(), 240, 16384);
    }
    keep(gallery.settingsToKeep(), hasComplained);
    gallery.endFilm();
    return hasComplained ? tools::kIoError : tools::kOk;
}

}  // namespace elasto::gallery
