#include "movable.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <stdexcept>

#include "host/conversion.h"

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Eigen::Vector3d;

double massOf(const GuestLink& link) {
    return static_cast<double>(link.link < 0 ? link.body->getBaseMass() : link.body->getLinkMass(link.link));
}

Vector3d inertiaOf(const GuestLink& link) {
    return toEigen(link.link < 0 ? link.body->getBaseInertia() : link.body->getLinkInertia(link.link));
}

/// Velocities of a link's points, and its angular velocity, as functions of its multibody's coordinates.
class Jacobians {
public:
    explicit Jacobians(const btMultiBody& body) : m_body(body), m_size(6 + body.getNumDofs()) {}

    /// Rows of the velocity of a point [m/s], world.
    Eigen::MatrixXd linear(int link, const Vector3d& worldPoint) { return rows(link, worldPoint, false); }
    /// Rows of the angular velocity [rad/s], world.
    Eigen::MatrixXd angular(int link) { return rows(link, Vector3d::Zero(), true); }

    /// Inertia of all coordinates. Those of a base that is fixed have none: there the mobility is 0.
    Eigen::MatrixXd inertia() {
        Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(m_size, m_size);
        for (int link = m_body.hasFixedBase() ? 0 : -1; link < m_body.getNumLinks(); ++link) {
            const GuestLink moved{const_cast<btMultiBody*>(&m_body), link};
            const BodyState state = stateOf(moved);
            const Eigen::MatrixXd v = linear(link, state.position);
            const Eigen::MatrixXd w = state.orientation.conjugate().toRotationMatrix() * angular(link);
            sum += massOf(moved) * v.transpose() * v + w.transpose() * inertiaOf(moved).asDiagonal() * w;
        }
        return sum;
    }

private:
    Eigen::MatrixXd rows(int link, const Vector3d& point, bool isAngular) {
        Eigen::MatrixXd jacobian(3, m_size);
        std::vector<btScalar> row(static_cast<std::size_t>(m_size));
        for (int k = 0; k < 3; ++k) {
            btVector3 axis(0, 0, 0);
            axis[k] = 1;
            const btVector3 none(0, 0, 0);
            m_body.fillConstraintJacobianMultiDof(link, toBullet(point), isAngular ? axis : none,
                                                  isAngular ? none : axis, row.data(), m_scalars, m_vectors,
                                                  m_matrices);
            for (int i = 0; i < m_size; ++i) jacobian(k, i) = static_cast<double>(row[static_cast<std::size_t>(i)]);
        }
        if (m_body.hasFixedBase()) jacobian.leftCols<6>().setZero();
        return jacobian;
    }

    const btMultiBody& m_body;
    int m_size;
    btAlignedObjectArray<btScalar> m_scalars;
    btAlignedObjectArray<btVector3> m_vectors;
    btAlignedObjectArray<btMatrix3x3> m_matrices;
};

/// Largest answer to a unit of impulse in any direction of some rows.
double largestAnswer(const Eigen::MatrixXd& inertia, const Eigen::MatrixXd& rows) {
    const Eigen::MatrixXd answer = rows * inertia.completeOrthogonalDecomposition().solve(rows.transpose());
    const Eigen::Matrix3d symmetric = (answer + answer.transpose()) / 2;
    return std::max(0.0, Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(symmetric).eigenvalues().maxCoeff());
}

double largestInverseInertia(const btRigidBody& body) {
    return toEigen(body.getInvInertiaDiagLocal()).maxCoeff();
}

std::string nameOf(const GuestLink& link, std::size_t index) {
    const char* given = link.link < 0 ? link.body->getBaseName() : link.body->getLink(link.link).m_linkName;
    if (given != nullptr && *given != '\0') return given;
    return link.link < 0 ? "base" + std::to_string(index) : "link" + std::to_string(index);
}

}  // namespace

std::vector<GuestLink> guestLinks(const SceneWorld& world) {
    std::vector<GuestLink> links;
    if (world.multiBodyWorld() == nullptr) return links;
    auto& multiBodyWorld = const_cast<btMultiBodyDynamicsWorld&>(*world.multiBodyWorld());
    for (int i = 0; i < multiBodyWorld.getNumMultibodies(); ++i) {
        btMultiBody* body = multiBodyWorld.getMultiBody(i);
        for (int link = -1; link < body->getNumLinks(); ++link) links.push_back({body, link});
    }
    return links;
}

BodyState stateOf(const GuestLink& link) {
    const btMultiBody& body = *link.body;
    BodyState state;
    state.position = toEigen(body.localPosToWorld(link.link, btVector3(0, 0, 0)));
    state.orientation = rotationOf(body.localFrameToWorld(link.link, btMatrix3x3::getIdentity()));
    std::vector<btVector3> turning(static_cast<std::size_t>(body.getNumLinks() + 1));
    std::vector<btVector3> moving(turning.size());
    body.compTreeLinkVelocities(turning.data(), moving.data());
    const auto own = static_cast<std::size_t>(link.link + 1);
    state.velocity = toEigen(body.localDirToWorld(link.link, moving[own]));
    state.angularVelocity = toEigen(body.localDirToWorld(link.link, turning[own]));
    return state;
}

Movable::Movable(const SceneWorld& world, std::size_t index) {
    if (index < world.bodies()) {
        m_body = const_cast<btRigidBody*>(&world.body(index));
        m_name = world.scene().bodies[index].name;
        return;
    }
    const std::vector<GuestLink> links = guestLinks(world);
    const std::size_t link = index - world.bodies();
    if (link >= links.size()) {
        throw std::out_of_range("no body " + std::to_string(index) + "; there are " +
                                std::to_string(world.bodies() + links.size()));
    }
    m_link = links[link];
    m_name = nameOf(m_link, link);
}

std::string Movable::name() const {
    return m_name;
}

bool Movable::isMovedByForces() const {
    if (m_body != nullptr) return !m_body->isStaticOrKinematicObject();
    return mobility(Vector3d::Zero()) > 0 || rotationalMobility() > 0;
}

Vector3d Movable::toWorld(const Vector3d& point) const {
    if (m_body != nullptr) return toEigen(m_body->getWorldTransform() * toBullet(point));
    return toEigen(m_link.body->localPosToWorld(m_link.link, toBullet(point)));
}

Eigen::Quaterniond Movable::orientation() const {
    if (m_body == nullptr) return stateOf(m_link).orientation;
    const btQuaternion q = m_body->getWorldTransform().getRotation();
    return Eigen::Quaterniond(static_cast<double>(q.w()), static_cast<double>(q.x()), static_cast<double>(q.y()),
                              static_cast<double>(q.z()))
        .normalized();
}

Vector3d Movable::velocityAt(const Vector3d& worldPoint) const {
    if (m_body != nullptr) {
        const btVector3 arm = toBullet(worldPoint) - m_body->getCenterOfMassPosition();
        return toEigen(m_body->getVelocityInLocalPoint(arm));
    }
    const BodyState state = stateOf(m_link);
    return state.velocity + state.angularVelocity.cross(worldPoint - state.position);
}

Vector3d Movable::angularVelocity() const {
    return m_body != nullptr ? toEigen(m_body->getAngularVelocity()) : stateOf(m_link).angularVelocity;
}

double Movable::mobility(const Vector3d& point) const {
    if (m_body != nullptr) {
        return static_cast<double>(m_body->getInvMass()) + point.squaredNorm() * largestInverseInertia(*m_body);
    }
    Jacobians jacobians(*m_link.body);
    return largestAnswer(jacobians.inertia(), jacobians.linear(m_link.link, toWorld(point)));
}

double Movable::rotationalMobility() const {
    if (m_body != nullptr) return largestInverseInertia(*m_body);
    Jacobians jacobians(*m_link.body);
    return largestAnswer(jacobians.inertia(), jacobians.angular(m_link.link));
}

void Movable::activate() const {
    if (m_body != nullptr) {
        m_body->activate();
    } else {
        m_link.body->wakeUp();
    }
}

void Movable::applyForce(const Vector3d& force, const Vector3d& worldPoint) const {
    if (m_body != nullptr) {
        m_body->applyForce(toBullet(force), toBullet(worldPoint) - m_body->getCenterOfMassPosition());
        return;
    }
    const Vector3d torque = (worldPoint - toWorld(Vector3d::Zero())).cross(force);
    if (m_link.link < 0) {
        m_link.body->addBaseForce(toBullet(force));
    } else {
        m_link.body->addLinkForce(m_link.link, toBullet(force));
    }
    applyTorque(torque);
}

void Movable::applyTorque(const Vector3d& torque) const {
    if (m_body != nullptr) {
        m_body->applyTorque(toBullet(torque));
    } else if (m_link.link < 0) {
        m_link.body->addBaseTorque(toBullet(torque));
    } else {
        m_link.body->addLinkTorque(m_link.link, toBullet(torque));
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
