#pragma once
/// @file elasto_backlash_law.h
/// The laws of Modelica's ElastoBacklash and ElastoBacklash2.

#include <elasto/export.h>
#include <elasto/law_parameter.h>
#include <elasto/reduced_law.h>

namespace elasto {

/// How spring and damper are combined outside the play.
enum class BacklashCharacteristic {
    BoundedDamper,  ///< ElastoBacklash: tau = tau_c + min(tau_c, tau_d), 0 where tau_c + tau_d <= 0 (upper side)
    NoPull,         ///< ElastoBacklash2: tau = tau_c + tau_d, 0 where that is <= 0: jumps when contact starts
    Linear,         ///< the unmodified characteristic tau = tau_c + tau_d: jumps, and pulls when contact ends
};

/// Parameters of an ElastoBacklash.
struct ElastoBacklashParameters {
    double c = kRequired;  ///< c [N.m/rad], > 0; must be given (Modelica's start value: 1e5)
    double d = kRequired;  ///< d [N.m.s/rad], >= 0; must be given (Modelica's start value: 0)
    double b = 0;          ///< b [rad], >= 0: TOTAL backlash; up to 1e-10 rad the law is a plain spring-damper
    double phi_rel0 = 0;   ///< phi_rel0 [rad]: middle of the play; any finite value
    /// How spring and damper are combined outside the play; ElastoBacklash's at first.
    BacklashCharacteristic characteristic = BacklashCharacteristic::BoundedDamper;

    /// Equal where all fields are.
    bool operator==(const ElastoBacklashParameters&) const = default;
};

/// Backlash in series with a rotational spring and damper. With phi_diff = phi_rel - phi_rel0:
///
///     phi_diff >  b/2:  tau_c = c (phi_diff - b/2), tau_d = d w_rel,
///                       tau = tau_c + tau_d <= 0 ? 0 : tau_c + min(tau_c, tau_d)
///     phi_diff < -b/2:  the mirror image
///     else              tau_c = 0, tau = 0; tau_d = d w_rel goes on
///     b <= 1e-10:       tau = c phi_diff + d w_rel, whatever the characteristic
///
/// Source: Modelica.Mechanics.Rotational.Components.ElastoBacklash, ElastoBacklash2.
class ELASTO_API ElastoBacklashLaw {
public:
    /// @throws InvalidParameter naming the field, its value and what is allowed
    explicit ElastoBacklashLaw(const ElastoBacklashParameters& parameters, const char* owner = "ElastoBacklash");

    const ElastoBacklashParameters& parameters() const { return m_parameters; }  ///< as they were given
    /// What the parameters are, in the order of values(): names, units, ranges, defaults.
    static std::span<const LawParameter> list();
    /// The parameters as numbers, in the order of list().
    LawValues values() const;
    /// The law with these values, in the order of list(). @param owner name in messages
    /// @throws InvalidParameter as the constructor
    static ElastoBacklashLaw of(const LawValues& values, const char* owner);
    /// Element types that are made of this law; the first names it.
    static const std::vector<ElementTypeInfo>& types();
    /// What integrators need of it.
    ReducedLaw reduced() const;
    /// True for b <= 1e-10 rad: the law is a plain spring-damper.
    bool isPlainSpringDamper() const { return m_parameters.b <= 1e-10; }

    /// Torque at relative angle phi_rel [rad] and relative angular velocity w_rel [rad/s].
    /// f_c: tau_c; f_d2: tau_d; f_d: the share of tau_d that acts, tau - tau_c; contact: outside the play (always true
    /// for a plain spring-damper).
    ForceTerms evaluate(double phi_rel, double w_rel) const;
    /// Energy in the spring [J].
    double storedEnergy(double phi_rel) const;
    /// Modelica's lossPower [W]: the damper's share times w_rel; 0 where the torque is clipped to zero.
    double lossPower(double phi_rel, double w_rel) const;
    /// Power that leaves the mechanical system [W]: (tau - tau_c) w_rel, which closes the energy balance also
    /// where the torque is clipped to zero while the spring relaxes.
    double dissipatedPower(double phi_rel, double w_rel) const;

    /// Modelica's characteristic during initialisation [N.m]: as above outside 1.5 b/2, slope c/3 within;
    /// continuous and strictly rising, so that it can be inverted.
    double initialTorque(double phi_rel) const;
    /// The inverse of initialTorque: relative angle phi_rel [rad] at which it equals tau [N.m].
    double initialAngle(double tau) const;
    /// Equal where all parameters are.
    bool operator==(const ElastoBacklashLaw&) const = default;

private:
    ElastoBacklashParameters m_parameters;
};

}  // namespace elasto
