#pragma once
/// @file robot_look.h
/// What a robot looks like, made once for all worlds in which it stands.

#include "gallery/guest.h"
#include "view/mesh.h"

#include <elasto/robot/robot_scene.h>

#include <memory>
#include <optional>
#include <vector>

namespace elasto::gallery {

class RobotLook {
public:
    explicit RobotLook(const RobotScene& scene);

    /// Of a shape that is a hull; null for others, and where the hull has no volume.
    const std::shared_ptr<const view::Mesh>& mesh(std::size_t link, std::size_t shape) const {
        return m_meshes[link][shape];
    }
    /// Ends of a link's bones, which begin at its joint, in the link's frame [m]: to the joints that it carries where
    /// it has no shapes, and to shapes that do not reach its joint.
    const std::vector<Eigen::Vector3d>& bones(std::size_t link) const { return m_bones[link]; }
    /// Diameter of bones [m].
    double boneDiameter() const { return 0.015 * m_size; }
    /// Of the robot at its start [m].
    double size() const { return m_size; }
    /// Where elements on a joint are drawn: beside the links, or around them where these lie along the axis. Nothing
    /// for joints that one number does not move.
    const std::optional<JointLook>& joint(std::size_t joint) const { return m_joints[joint]; }
    /// Which of the pictures beside a joint an element has, counted from 0; the stops of a joint share one. -1: none,
    /// as a joint's own damping has.
    int slot(std::size_t element) const { return m_slots[element]; }

private:
    void findMeshes(const RobotDescription& robot);
    void findBones(const RobotDescription& robot);
    void findJoints(const RobotDescription& robot, const std::vector<RobotPose>& poses);
    void findSlots(const RobotDescription& robot);

    double m_size = 1;
    std::vector<std::vector<std::shared_ptr<const view::Mesh>>> m_meshes;
    std::vector<std::vector<Eigen::Vector3d>> m_bones;
    std::vector<std::optional<JointLook>> m_joints;
    std::vector<int> m_slots;
};

/// How far a shape reaches from its link's origin in a direction, both in the link's frame [m].
double reachOf(const RobotShape& shape, const Eigen::Vector3d& direction);

}  // namespace elasto::gallery
