#pragma once
/// @file run_point.h
/// One run of a sweep.

#include "base_scene.h"
#include "row_text.h"
#include "study.h"

#include <atomic>
#include <optional>

namespace elasto::sweep {

/// Runs a scene to its end and measures it. Several threads may do so at the same time.
/// @param scene with the run's parameters
/// @param stop ends it within a tick
/// @return none if it was stopped
/// @throws FailureError, InvalidParameter, InputError: why the run failed
std::optional<Outcome> runScene(const Study& study, AnyScene scene, const std::atomic<bool>& stop);

/// The same for a run of the sweep, counted from 0; whatever makes it fail becomes its outcome.
std::optional<Outcome> runPoint(const Study& study, const BaseScene& base, std::size_t run,
                                const std::atomic<bool>& stop);

}  // namespace elasto::sweep
