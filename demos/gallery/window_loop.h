#pragma once
/// @file window_loop.h
/// The gallery in a window. Here alone real time comes in.

#include "gallery/options.h"

namespace elasto::gallery {

/// @return exit code @throws view::GraphicsError without display or OpenGL 3.3, and as Gallery
int runWindow(const Options& options);

}  // namespace elasto::gallery
