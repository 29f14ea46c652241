#pragma once
// Networks that nothing holds: their momenta change by loads alone, whatever elements and joints do, and however well
// the motion is integrated.

#include <elasto/flow.h>

#include <Eigen/Core>

namespace elasto::flow {

/// True where only loads act on the network from outside, and its bodies turn as rigid bodies do, so that momentum and
/// moment of momentum obey them. Rotors that ride on bodies have theirs about their carriers' axes.
bool isFreeFloating(const FlowNetwork& network);

/// Momenta of a free-floating network.
struct Centroidal {
    double mass = 0;
    Eigen::Vector3d center = Eigen::Vector3d::Zero();    ///< of mass
    Eigen::Vector3d momentum = Eigen::Vector3d::Zero();  ///< [N.s]
    Eigen::Vector3d moment = Eigen::Vector3d::Zero();    ///< of momentum, about the centre of mass [N.m.s]
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();   ///< about it, all bodies and rotors locked

    static Centroidal of(const FlowNetwork& network);
    Eigen::Vector3d spin(const Eigen::Vector3d& ofMoment) const;
};

/// Motion of all bodies as if they were one.
struct CommonMotion {
    Eigen::Vector3d center = Eigen::Vector3d::Zero();  ///< a point that moves with `velocity`
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
    Eigen::Vector3d spin = Eigen::Vector3d::Zero();

    /// Motion of a free-floating network as one body: without it the bodies have no momenta.
    static CommonMotion of(const Centroidal& network);
    /// Adds `share` times this to the bodies' motion.
    void addTo(FlowNetwork& network, double share) const;
};

/// Brings a free-floating network's momenta to what the loads have made of them.
class CentroidalBalance {
public:
    /// At the start of a tick. Any network: if it does not fly nothing is done to it.
    void begin(const FlowNetwork& start);
    bool isFreeFloating() const { return m_isFreeFloating; }
    /// About this point loads' moments are counted.
    const Eigen::Vector3d& center() const { return m_start.center; }
    /// @param now after the time t, @param start as in begin: its loads count
    /// @param moment integral of the loads' moments about center()
    /// @return speed that was missing, of the network as one body: root of twice the kinetic energy per mass [m/s]
    double project(FlowNetwork& now, const FlowNetwork& start, double t, const Eigen::Vector3d& moment) const;

private:
    bool m_isFreeFloating = false;
    Centroidal m_start;
};

}  // namespace elasto::flow
