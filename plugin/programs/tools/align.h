#pragma once
/// @file align.h
/// Brings two runs to common times and signals.

#include <elasto/reference/trajectory.h>

#include <utility>

namespace elasto::tools {

/// Both tables at the reference's times within the common time span, with the signals that both have (in the
/// reference's order). The candidate is interpolated linearly between its rows. Where a time repeats (a file with both
/// sides of an event), first sides are compared with first sides and last with last; a single row stands for the last.
/// @throws InputError if no signal or no time is common
std::pair<Trajectory, Trajectory> align(const Trajectory& reference, const Trajectory& candidate);

/// Gives the candidate's quaternions (<body>.q[1] .. q[4]) the signs of the reference's, row by row: q and -q are the
/// same orientation. Both tables must have the same rows.
void alignQuaternions(const Trajectory& reference, Trajectory& candidate);

}  // namespace elasto::tools
