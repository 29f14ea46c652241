// Balls with restitution on what is sprung: trays on one spring or on four, floors, and each other.
#include "families.h"
#include "laws.h"

namespace elasto::differential {

Machine makeBounce(Draws& draws) {
    Machine machine;
    machine.scene()["duration"] = draws.between(0.5, 1.2);
    const bool isGuided = draws.chance(0.6);
    const double trayMass = draws.magnitude(0.3, 10);
    const double side = draws.between(0.5, 1);
    const Vector3d size(side, 0.1, side);
    Json& tray = machine.addBody("tray", trayMass, inertiaOfBox(trayMass, size), {0, 0.5, 0});
    tray["restitution"] = 1;
    tray["shape"] = {{"type", "box"}, {"size", listOf(size)}};
    if (isGuided) {
        tray["linearFactor"] = {0, 1, 0};
        tray["angularFactor"] = {0, 0, 0};
        Json& spring = machine.addElement("spring", draws.oneOf<std::string>({"SpringDamper", "SpringDamperSeries"}),
                                          "axis", endOf("world"), endOf("tray"));
        spring["axis"] = {0, 1, 0};
        setParameters(spring, draws, {trayMass, 0.5, 0.2, 10 * trayMass});
    } else {
        int i = 0;
        for (const Vector3d& corner :
             {Vector3d(1, 0, 1), Vector3d(-1, 0, 1), Vector3d(1, 0, -1), Vector3d(-1, 0, -1)}) {
            const Vector3d at = 0.4 * side * corner;
            Json& spring = machine.addElement("spring" + std::to_string(i++), "SpringDamperParallel", "line",
                                              endOf("world", 1.5 * at), endOf("tray", at));
            setParameters(spring, draws, {trayMass, (1.5 * at - at - Vector3d(0, 0.5, 0)).norm(), 0.2, 10 * trayMass});
        }
    }
    const int count = draws.chance(0.7) ? 1 : 2;
    double height = 0.55;
    for (int i = 0; i < count; ++i) {
        const std::string name = "ball" + std::to_string(i);
        const double mass = draws.magnitude(0.1, 5);
        const double radius = draws.between(0.04, 0.15);
        height += radius + draws.between(0.05, 0.4);
        Json& ball = machine.addBody(name, mass, inertiaOfBall(mass, radius), {0, height, 0});
        height += radius;
        ball["restitution"] = draws.between(0, 1);
        ball["shape"] = {{"type", "sphere"}, {"radius", radius}};
        ball["velocity"] = {0, draws.between(-3, 0.5), 0};
        if (!isGuided || draws.chance(0.2)) {
            // A little aside, or it would stand on its point.
            ball["velocity"][0] = draws.between(-0.5, 0.5);
            ball["angularVelocity"] = listOf(draws.within(10));
        }
        // A body without elements flies as Bullet has it, unless a scene asks for more.
        if (draws.chance(0.75)) addProbe(machine, "probe" + std::to_string(i), "axis", endOf("world"), endOf(name));
    }
    return machine;
}

}  // namespace elasto::differential
