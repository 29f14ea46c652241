#include "robot_facts.h"

#include <elasto/errors.h>
#include <fmt/format.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

#include "relaxed_coordinate.h"

namespace elasto::tools {

namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

/// A way in which a joint or the base moves: all links from one on.
struct Freedom {
    int joint = -1;     ///< -1: the base
    int carried = 0;    ///< the first link that moves with it
    Vector3d point;     ///< on its axis, world [m]
    Vector3d axis;      ///< world
    bool turns = true;  ///< else it slides
};

bool hasFreeBase(const RobotScene& scene, int baseLink) {
    if (scene.base != RobotScene::Base::AsStated) return scene.base == RobotScene::Base::Free;
    return scene.robot.links[static_cast<std::size_t>(baseLink)].mass > 0;
}

/// Start of a joint: as the scene says, else 0 or the limit nearest to it.
double startOf(const RobotScene& scene, std::size_t joint) {
    if (!scene.q.empty()) return scene.q[joint];
    const RobotJoint& one = scene.robot.joints[joint];
    return one.hasRange() ? std::clamp(0.0, one.limits->lower, one.limits->upper) : 0;
}

class Mechanism {
public:
    explicit Mechanism(const RobotScene& scene) : m_robot(scene.robot), m_gravity(scene.gravity) {
        std::vector<double> q;
        for (std::size_t i = 0; i < m_robot.joints.size(); ++i) q.push_back(startOf(scene, i));
        m_poses = linkPoses(m_robot, scene.pose, q);
        const bool floats = !m_robot.joints.empty() && m_robot.joints[0].type == RobotJoint::Type::Floating;
        const int base = floats ? 1 : 0;
        if (hasFreeBase(scene, base)) {
            for (const bool turns : {false, true}) {
                for (int k = 0; k < 3; ++k) addFreedom({-1, base, centre(base), Vector3d::Unit(k), turns});
            }
        }
        m_columns.assign(m_robot.joints.size(), -1);
        for (int joint = base; joint < static_cast<int>(m_robot.joints.size()); ++joint) addJoint(joint);
    }

    const std::vector<int>& columns() const { return m_columns; }

    MatrixXd inertia() const {
        const auto size = static_cast<Eigen::Index>(m_freedoms.size());
        MatrixXd sum = MatrixXd::Zero(size, size);
        for (int i = 0; i < links(); ++i) {
            const RobotLink& link = m_robot.links[static_cast<std::size_t>(i)];
            const Matrix3d axes =
                (m_poses[static_cast<std::size_t>(i)].orientation * link.principalFrame.orientation).toRotationMatrix();
            const MatrixXd turning = axes.transpose() * rows(i, true);
            const MatrixXd moving = rows(i, false);
            sum += link.mass * moving.transpose() * moving +
                   turning.transpose() * link.principalMoments.asDiagonal() * turning;
        }
        return sum;
    }

    /// Force that gravity exerts on each coordinate.
    Eigen::VectorXd gravity() const {
        Eigen::VectorXd force = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(m_freedoms.size()));
        for (int i = 0; i < links(); ++i) {
            force += rows(i, false).transpose() * (m_robot.links[static_cast<std::size_t>(i)].mass * m_gravity);
        }
        return force;
    }

    /// Rate of the distance between a span's points, by the rate of each coordinate. @param length of it now [m]
    Eigen::VectorXd stretching(const RobotSpan& span, double& length) const {
        const Vector3d a = pointOf(span.linkA, span.pointA);
        const Vector3d b = pointOf(span.linkB, span.pointB);
        length = (b - a).norm();
        const Vector3d along = length > 0 ? Vector3d((b - a) / length) : Vector3d::UnitX();
        return (rowsAt(span.linkB, b) - rowsAt(span.linkA, a)).transpose() * along;
    }

    /// Rates of the coordinates at the start.
    Eigen::VectorXd rates(const RobotScene& scene) const {
        Eigen::VectorXd rates = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(m_freedoms.size()));
        for (std::size_t i = 0; i < scene.v.size(); ++i) {
            if (m_columns[i] >= 0) rates[m_columns[i]] = scene.v[i];
        }
        return rates;
    }

    /// Spin of a joint's parent link about the joint's axis, by the rate of each coordinate.
    Eigen::VectorXd carrierSpin(std::size_t index) const {
        const RobotJoint& joint = m_robot.joints[index];
        return rows(joint.parent, true).transpose() *
               (m_poses[static_cast<std::size_t>(joint.child)].orientation * joint.axis);
    }

private:
    int links() const { return static_cast<int>(m_robot.links.size()); }

    Vector3d centre(int link) const {
        const auto i = static_cast<std::size_t>(link);
        return m_poses[i].position + m_poses[i].orientation * m_robot.links[i].principalFrame.position;
    }

    Vector3d pointOf(int link, const Vector3d& inLink) const {
        const RobotPose& pose = m_poses[static_cast<std::size_t>(link)];
        return pose.position + pose.orientation * inLink;
    }

    void addFreedom(const Freedom& freedom) { m_freedoms.push_back(freedom); }

    void addJoint(int index) {
        const RobotJoint& joint = m_robot.joints[static_cast<std::size_t>(index)];
        const RobotPose& child = m_poses[static_cast<std::size_t>(joint.child)];
        const Vector3d axis = child.orientation * joint.axis;
        if (joint.isScalar()) {
            m_columns[static_cast<std::size_t>(index)] = static_cast<int>(m_freedoms.size());
            addFreedom({index, joint.child, child.position, axis, joint.type != RobotJoint::Type::Prismatic});
        } else if (joint.type == RobotJoint::Type::Ball) {
            for (int k = 0; k < 3; ++k) addFreedom({index, joint.child, child.position, Vector3d::Unit(k), true});
        } else if (joint.type == RobotJoint::Type::Planar) {
            const Vector3d across = axis.unitOrthogonal();
            addFreedom({index, joint.child, child.position, across, false});
            addFreedom({index, joint.child, child.position, axis.cross(across), false});
            addFreedom({index, joint.child, child.position, axis, true});
        }
    }

    bool isCarried(int link, int by) const {
        while (link > by) link = m_robot.joints[static_cast<std::size_t>(link) - 1].parent;
        return link == by;
    }

    /// Velocity of a point of a link, per rate of each coordinate; world.
    MatrixXd rowsAt(int link, const Vector3d& point) const {
        MatrixXd moving = rows(link, false);
        const MatrixXd turning = rows(link, true);
        const Vector3d arm = point - centre(link);
        for (Eigen::Index k = 0; k < moving.cols(); ++k) moving.col(k) += Vector3d(turning.col(k)).cross(arm);
        return moving;
    }

    /// Velocity of a link's centre of mass, or its angular velocity, per rate of each coordinate; world.
    MatrixXd rows(int link, bool isAngular) const {
        MatrixXd jacobian = MatrixXd::Zero(3, static_cast<Eigen::Index>(m_freedoms.size()));
        for (std::size_t k = 0; k < m_freedoms.size(); ++k) {
            const Freedom& freedom = m_freedoms[k];
            if (!isCarried(link, freedom.carried)) continue;
            const auto column = static_cast<Eigen::Index>(k);
            if (isAngular) {
                if (freedom.turns) jacobian.col(column) = freedom.axis;
            } else {
                jacobian.col(column) = freedom.turns ? freedom.axis.cross(centre(link) - freedom.point) : freedom.axis;
            }
        }
        return jacobian;
    }

    const RobotDescription& m_robot;
    Vector3d m_gravity;
    std::vector<RobotPose> m_poses;
    std::vector<Freedom> m_freedoms;
    std::vector<int> m_columns;
};

/// Facts of an element between links: what moves is all that its distance moves.
RobotElementFacts factsOfSpan(const RobotScene& scene, const Mechanism& mechanism, const Eigen::LDLT<MatrixXd>& solved,
                              const Eigen::VectorXd& falling, const RobotElement& element, double rate) {
    ElementPlace place;
    const Eigen::VectorXd row = mechanism.stretching(*element.span, place.s);
    place.inverseMass = row.dot(solved.solve(row));
    if (!(place.inverseMass > 0) || !std::isfinite(place.inverseMass)) {
        throw InvalidParameter(
            fmt::format("robot '{}'", scene.robot.name),
            fmt::format("element '{}' cannot be explained: no joint changes its length at the start", element.name));
    }
    place.v = row.dot(mechanism.rates(scene));
    place.acceleration = row.dot(falling);
    RobotElementFacts facts;
    facts.jointInertia = 1 / place.inverseMass;
    facts.element = factsOf(element.law, place, 1 / rate);
    facts.element.name = element.name;
    facts.element.type = infoOf(element.type).name;
    facts.element.method = "joint coordinates";
    return facts;
}

}  // namespace

Eigen::MatrixXd robotInertia(const RobotScene& scene, std::vector<int>& columnOf) {
    const Mechanism mechanism(scene);
    columnOf = mechanism.columns();
    return mechanism.inertia();
}

std::vector<RobotElementFacts> explainRobot(const RobotScene& scene, double rate) {
    const Mechanism mechanism(scene);
    const MatrixXd inertia = mechanism.inertia();
    const Eigen::LDLT<MatrixXd> solved(inertia);
    const Eigen::VectorXd falling =
        inertia.size() > 0 ? Eigen::VectorXd(solved.solve(mechanism.gravity())) : Eigen::VectorXd();
    std::vector<RobotElementFacts> all;
    for (const RobotElement& element : scene.robot.elements) {
        if (element.span) {
            all.push_back(factsOfSpan(scene, mechanism, solved, falling, element, rate));
            continue;
        }
        const auto joint = static_cast<std::size_t>(element.joint);
        const int column = mechanism.columns()[joint];
        const Eigen::VectorXd unit = Eigen::VectorXd::Unit(inertia.rows(), column);
        const double inverse = unit.dot(solved.solve(unit));
        if (!(inverse > 0) || !std::isfinite(inverse)) {
            throw InvalidParameter(fmt::format("robot '{}'", scene.robot.name),
                                   fmt::format("element '{}' cannot be explained: joint '{}' moves nothing that has "
                                               "a mass",
                                               element.name, scene.robot.joints[joint].name));
        }
        const double sign = element.isUpper ? -1 : 1;
        ElementPlace place{inverse, sign * startOf(scene, joint), scene.v.empty() ? 0 : sign * scene.v[joint],
                           sign * falling[column]};
        RobotElementFacts facts;
        facts.joint = scene.robot.joints[joint].name;
        facts.jointInertia = 1 / inverse;
        if (element.drive) {
            facts.rotorInertia = element.drive->inertia * element.drive->ratio * element.drive->ratio;
            // The rotor rides on the parent link: what the element gives it that link bears.
            const Eigen::VectorXd row = unit + mechanism.carrierSpin(joint) / element.drive->ratio;
            place.inverseMass = row.dot(solved.solve(row)) + 1 / *facts.rotorInertia;
            place.s = relaxedCoordinate(element.law);
            place.v = 0;
        }
        facts.element = factsOf(element.law, place, 1 / rate);
        facts.element.name = element.name;
        facts.element.type = infoOf(element.type).name;
        facts.element.method = "joint coordinates";
        all.push_back(std::move(facts));
    }
    return all;
}

}  // namespace elasto::tools
