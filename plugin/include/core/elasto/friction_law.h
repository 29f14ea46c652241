#pragma once
/// @file friction_law.h
/// Dry friction that sticks: guides, bearings, brakes.

#include <elasto/export.h>
#include <elasto/force_terms.h>
#include <elasto/law_parameter.h>
#include <elasto/reduced_law.h>

namespace elasto {

/// Parameters of SupportFriction. Rotational ones (BearingFriction): N.m, rad for N, m.
struct FrictionParameters {
    double F_Coulomb = kRequired;       ///< F_Coulomb [N], >= 0: force at high speed without F_prop; must be given
    double F_prop = 0;                  ///< F_prop [N.s/m], >= 0: what grows with the speed
    double F_Stribeck = 0;              ///< F_Stribeck [N], >= 0: what it is more near rest
    double fexp = 0;                    ///< fexp [s/m], >= 0: how fast that decays with the speed
    double peak = 1;                    ///< peak [-], >= 1: force at which it gives way over that of sliding at speed 0
    double s_min = -kLargestParameter;  ///< s_min [m]: hard stop, s_rel does not fall below it; at first there is none
    double s_max = kLargestParameter;   ///< s_max [m], > s_min: hard stop above
    /// Equal where all fields are.
    bool operator==(const FrictionParameters&) const = default;
};

/// Coulomb's friction with Stribeck's curve:
///
///     |f| = F_Coulomb + F_prop |v| + F_Stribeck exp(-fexp |v|),  f v > 0      while it slides
///     v = 0, |f| <= peak (F_Coulomb + F_Stribeck)                            while it sticks
///
/// f is positive where it brakes a positive v_rel. When it sticks f is what keeps the flanges together: the integrator
/// finds it, and the instants at which it sticks and gives way. All forces are multiplied by f_normalized where the
/// element has one (a brake's normal force over its largest). A hard stop takes all speed at once and holds with what
/// it takes; f has its force too, the heat what friction took (Modelica's MassWithStopAndFriction). The inner state
/// `stick` is f over peak (F_Coulomb + F_Stribeck) while it sticks (-1 to 1; r > 1 of it at a stop as 2 - 1/r), and
/// kSlides + f_normalized with the sign of v_rel while it slides.
///
/// Source: Modelica.Mechanics.Translational.Components.SupportFriction with the table of
/// Examples.Utilities.GenerateStribeckFrictionTable, MassWithStopAndFriction (peak = 1.001) and
/// Rotational.Components.BearingFriction; M. Otter, H. Elmqvist, S. E. Mattsson, Hybrid modeling in Modelica based on
/// the synchronous data flow principle, CACSD 1999.
class ELASTO_API FrictionLaw {
public:
    /// Inner state of what slides without any force.
    static constexpr double kSlides = 2;
    /// Speeds up to it are what rounding leaves of rest [m/s, rad/s].
    static constexpr double kRest = 1e-9;
    /// Inner state of what sticks with a force f: beyond the largest of friction at a stop.
    double sticking(double f) const;
    /// True if there is a hard stop on this side. @param side < 0: s_min, else s_max
    bool hasStop(int side) const {
        return side < 0 ? m_parameters.s_min > -kLargestParameter : m_parameters.s_max < kLargestParameter;
    }

    /// @throws InvalidParameter naming the field, its value and what is allowed
    explicit FrictionLaw(const FrictionParameters& parameters, const char* owner = "SupportFriction");

    const FrictionParameters& parameters() const { return m_parameters; }  ///< as they were given
    /// What the parameters are, in the order of values(): names, units, ranges, defaults.
    static std::span<const LawParameter> list();
    /// The parameters as numbers, in the order of list().
    LawValues values() const;
    /// The law with these values, in the order of list(). @param owner name in messages
    /// @throws InvalidParameter as the constructor
    static FrictionLaw of(const LawValues& values, const char* owner);
    /// Element types that are made of this law; the first names it.
    static const std::vector<ElementTypeInfo>& types();
    /// What integrators need of it.
    ReducedLaw reduced() const;

    /// Force while it slides, at the speed |v_rel| [m/s, rad/s].
    double sliding(double speed) const;
    /// Largest force while it sticks: f0_max.
    double largest() const { return m_parameters.peak * (m_parameters.F_Coulomb + m_parameters.F_Stribeck); }

    /// Force at v_rel [m/s] and the inner state. f_c = 0; contact: it sticks.
    ForceTerms evaluate(double s_rel, double v_rel, double stick) const;
    /// 0: friction stores nothing.
    double storedEnergy(double s_rel, double stick) const;
    /// f v_rel.
    double lossPower(double s_rel, double v_rel, double stick) const;
    /// Equal to lossPower.
    double dissipatedPower(double s_rel, double v_rel, double stick) const;
    /// Equal where all parameters are.
    bool operator==(const FrictionLaw&) const = default;

private:
    FrictionParameters m_parameters;
};

}  // namespace elasto
