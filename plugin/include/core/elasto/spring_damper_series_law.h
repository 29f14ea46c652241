#pragma once
/// @file spring_damper_series_law.h
/// The law of Modelica's SpringDamperSeries (a Maxwell element).

#include <elasto/export.h>
#include <elasto/law_parameter.h>
#include <elasto/reduced_law.h>

namespace elasto {

/// Parameters of a SpringDamperSeries.
struct SpringDamperSeriesParameters {
    double c = kRequired;       ///< c [N/m], >= 0; must be given
    double d = kRequired;       ///< d [N.s/m], >= 0; must be given
    double s_unstretched = 0;   ///< s_unstretched [m]: unstretched length of the spring; any finite value
    double s_damper_start = 0;  ///< s_damper_start [m]: damper's length at the start; any finite value

    /// Equal where all fields are.
    bool operator==(const SpringDamperSeriesParameters&) const = default;
};

/// Spring and damper in series, frame_a -> damper -> spring -> frame_b:
///
///     f = c (s - s_unstretched - s_damper)
///     d der(s_damper) = f
///
/// s_damper is an inner state. d = 0: no force, s_damper = s - s_unstretched. c = 0: no force, s_damper stays
/// (with c = d = 0 the equations leave s_damper open: it stays).
/// Source: Modelica.Mechanics.MultiBody.Forces.SpringDamperSeries.
class ELASTO_API SpringDamperSeriesLaw {
public:
    /// @throws InvalidParameter naming the field, its value and what is allowed
    explicit SpringDamperSeriesLaw(const SpringDamperSeriesParameters& parameters,
                                   const char* owner = "SpringDamperSeries");

    const SpringDamperSeriesParameters& parameters() const { return m_parameters; }  ///< as they were given
    /// What the parameters are, in the order of values(): names, units, ranges, defaults.
    static std::span<const LawParameter> list();
    /// The parameters as numbers, in the order of list().
    LawValues values() const;
    /// The law with these values, in the order of list(). @param owner name in messages
    /// @throws InvalidParameter as the constructor
    static SpringDamperSeriesLaw of(const LawValues& values, const char* owner);
    /// Element types that are made of this law; the first names it.
    static const std::vector<ElementTypeInfo>& types();
    /// What integrators need of it.
    ReducedLaw reduced() const;

    /// Force at length s [m] with the damper at s_damper [m]. f_c = f_d = f; contact is true.
    ForceTerms evaluate(double s, double s_damper) const;
    /// The same in the form that laws with an inner state have: the relative velocity v [m/s] does not matter.
    ForceTerms evaluate(double s, double /*v*/, double s_damper) const { return evaluate(s, s_damper); }
    /// der(s_damper) [m/s] at force f [N]: f / d, or 0 where d = 0.
    double damperRate(double f) const;
    /// Energy in the spring [J].
    double storedEnergy(double s, double s_damper) const;
    /// Modelica's lossPower [W]: f der(s_damper) = f^2 / d, 0 where d = 0.
    double lossPower(double s, double s_damper) const;
    /// As lossPower(s, s_damper); v does not matter.
    double lossPower(double s, double /*v*/, double s_damper) const { return lossPower(s, s_damper); }
    /// Equal to lossPower.
    double dissipatedPower(double s, double s_damper) const;
    /// As dissipatedPower(s, s_damper); v does not matter.
    double dissipatedPower(double s, double /*v*/, double s_damper) const { return dissipatedPower(s, s_damper); }
    /// Equal where all parameters are.
    bool operator==(const SpringDamperSeriesLaw&) const = default;

private:
    SpringDamperSeriesParameters m_parameters;
};

}  // namespace elasto
