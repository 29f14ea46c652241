#pragma once
/// @file robot_mechanism.h
/// A robot in given coordinates of its joints: how it moves, its inertia and its weight. No physics engine.

#include <elasto/robot/robot_scene.h>

#include <Eigen/Core>

#include <vector>

namespace elasto::tools {

/// Whether the base of the scene's robot may move.
bool hasFreeBase(const RobotScene& scene);

/// Start of a joint: as the scene says, else 0 or the limit nearest to it [rad, m].
double startOfJoint(const RobotScene& scene, std::size_t joint);

/// Coordinates are those of the base if that is free (velocity and angular velocity in the world's axes), then one per
/// joint isScalar(), three per ball and three per planar one.
class RobotMechanism {
public:
    /// At the scene's start. The scene must outlive it.
    explicit RobotMechanism(const RobotScene& scene);
    /// @param q of all joints; used where isScalar() [rad, m]
    RobotMechanism(const RobotScene& scene, const std::vector<double>& q);
    RobotMechanism(RobotScene&&) = delete;

    /// By joint: its first coordinate; -1: it has none.
    const std::vector<int>& columns() const { return m_columns; }
    Eigen::MatrixXd inertia() const;
    /// Force that gravity exerts on each coordinate.
    Eigen::VectorXd gravity() const;
    /// The most that gravity could exert on each coordinate in any direction, >= 0.
    Eigen::VectorXd mostGravity() const;
    /// Rate of the distance between a span's points, by the rate of each coordinate. @param length of it now [m]
    Eigen::VectorXd stretching(const RobotSpan& span, double& length) const;
    /// Velocity of a point of a link along a direction, or the link's angular velocity about it, by the rate of each
    /// coordinate. @param point, direction in the world
    Eigen::VectorXd moving(int link, const Eigen::Vector3d& point, const Eigen::Vector3d& direction) const;
    Eigen::VectorXd turning(int link, const Eigen::Vector3d& direction) const;
    /// Rates of the coordinates at the start.
    Eigen::VectorXd rates(const RobotScene& scene) const;
    /// Spin of a joint's parent link about the joint's axis, by the rate of each coordinate.
    Eigen::VectorXd carrierSpin(std::size_t joint) const;

private:
    /// A way in which a joint or the base moves: all links from one on.
    struct Freedom {
        int carried = 0;        ///< the first link that moves with it
        Eigen::Vector3d point;  ///< on its axis, world [m]
        Eigen::Vector3d axis;   ///< world
        bool turns = true;      ///< else it slides
    };

    int links() const { return static_cast<int>(m_robot.links.size()); }
    Eigen::Vector3d centre(int link) const;
    Eigen::Vector3d pointOf(int link, const Eigen::Vector3d& inLink) const;
    void addJoint(int joint);
    bool isCarried(int link, int by) const;
    Eigen::MatrixXd rowsAt(int link, const Eigen::Vector3d& point) const;
    Eigen::MatrixXd rows(int link, bool isAngular) const;

    const RobotDescription& m_robot;
    Eigen::Vector3d m_gravity;
    std::vector<RobotPose> m_poses;
    std::vector<Freedom> m_freedoms;
    std::vector<int> m_columns;
};

}  // namespace elasto::tools
