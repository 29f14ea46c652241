#pragma once
// What joints hold: relations between bodies, and the forces along their gradients that keep them.

#include "bodies_now.h"
#include "row_factor.h"

#include <Eigen/Core>

#include <vector>

namespace elasto::flow {

/// rate = linear . (vB - vA) + angularB . wB + angularA . wA; gamma: second derivative of the value where no body is
/// accelerated.
struct HeldMeasure {
    double value = 0;
    double rate = 0;
    double gamma = 0;
    Eigen::Vector3d linear = Eigen::Vector3d::Zero();
    Eigen::Vector3d angularA = Eigen::Vector3d::Zero();
    Eigen::Vector3d angularB = Eigen::Vector3d::Zero();
};
HeldMeasure measureHeld(const HeldRow& row, const Motion& a, const Motion& b);
/// A motor's value is 0, a limit's is counted from its bound; a motor's rate is counted from its target.
HeldMeasure measureHeld(const BoundedRow& row, const Motion& a, const Motion& b);

/// What a network holds, G u = 0, and the forces that hold it: the rows of its joints, then motors at their target and
/// limits that are reached. Rows that follow from one another share the force.
class HeldRows {
public:
    HeldRows() = default;
    /// @param bounded indices of the motors and limits that are held
    explicit HeldRows(const FlowNetwork& network, const std::vector<int>& bounded = {}) { bind(network, bounded); }
    HeldRows(const HeldRows&) = delete;
    HeldRows& operator=(const HeldRows&) = delete;
    /// Looks at another network; storage is kept.
    void bind(const FlowNetwork& network, const std::vector<int>& bounded = {});

    bool empty() const { return size() == 0; }
    std::size_t size() const { return m_network->joints.size() + m_bounded.size(); }
    const std::vector<int>& bounded() const { return m_bounded; }
    /// place() must follow.
    void setBounded(const std::vector<int>& bounded) {
        m_bounded = bounded;
        m_isStructured = false;
    }
    const HeldMeasure& measure(std::size_t row) const { return m_measures[row]; }
    HeldMeasure measureAt(std::size_t row, const BodiesNow& bodies) const;
    /// Calls visit with the row itself, a HeldRow or a BoundedRow.
    template <class Visit>
    decltype(auto) with(std::size_t row, const Visit& visit) const {
        const std::size_t joints = m_network->joints.size();
        return row < joints ? visit(m_network->joints[row])
                            : visit(m_network->bounded[static_cast<std::size_t>(m_bounded[row - joints])]);
    }
    /// Takes gradients and responses at the bodies' present poses.
    void place(const BodiesNow& bodies);

    /// What is returned by reference is valid until the same function is called again.
    const Eigen::VectorXd& values() const { return all(&HeldMeasure::value, m_values); }
    const Eigen::VectorXd& rates() const { return all(&HeldMeasure::rate, m_rates); }
    const Eigen::VectorXd& gammas() const { return all(&HeldMeasure::gamma, m_gammas); }
    /// Forces (impulses) whose responses change the rows' rates by this much.
    template <class Vector>
    const Eigen::VectorXd& forces(const Vector& wanted) const {
        m_forces = wanted;
        if (m_forces.size() > 0) m_factor.solveExactly(m_forces);
        return m_forces;
    }
    /// The same with an error of some 1e-10 of the largest, enough between the places where rows are held exactly.
    template <class Vector>
    const Eigen::VectorXd& nearForces(const Vector& wanted) const {
        m_forces = wanted;
        if (m_forces.size() > 0) m_factor.solveNearly(m_forces);
        return m_forces;
    }
    /// Rates of the rows where the bodies' velocities (accelerations, displacements) are these; immovable ones rest.
    const Eigen::VectorXd& along(const std::vector<Vector6>& bodies) const;
    /// Share of a row's rate that a driven body has.
    double drivenRate(std::size_t row) const {
        return with(row, [&](const auto& link) { return flow::drivenRate(*m_network, link, m_measures[row]); });
    }
    /// Adds the response to forces.
    void respond(const Eigen::VectorXd& forces, std::vector<Vector6>& bodies) const;
    /// Derivative of the bodies' accelerations by a displacement (or a change of velocity) of one of them.
    /// @param moved the bodies, that one moved by a small step
    /// @param accelerations, forces at the place of place()
    /// @param change in: the derivative without joints; out: with them
    /// @return that of the forces
    Eigen::VectorXd differentiate(std::size_t body, const BodiesNow& moved, double step,
                                  const std::vector<Vector6>& accelerations, const Eigen::VectorXd& forces,
                                  std::vector<Vector6>& change) const;
    /// Takes out of the bodies' change of velocity what the joints do not allow.
    void hold(std::vector<Vector6>& bodies) const;

private:
    struct End {
        int row = 0;
        Vector6 gradient = Vector6::Zero(), response = Vector6::Zero();
    };
    /// Where the ends of a row are kept, null for those that cannot move.
    struct EndsOfRow {
        End* a = nullptr;
        End* b = nullptr;
    };

    const Eigen::VectorXd& all(double HeldMeasure::*field, Eigen::VectorXd& result) const;
    void measureAll(const BodiesNow& bodies);
    bool isMovable(int body) const;
    void restructure();
    void structure();
    /// Calls visit(body, end) for the ends of a row that can move.
    template <class Visit>
    void forEachEnd(std::size_t row, const HeldMeasure& measure, const BodiesNow& bodies, const Visit& visit) const;

    const FlowNetwork* m_network = nullptr;
    std::vector<int> m_bounded;
    std::vector<HeldMeasure> m_measures;
    std::vector<std::vector<End>> m_ends;  // by body, movable ones only; at least as many as there are
    // What does not change with the place.
    bool m_isStructured = false;
    std::vector<int> m_movableEnds;  // by row, of a and b; kWorld where it cannot move: the structure follows
    std::vector<int> m_nextMovableEnds;
    std::vector<EndsOfRow> m_endsOfRows;
    std::vector<End*> m_nextEnds;
    std::vector<int> m_structure;        // rows of bodies, for the factor
    std::vector<std::size_t> m_entries;  // of the factor, by pairs of ends of the same body
    RowFactor m_factor;
    mutable Eigen::VectorXd m_values, m_rates, m_gammas, m_along, m_forces;
};

}  // namespace elasto::flow
