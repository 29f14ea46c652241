#pragma once
/// @file reduced_law.h
/// A law as integrators see it.

#include <elasto/force_table.h>

namespace elasto {

/// What integration needs of a law: springs, dampers, and where they act. Each law gives its own (XLaw::reduced()).
///
///     SpringDamper  f = c (s - edgeHigh) + d v
///     Series        f = c (s - edgeHigh - z),  z' = f / d
///     Contact       pushes with F_c(y) + damper while the penetration y > 0: y = edgeLow - s (lower side, f = -F) and,
///                   if twoSided, y = s - edgeHigh (upper side, f = +F), F_c(y) = c s_ref (y / s_ref)^n, or by a table
///     Slip          f = (c - c_slip) x + d v + h,  x = s - edgeHigh,  h = c_slip (x - z) with |h| <= f_slip: a spring
///                   in series with a slider, z what the slider has slipped; z' = v while |h| = f_slip and h v > 0
///     Friction      no force by itself: integrators make a row of it that is held at rest or slides (flow_rows.h)
struct ReducedLaw {
    /// Which of the forms above the law has.
    enum class Kind : unsigned char {
        SpringDamper,  ///< spring and damper in parallel, always in contact
        Contact,       ///< acts beyond an edge: gap, bump stop, and with two edges backlash
        Series,        ///< spring and damper in series; z is the damper's length
        Slip,          ///< bushing; z is what has slipped
        Friction,      ///< dry friction; z says how it sticks
    };
    Kind kind = Kind::SpringDamper;  ///< decides which of the fields below count
    double c = 0;                    ///< [N/m]; Slip: of both springs together
    double d = 0;                    ///< [N.s/m]
    double n = 1;                    ///< exponent
    double s_ref = 1;                ///< Contact: compression at which F_c = c s_ref [m], > 0
    double edgeLow = 0;              ///< contact for s < edgeLow (Contact)
    double edgeHigh = 0;             ///< contact for s > edgeHigh (two-sided Contact); unstretched length otherwise
    double c_slip = 0;               ///< Slip: of c, what the slider carries [N/m], > 0
    double f_slip = 0;               ///< Slip: force at which the slider gives way [N], > 0
    ForceTable table = {};           ///< Contact: F_c(y), if it is not empty; c is its largest slope then
    bool twoSided = false;           ///< Contact: it acts below edgeLow and above edgeHigh
    bool bounded = false;            ///< damper limited by the spring. Never set where d = 0
    bool noPull = false;             ///< force never pulls. Never set where d = 0
    bool lankarani = false;          ///< damper share is d (y/s_ref)^n u. Never set where d = 0

    /// Whether it can act along a line, which is never shorter than 0: what begins to push below that never does.
    bool actsOnLines() const { return kind != Kind::Contact || twoSided || edgeLow > 0; }

    bool operator==(const ReducedLaw&) const = default;  ///< equal where all fields are

    /// Stands for the exponent where there is a table: what asks whether the spring is linear need not look further.
    static constexpr double kOfTables = 2;
};

}  // namespace elasto
