#pragma once
// Scenes of machines, ragdolls and heaps: where many contacts and joints meet.

#include "coupled_scenes.h"

namespace elasto::bench {

const std::vector<CoupledScene>& machineScenes();

}  // namespace elasto::bench
