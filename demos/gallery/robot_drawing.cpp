// A robot as a picture: the collision shapes of its links.

#include "assets.h"
#include "gallery/guest.h"
#include "play/robot_guest.h"

#include <array>

namespace elasto::gallery {

namespace {

constexpr std::array<std::array<int, 3>, 4> kLinkColors = {
    {{226, 148, 76}, {88, 134, 198}, {202, 182, 94}, {106, 172, 124}}};

view::Pose viewPose(const RobotPose& pose) {
    return {.position = pose.position.cast<float>(), .orientation = pose.orientation.cast<float>()};
}

bool isFixed(const Robot& robot, int link) {
    const int index = robot.bulletLink(link);
    if (index < 0) return robot.multiBody().hasFixedBase();
    return robot.multiBody().isLinkAndAllAncestorsStaticOrKinematic(index);
}

void drawShape(const RobotShape& shape, const RobotPose& link, const view::Surface& surface, view::Picture& picture) {
    const RobotPose pose = link * shape.pose;
    const auto along = [&](double z) {
        return Eigen::Vector3f((pose.position + pose.orientation * Eigen::Vector3d(0, 0, z)).cast<float>());
    };
    switch (shape.type) {
        case RobotShape::Type::Box:
            picture.boxes.push_back(
                {.pose = viewPose(pose), .halfExtents = (shape.size / 2).cast<float>(), .surface = surface});
            break;
        case RobotShape::Type::Sphere:
            picture.spheres.push_back(
                {.pose = viewPose(pose), .radius = static_cast<float>(shape.radius), .surface = surface});
            break;
        case RobotShape::Type::Cylinder:
            picture.cylinders.push_back({.a = along(-shape.length / 2),
                                         .b = along(shape.length / 2),
                                         .diameter = static_cast<float>(2 * shape.radius),
                                         .side = (pose.orientation * Eigen::Vector3d::UnitX()).cast<float>(),
                                         .surface = surface});
            break;
        case RobotShape::Type::Hull:
            break;  // none of the robots that are shown has meshes
    }
}

void drawRobot(const Robot& robot, view::Picture& picture) {
    std::size_t colored = 0;
    const RobotDescription& description = robot.description();
    for (std::size_t i = 0; i < description.links.size(); ++i) {
        const RobotLink& link = description.links[i];
        if (link.collisions.empty()) continue;
        view::Surface surface{.color = view::Color::bytes(168, 172, 178), .specularCoefficient = 0.5F};
        if (!isFixed(robot, static_cast<int>(i))) {
            const auto& [red, green, blue] = kLinkColors[colored++ % kLinkColors.size()];
            surface.color = view::Color::bytes(red, green, blue);
            surface.marked = true;
        }
        const RobotPose pose = robot.linkPose(static_cast<int>(i));
        for (const RobotShape& shape : link.collisions) drawShape(shape, pose, surface, picture);
    }
}

/// URDF has z upwards, the gallery y.
RobotPose upright() {
    return {.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(-M_PI / 2, Eigen::Vector3d::UnitX()))};
}

class ShownRobot final : public Guest {
public:
    ShownRobot(SceneWorld& world, RobotScene scene) : m_guest(world, std::move(scene), upright()) {}

    void beginTick(double t, double h) override { m_guest.beginTick(t, h); }
    void draw(view::Picture& picture) const override { drawRobot(m_guest.robot(), picture); }

private:
    play::RobotGuest m_guest;
};

}  // namespace

MakeGuest robotNamed(const std::string& name) {
    return [name](SceneWorld& world) {
        return std::make_unique<ShownRobot>(world, loadRobotScene(tools::assetsFolder() / "robots" / (name + ".json")));
    };
}

}  // namespace elasto::gallery
