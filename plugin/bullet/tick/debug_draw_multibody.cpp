#include <elasto/multibody_element.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <LinearMath/btIDebugDraw.h>

#include "host/conversion.h"
#include "multibody/multibody_state.h"
#include "tick/debug_draw.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr btScalar kSize = btScalar(0.1);  // [m] radius of the arc about a joint
constexpr int kArc = 16;

struct Seen {
    btVector3 origin;
    btVector3 axis;
};

Seen jointOf(const btMultiBody& body, int index) {
    const btMultibodyLink& link = body.getLink(index);
    const BodyState at = linkStates(body, stateOf(body))[static_cast<std::size_t>(index + 1)];
    return {toBullet(Eigen::Vector3d(at.position - at.orientation * toEigen(link.m_dVector))),
            toBullet(Eigen::Vector3d(at.orientation * axisOf(link)))};
}

btVector3 pointOf(const Flange& flange, const Eigen::Vector3d& point) {
    if (flange.isWorld()) return toBullet(point);
    if (flange.rigidBody() != nullptr) return flange.rigidBody()->getWorldTransform() * toBullet(point);
    const btMultiBody& body = *flange.multiBody();
    const BodyState at = linkStates(body, stateOf(body))[static_cast<std::size_t>(flange.link() + 1)];
    return toBullet(Eigen::Vector3d(at.position + at.orientation * point));
}

// Axis and the angle that the element has to its rest position: an arc about it, or a line along it.
void drawJoint(const btMultiBody& body, int link, double s, const btVector3& color, btIDebugDraw& drawer) {
    const Seen joint = jointOf(body, link);
    drawer.drawLine(joint.origin - kSize * joint.axis, joint.origin + kSize * joint.axis, color);
    if (body.getLink(link).m_jointType == btMultibodyLink::ePrismatic) {
        drawer.drawLine(joint.origin, joint.origin - static_cast<btScalar>(s) * joint.axis, color);
        return;
    }
    btVector3 y;
    btVector3 z;
    btPlaneSpace1(joint.axis, y, z);
    btVector3 last = joint.origin + kSize * y;
    for (int i = 1; i <= kArc; ++i) {
        const btScalar angle = static_cast<btScalar>(s) * btScalar(i) / kArc;
        const btVector3 next = joint.origin + kSize * (btCos(angle) * y + btSin(angle) * z);
        drawer.drawLine(last, next, color);
        last = next;
    }
    drawer.drawLine(joint.origin, last, color);
}

}  // namespace

void drawElement(const MultiBodyElement& element, btIDebugDraw& drawer) {
    const btVector3 grey(btScalar(0.5), btScalar(0.5), btScalar(0.5));
    const btVector3 color = element.isEnabled() ? methodColor(element.method()) : grey;
    const double s = element.s_rel();
    if (const auto* joint = std::get_if<JointCoordinate>(&element.placing())) {
        drawJoint(*joint->body, joint->link, s, color, drawer);
    } else if (const auto* drive = std::get_if<Drive>(&element.placing())) {
        drawJoint(*drive->body, drive->link, s, color, drawer);
    } else if (const auto* pair = std::get_if<GearPair>(&element.placing())) {
        drawJoint(*pair->first.body, pair->first.link, s, color, drawer);
        drawJoint(*pair->second.body, pair->second.link, -s / pair->ratio, color, drawer);
    } else if (const auto* rotor = std::get_if<RotorCoordinate>(&element.placing())) {
        const Drive& on = std::get<Drive>(rotor->drive->placing());
        drawJoint(*on.body, on.link, s / on.ratio, color, drawer);
    } else {
        const auto& placement = std::get<LinkPlacement>(element.placing());
        drawer.drawLine(pointOf(placement.a(), placement.pointA()), pointOf(placement.b(), placement.pointB()), color);
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
