#pragma once
/// @file scene_tie.h
/// Elements of a scene with an end on a link of a robot.

#include <elasto/multibody_element.h>
#include <elasto/robot/robot_scene.h>

#include <functional>
#include <memory>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What stands for a body of RobotScene::around, or for a link, in Bullet's world.
using FlangeOf = std::function<Flange(int body)>;

/// @param element of scene.around, on a link @param phi of an element about an axis at the start [rad]
std::unique_ptr<MultiBodyElement> makeTie(const RobotScene& scene, const SceneElement& element, double phi,
                                          const FlangeOf& flangeOf);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
