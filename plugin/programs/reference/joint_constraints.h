#pragma once
// What joints demand of the bodies of a group, at one instant: values, gradients, and what the velocities alone make of
// them. Written from the geometry, not taken from the flow.

#include <elasto/reference/reference.h>

#include <Eigen/Core>

#include <functional>
#include <vector>

namespace elasto::reference {

/// Constraints C(x, t) = 0 of held rows and driven coordinates. A body has six columns of velocity: v, then w.
class JointConstraints {
public:
    /// @param joints, motors: indices in the problem, which must outlive this object
    JointConstraints(const ReferenceProblem& problem, std::vector<int> joints, std::vector<int> motors);

    int count() const { return static_cast<int>(m_joints.size() + m_motors.size()); }
    /// The row that drives motor `local`, an index in motors().
    int rowOfMotor(std::size_t local) const { return static_cast<int>(m_joints.size() + local); }
    const std::vector<int>& motors() const { return m_motors; }

    using StateOf = std::function<BodyState(int body)>;  // kWorld too
    /// First column of a body; < 0 if it is none of the group's.
    using ColumnOf = std::function<int(int body)>;

    struct Rows {
        Eigen::VectorXd value;      // C
        Eigen::MatrixXd gradient;   // dC/dt = gradient u + drift
        Eigen::VectorXd drift;      // by time and by bodies that are not of the group
        Eigen::VectorXd curvature;  // d2C/dt2 = gradient du/dt + curvature
    };
    void evaluate(double t, const StateOf& stateOf, const ColumnOf& columnOf, Rows& rows) const;

private:
    struct Row;
    void add(const Row& row, int index, const StateOf& stateOf, const ColumnOf& columnOf, Rows& rows) const;
    double startOf(const ReferenceMotor& motor) const;

    const ReferenceProblem& m_problem;
    std::vector<int> m_joints;
    std::vector<int> m_motors;
    std::vector<double> m_starts;  // of the motors' coordinates
};

}  // namespace elasto::reference
