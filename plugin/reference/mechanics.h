#pragma once
// Equations of motion of one independent group of bodies and elements.

#include "characteristic.h"

#include <elasto/reference/reference.h>

#include <Eigen/Core>

#include <vector>

namespace elasto::reference {

/// State vector of a group: for each movable body x, v and, if it can turn, q (x, y, z, w) and w; then for each element
/// its turned angle (AboutAxis) and s_damper (series); then for each element impulse and heat, on which nothing
/// depends.
class Mechanics {
public:
    using Vector = Eigen::VectorXd;
    using Branches = std::vector<Branch>;

    /// @param bodies, elements: indices in the problem, which must outlive this object
    Mechanics(const ReferenceProblem& problem, const std::vector<int>& bodies, std::vector<int> elements);

    int size() const { return m_size; }
    /// Leading part of the state that the motion depends on.
    int dynamicSize() const { return m_dynamicSize; }
    const std::vector<int>& elements() const { return m_elements; }

    Vector startState() const;
    Branches startBranches() const;
    /// Typical sizes of the state's components, for absolute tolerances. @param times at which loads are sampled
    Vector scales(std::span<const double> times) const;

    /// Drives are taken from within this interval, so that a jump at its ends is not seen.
    void setInterval(double from, double to);

    void derivative(double t, const double* y, const Branches& branches, double* dy) const;

    int boundaryCount() const { return static_cast<int>(m_elements.size()) * Characteristic::kMaxBoundaries; }
    /// Boundary functions of all elements, >= 0 while the branches hold.
    void boundaries(double t, const double* y, const Branches& branches, double* g) const;
    /// How many of an element's first boundary functions are distances to edges of the free range.
    int distanceCount(int local, Branch branch) const;
    /// Whether any element has more than one branch.
    bool hasBranches() const;
    /// Values below which a negative boundary function is rounding or integration error.
    void boundaryNoise(double t, const double* y, const Branches& branches, const Vector& errors, double* noise) const;
    /// Per element: a bound of how fast its s can change if the bodies keep their velocities, whatever its direction.
    void speedBounds(double t, const double* y, double* speeds) const;
    /// The branch of element `local` (index within the group) beyond one of its boundaries.
    Branch beyond(double t, const double* y, const Branches& branches, int local, int boundary) const;
    /// Rate of element `local`.
    double rate(double t, const double* y, int local) const;

    /// Writes the group's bodies and elements into a state of the whole problem.
    void report(double t, const double* y, const Branches& branches, ReferenceState& state) const;

private:
    struct BodySlot {
        int index = 0;   // in the problem
        int offset = 0;  // of x in the state; v at +3, q at +6, w at +10
        bool turns = true;
    };
    struct ElementSlot {
        int index = 0;      // in the problem
        int angle = -1;     // of the turned angle in the state
        int damper = -1;    // of s_damper
        int integrals = 0;  // of impulse, then heat
        Characteristic characteristic;
    };
    /// An element's geometry at one instant.
    struct Measured {
        double s = 0;
        double v = 0;
        double speed = 0;                                     // of the ends against each other, >= |v|
        Eigen::Vector3d direction = Eigen::Vector3d::Zero();  // f acts on a along (about) it
        Eigen::Vector3d armA = Eigen::Vector3d::Zero();       // from a's centre of mass to where the force acts
        Eigen::Vector3d armB = Eigen::Vector3d::Zero();
        Eigen::Vector3d pointA = Eigen::Vector3d::Zero();  // attachments, world
        Eigen::Vector3d pointB = Eigen::Vector3d::Zero();
    };

    double driveTime(double t) const;
    BodyState bodyState(int index, double t, const double* y) const;
    void gather(double t, const double* y, std::vector<BodyState>& states) const;
    Measured measure(const ElementSlot& slot, const std::vector<BodyState>& states, const double* y) const;
    double damperLength(const ElementSlot& slot, const double* y) const;
    void bodyDerivative(const BodySlot& slot, double t, const double* y, const Eigen::Vector3d& force,
                        const Eigen::Vector3d& torque, double* dy) const;

    const ReferenceProblem& m_problem;
    std::vector<int> m_elements;
    std::vector<BodySlot> m_bodySlots;
    std::vector<ElementSlot> m_elementSlots;
    std::vector<int> m_offsetOfBody;  // -1: not a state of this group
    int m_size = 0;
    int m_dynamicSize = 0;
    double m_from = 0;
    double m_to = 0;
    mutable std::vector<BodyState> m_states;  // scratch, one per body of the problem
    mutable std::vector<Eigen::Vector3d> m_forces;
    mutable std::vector<Eigen::Vector3d> m_torques;
};

}  // namespace elasto::reference
