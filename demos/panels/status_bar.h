#pragma once
/// @file status_bar.h
/// Panel: one line of figures about the run.

#include "context.h"

namespace elasto::panels {

void drawStatusBar(const Context& context, const RunFigures& figures);

/// "exact" or "approximate, by 3e-04 m": of a tick.
std::string gradeText(const TickGrade& grade);

/// Of a tick: green, amber or red.
ImU32 gradeColor(const Palette& palette, Grade grade);

/// "3 closed form, 1 Taylor": elements of the last tick by the way in which they were solved.
std::string methodsText(const TickStatistics& statistics);

}  // namespace elasto::panels
