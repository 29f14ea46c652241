#include "energies.h"

namespace elasto::tools {

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
    for (const ElementSample& element : sample.elements) {
        sum.motion += element.storedEnergy;
        sum.heat += element.heat;
    }
    return sum;
}

}  // namespace elasto::tools
