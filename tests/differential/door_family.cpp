// Doors, flaps and gates: hinges and sliders with limits, closers, stops and friction.
#include "families.h"
#include "laws.h"

namespace elasto::differential {

Machine makeDoor(Draws& draws) {
    Machine machine;
    machine.scene()["duration"] = draws.between(0.8, 2);
    const bool turns = draws.chance(0.7);
    const double mass = draws.magnitude(0.5, 50);
    const double width = draws.between(0.3, 1.2);
    const Vector3d size(width, draws.between(0.3, 2), 0.05);
    const Vector3d inertia = inertiaOfBox(mass, size);
    const double speed = draws.between(-4, 4);
    // A door's axis is upright, a flap's level.
    const Vector3d axis = turns ? (draws.chance(0.6) ? Vector3d::UnitY() : Vector3d::UnitZ()) : Vector3d::UnitX();
    Json& leaf = machine.addBody("leaf", mass, inertia, {width / 2, 0, 0});
    if (turns) {
        leaf["angularVelocity"] = listOf(Vector3d(speed * axis));
        leaf["velocity"] = listOf(Vector3d((speed * axis).cross(Vector3d(width / 2, 0, 0))));
    } else {
        leaf["velocity"] = listOf(Vector3d(speed * axis));
    }
    const Json frame = endOf("world");
    const Json edge = endOf("leaf", {-width / 2, 0, 0});
    Json& joint = machine.addJoint("holds", turns ? "hinge" : "slider", frame, edge);
    joint["axis"] = listOf(axis);
    if (draws.chance(0.5)) {
        joint["limits"] = {{"lower", -draws.between(0.2, 1.2)}, {"upper", draws.between(0.2, 1.2)}};
        if (draws.chance(0.6)) joint["limits"]["restitution"] = draws.between(0, 1);
    }
    const int count = draws.from(1, 2);
    for (int i = 0; i < count; ++i) {
        const std::string name = "acts" + std::to_string(i);
        if (turns && draws.chance(0.5)) {
            Json& element = machine.addElement(name, rotationalType(draws), "rotation", frame, edge);
            element["axis"] = listOf(axis);
            const double moment = inertia.y() + mass * width * width / 4;
            const double rest = draws.between(-0.5, 0.5);
            setParameters(element, draws, {moment, rest, 0.5, 5 * moment, -rest});
            continue;
        }
        // From the wall to the leaf's outer edge.
        const std::string type = translationalType(draws);
        const Vector3d wall = turns ? Vector3d(width, 0, -0.6) : Vector3d(2 * width + 0.4, 0, 0);
        const bool isAxis = geometryFor(draws, type) == "axis";
        Json& element = machine.addElement(name, type, isAxis ? "axis" : "line", endOf("world", wall),
                                           endOf("leaf", {width / 2, 0, 0}));
        const Vector3d way = Vector3d(width, 0, 0) - wall;
        if (isAxis) element["axis"] = listOf(Vector3d(way.normalized()));
        setParameters(element, draws, {mass / 3, way.norm(), 0.5, 3 * mass});
    }
    return machine;
}

}  // namespace elasto::differential
