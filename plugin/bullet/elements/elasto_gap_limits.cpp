// Stops in the place of the limits of Bullet's own joints.

#include <elasto/elasto_gap.h>
#include <elasto/errors.h>

#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/ConstraintSolver/btSliderConstraint.h>

#include "network/element_access.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// Below the lower limit a gap from A to B closes; above the upper one the gap from B to A, which measures the negative.
StopPair stops(const Placement& forward, const Placement& backward, double lower, double upper, double c, double d) {
    StopPair pair;
    pair.lower = std::make_unique<ElastoGap>(forward, ElastoGapParameters{.c = c, .d = d, .s_rel0 = lower});
    pair.upper = std::make_unique<ElastoGap>(backward, ElastoGapParameters{.c = c, .d = d, .s_rel0 = -upper});
    return pair;
}

void requireLimits(double lower, double upper, const char* joint) {
    if (!(lower <= upper)) {
        throw InvalidParameter("ElastoGap", std::string("the ") + joint + " has no limits (lower " +
                                                std::to_string(lower) + " > upper " + std::to_string(upper) + ")");
    }
}

}  // namespace

StopPair ElastoGap::fromHingeLimit(btHingeConstraint& hinge, double c, double d) {
    const auto lower = static_cast<double>(hinge.getLowerLimit());
    const auto upper = static_cast<double>(hinge.getUpperLimit());
    requireLimits(lower, upper, "hinge");
    btRigidBody& a = hinge.getRigidBodyA();
    btRigidBody& b = hinge.getRigidBodyB();
    const Placement fromA = Placement::aboutAxis(a, b, hinge.getAFrame(), hinge.getBFrame());
    const Placement fromB = Placement::aboutAxis(b, a, hinge.getBFrame(), hinge.getAFrame());
    // Bullet's hinge angle is that of B against A if the hinge refers to frame A, else that of A against B.
    StopPair pair = hinge.getUseReferenceFrameA() ? stops(fromA, fromB, lower, upper, c, d)
                                                  : stops(fromB, fromA, lower, upper, c, d);
    hinge.setLimit(1, -1);  // none
    return pair;
}

StopPair ElastoGap::fromSliderLimit(btSliderConstraint& slider, double c, double d) {
    const auto lower = static_cast<double>(slider.getLowerLinLimit());
    const auto upper = static_cast<double>(slider.getUpperLinLimit());
    requireLimits(lower, upper, "slider");
    btTypedConstraint& joint = slider;  // whose getters are not const
    btRigidBody& a = joint.getRigidBodyA();
    btRigidBody& b = joint.getRigidBodyB();
    const btTransform& frameA = slider.getFrameOffsetA();
    const btTransform& frameB = slider.getFrameOffsetB();
    const double sign = slider.getUseLinearReferenceFrameA() ? 1 : -1;  // Bullet's position is sign * s_rel
    const double low = sign > 0 ? lower : -upper;
    const double high = sign > 0 ? upper : -lower;
    // Both along A's axis: the upper one starts at the stop's own frame, turned round, so that B approaches it from
    // ahead.
    btTransform reversed = frameA;
    reversed.setBasis(frameA.getBasis() * btMatrix3x3(-1, 0, 0, 0, -1, 0, 0, 0, 1));
    StopPair pair = stops(Placement::alongAxis(a, b, frameA, frameB), Placement::alongAxis(a, b, reversed, frameB), low,
                          high, c, d);
    if (sign < 0) {
        std::swap(pair.lower, pair.upper);
    }
    slider.setLowerLinLimit(1);
    slider.setUpperLinLimit(-1);
    return pair;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
