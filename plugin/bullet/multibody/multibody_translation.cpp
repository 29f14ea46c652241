#include "multibody/multibody_translation.h"

#include <elasto/flow.h>

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <Eigen/Eigenvalues>

#include "host/conversion.h"
#include "multibody/multibody_constraints.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

double massOf(const btMultiBody& body, int link) {
    return static_cast<double>(link < 0 ? body.getBaseMass() : body.getLinkMass(link));
}
Vector3d inertiaOf(const btMultiBody& body, int link) {
    return toEigen(link < 0 ? body.getBaseInertia() : body.getLinkInertia(link));
}

// Links that are fixed to one another, by the one nearest to the base (-1: it is the base).
std::vector<int> rootsOf(const btMultiBody& body) {
    std::vector<int> roots{-1};
    for (int i = 0; i < body.getNumLinks(); ++i) {
        const btMultibodyLink& link = body.getLink(i);
        const bool isFixed = link.m_jointType == btMultibodyLink::eFixed;
        roots.push_back(isFixed ? roots[static_cast<std::size_t>(link.m_parent + 1)] : i);
    }
    return roots;
}

struct Solid {
    double mass = 0;
    Vector3d centre = Vector3d::Zero();   // times the mass while it is summed up
    Matrix3d inertia = Matrix3d::Zero();  // about the centre
};

// Of the links with that root, in the world as they are.
Solid solidOf(const btMultiBody& body, const std::vector<int>& roots, int root, const std::vector<BodyState>& links) {
    Solid solid;
    const auto forMembers = [&](const auto& visit) {
        for (int link = -1; link < body.getNumLinks(); ++link) {
            if (roots[static_cast<std::size_t>(link + 1)] == root)
                visit(link, links[static_cast<std::size_t>(link + 1)]);
        }
    };
    forMembers([&](int link, const BodyState& at) {
        solid.mass += massOf(body, link);
        solid.centre += massOf(body, link) * at.position;
    });
    if (solid.mass > 0) solid.centre /= solid.mass;
    forMembers([&](int link, const BodyState& at) {
        const Matrix3d R = at.orientation.toRotationMatrix();
        const Vector3d d = at.position - solid.centre;
        solid.inertia += R * inertiaOf(body, link).asDiagonal() * R.transpose();
        solid.inertia += massOf(body, link) * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose());
    });
    return solid;
}

// The flow body of a group, and where its links are in it.
int addGroup(MovedMultiBody& moved, const std::vector<int>& roots, int root, const std::vector<BodyState>& links,
             FlowNetwork& network) {
    const btMultiBody& body = *moved.body;
    const int members = static_cast<int>(std::count(roots.begin(), roots.end(), root));
    const BodyState& first = links[static_cast<std::size_t>(root + 1)];
    FlowBody flow;
    static_cast<BodyState&>(flow) = first;
    flow.gyroscopic = body.getUseGyroTerm();
    if (members == 1) {
        flow.inverseMass = 1 / massOf(body, root);
        flow.inverseInertia = inertiaOf(body, root).cwiseInverse();
    } else {
        const Solid solid = solidOf(body, roots, root, links);
        // In the first link's frame, where it is the same in every tick up to the rounding.
        const Matrix3d R = first.orientation.toRotationMatrix();
        const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(Matrix3d(R.transpose() * solid.inertia * R));
        Matrix3d principal = axes.eigenvectors();
        if (principal.determinant() < 0) principal.col(2) *= -1;
        flow.inverseMass = 1 / solid.mass;
        flow.inverseInertia = axes.eigenvalues().cwiseInverse();
        flow.position = solid.centre;
        flow.orientation = (first.orientation * Quaterniond(principal)).normalized();
        flow.velocity = first.velocity + first.angularVelocity.cross(solid.centre - first.position);
    }
    const int index = static_cast<int>(network.bodies.size());
    for (int link = -1; link < body.getNumLinks(); ++link) {
        if (roots[static_cast<std::size_t>(link + 1)] != root) continue;
        const BodyState& at = links[static_cast<std::size_t>(link + 1)];
        LinkPlace& place = moved.places[static_cast<std::size_t>(link + 1)];
        place.body = index;
        place.origin = members == 1 ? Vector3d::Zero().eval()
                                    : Vector3d(flow.orientation.conjugate() * (at.position - flow.position));
        place.turn = members == 1 ? Quaterniond::Identity() : flow.orientation.conjugate() * at.orientation;
    }
    network.bodies.push_back(flow);
    return index;
}

// Of the two bodies of a joint; frames of both coincide where the joint's coordinates are 0, with the axis along z.
struct JointEnds {
    LinkPlace parent;
    LinkPlace link;
    Vector3d pointA;   // in the parent's frame
    Vector3d pointB;   // in the link's frame
    Quaterniond zero;  // link's frame -> parent's at 0
    Quaterniond axes;  // z along the axis, in the link's frame

    HeldRow alongAxis(int axis) const {
        HeldRow row = empty();
        row.axisA = parent.turn * (zero * (axes * Vector3d::Unit(axis)));
        return row;
    }
    HeldRow orthogonal(int axisA, int axisB) const {
        HeldRow row = empty();
        row.kind = HeldRow::Kind::Orthogonal;
        row.axisA = parent.turn * (zero * (axes * Vector3d::Unit(axisA)));
        row.axisB = link.turn * (axes * Vector3d::Unit(axisB));
        return row;
    }

private:
    HeldRow empty() const {
        HeldRow row;
        row.a = parent.body;
        row.b = link.body;
        row.pointA = parent.point(pointA);
        row.pointB = link.point(pointB);
        return row;
    }
};

JointEnds endsOf(const MovedMultiBody& moved, int index) {
    const btMultibodyLink& link = moved.body->getLink(index);
    JointEnds ends;
    ends.parent = moved.place(link.m_parent);
    ends.link = moved.place(index);
    ends.zero = zeroTurn(link);
    ends.pointA = toEigen(link.m_eVector);
    ends.pointB =
        link.m_jointType == btMultibodyLink::ePlanar ? Vector3d::Zero().eval() : Vector3d(-toEigen(link.m_dVector));
    const bool hasAxis = link.m_jointType != btMultibodyLink::eSpherical;
    ends.axes = hasAxis ? frameAlong(axisOf(link)) : Quaterniond::Identity();
    return ends;
}

void addJoint(const MovedMultiBody& moved, int index, FlowNetwork& network) {
    const JointEnds ends = endsOf(moved, index);
    const auto add = [&](const HeldRow& row) { network.joints.push_back(row); };
    switch (moved.body->getLink(index).m_jointType) {
        case btMultibodyLink::eSpherical:
            for (int k = 0; k < 3; ++k) add(ends.alongAxis(k));
            break;
        case btMultibodyLink::eRevolute:
            for (int k = 0; k < 3; ++k) add(ends.alongAxis(k));
            add(ends.orthogonal(2, 0));
            add(ends.orthogonal(2, 1));
            break;
        case btMultibodyLink::ePrismatic:
            add(ends.alongAxis(0));
            add(ends.alongAxis(1));
            add(ends.orthogonal(2, 0));
            add(ends.orthogonal(2, 1));
            add(ends.orthogonal(0, 1));
            break;
        case btMultibodyLink::ePlanar:
            add(ends.alongAxis(2));
            add(ends.orthogonal(2, 0));
            add(ends.orthogonal(2, 1));
            break;
        default:
            break;
    }
}

}  // namespace

MultiBodyLoads loadsOf(const btMultiBody& body) {
    MultiBodyLoads loads;
    loads.forces.push_back(toEigen(body.getBaseForce()));
    loads.torques.push_back(toEigen(body.getBaseTorque()));
    loads.joints.resize(static_cast<std::size_t>(body.getNumDofs()));
    for (int i = 0; i < body.getNumLinks(); ++i) {
        const btMultibodyLink& link = body.getLink(i);
        loads.forces.push_back(toEigen(link.m_appliedForce));
        loads.torques.push_back(toEigen(link.m_appliedTorque));
        for (int k = 0; k < link.m_dofCount; ++k) {
            loads.joints[static_cast<std::size_t>(link.m_dofOffset + k)].constant =
                static_cast<double>(link.m_jointTorque[k]);
        }
    }
    return loads;
}

const char* whyRefused(const btMultiBody& body) {
    if (body.isUsingGlobalVelocities()) return "useGlobalVelocities(true)";
    if (body.isBaseKinematic()) return "a kinematic base";
    for (int link = 0; link < body.getNumLinks(); ++link) {
        const btMultiBodyLinkCollider* collider = body.getLink(link).m_collider;
        if (collider != nullptr && collider->isKinematicObject()) return "a kinematic link";
    }
    return nullptr;
}

const char* whyNotInFlow(const btMultiBody& body) {
    const std::vector<int> roots = rootsOf(body);
    for (int link = -1; link < body.getNumLinks(); ++link) {
        if (roots[static_cast<std::size_t>(link + 1)] != link || (link < 0 && body.hasFixedBase())) continue;
        double mass = 0;
        Vector3d inertia = Vector3d::Zero();
        for (int other = -1; other < body.getNumLinks(); ++other) {
            if (roots[static_cast<std::size_t>(other + 1)] != link) continue;
            mass += massOf(body, other);
            inertia += inertiaOf(body, other);
        }
        if (!(mass > 0)) return "a link without mass";
        if (!(inertia.minCoeff() > 0)) return "a link without a moment of inertia about each axis";
    }
    return nullptr;
}

void addMultiBody(MovedMultiBody& moved, FlowNetwork& network) {
    const btMultiBody& body = *moved.body;
    const std::vector<BodyState> links = linkStates(body, moved.start);
    const std::vector<int> roots = rootsOf(body);
    moved.startKinetic = kineticEnergy(body, links);
    moved.places.assign(links.size(), {});
    for (int link = -1; link < body.getNumLinks(); ++link) {
        const int root = roots[static_cast<std::size_t>(link + 1)];
        if (root < 0 && body.hasFixedBase()) {
            LinkPlace& place = moved.places[static_cast<std::size_t>(link + 1)];
            place.origin = links[static_cast<std::size_t>(link + 1)].position;
            place.turn = links[static_cast<std::size_t>(link + 1)].orientation;
        } else if (root == link) {
            addGroup(moved, roots, root, links, network);
        }
    }
    for (int link = 0; link < body.getNumLinks(); ++link) {
        addJoint(moved, link, network);
    }
}

BodyState carried(const BodyState& body, const LinkPlace& place) {
    BodyState link;
    const Vector3d arm = body.orientation * place.origin;
    link.position = body.position + arm;
    link.orientation = body.orientation * place.turn;
    link.angularVelocity = body.angularVelocity;
    link.velocity = body.velocity + body.angularVelocity.cross(arm);
    return link;
}

void readEnd(MovedMultiBody& moved, const std::vector<JointBound>& bounds, const TickResult& result, double h) {
    std::vector<BodyState> links;
    for (const LinkPlace& place : moved.places) {
        BodyState body;
        if (place.body != kWorld) body = result.bodies[static_cast<std::size_t>(place.body)];
        links.push_back(carried(body, place));
    }
    moved.end = fromLinks(*moved.body, links, moved.start, h);
    closeGears(bounds, *moved.body, moved.end);
    moved.endKinetic = kineticEnergy(*moved.body, links);
}

JointRow jointRow(const MovedMultiBody& moved, const JointCoordinate& joint) {
    const btMultibodyLink& link = moved.body->getLink(joint.link);
    const JointEnds ends = endsOf(moved, joint.link);
    const Vector3d axis = axisOf(link);
    JointRow row;
    row.a = ends.parent.body;
    row.b = ends.link.body;
    row.axis = joint.sign * (ends.parent.turn * (ends.zero * axis));
    row.frameA = ends.parent.turn * ends.zero;
    row.frameB = ends.link.turn;
    row.pointB = ends.link.point(ends.pointB);
    if (link.m_jointType == btMultibodyLink::ePrismatic) {
        row.geometry = Geometry::AlongAxis;
        row.pointA = ends.parent.point(ends.pointA + joint.offset * (ends.zero * axis));
    } else {
        row.pointA = ends.parent.point(ends.pointA);
        row.frameA = row.frameA * Eigen::AngleAxisd(joint.offset, axis);
        row.phi = joint.sign * (moved.start.q[static_cast<std::size_t>(link.m_cfgOffset)] - joint.offset);
    }
    return row;
}

std::string nameOfLink(const btMultiBody& body, int link) {
    const char* name = link < 0 ? body.getBaseName() : body.getLink(link).m_linkName;
    if (name != nullptr && *name != 0) return std::string("link '") + name + "'";
    return link < 0 ? "the base" : "link " + std::to_string(link);
}

btMultiBody* multiBodyOf(const btCollisionObject& object, int& link) {
    const auto* collider = btMultiBodyLinkCollider::upcast(&object);
    link = collider != nullptr ? collider->m_link : -1;
    return collider != nullptr ? collider->m_multiBody : nullptr;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
