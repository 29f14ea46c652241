// One or two bodies that fly and turn, and one element: every law in every geometry.
#include "families.h"
#include "laws.h"

namespace elasto::differential {

Machine makeLaw(Draws& draws) {
    Machine machine;
    if (draws.chance(0.5)) machine.setGravity(Vector3d::Zero());
    const double duration = draws.between(0.5, 2);
    machine.scene()["duration"] = duration;
    const double mass = draws.magnitude(0.1, 20);
    const Vector3d size(draws.between(0.1, 0.4), draws.between(0.1, 0.4), draws.between(0.1, 0.4));
    const Vector3d inertia = inertiaOfBox(mass, size);
    const auto add = [&](const std::string& name, const Vector3d& place) {
        Json& body = machine.addBody(name, mass, inertia, place);
        body["orientation"] = listOf(draws.orientation());
        body["velocity"] = listOf(draws.within(2));
        body["angularVelocity"] = listOf(draws.within(draws.oneOf({1., 5., 30.})));
    };
    const bool isPair = draws.chance(0.5);
    if (isPair) add("a", Vector3d::Zero());
    const std::string first = isPair ? "a" : "world";
    if (draws.chance(0.35)) {
        // About a hinge: what holds the axis.
        Json& body = machine.addBody("b", mass, inertia, Vector3d::Zero());
        const double speed = draws.between(-20, 20);
        body["angularVelocity"] = {0, 0, speed};
        if (isPair) {
            machine.scene()["bodies"][0]["orientation"] = {0, 0, 0, 1};
            machine.scene()["bodies"][0]["angularVelocity"] = {0, 0, 0};
            machine.scene()["bodies"][0]["velocity"] = {0, 0, 0};
        }
        const Vector3d at = isPair ? Vector3d::Zero() : draws.within(0.3);
        body["velocity"] = listOf(Vector3d(Vector3d(0, 0, speed).cross(-at)));
        const Json a = endOf(first, at);
        const Json b = endOf("b", at);
        machine.addJoint("hinge", "hinge", a, b)["axis"] = {0, 0, 1};
        Json& element = machine.addElement("e", rotationalType(draws), "rotation", a, b);
        element["axis"] = {0, 0, 1};
        setParameters(element, draws, {inertia.z(), 0, 1, inertia.z() * 50});
        return machine;
    }
    const std::string type = translationalType(draws);
    const std::string geometry = geometryFor(draws, type);
    const Vector3d way(0.8, draws.between(-0.2, 0.2), draws.between(-0.2, 0.2));
    add("b", way);
    if (type == "SupportFriction") {
        // A ring on a bar, which does not turn.
        for (Json& body : machine.scene()["bodies"]) {
            body["angularFactor"] = {0, 0, 0};
            body["angularVelocity"] = {0, 0, 0};
        }
    }
    Json& element = machine.addElement("e", type, geometry, endOf(first), endOf("b"));
    // What is fixed in a turned body points to the other one.
    if (geometry == "axis") {
        const Quaterniond turned =
            isPair ? quaternionOf(machine.scene()["bodies"][0]["orientation"]) : Quaterniond::Identity();
        element["axis"] = listOf(Vector3d(turned.conjugate() * Vector3d::UnitX()));
    }
    const double rest = geometry == "line" ? way.norm() : way.x();
    setParameters(element, draws, {mass, rest, 0.3, 10 * mass});
    if (draws.chance(0.3)) {
        setCourse(machine.addLoad("push", "b", "force", mass * draws.within(20)), draws, duration);
    }
    return machine;
}

}  // namespace elasto::differential
