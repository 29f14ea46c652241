#pragma once
// Which contacts bear, and which of them stick: found for one instant, as impulses of an impact or as forces.

#include "bounded_phase.h"
#include "contact_frame.h"

#include <vector>

namespace elasto::flow {

enum class Friction : unsigned char { None, Sticks, Slips };

/// State of all contacts, motors and limits. Points that bear are closed ones whose distance is held; a patch has
/// friction if one of its points bears.
struct ContactModes {
    std::vector<char> bears;         ///< by contact
    std::vector<Friction> friction;  ///< by patch
    std::vector<Friction> rolling;   ///< by patch, where one resists turning; none otherwise
    std::vector<Friction> spinning;  ///< the same; only of patches that spin apart from sliding
    std::vector<BoundedPhase> bounded;
};

/// One mode per row of the frame. Slip rows must have their directions.
void rowModes(const ContactFrame& frame, const ContactModes& modes, std::vector<RowMode>& rows);

/// Adds what rides on the pressure of a soft contact: friction of sliding, rolling and spinning.
void addSoftFriction(const ContactFrame& frame, const ContactModes& modes, std::size_t contact, double pressure,
                     std::vector<Vector6>& accelerations, std::vector<double>& impulses);
/// Adds what motors do that push with all their force.
void addPushes(const ContactFrame& frame, const ContactModes& modes, std::vector<Vector6>& accelerations);

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
    int mostInAll = 1000;          ///< and in all, where the search begins anew
    int trials = 0;                ///< out: how many were

    void clear();  ///< as new, but with its storage
};

struct ContactAnswer {
    std::vector<double> impulses;  ///< of all rows
    std::vector<Vector6> change;   ///< of the bodies' velocities (accelerations)
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
    std::vector<char> hasStuck;  ///< by patch: friction that slipped was found to stick
};

/// Finds modes in which no point and no limit pulls, none that could bear is passed, friction obeys Coulomb and motors
/// what force they have. A prescribed rate that contacts, joints and limits do not allow is given up.
/// @param modes in: a guess; out: what was found
/// @return the space's answer; null if none was found within the number of trials
const ContactAnswer* findModes(ContactFrame& frame, ContactTask& task, ContactModes& modes, ModesSpace& space);

/// Of a patch in the present modes.
struct PatchLoad {
    double normal = 0;                                   ///< sum over its points
    Eigen::Vector3d friction = Eigen::Vector3d::Zero();  ///< on a, world frame, while it sticks
    double spin = 0;                                     ///< torque on a about the normal, while it sticks
    double spinLimit = 0;                                ///< the most it can be
    Eigen::Vector3d roll = Eigen::Vector3d::Zero();      ///< torque on a about the tangents, while it does not roll
};
PatchLoad loadOf(const ContactFrame& frame, std::size_t patch, const ContactModes& modes,
                 const std::vector<double>& impulses);
/// By how much friction that sticks stays below what it can be: < 0 where it has to slip.
double gripOf(const ContactFrame& frame, std::size_t patch, const PatchLoad& load);
/// The same of friction against rolling, and against spinning of a patch that spins apart.
double rollGripOf(const ContactFrame& frame, std::size_t patch, const PatchLoad& load);
double spinGripOf(const ContactFrame& frame, std::size_t patch, const PatchLoad& load);
/// True if all of a patch's rolling is held.
bool isRollHeld(const ContactFrame& frame, const ContactModes& modes, std::size_t patch);

}  // namespace elasto::flow
