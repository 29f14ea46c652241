// Parts that pads pinch, rams press and boxes stand on: sprung pads, guided by factors or by sliders.
#include "families.h"
#include "laws.h"

namespace elasto::differential {

namespace {

constexpr double kHalf = 0.02;   // of the part's width [m]
constexpr double kThick = 0.02;  // of a pad [m]

Json boxShape(const Vector3d& size) {
    return {{"type", "box"}, {"size", listOf(size)}};
}

/// A part of some shape that is 2 kHalf wide along x.
void addPart(Machine& machine, Draws& draws, const Vector3d& place) {
    const double mass = draws.magnitude(0.1, 3);
    const std::string shape = draws.oneOf<std::string>({"box", "box", "sphere", "cylinder"});
    const Vector3d size(2 * kHalf, draws.between(0.03, 0.06), draws.between(0.03, 0.06));
    const Vector3d inertia =
        shape == "box" ? inertiaOfBox(mass, size) : inertiaOfBox(mass, Vector3d::Constant(2 * kHalf));
    Json& part = machine.addBody("part", mass, inertia, place);
    part["friction"] = draws.between(0.2, 1);
    if (shape == "box") {
        part["shape"] = boxShape(size);
    } else if (shape == "sphere") {
        part["shape"] = {{"type", "sphere"}, {"radius", kHalf}};
    } else {
        part["shape"] = {{"type", "cylinder"}, {"radius", kHalf}, {"length", 0.05}, {"axis", "z"}};
    }
    if (draws.chance(0.4)) part["angularFactor"] = {0, 0, 0};
}

/// Two sprung pads, or one and a wall; what they pinch slides, sticks or is pulled.
void makePinch(Machine& machine, Draws& draws) {
    const double force = draws.magnitude(2, 100);
    const bool hasWall = draws.chance(0.3);
    const bool isGuided = draws.chance(0.4);
    addPart(machine, draws, Vector3d::Zero());
    for (const double side : {-1., 1.}) {
        const std::string name = side < 0 ? "left" : "right";
        const double x = side * (kHalf + kThick / 2);
        const Vector3d size(kThick, 0.3, 0.1);
        if (side > 0 && hasWall) {
            Json& wall = machine.addFixed(name, {x, 0, 0});
            wall["shape"] = boxShape(size);
            wall["friction"] = draws.between(0.2, 1);
            continue;
        }
        const double mass = draws.magnitude(0.1, 2);
        Json& pad = machine.addBody(name, mass, inertiaOfBox(mass, size), {x, 0, 0});
        pad["shape"] = boxShape(size);
        pad["friction"] = draws.between(0.2, 1);
        if (!isGuided) {
            pad["linearFactor"] = {1, 0, 0};
            pad["angularFactor"] = {0, 0, 0};
        } else {
            machine.addJoint("rail_" + name, "slider", endOf("world", {x, 0, 0}), endOf(name))["axis"] = {1, 0, 0};
        }
        const double c = draws.magnitude(200, 20000);
        Json& spring = machine.addElement("spring_" + name, "SpringDamperParallel", "axis",
                                          endOf("world", {side * 0.2, 0, 0}), endOf(name));
        spring["axis"] = {-side, 0, 0};
        spring["c"] = c;
        spring["d"] = draws.chance(0.3) ? 0. : draws.magnitude(0.1, 30);
        spring["s_unstretched"] = 0.2 - kHalf - kThick / 2 + force / c;
    }
    if (draws.chance(0.4)) {
        setCourse(
            machine.addLoad("pull", "part", "force", Vector3d(0, draws.between(-2, 2), draws.between(-1, 1)) * force),
            draws, 0.5);
    }
}

/// A ram presses a part on a table: with a load, and with a spring.
void makePress(Machine& machine, Draws& draws) {
    Json& table = machine.addFixed("table", {0, -0.5, 0});
    table["shape"] = boxShape({2, 1, 2});
    table["friction"] = draws.between(0.2, 1);
    const int count = draws.from(1, 3);
    double height = 0;
    for (int i = 0; i < count; ++i) {
        const double mass = draws.magnitude(0.2, 5);
        const Vector3d size(draws.between(0.1, 0.3), draws.between(0.05, 0.2), draws.between(0.1, 0.3));
        const std::string name = "box" + std::to_string(i);
        Json& box = machine.addBody(name, mass, inertiaOfBox(mass, size), {0, height + size.y() / 2, 0});
        height += size.y();
        box["shape"] = boxShape(size);
        box["friction"] = draws.between(0.2, 1);
        if (draws.chance(0.3)) box["angularFactor"] = {0, 0, 0};
        if (draws.chance(0.3)) box["velocity"] = {draws.between(-0.5, 0.5), 0, 0};
        addProbe(machine, "probe" + std::to_string(i), "axis", endOf("world"), endOf(name));
    }
    if (draws.chance(0.7)) {
        const double mass = draws.magnitude(0.5, 5);
        const double above = draws.chance(0.4) ? 0 : draws.between(0.01, 0.2);
        Json& ram = machine.addBody("ram", mass, inertiaOfBox(mass, {0.3, 0.1, 0.3}), {0, height + above + 0.05, 0});
        ram["linearFactor"] = {0, 1, 0};
        ram["angularFactor"] = {0, 0, 0};
        ram["shape"] = boxShape({0.3, 0.1, 0.3});
        Json& spring =
            machine.addElement("spring", "SpringDamperParallel", "axis", endOf("world", {0, 1.5, 0}), endOf("ram"));
        spring["axis"] = {0, -1, 0};
        setParameters(spring, draws, {mass, 1.5 - height - above - 0.05, 0.2, 10 * mass});
        setCourse(machine.addLoad("press", "ram", "force", {0, -mass * draws.magnitude(1, 100), 0}), draws, 0.8);
    }
}

}  // namespace

Machine makeGrip(Draws& draws) {
    Machine machine;
    if (draws.chance(0.6)) {
        machine.scene()["duration"] = draws.between(0.2, 0.6);
        makePinch(machine, draws);
    } else {
        machine.scene()["duration"] = draws.between(0.4, 1);
        makePress(machine, draws);
    }
    return machine;
}

}  // namespace elasto::differential
