#include "contacts/contact_pair_points.h"
#include "contacts/tuning.h"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>

#include <algorithm>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

std::size_t endOfPair(std::span<const ContactPoint> points, std::size_t begin) {
    std::size_t end = begin;
    while (end < points.size() && points[end].bodyA == points[begin].bodyA &&
           points[end].bodyB == points[begin].bodyB) {
        ++end;
    }
    return end;
}

bool isOfCompound(const btCollisionObject& a, const btCollisionObject& b) {
    return a.getCollisionShape()->isCompound() || b.getCollisionShape()->isCompound();
}

bool hasPoint(std::span<const ContactPoint> points, const btCollisionObject& a, const btCollisionObject& b) {
    return std::any_of(points.begin(), points.end(), [&](const ContactPoint& point) {
        return (point.bodyA == &a && point.bodyB == &b) || (point.bodyA == &b && point.bodyB == &a);
    });
}

double sizeOf(const btCollisionObject& body) {
    btVector3 centre;
    btScalar radius = 0;
    body.getCollisionShape()->getBoundingSphere(centre, radius);
    return 2 * static_cast<double>(radius);
}

double samePlace(const ContactPoint& point) {
    return std::max(kSamePlace, kSamePlaceShare * std::min(sizeOf(*point.bodyA), sizeOf(*point.bodyB)));
}

bool isThere(const ContactPoint& point, std::span<const ContactPoint> present, double samePlace) {
    return std::any_of(present.begin(), present.end(), [&](const ContactPoint& other) {
        return other.contact.isVertexOnA == point.contact.isVertexOnA &&
               (other.contact.vertex - point.contact.vertex).norm() <= samePlace;
    });
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
