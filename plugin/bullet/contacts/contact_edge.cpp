#include "contacts/contact_edge.h"
#include "contacts/tuning.h"

#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btTriangleCallback.h>

#include <algorithm>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// How far a point lies outside a triangle, in its plane.
btScalar distanceInPlane(const btVector3* triangle, const btVector3& normal, const btVector3& point) {
    btScalar outside = 0;
    for (int i = 0; i < 3; ++i) {
        const btVector3 offset = triangle[(i + 1) % 3] - triangle[i];
        const btScalar length = offset.length();
        if (length > 0) outside = btMax(outside, offset.cross(normal).dot(point - triangle[i]) / length);
    }
    return outside;
}

class RiseSearch : public btTriangleCallback {
public:
    RiseSearch(const btVector3& outward, const btVector3& point) : m_outward(outward), m_point(point) {}

    void processTriangle(btVector3* triangle, int /*part*/, int /*index*/) override {
        btVector3 normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
        const btScalar area = normal.length();
        if (!(area > 0)) return;
        normal /= area;
        if (btFabs(normal.dot(m_point - triangle[0])) > kOnTriangle ||
            distanceInPlane(triangle, normal, m_point) > kOnTriangle) {
            return;
        }
        for (int i = 0; i < 3; ++i) {
            const btVector3 offset = triangle[i] - m_point;
            const btScalar length = offset.length();
            if (length <= 2 * kOnTriangle) continue;
            const btScalar rise = offset.dot(m_outward) / length;
            if (rise <= most) continue;
            most = rise;
            risen = normal.dot(m_outward) < 0 ? -normal : normal;
        }
    }

    btScalar most = 0;
    std::optional<btVector3> risen;

private:
    const btVector3 m_outward;
    const btVector3 m_point;
};

}  // namespace

std::optional<btVector3> normalOfRise(const TouchingShape& touching, const btVector3& outward, const btVector3& point) {
    if (!isSurface(touching) || touching.shape->getShapeType() == STATIC_PLANE_PROXYTYPE) return std::nullopt;
    const auto& surface = static_cast<const btConcaveShape&>(*touching.shape);
    RiseSearch search(outward, point);
    const btVector3 room(kOnTriangle, kOnTriangle, kOnTriangle);
    surface.processAllTriangles(&search, point - room, point + room);
    return search.risen;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
