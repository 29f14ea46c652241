#include "contacts/contact_cache.h"

#include <BulletCollision/BroadphaseCollision/btBroadphaseProxy.h>
#include <BulletCollision/BroadphaseCollision/btDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>

#include "contacts/contact_face.h"
#include "contacts/contact_pair_points.h"
#include "contacts/group_contacts.h"
#include "contacts/tuning.h"
#include "host/conversion.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// A contact point in world coordinates.
struct Place {
    Eigen::Vector3d vertex;
    Eigen::Vector3d normal;
    Eigen::Vector3d slide;  // from where it touched the owner's face, along the face
    double gap = 0;
};

Place placeOf(const ContactPoint& point) {
    const BodyState a = poseOf(*point.bodyA);
    const BodyState b = poseOf(*point.bodyB);
    const FlowContact& contact = point.contact;
    const BodyState& vertexBody = contact.isVertexOnA ? a : b;
    const BodyState& owner = contact.isVertexOnA ? b : a;
    Place place;
    place.vertex = vertexBody.position + vertexBody.orientation * contact.vertex;
    place.normal = owner.orientation * contact.normal;
    const Eigen::Vector3d fromAnchor = place.vertex - (owner.position + owner.orientation * point.anchor);
    place.slide = fromAnchor - place.normal.dot(fromAnchor) * place.normal;
    place.gap = gapOf(contact, a, b);
    return place;
}

// The vertex, put on the owner's face, is still on it.
bool isOnFace(const ContactPoint& point, const Place& place) {
    const btCollisionObject& owner = point.contact.isVertexOnA ? *point.bodyB : *point.bodyA;
    const int child = point.contact.isVertexOnA ? point.childB : point.childA;
    const Eigen::Vector3d outward = point.contact.isVertexOnA ? point.contact.normal : -point.contact.normal;
    return isOverFace(touchingShape(owner, child), toBullet(outward),
                      owner.getWorldTransform().invXform(toBullet(place.vertex)));
}

bool isMissing(const ContactPoint& remembered, const std::vector<Place>& present, double nearest) {
    const Place place = placeOf(remembered);
    const bool isSoft = std::isfinite(remembered.contact.stiffness);
    const bool isFar = std::none_of(present.begin(), present.end(), [&](const Place& other) {
        return (other.vertex - place.vertex).norm() <= nearest;
    });
    const bool isSameFace = std::any_of(present.begin(), present.end(), [&](const Place& other) {
        return other.normal.dot(place.normal) >= kSameNormal;
    });
    return isFar && isSameFace && (isSoft ? place.gap : std::fabs(place.gap)) <= kNearlyClosed &&
           (place.slide.norm() < kHardlySlid || isOnFace(remembered, place));
}

// From the points' middle: those that a body stands on.
std::vector<const ContactPoint*> farthestFirst(std::span<const ContactPoint> points) {
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    for (const ContactPoint& point : points) middle += point.contact.vertex / static_cast<double>(points.size());
    std::vector<const ContactPoint*> order;
    for (const ContactPoint& point : points) order.push_back(&point);
    std::stable_sort(order.begin(), order.end(), [&](const ContactPoint* x, const ContactPoint* y) {
        return (x->contact.vertex - middle).squaredNorm() > (y->contact.vertex - middle).squaredNorm();
    });
    return order;
}

}  // namespace

ContactCache::Pair ContactCache::pairOf(const btCollisionObject& a, const btCollisionObject& b) {
    Pair pair;
    pair.bodyA = &a;
    pair.bodyB = &b;
    pair.uidA = a.getBroadphaseHandle()->getUid();
    pair.uidB = b.getBroadphaseHandle()->getUid();
    pair.placeA = a.getWorldArrayIndex();
    pair.placeB = b.getWorldArrayIndex();
    return pair;
}

bool ContactCache::comesBefore(const Pair& x, const Pair& y) {
    return std::tuple(x.uidA, x.uidB) < std::tuple(y.uidA, y.uidB);
}

const ContactCache::Pair* ContactCache::lastOf(const btCollisionObject& a, const btCollisionObject& b) const {
    const Pair pair = pairOf(a, b);
    const auto last = std::lower_bound(m_last.begin(), m_last.end(), pair, comesBefore);
    const bool isSame =
        last != m_last.end() && !comesBefore(pair, *last) && last->bodyA == pair.bodyA && last->bodyB == pair.bodyB;
    return isSame ? &*last : nullptr;
}

bool ContactCache::hasBorne(const btCollisionObject& a, const btCollisionObject& b) const {
    const Pair* last = isEmpty() ? nullptr : lastOf(a, b);
    if (last == nullptr) return false;
    const std::span<const ContactPoint> points = pointsOf(*last);
    return std::any_of(points.begin(), points.end(), [](const ContactPoint& point) { return point.hasBorne(); });
}

void ContactCache::findBearing(const btCollisionObjectArray& objects, std::vector<TouchingPair>& pairs) const {
    const auto find = [&](const btCollisionObject* body, int uid, int place) -> const btCollisionObject* {
        const bool isThere = place >= 0 && place < objects.size() && objects[place] == body;
        return isThere && body->getBroadphaseHandle()->getUid() == uid ? body : nullptr;
    };
    for (const Pair& last : m_last) {
        const std::span<const ContactPoint> points = pointsOf(last);
        if (std::none_of(points.begin(), points.end(), [](const ContactPoint& point) { return point.hasBorne(); })) {
            continue;
        }
        const btCollisionObject* a = find(last.bodyA, last.uidA, last.placeA);
        const btCollisionObject* b = find(last.bodyB, last.uidB, last.placeB);
        if (a != nullptr && b != nullptr) pairs.push_back({a, b});
    }
}

bool ContactCache::recallOnSurfaces(const btCollisionObject& a, const btCollisionObject& b,
                                    std::vector<ContactPoint>* points) const {
    const Pair* last = isEmpty() ? nullptr : lastOf(a, b);
    bool isAny = false;
    for (std::size_t i = 0; last != nullptr && hasBorne(a, b) && i < last->count; ++i) {
        const ContactPoint& remembered = pointsOf(*last)[i];
        const btCollisionObject& owner = remembered.contact.isVertexOnA ? *remembered.bodyB : *remembered.bodyA;
        const int child = remembered.contact.isVertexOnA ? remembered.childB : remembered.childA;
        if (!isSurface(touchingShape(owner, child)) || std::isfinite(remembered.contact.stiffness)) continue;
        const Place place = placeOf(remembered);
        if (std::fabs(place.gap) > kHairline || !isOnFace(remembered, place)) continue;
        isAny = true;
        if (points == nullptr) break;
        points->push_back(remembered);
        if (remembered.hasBorne()) closeHairline(points->back());
    }
    return isAny;
}

// What is deeper than the springs of the pair were compressed in the last tick has compressed none: bodies may have
// turned, or been put where they are. Of those that have not met before, only what their speed has brought them in has;
// but where they are hardly inside each other they were put on each other.
void ContactCache::slacken(std::vector<ContactPoint>& points) const {
    const auto isSoft = [](const ContactPoint& point) { return std::isfinite(point.contact.stiffness); };
    for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
        end = endOfPair(points, begin);
        const std::span<ContactPoint> pair(&points[begin], end - begin);
        if (std::none_of(pair.begin(), pair.end(), isSoft)) continue;
        const Pair* last = lastOf(pair.front());
        const auto hasBorne = [](const ContactPoint& point) { return point.hasBorne(); };
        if (last == nullptr && std::any_of(pair.begin(), pair.end(), hasBorne)) continue;  // in Bullet's rows
        const std::span<const ContactPoint> before =
            last != nullptr ? pointsOf(*last) : std::span<const ContactPoint>();
        for (ContactPoint& point : pair) {
            if (!isSoft(point)) continue;
            const Place place = placeOf(point);
            // Bullet takes what slides or rolls on for a new point now and then: the spring is the same.
            for (const ContactPoint& from : before) {
                if (!isThere(point, {&from, 1}, samePlace(point))) continue;
                const double more = std::max(-place.gap - from.compressed, 0.);
                point.contact.entered = std::min(point.contact.entered, more);
            }
            double most = point.contact.entered;
            for (const ContactPoint& from : before) most = std::max(most, from.compressed);
            if (-place.gap - most > kPut) point.contact.slack = -place.gap - most;
            for (const ContactPoint& from : before) {
                if (placeOf(from).normal.dot(place.normal) < kSameNormal) continue;
                point.contact.slack = std::max(point.contact.slack, from.contact.slack);
            }
        }
    }
}

void ContactCache::recogniseRest(std::vector<ContactPoint>& points) const {
    for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
        const ContactPoint& first = points[begin];
        end = endOfPair(points, begin);
        const std::span<ContactPoint> pair(&points[begin], end - begin);
        if (const Pair* last = lastOf(first)) {
            const ContactRest& rest = pointsOf(*last).front().rest;
            if (rest.isKnown) keepRest(pair, rest);
        } else {
            noteRest(pair, std::min(sizeOf(*first.bodyA), sizeOf(*first.bodyB)));
        }
    }
}

std::vector<WarmStart> ContactCache::resume(const std::vector<ContactPoint>& points) const {
    std::vector<WarmStart> starts;
    for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
        const ContactPoint& first = points[begin];
        end = endOfPair(points, begin);
        const Pair* last = lastOf(first);
        if (last == nullptr || hasStruck(*last)) continue;
        std::vector<WarmStart> ofPair =
            elasto::resume({&first, end - begin}, pointsOf(*last).front().rest, samePlace(first));
        if (ofPair.empty()) ofPair = share({&first, end - begin}, pointsOf(*last));
        starts.insert(starts.end(), ofPair.begin(), ofPair.end());
    }
    return starts;
}

void ContactCache::fadeImpacts(btDispatcher& dispatcher) const {
    if (std::none_of(m_last.begin(), m_last.end(), [this](const Pair& pair) { return hasStruck(pair); })) return;
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
        btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
        const Pair* last = manifold.getNumContacts() > 0 ? lastOf(*manifold.getBody0(), *manifold.getBody1()) : nullptr;
        if (last == nullptr || !hasStruck(*last)) continue;
        for (int k = 0; k < manifold.getNumContacts(); ++k) {
            btManifoldPoint& point = manifold.getContactPoint(k);
            point.m_appliedImpulse *= kFaded;
            point.m_appliedImpulseLateral1 *= kFaded;
            point.m_appliedImpulseLateral2 *= kFaded;
        }
    }
}

// Points of the last tick that those of a pair lack.
std::vector<const ContactPoint*> ContactCache::missing(std::span<const ContactPoint> pair) const {
    std::vector<const ContactPoint*> found;
    const Pair* last = lastOf(pair.front());
    if (last == nullptr) return found;
    const double nearest = samePlace(pair.front());
    const auto isFound = [&](const ContactPoint& remembered) { return isThere(remembered, pair, nearest); };
    const std::span<const ContactPoint> lastPoints = pointsOf(*last);
    if (std::all_of(lastPoints.begin(), lastPoints.end(), isFound)) return found;
    std::vector<Place> present;
    for (const ContactPoint& point : pair) present.push_back(placeOf(point));
    for (const ContactPoint* remembered : farthestFirst(lastPoints)) {
        const bool isSame = remembered->rest.isKnown == pair.front().rest.isKnown;
        if (isSame && present.size() < kMostPointsOfPair && isMissing(*remembered, present, nearest)) {
            found.push_back(remembered);
            present.push_back(placeOf(*remembered));
        }
    }
    return found;
}

bool ContactCache::lacksPoints(std::span<const ContactPoint> points) const {
    for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
        end = endOfPair(points, begin);
        const bool hasRoom = end - begin < MANIFOLD_CACHE_SIZE;
        if (hasRoom && !missing(points.subspan(begin, end - begin)).empty()) return true;
    }
    return false;
}

int ContactCache::recall(std::vector<ContactPoint>& points) {
    const std::size_t found = points.size();
    for (std::size_t begin = 0, end = 0; begin < found; begin = end) {
        end = endOfPair({points.data(), found}, begin);
        for (const ContactPoint* remembered : missing({points.data() + begin, end - begin})) {
            points.push_back(*remembered);
            if (remembered->hasBorne()) closeHairline(points.back());
            m_places.push_back(placeOf(*remembered).vertex);
        }
    }
    if (points.size() > found) std::stable_sort(points.begin(), points.end(), inOrder);
    return static_cast<int>(points.size() - found);
}

// Calls visit with each point of the last tick and those that are there now.
template <class IsWanted, class Visit>
void ContactCache::forEachKept(std::vector<ContactPoint>& points, const IsWanted& isWanted, const Visit& visit) const {
    for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
        end = endOfPair(points, begin);
        const Pair* last = lastOf(points[begin]);
        if (last == nullptr) continue;
        const double nearest = samePlace(points[begin]);
        for (const ContactPoint& from : pointsOf(*last)) {
            if (!isWanted(from)) continue;
            for (std::size_t i = begin; i < end; ++i) {
                if (isThere(points[i], {&from, 1}, nearest)) visit(from, points[i]);
            }
        }
    }
}

void ContactCache::reopen(std::vector<ContactPoint>& points) const {
    const auto isOpen = [](const ContactPoint& from) { return -from.compressed > kLeftOpen; };
    forEachKept(points, isOpen, [](const ContactPoint& from, ContactPoint& point) {
        if (point.hairline == 0 || point.rest.isKnown) return;
        point.contact.offset += std::min(-from.compressed, kHairline);
        point.hairline = 0;
    });
}

void ContactCache::carryCreep(std::vector<ContactPoint>& points) const {
    const auto hasCrept = [](const ContactPoint& from) { return !from.contact.creep.isZero(0); };
    forEachKept(points, hasCrept,
                [](const ContactPoint& from, ContactPoint& point) { point.contact.creep = from.contact.creep; });
}

void ContactCache::note(const std::vector<ContactPoint>& points) {
    for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
        const ContactPoint& first = points[begin];
        end = endOfPair(points, begin);
        Pair pair = pairOf(first);
        pair.first = m_presentPoints.size();
        pair.count = end - begin;
        m_present.insert(std::lower_bound(m_present.begin(), m_present.end(), pair, comesBefore), pair);
        for (std::size_t i = begin; i < end; ++i) {
            ContactPoint& kept = m_presentPoints.emplace_back(points[i]);
            kept.point = nullptr;
            kept.isReplaced = false;
            kept.hairline = 0;
            kept.contact.restSpeed = 0;
        }
    }
}

void ContactCache::noteAdded(std::span<const ContactPoint> added) {
    for (const ContactPoint& point : added) m_places.push_back(placeOf(point).vertex);
}

void ContactCache::endTick() {
    m_last.swap(m_present);
    m_lastPoints.swap(m_presentPoints);
    m_lastPlaces.swap(m_places);
    abandonTick();
}

void ContactCache::abandonTick() {
    m_present.clear();
    m_presentPoints.clear();
    m_places.clear();
}

std::vector<ContactCache::Kept> ContactCache::save(const btCollisionObjectArray& objects) const {
    std::vector<Kept> kept;
    for (const Pair& pair : m_last) {
        const int placeA = objects.findLinearSearch(const_cast<btCollisionObject*>(pair.bodyA));
        const int placeB = objects.findLinearSearch(const_cast<btCollisionObject*>(pair.bodyB));
        if (placeA == objects.size() || placeB == objects.size()) continue;
        const Pair now = pairOf(pointsOf(pair).front());
        if (comesBefore(pair, now) || comesBefore(now, pair)) continue;
        for (const ContactPoint& point : pointsOf(pair)) {
            kept.push_back({placeA, placeB, point});
            kept.back().point.bodyA = kept.back().point.bodyB = nullptr;
        }
    }
    return kept;
}

void ContactCache::restore(const std::vector<Kept>& kept, const btCollisionObjectArray& objects) {
    std::vector<ContactPoint> points;
    for (const Kept& from : kept) {
        points.push_back(from.point);
        points.back().bodyA = objects[from.placeA];
        points.back().bodyB = objects[from.placeB];
    }
    abandonTick();
    note(points);
    endTick();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
