#pragma once
/// @file options.h
/// The command line of elasto-gallery.

#include <filesystem>
#include <optional>
#include <string>

namespace elasto::gallery {

struct Options {
    enum class Mode {
        Window,    ///< the gallery
        Headless,  ///< pictures without a window
        List,      ///< names and titles of the demos
        Keys,      ///< the table of keys, Markdown
    };
    Mode mode = Mode::Window;
    std::string demo;                  ///< name; empty: the last one, else the first
    std::filesystem::path scene;       ///< a scene file instead of a demo
    std::filesystem::path robot;       ///< a robot instead of a demo: URDF, SDF or a scene with a robot
    std::filesystem::path file;        ///< a recorded run, a robot or a scene instead of a demo
    bool tour = false;                 ///< all demos, one after the other
    std::optional<int> frames;         ///< of 1/60 s; a window closes after them
    std::filesystem::path screenshot;  ///< PNG of the last frame; with a tour a folder
    std::filesystem::path pictures;    ///< folder for a numbered PNG of each frame
    std::filesystem::path film;        ///< all frames as mp4, gif or webp, by ffmpeg
    std::optional<double> rate;        ///< ticks per second [Hz]
    std::optional<double> speed;       ///< simulated seconds per second
    int width = 1280;
    int height = 720;
    bool isSizeGiven = false;
    bool panels = true;
    bool shadows = true;
    bool multisampling = true;
    std::string theme;            ///< "dark", "light"; empty: as set before
    std::optional<double> scale;  ///< of the panels
    std::filesystem::path state;  ///< a window writes there what it shows, after each frame (JSON)
};

/// Options, or the exit code where nothing is left to do (help, a mistake: already said).
struct ParsedOptions {
    std::optional<Options> options;
    int exitCode = 0;
};
ParsedOptions parseOptions(int argc, const char* const* argv);

}  // namespace elasto::gallery
