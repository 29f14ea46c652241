#include "contacts/resting_contacts.h"

#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletCollision/NarrowPhaseCollision/btManifoldPoint.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "contacts/contact_impulse_share.h"
#include "contacts/tuning.h"
#include "host/body_status.h"
#include "host/conversion.h"
#include "host/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

btVector3 velocityAt(const btCollisionObject& object, const btVector3& place) {
    const btRigidBody* body = btRigidBody::upcast(&object);
    if (body == nullptr || isFixed(*body)) return btVector3(0, 0, 0);
    return body->getVelocityInLocalPoint(place - body->getCenterOfMassPosition());
}

btVector3 placeOf(const ContactPoint& point) {
    const btCollisionObject& body = point.contact.isVertexOnA ? *point.bodyA : *point.bodyB;
    return body.getWorldTransform() * toBullet(point.contact.vertex);
}

double speedOf(const ContactPoint& point) {
    const btVector3 place = placeOf(point);
    return static_cast<double>((velocityAt(*point.bodyA, place) - velocityAt(*point.bodyB, place)).length());
}

// How deep it is says how hard it pushes.
bool isSoft(const ContactPoint& point) {
    return std::isfinite(point.contact.stiffness);
}

// Bullet's friction has done what it can.
bool isSliding(std::span<const ContactPoint> pair) {
    double friction = 0, most = 0;
    for (const ContactPoint& point : pair) {
        friction += std::hypot(static_cast<double>(point.point->m_appliedImpulseLateral1),
                               static_cast<double>(point.point->m_appliedImpulseLateral2));
        most += point.contact.friction * static_cast<double>(point.point->m_appliedImpulse);
    }
    return friction > kMostHeld * most;
}

// b as a sees it.
BodyState between(const ContactPoint& point) {
    const BodyState a = poseOf(*point.bodyA);
    const BodyState b = poseOf(*point.bodyB);
    BodyState pose;
    pose.position = a.orientation.conjugate() * (b.position - a.position);
    pose.orientation = a.orientation.conjugate() * b.orientation;
    return pose;
}

// How far the bodies have moved against each other.
bool haveStayed(std::span<const ContactPoint> pair, const ContactRest& rest, double reach) {
    const BodyState now = between(pair.front());
    return std::all_of(pair.begin(), pair.end(), [&](const ContactPoint& point) {
        const Eigen::Vector3d& onB = point.contact.isVertexOnA ? point.anchor : point.contact.vertex;
        const Eigen::Vector3d displacement =
            now.position + now.orientation * onB - rest.pose.position - rest.pose.orientation * onB;
        return displacement.norm() < reach;
    });
}

}  // namespace

void noteRest(std::span<ContactPoint> pair, double size) {
    if (isLink(*pair.front().bodyA) || isLink(*pair.front().bodyB)) return;
    const bool bears =
        std::any_of(pair.begin(), pair.end(), [](const ContactPoint& point) { return point.hasBorne(); });
    double fastest = 0;
    for (const ContactPoint& point : pair) fastest = std::max(fastest, speedOf(point));
    if (!bears || fastest > kPlaceSpeed || std::any_of(pair.begin(), pair.end(), isSoft)) return;
    ContactRest rest;
    rest.isKnown = true;
    rest.pose = between(pair.front());
    rest.height = kHighestAtRest;
    rest.reach = std::min(kSameRest, kSamePlaceShare * size);
    for (const ContactPoint& point : pair) {
        const double gap = gapOf(point.contact, BodyState(), rest.pose);
        rest.height = std::max(rest.height, point.hasBorne() ? std::abs(gap) : -gap);
    }
    rest.height = std::min(rest.height, rest.reach / 2);
    for (std::size_t i = 0; i < std::min(pair.size(), rest.borne.size()); ++i) {
        const btManifoldPoint& point = *pair[i].point;
        rest.borne[i] = {toEigen(point.m_localPointA), static_cast<double>(point.m_appliedImpulse)};
    }
    keepRest(pair, rest);
    if (fastest > kBulletRestSpeed) return;
    const bool hasStuck = !isSliding(pair);
    for (ContactPoint& point : pair) {
        point.contact.restSpeed = kBulletRestSpeed;
        point.contact.hasStuck = hasStuck;
    }
}

void keepRest(std::span<ContactPoint> pair, const ContactRest& rest) {
    if (!haveStayed(pair, rest, rest.reach)) return;
    for (ContactPoint& point : pair) {
        if (isSoft(point)) continue;
        point.rest = rest;
        const double gap = gapOf(point.contact, BodyState(), rest.pose);
        if (gap <= rest.height) point.contact.offset -= gap;
        if (point.hasBorne()) closeHairline(point);
    }
}

std::vector<WarmStart> resume(std::span<const ContactPoint> pair, const ContactRest& rest, double nearest) {
    if (!rest.isKnown || !haveStayed(pair, rest, kHairline)) return {};
    std::vector<WarmStart> starts;
    for (const ContactPoint& point : pair) starts.push_back({point.point, 0});
    for (const BorneThere& borne : rest.borne) {
        if (borne.impulse == 0) continue;
        const auto distance = [&](const WarmStart& start) {
            return start.impulse > 0 ? std::numeric_limits<double>::infinity()
                                     : (toEigen(start.point->m_localPointA) - borne.place).norm();
        };
        const auto closest =
            std::min_element(starts.begin(), starts.end(),
                             [&](const WarmStart& x, const WarmStart& y) { return distance(x) < distance(y); });
        if (distance(*closest) > nearest) return {};
        closest->impulse = borne.impulse;
    }
    return starts;
}

std::vector<WarmStart> share(std::span<const ContactPoint> pair, std::span<const ContactPoint> last) {
    const auto placeOnA = [](const ContactPoint& point) -> Eigen::Vector3d {
        return toEigen(point.bodyA->getWorldTransform().invXform(placeOf(point)));
    };
    const auto normalTo = [](const ContactPoint& point) -> Eigen::Vector3d {
        return toEigen(normalOf(point)).normalized();
    };
    const Eigen::Vector3d normal = normalTo(pair.front());
    const Eigen::Vector3d normalOnA = toEigen(toBullet(normal) * pair.front().bodyA->getWorldTransform().getBasis());
    const auto isOfOneFace = [&](const ContactPoint& point) { return normalTo(point).dot(normal) > kSameNormal; };
    if (pair.size() > kMostSharing || !std::all_of(pair.begin(), pair.end(), isOfOneFace)) return {};
    if (!std::all_of(last.begin(), last.end(), isOfOneFace)) return {};
    BorneTogether borne;
    for (const ContactPoint& point : last) borne.add(point.impulse, placeOnA(point));
    std::array<Eigen::Vector3d, kMostSharing> places;
    for (std::size_t i = 0; i < pair.size(); ++i) places[i] = placeOnA(pair[i]);
    const std::array<double, kMostSharing> shares = shareOf(borne, {places.data(), pair.size()}, normalOnA);
    std::vector<WarmStart> starts;
    for (std::size_t i = 0; i < pair.size(); ++i) starts.push_back({pair[i].point, shares[i]});
    return starts;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
