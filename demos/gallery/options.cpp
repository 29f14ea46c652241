#include "gallery/options.h"

#include "exit_codes.h"
#include "option_meant.h"
#include "suggestion.h"

#include <elasto/scene/printable.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <sstream>
#include <vector>

namespace elasto::gallery {

namespace {

/// "1280x720"; throws CLI::ValidationError.
void parseSize(const std::string& text, Options& options) {
    int width = 0;
    int height = 0;
    char between = 0;
    std::istringstream stream(text);
    const bool isRead = static_cast<bool>(stream >> width >> between >> height) && stream.peek() == EOF;
    if (!isRead || between != 'x' || width < 64 || height < 64 || width > 8192 || height > 8192) {
        throw CLI::ValidationError("--size", "'" + text + "' is not a size such as 1280x720 (64 .. 8192)");
    }
    options.width = width;
    options.height = height;
    options.isSizeGiven = true;
}

/// CLI11's own ranges let NaN pass.
std::function<std::string(const std::string&)> numberWithin(double least, double most) {
    return [least, most](const std::string& text) {
        double value = 0;
        const bool isAllowed = CLI::detail::lexical_cast(text, value) && value >= least && value <= most;
        return isAllowed ? std::string() : fmt::format("'{}' is not allowed; {} .. {} is", text, least, most);
    };
}

std::string notEmpty(const std::string& text) {
    return text.empty() ? "an empty name is not allowed" : "";
}

std::function<std::string(const std::string&)> oneOf(const std::vector<std::string>& names) {
    return [names](const std::string& text) {
        return std::find(names.begin(), names.end(), text) != names.end() ? "" : tools::notOneOf(text, names);
    };
}

/// Flags that go alone, and those that say what is left out.
struct Flags {
    bool list = false, keys = false;
    bool noPanels = false, noShadows = false, noMultisampling = false;
};

/// What is shown, and how long.
void addContent(CLI::App& app, Options& options, Flags& flags) {
    app.add_option("--demo", options.demo, "Begin with this demo (see --list)")->option_text("NAME")->check(notEmpty);
    app.add_option("--scene", options.scene, "Show a scene file instead of a demo")
        ->option_text("FILE")
        ->check(notEmpty);
    app.add_option("--robot", options.robot, "Show a robot of your own: a URDF or SDF file, or a scene with a robot")
        ->option_text("FILE")
        ->check(notEmpty);
    app.add_option("FILE", options.file,
                   "Show a recorded run (.elrec), comparing its bits, a robot (URDF, SDF, .json) or a scene (.json)")
        ->check(notEmpty);
    app.add_flag("--list", flags.list, "Print the demos, one per line, and end");
    app.add_flag("--keys", flags.keys, "Print the table of keys as Markdown, and end");
    app.add_flag("--tour", options.tour, "All demos, one after the other");
    app.add_option("--frames", options.frames, "End after N frames of 1/60 s")
        ->option_text("N")
        ->check(CLI::Range(1, 10000000));
    app.add_option("--hz", options.rate, "Ticks per second instead of the scene's")
        ->option_text("RATE")
        ->check(numberWithin(0.001, 1e6));
    app.add_option("--speed", options.speed, "Simulated seconds per second, 0.001 .. 4")
        ->option_text("FACTOR")
        ->check(numberWithin(0.001, 4));
}

/// What is written, and how it looks.
void addOutput(CLI::App& app, Options& options, Flags& flags) {
    app.add_option("--screenshot", options.screenshot,
                   "Without a window: write the last frame as PNG; with --tour a folder for one PNG per demo")
        ->option_text("FILE")
        ->check(notEmpty);
    app.add_option("--pictures", options.pictures, "Without a window: write each frame as numbered PNG into a folder")
        ->option_text("FOLDER")
        ->check(notEmpty);
    app.add_option("--film", options.film, "Without a window: write all frames as mp4, .gif or .webp (needs ffmpeg)")
        ->option_text("FILE")
        ->check(notEmpty);
    app.add_option_function<std::string>(
           "--size", [&options](const std::string& text) { parseSize(text, options); }, "Size of picture or window")
        ->option_text("WxH");
    app.add_flag("--no-panels", flags.noPanels, "The scene alone");
    app.add_flag("--no-shadows", flags.noShadows, "Draw without shadows: faster in software");
    app.add_flag("--no-multisampling", flags.noMultisampling, "Draw without multisampling: faster in software");
    app.add_option("--theme", options.theme, "dark or light")->check(oneOf({"dark", "light"}));
    app.add_option("--scale", options.scale, "Size of texts and panels")->check(numberWithin(0.5, 4));
    app.add_option("--state", options.state, "Keep what the window shows as JSON, renewed with each frame")
        ->option_text("FILE")
        ->check(notEmpty);
}

/// @throws CLI::ValidationError for options that do not go together
void combine(int argc, const Flags& flags, Options& options) {
    const int shown = static_cast<int>(!options.demo.empty()) + static_cast<int>(!options.scene.empty()) +
                      static_cast<int>(!options.robot.empty()) + static_cast<int>(!options.file.empty());
    if (shown > 1) throw CLI::ValidationError("--scene", "give one of --demo, --scene, --robot and a file");
    if (options.tour && shown > 0) {
        throw CLI::ValidationError("--tour", "shows all demos: give no --demo, --scene, --robot or file");
    }
    if ((flags.list || flags.keys) && argc > 2)
        throw CLI::ValidationError(flags.list ? "--list" : "--keys", "goes alone");
    const bool isHeadless = !options.screenshot.empty() || !options.pictures.empty() || !options.film.empty();
    if (isHeadless && !options.state.empty()) {
        throw CLI::ValidationError("--state", "tells what the window shows: there is none with pictures or a film");
    }
    options.mode = flags.list   ? Options::Mode::List
                   : flags.keys ? Options::Mode::Keys
                   : isHeadless ? Options::Mode::Headless
                                : Options::Mode::Window;
    if (options.file.extension() == ".elrec" && options.rate) {
        throw CLI::ValidationError("--hz", "a recording has its own tick rate");
    }
}

}  // namespace

ParsedOptions parseOptions(int argc, const char* const* argv) {
    Options options;
    CLI::App app("elasto-gallery: see, push, drag, rewind and compare Modelica's elements in Bullet.",
                 "elasto-gallery");
    app.failure_message([](const CLI::App* program, const CLI::Error& error) {
        return printable(fmt::format("elasto-gallery: {}{}\nRun with --help for more information.\n", error.what(),
                                     tools::optionMeant(*program, error)));
    });
    Flags flags;
    addContent(app, options, flags);
    addOutput(app, options, flags);
    try {
        app.parse(argc, argv);
        combine(argc, flags, options);
    } catch (const CLI::ParseError& error) {
        const int code = app.exit(error);
        return {.options = std::nullopt, .exitCode = code == 0 ? tools::kOk : tools::kBadInput};
    }
    options.panels = !flags.noPanels;
    options.shadows = !flags.noShadows;
    options.multisampling = !flags.noMultisampling;
    return {.options = options, .exitCode = tools::kOk};
}

}  // namespace elasto::gallery
