#pragma once
/// @file energies.h
/// Energy of a scene at one time.

#include <elasto/scene/sample.h>

namespace elasto::tools {

struct Energies {
    double motion = 0;     ///< kinetic and stored [J]
    double potential = 0;  ///< of gravity, heights from the origin [J]
    double heat = 0;       ///< of the elements since the start [J]
};
Energies energiesOf(const Scene& scene, const SceneSample& sample);

}  // namespace elasto::tools
