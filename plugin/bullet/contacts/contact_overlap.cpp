#include "contacts/contact_overlap.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// A box in the world with the face that looks along a direction.
struct BoxFace {
    btTransform pose;
    btVector3 half;
    int axis = 0;
    bool isBox = false;
    bool isFlat = false;

    BoxFace(const TouchingShape& touching, const btTransform& body, const btVector3& outward)
        : pose(body * touching.frame) {
        if (touching.shape == nullptr || touching.shape->getShapeType() != BOX_SHAPE_PROXYTYPE) return;
        isBox = true;
        half = static_cast<const btBoxShape&>(*touching.shape).getHalfExtentsWithMargin();
        const btVector3 local = outward * pose.getBasis();
        axis = local.absolute().maxAxis();
        isFlat = btFabs(local[axis]) >= static_cast<btScalar>(kAlongDirection);
        side = local[axis] > 0 ? btScalar(1) : btScalar(-1);
    }

    std::vector<btVector3> corners() const {
        std::vector<btVector3> result;
        constexpr btScalar kTurns[][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
        for (const auto& turn : kTurns) {
            btVector3 corner;
            corner[axis] = side * half[axis];
            corner[(axis + 1) % 3] = turn[0] * half[(axis + 1) % 3];
            corner[(axis + 2) % 3] = turn[1] * half[(axis + 2) % 3];
            result.push_back(pose * corner);
        }
        return result;
    }

    // What of a polygon is within the face's edges.
    std::vector<btVector3> clipped(std::vector<btVector3> polygon) const {
        for (int i = 1; i <= 2; ++i) {
            const int along = (axis + i) % 3;
            for (const btScalar end : {btScalar(1), btScalar(-1)}) {
                const auto beyond = [&](const btVector3& point) {
                    return end * pose.invXform(point)[along] - half[along];
                };
                // An edge that lies on this one does not cross it: rounding would put a corner anywhere on it.
                const btScalar on = kOnEdge * half[along];
                std::vector<btVector3> left;
                for (std::size_t k = 0; k < polygon.size(); ++k) {
                    const btVector3& from = polygon[k];
                    const btVector3& to = polygon[(k + 1) % polygon.size()];
                    const btScalar x = beyond(from), y = beyond(to);
                    if (x <= on) left.push_back(from);
                    if ((x < -on && y > on) || (x > on && y < -on)) left.push_back(from + (to - from) * (x / (x - y)));
                }
                polygon = std::move(left);
            }
        }
        return polygon;
    }

private:
    btScalar side = 1;
};

}  // namespace

std::vector<btVector3> overlapCorners(const TouchingShape& a, const btTransform& poseA, const TouchingShape& b,
                                      const btTransform& poseB, const btVector3& outward, bool mayTilt) {
    const BoxFace on(a, poseA, outward);
    const BoxFace under(b, poseB, -outward);
    if (!(on.isFlat || (mayTilt && on.isBox)) || !under.isFlat) return {};
    return under.clipped(on.corners());
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
