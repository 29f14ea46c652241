#pragma once
/// @file spring_damper_law.h
/// Linear spring, damper and spring-damper in parallel (line force, translational or rotational).

#include <elasto/export.h>
#include <elasto/law_parameter.h>
#include <elasto/reduced_law.h>

namespace elasto {

/// Stands for a damping that is the same as the one beside it.
inline constexpr double kSameDamping = kLargestParameter;

/// Parameters of a linear spring and damper in parallel. A Spring is one with d = 0, a Damper one with c = 0.
struct SpringDamperParameters {
    double c = kRequired;  ///< c [N/m or N.m/rad], >= 0; must be given
    double d = kRequired;  ///< d [N.s/m or N.m.s/rad], >= 0; must be given. Beside d_rebound: of compression, v_rel < 0
    double s_rel0 = 0;     ///< s_rel0 (phi_rel0, s_unstretched) [m, rad]: unstretched length; any finite value
    /// d_rebound [N.s/m or N.m.s/rad], >= 0: damping of rebound, v_rel > 0, where the ends part; at first the same as d
    double d_rebound = kSameDamping;

    /// Equal where all fields are.
    bool operator==(const SpringDamperParameters&) const = default;
};

/// Linear spring and damper in parallel, without any limit:
///
///     f = c (s_rel - s_rel0) + d v_rel
///
/// A shock absorber has another damping for rebound (v_rel > 0) than for compression (v_rel < 0): its d_rebound counts
/// in the place of d then, in the law, in the loss and for each instant. Along an axis and on a line the ends part
/// where v_rel > 0; about an axis the angle grows. Source: Modelica.Mechanics.Translational.Components.SpringDamper,
/// Rotational.Components.SpringDamper and MultiBody.Forces.SpringDamperParallel, Spring (d = 0), Damper (c = 0).
class ELASTO_API SpringDamperLaw {
public:
    /// @throws InvalidParameter if c or d is missing, negative or not finite, or s_rel0 is not finite
    /// @param owner name used in messages
    explicit SpringDamperLaw(const SpringDamperParameters& parameters, const char* owner = "SpringDamper");

    const SpringDamperParameters& parameters() const { return m_parameters; }  ///< as they were given
    /// What the parameters are, in the order of values(): names, units, ranges, defaults.
    static std::span<const LawParameter> list();
    /// The parameters as numbers, in the order of list().
    LawValues values() const;
    /// The law with these values, in the order of list(). @param owner name in messages
    /// @throws InvalidParameter as the constructor
    static SpringDamperLaw of(const LawValues& values, const char* owner);
    /// Element types that are made of this law; the first names it.
    static const std::vector<ElementTypeInfo>& types();
    /// What integrators need of it.
    ReducedLaw reduced() const;

    /// Force at relative position s_rel [m, rad] and relative velocity v_rel [m/s, rad/s].
    ForceTerms evaluate(double s_rel, double v_rel) const;
    /// Energy in the spring [J]: c (s_rel - s_rel0)^2 / 2.
    double storedEnergy(double s_rel) const;
    /// Modelica's lossPower [W]: d v_rel^2, with d_rebound in the place of d where v_rel > 0.
    double lossPower(double s_rel, double v_rel) const;
    /// Power that leaves the mechanical system [W]: f v_rel - d(storedEnergy)/dt. Equal to lossPower here.
    double dissipatedPower(double s_rel, double v_rel) const;
    /// Equal where all parameters are.
    bool operator==(const SpringDamperLaw&) const = default;

private:
    double damping(double v_rel) const;

    SpringDamperParameters m_parameters;
};

}  // namespace elasto
