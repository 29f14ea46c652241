#include "multibody/multibody_state.h"

#include <elasto/errors.h>

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <cmath>

#include "host/conversion.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

double toDouble(btScalar value) {
    return static_cast<double>(value);
}

Quaterniond turnBy(double angle, const Vector3d& axis) {
    return Quaterniond(Eigen::AngleAxisd(angle, axis));
}

// A link against its parent, both in the parent's frame.
struct Relative {
    Vector3d position;         // of the link's centre of mass from the parent's
    Quaterniond turn;          // link's frame -> parent's frame
    Vector3d velocity;         // of the link's centre of mass, as seen in the parent's frame
    Vector3d angularVelocity;  // against the parent
};

Relative relativeOf(const btMultibodyLink& link, const double* q, const double* rates) {
    Relative result;
    const Quaterniond zero = zeroTurn(link);
    const Vector3d e = toEigen(link.m_eVector);
    const Vector3d d = toEigen(link.m_dVector);
    result.turn = zero;
    result.velocity.setZero();
    result.angularVelocity.setZero();
    switch (link.m_jointType) {
        case btMultibodyLink::eRevolute: {
            const Vector3d axis = axisOf(link);
            result.turn = zero * turnBy(q[0], axis);
            const Vector3d arm = result.turn * d;
            result.position = e + arm;
            result.angularVelocity = rates[0] * (zero * axis);
            result.velocity = result.angularVelocity.cross(arm);
            break;
        }
        case btMultibodyLink::ePrismatic: {
            const Vector3d axis = zero * axisOf(link);
            result.position = e + zero * d + q[0] * axis;
            result.velocity = rates[0] * axis;
            break;
        }
        case btMultibodyLink::eSpherical: {
            result.turn = zero * Quaterniond(q[3], q[0], q[1], q[2]).normalized();
            const Vector3d arm = result.turn * d;
            result.position = e + arm;
            result.angularVelocity = result.turn * Vector3d(rates[0], rates[1], rates[2]);
            result.velocity = result.angularVelocity.cross(arm);
            break;
        }
        case btMultibodyLink::ePlanar: {
            const Vector3d axis = axisOf(link);
            const Vector3d first = toEigen(link.getAxisBottom(1));
            const Vector3d second = toEigen(link.getAxisBottom(2));
            result.turn = zero * turnBy(q[0], axis);
            result.position = e + zero * Vector3d(q[1] * first + q[2] * second);
            result.angularVelocity = rates[0] * (zero * axis);
            result.velocity = result.turn * Vector3d(rates[1] * first + rates[2] * second);
            break;
        }
        default:
            result.position = e + zero * d;
            break;
    }
    return result;
}

double nearestTurn(double angle, double expected) {
    constexpr double kTurn = 2 * M_PI;
    return angle + kTurn * std::round((expected - angle) / kTurn);
}

double angleAbout(const Quaterniond& turn, const Vector3d& axis) {
    return 2 * std::atan2(turn.vec().dot(axis), turn.w());
}

// Positions and rates of a joint from its link's motion against the parent. @param h since q and rates were right
void readJoint(const btMultibodyLink& link, const Relative& now, double h, double* q, double* rates) {
    const Quaterniond zero = zeroTurn(link);
    const Vector3d axis = axisOf(link);
    const auto readAngle = [&] {
        const double rate = (zero * axis).dot(now.angularVelocity);
        const double expected = q[0] + h * (rates[0] + rate) / 2;
        q[0] = nearestTurn(angleAbout(zero.conjugate() * now.turn, axis), expected);
        rates[0] = rate;
    };
    switch (link.m_jointType) {
        case btMultibodyLink::eRevolute:
            readAngle();
            break;
        case btMultibodyLink::ePrismatic: {
            const Vector3d origin = toEigen(link.m_eVector) + zero * toEigen(link.m_dVector);
            q[0] = (zero * axis).dot(now.position - origin);
            rates[0] = (zero * axis).dot(now.velocity);
            break;
        }
        case btMultibodyLink::eSpherical: {
            Quaterniond turn = zero.conjugate() * now.turn;
            if (turn.coeffs().dot(Eigen::Map<Eigen::Vector4d>(q)) < 0) {
                turn.coeffs() *= -1;
            }
            Eigen::Map<Eigen::Vector4d>{q} = turn.normalized().coeffs();
            Eigen::Map<Vector3d>{rates} = now.turn.conjugate() * now.angularVelocity;
            break;
        }
        case btMultibodyLink::ePlanar: {
            readAngle();
            const Vector3d first = toEigen(link.getAxisBottom(1));
            const Vector3d second = toEigen(link.getAxisBottom(2));
            const Vector3d displacement = zero.conjugate() * (now.position - toEigen(link.m_eVector));
            const Vector3d velocity = now.turn.conjugate() * now.velocity;
            q[1] = first.dot(displacement);
            q[2] = second.dot(displacement);
            rates[1] = first.dot(velocity);
            rates[2] = second.dot(velocity);
            break;
        }
        default:
            break;
    }
}

double kineticEnergyOf(const BodyState& state, btScalar mass, const btVector3& inertia) {
    const Vector3d w = state.orientation.conjugate() * state.angularVelocity;
    return (toDouble(mass) * state.velocity.squaredNorm() + toEigen(inertia).dot(w.cwiseAbs2())) / 2;
}

}  // namespace

Quaterniond zeroTurn(const btMultibodyLink& link) {
    return rotationOf(link.m_zeroRotParentToThis).conjugate();
}

Vector3d axisOf(const btMultibodyLink& link) {
    const bool isPrismatic = link.m_jointType == btMultibodyLink::ePrismatic;
    return toEigen(isPrismatic ? link.getAxisBottom(0) : link.getAxisTop(0)).normalized();
}

MultiBodyState stateOf(const btMultiBody& body) {
    MultiBodyState state;
    state.base.position = toEigen(body.getBasePos());
    state.base.orientation = rotationOf(body.getWorldToBaseRot()).conjugate();
    if (!body.hasFixedBase()) {
        state.base.velocity = toEigen(body.getBaseVel());
        state.base.angularVelocity = toEigen(body.getBaseOmega());
    }
    state.q.resize(static_cast<std::size_t>(body.getNumPosVars()));
    state.rates.resize(static_cast<std::size_t>(body.getNumDofs()));
    for (int i = 0; i < body.getNumLinks(); ++i) {
        const btMultibodyLink& link = body.getLink(i);
        for (int k = 0; k < link.m_posVarCount; ++k) {
            state.q[static_cast<std::size_t>(link.m_cfgOffset + k)] = toDouble(link.m_jointPos[k]);
        }
    }
    for (std::size_t k = 0; k < state.rates.size(); ++k) {
        state.rates[k] = toDouble(body.getVelocityVector()[6 + k]);
    }
    return state;
}

void setVelocities(btMultiBody& body, const MultiBodyState& state) {
    if (!body.hasFixedBase()) {
        body.setBaseVel(toBullet(state.base.velocity));
        body.setBaseOmega(toBullet(state.base.angularVelocity));
    }
    auto* rates = const_cast<btScalar*>(body.getVelocityVector()) + 6;  // as Bullet does itself
    for (std::size_t k = 0; k < state.rates.size(); ++k) {
        rates[k] = static_cast<btScalar>(state.rates[k]);
    }
}

void setState(btMultiBody& body, const MultiBodyState& state) {
    setVelocities(body, state);
    if (!body.hasFixedBase()) {
        const Quaterniond turn = state.base.orientation.conjugate();
        body.setBasePos(toBullet(state.base.position));
        body.setWorldToBaseRot(btQuaternion(static_cast<btScalar>(turn.x()), static_cast<btScalar>(turn.y()),
                                            static_cast<btScalar>(turn.z()), static_cast<btScalar>(turn.w())));
    }
    for (int i = 0; i < body.getNumLinks(); ++i) {
        btMultibodyLink& link = body.getLink(i);
        for (int k = 0; k < link.m_posVarCount; ++k) {
            link.m_jointPos[k] = static_cast<btScalar>(state.q[static_cast<std::size_t>(link.m_cfgOffset + k)]);
        }
        link.updateCacheMultiDof();
    }
}

std::vector<BodyState> linkStates(const btMultiBody& body, const MultiBodyState& state) {
    std::vector<BodyState> links{state.base};
    for (int i = 0; i < body.getNumLinks(); ++i) {
        const btMultibodyLink& link = body.getLink(i);
        const BodyState parent = links[static_cast<std::size_t>(link.m_parent + 1)];
        const Relative relative =
            relativeOf(link, state.q.data() + link.m_cfgOffset, state.rates.data() + link.m_dofOffset);
        BodyState& own = links.emplace_back();
        const Vector3d arm = parent.orientation * relative.position;
        own.position = parent.position + arm;
        own.orientation = (parent.orientation * relative.turn).normalized();
        own.angularVelocity = parent.angularVelocity + parent.orientation * relative.angularVelocity;
        own.velocity = parent.velocity + parent.angularVelocity.cross(arm) + parent.orientation * relative.velocity;
    }
    return links;
}

MultiBodyState fromLinks(const btMultiBody& body, const std::vector<BodyState>& links, const MultiBodyState& before,
                         double h) {
    MultiBodyState state = before;
    if (!body.hasFixedBase()) {
        state.base = links.front();
    }
    for (int i = 0; i < body.getNumLinks(); ++i) {
        const btMultibodyLink& link = body.getLink(i);
        const BodyState& parent = links[static_cast<std::size_t>(link.m_parent + 1)];
        const BodyState& own = links[static_cast<std::size_t>(i + 1)];
        const Quaterniond toParent = parent.orientation.conjugate();
        const Vector3d arm = own.position - parent.position;
        Relative relative;
        relative.position = toParent * arm;
        relative.turn = toParent * own.orientation;
        relative.angularVelocity = toParent * (own.angularVelocity - parent.angularVelocity);
        relative.velocity = toParent * (own.velocity - parent.velocity - parent.angularVelocity.cross(arm));
        readJoint(link, relative, h, state.q.data() + link.m_cfgOffset, state.rates.data() + link.m_dofOffset);
    }
    return state;
}

double kineticEnergy(const btMultiBody& body, const std::vector<BodyState>& links) {
    double energy = body.hasFixedBase() ? 0 : kineticEnergyOf(links.front(), body.getBaseMass(), body.getBaseInertia());
    for (int i = 0; i < body.getNumLinks(); ++i) {
        energy += kineticEnergyOf(links[static_cast<std::size_t>(i + 1)], body.getLinkMass(i), body.getLinkInertia(i));
    }
    return energy;
}

bool hasCoordinate(const btMultiBody& body, int link) {
    if (link < 0 || link >= body.getNumLinks()) return false;
    const auto type = body.getLink(link).m_jointType;
    return type == btMultibodyLink::eRevolute || type == btMultibodyLink::ePrismatic;
}

void requireJoint(const char* owner, const btMultiBody& body, int link) {
    if (link < 0 || link >= body.getNumLinks()) {
        throw InvalidParameter(owner, "link", link,
                               "a link of the multibody, 0 ... " + std::to_string(body.getNumLinks() - 1));
    }
    if (!hasCoordinate(body, link)) {
        throw InvalidParameter(owner, "link", link, "the child link of a revolute or prismatic joint");
    }
}

void noteLinkMotions(btMultiBody& body, const MultiBodyState& start) {
    MultiBodyState stepped = stateOf(body);
    stepped.q = start.q;
    stepped.base.position = start.base.position;
    stepped.base.orientation = start.base.orientation;
    const std::vector<BodyState> first = linkStates(body, start), last = linkStates(body, stepped);
    for (int link = -1; link < body.getNumLinks(); ++link) {
        btCollisionObject* collider = link < 0 ? body.getBaseCollider() : body.getLink(link).m_collider;
        if (collider == nullptr) continue;
        const auto i = static_cast<std::size_t>(link + 1);
        collider->setInterpolationLinearVelocity(toBullet(Vector3d((first[i].velocity + last[i].velocity) / 2)));
        collider->setInterpolationAngularVelocity(
            toBullet(Vector3d((first[i].angularVelocity + last[i].angularVelocity) / 2)));
    }
}

bool isAsleep(const btMultiBody& body) {
    const auto sleeps = [](const btMultiBodyLinkCollider* collider) {
        return collider != nullptr && collider->getActivationState() == ISLAND_SLEEPING;
    };
    bool isAsleep = sleeps(body.getBaseCollider());
    for (int i = 0; i < body.getNumLinks(); ++i) {
        isAsleep = isAsleep || sleeps(body.getLink(i).m_collider);
    }
    return isAsleep;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
