#include "contacts/contact_between.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "contacts/contact_pair_points.h"
#include "contacts/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

PointPlace placeOf(const ContactPoint& point) {
    const FlowContact& contact = point.contact;
    const BodyState a = poseOf(*point.bodyA), b = poseOf(*point.bodyB);
    const BodyState &vertexBody = contact.isVertexOnA ? a : b, &owner = contact.isVertexOnA ? b : a;
    PointPlace place;
    place.at = vertexBody.position + vertexBody.orientation * contact.vertex;
    place.normal = owner.orientation * contact.normal;
    place.gap = gapOf(contact, a, b);
    place.isFlat = contact.radius == 0 && contact.ownerRadius == 0 && std::isinf(contact.stiffness);
    return place;
}

bool isBetween(const PointPlace& point, const PointPlace& from, const PointPlace& to) {
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

void PointsBetween::leaveOut(std::vector<ContactPoint>& points) {
    m_isOne.assign(points.size(), false);
    for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
        end = endOfPair(points, begin);
        if (end - begin < 3) continue;
        m_places.clear();
        for (std::size_t i = begin; i < end; ++i) m_places.push_back(placeOf(points[i]));
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            char& isOne = m_isOne[begin + i];
            for (std::size_t j = 0; j < m_places.size() && m_places[i].isFlat && !isOne; ++j) {
                for (std::size_t k = j + 1; k < m_places.size() && !isOne; ++k) {
                    isOne = j != i && k != i && isBetween(m_places[i], m_places[j], m_places[k]);
                }
            }
        }
    }
    std::size_t i = 0;
    std::erase_if(points, [&](const ContactPoint&) { return m_isOne[i++] != 0; });
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
