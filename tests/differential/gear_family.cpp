// Gear pairs and trains of three beside the hinges of their wheels: with play, springs, bushings; coasting and driven.
#include <cmath>

#include "families.h"
#include "laws.h"

namespace elasto::differential {

Machine makeGear(Draws& draws) {
    Machine machine;
    machine.setGravity(Vector3d::Zero());
    const double duration = draws.between(0.3, 1.2);
    machine.scene()["duration"] = duration;
    const int count = draws.from(2, 3);
    double speed = draws.sign() * draws.magnitude(1, 500);
    double place = 0;
    double moment = draws.magnitude(1e-3, 0.1);
    std::string last;
    for (int i = 0; i < count; ++i) {
        const std::string name = "w" + std::to_string(i);
        const double ratio = -draws.magnitude(0.2, 5);  // speed against that of the wheel before
        if (i > 0) {
            // With it, or a little against it: then flanks meet.
            speed *= draws.chance(0.5) ? ratio : ratio * draws.between(0.8, 1.2);
            moment *= draws.magnitude(0.05, 20);
            place += draws.between(0.1, 0.3);
        }
        const double mass = draws.magnitude(0.2, 5);
        Json& wheel = machine.addBody(name, mass, Vector3d(0.5, 0.5, 1) * moment, {place, 0, 0});
        wheel["angularVelocity"] = {0, 0, speed};
        Json& hinge = machine.addJoint("h" + std::to_string(i), "hinge", endOf("world", {place, 0, 0}), endOf(name));
        hinge["axis"] = {0, 0, 1};
        if (i > 0) {
            const std::string type = draws.oneOf<std::string>(
                {"ElastoBacklash", "ElastoBacklash", "ElastoBacklash2", "RotationalSpringDamper", "RotationalBushing"});
            Json& mesh = machine.addElement("mesh" + std::to_string(i), type, "rotation", endOf(last), endOf(name));
            mesh["axis"] = {0, 0, 1};
            mesh["gear"] = {{"ratio", ratio}};
            setParameters(mesh, draws, {moment, 0, 0.05, moment * 200});
        }
        if (draws.chance(0.3)) {
            setCourse(machine.addLoad("torque" + std::to_string(i), name, "torque",
                                      {0, 0, moment * draws.magnitude(1, 1000)}),
                      draws, duration);
        }
        if (draws.chance(0.2)) {
            Json& bearing = machine.addElement("bearing" + std::to_string(i), "BearingFriction", "rotation",
                                               endOf("world", {place, 0, 0}), endOf(name));
            bearing["axis"] = {0, 0, 1};
            setParameters(bearing, draws, {moment, 0, 1, moment * 100});
        }
        last = name;
    }
    return machine;
}

}  // namespace elasto::differential
