#include "gallery/headless.h"

#include "exit_codes.h"
#include "gallery/gallery.h"
#include "interrupt.h"
#include "print.h"
#include "tool_errors.h"
#include "view/context.h"
#include "view/image.h"

#include <fmt/format.h>

#include <cstdio>

namespace elasto::gallery {

namespace {

/// Draws frames and keeps those that are wanted.
class Shooting {
public:
    explicit Shooting(const Options& options) : m_options(options), m_canvas(options.width, options.height, 1) {
        if (!options.pictures.empty()) m_films.push_back(Film::pictures(options.pictures));
        if (!options.film.empty()) m_films.push_back(Film::encoded(options.film, options.width, options.height));
    }
    /// Lets a demo run. @param picture where its last frame goes; empty: nowhere
    /// @return false if the user interrupted it
    bool shoot(Gallery& gallery, int frames, const std::filesystem::path& picture) {
        gallery.layOut(m_options.width, m_options.height);
        for (int i = 0; i < frames; ++i) {
            if (tools::InterruptGuard::interrupted()) return false;
            if (m_films.empty()) {
                gallery.stage().pass(Film::kFrame);
            } else {
                gallery.frame(Film::kFrame, m_canvas.framebuffer(), m_options.width, m_options.height);
                for (const std::unique_ptr<Film>& film : m_films) film->add(m_canvas.read());
            }
        }
        if (picture.empty()) return true;
        gallery.layOut(m_options.width, m_options.height);
        gallery.frame(0, m_canvas.framebuffer(), m_options.width, m_options.height);
        if (tools::InterruptGuard::interrupted()) return false;
        view::writePng(m_canvas.read(), picture);
        return true;
    }
    void finish() {
        for (const std::unique_ptr<Film>& film : m_films) film->finish();
    }

private:
    const Options& m_options;
    view::Target m_canvas;
    std::vector<std::unique_ptr<Film>> m_films;
};

int interrupted() {
    tools::printTo(stderr, "elasto-gallery: interrupted\n");
    return tools::kInterrupted;
}

/// A recording that was shown has the bits of its recording, or it is said where they differ first.
int judged(const Stage& stage, const Options& options) {
    const std::optional<play::RecordingCheck>& check = stage.session().recordingCheck();
    if (!check || !check->difference) return tools::kOk;
    tools::printTo(stderr, fmt::format("elasto-gallery: {}: differs from the recording at {}\n", options.file.string(),
                                       check->difference->text()));
    return tools::kDifferent;
}

}  // namespace

int runHeadless(const Options& options) {
    const tools::InterruptGuard guard;
    const view::Context context;
    Gallery gallery(options, {}, nullptr);
    Shooting shooting(options);
    if (!options.tour) {
        const int frames = options.frames.value_or(gallery.stage().demo().pictureFrames);
        if (!shooting.shoot(gallery, frames, options.screenshot)) return interrupted();
        shooting.finish();
        return judged(gallery.stage(), options);
    }
    if (!options.screenshot.empty()) {
        std::error_code error;
        std::filesystem::create_directories(options.screenshot, error);
        if (!std::filesystem::is_directory(options.screenshot)) {
            throw tools::IoError(fmt::format("cannot write pictures to '{}': {}", options.screenshot.string(),
                                             error ? error.message() : "it is not a folder"));
        }
    }
    for (const Demo& demo : demos()) {
        gallery.open(demo);
        const std::filesystem::path file =
            options.screenshot.empty() ? std::filesystem::path() : options.screenshot / (demo.name + ".png");
        if (!shooting.shoot(gallery, options.frames.value_or(demo.pictureFrames), file)) return interrupted();
        if (!file.empty()) tools::printText("{}\n", file.string());
        std::fflush(stdout);
    }
    shooting.finish();
    return tools::kOk;
}

}  // namespace elasto::gallery
