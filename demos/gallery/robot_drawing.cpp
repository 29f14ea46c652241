// A robot as a picture: the collision shapes of its links, housings and couplings at its joints, and, pale, where its
// motors would have it without play.

#include "assets.h"
#include "gallery/robot_look.h"
#include "play/robot_file.h"
#include "play/robot_guest.h"
#include "play/turned_scene.h"

#include <algorithm>
#include <array>
#include <utility>

namespace elasto::gallery {

namespace {

using Poses = std::vector<RobotPose>;  ///< of the description's links

constexpr std::array<std::array<int, 3>, 4> kLinkColors = {
    {{226, 148, 76}, {88, 134, 198}, {202, 182, 94}, {106, 172, 124}}};
constexpr std::array<int, 3> kHousing = {74, 80, 88};

RobotPose inverse(const RobotPose& pose) {
    const Eigen::Quaterniond back = pose.orientation.conjugate();
    return {back * -pose.position, back};
}

view::Color colorOf(const std::array<int, 3>& color) {
    return view::Color::bytes(color[0], color[1], color[2]);
}

view::Pose viewPose(const RobotPose& pose) {
    return {.position = pose.position.cast<float>(), .orientation = pose.orientation.cast<float>()};
}

bool isFixed(const Robot& robot, int link) {
    const int index = robot.bulletLink(link);
    if (index < 0) return robot.multiBody().hasFixedBase();
    return robot.multiBody().isLinkAndAllAncestorsStaticOrKinematic(index);
}

/// @param mesh of a hull
void drawShape(const RobotShape& shape, const std::shared_ptr<const view::Mesh>& mesh, const RobotPose& link,
               const view::Surface& surface, view::Picture& picture) {
    const RobotPose pose = link * shape.pose;
    const auto along = [&](double z) {
        return Eigen::Vector3f((pose.position + pose.orientation * Eigen::Vector3d(0, 0, z)).cast<float>());
    };
    const auto addRod = [&](auto& rods) {
        rods.push_back({.a = along(-shape.length / 2),
                        .b = along(shape.length / 2),
                        .diameter = static_cast<float>(2 * shape.radius),
                        .side = (pose.orientation * Eigen::Vector3d::UnitX()).cast<float>(),
                        .surface = surface});
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
            addRod(picture.cylinders);
            break;
        case RobotShape::Type::Capsule:
            addRod(picture.capsules);
            break;
        case RobotShape::Type::Hull:
            if (mesh) picture.hulls.push_back({.pose = viewPose(pose), .mesh = mesh, .surface = surface});
            break;
    }
}

/// The cylinder that a link is; null where it is none.
const RobotShape* cylinderOf(const RobotLink& link) {
    for (const RobotShape& shape : link.collisions) {
        if (shape.type == RobotShape::Type::Cylinder) return &shape;
    }
    return nullptr;
}

class ShownRobot final : public Guest, public play::RobotOwner {
public:
    ShownRobot(SceneWorld& world, const RobotScene& scene, std::shared_ptr<const RobotLook> look)
        : m_guest(world, scene, {.orientation = play::upright()}), m_look(std::move(look)) {
        // Where Bullet has the links' centres of mass and principal axes; nothing has moved yet.
        const Robot& robot = m_guest.robot();
        for (int i = 0; i < links(); ++i) {
            const BodyState frame = play::stateOf({&body(), robot.bulletLink(i)});
            m_inBullet.push_back(inverse({frame.position, frame.orientation}) * robot.linkPose(i));
        }
    }

    void beginTick(double t, double h) override { m_guest.beginTick(t, h); }
    play::RobotGuest& robotGuest() override { return m_guest; }

    void draw(const GuestView& view, view::Picture& picture) const override {
        Poses poses;
        for (int i = 0; i < links(); ++i) {
            const BodyPose& frame = view.pose(body(), m_guest.robot().bulletLink(i));
            poses.push_back(RobotPose{frame.position, frame.orientation} * m_inBullet[static_cast<std::size_t>(i)]);
        }
        drawLinks(view, poses, 1, picture);
        drawHousings(view, poses, picture);
        if (!view.isGhost() && hasMotors()) drawLinks(view, withoutPlay(view, poses), 0.22F, picture);
    }

    std::optional<JointLook> lookOf(const MultiBodyElement& element) const override {
        for (std::size_t i = 0; i < description().elements.size(); ++i) {
            if (&m_guest.robot().element(i) != &element) continue;
            const int slot = m_look->slot(i);
            if (slot < 0) return std::nullopt;
            const int joint = description().elements[i].joint;
            const bool hasPlay = std::holds_alternative<ElastoBacklashLaw>(element.law());
            const std::optional<JointLook> coupling = hasPlay ? couplingOf(joint) : std::nullopt;
            return coupling ? coupling : besideJoint(joint, slot);
        }
        return std::nullopt;
    }

private:
    btMultiBody& body() const { return const_cast<btMultiBody&>(m_guest.robot().multiBody()); }
    const RobotDescription& description() const { return m_guest.robot().description(); }
    int links() const { return static_cast<int>(description().links.size()); }

    bool hasMotors() const {
        const std::vector<RobotElement>& elements = description().elements;
        return std::any_of(elements.begin(), elements.end(),
                           [](const RobotElement& element) { return element.drive.has_value(); });
    }

    /// Where the picture with a number stands beside a joint.
    std::optional<JointLook> besideJoint(int joint, int slot) const {
        std::optional<JointLook> look = m_look->joint(static_cast<std::size_t>(joint));
        if (!look) return look;
        const double step = 1.2 * slot * (look->end - look->begin) * (look->begin < 0 ? -1 : 1);
        look->begin += step;
        look->end += step;
        look->beside = (1.5 + 1.3 * slot) * look->radius;
        return look;
    }

    /// Of a joint whose link is a cylinder: between links on one axis a ring of claws, else a coupling beside the
    /// joint.
    std::optional<JointLook> couplingOf(int joint) const {
        const RobotLink& link = description().links[static_cast<std::size_t>(joint) + 1];
        const RobotShape* shape = cylinderOf(link);
        if (shape == nullptr) return std::nullopt;
        const Eigen::Vector3d along = shape->pose.orientation * Eigen::Vector3d::UnitZ();
        const Eigen::Vector3d& axis = description().joints[static_cast<std::size_t>(joint)].axis;
        const double r = shape->radius;
        if (std::abs(along.dot(axis)) > 0.9) {
            return JointLook{.radius = 1.12 * r, .begin = -0.12 * r, .end = 0.5 * r, .isBetween = true};
        }
        return JointLook{.radius = 1.25 * r, .begin = -1.75 * r, .end = -1.2 * r};
    }

    void drawLinks(const GuestView& view, const Poses& poses, float opacity, view::Picture& picture) const {
        std::size_t colored = 0;
        for (int i = 0; i < links(); ++i) {
            const RobotLink& link = description().links[static_cast<std::size_t>(i)];
            const std::vector<Eigen::Vector3d>& bones = m_look->bones(static_cast<std::size_t>(i));
            if (link.collisions.empty() && bones.empty()) continue;
            const bool isStill = isFixed(m_guest.robot(), i);
            view::Surface surface =
                view.linkSurface(body(), m_guest.robot().bulletLink(i), view::Color::bytes(168, 172, 178));
            surface.specularCoefficient = isStill ? 0.5F : 0.3F;
            if (!isStill) surface.color = colorOf(kLinkColors[colored++ % kLinkColors.size()]);
            surface.opacity *= opacity;
            if (opacity < 1 && isStill) continue;
            if (opacity < 1) surface.id = -1;
            const RobotPose& pose = poses[static_cast<std::size_t>(i)];
            for (std::size_t k = 0; k < link.collisions.size(); ++k) {
                const RobotShape::Type type = link.collisions[k].type;
                surface.marked = !isStill && type != RobotShape::Type::Box && type != RobotShape::Type::Hull;
                drawShape(link.collisions[k], m_look->mesh(static_cast<std::size_t>(i), k), pose, surface, picture);
            }
            for (const Eigen::Vector3d& end : bones) {
                picture.capsules.push_back({.a = pose.position.cast<float>(),
                                            .b = (pose.position + pose.orientation * end).cast<float>(),
                                            .diameter = static_cast<float>(m_look->boneDiameter()),
                                            .surface = surface});
            }
        }
    }

    /// Joints across their links turn in a housing, which is the parent's.
    void drawHousings(const GuestView& view, const Poses& poses, view::Picture& picture) const {
        for (std::size_t i = 0; i < description().joints.size(); ++i) {
            const std::optional<JointLook> look = couplingOf(static_cast<int>(i));
            if (!look || look->isBetween || !description().joints[i].isScalar()) continue;
            const RobotPose& link = poses[i + 1];
            const Eigen::Vector3d axis = link.orientation * description().joints[i].axis;
            const int parent = m_guest.robot().bulletLink(description().joints[i].parent);
            view::Surface surface = view.linkSurface(body(), parent, colorOf(kHousing));
            surface.specularCoefficient = 0.5F;
            picture.cylinders.push_back({.a = (link.position + look->end * axis).cast<float>(),
                                         .b = (link.position - look->end * axis).cast<float>(),
                                         .diameter = static_cast<float>(1.9 * look->radius),
                                         .surface = surface});
        }
    }

    /// Poses of the links if each joint were where its motor is.
    Poses withoutPlay(const GuestView& view, const Poses& poses) const {
        Poses shifted = poses;
        for (std::size_t i = 0; i < description().joints.size(); ++i) {
            const auto parent = static_cast<std::size_t>(description().joints[i].parent);
            shifted[i + 1] = shifted[parent] * (inverse(poses[parent]) * poses[i + 1]);
            const MultiBodyElement* motor = m_guest.robot().motorOf(static_cast<int>(i));
            if (motor == nullptr || !description().joints[i].isScalar()) continue;
            const double behind = -view.moment(*motor)->sample.s;
            const Eigen::Vector3d& axis = description().joints[i].axis;
            RobotPose move;
            if (description().joints[i].type == RobotJoint::Type::Prismatic) {
                move.position = behind * axis;
            } else {
                move.orientation = Eigen::AngleAxisd(behind, axis);
            }
            shifted[i + 1] = shifted[i + 1] * move;
        }
        return shifted;
    }

    play::RobotGuest m_guest;
    std::shared_ptr<const RobotLook> m_look;
    Poses m_inBullet;  ///< of URDF's link frames in Bullet's
};

}  // namespace

AddGuests robotsOf(RobotScene scene) {
    std::vector<std::shared_ptr<const RobotLook>> looks;
    for (std::size_t i = 0; i < scene.robots(); ++i) {
        looks.push_back(std::make_shared<const RobotLook>(scene.robotAlone(i)));
    }
    return play::prepareRobots(
        std::move(scene), [looks = std::move(looks)](SceneWorld& world, const RobotScene& alone, std::size_t index) {
            return std::make_unique<ShownRobot>(world, alone, looks[index]);
        });
}

AddGuests robotNamed(const std::string& name) {
    // Read when it is shown: demos are registered before anything else is done.
    return [name](SceneWorld& world) {
        robotsOf(loadRobotScene(tools::assetsFolder() / "robots" / (name + ".json")))(world);
    };
}

}  // namespace elasto::gallery
