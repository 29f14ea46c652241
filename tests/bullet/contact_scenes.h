#pragma once
// Scenes of boxes that touch, for tests: floors, stacks, presses.

#include <algorithm>

#include "test_world.h"

namespace elasto::test {

/// Boxes of 1 m and 1 kg on a floor whose top is at height 0.
inline btRigidBody& addFloor(TestWorld& world) {
    return world.body(0, new btBoxShape(vec(20, 0.5, 20)), at(0, -0.5, 0));
}

inline btRigidBody& addCrate(TestWorld& world, double x, double y, double z, double yaw = 0) {
    return world.body(1, new btBoxShape(vec(0.5, 0.5, 0.5)),
                      btTransform(btQuaternion(vec(0, 1, 0), btScalar(yaw)), vec(x, y, z)));
}

/// Pushes a body down from a fixed point 2.5 m above it, with this force where it stands now.
inline ElastoGap& addPress(TestWorld& world, btRigidBody& body, double force, double c, double d) {
    const btVector3& place = body.getWorldTransform().getOrigin();
    const Eigen::Vector3d above(static_cast<double>(place.x()), static_cast<double>(place.y()) + 2.5,
                                static_cast<double>(place.z()));
    return world.add<ElastoGap>(
        Placement::alongAxis(Placement::world(), body, above, Eigen::Vector3d::Zero(), -Eigen::Vector3d::UnitY()),
        ElastoGapParameters{.c = c, .d = d, .s_rel0 = 2.5 + force / c});
}

/// A stop at height 0 under the middle of a crate's lower face.
inline ElastoGap& addStopBelow(TestWorld& world, btRigidBody& crate, double c) {
    return world.add<ElastoGap>(Placement::alongAxis(Placement::world(), crate, Eigen::Vector3d::Zero(),
                                                     Eigen::Vector3d(0, -0.5, 0), Eigen::Vector3d::UnitY()),
                                ElastoGapParameters{.c = c, .d = 0});
}

/// A box of 2 m on the floor that is touched and pushes nothing.
inline btRigidBody& addTrigger(TestWorld& world) {
    btRigidBody& trigger = world.body(0, new btBoxShape(vec(1, 1, 1)), at(0, 1, 0));
    trigger.setCollisionFlags(trigger.getCollisionFlags() | btCollisionObject::CF_NO_CONTACT_RESPONSE);
    return trigger;
}

/// Least, largest and mean of a value over ticks.
struct Range {
    double least = 1e300;
    double most = -1e300;
    double sum = 0;
    int count = 0;

    void add(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
        sum += value;
        ++count;
    }
    double mean() const { return sum / count; }
    double width() const { return most - least; }
};

}  // namespace elasto::test
