#pragma once
/// @file splitters.h
/// Bars between panels that are dragged.

#include "layout.h"
#include "theme.h"

namespace elasto::panels {

/// Lets the user drag the borders between the panels of a layout.
/// @return true if settings have changed
bool dragSplitters(const Layout& layout, const Palette& palette, Settings& settings);

}  // namespace elasto::panels
