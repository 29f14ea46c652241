// What all peers ask of a scene.

#include "peer.h"

#include <elasto/scene/start.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace elasto::peers {

StiffnessAndDamping numbersOf(const Scene& scene, std::size_t element) {
    const ReducedLaw form = reduced(scene.elements.at(element).law);
    return {form.c, form.d};
}

double pushOf(const StiffnessAndDamping& law, double x, double v) {
    return x > 0 ? std::max(0., law.c * x + law.d * v) : 0;
}

double torqueAt(const Scene& scene, double time) {
    return loadValue(scene.loads.at(0), time).z();
}

double meanTorque(const Scene& scene, double begin, double end) {
    const SceneLoad& load = scene.loads.at(0);
    const double rate = 2 * std::numbers::pi * load.frequency;
    return load.vector.z() * (std::cos(rate * begin) - std::cos(rate * end)) / rate / (end - begin);
}

}  // namespace elasto::peers
