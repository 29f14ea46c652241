#pragma once
// Contact points of one manifold, whose bodies are looked at once.

#include <elasto/flow.h>
#include <elasto/precision.h>

#include <optional>

class btManifoldPoint;
class btPersistentManifold;
struct btContactSolverInfo;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

struct ContactPoint;

/// Where the bodies of a manifold are.
struct PairPose {
    BodyState a, b;
};
PairPose poseOf(const btPersistentManifold& manifold);

/// See contacts/contact_points.h. @param pose of the manifold
std::optional<ContactPoint> contactPoint(const btPersistentManifold& manifold, btManifoldPoint& point,
                                         const btContactSolverInfo& info, const PairPose& pose);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
