#pragma once
/// @file law_parameter.h
/// What a law and an element type say about themselves: read by scene and robot files, panels, the reference and
/// checks.

#include <elasto/export.h>
#include <elasto/force_table.h>
#include <elasto/force_terms.h>

#include <array>
#include <limits>
#include <span>
#include <vector>

namespace elasto {

/// What a parameter measures. It decides the unit, and how a value is stated on the other side of a gear.
enum class Measured {
    Stiffness,   ///< [N/m, N.m/rad]
    Damping,     ///< [N.s/m, N.m.s/rad]
    Force,       ///< [N, N.m]
    Place,       ///< coordinate at which springs are unstretched [m, rad], of any sign
    Length,      ///< a distance [m, rad]
    Limit,       ///< place that a coordinate does not pass [m, rad]; kLargestParameter of either sign: none
    PerSpeed,    ///< [s/m, s/rad]
    Number,      ///< [-]
    Choice,      ///< one of several words
    Table,       ///< a ForceTable: force over travel [m, N; rad, N.m]
    InnerStart,  ///< start value of the inner state [m, rad], of any sign
};
/// Unit as text, e.g. "N/m"; empty for pure numbers. @param isAngle of a rotational element
ELASTO_API const char* unitOf(Measured measured, bool isAngle);

/// A parameter of a law.
struct LawParameter {
    const char* name;                           ///< Modelica's symbol, where Modelica has the law
    Measured measured;                          ///< unit, and how it is stated on the other side of a gear
    double lowest;                              ///< -infinity: any finite value is allowed
    bool isLowestAllowed;                       ///< false: it must be greater than `lowest`
    double otherwise;                           ///< where it is not given; kRequired: it must be
    const char* text;                           ///< one line that says what it is
    const char* modelicaStart = "";             ///< start value that Modelica proposes for one that must be given
    std::span<const char* const> choices = {};  ///< Choice: the words; the value is an index into them
    const char* enumeration = "";               ///< Choice: name of the C++ type
};
/// Lowest value of a parameter that may have any.
inline constexpr double kAnyValue = -std::numeric_limits<double>::infinity();

/// Most parameters that a law has.
inline constexpr std::size_t kMostParameters = 8;
/// Values of a law's parameters in the order of its list; choices as indices; what is beyond the list is 0.
struct LawValues : std::array<double, kMostParameters> {
    ForceTable table = {};  ///< of the parameter that is one

    bool operator==(const LawValues&) const = default;  ///< equal where all values and the table are
};

/// All types of elements that scene files know; in elasto/law.h.
enum class ElementType : int;

/// Where elements of a type may act. The first way is the default.
enum class Placing {
    AxisOrLine,  ///< along an axis or a line
    LineOrAxis,  ///< along a line or an axis
    Axis,        ///< along an axis only
    Rotation,    ///< about an axis only
};

/// A type of elements as files name it: a law, or a part of it, under Modelica's names.
struct ElementTypeInfo {
    /// A parameter that the type has, under the name that files give it.
    struct Field {
        const char* name;  ///< in files
        int parameter;     ///< index in the law's list
    };
    /// A parameter of the law that the type does not have: it has this value always.
    struct Fixed {
        int parameter;  ///< index in the law's list
        double value;   ///< as in LawValues
    };
    ElementType type;                    ///< as C++ names it
    const char* name;                    ///< Modelica's component, where there is one
    Placing placing;                     ///< where its elements may act
    std::vector<Field> fields;           ///< in the order in which a person would write them
    std::vector<Fixed> fixed = {};       ///< parameters that the type does not have
    const char* innerState = nullptr;    ///< name of the inner state that can be read, e.g. "s_damper"; null: none
    const char* robotElement = nullptr;  ///< what a robot file calls it at a joint: `elasto:` and this; null: nothing
    std::size_t law = 0;                 ///< index of the law in Law, filled in by elementTypes()
};

}  // namespace elasto
