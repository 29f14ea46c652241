#pragma once
/// @file force_terms.h
/// What every force law returns.

#include <limits>

namespace elasto {

/// Marks a parameter that has no default: it must be given (see InvalidParameter).
inline constexpr double kRequired = std::numeric_limits<double>::quiet_NaN();

/// Largest size of a law's parameter and of a number in a scene, whatever its unit; the smallest mass and inertia is
/// 1 / kLargestParameter. It is far beyond anything physical, and products of a few such numbers are still finite.
inline constexpr double kLargestParameter = 1e60;

/// Force (translational laws, [N]) or torque (rotational laws, [N.m]) of a law at one instant.
///
/// Sign as in Modelica: f = flange_b.f; f > 0 pulls a and b together (body b gets -f, body a gets +f),
/// f < 0 pushes them apart.
struct ForceTerms {
    double f = 0;    ///< total force f (tau) [N, N.m]
    double f_c = 0;  ///< spring share f_c (tau_c) [N, N.m]
    double f_d = 0;  ///< damper share that acts, after any limit: f - f_c where both act [N, N.m]
    /// Damper share before its limit [N, N.m]: Modelica's f_d2 of ElastoGap, d v_rel in contact, else 0; Modelica's
    /// tau_d of ElastoBacklash, d w_rel always, also within the play.
    double f_d2 = 0;
    bool contact = false;  ///< ElastoGap: s_rel < s_rel0; backlash: outside its play; springs and dampers: always true
};

}  // namespace elasto
