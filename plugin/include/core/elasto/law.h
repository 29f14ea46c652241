#pragma once
/// @file law.h
/// Any force law, and the types of elements that are made of laws.

#include <elasto/bump_stop_law.h>
#include <elasto/bushing_law.h>
#include <elasto/elasto_backlash_law.h>
#include <elasto/elasto_gap_law.h>
#include <elasto/export.h>
#include <elasto/friction_law.h>
#include <elasto/rope_law.h>
#include <elasto/spring_damper_law.h>
#include <elasto/spring_damper_series_law.h>

#include <optional>
#include <string_view>
#include <variant>

namespace elasto {

/// Any force law that the flow can integrate. A law is a class with
///
///     parameters(), a constructor (parameters, owner), operator==
///     static list()                 its parameters (LawParameter)
///     values(), static of(values)   the same as numbers
///     static types()                the element types that are made of it
///     reduced()                     what integrators need of it
///     evaluate, storedEnergy, lossPower, dissipatedPower   of (s, v), or of (s, v, inner state)
using Law = std::variant<SpringDamperLaw, ElastoGapLaw, ElastoBacklashLaw, SpringDamperSeriesLaw, BushingLaw,
                         BumpStopLaw, FrictionLaw, RopeLaw>;

/// Element types as files name them.
enum class ElementType : int {
    ElastoGap,               ///< Modelica.Mechanics.Translational.Components.ElastoGap
    ElastoBacklash,          ///< Modelica.Mechanics.Rotational.Components.ElastoBacklash
    ElastoBacklash2,         ///< ElastoBacklash with BacklashCharacteristic::NoPull
    SpringDamperSeries,      ///< Modelica.Mechanics.MultiBody.Forces.SpringDamperSeries
    Spring,                  ///< Modelica.Mechanics.MultiBody.Forces.Spring, without mass
    Damper,                  ///< Modelica.Mechanics.MultiBody.Forces.Damper
    SpringDamperParallel,    ///< Modelica.Mechanics.MultiBody.Forces.SpringDamperParallel
    SpringDamper,            ///< Modelica.Mechanics.Translational.Components.SpringDamper
    RotationalSpringDamper,  ///< Modelica.Mechanics.Rotational.Components.SpringDamper
    Bushing,                 ///< BushingLaw along an axis or a line; none of Modelica's
    RotationalBushing,       ///< BushingLaw about an axis
    BumpStop,                ///< BumpStopLaw; none of Modelica's
    SupportFriction,         ///< Modelica.Mechanics.Translational.Components.SupportFriction
    BearingFriction,         ///< Modelica.Mechanics.Rotational.Components.BearingFriction
    Rope,                    ///< RopeLaw; none of Modelica's
    RotationalElastoGap,     ///< ElastoGapLaw about an axis; none of Modelica's
};

/// Force of any law. @param z inner state (SpringDamperSeries: s_damper, Bushing, Rope: s_slip, friction: stick);
/// others do not use it
ELASTO_API ForceTerms evaluate(const Law& law, double s, double v, double z);
/// Stored energy of any law [J]. @param z inner state
ELASTO_API double storedEnergy(const Law& law, double s, double z);
/// Modelica's lossPower of any law [W].
ELASTO_API double lossPower(const Law& law, double s, double v, double z);
/// Power that closes the energy balance [W]; see the laws.
ELASTO_API double dissipatedPower(const Law& law, double s, double v, double z);
/// What integrators need of any law.
ELASTO_API ReducedLaw reduced(const Law& law);
/// The law if it is dry friction, which is no force by itself (ReducedLaw) and has a strength of its own; else null.
inline const FrictionLaw* frictionOf(const Law& law) {
    return std::get_if<FrictionLaw>(&law);
}
/// Name of a law: that of the first of its types, e.g. "ElastoGap".
ELASTO_API const char* lawName(const Law& law);
/// Inner state at the start (SpringDamperSeries: s_damper_start); 0 for laws without one.
ELASTO_API double innerStart(const Law& law);

/// Parameters of any law: names, units, ranges, defaults.
ELASTO_API std::span<const LawParameter> parameterList(const Law& law);
/// Their values, in the order of parameterList().
ELASTO_API LawValues valuesOf(const Law& law);
/// The same law with other values. @param owner name in messages
/// @throws InvalidParameter naming the field, its value and what is allowed
ELASTO_API Law withValues(const Law& law, const LawValues& values, const char* owner);
/// Where the law is unstretched, or the middle of its free range: its parameter of that kind [m, rad]; 0 where none is.
ELASTO_API double unstretched(const Law& law);
/// The law whose unstretched place is further on by this much [m, rad].
ELASTO_API Law moved(const Law& law, double by);

/// All types, in the order of ElementType.
ELASTO_API const std::vector<ElementTypeInfo>& elementTypes();
/// What is known of one type.
ELASTO_API const ElementTypeInfo& infoOf(ElementType type);
/// The type's parameters in the order of its fields.
ELASTO_API std::span<const LawParameter> parameterList(const ElementTypeInfo& info);
/// Values of a law of this type where nothing is given: defaults, and what the type fixes. Required ones are kRequired.
ELASTO_API LawValues defaultValues(const ElementTypeInfo& info);
/// A law of the type. @throws InvalidParameter
ELASTO_API Law makeLaw(const ElementTypeInfo& info, const LawValues& values, const char* owner);
/// The field of a type by its name in files; null if it has none of that name.
ELASTO_API const ElementTypeInfo::Field* fieldOf(const ElementTypeInfo& info, std::string_view name);
/// The first type that a law can be, as an element of which nothing else is known. @param turns it acts about an axis
ELASTO_API ElementType typeOf(const Law& law, bool turns);

}  // namespace elasto
