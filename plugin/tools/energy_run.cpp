#include <elasto/scene/scene_world.h>

#include <algorithm>
#include <limits>

#include "checked_run.h"
#include "verify_case.h"

namespace elasto::tools {

namespace {

struct Energies {
    double motion = 0;     ///< kinetic and stored [J]
    double potential = 0;  ///< of gravity, heights from the origin [J]
};

Energies energiesOf(const Scene& scene, const SceneSample& sample) {
    Energies sum;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const SceneBody& body = scene.bodies[i];
        if (body.motion != BodyMotion::Dynamic) continue;
        const BodyState& state = sample.bodies[i];
        const Eigen::Vector3d w = state.orientation.conjugate() * state.angularVelocity;
        sum.motion += 0.5 * (body.mass * state.velocity.squaredNorm() + w.dot(body.inertia.cwiseProduct(w)));
        sum.potential -= body.mass * scene.gravity.dot(state.position);
    }
    for (const ElementSample& element : sample.elements) sum.motion += element.storedEnergy;
    return sum;
}

}  // namespace

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
