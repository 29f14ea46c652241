#pragma once
// The search for what bears, sticks and holds in one instant, as impulses of an impact or as forces.

#include "contact/contact_modes.h"

#include <vector>

namespace elasto::flow {

/// What is known before the modes are. Storage may be used again, see clear().
struct ContactTask {
    std::vector<Vector6> free;   ///< velocities (accelerations) of the bodies if no row pushed
    std::vector<double> wanted;  ///< rates that bearing points are to get: 0, or those of a rebound
    std::vector<char> isClosed;  ///< by contact: may bear
    std::vector<char> mustSlip;  ///< by patch: it slips already, in its points' slip directions
    std::vector<char> mustRoll;  ///< by patch, as mustSlip
    std::vector<char> mustSpin;
    std::vector<double> pressure;  ///< by contact, where one is soft: that of the soft ones
    std::vector<char> mayHold;     ///< by motor and limit: stands at its target or bound; others keep their phases
    bool isImpact = false;         ///< velocities: surfaces that move by themselves and rates of motors count
    double tolerance = 0;          ///< of rates
    int mostTrials = 40;           ///< sets that may be solved for in one go
    int trials = 0;                ///< out: how many were

    void clear();  ///< as new, but with its storage
};

struct ContactAnswer {
    std::vector<double> impulses;  ///< of all rows
    std::vector<Vector6> change;   ///< of the bodies' velocities (accelerations)
    std::vector<double> excess;    ///< of all rows' rates over what was wanted; only by solveModes()
};

/// Modes that were solved for, and by what their solution is told from another one with other directions of slip.
struct TriedModes {
    ContactModes modes;
    double largest = 0, left = 0;
    bool operator==(const TriedModes&) const = default;
};

/// Storage of the search, kept from one use to the next.
struct ModesSpace {
    ContactAnswer answer;
    ContactModes guess;
    std::vector<RowMode> rows;
    std::vector<double> wanted;
    std::vector<double> rates;    ///< if no row pushed
    std::vector<Vector6> pushed;  ///< as the task has it, with what motors and friction of soft contacts do
    std::vector<double> soft;     ///< forces of rows that soft contacts fix
    std::vector<Vector6> motion;
    std::vector<std::size_t> loose;
    std::vector<TriedModes> tried;  ///< at least as many
    std::vector<char> unfitPoints, unfitBounded;
    std::vector<PatchLoad> loads;  ///< of patches that are not asked to keep from turning: when they were
};

/// Finds modes in which no point and no limit pulls, none that could bear is passed, friction obeys Coulomb and motors
/// what force they have. A prescribed rate that contacts, joints and limits do not allow is given up.
/// @param modes in: a guess; out: what was found
/// @return the space's answer; null if none was found within the number of trials
const ContactAnswer* findModes(ContactFrame& frame, ContactTask& task, ContactModes& modes, ModesSpace& space);

/// The same in modes that are given, whatever they make points and friction do.
/// @return the space's answer; null if there is none
const ContactAnswer* solveModes(ContactFrame& frame, ContactTask& task, ContactModes& modes, ModesSpace& space);

}  // namespace elasto::flow
