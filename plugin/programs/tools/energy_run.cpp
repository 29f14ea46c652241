#include <elasto/scene/scene_world.h>

#include <algorithm>
#include <limits>

#include "checked_run.h"
#include "energies.h"
#include "verify_case.h"

namespace elasto::tools {

std::optional<EnergyRise> measureEnergyRise(const Scene& scene, double rate, long ticks, const Continue& proceed) {
    SceneWorld world(scene, rate);
    CheckedRun run(world);
    const Energies start = energiesOf(scene, world.sample());
    double lowest = start.potential;
    double rise = -std::numeric_limits<double>::infinity();
    while (world.ticks() < ticks) {
        const Energies now = energiesOf(scene, run.step());
        lowest = std::min(lowest, now.potential);
        rise = std::max(rise, (now.motion - start.motion) + (now.potential - start.potential));
        if (!proceed(static_cast<double>(world.ticks()) / static_cast<double>(ticks))) return std::nullopt;
    }
    EnergyRise result;
    result.joule = rise;
    result.share = rise / (start.motion + start.potential - lowest);
    result.ticks = ticks;
    return result;
}

}  // namespace elasto::tools
