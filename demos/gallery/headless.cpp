#include "gallery/headless.h"

#include "exit_codes.h"
#include "gallery/gallery.h"
#include "gallery/interrupt.h"
#include "tool_errors.h"
#include "view/context.h"
#include "view/image.h"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>

namespace elasto::gallery {

namespace {

/// Draws frames and keeps those that are wanted.
class Shooting {
public:
    explicit Shooting(const Options& options) : m_options(options), m_canvas(options.width, options.height, 1) {
        if (!options.pictures.empty()) m_films.push_back(Film::pictures(options.pictures));
        if (!options.film.empty()) m_films.push_back(Film::mp4(options.film, options.width, options.height));
    }
    /// Lets a demo run. @param picture where its last frame goes; empty: nowhere
    void shoot(Gallery& gallery, int frames, const std::filesystem::path& picture) {
        gallery.layOut(m_options.width, m_options.height);
        for (int i = 0; i < frames; ++i) {
            stopIfInterrupted();
            if (m_films.empty()) {
                gallery.stage().pass(Film::kFrame);
            } else {
                gallery.frame(Film::kFrame, m_canvas.framebuffer(), m_options.width, m_options.height);
                for (const std::unique_ptr<Film>& film : m_films) film->add(m_canvas.read());
            }
        }
        if (picture.empty()) return;
        gallery.layOut(m_options.width, m_options.height);
        gallery.frame(0, m_canvas.framebuffer(), m_options.width, m_options.height);
        stopIfInterrupted();
        view::writePng(m_canvas.read(), picture);
    }
    void finish() {
        for (const std::unique_ptr<Film>& film : m_films) film->finish();
    }

private:
    static void stopIfInterrupted() {
        if (isInterrupted()) throw std::runtime_error("interrupted");
    }

    const Options& m_options;
    view::Target m_canvas;
    std::vector<std::unique_ptr<Film>> m_films;
};

}  // namespace

int runHeadless(const Options& options) {
    noteInterrupts();
    const view::Context context;
    Gallery gallery(options, {}, nullptr);
    Shooting shooting(options);
    if (!options.tour) {
        shooting.shoot(gallery, options.frames.value_or(gallery.stage().demo().pictureFrames), options.screenshot);
        shooting.finish();
        return tools::kOk;
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
        shooting.shoot(gallery, options.frames.value_or(demo.pictureFrames), file);
        if (!file.empty()) fmt::print("{}\n", file.string());
        std::fflush(stdout);
    }
    shooting.finish();
    return tools::kOk;
}

}  // namespace elasto::gallery
