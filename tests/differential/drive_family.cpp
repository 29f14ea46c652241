// Kinematic hands and motors with steps and ramps, that pull bodies by elements and by joints.
#include "families.h"
#include "laws.h"

namespace elasto::differential {

namespace {

/// Steps, ramps and rests of a path along a direction, at multiples of the beat.
Json pathOf(Draws& draws, const Vector3d& from, const Vector3d& direction, double duration) {
    Json path = Json::array();
    int beat = 0;
    double way = 0;
    while (beat < duration * kBeat) {
        path.push_back(
            {{"time", static_cast<double>(beat) / kBeat}, {"position", listOf(Vector3d(from + way * direction))}});
        const bool isStep = draws.chance(0.2);
        const int beats = isStep ? 1 : draws.from(2, 12);
        if (!draws.chance(0.25)) way += draws.between(-1, 1) * (isStep ? 0.03 : 1.5 * beats / kBeat);
        beat += beats;
    }
    return path;
}

void makeHand(Machine& machine, Draws& draws, double duration) {
    const Vector3d along = draws.chance(0.5) ? Vector3d::UnitX() : draws.direction();
    Json& hand = machine.scene()["bodies"].emplace_back(Json{{"name", "hand"}, {"motion", "kinematic"}});
    hand["path"] = pathOf(draws, Vector3d::Zero(), along, duration);
    const std::string how = draws.oneOf<std::string>({"element", "element", "fixed", "slider", "hinge", "ball"});
    const double mass = draws.magnitude(0.2, 10);
    const Vector3d way(0.5, 0, 0);
    machine.addBody("load", mass, inertiaOfBox(mass, {0.2, 0.1, 0.1}), way);
    std::string last = "load";
    if (how == "element") {
        const std::string type = draws.oneOf<std::string>(
            {"ElastoGap", "SpringDamperSeries", "SpringDamperParallel", "Bushing", "BumpStop", "SpringDamper"});
        const std::string geometry = geometryFor(draws, type);
        setParameters(machine.addElement("pulls", type, geometry, endOf("hand"), endOf("load")), draws,
                      {mass, way.x(), 0.3, 10 * mass});
        return;
    }
    // Joints hand the speed on: it begins with a rest, or the start would tear them.
    Json& path = machine.scene()["bodies"][0]["path"];
    path[1]["position"] = path[0]["position"];
    for (std::size_t i = 2; i < path.size(); ++i) {
        // Steps are for elements: a joint that jumps by centimetres in a tick is a blow.
        const double time = path[i]["time"].get<double>() - path[i - 1]["time"].get<double>();
        const Vector3d before = vectorOf(path[i - 1]["position"]);
        const Vector3d step = vectorOf(path[i]["position"]) - before;
        if (step.norm() > time) path[i]["position"] = listOf(Vector3d(before + step * (time / step.norm())));
    }
    Json& joint = machine.addJoint("holds", how, endOf("hand", way), endOf("load"));
    if (how == "hinge") joint["axis"] = {0, 0, 1};
    if (how == "slider") joint["axis"] = {1, 0, 0};
    const std::string type = how == "slider" ? "SpringDamperParallel" : translationalType(draws);
    if (how == "slider") {
        Json& spring = machine.addElement("holds_back", type, "axis", endOf("hand"), endOf("load"));
        setParameters(spring, draws, {mass, way.x(), 0.3, 10 * mass});
        return;
    }
    const double second = mass * draws.magnitude(0.1, 2);
    machine.addBody("hung", second, inertiaOfBall(second, 0.1), way + Vector3d(0.4, 0, 0));
    setParameters(machine.addElement("hangs", "SpringDamperParallel", "line", endOf("load"), endOf("hung")), draws,
                  {second, 0.4, 0.2, 10 * second});
}

void makeMotor(Machine& machine, Draws& draws) {
    const bool turns = draws.chance(0.5);
    const double mass = draws.magnitude(0.2, 10);
    const double speed = draws.between(-10, 10) * (turns ? 1 : 0.2);
    const Vector3d inertia = inertiaOfBox(mass, {0.4, 0.1, 0.1});
    Json& arm = machine.addBody("arm", mass, inertia, {turns ? 0.2 : 0., 0, 0});
    const bool runsAlready = draws.chance(0.5);
    if (runsAlready) {
        arm["velocity"] = turns ? Json{0, 0.2 * speed, 0} : Json{speed, 0, 0};
        if (turns) arm["angularVelocity"] = {0, 0, speed};
    }
    Json& joint =
        machine.addJoint("drive", turns ? "hinge" : "slider", endOf("world"), endOf("arm", {turns ? -0.2 : 0., 0, 0}));
    joint["axis"] = turns ? Json{0, 0, 1} : Json{1, 0, 0};
    // Strong enough for ever, or at its bound now and then.
    joint["motor"] = {{"velocity", speed},
                      {turns ? "maxTorque" : "maxForce", draws.chance(0.4) ? 1e5 : mass * draws.magnitude(0.5, 50)}};
    const Vector3d tip(0.2, 0, 0);
    const double second = mass * draws.magnitude(0.1, 3);
    Json& load = machine.addBody("load", second, inertiaOfBall(second, 0.1), {turns ? 0.9 : 0.7, 0, 0});
    load["velocity"] = listOf(draws.within(1));
    const std::string type = translationalType(draws);
    const std::string own = type == "SupportFriction" ? "SpringDamperParallel" : type;
    setParameters(
        machine.addElement("pulls", own, own == "SpringDamper" ? "axis" : "line", endOf("arm", tip), endOf("load")),
        draws, {second, 0.5, 0.3, 10 * second});
}

}  // namespace

Machine makeDrive(Draws& draws) {
    Machine machine;
    machine.setGravity(draws.chance(0.5) ? Vector3d::Zero() : Vector3d(0, -9.80665, 0));
    const double duration = draws.between(0.6, 1.5);
    machine.scene()["duration"] = duration;
    if (draws.chance(0.6)) {
        makeHand(machine, draws, duration);
    } else {
        makeMotor(machine, draws);
    }
    return machine;
}

}  // namespace elasto::differential
