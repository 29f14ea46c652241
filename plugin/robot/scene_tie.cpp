#include "scene_tie.h"

#include "bullet_values.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// The frame of a body or link of the scene in which Bullet has it: of its centre of mass and principal axes.
RobotPose statedInBullet(const RobotScene& scene, int body) {
    if (body == kWorld) return {};
    const auto index = static_cast<std::size_t>(body);
    if (index < scene.bodies()) return {-scene.around.bodies[index].centreOfMass, Eigen::Quaterniond::Identity()};
    const SceneLink& end = scene.links[index - scene.bodies()];
    const RobotLink& link = scene.at(end.robot).robot.links[static_cast<std::size_t>(end.link)];
    return inverse(link.principalFrame) * link.statedFrame;
}

RobotPose inBullet(const RobotScene& scene, const SceneFrame& frame) {
    return statedInBullet(scene, frame.body) * RobotPose{frame.position, frame.orientation};
}

LinkPlacement placementOf(const RobotScene& scene, const SceneElement& element, const FlangeOf& flangeOf) {
    const Flange a = flangeOf(element.frame_a.body);
    const Flange b = flangeOf(element.frame_b.body);
    RobotPose frameA = inBullet(scene, element.frame_a);
    RobotPose frameB = inBullet(scene, element.frame_b);
    if (element.geometry == Geometry::AlongLine) {
        return LinkPlacement::alongLine(a, b, toBullet(frameA.position), toBullet(frameB.position));
    }
    const Eigen::Vector3d axis = statedInBullet(scene, element.frame_a.body).orientation * element.axis;
    if (element.geometry == Geometry::AlongAxis) {
        frameA.orientation = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitX(), axis);
        return LinkPlacement::alongAxis(a, b, toBullet(frameA), toBullet(frameB));
    }
    // Turned alike, both frames coincide where they did.
    const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(
        Eigen::Vector3d::UnitZ(), Eigen::Vector3d(frameA.orientation.conjugate() * axis));
    frameA.orientation = frameA.orientation * turn;
    frameB.orientation = frameB.orientation * turn;
    return LinkPlacement::aboutAxis(a, b, toBullet(frameA), toBullet(frameB));
}

}  // namespace

std::unique_ptr<MultiBodyElement> makeTie(const RobotScene& scene, const SceneElement& element, double phi,
                                          const FlangeOf& flangeOf) {
    auto made = std::make_unique<MultiBodyElement>(placementOf(scene, element, flangeOf), element.law);
    made->setName(element.name);
    made->setT(element.T);
    if (element.geometry == Geometry::AboutAxis) {
        MultiBodyElementState state = made->saveState();
        state.phi = phi;
        made->restoreState(state);
    }
    return made;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
