#pragma once
/// @file bushing_law.h
/// The law of a bushing: a spring-damper with the dry friction of rubber, hydraulic seals or leaf springs.

#include <elasto/export.h>
#include <elasto/law_parameter.h>
#include <elasto/reduced_law.h>

namespace elasto {

/// Parameters of a Bushing. Rotational ones: N.m, rad for N, m.
struct BushingParameters {
    double c = kRequired;     ///< c [N/m], >= 0: stiffness after friction has given way; must be given
    double d = kRequired;     ///< d [N.s/m], >= 0; must be given
    double c_slip = 0;        ///< c_slip [N/m], >= 0: stiffness of the friction before it gives way, in addition to c
    double f_slip = 0;        ///< f_slip [N], >= 0: force at which friction gives way
    double s_rel0 = 0;        ///< s_rel0 [m]: unstretched length; any finite value
    double s_slip_start = 0;  ///< s_slip_start [m]: what friction has slipped at the start; any finite value

    /// Equal where all fields are.
    bool operator==(const BushingParameters&) const = default;
};

/// Spring and damper in parallel with one Maxwell-slip element (a spring that drags a dry slider; also called Jenkins
/// or Prandtl element). With x = s_rel - s_rel0:
///
///     f = c x + d v_rel + h,   h = c_slip (x - s_slip),   |h| <= f_slip
///     der(s_slip) = v_rel  while |h| = f_slip and h v_rel > 0,  else 0
///
/// Small motions meet the stiffness c + c_slip and lose nothing but by d; large ones run through a hysteresis loop that
/// takes 4 f_slip (a - f_slip / c_slip) at the amplitude a, whatever the speed. s_slip is an inner state. With c_slip
/// or f_slip = 0 the law is a spring-damper, with c = d = 0 dry friction with presliding. Source: F. Al-Bender, V.
/// Lampaert, J. Swevers, The generalized Maxwell-slip model, IEEE Trans. Automatic Control 50 (2005) 1883, equations
/// (5) and (6) with one element; L. Prandtl, ZAMM 8 (1928) 85.
class ELASTO_API BushingLaw {
public:
    /// @throws InvalidParameter naming the field, its value and what is allowed
    explicit BushingLaw(const BushingParameters& parameters, const char* owner = "Bushing");

    const BushingParameters& parameters() const { return m_parameters; }  ///< as they were given
    /// What the parameters are, in the order of values(): names, units, ranges, defaults.
    static std::span<const LawParameter> list();
    /// The parameters as numbers, in the order of list().
    LawValues values() const;
    /// The law with these values, in the order of list(). @param owner name in messages
    /// @throws InvalidParameter as the constructor
    static BushingLaw of(const LawValues& values, const char* owner);
    /// Element types that are made of this law; the first names it.
    static const std::vector<ElementTypeInfo>& types();
    /// What integrators need of it.
    ReducedLaw reduced() const;

    /// Force at s_rel [m], v_rel [m/s] and the inner state s_slip [m]. f_c = c x + h; contact is true.
    ForceTerms evaluate(double s_rel, double v_rel, double s_slip) const;
    /// Energy in both springs [J].
    double storedEnergy(double s_rel, double s_slip) const;
    /// Power of the damper and of the friction that slips [W].
    double lossPower(double s_rel, double v_rel, double s_slip) const;
    /// Equal to lossPower.
    double dissipatedPower(double s_rel, double v_rel, double s_slip) const;
    /// Equal where all parameters are.
    bool operator==(const BushingLaw&) const = default;

private:
    double friction(double s_rel, double s_slip) const;

    BushingParameters m_parameters;
};

}  // namespace elasto
