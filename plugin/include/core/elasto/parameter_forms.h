#pragma once
/// @file parameter_forms.h
/// Other ways to state the spring constant c and the damping constant d.
///
/// All formulas hold for rotation too: put inertia [kg.m2] for mass; c is then in N.m/rad and d in N.m.s/rad.
/// laws.md in the docs has the derivations.

#include <elasto/elasto_gap_law.h>
#include <elasto/export.h>

namespace elasto {

/// Spring and damping constant, ready to be put into the parameters of a law.
struct SpringDamperConstants {
    double c;  ///< c [N/m or N.m/rad]
    double d;  ///< d [N.s/m or N.m.s/rad]
};

/// Mass that the relative motion of two free bodies has along the line between them [kg]: 1 / (1/m_a + 1/m_b).
/// A body that does not move (the world, a static or kinematic body) has an infinite mass.
/// It holds for forces through both centres of mass.
/// @throws InvalidParameter unless both are > 0 and at least one is finite
ELASTO_API double effectiveMass(double m_a, double m_b);

/// A mass on a spring and damper in parallel.
struct Oscillation {
    double frequency;     ///< f0 = sqrt(c / m) / (2 pi) [Hz], without damping
    double dampingRatio;  ///< zeta = d / (2 sqrt(c m)) [-]; 1 is critical
};

/// c = m (2 pi f0)^2, d = 2 zeta m 2 pi f0: for SpringDamper and any other law whose spring and damper are in parallel,
/// while it is in contact. Not for SpringDamperSeries.
/// @param frequency    f0 [Hz], > 0; undamped
/// @param dampingRatio zeta [-], >= 0
/// @param mass         [kg], > 0; between two free bodies effectiveMass()
/// @throws InvalidParameter naming the field, also where c or d is out of the range of numbers
ELASTO_API SpringDamperConstants constantsFromFrequency(double frequency, double dampingRatio, double mass);

/// The inverse of constantsFromFrequency().
/// @throws InvalidParameter unless c > 0, d >= 0, mass > 0
ELASTO_API Oscillation oscillationOf(const SpringDamperConstants& constants, double mass);

/// How a mass that hits a gap element with n = 1 leaves it when nothing else acts on it. It does not depend on speed.
struct Impact {
    double restitution;      ///< e [-]: speed after / speed before the impact
    double contactTime;      ///< [s] from touching until the force has ended
    double penetrationTime;  ///< [s] from touching until s_rel = s_rel0 again, that is, while `contact` is true
};

/// Impact of an ElastoGap with n = 1, in closed form. With w = sqrt(c/m), zeta = d / (2 sqrt(c m)):
///
///     BoundedDamper: e = exp(-zeta w t2), contactTime = atan(2 sqrt2 zeta) / (sqrt2 w) + t2,
///                    tan(w t2 sqrt(1 - zeta^2)) = 4 zeta sqrt(1 - zeta^2) / (4 zeta^2 - 1)
///     NoPull:        e = exp(-zeta w t2), contactTime = t2,
///                    tan(w t2 sqrt(1 - zeta^2)) = 2 zeta sqrt(1 - zeta^2) / (2 zeta^2 - 1)
///     Linear:        e = exp(-zeta w t2), contactTime = t2 = pi / (w sqrt(1 - zeta^2));
///                    from zeta = 1 on e = 0 and the contact has no end
///
/// The force of the first two ends before the penetration does: penetrationTime = contactTime + d/c.
/// An ElastoBacklash outside its play does the same as a gap of the same characteristic.
/// @param mass [kg], > 0; between two free bodies effectiveMass()
/// @throws InvalidParameter unless c > 0, d >= 0, mass > 0; for LankaraniNikravesh, whose e depends on the speed
ELASTO_API Impact impactOf(const SpringDamperConstants& constants, double mass,
                           GapCharacteristic characteristic = GapCharacteristic::BoundedDamper);

/// Smallest restitution that constantsFromRestitution() takes.
inline constexpr double kSmallestRestitution = 1e-6;

/// c and d of an ElastoGap with n = 1 from which a mass rebounds with the given restitution after the given contact
/// time; the inverse of impactOf(). Gravity and other forces that act during the contact change both a little.
///
/// Every e in (0, 1] has one solution: e = 1 is d = 0, and e tends to 0 only as d tends to infinity (BoundedDamper
/// e ~ 1 / (2 sqrt2 zeta), NoPull e ~ 1 / (4 zeta^2)) or to critical damping (Linear). e = 0, a plastic impact, cannot
/// be reached by any of these laws.
/// @param restitution e [-], in [kSmallestRestitution, 1]
/// @param contactTime [s], > 0; from touching until the force has ended, see Impact
/// @param mass        [kg], > 0; between two free bodies effectiveMass()
/// @throws InvalidParameter naming the field, also where c or d is out of the range of numbers
ELASTO_API SpringDamperConstants
constantsFromRestitution(double restitution, double contactTime, double mass,
                         GapCharacteristic characteristic = GapCharacteristic::BoundedDamper);

/// How fast a mass leaves a gap with the HuntCrossley or LankaraniNikravesh characteristic, as a share of the speed at
/// which it hits it: with x = d speed / (c s_ref), the root e of
///
///     x (1 + e) = ln((1 + x) / (1 - e x))
///
/// whatever the mass and the exponent n. It falls with the speed, as of real materials: e ~ 1 - 2 x / 3 for small x.
/// Source: the first integral of v dv/dx = -(f_c / m) (1 + d v / (c s_ref)).
/// @param speed [m/s], > 0
/// @param constants c > 0, d >= 0
/// @param s_ref [m], > 0
/// @throws InvalidParameter naming the field
ELASTO_API double restitutionAt(double speed, const SpringDamperConstants& constants, double s_ref = 1);

/// The damping constant d of a HuntCrossley or LankaraniNikravesh gap from which a mass rebounds with the given
/// restitution when it hits it at the given speed; the inverse of restitutionAt(). Hunt and Crossley's (and Simbody's)
/// dissipation a [s/m], with f = f_c (1 + 3/2 a v), is d = 3/2 a c s_ref.
/// @param restitution e [-], in [kSmallestRestitution, 1]
/// @param speed [m/s], > 0
/// @param c [N/m], > 0
/// @param s_ref [m], > 0
/// @throws InvalidParameter naming the field, also where d is out of the range of numbers
ELASTO_API double dampingForRestitution(double restitution, double speed, double c, double s_ref = 1);

}  // namespace elasto
