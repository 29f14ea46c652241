#pragma once
/// @file help_overlay.h
/// Overlay: all keys and mouse gestures, from the key table.

#include "theme.h"

#include <imgui.h>

namespace elasto::panels {

/// Draws the overlay in the middle of the screen. @return false when the user closed it
bool drawHelp(const Palette& palette);

}  // namespace elasto::panels
