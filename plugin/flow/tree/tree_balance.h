#pragma once
// What holds exactly for trees at the end of a tick, whatever the steps got wrong: momentum of free bases and energy.

#include "tree/tree_system.h"

namespace elasto::flow {

/// Energies and momenta of trees at the start of a tick, and how their end is brought to what the loads make of them.
class TreeBalance {
public:
    /// The system has begun; what happens at once at the tick's start is yet to happen.
    void begin(TreeSystem& system);
    /// Puts centres of mass, momenta and moments of momentum of free bases where the loads have brought them.
    /// @return as TickBalance::momentum
    double projectMomentum(TreeSystem& system, Eigen::VectorXd& y, double velocityFloor) const;
    /// Energy at y minus that at the start, minus the work of the loads, and without what heat took: 0 if all is right.
    /// @return with energy and inPlay only
    TickBalance missed(TreeSystem& system, const Eigen::VectorXd& y, double heat, double otherWork,
                       double velocityFloor) const;
    /// Changes velocities so that the energy falls by `excess`, leaving momenta of free bases as they are. Where it
    /// would have to rise by more than kTakenError of the kinetic energy nothing is changed.
    /// @return what has been taken
    double take(TreeSystem& system, Eigen::VectorXd& y, double excess) const;

private:
    struct Free {
        Eigen::Vector3d center = Eigen::Vector3d::Zero();  ///< of mass, against the base's place at the start
        Eigen::Vector3d momentum = Eigen::Vector3d::Zero();
        Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< about the centre of mass
    };
    double constantWork(TreeSystem& system, const Eigen::VectorXd& y) const;

    double m_energy = 0;
    double m_forceWork = 0;
    Eigen::VectorXd m_startPositions;
    std::vector<Free> m_free;
    mutable Eigen::VectorXd m_locked;
};

}  // namespace elasto::flow
