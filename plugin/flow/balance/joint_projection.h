#pragma once
// What joints allow: poses and velocities on them, and the response of jointed bodies to impulses of elements.

#include "balance/tuning.h"
#include "bodies/body_kinematics.h"
#include "constraints/held_rows.h"

#include <Eigen/Core>

#include <vector>

namespace elasto::flow {

/// Storage for what is held, kept from one use to the next.
struct HoldSpace {
    HeldRows rows;
    BodyKinematics bodies;
    std::vector<Vector6> change;
    Eigen::VectorXd missing;
};

/// Response of the bodies, as far as joints let them, to elements: v -= W P, W = J M^-1 J^T.
class Responses {
public:
    Responses() = default;
    Responses(const FlowNetwork& network, const std::vector<Row>& rows) {
        HoldSpace space;
        find(network, rows, space);
    }
    /// @param rows of the elements, and after these of some motors and limits
    /// @param held indices of the motors and limits that are held as joints are
    /// @param bounded indices of those that have rows
    void find(const FlowNetwork& network, const std::vector<Row>& rows, HoldSpace& space,
              const std::vector<int>& held = {}, const std::vector<std::size_t>& bounded = {});
    /// The same where space.rows has been bound to what is held.
    void findHere(const FlowNetwork& network, const std::vector<Row>& rows, HoldSpace& space,
                  const std::vector<std::size_t>& bounded);

    /// Change of the elements' rates by their impulses, symmetric.
    void inverseMass(Eigen::MatrixXd& W) const;
    Eigen::MatrixXd inverseMass() const {
        Eigen::MatrixXd W;
        inverseMass(W);
        return W;
    }
    /// Adds the elements' impulses to the bodies' velocities.
    void apply(FlowNetwork& network, const Eigen::VectorXd& impulses) const;
    /// True where joints leave a row next to nothing of its mobility.
    bool isBlocked(std::size_t row) const;

private:
    double mobility(std::size_t row) const;

    std::size_t m_count = 0;  // of rows
    std::vector<double> m_freeMobility;
    std::vector<std::vector<std::size_t>> m_ends;   // by element: bodies that have a gradient, in order
    std::vector<std::vector<Vector6>> m_gradients;  // by element and body
    std::vector<std::vector<Vector6>> m_responses;
};

/// Takes out of the bodies' velocities what joints do not allow. Energy only falls, unless a driven body pushes.
void holdVelocities(FlowNetwork& network, HoldSpace& space, const std::vector<int>& held = {});
void holdVelocities(FlowNetwork& network, const std::vector<int>& held = {});
/// The same where space.rows has been bound to a network that holds the same.
void holdVelocitiesBound(FlowNetwork& network, HoldSpace& space);
/// The same right after holdPoses, which has left the rows at the bodies' poses.
void holdVelocitiesHere(FlowNetwork& network, HoldSpace& space);
/// Moves the bodies so that the values of the joints, and of what is held besides, are these, to rounding.
/// @return false if that was not reached
bool holdPoses(FlowNetwork& network, const Eigen::VectorXd& values, HoldSpace& space,
               const std::vector<int>& held = {});
bool holdPoses(FlowNetwork& network, const Eigen::VectorXd& values, const std::vector<int>& held = {});
/// The values of the joints.
void readJoints(const FlowNetwork& network, HoldSpace& space, Eigen::VectorXd& values);
Eigen::VectorXd jointValues(const FlowNetwork& network);

}  // namespace elasto::flow
