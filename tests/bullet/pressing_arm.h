#pragma once
// An arm of two bars over a floor. Its first joint is held at its angle, and its second one has a drive behind play
// that can press its tip down.

#include "multibody_world.h"

namespace elasto::test {

inline constexpr double kPressingRatio = -50;  // of the drive: positive torque of its motor presses

/// @return the drive
inline MultiBodyElement& addPressingArm(MultiBodyWorld& world) {
    btMultiBody& body = world.multiBody(2);
    body.setBasePos(vec(0, 0.5, 0));
    world.bar(body, 0, -1, 1, 0.5, vec(0, 0, 0));
    world.bar(body, 1, 0, 0.5, 0.5, vec(0.25, 0, 0));
    auto* shape = new btBoxShape(vec(0.25, 0.02, 0.05));
    shape->setMargin(0);
    world.collider(body, 1, shape);
    world.add(body);
    world.rigid(0, new btBoxShape(vec(5, 0.5, 5)), at(0, -0.4, 0));
    world.element(JointCoordinate{&body, 0}, SpringDamperLaw({.c = 1e4, .d = 100}));
    return world.element(Drive{.body = &body, .link = 1, .inertia = 1e-5, .ratio = kPressingRatio},
                         ElastoBacklashLaw({.c = 1e3, .d = 10, .b = 0.05}));
}

}  // namespace elasto::test
