#pragma once
/// @file headless.h
/// Pictures and films of demos without a window.

#include "gallery/options.h"

namespace elasto::gallery {

/// @return exit code; messages are on stderr
int runHeadless(const Options& options);

}  // namespace elasto::gallery
