#include <elasto/errors.h>
#include <elasto/from_bullet.h>
#include <elasto/rotational_spring_damper.h>
#include <elasto/springs.h>

#include <BulletDynamics/ConstraintSolver/btGeneric6DofConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpringConstraint.h>

#include <string>

#include "host/turned_frame.h"
#include "joints/six_dof_angles.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

struct Range {
    double lower = 0;
    double upper = 0;
};

template <class Joint>
Range rangeOf(Joint& joint, int coordinate) {
    if (coordinate >= 3) {
        const auto& angle = *joint.getRotationalLimitMotor(coordinate - 3);
        return {static_cast<double>(angle.m_loLimit), static_cast<double>(angle.m_hiLimit)};
    }
    const auto& translations = *joint.getTranslationalLimitMotor();
    return {static_cast<double>(translations.m_lowerLimit[coordinate]),
            static_cast<double>(translations.m_upperLimit[coordinate])};
}

template <class Joint>
btTypedConstraint& base(Joint& joint) {
    return joint;  // whose getters are not const
}

/// From A to B along one of A's axes; reversed, from ahead.
template <class Joint>
Placement translation(Joint& joint, int axis, bool isReversed) {
    return Placement::alongAxis(base(joint).getRigidBodyA(), base(joint).getRigidBodyB(),
                                along(joint.getFrameOffsetA(), axis, isReversed), joint.getFrameOffsetB());
}

/// The others are locked where they turn nothing: then the angle is that about the axis.
template <class Joint>
bool isOnlyAngle(Joint& joint, int axis) {
    for (int other = 0; other < 3; ++other) {
        const Range range = rangeOf(joint, 3 + other);
        if (other != axis && !(range.lower == 0 && range.upper == 0)) return false;
    }
    return true;
}

/// Bullet's angle is that of A against B; reversed, that of B against A.
template <class Joint>
Placement angle(Joint& joint, int axis, bool isReversed) {
    btRigidBody& a = base(joint).getRigidBodyA();
    btRigidBody& b = base(joint).getRigidBodyB();
    if (!isOnlyAngle(joint, axis)) {
        EulerTurns turns = turnsOf(joint);
        turns.about = axis;
        const btTransform& frameA = joint.getFrameOffsetA();
        const btTransform& frameB = joint.getFrameOffsetB();
        if (isReversed) return Placement::eulerAngle(a, b, frameA, frameB, turns);
        std::swap(turns.first, turns.last);
        return Placement::eulerAngle(b, a, frameB, frameA, turns);
    }
    const btTransform ofA = about(joint.getFrameOffsetA(), axis);
    const btTransform ofB = about(joint.getFrameOffsetB(), axis);
    return isReversed ? Placement::aboutAxis(a, b, ofA, ofB) : Placement::aboutAxis(b, a, ofB, ofA);
}

template <class Joint>
Placement placement(Joint& joint, int coordinate, bool isReversed) {
    return coordinate < 3 ? translation(joint, coordinate, isReversed) : angle(joint, coordinate - 3, isReversed);
}

/// What an angle is measured as the nearest to.
void startNear(ForceElement& element, double phi) {
    ElementState state = element.saveState();
    state.phi = phi;
    element.restoreState(state);
}

/// Of several free angles the second one of their order turns no farther than to a right angle.
template <class Joint>
void requireWithinReach(Joint& joint, int coordinate, const Range& range) {
    if (coordinate < 3 || isOnlyAngle(joint, coordinate - 3) || turnsOf(joint).middle() != coordinate - 3) return;
    constexpr auto kFarthest = static_cast<double>(SIMD_HALF_PI);
    const bool isWithin = range.lower > -kFarthest && range.upper < kFarthest;
    if (isWithin) return;
    throw InvalidParameter("6-dof joint", "coordinate " + std::to_string(coordinate) + " has limits " +
                                              std::to_string(range.lower) + " ... " + std::to_string(range.upper) +
                                              " rad; the second of several free angles stays within -pi/2 ... pi/2, so "
                                              "a stop there would never be met: set limits within");
}

template <class Joint>
StopPair stops(Joint& joint, int coordinate, double c, double d) {
    if (coordinate < 0 || coordinate > 5) throw InvalidParameter("6-dof joint", "coordinate", coordinate, "0 ... 5");
    const Range range = rangeOf(joint, coordinate);
    if (!(range.lower < range.upper)) {
        throw InvalidParameter("6-dof joint", "coordinate " + std::to_string(coordinate) +
                                                  (range.lower == range.upper ? " is locked" : " has no limits"));
    }
    if (!std::isfinite(range.lower) || !std::isfinite(range.upper)) {
        throw InvalidParameter("6-dof joint", "coordinate " + std::to_string(coordinate) + " has limits " +
                                                  std::to_string(range.lower) + " ... " + std::to_string(range.upper) +
                                                  "; both must be finite (of one side take ElastoGap itself)");
    }
    requireWithinReach(joint, coordinate, range);
    StopPair pair;
    pair.lower = std::make_unique<ElastoGap>(placement(joint, coordinate, false),
                                             ElastoGapParameters{.c = c, .d = d, .s_rel0 = range.lower});
    pair.upper = std::make_unique<ElastoGap>(placement(joint, coordinate, true),
                                             ElastoGapParameters{.c = c, .d = d, .s_rel0 = -range.upper});
    if (coordinate >= 3) {
        const double middle = range.lower + (range.upper - range.lower) / 2;
        startNear(*pair.lower, middle);
        startNear(*pair.upper, -middle);
    }
    joint.setLimit(coordinate, 1, -1);
    return pair;
}

template <class Joint>
std::unique_ptr<ForceElement> spring(Joint& joint, int coordinate, const SpringDamperParameters& parameters) {
    const Placement place = placement(joint, coordinate, false);
    if (coordinate < 3) return std::make_unique<SpringDamperParallel>(place, parameters);
    auto spring = std::make_unique<RotationalSpringDamper>(place, parameters);
    startNear(*spring, parameters.s_rel0);
    return spring;
}

}  // namespace

StopPair stopsFromLimits(btGeneric6DofConstraint& joint, int coordinate, double c, double d) {
    return stops(joint, coordinate, c, d);
}

StopPair stopsFromLimits(btGeneric6DofSpring2Constraint& joint, int coordinate, double c, double d) {
    return stops(joint, coordinate, c, d);
}

std::vector<std::unique_ptr<ForceElement>> replaceSprings(btGeneric6DofSpringConstraint& joint, double d) {
    std::vector<std::unique_ptr<ForceElement>> springs;
    for (int k = 0; k < 6; ++k) {
        if (!joint.isSpringEnabled(k)) continue;
        springs.push_back(spring(joint, k,
                                 {.c = static_cast<double>(joint.getStiffness(k)),
                                  .d = d,
                                  .s_rel0 = static_cast<double>(joint.getEquilibriumPoint(k))}));
    }
    for (int k = 0; k < 6; ++k) joint.enableSpring(k, false);
    return springs;
}

std::vector<std::unique_ptr<ForceElement>> replaceSprings(btGeneric6DofSpring2Constraint& joint) {
    std::vector<std::unique_ptr<ForceElement>> springs;
    const btTranslationalLimitMotor2& translations = *joint.getTranslationalLimitMotor();
    const auto add = [&](int k, bool isEnabled, btScalar c, btScalar d, btScalar equilibrium) {
        if (!isEnabled) return;
        springs.push_back(spring(
            joint, k,
            {.c = static_cast<double>(c), .d = static_cast<double>(d), .s_rel0 = static_cast<double>(equilibrium)}));
    };
    for (int k = 0; k < 3; ++k) {
        add(k, translations.m_enableSpring[k], translations.m_springStiffness[k], translations.m_springDamping[k],
            translations.m_equilibriumPoint[k]);
    }
    for (int k = 0; k < 3; ++k) {
        const btRotationalLimitMotor2& one = *joint.getRotationalLimitMotor(k);
        add(3 + k, one.m_enableSpring, one.m_springStiffness, one.m_springDamping, one.m_equilibriumPoint);
    }
    for (int k = 0; k < 6; ++k) joint.enableSpring(k, false);
    return springs;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
