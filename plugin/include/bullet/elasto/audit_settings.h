#pragma once
/// @file audit_settings.h
/// How often ticks are solved again to see how far off they were.

#include <elasto/flow.h>
#include <elasto/precision.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Audits (see audit.h) of a world's networks. They change no bit of the motion.
struct AuditSettings {
    /// One tick of a network in so many is audited, >= 0. 1: every tick; 0: none.
    int every = 100;
    /// Beside these, each tick is due in which something new has happened (method, contacts, cause of the grade), and
    /// the next ones until two audits agree. All of them together take this share of the cost of the network's ticks
    /// at most, >= 0: what is due later waits. The first four are taken at once. Without bound where `every` is 1.
    double share = 0.03;
};

/// What audits have found of a network, kept with its first element.
struct AuditState {
    double error = -1;                     ///< last estimate [m, rad]; < 0: there is none
    double before = -1;                    ///< the one before that
    double credit = 0;                     ///< cost that audits may still take; < 0: that they have taken in advance
    int taken = 0;                         ///< audits so far, up to 4
    int ticks = 0;                         ///< since the last one
    bool isUnsettled = true;               ///< the last two do not agree, or something new has happened
    FlowMethod method = FlowMethod::Free;  ///< of the last tick
    int contacts = 0;                      ///< of the last tick
    GradeCause cause = GradeCause::None;   ///< of the last tick
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
