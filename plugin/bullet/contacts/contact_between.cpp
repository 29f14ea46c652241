#include "contacts/contact_between.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "contacts/contact_pair_points.h"
#include "contacts/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

struct Place {
    Eigen::Vector3d at = Eigen::Vector3d::Zero();      // in the world
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();  // the same
    double gap = 0;
    bool isFlat = false;  // a rigid point of what is not round
};

Place placeOf(const ContactPoint& point) {
    const FlowContact& contact = point.contact;
    const BodyState a = poseOf(*point.bodyA), b = poseOf(*point.bodyB);
    const BodyState &vertexBody = contact.isVertexOnA ? a : b, &owner = contact.isVertexOnA ? b : a;
    Place place;
    place.at = vertexBody.position + vertexBody.orientation * contact.vertex;
    place.normal = owner.orientation * contact.normal;
    place.gap = gapOf(contact, a, b);
    place.isFlat = contact.radius == 0 && contact.ownerRadius == 0 && std::isinf(contact.stiffness);
    return place;
}

bool isBetween(const Place& point, const Place& from, const Place& to) {
    if (!from.isFlat || !to.isFlat) return false;
    if (point.normal.dot(from.normal) < kSameNormal || point.normal.dot(to.normal) < kSameNormal) return false;
    const Eigen::Vector3d line = to.at - from.at, offset = point.at - from.at;
    const double length = line.norm(), near = static_cast<double>(kFlat) * length;
    const double along = length > 0 ? offset.dot(line) / length : 0;
    if (!(along > near && along < length - near)) return false;
    const double share = along / length;
    return (offset - share * line).norm() <= near && point.gap >= (1 - share) * from.gap + share * to.gap - near;
}

}  // namespace

void leaveOutBetween(std::vector<ContactPoint>& points) {
    std::vector<Place> places;
    std::vector<ContactPoint> kept;
    bool isAny = false;
    for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
        end = endOfPair(points, begin);
        places.clear();
        for (std::size_t i = begin; i < end; ++i) places.push_back(placeOf(points[i]));
        for (std::size_t i = 0; i < places.size(); ++i) {
            bool isOne = false;
            for (std::size_t j = 0; j < places.size() && places[i].isFlat && !isOne; ++j) {
                for (std::size_t k = j + 1; k < places.size() && !isOne; ++k) {
                    isOne = j != i && k != i && isBetween(places[i], places[j], places[k]);
                }
            }
            if (!isOne) kept.push_back(points[begin + i]);
            isAny = isAny || isOne;
        }
    }
    if (isAny) points = std::move(kept);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
