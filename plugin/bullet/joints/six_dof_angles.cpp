#include "joints/six_dof_angles.h"
#include "joints/tuning.h"

#include <BulletDynamics/ConstraintSolver/btGeneric6DofConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>

#include <cmath>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Eigen::Vector3d;

constexpr double kQuarterTurn = 1.57079632679489661923;

Vector3d unit(int axis) {
    return Vector3d::Unit(axis);
}

/// The row that holds an angle: with the turns about f, m, l the angles' sines and cosines are products of A's axes
/// with B's.
const char* addLocked(const JointFrames& frames, EulerTurns turns, int axis, double angle, bool isMiddleLocked,
                      JointRows& rows) {
    const int f = turns.first;
    const int m = turns.middle();
    const int l = turns.last;
    const double order = (m - f + 3) % 3 == 1 ? 1 : -1;
    if (axis == m) {
        if (!(std::abs(angle) < kQuarterTurn)) return "a second angle that is locked at or beyond 90 degrees";
        rows.held.push_back(angle == 0 ? frames.orthogonal(f, l)
                                       : frames.orthogonal(unit(f), unit(l), order * std::sin(angle)));
        return nullptr;
    }
    const double c = std::cos(angle);
    const double s = order * std::sin(angle);
    const bool isFirst = axis == f;
    const double along = isFirst ? frames.product(c * unit(l) - s * unit(m), unit(l))
                                 : frames.product(unit(f), c * unit(f) - s * unit(m));
    if (!(along > (isMiddleLocked ? kTurnedOver : kNearlyAcross))) return "a joint that is turned over";
    if (angle == 0) {
        rows.held.push_back(isFirst ? frames.orthogonal(m, l) : frames.orthogonal(f, m));
    } else if (isFirst) {
        rows.held.push_back(frames.orthogonal(c * unit(m) + s * unit(l), unit(l), 0));
    } else {
        rows.held.push_back(frames.orthogonal(unit(f), c * unit(m) + s * unit(f), 0));
    }
    return nullptr;
}

/// Where at least two angles are locked at 0: a hinge, or nothing turns.
const char* addHinge(const JointFrames& frames, const SixDofCoordinate (&angles)[3], int open, JointRows& rows) {
    for (int k = 0; k < 3; ++k) {
        if ((open < 0 || k == open) && !frames.isAligned(k)) return "a joint that is turned over";
    }
    // Two or three of these conditions hold the same whatever the order of the angles.
    if (open != 0) rows.held.push_back(frames.orthogonal(2, 1));
    if (open != 1) rows.held.push_back(frames.orthogonal(2, 0));
    if (open != 2) rows.held.push_back(frames.orthogonal(1, 0));
    return open < 0 ? nullptr : addActions(frames.about(open), angles[open], -1, -1, rows);
}

}  // namespace

const char* addActions(const BoundedRow& coordinate, const SixDofCoordinate& given, double sign, double rateSign,
                       JointRows& rows) {
    if (given.hasMotor) addMotor(coordinate, rateSign * static_cast<double>(given.rate), given.maxForce, rows);
    const double lower = sign * static_cast<double>(sign > 0 ? given.lower : given.upper);
    const double upper = sign * static_cast<double>(sign > 0 ? given.upper : given.lower);
    if (given.isLimited()) addLimits(coordinate, lower, upper, static_cast<double>(given.restitution), rows);
    if (!given.hasSpring) return nullptr;
    BoundedRow pulled = coordinate;
    if (given.isLimited()) pulled.phi = (lower + upper) / 2;
    SpringDamperParameters spring = given.spring;
    spring.s_rel0 *= sign;
    return addSpring(pulled, spring, rows);
}

// Of the one whose angles are x, y, z.
EulerTurns turnsOf(btGeneric6DofConstraint& /*joint*/) {
    return {.first = 2, .last = 0};
}

EulerTurns turnsOf(btGeneric6DofSpring2Constraint& joint) {
    constexpr int kAxes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};  // as named
    const auto& axes = kAxes[joint.getRotationOrder()];
    return {.first = axes[2], .last = axes[0]};
}

const char* addAngles(const JointFrames& frames, const SixDofCoordinate (&angles)[3], EulerTurns turns,
                      JointRows& rows) {
    int atZero = 0;
    int open = -1;
    for (int k = 0; k < 3; ++k) {
        if (angles[k].isLocked() && angles[k].lower == 0) {
            atZero += 1;
        } else {
            open = k;
        }
    }
    const bool isHinge = atZero == 3 || (atZero == 2 && !angles[open].isLocked());
    if (isHinge) return addHinge(frames, angles, open, rows);
    for (int k = 0; k < 3; ++k) {
        const SixDofCoordinate& angle = angles[k];
        const char* refusal = angle.isLocked() ? addLocked(frames, turns, k, -static_cast<double>(angle.lower),
                                                           angles[turns.middle()].isLocked(), rows)
                                               : addActions(frames.euler(turns, k), angle, -1, -1, rows);
        if (refusal != nullptr) return refusal;
    }
    return nullptr;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
