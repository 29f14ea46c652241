#pragma once
/// @file film.h
/// Frames as files: numbered PNG pictures, or a film that ffmpeg makes.

#include "view/image.h"

#include <filesystem>
#include <memory>
#include <string>

namespace elasto::gallery {

class Film {
public:
    static constexpr double kFrame = 1.0 / 60;  ///< time between two frames [s]

    virtual ~Film() = default;
    virtual void add(const view::Image& image) = 0;
    /// Ends it: only now a film appears under its name. Without it nothing is left but whole pictures.
    virtual void finish() = 0;

    /// Numbered PNG pictures frame_000000.png and so on in a folder, which is made if it is missing.
    /// @throws tools::IoError
    static std::unique_ptr<Film> pictures(const std::filesystem::path& folder);
    /// By the file's ending an animated picture (.gif, .webp) of 20 frames/s, else an mp4 of 60 frames/s. @throws
    /// std::runtime_error with a clear message if ffmpeg is not installed, tools::IoError if the file cannot be written
    static std::unique_ptr<Film> encoded(const std::filesystem::path& file, int width, int height);
    /// Whether ffmpeg is on the PATH.
    static bool hasFfmpeg();
};

}  // namespace elasto::gallery
