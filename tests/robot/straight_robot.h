#pragma once
/// A robot with every kind of frame and inertia, and a straightforward computation of what it does.

#include <elasto/robot/load_robot.h>

#include <Eigen/Dense>

#include <cmath>
#include <string>
#include <vector>

namespace elasto::test {

/// Four moving joints in a tree, a fixed one, turned frames and inertia tensors with products.
inline const std::string kCrookedRobot = R"(<robot name="crooked">
<link name="base">
  <inertial><origin xyz="0.1 -0.2 0.3" rpy="0.3 0.2 -0.5"/><mass value="3"/><inertia ixx="0.2" ixy="0.03" ixz="-0.02" iyy="0.25" iyz="0.01" izz="0.3"/></inertial>
</link>
<link name="first">
  <inertial><origin xyz="0.2 0.1 0" rpy="-1 0.4 2"/><mass value="2"/><inertia ixx="0.05" ixy="0.01" ixz="0.004" iyy="0.06" iyz="-0.02" izz="0.07"/></inertial>
</link>
<link name="second">
  <inertial><origin xyz="0 0.05 0.15" rpy="0 1.2 0.1"/><mass value="1.5"/><inertia ixx="0.02" ixy="-0.005" ixz="0" iyy="0.03" iyz="0.002" izz="0.025"/></inertial>
</link>
<link name="tool">
  <inertial><origin xyz="-0.03 0 0.02"/><mass value="0.4"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.002" iyz="0.0003" izz="0.0015"/></inertial>
</link>
<link name="slide">
  <inertial><origin xyz="0 0 -0.1" rpy="0.7 0 0"/><mass value="0.8"/><inertia ixx="0.004" ixy="0.001" ixz="0" iyy="0.005" iyz="0" izz="0.006"/></inertial>
</link>
<link name="spin">
  <inertial><mass value="0.6"/><inertia ixx="0.003" ixy="0" ixz="0.0004" iyy="0.003" iyz="0" izz="0.002"/></inertial>
</link>
<joint name="j1" type="revolute"><parent link="base"/><child link="first"/><origin xyz="0.3 0 0.1" rpy="0.5 -0.3 0.8"/><axis xyz="1 2 0.5"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="j2" type="continuous"><parent link="first"/><child link="second"/><origin xyz="0.4 0.1 -0.1" rpy="-0.2 0.9 0.1"/><axis xyz="0 0 -1"/></joint>
<joint name="j3" type="fixed"><parent link="second"/><child link="tool"/><origin xyz="0 0 0.3" rpy="0.1 0.2 0.3"/></joint>
<joint name="j4" type="prismatic"><parent link="base"/><child link="slide"/><origin xyz="-0.2 0.2 0" rpy="0 0.4 0"/><axis xyz="0 1 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="j5" type="continuous"><parent link="slide"/><child link="spin"/><origin xyz="0 0 -0.3" rpy="1 0 0"/><axis xyz="0.2 -1 0.3"/></joint>
</robot>
)";

/// Frames, inertias and mass matrix from the numbers above once more: matrices, no quaternions, no principal axes.
struct StraightRobot {
    struct Link {
        int parent;
        double mass;
        Eigen::Vector3d com;
        Eigen::Vector3d comRpy;
        Eigen::Matrix3d inertia;
        Eigen::Vector3d xyz;  // of the joint that carries it
        Eigen::Vector3d rpy;
        char joint;  // r, p or f
        Eigen::Vector3d axis;
    };

    static Eigen::Matrix3d symmetric(double xx, double xy, double xz, double yy, double yz, double zz) {
        Eigen::Matrix3d m;
        m << xx, xy, xz, xy, yy, yz, xz, yz, zz;
        return m;
    }
    static Eigen::Matrix3d rotation(const Eigen::Vector3d& rpy) {
        const auto c = [](double x) { return std::cos(x); };
        const auto s = [](double x) { return std::sin(x); };
        Eigen::Matrix3d x;
        Eigen::Matrix3d y;
        Eigen::Matrix3d z;
        x << 1, 0, 0, 0, c(rpy[0]), -s(rpy[0]), 0, s(rpy[0]), c(rpy[0]);
        y << c(rpy[1]), 0, s(rpy[1]), 0, 1, 0, -s(rpy[1]), 0, c(rpy[1]);
        z << c(rpy[2]), -s(rpy[2]), 0, s(rpy[2]), c(rpy[2]), 0, 0, 0, 1;
        return z * y * x;
    }
    /// Rodrigues' formula.
    static Eigen::Matrix3d turn(const Eigen::Vector3d& axis, double angle) {
        const Eigen::Vector3d n = axis.normalized();
        Eigen::Matrix3d cross;
        cross << 0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0;
        return Eigen::Matrix3d::Identity() + std::sin(angle) * cross + (1 - std::cos(angle)) * cross * cross;
    }

    /// Depth first, as the description orders them.
    std::vector<Link> links = {
        {-1,
         3,
         {0.1, -0.2, 0.3},
         {0.3, 0.2, -0.5},
         symmetric(0.2, 0.03, -0.02, 0.25, 0.01, 0.3),
         {0, 0, 0},
         {0, 0, 0},
         'f',
         {0, 0, 1}},
        {0,
         2,
         {0.2, 0.1, 0},
         {-1, 0.4, 2},
         symmetric(0.05, 0.01, 0.004, 0.06, -0.02, 0.07),
         {0.3, 0, 0.1},
         {0.5, -0.3, 0.8},
         'r',
         {1, 2, 0.5}},
        {1,
         1.5,
         {0, 0.05, 0.15},
         {0, 1.2, 0.1},
         symmetric(0.02, -0.005, 0, 0.03, 0.002, 0.025),
         {0.4, 0.1, -0.1},
         {-0.2, 0.9, 0.1},
         'r',
         {0, 0, -1}},
        {2,
         0.4,
         {-0.03, 0, 0.02},
         {0, 0, 0},
         symmetric(0.001, 0, 0, 0.002, 0.0003, 0.0015),
         {0, 0, 0.3},
         {0.1, 0.2, 0.3},
         'f',
         {0, 0, 1}},
        {0,
         0.8,
         {0, 0, -0.1},
         {0.7, 0, 0},
         symmetric(0.004, 0.001, 0, 0.005, 0, 0.006),
         {-0.2, 0.2, 0},
         {0, 0.4, 0},
         'p',
         {0, 1, 1}},
        {4,
         0.6,
         {0, 0, 0},
         {0, 0, 0},
         symmetric(0.003, 0, 0.0004, 0.003, 0, 0.002),
         {0, 0, -0.3},
         {1, 0, 0},
         'r',
         {0.2, -1, 0.3}},
    };

    std::vector<Eigen::Matrix3d> axes;       // of the links, in the world
    std::vector<Eigen::Vector3d> positions;  // of the links' origins
    std::vector<Eigen::Vector3d> centres;    // of mass
    std::vector<Eigen::Matrix3d> inertias;   // about the centres of mass, world axes

    /// @param q of the joints of links[1], links[2], ...
    StraightRobot(const Eigen::Matrix3d& baseAxes, const Eigen::Vector3d& basePosition, const std::vector<double>& q) {
        for (std::size_t i = 0; i < links.size(); ++i) {
            const Link& link = links[i];
            if (i == 0) {
                axes.push_back(baseAxes);
                positions.push_back(basePosition);
            } else {
                const auto parent = static_cast<std::size_t>(link.parent);
                const Eigen::Matrix3d frame = axes[parent] * rotation(link.rpy);
                const Eigen::Vector3d place = positions[parent] + axes[parent] * link.xyz;
                axes.push_back(link.joint == 'r' ? Eigen::Matrix3d(frame * turn(link.axis, q[i - 1])) : frame);
                positions.push_back(
                    link.joint == 'p' ? Eigen::Vector3d(place + frame * link.axis.normalized() * q[i - 1]) : place);
            }
            centres.push_back(positions[i] + axes[i] * link.com);
            const Eigen::Matrix3d principal = axes[i] * rotation(link.comRpy);
            inertias.push_back(principal * link.inertia * principal.transpose());
        }
    }

    double mass() const {
        double sum = 0;
        for (const Link& link : links) sum += link.mass;
        return sum;
    }

    /// Of the whole robot about the world's origin.
    Eigen::Matrix3d inertia() const {
        Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
        for (std::size_t i = 0; i < links.size(); ++i) {
            const Eigen::Vector3d& r = centres[i];
            sum += inertias[i] + links[i].mass * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
        }
        return sum;
    }

    /// Accelerations of the joints of a robot at rest on a fixed base, from jacobians of the centres of mass.
    Eigen::VectorXd accelerations(const Eigen::Vector3d& gravity) const {
        const Eigen::Index n = static_cast<Eigen::Index>(links.size()) - 1;
        Eigen::MatrixXd H = Eigen::MatrixXd::Zero(n, n);
        Eigen::VectorXd torque = Eigen::VectorXd::Zero(n);
        for (std::size_t i = 1; i < links.size(); ++i) {
            Eigen::MatrixXd v = Eigen::MatrixXd::Zero(3, n);
            Eigen::MatrixXd w = Eigen::MatrixXd::Zero(3, n);
            for (std::size_t j = i; j != 0; j = static_cast<std::size_t>(links[j].parent)) {
                const Eigen::Vector3d axis = axes[j] * links[j].axis.normalized();
                const auto column = static_cast<Eigen::Index>(j) - 1;
                if (links[j].joint == 'r') {
                    w.col(column) = axis;
                    v.col(column) = axis.cross(centres[i] - positions[j]);
                } else if (links[j].joint == 'p') {
                    v.col(column) = axis;
                }
            }
            H += links[i].mass * v.transpose() * v + w.transpose() * inertias[i] * w;
            torque += links[i].mass * v.transpose() * gravity;
        }
        for (Eigen::Index k = 0; k < n; ++k) {
            if (links[static_cast<std::size_t>(k) + 1].joint == 'f') H(k, k) = 1;
        }
        return H.ldlt().solve(torque);
    }
};

}  // namespace elasto::test
