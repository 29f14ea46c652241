#pragma once
// A network at one instant: its elements' rows, its energy, and what impulses of its elements do to it.

#include "bodies/body_kinematics.h"
#include "constraints/held_rows.h"

#include <Eigen/Core>

#include <vector>

namespace elasto::flow {

Motion motionOf(const FlowNetwork& network, int body);
Row rowOf(const FlowNetwork& network, std::size_t element);
void readRows(const FlowNetwork& network, std::vector<Row>& rows);
std::vector<Row> rowsOf(const FlowNetwork& network);
/// Of a motor or limit.
Row boundedRowOf(const FlowNetwork& network, std::size_t bounded);
/// Of reactions that rows ask for.
std::size_t reactionCount(const FlowNetwork& network);

/// Kinetic energy of the bodies that elements can change, and what the springs hold [J].
double kineticEnergy(const FlowNetwork& network);
double storedEnergy(const FlowNetwork& network);
inline double energy(const FlowNetwork& network) {
    return kineticEnergy(network) + storedEnergy(network);
}

/// True if joints pass on work of what nothing can accelerate: driven bodies, and others along and about locked axes.
bool isDrivenThroughJoints(const FlowNetwork& network);

/// Gives bodies the velocities that they have in another network of the same bodies.
void takeVelocities(const FlowNetwork& from, FlowNetwork& to);

/// Energy that the loads would give to the bodies from rest within a time: what is at rest still has a scale [J].
double loadEnergy(const FlowNetwork& network, double h);

/// Energy that a network may come to have, or to turn into heat, within a time [J]. Where drives contradict one
/// another, or push a mechanism through its dead point, velocities that fulfil the joints have no bound: there it is a
/// hundred times what is in play and what bodies would have at the speed of the drive, which is ten times that speed.
/// Infinite where nothing drives bodies through joints: then the balance itself is the bound.
double mostBrought(const FlowNetwork& network, double h);

/// What the rounding of the bodies' poses makes of the energy of the springs: a stiff one at rest holds so little that
/// this is not small against it [J].
double storedRounding(const FlowNetwork& network);

/// What is reported of a body: its end, and what elements and joints made of its velocity.
/// @param free the end of its own motion; not read for a body that nothing can move
BodyTick bodyTick(const FlowBody& start, const BodyState& end, const BodyState& free);
/// What is reported of an element that ends with coordinate s, rate v and this damper length.
ElementTick elementTick(const Law& law, double s, double v, double s_damper, double impulse, double heat);

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
    std::vector<double> m_mobilityAlone;
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
/// Work of a body's force at its present value over a way.
double forceWork(const FlowBody& body, const Eigen::Vector3d& way);
/// Work of the loads at their present values over the way from one state of the bodies to another.
double shiftWork(const FlowNetwork& from, const FlowNetwork& to);
/// By how much springs may be loaded where bodies are put right that they have pulled, or somebody has put, to where
/// they cannot be: the work against their present forces, and the kinetic energy of going there within a tick. Only
/// those that are too stiff for the tick resist. Nothing where a stop would be compressed.
double softWork(const FlowNetwork& from, const FlowNetwork& to, double h);
/// By how much the coordinate of a limit is beyond its bound: < 0 below a lower one; 0 where it is less than `least`.
double overrun(const FlowNetwork& network, std::size_t bounded, double least);
/// Value of a joint's row from which on it is open: by no integration [m, rad].
inline constexpr double kOpenJoint = 1e-4;
/// The values of the joints.
void readJoints(const FlowNetwork& network, HoldSpace& space, Eigen::VectorXd& values);
Eigen::VectorXd jointValues(const FlowNetwork& network);

/// Velocity with which the network can be at rest: that of the driven bodies it hangs on, or, where nothing holds it,
/// of its centre of mass.
Eigen::Vector3d restVelocity(const FlowNetwork& network);
/// True where nothing but loads acts on the network from outside.
bool isFloating(const FlowNetwork& network);
/// Mass and momentum of the bodies that can move.
double massOf(const FlowNetwork& network);
Eigen::Vector3d momentum(const FlowNetwork& network);

/// Loads as seen from the time t on.
void shiftLoads(FlowNetwork& network, double t);
/// A load's integral over h, and the integral of that.
Eigen::Vector3d secondIntegralOf(const QuadraticLoad& load, double h);

}  // namespace elasto::flow
