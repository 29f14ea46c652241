// Chains and ropes: 2 to 60 links on ball joints and hinges, a weight of up to 10^4 links at the end, any hook.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "families.h"
#include "laws.h"

namespace elasto::differential {

namespace {

/// A straight rope that turns about its upper end: where its points are, and how fast.
struct Rope {
    Quaterniond turned;  ///< its own -y points along it
    Vector3d spin;       ///< [rad/s]

    Vector3d at(double way) const { return turned * Vector3d(0, -way, 0); }
    Vector3d velocityAt(double way) const { return spin.cross(at(way)); }
};

void addPart(Machine& machine, const Rope& rope, const std::string& name, double mass, const Vector3d& inertia,
             double way) {
    Json& body = machine.addBody(name, mass, inertia, rope.at(way));
    body["orientation"] = listOf(rope.turned);
    body["velocity"] = listOf(rope.velocityAt(way));
    body["angularVelocity"] = listOf(rope.spin);
}

void addHinge(Machine& machine, const std::string& name, const Json& a, const Json& b) {
    Json& joint = machine.addJoint(name, "hinge", a, b);
    joint["axis"] = {0, 0, 1};
}

}  // namespace

Machine makeChain(Draws& draws) {
    Machine machine;
    const int count = draws.size(2, 60);
    const double length = draws.between(0.5, 5);
    const double link = length / count;
    const double mass = draws.magnitude(0.02, 1);
    const bool isPlane = draws.chance(0.4);
    machine.scene()["duration"] = std::clamp(std::round(200. / count) / 10, 0.5, 2.);
    const double angle = draws.between(-1, 1) * (count > 6 ? 0.3 : 1);
    const Vector3d axis = isPlane ? Vector3d::UnitZ() : Vector3d(Vector3d(draws.between(-1, 1), 0, 1).normalized());
    Rope rope{Quaterniond(Eigen::AngleAxisd(angle, axis)), axis * draws.between(-1, 1)};
    const Vector3d inertia = inertiaOfBox(mass, {0.1 * link, link, 0.1 * link});
    const bool isHinged = isPlane && draws.chance(0.8);
    for (int i = 0; i < count; ++i) {
        const std::string name = "l" + std::to_string(i);
        addPart(machine, rope, name, mass, inertia, (i + 0.5) * link);
        const Vector3d up(0, link / 2, 0);
        // A hinge's angles are 0 at the start: its frame in the world is turned as the rope is.
        const Json above = i > 0      ? endOf("l" + std::to_string(i - 1), -up)
                           : isHinged ? endOf("world", Vector3d::Zero(), rope.turned)
                                      : endOf("world");
        if (isHinged) {
            addHinge(machine, "j" + std::to_string(i), above, endOf(name, up));
        } else {
            machine.addJoint("j" + std::to_string(i), "ball", above, endOf(name, up));
        }
        if (isHinged && draws.chance(count > 8 ? 0.05 : 0.3)) {
            Json& element = machine.addElement("bend" + std::to_string(i), rotationalType(draws), "rotation", above,
                                               endOf(name, up));
            element["axis"] = {0, 0, 1};
            setParameters(element, draws, {inertia.x(), 0, 0.3, 0.1 * mass * length});
        }
    }
    const std::string last = "l" + std::to_string(count - 1);
    const Vector3d down(0, -link / 2, 0);
    if (draws.chance(0.75)) {
        const double weight = mass * draws.magnitude(1, 1e4);
        const double radius = 0.1;
        const std::string hook = draws.oneOf<std::string>({"ball", "fixed", "spring", "series"});
        const bool isSprung = hook == "spring" || hook == "series";
        const double below = isSprung ? 0.5 : radius;
        addPart(machine, rope, "weight", weight, inertiaOfBall(weight, radius), length + below);
        const Vector3d eye(0, isSprung ? 0. : radius, 0);
        if (isSprung) {
            Json& element = machine.addElement("hook", hook == "spring" ? "SpringDamperParallel" : "SpringDamperSeries",
                                               "line", endOf(last, down), endOf("weight", eye));
            const double rate = 2 * std::numbers::pi * draws.magnitude(1, 30);
            element["c"] = weight * rate * rate;
            element["d"] = hook == "spring" && draws.chance(0.3) ? 0. : 2 * draws.magnitude(1e-3, 1) * weight * rate;
            element["s_unstretched"] = below;
        } else {
            machine.addJoint("hook", hook, endOf(last, down), endOf("weight", eye));
        }
    }
    if (draws.chance(0.3)) {
        // A stop that the chain swings into.
        const Vector3d tip = rope.at(length);
        Json& stop = machine.addElement("stop", "ElastoGap", "axis", endOf("world"), endOf(last, down));
        stop["axis"] = {1, 0, 0};
        setParameters(stop, draws, {mass * count, tip.x(), 0.3 * length, 10 * mass});
    }
    if (machine.scene()["elements"].empty()) {
        // Without any element it is Bullet that moves it.
        addProbe(machine, "probe", "axis", endOf("world"), endOf(last, down));
    }
    return machine;
}

}  // namespace elasto::differential
