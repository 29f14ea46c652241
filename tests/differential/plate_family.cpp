// Boxes on plates that are sprung, shaken, pushed off by kinematic hands or driven by motors.
#include <cmath>

#include "families.h"
#include "laws.h"

namespace elasto::differential {

namespace {

/// A hand that shakes along a direction.
Json shakenPath(Draws& draws, const Vector3d& along, double duration) {
    Json path = Json::array();
    double way = 0;
    int beat = 0;
    while (beat < duration * kBeat) {
        path.push_back({{"time", static_cast<double>(beat) / kBeat}, {"position", listOf(Vector3d(way * along))}});
        const int beats = draws.from(1, 10);
        beat += beats;
        if (path.size() > 1) way += draws.between(-1, 1) * beats / kBeat;
    }
    return path;
}

}  // namespace

Machine makePlate(Draws& draws) {
    Machine machine;
    const double duration = draws.between(0.5, 1.2);
    machine.scene()["duration"] = duration;
    const Vector3d size(4, 0.1, 4);
    const double plateMass = draws.magnitude(1, 20);
    const Json plateShape = {{"type", "box"}, {"size", listOf(size)}};
    const double friction = draws.between(0.1, 1);
    const std::string kind = draws.oneOf<std::string>({"sprung", "hand", "held", "motor"});
    if (kind == "hand") {
        Json& hand = machine.scene()["bodies"].emplace_back(Json{{"name", "plate"}, {"motion", "kinematic"}});
        hand["path"] = shakenPath(draws, Vector3d::UnitX(), duration);
    } else {
        machine.addBody("plate", plateMass, inertiaOfBox(plateMass, size), Vector3d::Zero());
    }
    if (kind == "held") {
        Json& hand = machine.scene()["bodies"].emplace_back(Json{{"name", "hand"}, {"motion", "kinematic"}});
        hand["path"] = shakenPath(draws, Vector3d::UnitX(), duration);
        machine.addJoint("weld", "fixed", endOf("hand"), endOf("plate"));
    }
    if (kind == "motor") {
        Json& slider = machine.addJoint("rail", "slider", endOf("world"), endOf("plate"));
        slider["axis"] = {1, 0, 0};
        slider["motor"] = {{"velocity", draws.between(-2, 2)},
                           {"maxForce", draws.chance(0.5) ? 1e5 : plateMass * draws.magnitude(1, 50)}};
    }
    Json& plate = machine.scene()["bodies"][0];
    plate["shape"] = plateShape;
    plate["friction"] = friction;
    if (kind == "sprung") {
        const bool isAcross = draws.chance(0.5);
        plate["angularFactor"] = {0, 0, 0};
        plate["linearFactor"] = isAcross ? Json{1, 0, 0} : Json{0, 1, 0};
        Json& spring = machine.addElement(
            "spring", draws.oneOf<std::string>({"SpringDamper", "SpringDamperSeries", "ElastoGap"}), "axis",
            endOf("world", isAcross ? Vector3d(-1, 0, 0) : Vector3d(0, -1, 0)), endOf("plate"));
        spring["axis"] = isAcross ? Json{1, 0, 0} : Json{0, 1, 0};
        setParameters(spring, draws, {plateMass, 1, 0.3, 10 * plateMass});
        plate["velocity"] = isAcross ? Json{draws.between(-2, 2), 0, 0} : Json{0, draws.between(-1, 1), 0};
    }
    const int count = draws.from(1, 3);
    for (int i = 0; i < count; ++i) {
        const std::string name = "box" + std::to_string(i);
        const double mass = draws.magnitude(0.2, 5);
        const Vector3d own(draws.between(0.1, 0.3), draws.between(0.05, 0.2), draws.between(0.1, 0.3));
        Json& box = machine.addBody(name, mass, inertiaOfBox(mass, own), {0.6 * i - 0.6, 0.05 + own.y() / 2, 0});
        box["shape"] = {{"type", "box"}, {"size", listOf(own)}};
        box["friction"] = draws.between(0.1, 1);
        if (draws.chance(0.5)) box["angularFactor"] = {0, 0, 0};
        if (draws.chance(0.6)) box["velocity"] = {draws.between(-1, 1), 0, draws.between(-1, 1)};
        if (draws.chance(0.4)) {
            Json& spring = machine.addElement("tie" + std::to_string(i), "SpringDamperParallel", "line",
                                              endOf("world", {0.6 * i - 0.6, 0.05 + own.y() / 2, 1}), endOf(name));
            setParameters(spring, draws, {mass, 1, 0.3, 5 * mass});
        } else {
            addProbe(machine, "probe" + std::to_string(i), "axis", endOf("world"), endOf(name));
        }
    }
    return machine;
}

}  // namespace elasto::differential
