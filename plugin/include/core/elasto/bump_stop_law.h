#pragma once
/// @file bump_stop_law.h
/// The law of a bump stop: a gap whose spring is a table of force over travel.

#include <elasto/export.h>
#include <elasto/law_parameter.h>
#include <elasto/reduced_law.h>

namespace elasto {

/// Parameters of a BumpStop.
struct BumpStopParameters {
    ForceTable table = {};  ///< force over compression, from (0, 0) on; must be given
    double d = kRequired;   ///< d [N.s/m], >= 0; must be given
    double s_rel0 = 0;      ///< s_rel0 [m]: in contact while s_rel < s_rel0; any finite value

    /// Equal where all fields are.
    bool operator==(const BumpStopParameters&) const = default;
};

/// A stop as data sheets of jounce bumpers give it:
///
///     contact = s_rel < s_rel0
///     f_c = -table(s_rel0 - s_rel),  f_d2 = d v_rel           in contact, else 0
///     f   = f_c + min(max(f_d2, f_c), -f_c)                   always in [2 f_c, 0]: it only pushes
///
/// It is Modelica's ElastoGap with another spring: between the points of the table the force is a monotone cubic, and
/// beyond the last point a line (ForceTable).
class ELASTO_API BumpStopLaw {
public:
    /// @throws InvalidParameter naming the field, its value and what is allowed
    explicit BumpStopLaw(const BumpStopParameters& parameters, const char* owner = "BumpStop");

    const BumpStopParameters& parameters() const { return m_parameters; }  ///< as they were given
    /// What the parameters are, in the order of values(): names, units, ranges, defaults.
    static std::span<const LawParameter> list();
    /// The parameters as numbers, in the order of list().
    LawValues values() const;
    /// The law with these values, in the order of list(). @param owner name in messages
    /// @throws InvalidParameter as the constructor
    static BumpStopLaw of(const LawValues& values, const char* owner);
    /// Element types that are made of this law; the first names it.
    static const std::vector<ElementTypeInfo>& types();
    /// What integrators need of it.
    ReducedLaw reduced() const;

    /// Force at relative position s_rel [m] and relative velocity v_rel [m/s].
    ForceTerms evaluate(double s_rel, double v_rel) const;
    /// Energy in the spring [J].
    double storedEnergy(double s_rel) const;
    /// Power of the damper [W]: f_d v_rel.
    double lossPower(double s_rel, double v_rel) const;
    /// Equal to lossPower.
    double dissipatedPower(double s_rel, double v_rel) const;
    /// Equal where all parameters are.
    bool operator==(const BumpStopLaw&) const = default;

private:
    BumpStopParameters m_parameters;
};

}  // namespace elasto
