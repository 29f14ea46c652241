// Carts and vehicles on a floor: wheels on hinges, on the chassis or on sprung knuckles, coasting or with motors.
#include <cmath>

#include "families.h"
#include "laws.h"

namespace elasto::differential {

Machine makeCart(Draws& draws) {
    Machine machine;
    machine.scene()["duration"] = draws.between(0.5, 1.2);
    Json& floor = machine.addFixed("floor", {0, -0.5, 0});
    floor["shape"] = {{"type", "box"}, {"size", {60, 1, 20}}};
    floor["friction"] = draws.between(0.3, 1);
    const double radius = draws.between(0.1, 0.35);
    const double mass = draws.magnitude(5, 1000);
    const bool isSprung = draws.chance(0.6);
    const bool hasMotors = draws.chance(0.4);
    const double speed = hasMotors && draws.chance(0.5) ? 0 : draws.between(-8, 8);
    const double sag = draws.between(0.02, 0.1);
    const double height = radius + 0.3;
    Json& chassis = machine.addBody("chassis", mass, inertiaOfBox(mass, {1.6, 0.3, 0.8}), {0, height, 0});
    chassis["velocity"] = {speed, 0, 0};
    const bool isRound = draws.chance(0.5);
    int i = 0;
    for (const Vector3d& corner : {Vector3d(1, 0, 1), Vector3d(-1, 0, 1), Vector3d(1, 0, -1), Vector3d(-1, 0, -1)}) {
        const std::string wheel = "wheel" + std::to_string(i);
        const std::string knuckle = "knuckle" + std::to_string(i);
        const Vector3d hub(0.7 * corner.x(), -0.3, 0.6 * corner.z());  // in the chassis
        const Vector3d place = hub + Vector3d(0, height, 0);
        const double own = mass * draws.between(0.02, 0.1);
        std::string holder = "chassis";
        Vector3d at = hub;
        if (isSprung) {
            machine.addBody(knuckle, own, inertiaOfBall(own, 0.1), place)["velocity"] = {speed, 0, 0};
            machine.addJoint("rail" + std::to_string(i), "slider", endOf("chassis", hub), endOf(knuckle))["axis"] = {
                0, 1, 0};
            Json& strut = machine.addElement("strut" + std::to_string(i), "SpringDamperParallel", "axis",
                                             endOf(knuckle), endOf("chassis", hub + Vector3d(0, 0.3, 0)));
            strut["axis"] = {0, 1, 0};
            const double c = mass * 9.80665 / 4 / sag;
            strut["c"] = c;
            strut["d"] = draws.between(0.1, 0.6) * 2 * std::sqrt(c * mass / 4);
            strut["s_unstretched"] = 0.3 + sag * draws.between(0.5, 1.5);
            holder = knuckle;
            at = Vector3d::Zero();
        }
        Json& body = machine.addBody(wheel, own, inertiaOfDisc(own, radius, 0.1), place);
        body["velocity"] = {speed, 0, 0};
        body["angularVelocity"] = {0, 0, -speed / radius};
        body["friction"] = draws.between(0.5, 1);
        if (isRound) {
            body["shape"] = {{"type", "sphere"}, {"radius", radius}};
        } else {
            body["shape"] = {{"type", "cylinder"}, {"radius", radius}, {"length", 0.1}, {"axis", "z"}};
        }
        Json& axle = machine.addJoint("axle" + std::to_string(i), "hinge", endOf(holder, at), endOf(wheel));
        axle["axis"] = {0, 0, 1};
        if (hasMotors) {
            axle["motor"] = {{"velocity", -speed / radius + draws.between(-10, 10)},
                             {"maxTorque", mass * radius * draws.magnitude(0.1, 3)}};
        }
        ++i;
    }
    if (!isSprung) addProbe(machine, "probe", "axis", endOf("world"), endOf("chassis"));
    return machine;
}

}  // namespace elasto::differential
