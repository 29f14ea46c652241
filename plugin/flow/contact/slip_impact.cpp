#include "contact/slip_impact.h"

#include "contact/straight_slip.h"
#include "contact/tuning.h"

#include <Eigen/QR>

namespace elasto::flow {

std::optional<Eigen::Vector3d> impactOfSlip(const Eigen::Matrix3d& W, double friction, const Eigen::Vector2d& slip) {
    const Eigen::Vector3d before(0, slip[0], slip[1]);
    const double rest = kSlipLeft * slip.norm();
    // By the normal impulse.
    const auto growth = [&](const Eigen::Vector2d& along) {
        return Eigen::Vector3d(1, -friction * along[0], -friction * along[1]);
    };
    const auto velocityAfter = [&](const Eigen::Vector3d& impulse) { return Eigen::Vector3d(before + W * impulse); };
    const auto growthAfter = [&](const Eigen::Vector3d& impulse) {
        return growth(velocityAfter(impulse).tail<2>().normalized());
    };
    Eigen::Vector3d impulse = Eigen::Vector3d::Zero();
    // On the verge of pressing, what friction turns slip to tells whether it does.
    const Eigen::Vector3d begin = growthAfter(impulse);
    const double apart = W.row(0).dot(begin), verge = kVerge * W(0, 0);
    const Eigen::Vector3d soon = kSlipStep * slip.norm() / (W * begin).tail<2>().norm() * begin;
    if (!(apart < -verge || (apart < verge && W.row(0).dot(growthAfter(soon)) < -verge))) return std::nullopt;
    Eigen::Vector3d velocity = before;
    for (int k = 0; velocity.tail<2>().norm() > rest; ++k) {
        if (k == kMostSlipSteps) return std::nullopt;
        const Eigen::Vector3d first = growthAfter(impulse);
        const auto after = [&](double by) {
            const Eigen::Vector3d second = growthAfter(impulse + 0.5 * by * first);
            const Eigen::Vector3d third = growthAfter(impulse + 0.5 * by * second);
            const Eigen::Vector3d fourth = growthAfter(impulse + by * third);
            return Eigen::Vector3d(impulse + by / 6 * (first + 2 * (second + third) + fourth));
        };
        double step = kSlipStep * velocity.tail<2>().norm() / (W * first).tail<2>().norm();
        Eigen::Vector3d next = after(step);
        double approach = velocityAfter(next)[0];
        if (approach >= 0) {
            if (velocity[0] == 0) return std::nullopt;
            // Velocities are nearly linear in so short a step.
            for (int tries = 0; approach != 0 && tries < kMostEndTries; ++tries) {
                step *= velocity[0] / (velocity[0] - approach);
                next = after(step);
                approach = velocityAfter(next)[0];
            }
            return next;
        }
        impulse = next;
        velocity = velocityAfter(impulse);
    }
    // It sticks from there on, or slips anew where it is driven.
    const Eigen::Vector2d hold =
        -W.bottomRightCorner<2, 2>().completeOrthogonalDecomposition().solve(W.bottomLeftCorner<2, 1>());
    Eigen::Vector3d further(1, hold[0], hold[1]);
    if (hold.norm() > friction) {
        const auto straight = straightSlip(-hold.normalized(), [&](const Eigen::Vector2d& along) {
            return Eigen::Vector2d((W * growth(along)).tail<2>());
        });
        if (!straight) return std::nullopt;
        further = growth(*straight);
    }
    const double parting = W.row(0).dot(further);
    if (!(parting > 0)) return std::nullopt;
    return Eigen::Vector3d(impulse - velocity[0] / parting * further);
}

}  // namespace elasto::flow
