#pragma once
/// @file elasto_gap_law.h
/// The law of Modelica's ElastoGap and the characteristics its documentation compares it with.

#include <elasto/export.h>
#include <elasto/law_parameter.h>
#include <elasto/reduced_law.h>

namespace elasto {

/// How spring and damper are combined while a gap is closed. Only BoundedDamper is a Modelica component.
enum class GapCharacteristic {
    BoundedDamper,       ///< (3) ElastoGap: damper limited by the spring force; never pulls, never jumps
    Linear,              ///< (1) plain spring and damper in contact: jumps when contact starts, pulls when it ends
    NoPull,              ///< (2) linear with pulling set to zero: still jumps when contact starts
    LankaraniNikravesh,  ///< (4) damping grows with the penetration: no jump, pulls where d v_rel > c s_ref
    HuntCrossley,        ///< (5) as (4), and never pulls; see dampingForRestitution()
};

/// Parameters of an ElastoGap.
struct ElastoGapParameters {
    double c = kRequired;  ///< c [N/m], >= 0; must be given (Modelica's start value: 1)
    double d = kRequired;  ///< d [N.s/m], >= 0; must be given (Modelica's start value: 1).
                           ///< LankaraniNikravesh, HuntCrossley: same unit, reached at a penetration of s_ref
    double s_rel0 = 0;     ///< s_rel0 [m]: in contact while s_rel < s_rel0; any finite value
    double n = 1;          ///< n [-], >= 1: exponent of the spring force; 1.5 for two spheres (Hertz)
    double s_ref = 1;      ///< s_ref [m], > 0: compression at which |f_c| = c s_ref, so that c stays N/m
    /// How spring and damper are combined in contact; Modelica's ElastoGap at first.
    GapCharacteristic characteristic = GapCharacteristic::BoundedDamper;

    /// Equal where all fields are.
    bool operator==(const ElastoGapParameters&) const = default;
};

/// A spring and damper that can lift off:
///
///     contact = s_rel < s_rel0
///     f_c  = -c s_ref |(s_rel - s_rel0) / s_ref|^n      in contact, else 0
///     f_d2 = d v_rel                                    in contact, else 0
///     f_d  = min(max(f_d2, f_c), -f_c)
///     f    = f_c + f_d                                  always in [2 f_c, 0]: it only pushes
///
/// It never pulls and its force is continuous. Source: Modelica.Mechanics.Translational.Components.ElastoGap
/// (Modelica Standard Library 4.1, with f_ref = c s_ref; 3.1 to 4.0 are the case s_ref = 1 m). The other
/// characteristics, with x = |s_rel - s_rel0|:
/// Linear f = f_c + f_d2; NoPull f = min(0, f_c + f_d2); LankaraniNikravesh f = f_c + d (x/s_ref)^n v_rel;
/// HuntCrossley f = min(0, f_c + d (x/s_ref)^n v_rel) (K. H. Hunt, F. R. E. Crossley, J. Appl. Mech. 42 (1975) 440).
class ELASTO_API ElastoGapLaw {
public:
    /// @throws InvalidParameter naming the field, its value and what is allowed
    explicit ElastoGapLaw(const ElastoGapParameters& parameters, const char* owner = "ElastoGap");

    const ElastoGapParameters& parameters() const { return m_parameters; }  ///< as they were given
    /// What the parameters are, in the order of values(): names, units, ranges, defaults.
    static std::span<const LawParameter> list();
    /// The parameters as numbers, in the order of list().
    LawValues values() const;
    /// The law with these values, in the order of list(). @param owner name in messages
    /// @throws InvalidParameter as the constructor
    static ElastoGapLaw of(const LawValues& values, const char* owner);
    /// Element types that are made of this law; the first names it.
    static const std::vector<ElementTypeInfo>& types();
    /// What integrators need of it.
    ReducedLaw reduced() const;

    /// Force at relative position s_rel [m] and relative velocity v_rel [m/s].
    ForceTerms evaluate(double s_rel, double v_rel) const;
    /// Energy in the spring [J]: c s_ref^2 / (n + 1) (x / s_ref)^(n + 1) in contact, else 0.
    double storedEnergy(double s_rel) const;
    /// Modelica's lossPower [W]: f_d v_rel.
    double lossPower(double s_rel, double v_rel) const;
    /// Power that leaves the mechanical system [W]: (f - f_c) v_rel. Equal to lossPower for BoundedDamper;
    /// may be negative for no characteristic.
    double dissipatedPower(double s_rel, double v_rel) const;
    /// Equal where all parameters are.
    bool operator==(const ElastoGapLaw&) const = default;

private:
    ElastoGapParameters m_parameters;
};

}  // namespace elasto
