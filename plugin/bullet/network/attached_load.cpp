#include "network/attached_load.h"

#include <algorithm>
#include <cmath>

#include "host/rotation_vector.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// [rad] Below it the closed form is mostly rounding, and its series exact to 1e-16.
constexpr double kSmallTurn = 1e-3;

// Rate of a rotation vector at which what it turns has this angular velocity: the inverse of the left Jacobian of SO(3)
// (Chirikjian, Stochastic Models, Information Theory, and Lie Groups, vol. 2, eq. 10.86).
Eigen::Vector3d rateOf(const Eigen::Vector3d& vector, const Eigen::Vector3d& angularVelocity) {
    const double angle = vector.norm();
    const double twice =
        angle < kSmallTurn ? 1. / 12 + angle * angle / 720 : (1 - angle / (2 * std::tan(angle / 2))) / (angle * angle);
    return angularVelocity - vector.cross(angularVelocity) / 2 + twice * vector.cross(vector.cross(angularVelocity));
}

// A part of a sum that is less than this share of what is summed is its rounding, and has no course of its own.
constexpr double kRounding = 1e-13;

const LoadPiece& pieceAt(const std::vector<LoadPiece>& pieces, double t) {
    const auto after = std::upper_bound(pieces.begin() + 1, pieces.end(), t,
                                        [](double time, const LoadPiece& piece) { return time < piece.start; });
    return *(after - 1);
}

}  // namespace

RotationPath::RotationPath(const BodyState& start)
    : m_start(start.orientation), m_angularVelocity(start.angularVelocity) {}

RotationPath::RotationPath(const BodyState& start, const BodyState& end, double h) : RotationPath(start) {
    const Eigen::Vector3d turn =
        logarithm(end.orientation * (exponential(h * m_angularVelocity) * m_start).conjugate());
    const Eigen::Vector3d rate = rateOf(turn, end.angularVelocity - exponential(turn) * m_angularVelocity);
    m_quadratic = (3 * turn - h * rate) / (h * h);
    m_cubic = (h * rate - 2 * turn) / (h * h * h);
}

Eigen::Quaterniond RotationPath::at(double t) const {
    return exponential(t * t * (m_quadratic + t * m_cubic)) * exponential(t * m_angularVelocity) * m_start;
}

std::vector<LoadPiece> turnWith(const RotationPath& path, const std::vector<LoadPiece>& fixed,
                                const std::vector<AttachedLoad>& attached, double h) {
    std::vector<double> breaks;
    const auto note = [&](const std::vector<LoadPiece>& pieces) {
        for (const LoadPiece& piece : pieces) breaks.push_back(piece.start);
    };
    note(fixed);
    for (const AttachedLoad& load : attached) note(load.pieces);
    std::sort(breaks.begin(), breaks.end());
    breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
    const auto value = [&](double t) {
        const Eigen::Quaterniond orientation = path.at(t);
        LoadValue sum = LoadValue::Zero();
        double forces = 0;
        double torques = 0;
        const auto add = [&](const Eigen::Vector3d& force, const Eigen::Vector3d& torque, double lever) {
            sum.head<3>() += force;
            sum.tail<3>() += torque;
            forces += force.norm();
            torques += torque.norm() + lever * force.norm();
        };
        const LoadValue own = pieceAt(fixed, t).value(t);
        add(own.head<3>(), own.tail<3>(), 0);
        for (const AttachedLoad& load : attached) {
            const LoadValue given = pieceAt(load.pieces, t).value(t);
            const auto inWorld = [&](const Eigen::Vector3d& vector) -> Eigen::Vector3d {
                return load.isInBodyAxes ? orientation * vector : vector;
            };
            const Eigen::Vector3d force = inWorld(given.head<3>());
            const Eigen::Vector3d arm = orientation * load.point;
            add(force, inWorld(given.tail<3>()) + arm.cross(force), arm.norm());
        }
        if (sum.head<3>().norm() < kRounding * forces) sum.head<3>().setZero();
        if (sum.tail<3>().norm() < kRounding * torques) sum.tail<3>().setZero();
        return sum;
    };
    std::vector<LoadPiece> pieces;
    cutIntoPieces(value, breaks, h, pieces);
    return pieces;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
