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
    /// The modes in which it is held.
    const ContactModes& stuck(const ContactModes& modes);
    /// Finds where it is driven. @param forces of all rows in these modes
    void drive(const ContactFrame& frame, const std::vector<double>& forces);

    /// Of what slips or rolls this fast. What is slower than `slow` goes on in its last direction, so that the phase is
    /// smooth where it stops.
    static Eigen::Vector3d directionOf(const Eigen::Vector3d& velocity, const Eigen::Vector3d& last, double slow);

private:
    std::vector<Eigen::Vector3d> m_slips;   // by contact
    std::vector<Eigen::Vector3d> m_driven;  // by contact: where slow slip is driven; 0 where it is not known
    std::vector<double> m_slow;             // by patch
    std::vector<char> m_isSlow;             // by patch
    ContactModes m_stuck;
};

}  // namespace elasto::flow
