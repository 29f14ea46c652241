#pragma once
/// @file rope_law.h
/// The law of a rope: a spring and damper that only pulls.

#include <elasto/export.h>
#include <elasto/law_parameter.h>
#include <elasto/reduced_law.h>

namespace elasto {

/// Parameters of a Rope.
struct RopeParameters {
    double c = kRequired;      ///< c [N/m], >= 0: stiffness E A / s_unstretched of the rope; must be given
    double d = kRequired;      ///< d [N.s/m], >= 0; must be given
    double s_unstretched = 0;  ///< s_unstretched [m]: length up to which it is slack; any finite value
    double n = 1;              ///< n [-], >= 1: exponent of the spring force; > 1 for one that stiffens as it stretches
    double s_ref = 1;          ///< s_ref [m], > 0: stretch at which f_c = c s_ref, so that c stays N/m
    double f_max = kLargestParameter;  ///< f_max [N], > 0: most force, at which it slips; at first there is no limit
    double s_slip_start = 0;           ///< s_slip_start [m]: what has slipped at the start; any finite value

    /// Equal where all fields are.
    bool operator==(const RopeParameters&) const = default;
};

/// A rope, cable or chain without mass, which goes slack. With the stretch x = s_rel - s_unstretched - s_slip:
///
///     taut = x > 0
///     f_c  = c s_ref (x / s_ref)^n                  taut, else 0
///     f_d2 = d v_rel                                taut, else 0
///     f_d  = min(max(f_d2, -f_c), f_c, f_max - f_c)
///     f    = f_c + f_d                              always in [0, min(2 f_c, f_max)]: it only pulls
///     der(s_slip) = v_rel  while f_c = f_max and v_rel > 0, else 0
///
/// It never pushes and its force is continuous: where it gets taut fast the damper counts as much as the spring, and
/// where its ends close in faster than the damper lets the spring follow there is no force. Source: without f_max it is
/// Modelica.Mechanics.Translational.Components.ElastoGap (Modelica Standard Library 4.1) with the flanges exchanged and
/// s_rel0 = -s_unstretched.
///
/// f_max is what a winch's brake, a clamp or a knot lets through. The force stays at f_max while the rope runs out: it
/// is longer by s_slip for good, an inner state, and f_max v_rel is heat. That is a spring in series with dry friction
/// (L. Prandtl, ZAMM 8 (1928) 85), which only gives way to pulling. As long as the spring alone holds less than f_max
/// the damper gives what is missing, at most, and the spring stretches on.
class ELASTO_API RopeLaw {
public:
    /// @throws InvalidParameter naming the field, its value and what is allowed
    explicit RopeLaw(const RopeParameters& parameters, const char* owner = "Rope");

    const RopeParameters& parameters() const { return m_parameters; }  ///< as they were given
    /// What the parameters are, in the order of values(): names, units, ranges, defaults.
    static std::span<const LawParameter> list();
    /// The parameters as numbers, in the order of list().
    LawValues values() const;
    /// The law with these values, in the order of list(). @param owner name in messages
    /// @throws InvalidParameter as the constructor
    static RopeLaw of(const LawValues& values, const char* owner);
    /// Element types that are made of this law; the first names it.
    static const std::vector<ElementTypeInfo>& types();
    /// What integrators need of it.
    ReducedLaw reduced() const;

    /// True if there is a limit of the force.
    bool isLimited() const { return m_parameters.f_max < kLargestParameter; }
    /// Force at s_rel [m], v_rel [m/s] and the inner state s_slip [m]; contact: it is taut.
    ForceTerms evaluate(double s_rel, double v_rel, double s_slip = 0) const;
    /// Energy in the spring [J]: c s_ref^2 / (n + 1) (x / s_ref)^(n + 1) where it is taut, else 0.
    double storedEnergy(double s_rel, double s_slip = 0) const;
    /// Power of the damper, and of the end that slips [W]: f_d v_rel, while it slips f v_rel.
    double lossPower(double s_rel, double v_rel, double s_slip = 0) const;
    /// Equal to lossPower.
    double dissipatedPower(double s_rel, double v_rel, double s_slip = 0) const;
    /// Equal where all parameters are.
    bool operator==(const RopeLaw&) const = default;

private:
    double stretch(double s_rel, double s_slip) const;
    double largestStretch() const;

    RopeParameters m_parameters;
};

}  // namespace elasto
