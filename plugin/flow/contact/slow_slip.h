#pragma once
// Directions of friction where bodies hardly slip. Slip that is faster than a little has its own; what is slower goes
// where the force that would hold it does not let it go. That force depends on what else holds: it is found where a
// step begins, and within the step friction depends on velocities only. Else what holds could depend on friction, and
// friction on what holds, and no state might fit.

#include "contact/contact_modes.h"

#include <span>
#include <vector>

namespace elasto::flow {

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
    /// Finds where each patch is driven: against what holds it where others stick that slip about as slowly. What slips
    /// much faster, or slower, pushes as it does.
    /// @param solve gives a pointer to the forces of all rows in modes, null if there are none
    /// @return false if there were none
    template <class Solve>
    bool drive(const ContactFrame& frame, const ContactModes& modes, const Solve& solve);

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
};

template <class Solve>
bool SlowSlip::drive(const ContactFrame& frame, const ContactModes& modes, const Solve& solve) {
    m_found.assign(m_driven.size(), Eigen::Vector3d::Zero());
    const std::vector<double>* forces = nullptr;
    for (std::size_t p = 0; p < m_speeds.size(); ++p) {
        if (!isSlow(p)) continue;
        stick(modes, p);
        if (forces == nullptr || m_next.friction != m_stuck.friction) {
            std::swap(m_stuck, m_next);
            forces = solve(m_stuck);
        }
        if (forces == nullptr) return false;
        driveBy(frame, p, *forces);
    }
    m_driven.swap(m_found);
    return true;
}

}  // namespace elasto::flow
