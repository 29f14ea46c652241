#pragma once
// The forces that hold relations at one instant.

#include "relation.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <span>
#include <vector>

namespace elasto::reference {

/// What a push changes in a body's velocity, at one pose; of what nothing moves nothing.
struct Mobility {
    Eigen::Vector3d linear = Eigen::Vector3d::Zero();   ///< [1/kg]
    Eigen::Matrix3d angular = Eigen::Matrix3d::Zero();  ///< [1/(kg.m^2)]

    Six operator*(const Six& push) const {
        Six out;
        out << linear.cwiseProduct(push.head<3>()), angular * push.tail<3>();
        return out;
    }
};

/// Relations by their order; the first ones are firm (joints, which do not depend on each other), the rest gives way
/// (friction that sticks, motors, limits) and may depend on others. Those that hold the same share its force by what
/// each can give, so that none gives way before all do: the sum of force^2 / strength is least.
///
/// With G the forms and W the mobilities, A = G W G' scaled to a diagonal of 1, so that no unit counts.
class Holding {
public:
    /// @param strengths of those that are not firm, >= 0, may be infinite
    /// @param mobilities one per body of the problem, which must outlive this object
    Holding(std::span<const Relation> relations, std::size_t firm, std::span<const double> strengths,
            std::span<const Mobility> mobilities);

    /// f with A f = wanted: of velocities impulses, of accelerations forces. What cannot be moved gets 0.
    Eigen::VectorXd forces(const Eigen::VectorXd& wanted) const;
    /// The same of the firm ones alone, wanted having as many rows.
    Eigen::VectorXd firmForces(const Eigen::VectorXd& wanted) const;
    /// Whether a relation's force can change its rate, with all the others held.
    bool canHold(std::size_t relation) const { return m_held[static_cast<Eigen::Index>(relation)]; }
    /// What pushing along a form changes in a relation's rate.
    double response(const Form& push, const Form& of) const;
    /// The smallest pivot of the firm ones, 1 where they do not influence each other.
    double leastPivot() const;

private:
    std::span<const Mobility> m_mobilities;
    Eigen::Index m_firm = 0;
    Eigen::VectorXd m_scale;                             // diagonal of A, to the power of -1/2
    Eigen::LLT<Eigen::MatrixXd, Eigen::Lower> m_factor;  // of the firm block
    Eigen::MatrixXd m_coupling;                          // L^-1 A_fs
    Eigen::MatrixXd m_rest;                              // an inverse of what the firm ones leave of the others' block
    Eigen::Array<bool, Eigen::Dynamic, 1> m_held;
};

/// Those of the relations that do not depend on earlier ones or on what nothing moves, in their order.
/// @param leastPivot as Holding::leastPivot of these, may be null
std::vector<std::size_t> independent(std::span<const Relation> relations, std::span<const Mobility> mobilities);

}  // namespace elasto::reference
