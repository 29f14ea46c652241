#pragma once
/// @file nrmse.h
/// The measure by which runs are compared:
///
///     NRMSE = rms error / max(range of the reference, 1e-6 of the largest range of its kind)
///
/// over the rows of a table, each row with the same weight. The kind of a signal is its unit, read from the end of its
/// name; the second term keeps a signal that hardly moves (a deflection across the direction of motion, say) from
/// being judged by its own rounding. Where nothing of a kind moves, the error counts in the kind's unit. What moves by
/// rounding only, and is wrong by no more than that (both at most 1e-12 of the largest value of its kind, or of the
/// kind's unit), counts by that value or unit: its range, which is rounding, must not judge it.

#include <elasto/reference/trajectory.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace elasto {

/// Unit of a signal by the last part of its name: "m", "rad", "m/s", "rad/s", "N", "N.m", "W", "J", "K", "1"
/// (quaternions, directions) or "flag" (contact). A name that is not known is a kind of its own: it is returned as it
/// is. E.g. `mass.r_0[2]`, `gap.s_rel`, `series.s_damper` -> "m"; `gap.f_mean` -> "N"; `lash.tau` -> "N.m".
std::string signalUnit(std::string_view signal);

/// How far one signal is from its reference.
struct SignalError {
    std::string signal;
    std::string unit;          ///< its kind, see signalUnit()
    double nrmse = 0;          ///< [-]
    double rms = 0;            ///< rms error [unit]
    double largest = 0;        ///< largest absolute error [unit]
    double timeOfLargest = 0;  ///< [s]
    double range = 0;          ///< max - min of the reference [unit]
};

/// Compares every signal of the reference that the candidate has too, in the reference's order. Row k is compared with
/// row k. An error that is not finite counts as infinite.
/// @throws std::invalid_argument if the tables have different numbers of rows, or none
std::vector<SignalError> compareSignals(const Trajectory& reference, const Trajectory& candidate);

/// The signal with the largest NRMSE among those of the given units (all units if empty); null if there is none.
const SignalError* worstSignal(std::span<const SignalError> errors, std::span<const std::string> units = {});

}  // namespace elasto
