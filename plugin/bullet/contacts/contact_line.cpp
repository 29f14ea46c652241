#include "contacts/contact_line.h"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "contacts/contact_face.h"
#include "contacts/contact_shape.h"
#include "contacts/group_contacts.h"
#include "host/conversion.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// The rounding that both are of, against the same face.
bool isSame(const ContactPoint& x, const ContactPoint& y) {
    return x.bodyA == y.bodyA && x.bodyB == y.bodyB && x.contact.isVertexOnA == y.contact.isVertexOnA &&
           x.vertexChild() == y.vertexChild() && x.contact.radius == y.contact.radius &&
           x.contact.normal.dot(y.contact.normal) > kSameNormal;
}

// The line along which a body touches a face that reaches under all of it: its ends.
std::optional<std::array<ContactPoint, 2>> endsOf(const ContactPoint& point) {
    const bool isOnA = point.contact.isVertexOnA;
    const btTransform& pose = (isOnA ? point.bodyA : point.bodyB)->getWorldTransform();
    const btCollisionObject& owner = isOnA ? *point.bodyB : *point.bodyA;
    const btTransform& ownerPose = owner.getWorldTransform();
    const TouchingShape face = touchingShape(owner, isOnA ? point.childB : point.childA);
    const Eigen::Vector3d& normal = point.contact.normal;
    const btVector3 outward = toBullet(isOnA ? normal : Eigen::Vector3d(-normal));
    const auto line = lineAt(touchingShape(isOnA ? *point.bodyA : *point.bodyB, point.vertexChild()),
                             -(ownerPose.getBasis() * outward) * pose.getBasis());
    if (!line) return std::nullopt;
    std::array<ContactPoint, 2> ends = {point, point};
    for (std::size_t k = 0; k < ends.size(); ++k) {
        const btVector3 place = ownerPose.invXform(pose * (*line)[k]);
        const Eigen::Vector3d over = toEigen(place);
        ends[k].contact.vertex = toEigen((*line)[k]);
        ends[k].anchor = over - normal.dot(over - point.contact.planePoint) * normal;
        if (!isOverFace(face, outward, toBullet(ends[k].anchor))) return std::nullopt;
        ends[k].impulse = 0;
        ends[k].point = nullptr;
    }
    return ends;
}

double gapOf(const ContactPoint& point) {
    return elasto::gapOf(point.contact, poseOf(*point.bodyA), poseOf(*point.bodyB));
}

// @param first of the points of a line @param found end of those that Bullet has found
// @return how many of them the ends stand for now, which are put last
std::size_t putOnLine(std::vector<ContactPoint>& points, std::size_t first, std::size_t found) {
    std::size_t nearest = first;
    for (std::size_t i = first + 1; i < found; ++i) {
        if (isSame(points[first], points[i]) && gapOf(points[i]) < gapOf(points[nearest])) nearest = i;
    }
    std::optional<std::array<ContactPoint, 2>> ends = endsOf(points[nearest]);
    if (!ends) return 0;
    const Eigen::Vector3d from = (*ends)[0].contact.vertex;
    const Eigen::Vector3d edge = (*ends)[1].contact.vertex - from;
    const auto shareOf = [&](const ContactPoint& point) {
        return std::clamp((point.contact.vertex - from).dot(edge) / edge.squaredNorm(), 0., 1.);
    };
    // Bullet's points stand for the ends that they are nearest to.
    std::array<double, 2> distance = {2, 2};
    const auto lend = [&](std::size_t end, double far, btManifoldPoint* point) {
        if (!(far < distance[end])) return;
        distance[end] = far;
        (*ends)[end].point = point;
    };
    const ContactPoint line = points[first];
    for (std::size_t i = first; i < found; ++i) {
        if (!isSame(line, points[i])) continue;
        const double share = shareOf(points[i]);
        (*ends)[0].impulse += (1 - share) * points[i].impulse;
        (*ends)[1].impulse += share * points[i].impulse;
        lend(share < 0.5 ? 0 : 1, share < 0.5 ? share : 1 - share, points[i].point);
    }
    const bool hasBorne = (*ends)[0].hasBorne() || (*ends)[1].hasBorne();
    const std::size_t replaced = std::erase_if(points, [&](const ContactPoint& point) { return isSame(line, point); });
    for (ContactPoint& end : *ends) {
        if (hasBorne) closeHairline(end);
        points.push_back(end);
    }
    return replaced;
}

}  // namespace

void putOnLines(std::vector<ContactPoint>& points) {
    const auto isLine = [](const ContactPoint& point) {
        return point.contact.radius > 0 && std::isinf(point.contact.stiffness) && !point.rest.isKnown;
    };
    std::size_t found = points.size();
    for (std::size_t i = 0; i < found;) {
        const std::size_t replaced = isLine(points[i]) ? putOnLine(points, i, found) : 0;
        found -= replaced;
        if (replaced == 0) ++i;
    }
    if (!std::is_sorted(points.begin(), points.end(), inOrder)) std::sort(points.begin(), points.end(), inOrder);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
