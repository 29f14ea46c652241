#include "contacts/contact_face.h"
#include "contacts/tuning.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btPolyhedralConvexShape.h>
#include <BulletCollision/CollisionShapes/btTriangleCallback.h>

#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// Is a point within the convex hull of others? All lie in a plane with this normal.
bool isWithin(const std::vector<btVector3>& corners, const btVector3& normal, const btVector3& point, btScalar edge) {
    const std::size_t count = corners.size();
    if (count < 3) return false;
    // Inside if it is on the inner side of every edge; an edge has all corners on one side.
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < count; ++k) {
            const btVector3 offset = corners[k] - corners[i];
            if (i == k || offset.length2() <= edge * edge) continue;
            const btVector3 inward = normal.cross(offset).normalized();
            bool isEdge = true;
            for (const btVector3& other : corners) isEdge = isEdge && inward.dot(other - corners[i]) >= -edge;
            if (isEdge && inward.dot(point - corners[i]) < -edge) return false;
        }
    }
    return true;
}

bool isOverFaceOf(const btPolyhedralConvexShape& shape, const btVector3& outward, const btVector3& point) {
    std::vector<btVector3> corners;
    btScalar farthest = -SIMD_INFINITY;
    btScalar nearest = SIMD_INFINITY;
    for (int i = 0; i < shape.getNumVertices(); ++i) {
        corners.emplace_back();
        shape.getVertex(i, corners.back());
        farthest = btMax(farthest, corners.back().dot(outward));
        nearest = btMin(nearest, corners.back().dot(outward));
    }
    const btScalar size = farthest - nearest;
    std::vector<btVector3> face;
    for (const btVector3& corner : corners) {
        if (farthest - corner.dot(outward) <= kFlat * size) face.push_back(corner);
    }
    return isWithin(face, outward, point, kOnEdge * size);
}

class TriangleSearch : public btTriangleCallback {
public:
    TriangleSearch(const btVector3& outward, const btVector3& point) : m_outward(outward), m_point(point) {}

    void processTriangle(btVector3* triangle, int /*part*/, int /*index*/) override {
        const btVector3 normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
        const btScalar area = normal.length();
        if (isFound || !(area > 0)) return;
        const btScalar along = normal.dot(m_outward) / area;  // triangles may face either way
        if (btFabs(along) < static_cast<btScalar>(kSameNormal) ||
            btFabs(normal.dot(m_point - triangle[0])) > kNearFace * area)
            return;
        isFound = isWithin({triangle[0], triangle[1], triangle[2]}, along > 0 ? normal / area : -normal / area, m_point,
                           kOnEdge * btSqrt(area));
    }

    bool isFound = false;

private:
    const btVector3 m_outward;
    const btVector3 m_point;
};

}  // namespace

bool isOverFace(const TouchingShape& touching, const btVector3& outward, const btVector3& point) {
    if (touching.shape == nullptr) return false;
    const int type = touching.shape->getShapeType();
    if (type == STATIC_PLANE_PROXYTYPE) return true;
    const btVector3 local = touching.frame.invXform(point);
    const btVector3 normal = outward * touching.frame.getBasis();
    if (touching.shape->isConcave()) {
        TriangleSearch search(normal, local);
        const btVector3 room(kNearFace, kNearFace, kNearFace);
        static_cast<const btConcaveShape&>(*touching.shape).processAllTriangles(&search, local - room, local + room);
        return search.isFound;
    }
    const int axis = normal.absolute().maxAxis();
    if (!faceNormal(touching, outward)) return false;
    if (type == BOX_SHAPE_PROXYTYPE) {
        const btVector3 half = static_cast<const btBoxShape&>(*touching.shape).getHalfExtentsWithMargin();
        return btFabs(local[(axis + 1) % 3]) <= half[(axis + 1) % 3] &&
               btFabs(local[(axis + 2) % 3]) <= half[(axis + 2) % 3];
    }
    const btScalar fromAxis = btVector3(local[(axis + 1) % 3], local[(axis + 2) % 3], 0).length();
    if (type == CYLINDER_SHAPE_PROXYTYPE) {
        return fromAxis <= static_cast<const btCylinderShape&>(*touching.shape).getRadius();
    }
    if (type == CONE_SHAPE_PROXYTYPE) return fromAxis <= static_cast<const btConeShape&>(*touching.shape).getRadius();
    return isOverFaceOf(static_cast<const btPolyhedralConvexShape&>(*touching.shape), normal, local);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
