#pragma once
/// @file settings_window.h
/// Window: what the gallery remembers.

#include "context.h"
#include "number_field.h"
#include "settings.h"

namespace elasto::panels {

/// Changes settings in place and asks for them to be applied (Requests::areSettingsChanged).
/// @param screenScale scale that the screen asks for, used where the settings say 0
/// @param field of the numbers in the window
/// @return false when the user closed it
bool drawSettings(const Palette& palette, Settings& settings, double screenScale, NumberField& field,
                  Requests& requests);

}  // namespace elasto::panels
