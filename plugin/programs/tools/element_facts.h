#pragma once
/// @file element_facts.h
/// What a force element means for a simulation at a given tick rate.

#include <elasto/flow.h>
#include <elasto/scene/description.h>

#include <optional>
#include <string>
#include <vector>

namespace elasto::tools {

/// All of it at the scene's start, in its place between its two bodies alone. A value that does not exist is empty
/// (a damper alone has no frequency, a spring that never lifts off no contact time).
struct ElementFacts {
    std::string name;
    std::string type;
    double effectiveMass = 0;            ///< inverse of the acceleration per force along s [kg, kg.m^2]
    double stiffness = 0;                ///< df/ds in contact [N/m, N.m/rad]; see speed for n != 1
    std::optional<double> frequency;     ///< undamped: sqrt(stiffness / effectiveMass) / (2 pi) [Hz]
    std::optional<double> dampingRatio;  ///< 1 is critical [-]
    std::optional<double> speed;         ///< at which it is hit [m/s]: where stiffness and contact time depend on it
    std::optional<double> contactTime;   ///< from touching until parting, after an impact without other loads [s]
    std::optional<double> contactTicks;  ///< the same in ticks
    std::string method;                  ///< how the flow solves a tick in which it acts
    /// Tick rate [Hz] that a force needs which is computed once per tick (semi-implicit Euler): below it the result
    /// grows without bound.
    std::optional<double> explicitRate;
};

/// What an element's facts depend on, beside its law: its coordinate at the start.
struct ElementPlace {
    double inverseMass = 0;   ///< acceleration of s per force along it [1/kg, 1/(kg.m^2)]
    double s = 0;             ///< [m, rad]
    double v = 0;             ///< [m/s, rad/s]
    double acceleration = 0;  ///< of s, by all loads [m/s^2, rad/s^2]
};
/// Facts that follow from a law and its place: all but names and method. @param h length of a tick [s], > 0
ElementFacts factsOf(const Law& law, const ElementPlace& place, double h);

/// The scene at its start, with its loads over the first tick of h [s].
FlowNetwork loadedNetwork(const Scene& scene, double h);
/// Where an element of such a network is, and how its ends move as free bodies; what is immovable moves nothing.
ElementPlace elementPlace(const FlowNetwork& network, const FlowElement& element);

/// Facts of all elements. @param rate ticks per second [Hz], > 0
std::vector<ElementFacts> explainElements(const Scene& scene, double rate);

/// Ticks per second that semi-implicit Euler with one evaluation per tick needs for x'' = -k x - b x' (k, b >= 0, not
/// both 0): stable for h^2 k + 2 h b < 4, so rate = (b + sqrt(b^2 + 4 k)) / 4 [Hz].
double explicitRate(double k, double b);

}  // namespace elasto::tools
