#pragma once
// The numbers that were tuned in the world's tick, and why each is what it is.

#include "network/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// @name check_start
///@{
/// Speeds that a stop may give its bodies at the start without a word [m/s, rad/s]: a fall from 1.3 m, eight turns per
/// second. Who preloads a spring by more knows it; an axis that points the wrong way makes hundreds.
inline constexpr double kFastStart = 5;
inline constexpr double kFastStartTurns = 50;
/// Cosine of the angle up to which a joint's axis is an element's: eight degrees.
inline constexpr double kAlongAxis = 0.99;
///@}

/// @name network_queue
///@{
/// Jobs among which networks are handed out, and most networks of one: the handing out of cheap ones costs little then.
inline constexpr std::size_t kJobs = 256;
inline constexpr std::size_t kMostPerJob = 64;
/// Times that a tick is solved again with what its motion has brought together: each time one more pair may be met,
/// which the pair before throws there.
inline constexpr int kMostRounds = 4;
///@}

/// @name world_tick_networks
///@{
/// Ticks from which on it is said at each power of ten how many were not exact.
inline constexpr int kManyTicks = 100;
/// [m] A link that was found deeper inside something than this is named: far above what rounding and hairlines leave.
inline constexpr double kDeepLink = 1e-3;
///@}

/// @name tick_audits
///@{
/// [m, rad] Error of a tick that counts as none under Accuracy::Exact: a tenth of its length, as errors add up; under
/// another length in its proportion.
inline constexpr double kExactError = 1e-7;
/// Factor within which an audit is certain: by it the estimate is larger than what the audit says, and once more where
/// a tick is not audited and has the larger one of the last two; within it two audits agree. Of the campaign's inexact
/// ticks 87 % are off by no more than their estimate, and 58 % have one of at most 30 times the error; with the last
/// audit's as it was for those that follow, and two free audits, 66 % and 84 %.
inline constexpr double kAuditMargin = 3;
/// Audits that a network has before their cost is looked at: a run of a second has hardly more.
inline constexpr int kFreeAudits = 4;
///@}

/// @name world_tick_solve
///@{
/// By this factor a contact may bear more than all loads of its network, as a lever makes it, and still bear at rest.
inline constexpr double kLongestLever = 10;
///@}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
