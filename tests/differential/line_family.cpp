// Machines along x: masses in a row between walls, with every law between them.
#include "families.h"
#include "laws.h"

namespace elasto::differential {

Machine makeLine(Draws& draws) {
    Machine machine;
    machine.setGravity(draws.chance(0.5) ? Vector3d(draws.between(-10, 10), 0, 0) : Vector3d::Zero());
    const double duration = draws.between(0.8, 2);
    machine.scene()["duration"] = duration;
    const int count = draws.from(1, 5);
    const double typical = draws.magnitude(0.1, 20);
    double place = 0;
    std::string left = "world";
    Vector3d leftAt(0, 0, 0);
    double leftPlace = 0;
    const auto join = [&](const std::string& name, const std::string& right, const Vector3d& rightAt, double mass) {
        const std::string type = translationalType(draws);
        const std::string geometry = geometryFor(draws, type);
        // Points of a line pass each other at a distance.
        const Vector3d beside = geometry == "line" ? Vector3d(0, 0.3, 0) : Vector3d::Zero();
        Json& element = machine.addElement(name, type, geometry, endOf(left, leftAt), endOf(right, rightAt + beside));
        const double way = place - leftPlace;
        const double rest = geometry == "line" ? Vector3d(way, 0.3, 0).norm() : way;
        setParameters(element, draws, {mass, rest, 0.3 * way, 5 * mass});
        if (type == "SupportFriction" && draws.chance(0.3)) setCourse(element["f_normalized"], draws, duration);
    };
    for (int i = 0; i < count; ++i) {
        place += draws.between(0.3, 1);
        const std::string name = "m" + std::to_string(i);
        const double mass = typical * draws.magnitude(0.1, 10);
        Json& body = machine.addBody(name, mass, inertiaOfBall(mass, 0.05), {place, 0, 0});
        body["linearFactor"] = {1, 0, 0};
        body["angularFactor"] = {0, 0, 0};
        body["velocity"] = {draws.between(-3, 3), 0, 0};
        join("e" + std::to_string(i), name, Vector3d::Zero(), mass);
        if (draws.chance(0.3)) {
            Json& load =
                machine.addLoad("push" + std::to_string(i), name, "force", {mass * draws.between(-20, 20), 0, 0});
            setCourse(load, draws, duration);
        }
        left = name;
        leftAt = Vector3d::Zero();
        leftPlace = place;
    }
    if (draws.chance(0.6)) {
        place += draws.between(0.3, 1);
        join("last", "world", {place, 0, 0}, typical);
    }
    return machine;
}

}  // namespace elasto::differential
