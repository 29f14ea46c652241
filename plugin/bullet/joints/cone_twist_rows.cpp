// btConeTwistConstraint: a ball joint whose x of A swings against x of B inside an elliptical cone, and twists. All as
// seen from B.

#include <BulletDynamics/ConstraintSolver/btConeTwistConstraint.h>

#include "joints/joint_translation.h"
#include "joints/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr int kSoftConeTwist = BT_CONETWIST_FLAGS_LIN_CFM | BT_CONETWIST_FLAGS_ANG_CFM;

/// Swing of A's x in one plane, about A's axis.
BoundedRow swingAbout(const JointFrames& frames, int axis) {
    EulerTurns turns;
    turns.first = axis;
    turns.last = 0;
    return frames.euler(turns, axis);
}

}  // namespace

void translate(const btConeTwistConstraint& constant, JointRows& rows) {
    auto& joint = const_cast<btConeTwistConstraint&>(constant);
    if (joint.isMotorEnabled()) return refuse("a cone-twist joint's motor", rows);
    if ((constant.getFlags() & kSoftConeTwist) != 0) return refuse("softness (CFM)", rows);
    const JointFrames frames{constant, joint.getAFrame(), joint.getBFrame()};
    addBall(frames, rows);
    rows.fewest = rows.most = 3;

    // Bullet's limits begin where its softness says.
    const auto softness = static_cast<double>(constant.getLimitSoftness());
    const double aboutZ = static_cast<double>(constant.getSwingSpan1());
    const double aboutY = static_cast<double>(constant.getSwingSpan2());
    const double narrow = static_cast<double>(joint.getFixThresh());
    const auto isOpen = [](double span) { return span > kFarthest; };
    if (aboutY >= narrow && aboutZ >= narrow) {
        if (!isOpen(softness * aboutY) || !isOpen(softness * aboutZ)) {
            BoundedRow cone = frames.about(0);
            cone.geometry = Geometry::SwingCone;
            cone.spans = softness * Eigen::Vector2d(aboutY, aboutZ);
            cone.kind = BoundedRow::Kind::Limit;
            rows.bounded.push_back(cone);
        }
        rows.most += 1;
    } else {
        // What is narrower than Bullet follows is held.
        if (!frames.isAligned(0)) return refuse("a cone-twist joint that is turned over", rows);
        if (aboutZ < narrow) rows.held.push_back(frames.orthogonal(1, 0));
        if (aboutY < narrow) rows.held.push_back(frames.orthogonal(2, 0));
        if (aboutY >= narrow && !isOpen(aboutY)) addLimits(swingAbout(frames, 1), -aboutY, aboutY, 0, rows);
        if (aboutZ >= narrow && !isOpen(aboutZ)) addLimits(swingAbout(frames, 2), -aboutZ, aboutZ, 0, rows);
        rows.most += aboutY < narrow && aboutZ < narrow ? 2 : 1;
    }
    const double twist = softness * static_cast<double>(constant.getTwistSpan());
    if (twist == 0) return refuse("a cone-twist joint whose twist is locked", rows);
    if (twist > 0) {
        if (twist <= kFarthest) addLimits(frames.about(0), -twist, twist, 0, rows);
        rows.most += 1;
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
