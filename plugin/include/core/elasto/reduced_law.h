#pragma once
/// @file reduced_law.h
/// A law as integrators see it.

#include <elasto/force_table.h>

#include <limits>

namespace elasto {

/// What integration needs of a law: springs, dampers, and where they act. Each law gives its own (XLaw::reduced()).
///
///     SpringDamper  f = c (s - edgeHigh) + d v, if hasRebound with d_rebound in the place of d while v > 0
///     Series        f = c (s - edgeHigh - z),  z' = f / d
///     Contact       pushes back with F_c(y) + damper while the penetration y > 0: if below, y = edgeLow - s (f = -F),
///                   and if above, y = s - edgeHigh (f = +F), F_c(y) = c s_ref (y / s_ref)^n, or by a table.
///                   Where f_max is finite F goes no further: the damper's share is cut, and at y = y_max the upper
///                   edge itself gives way by z in all, y = s - edgeHigh - z, z' = v while y = y_max and v > 0
///     Slip          f = (c - c_slip) x + d v + h,  x = s - edgeHigh,  h = c_slip (x - z) with |h| <= f_slip: a spring
///                   in series with a slider, z what the slider has slipped; z' = v while |h| = f_slip and h v > 0
///     Friction      no force by itself: integrators make a row of it that is held at rest or slides (flow_rows.h)
struct ReducedLaw {
    /// Which of the forms above the law has.
    enum class Kind : unsigned char {
        SpringDamper,  ///< spring and damper in parallel, always in contact
        Contact,       ///< acts beyond an edge: gap, bump stop, rope, and with two edges backlash
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
    double edgeHigh = 0;             ///< contact for s > edgeHigh (Contact); unstretched length otherwise
    double c_slip = 0;               ///< Slip: of c, what the slider carries [N/m], > 0
    double f_slip = 0;               ///< Slip: force at which the slider gives way [N], > 0
    double d_rebound = 0;            ///< SpringDamper, if hasRebound: damping while v > 0 [N.s/m]
    double f_max = std::numeric_limits<double>::infinity();  ///< Contact above: largest force [N], > 0
    double y_max = std::numeric_limits<double>::infinity();  ///< Contact above: penetration at which F_c = f_max [m]
    ForceTable table = {};    ///< Contact: F_c(y), if it is not empty; c is its largest slope then
    bool below = true;        ///< Contact: it acts below edgeLow. One that does not has edgeLow = edgeHigh
    bool above = false;       ///< Contact: it acts above edgeHigh. One that does not has edgeHigh = edgeLow
    bool bounded = false;     ///< damper limited by the spring. Never set where d = 0
    bool noPull = false;      ///< F >= 0 always: a gap never pulls, a rope never pushes. Never set where d = 0
    bool lankarani = false;   ///< damper share is d (y/s_ref)^n u. Never set where d = 0
    bool hasRebound = false;  ///< SpringDamper: d counts while v < 0 only. edgeLow = edgeHigh then

    /// Whether it can act along a line, which is never shorter than 0: what begins to push below that never does.
    bool actsOnLines() const { return kind != Kind::Contact || above || edgeLow > 0; }

    /// Whether it pushes or does nothing: it acts below an edge alone, its damper no further than its spring.
    bool pushesOnly() const { return kind == Kind::Contact && !above && (noPull || d == 0); }
    /// Whether it pulls or does nothing, as a rope.
    bool pullsOnly() const { return kind == Kind::Contact && !below && (noPull || d == 0); }

    bool operator==(const ReducedLaw&) const = default;  ///< equal where all fields are

    /// Stands for the exponent where there is a table: what asks whether the spring is linear need not look further.
    static constexpr double kOfTables = 2;
};

}  // namespace elasto
