#include "contacts/surface_touch.h"

#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btTriangleCallback.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>

#include "contacts/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Find = std::function<std::optional<Touch>(const TouchingShape&)>;

class LeastTouch : public btTriangleCallback {
public:
    LeastTouch(const TouchingShape& surface, const Find& find, btScalar Touch::*key)
        : m_surface(surface), m_find(find), m_key(key) {}

    void processTriangle(btVector3* corners, int /*part*/, int /*index*/) override {
        btTriangleShape triangle(corners[0], corners[1], corners[2]);
        triangle.setMargin(m_surface.shape->getMargin());
        std::optional<Touch> touch = m_find({&triangle, m_surface.frame});
        if (!touch) return;
        touch->b = m_surface;
        const bool isFace = touch->isFlat && touch->isNormalOfB;
        std::optional<Touch>& least = isFace ? m_face : m_edge;
        if (!least || (*touch).*m_key < (*least).*m_key) least = touch;
    }

    std::optional<Touch> least(btScalar alike) const {
        if (!m_edge || (m_face && (*m_face).*m_key <= (*m_edge).*m_key + alike)) return m_face;
        return m_edge;
    }

private:
    const TouchingShape& m_surface;
    const Find& m_find;
    btScalar Touch::*m_key;
    std::optional<Touch> m_face, m_edge;
};

}  // namespace

std::optional<Touch> leastOnSurface(const TouchingShape& surface, const btVector3& least, const btVector3& most,
                                    const Find& find, btScalar Touch::*key, btScalar alike) {
    LeastTouch search(surface, find, key);
    static_cast<const btConcaveShape*>(surface.shape)->processAllTriangles(&search, least, most);
    return search.least(alike);
}

bool findNearestOnSurface(Touch& touch, btScalar reach) {
    const bool isSwapped = isSurface(touch.a);
    if (isSwapped) touch.swap();
    const TouchingShape surface = touch.b;
    btVector3 least, most;
    touch.a.shape->getAabb(touch.shapePoseB().inverse() * touch.shapePoseA(), least, most);
    const btScalar wide = reach + surface.shape->getMargin();
    const btVector3 room(wide, wide, wide);
    const auto find = [&](const TouchingShape& triangle) -> std::optional<Touch> {
        Touch nearest = touch;
        nearest.b = triangle;
        if (!findNearest(nearest) || nearest.distance > reach) return std::nullopt;
        return nearest;
    };
    const std::optional<Touch> nearest = leastOnSurface(surface, least - room, most + room, find, &Touch::distance,
                                                        static_cast<btScalar>(kJustTouching));
    if (nearest) touch = *nearest;
    if (isSwapped) touch.swap();
    return nearest.has_value();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
