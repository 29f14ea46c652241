// Slider-cranks and cams: stops, springs and friction on the piston, coasting, loaded or with a motor.
#include <algorithm>
#include <cmath>

#include "families.h"
#include "laws.h"

namespace elasto::differential {

namespace {

/// What drives or brakes the crank, which turns at this speed.
void addDrive(Machine& machine, Draws& draws, Json& hinge, double speed, double moment, double duration) {
    if (draws.chance(0.3)) {
        hinge["motor"] = {{"velocity", speed},
                          {"maxTorque", draws.chance(0.5) ? 1e5 : moment * std::abs(speed) * draws.magnitude(1, 50)}};
    } else if (draws.chance(0.3)) {
        setCourse(
            machine.addLoad("torque", "crank", "torque", {0, 0, moment * std::abs(speed) * draws.between(-20, 20)}),
            draws, duration);
    }
}

/// Elements between the world and the piston, which moves along x between low and high.
void addResistance(Machine& machine, Draws& draws, double mass, double low, double high, double place, double force) {
    const double stroke = high - low;
    const int count = draws.from(0, 2);
    for (int i = 0; i < count; ++i) {
        const std::string type = translationalType(draws);
        const std::string geometry = geometryFor(draws, type);
        const bool isAhead = draws.chance(0.5);
        const double x = isAhead ? high + 0.3 * stroke : low - 0.3 * stroke;
        const Vector3d at(x, geometry == "line" ? 0.2 * stroke : 0, 0);
        Json& element =
            machine.addElement("acts" + std::to_string(i), type, geometry, endOf("world", at), endOf("piston"));
        if (geometry == "axis") element["axis"] = {isAhead ? -1 : 1, 0, 0};
        // Nearest at one end of the stroke: a stop is met in a part of each turn.
        const double now = geometry == "axis" ? std::abs(x - place) : (at - Vector3d(place, 0, 0)).norm();
        double rest = stroke * draws.between(0.4, 0.8);
        // Stops that begin pressed are told of; these shall not be.
        if (type == "ElastoGap" || type == "BumpStop") rest = std::min(rest, now);
        setParameters(element, draws, {mass, rest, 0.5 * stroke, force, now - rest});
    }
}

}  // namespace

Machine makeCrank(Draws& draws) {
    Machine machine;
    machine.setGravity(draws.chance(0.5) ? Vector3d::Zero() : Vector3d(0, -9.80665, 0));
    const double duration = draws.between(0.5, 1.5);
    machine.scene()["duration"] = duration;
    const double r = draws.between(0.03, 0.3);
    const double l = r * draws.between(1.6, 4);
    const double phi = draws.between(-3, 3);
    const double w = draws.sign() * draws.magnitude(3, 100);
    const double s = -r * std::sin(phi) / l;  // sine of the rod's angle
    const double c = std::sqrt(1 - s * s);
    const double rodSpin = -r * w * std::cos(phi) / (l * c);
    const Vector3d pin(r * std::cos(phi), r * std::sin(phi), 0);
    const Vector3d pinVelocity(-r * w * std::sin(phi), r * w * std::cos(phi), 0);
    const Vector3d end(pin.x() + l * c, 0, 0);
    const Vector3d endVelocity(pinVelocity.x() - l * s * rodSpin, 0, 0);
    const Quaterniond crankTurn(Eigen::AngleAxisd(phi, Vector3d::UnitZ()));
    const Quaterniond rodTurn(Eigen::AngleAxisd(std::atan2(s, c), Vector3d::UnitZ()));

    const double crankMass = draws.magnitude(0.2, 5);
    Json& crank = machine.addBody("crank", crankMass, inertiaOfBox(crankMass, {r, 0.3 * r, 0.3 * r}), pin / 2);
    crank["orientation"] = listOf(crankTurn);
    crank["velocity"] = listOf(Vector3d(pinVelocity / 2));
    crank["angularVelocity"] = {0, 0, w};
    const double rodMass = draws.magnitude(0.1, 3);
    Json& rod = machine.addBody("rod", rodMass, inertiaOfBox(rodMass, {l, 0.1 * l, 0.1 * l}), (pin + end) / 2);
    rod["orientation"] = listOf(rodTurn);
    rod["velocity"] = listOf(Vector3d((pinVelocity + endVelocity) / 2));
    rod["angularVelocity"] = {0, 0, rodSpin};
    const double mass = draws.magnitude(0.3, 10);
    machine.addBody("piston", mass, inertiaOfBall(mass, 0.3 * r), end)["velocity"] = listOf(endVelocity);

    // Angles of hinges are 0 at the start: frames of b are turned back.
    const auto hinge = [&](const char* name, const Json& a, const std::string& b, const Vector3d& at,
                           const Quaterniond& turned) -> Json& {
        Json& joint = machine.addJoint(name, "hinge", a, endOf(b, at, turned.conjugate()));
        joint["axis"] = {0, 0, 1};
        return joint;
    };
    addDrive(machine, draws, hinge("main", endOf("world"), "crank", {-r / 2, 0, 0}, crankTurn), w,
             crankMass * r * r + mass * r * r, duration);
    hinge("pin", endOf("crank", {r / 2, 0, 0}), "rod", {-l / 2, 0, 0}, crankTurn.conjugate() * rodTurn);
    hinge("wrist", endOf("rod", {l / 2, 0, 0}), "piston", Vector3d::Zero(), rodTurn.conjugate());
    machine.addJoint("guide", "slider", endOf("world", end), endOf("piston"))["axis"] = {1, 0, 0};
    addResistance(machine, draws, mass, l - r, l + r, end.x(), mass * r * w * w);
    if (machine.scene()["elements"].empty()) {
        addProbe(machine, "probe", "axis", endOf("world"), endOf("piston"));
    }
    return machine;
}

Machine makeCam(Draws& draws) {
    Machine machine;
    machine.setGravity(Vector3d::Zero());
    const double duration = draws.between(0.5, 1.5);
    machine.scene()["duration"] = duration;
    const double r = draws.between(0.02, 0.2);
    const double w = draws.sign() * draws.magnitude(3, 100);
    const double discMass = draws.magnitude(0.5, 20);
    const Vector3d inertia = inertiaOfDisc(discMass, 1.5 * r, 0.03);
    machine.addBody("crank", discMass, inertia, Vector3d::Zero())["angularVelocity"] = {0, 0, w};
    Json& hinge = machine.addJoint("main", "hinge", endOf("world"), endOf("crank"));
    hinge["axis"] = {0, 0, 1};
    addDrive(machine, draws, hinge, w, inertia.z(), duration);
    if (draws.chance(0.4)) {
        // A pin in a slot of the world, which rubs or pushes: no follower.
        const std::string type =
            draws.oneOf<std::string>({"SupportFriction", "SupportFriction", "ElastoGap", "Bushing"});
        Json& slot = machine.addElement("slot", type, "axis", endOf("world"), endOf("crank", {r, 0, 0}));
        slot["axis"] = {1, 0, 0};
        setParameters(slot, draws, {inertia.z() / (r * r), 0, r, inertia.z() / (r * r) * r * std::abs(w) * 2, r});
        return machine;
    }
    // A follower between two flanks that play about the pin, pressed by a spring or not.
    const double mass = draws.magnitude(0.1, 5);
    const double play = r * draws.between(0.01, 0.2);
    machine.addBody("piston", mass, inertiaOfBall(mass, r / 2), {r, 0, 0});
    machine.addJoint("guide", "slider", endOf("world"), endOf("piston"))["axis"] = {1, 0, 0};
    for (const double side : {-1., 1.}) {
        Json& flank = machine.addElement(side < 0 ? "left" : "right", "ElastoGap", "axis",
                                         endOf("piston", {side * 0.5 * r, 0, 0}), endOf("crank", {r, 0, 0}));
        flank["axis"] = {-side, 0, 0};
        setParameters(flank, draws, {mass, 0.5 * r, play, mass * r * w * w});
        flank["s_rel0"] = 0.5 * r - play / 2;
    }
    addResistance(machine, draws, mass, -r, r, r, mass * r * w * w);
    return machine;
}

}  // namespace elasto::differential
