#pragma once
// One step of the passive end: backward Euler in which the rows are those of the pose at the step's end.

#include "backward_euler.h"
#include "network_state.h"
#include "row_law.h"

#include <elasto/flow.h>

#include <Eigen/Core>

#include <cstddef>
#include <vector>

namespace elasto::flow {

/// The state that a step arrives at.
struct Arrival {
    FlowNetwork network;
    Eigen::VectorXd impulses;  ///< of the elements
    double work = 0;           ///< of everything but the elements [J]
    bool isHeld = true;        ///< the joints are closed
    Eigen::VectorXd boundedImpulses = {};
    double driveWork = 0;
    double limitLoss = 0;
    std::vector<int> held = {};  ///< motors and limits
};

/// Found by repeating the step with the rows of the last end pose. s is linear in the step's velocities around that
/// pose, so that all that is convex stays convex.
class PassiveArrival {
public:
    /// @param start the network, and after each step its new state: it is looked at where it is
    /// @param laws of its elements, likewise
    /// @param dt duration of a step [s] @param freeSteps into which the free motion of a body may be divided
    PassiveArrival(const FlowNetwork& start, const std::vector<RowLaw>& laws, double dt, int freeSteps);
    Arrival find();

private:
    void begin(Arrival& arrival);
    bool improve(Arrival& arrival);
    std::vector<Row> rowsInPlay(const FlowNetwork& end) const;
    FlowNetwork withoutElements(const FlowNetwork& end);
    double readRates(const FlowNetwork& next, const std::vector<Row>& rows);
    void findHeld(const BackwardEuler& euler, const Eigen::VectorXd& rates, Arrival& arrival) const;
    void bookBounded(const Eigen::VectorXd& rates, const Row* rows, Arrival& arrival) const;
    void bookDriven(const std::vector<Row>& rows, const Arrival& arrival);
    void move(FlowNetwork& next, const Arrival& arrival);
    std::vector<std::size_t> boundedThatMayBeReached() const;
    bool addOverrun(const FlowNetwork& end);
    double overrunOf(std::size_t k, const FlowNetwork& end) const;
    BackwardEuler::Bound boundOf(std::size_t k, bool isBlocked) const;
    void hold(Arrival& arrival) const;
    void settle(Arrival& arrival) const;
    void countTurns(FlowNetwork& end) const;
    double loadWork(const FlowBody& start, const FlowBody& end, bool isPushed) const;
    template <class Link>
    void markEnds(const Link& link);

    const FlowNetwork& m_start;
    const std::vector<RowLaw>& m_laws;
    double m_dt;
    int m_freeSteps;
    Eigen::VectorXd m_jointValues;
    Eigen::Index m_count;  ///< of elements
    HoldSpace m_held;
    Responses m_responses;
    FlowNetwork m_free;          ///< where the bodies would be
    std::vector<bool> m_pushed;  ///< bodies that something acts on
    std::vector<std::size_t> m_inPlay;
    std::vector<BackwardEuler::Bound> m_bounds;  ///< of those in play
    Eigen::VectorXd m_boundedImpulses;
    double m_drivenWork = 0;  ///< by the rows along which the impulses act [J]
    RowNetwork m_rowNetwork;
    Eigen::VectorXd m_s, m_z, m_freeRate;  ///< elements, then motors and limits in play
};

}  // namespace elasto::flow
