#pragma once
/// @file grade.h
/// How good the solution of a tick is, and why it is no better.

#include <elasto/export.h>

namespace elasto {

/// How good the solution of a tick is.
enum class Grade {
    Exact,        ///< the laws' own motion, as exact as `elasto verify` asks for
    Approximate,  ///< near that motion: by how much it may be off is estimated (TickGrade::error)
    Failed,       ///< no motion of these laws: something was put right that none of them explains
};

/// Why a tick is not exact. Of several the last one in this order stands.
enum class GradeCause {
    None,        ///< it is exact
    Audit,       ///< an audit found that it was off, and nothing else tells why
    Overlap,     ///< bodies were found inside each other, and were moved apart
    Turning,     ///< what touches turned further than could be followed within the budget
    Asked,       ///< the settings ask for the implicit step (Accuracy)
    Budget,      ///< the implicit step: the exact method did not come through within its budget, or was not to be
                 ///< trusted, now or a short while ago
    Unbalanced,  ///< its energy, momentum or joints do not close as they must
    FirstOrder,  ///< backward Euler: rebounds lose energy
    CutBack,     ///< the network was stopped inside the tick by continuous collision detection, and lost the rest of it
    Uncoupled,   ///< Bullet solved joints or contacts, the elements acted with an impulse that did not know them
    Untrusted,   ///< nothing that was tried could be trusted, and what moves lost its inner motion
};
/// Number of GradeCause's enumerators.
inline constexpr int kGradeCauses = 11;

/// "exact" and so on.
ELASTO_API const char* nameOf(Grade grade);
/// The cause in few words, e.g. "the budget ended"; of None an empty text.
ELASTO_API const char* textOf(GradeCause cause);
/// What helps against it, e.g. "more ticks per second help, and a larger budget may"; of None an empty text.
ELASTO_API const char* remedyOf(GradeCause cause);

/// The grade of a tick, or of several.
struct ELASTO_API TickGrade {
    Grade grade = Grade::Exact;           ///< the worst of its parts
    GradeCause cause = GradeCause::None;  ///< why it is not better
    /// By how much it may be off in an element's coordinate or a body's place [m, rad], where it is not exact:
    /// estimated by audits (see AuditSettings) in a world. The flow itself leaves it 0; see auditTick.
    double error = 0;

    /// Adds another part of the network, or of the tick: the worse one stands.
    TickGrade& operator+=(const TickGrade& other);
    bool operator==(const TickGrade&) const = default;  ///< equal where all fields are

    /// A tick that is not exact. @param cause other than None: Untrusted is Failed, all others are Approximate
    static TickGrade of(GradeCause cause);
};

}  // namespace elasto
