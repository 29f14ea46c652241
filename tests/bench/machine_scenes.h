#pragma once
// Scenes of machines, ragdolls and heaps: where many contacts and joints meet.

#include "coupled_scenes.h"

namespace elasto::bench {

const std::vector<CoupledScene>& machineScenes();

/// Ten planks on ropes, with crates that fall onto them. @param stiffness of the ropes [N/m]
void ropeBridge(CoupledWorld& world, double stiffness, int crates);

}  // namespace elasto::bench
