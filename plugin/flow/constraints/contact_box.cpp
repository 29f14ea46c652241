#include "constraints/contact_box.h"

#include "constraints/contact_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {

namespace {

/// Where the vertex is, from the centre of the owner's box, in the owner's frame.
Eigen::Vector3d fromBox(const ContactPlace& place, const Motion& a, const Motion& b) {
    const Motion& vertexBody = place.isVertexOnA ? a : b;
    const Motion& owner = place.isVertexOnA ? b : a;
    const Eigen::Vector3d vertex = vertexBody.x + vertexBody.q * place.vertex;
    return owner.q.conjugate() * (vertex - owner.x) - place.ownerBox.centre;
}

/// Axis of a box nearest to a direction.
Eigen::Index axisAlong(const Eigen::Matrix3d& half, const Eigen::Vector3d& direction) {
    Eigen::Index axis = 0;
    (half.transpose() * direction).cwiseAbs().cwiseQuotient(half.colwise().norm().transpose()).maxCoeff(&axis);
    return axis;
}

}  // namespace

BoxPart nearestPart(const ContactPlace& place, const Motion& a, const Motion& b) {
    const Eigen::Vector3d from = fromBox(place, a, b);
    BoxPart part;
    for (Eigen::Index k = 0; k < 3; ++k) {
        const Eigen::Vector3d half = place.ownerBox.half.col(k);
        const double along = from.dot(half);
        if (std::abs(along) > half.squaredNorm()) part.sides[static_cast<std::size_t>(k)] = along > 0 ? 1 : -1;
    }
    return part;
}

double withinPart(const ContactPlace& place, const BoxPart& part, const Motion& a, const Motion& b) {
    const Eigen::Vector3d from = fromBox(place, a, b);
    double within = std::numeric_limits<double>::infinity();
    for (Eigen::Index k = 0; k < 3; ++k) {
        const double length = place.ownerBox.half.col(k).norm();
        const double along = from.dot(place.ownerBox.half.col(k)) / length;
        const int side = part.sides[static_cast<std::size_t>(k)];
        within = std::min(within, side == 0 ? length - std::abs(along) : side * along - length);
    }
    return within;
}

void faceVertex(ContactPlace& place, const Motion& a, const Motion& b) {
    if (!place.isRoundOnBox()) return;
    const BoxPart part = nearestPart(place, a, b);
    if (!part.isOutside()) return;
    const ContactBox& box = place.ownerBox;
    const Eigen::Vector3d from = fromBox(place, a, b);
    Eigen::Vector3d nearest = Eigen::Vector3d::Zero(), axis = Eigen::Vector3d::Zero();
    int ends = 0;
    for (Eigen::Index k = 0; k < 3; ++k) {
        const Eigen::Vector3d half = box.half.col(k);
        const int side = part.sides[static_cast<std::size_t>(k)];
        if (side != 0) {
            ++ends;
            nearest += side * half;
        } else {
            axis = half.normalized();
            nearest += axis.dot(from) * axis;
        }
    }
    const Eigen::Vector3d outward = (from - nearest).normalized();
    const double radius = ends == 1 ? box.rounding : std::max(box.rounding, kSharp);
    place.planePoint = box.centre + nearest + radius * outward;
    place.normal = place.isVertexOnA ? outward : Eigen::Vector3d(-outward);
    place.ownerRadius = ends == 1 ? 0 : radius;
    place.ownerAxis = ends == 2 ? axis : Eigen::Vector3d::Zero();
}

double faceOverlap(const ContactPlace& place, const Motion& a, const Motion& b) {
    double least = std::numeric_limits<double>::infinity();
    if (!place.areFaces()) return least;
    const Motion& vertexBody = place.isVertexOnA ? a : b;
    const Motion& owner = place.isVertexOnA ? b : a;
    const Eigen::Vector3d between =
        owner.q.conjugate() * (vertexBody.x + vertexBody.q * place.vertexBox.centre - owner.x) - place.ownerBox.centre;
    const Eigen::Matrix3d turn = (owner.q.conjugate() * vertexBody.q).toRotationMatrix();
    const Eigen::Matrix3d halves[] = {place.ownerBox.half, turn * place.vertexBox.half};
    for (const Eigen::Matrix3d& half : halves) {
        const Eigen::Index up = axisAlong(half, place.normal);
        for (Eigen::Index k = 0; k < 3; ++k) {
            if (k == up) continue;
            const Eigen::Vector3d along = half.col(k).normalized();
            double overlap = -std::abs(along.dot(between));
            for (const Eigen::Matrix3d& other : halves) overlap += (other.transpose() * along).cwiseAbs().sum();
            least = std::min(least, overlap);
        }
    }
    return least;
}

}  // namespace elasto::flow

namespace elasto {

double contactGap(const ContactPlace& place, const BodyState& a, const BodyState& b) {
    return flow::measureContact(place, flow::Motion::of(a), flow::Motion::of(b)).gap;
}

double faceOverlap(const ContactPlace& place, const BodyState& a, const BodyState& b) {
    return flow::faceOverlap(place, flow::Motion::of(a), flow::Motion::of(b));
}

void faceVertex(ContactPlace& place, const BodyState& a, const BodyState& b) {
    flow::faceVertex(place, flow::Motion::of(a), flow::Motion::of(b));
}

}  // namespace elasto
