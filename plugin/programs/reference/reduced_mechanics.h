#pragma once
// Equations of motion of a group with joints, in the coordinates that the joints leave free.

#include "joint_constraints.h"
#include "mechanics.h"

#include <Eigen/Dense>

namespace elasto::reference {

/// State vector: coordinates p, their quasi-velocities z, then the elements' share as in Mechanics.
///
/// At the pose where the coordinates were chosen, N0 is an orthonormal basis of the velocities that the joints allow
/// and R0 one of the rest. A pose is that one moved by d (translations and rotation vectors of all bodies) with
///     N0' d = p,    C(pose(d), t) = 0                            (Newton's method on R0's share of d)
/// its velocities u and accelerations with the present N follow from
///     N0' u = z,    G u + drift = 0
///     du/dt = a_p + N q,    G a_p + curvature = 0,    N' M N q = N' M (a_free - a_p)
/// where a_free is the acceleration without joints (Mechanics).
class ReducedMechanics : public Motion {
public:
    /// @param bodies, elements, joints, motors: indices in the problem, which must outlive this object
    ReducedMechanics(const ReferenceProblem& problem, const std::vector<int>& bodies, std::vector<int> elements,
                     std::vector<int> joints, std::vector<int> motors);

    int size() const override;
    int dynamicSize() const override;
    const std::vector<int>& elements() const override { return m_free.elements(); }
    Vector startState() const override { return m_start; }
    Branches startBranches() const override;
    Vector scales(std::span<const double> times) const override;
    void setInterval(double from, double to) override { m_free.setInterval(from, to); }
    void derivative(double t, const double* y, const Branches& branches, double* dy) const override;
    void boundaries(double t, const double* y, const Branches& branches, double* g) const override;
    int distanceCount(int local, Branch branch) const override { return m_free.distanceCount(local, branch); }
    bool hasBranches() const override { return m_free.hasBranches(); }
    void boundaryNoise(double t, const double* y, const Branches& branches, const Vector& errors,
                       double* noise) const override;
    void speedBounds(double t, const double* y, double* speeds) const override;
    Branch beyond(double t, const double* y, const Branches& branches, int local, int boundary) const override;
    void settle(int local, Branch branch, double* y) const override;
    double rate(double t, const double* y, int local) const override;
    void report(double t, const double* y, const Branches& branches, ReferenceState& state) const override;
    bool isWornOut(double t, const double* y) const override;
    void renew(double t, Vector& y) override;

private:
    static constexpr int kColumns = 6;  // of a body's velocity: v, w

    /// A pose and what the joints make of it.
    struct Placed {
        std::vector<BodyState> states;  // of the group's bodies; velocities after move()
        Vector displacement;            // d
        JointConstraints::Rows rows;
        Eigen::MatrixXd allowed;   // N
        Eigen::MatrixXd held;      // orthonormal basis of the rows' space
        Eigen::MatrixXd triangle;  // independent rows = triangle' held'
        Eigen::VectorXi picked;    // which rows these are
    };

    void check() const;
    void evaluate(double t, Placed& placed) const;
    void factor(Placed& placed, int rank) const;
    void setPoses(Placed& placed) const;
    /// The u of least size with G u = wanted.
    Vector least(const Placed& placed, const Vector& wanted) const;
    Placed place(double t, const double* y) const;
    void move(double t, const double* y, Placed& placed) const;
    Vector expand(const Placed& placed, const double* y) const;
    const Vector& expand(double t, const double* y) const;
    Vector velocities(const Placed& placed) const;
    Vector freeAccelerations(double t, const Vector& full, const Branches& branches, Vector& fullRate) const;
    Eigen::MatrixXd masses(const Placed& placed) const;
    Vector accelerations(const Placed& placed, const Vector& free) const;
    void checkMotors(double t, const Placed& placed, const Vector& full, const Branches& branches) const;

    const ReferenceProblem& m_problem;
    Mechanics m_free;
    JointConstraints m_constraints;
    std::vector<int> m_columnOfBody;  // first of six; -1: not of the group
    int m_freedoms = 0;
    std::vector<BodyState> m_origin;  // the poses where the coordinates were chosen
    Eigen::MatrixXd m_allowed;        // N0
    Eigen::MatrixXd m_held;           // R0
    Vector m_start;
    mutable Vector m_lastShare;  // of R0, where Newton's method begins
    // The last expansion, since several functions are asked for at one time.
    mutable double m_expandedTime = 0;
    mutable Vector m_expandedFrom;
    mutable Vector m_expanded;
};

}  // namespace elasto::reference
