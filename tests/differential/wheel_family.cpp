// Wheels to 3000 rad/s on every kind of joint, alone and on sprung carriers, with and without what slows them.
#include "families.h"
#include "laws.h"

namespace elasto::differential {

namespace {

/// What holds the wheel's axis: the world, or a carrier that springs hold.
struct Bearing {
    std::string body = "world";
    Vector3d at = Vector3d::Zero();
};

Bearing addCarrier(Machine& machine, Draws& draws) {
    const std::string kind = draws.oneOf<std::string>({"world", "world", "sprung", "slider", "arm"});
    if (kind == "world") return {"world", draws.within(1)};
    const double mass = draws.magnitude(0.5, 20);
    machine.addBody("carrier", mass, inertiaOfBox(mass, {0.4, 0.3, 0.2}), Vector3d::Zero());
    if (kind == "slider") {
        Json& joint = machine.addJoint("guide", "slider", endOf("world"), endOf("carrier"));
        joint["axis"] = {1, 0, 0};
        const std::string type = translationalType(draws);
        Json& element =
            machine.addElement("strut", type, type == "SpringDamper" || type == "SupportFriction" ? "axis" : "line",
                               endOf("world", {-0.7, 0.1, 0}), endOf("carrier"));
        const double rest = element["geometry"] == "line" ? Vector3d(0.7, -0.1, 0).norm() : 0.7;
        setParameters(element, draws, {mass, rest, 0.2, 5 * mass});
        machine.scene()["bodies"].back()["velocity"] = {draws.between(-1, 1), 0, 0};
        return {"carrier", Vector3d::Zero()};
    }
    if (kind == "arm") {
        Json& joint = machine.addJoint("elbow", "hinge", endOf("world", {0.3, 0, 0}), endOf("carrier", {0.3, 0, 0}));
        joint["axis"] = {0, 1, 0};
        Json& element = machine.addElement("twist", rotationalType(draws), "rotation", endOf("world", {0.3, 0, 0}),
                                           endOf("carrier", {0.3, 0, 0}));
        element["axis"] = {0, 1, 0};
        setParameters(element, draws, {0.1 * mass, 0, 0.3, mass});
        return {"carrier", {-0.2, 0, 0}};
    }
    int i = 0;
    for (const Vector3d& corner : {Vector3d(0.2, 0.15, 0.1), Vector3d(-0.2, -0.15, 0.1), Vector3d(0.2, -0.15, -0.1),
                                   Vector3d(-0.2, 0.15, -0.1)}) {
        Json& element = machine.addElement("mount" + std::to_string(i++), "SpringDamperParallel", "line",
                                           endOf("world", 3 * corner), endOf("carrier", corner));
        setParameters(element, draws, {mass, 2 * corner.norm(), 0.1, mass});
    }
    return {"carrier", Vector3d::Zero()};
}

}  // namespace

Machine makeWheel(Draws& draws) {
    Machine machine;
    if (draws.chance(0.4)) machine.setGravity(Vector3d::Zero());
    machine.scene()["duration"] = draws.between(0.5, 1.5);
    const Bearing bearing = addCarrier(machine, draws);
    const double mass = draws.magnitude(0.1, 10);
    const double radius = draws.between(0.05, 0.3);
    const Vector3d inertia = draws.chance(0.8) ? inertiaOfDisc(mass, radius, draws.between(0.02, 0.2))
                                               : inertiaOfBox(mass, {radius, 2 * radius, 0.1});
    const double speed = draws.sign() * draws.magnitude(1, 3000);
    const Vector3d at = bearing.at;
    // The velocity of what the wheel is on.
    Vector3d velocity = Vector3d::Zero();
    if (bearing.body == "carrier" && machine.scene()["bodies"].back().contains("velocity")) {
        velocity = vectorOf(machine.scene()["bodies"].back()["velocity"]);
    }
    const std::string joint = draws.oneOf<std::string>({"hinge", "hinge", "hinge", "ball", "hub"});
    const double arm = joint == "ball" ? draws.between(0.05, 0.4) : 0;
    // A top leans: its axis is z of the wheel.
    const Quaterniond lean = joint == "ball" ? Quaterniond(Eigen::AngleAxisd(draws.between(-1, 1), Vector3d::UnitX()))
                                             : Quaterniond::Identity();
    const Vector3d spin = lean * Vector3d(0, 0, speed);
    Json& wheel = machine.addBody("wheel", mass, inertia, at + lean * Vector3d(0, 0, arm));
    wheel["orientation"] = listOf(lean);
    wheel["angularVelocity"] = listOf(spin);
    wheel["velocity"] = listOf(velocity);
    const Json axle = endOf(bearing.body, at);
    if (joint == "ball") {
        machine.addJoint("foot", "ball", axle, endOf("wheel", {0, 0, -arm}));
    } else {
        Json& hinge = machine.addJoint("axle", "hinge", axle, endOf("wheel"));
        hinge["axis"] = {0, 0, 1};
    }
    if (joint == "hub") {
        const double rim = mass * draws.magnitude(0.1, 5);
        Json& body = machine.addBody("rim", rim, inertiaOfDisc(rim, 1.2 * radius, 0.05), at + Vector3d(0, 0, 0.1));
        body["angularVelocity"] = {0, 0, speed};
        body["velocity"] = listOf(velocity);
        machine.addJoint("bolts", "fixed", endOf("wheel", {0, 0, 0.1}), endOf("rim"));
    }
    if (joint != "ball") {
        Json& probe = addProbe(machine, "probe", "rotation", axle, endOf("wheel"));
        probe["axis"] = {0, 0, 1};
        if (draws.chance(0.4)) {
            const std::string type = rotationalType(draws);
            Json& element = machine.addElement("acts", type, "rotation", axle, endOf("wheel"));
            element["axis"] = {0, 0, 1};
            setParameters(element, draws, {inertia.z(), 0, 1, inertia.z() * 100});
        }
        if (draws.chance(0.2)) {
            setCourse(machine.addLoad("torque", "wheel", "torque", {0, 0, inertia.z() * draws.magnitude(1, 1000)}),
                      draws, 1);
        }
    } else {
        addProbe(machine, "probe", "axis", endOf("world"), endOf("wheel"));
    }
    return machine;
}

}  // namespace elasto::differential
