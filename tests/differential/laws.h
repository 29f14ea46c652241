#pragma once
// Random parameters for every law.

#include <string>

#include "machine.h"

namespace elasto::differential {

/// What an element works on, so that it is neither a rock nor a feather to it.
struct Worked {
    double inertia = 1;  ///< mass [kg] or moment [kg.m2]
    double rest = 0;     ///< unstretched s_rel, s or phi_rel [m, rad]
    double stroke = 1;   ///< how far it moves, about [m, rad]
    double force = 10;   ///< what pushes it, about [N, N.m]
    double now = 0;      ///< s_rel, s or phi_rel at the start, beside rest [m, rad]
};

/// Types of elements by what they act along.
std::string translationalType(Draws& draws);
std::string rotationalType(Draws& draws);
/// "axis" or "line", as the type allows.
std::string geometryFor(Draws& draws, const std::string& type);

/// Fills in the parameters of the element's type.
void setParameters(Json& element, Draws& draws, const Worked& worked);

/// A spring that does nothing, and measures.
Json& addProbe(Machine& machine, const std::string& name, const std::string& geometry, const Json& a, const Json& b);

/// Steps, ramps or a sine of a load's, brake's or drive's strength up to a time [s].
void setCourse(Json& load, Draws& draws, double duration);

}  // namespace elasto::differential
