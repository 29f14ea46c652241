#pragma once
// Directions of friction where bodies hardly slip. Slip that is faster than a little has its own; what is slower goes
// where the force that would hold it does not let it go. That force depends on what else holds: it is found where a
// step begins, and within the step friction depends on velocities only. Else what holds could depend on friction, and
// friction on what holds, and no state might fit.

#include "contact/contact_modes.h"

#include <span>
#include <vector>

namespace elasto::flow {

/// What holds and how bodies accelerate, where friction is what modes and the frame's directions of slip say.
class ForcesInModes {
public:
    virtual ~ForcesInModes() = default;
    /// @return false if there are none
    virtual bool solve(ContactModes& modes) = 0;
    /// Of all rows.
    virtual const std::vector<double>& forces() const = 0;
    /// Of a row that no mode holds, with what turning does to it.
    virtual double acceleration(std::size_t row) const = 0;
};

class SlowSlip {
public:
    /// Takes the frame's directions of slip as the last ones; nothing is driven.
    /// @param pulls accelerations that friction can have at most, by patch @param h the whole tick
    void begin(const ContactFrame& frame, std::span<const double> pulls, double h);
    /// The same from now on, of what has one.
    void noteDirections(const ContactFrame& frame);

    /// Slower slip has no direction of its own [m/s].
    double slow(std::size_t patch) const { return m_slow[patch]; }
    const Eigen::Vector3d& last(std::size_t contact) const { return m_slips[contact]; }

    /// Turns friction of what slips where bodies move so, and where they were driven last.
    void turn(ContactFrame& frame, const ContactModes& modes, std::span<const Vector6> velocities);
    /// Whether something slips slowly: the force that would hold it is to be found then.
    bool isAny() const;
    /// Finds where each patch is driven, where others stick that slip about as slowly. What slips much faster, or
    /// slower, pushes as it does. A single point is driven where its slip would turn; more of them against what holds
    /// them.
    /// @return false if there were no forces
    bool drive(ContactFrame& frame, const ContactModes& modes, ForcesInModes& in);

    /// Of what slips or rolls this fast. What is slower than `slow` goes on in its last direction, so that the phase is
    /// smooth where it stops.
    static Eigen::Vector3d directionOf(const Eigen::Vector3d& velocity, const Eigen::Vector3d& last, double slow);

private:
    std::vector<Eigen::Vector3d> m_slips;   // by contact
    std::vector<Eigen::Vector3d> m_driven;  // by contact: where slow slip is driven; 0 where it is not known
    std::vector<double> m_slow;             // by patch
    /// By patch: how fast its slowest point slips, in m_slow; kFast if it is not slow.
    std::vector<double> m_speeds;
    std::vector<Eigen::Vector3d> m_found;
    ContactModes m_stuck, m_next;

    static constexpr double kFast = -1;
    bool isSlow(std::size_t patch) const { return m_speeds[patch] != kFast; }
    void stick(const ContactModes& modes, std::size_t patch);
    void driveBy(const ContactFrame& frame, std::size_t patch, const std::vector<double>& forces);
    Eigen::Vector3d turnedTo(ContactFrame& frame, std::size_t patch, std::size_t contact, ForcesInModes& in);
};

}  // namespace elasto::flow
