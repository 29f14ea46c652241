// Stops in the place of the limits of btConeTwistConstraint, whose A swings and twists as seen from B.

#include <elasto/errors.h>
#include <elasto/from_bullet.h>

#include <BulletDynamics/ConstraintSolver/btConeTwistConstraint.h>

#include <string>

#include "host/turned_frame.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr auto kHalfTurn = static_cast<double>(SIMD_PI);

std::string refusal(const char* what, const char* field, double value) {
    return std::string(what) + " (" + field + " = " + std::to_string(value) + " rad)";
}

}  // namespace

std::unique_ptr<ElastoGap> swingStopFromLimits(btConeTwistConstraint& joint, double c, double d) {
    const double narrow = static_cast<double>(joint.getFixThresh());
    const double aboutZ = static_cast<double>(joint.getSwingSpan1());
    const double aboutY = static_cast<double>(joint.getSwingSpan2());
    if (aboutY < narrow && aboutZ < narrow) {
        throw InvalidParameter(
            "cone-twist joint",
            refusal("both swing spans are below its fix threshold, so it does not swing", "swingSpan1", aboutZ));
    }
    const auto softness = static_cast<double>(joint.getLimitSoftness());
    // Where one swing is held the other's is the only direction.
    const double spanY = softness * (aboutY < narrow ? aboutZ : aboutY);
    const double spanZ = softness * (aboutZ < narrow ? aboutY : aboutZ);
    if (!(spanY < kHalfTurn) && !(spanZ < kHalfTurn)) {
        throw InvalidParameter("cone-twist joint",
                               refusal("it has no swing limits below a half turn", "swingSpan1", aboutZ));
    }
    btTypedConstraint& base = joint;  // whose getters are not const
    const Placement place = Placement::swingClearance(base.getRigidBodyA(), base.getRigidBodyB(), joint.getAFrame(),
                                                      joint.getBFrame(), spanY, spanZ);
    auto stop = std::make_unique<ElastoGap>(place, ElastoGapParameters{.c = c, .d = d, .s_rel0 = 0});
    if (aboutY >= narrow) joint.setLimit(4, btScalar(BT_LARGE_FLOAT));
    if (aboutZ >= narrow) joint.setLimit(5, btScalar(BT_LARGE_FLOAT));
    return stop;
}

StopPair twistStopsFromLimits(btConeTwistConstraint& joint, double c, double d) {
    const auto given = static_cast<double>(joint.getTwistSpan());
    const double span = given * static_cast<double>(joint.getLimitSoftness());
    if (span == 0) throw InvalidParameter("cone-twist joint", refusal("its twist is locked", "twistSpan", given));
    if (!(span > 0 && span < kHalfTurn)) {
        throw InvalidParameter("cone-twist joint",
                               refusal("its twist has no limits below a half turn", "twistSpan", given));
    }
    btTypedConstraint& base = joint;
    btRigidBody& a = base.getRigidBodyA();
    btRigidBody& b = base.getRigidBodyB();
    const btTransform ofA = about(joint.getAFrame(), 0);
    const btTransform ofB = about(joint.getBFrame(), 0);
    const ElastoGapParameters parameters{.c = c, .d = d, .s_rel0 = -span};
    StopPair pair;
    pair.lower = std::make_unique<ElastoGap>(Placement::aboutAxis(b, a, ofB, ofA), parameters);
    pair.upper = std::make_unique<ElastoGap>(Placement::aboutAxis(a, b, ofA, ofB), parameters);
    joint.setLimit(3, -1);
    return pair;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
