#include "turned_scene.h"

#include <cmath>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

Eigen::Quaterniond upright() {
    return Eigen::Quaterniond(Eigen::AngleAxisd(-M_PI / 2, Eigen::Vector3d::UnitX()));
}

Scene turned(Scene scene, const Eigen::Quaterniond& by) {
    const auto turn = [&](Eigen::Vector3d& vector) { vector = by * vector; };
    const auto turnPose = [&](auto& place) {
        turn(place.position);
        place.orientation = by * place.orientation;
    };
    // Frames in the world, and axes beside them; those in bodies turn with these.
    const auto turnEnds = [&](auto& between) {
        if (between.frame_a.body == kWorld) {
            turnPose(between.frame_a);
            turn(between.axis);
        }
        if (between.frame_b.body == kWorld) turnPose(between.frame_b);
    };
    turn(scene.gravity);
    for (SceneBody& body : scene.bodies) {
        turnPose(body);
        turn(body.velocity);
        turn(body.angularVelocity);
        // What is 0 stays so.
        const Eigen::Matrix3d axes = by.toRotationMatrix().cwiseAbs().array().round();
        body.linearFactor = axes * body.linearFactor;
        body.angularFactor = axes * body.angularFactor;
        for (ScenePathPoint& point : body.path) turnPose(point);
    }
    for (SceneJoint& joint : scene.joints) turnEnds(joint);
    for (SceneElement& element : scene.elements) turnEnds(element);
    for (SceneLoad& load : scene.loads) {
        if (load.resolveInFrame == SceneLoad::Axes::World) turn(load.vector);
    }
    return scene;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
