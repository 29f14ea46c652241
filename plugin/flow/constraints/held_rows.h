#pragma once
// The forces that hold what joints, motors and limits hold, along the gradients of these relations.

#include "bodies/body_kinematics.h"
#include "constraints/row_factor.h"
#include "constraints/row_measure.h"

#include <Eigen/Core>

#include <vector>

namespace elasto::flow {

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
    RowMeasure measure(std::size_t row) const;
    RowMeasure measureAt(std::size_t row, const BodyKinematics& bodies) const;
    /// Calls visit with the row itself, a HeldRow or a BoundedRow.
    template <class Visit>
    decltype(auto) with(std::size_t row, const Visit& visit) const {
        const std::size_t joints = m_network->joints.size();
        return row < joints ? visit(m_network->joints[row])
                            : visit(m_network->bounded[static_cast<std::size_t>(m_bounded[row - joints])]);
    }
    /// Takes gradients and responses at the bodies' present poses.
    void place(const BodyKinematics& bodies);

    /// What is returned by reference is valid until the same function is called again.
    const Eigen::VectorXd& values() const { return all(&JointPoints::apart, &RowMeasure::value, m_values); }
    const Eigen::VectorXd& rates() const { return all(&JointPoints::velocity, &RowMeasure::rate, m_rates); }
    /// Forces (impulses) whose responses change the rows' rates by this much.
    template <class Vector>
    const Eigen::VectorXd& forces(const Vector& wanted) const {
        m_forces = wanted;
        solve(m_forces);
        return m_forces;
    }
    /// Adds to the bodies' accelerations what keeps the rows' rates as they are.
    /// @param isExact or else with an error of some 1e-10 of the largest, enough between the places where rows are held
    ///                exactly
    void keep(std::vector<Vector6>& accelerations, bool isExact) const;
    /// The forces that the last call of keep has found.
    void keptForces(Eigen::VectorXd& forces) const;
    /// Rates of the rows where the bodies' velocities (accelerations, displacements) are these; immovable ones rest.
    const Eigen::VectorXd& along(const std::vector<Vector6>& bodies) const;
    /// Share of a row's rate that a driven body has.
    double drivenRate(std::size_t row) const {
        return with(row, [&](const auto& link) { return flow::drivenRate(*m_network, link, measure(row)); });
    }
    /// Adds the response to forces.
    void respond(const Eigen::VectorXd& forces, std::vector<Vector6>& bodies) const;
    /// Derivative of the bodies' accelerations by a displacement (or a change of velocity) of one of them.
    /// @param placed the bodies at the place of place(); accelerations, forces there
    /// @param moved the bodies, that one moved by a small step
    /// @param change in: the derivative without joints; out: with them
    /// @return that of the forces
    Eigen::VectorXd differentiate(std::size_t body, const BodyKinematics& placed, const BodyKinematics& moved,
                                  double step, const std::vector<Vector6>& accelerations, const Eigen::VectorXd& forces,
                                  std::vector<Vector6>& change) const;
    /// Calls visit(row, measure) for the rows of a body, measured where the bodies are that one moved.
    template <class Visit>
    void forEachMoved(std::size_t body, const BodyKinematics& moved, const Visit& visit) const {
        for (const End& end : m_ends[body]) {
            const auto first = static_cast<std::size_t>(end.row);
            if (end.ball < 0) {
                visit(first, measureAt(first, moved));
                continue;
            }
            const HeldRow& row = m_network->joints[first];
            Ball ball = m_balls[static_cast<std::size_t>(end.ball)];
            ball.place(row, moved);
            for (std::size_t axis = 0; axis < 3; ++axis)
                visit(first + axis, ball.measure(m_network->joints[first + axis], axis));
        }
    }
    /// Takes out of the bodies' change of velocity what the joints do not allow.
    void hold(std::vector<Vector6>& bodies) const;

private:
    /// Three rows that hold a point, in the world's axes instead of their own: what such a joint asks of a body is the
    /// velocity of a point of it, what it does to it a force there.
    struct Ball {
        std::size_t first;     // of its rows
        Eigen::Matrix3d axes;  // theirs, in body a's frame
        Eigen::Matrix3d turn;  // of body a
        JointPoints points;

        Eigen::Matrix3d axesNow() const { return turn * axes; }
        void place(const HeldRow& row, const BodyKinematics& bodies) {
            turn = bodies.turnOf(row.a);
            points.set(bodies.at(row.a), turn * row.pointA, bodies.at(row.b), bodies.turnOf(row.b) * row.pointB);
        }
        RowMeasure measure(const HeldRow& row, std::size_t axis) const {
            RowMeasure measure;
            measureAlong(row, turn * axes.col(static_cast<Eigen::Index>(axis)), points, measure);
            return measure;
        }
    };
    /// What a row, or a ball, has to do with one of its bodies.
    struct End {
        int row = 0;                                                     // the first of a ball
        int ball = -1;                                                   // none
        bool isB = false;                                                // of the two bodies
        int geared = -1;                                                 // place among the ends of a geared row
        Vector6 gradient = Vector6::Zero(), response = Vector6::Zero();  // of a row
        Eigen::Vector3d lever = Eigen::Vector3d::Zero();                 // of a ball, to its point
        Eigen::Matrix3d turning = Eigen::Matrix3d::Zero();               // of a ball: response to forces there

        double sign() const { return isB ? 1 : -1; }
    };

    const Eigen::VectorXd& all(Eigen::Vector3d JointPoints::*ofBalls, double RowMeasure::*ofRows,
                               Eigen::VectorXd& result) const;
    bool isMovable(int body) const;
    /// Of a geared motor or limit: null for other rows.
    const BoundedRow* gearedOf(std::size_t row) const;
    void findBalls();
    bool isBall(std::size_t first) const;
    void restructure();
    void structure();
    void fillEnds(const BodyKinematics& bodies);
    void fillFactor();
    /// Where the products of two ends of one body go in the factor. Those of a ball are apart by the steps.
    struct Entry {
        std::size_t first = 0;
        std::ptrdiff_t ofOne = 0, ofOther = 0;
    };
    Entry entryOf(const End& one, const End& other) const;
    static void addRates(const End& one, const End& other, const Eigen::Vector3d& linear, double sign,
                         const Entry& entry, double* matrix);
    static void addOwnRates(const End& end, const Eigen::Vector3d& linear, const Entry& entry, double* matrix);
    void solve(Eigen::VectorXd& wanted) const;
    // Balls in the world's axes.
    void toWorld(Eigen::VectorXd& rows) const;
    void toRows(Eigen::VectorXd& rows) const;
    void addAlong(const std::vector<Vector6>& bodies, Eigen::VectorXd& rates) const;
    void addResponse(const Eigen::VectorXd& forces, std::vector<Vector6>& bodies) const;
    /// Calls visit(body, gradient, response) for the ends of a row that can move.
    template <class Visit>
    void forEachEnd(std::size_t row, const RowMeasure& measure, const BodyKinematics& bodies, const Visit& visit) const;

    static constexpr int kSecond = -2;  // in m_movableEnds

    const FlowNetwork* m_network = nullptr;
    std::vector<int> m_bounded;
    std::vector<Ball> m_balls;
    std::size_t m_ballCount = 0;
    std::vector<int> m_ballOf;                       // by row, -1 for none
    std::vector<std::size_t> m_singles;              // rows that are of no ball
    std::vector<RowMeasure> m_measures;              // of these
    std::vector<std::vector<End>> m_ends;            // by body, movable ones only; at least as many as there are
    std::vector<Eigen::Vector3d> m_linearResponses;  // by body
    // What does not change with the place.
    bool m_isStructured = false;
    std::vector<int> m_movableEnds;  // by row, of a and b; kWorld where it cannot move, and its ball: the structure
                                     // follows. Geared rows have a second entry, with kSecond in the place of the ball
    std::vector<int> m_nextMovableEnds;
    std::vector<int> m_structure;  // rows of bodies, for the factor
    std::vector<Entry> m_entries;  // of the factor, by pairs of ends of the same body
    RowFactor m_factor;
    mutable Eigen::VectorXd m_values, m_rates, m_along, m_forces, m_kept, m_pushes;
};

}  // namespace elasto::flow
