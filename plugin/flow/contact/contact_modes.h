#pragma once
// Which contacts bear, and which of them stick: what that makes of the frame's rows, and how far friction is from its
// limits.

#include "constraints/bounded_phase.h"
#include "contact/contact_frame.h"

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
    /// By patch that sticks, where there are any: others keep it from turning about its normal, so that it need not.
    /// What it would bear of their moments is not determined.
    std::vector<char> isTurnHeld;

    bool operator==(const ContactModes&) const = default;
    bool holdsTurn(std::size_t patch) const { return isTurnHeld.empty() || !isTurnHeld[patch]; }
};

/// One mode per row of the frame. Slip rows must have their directions.
void rowModes(const ContactFrame& frame, const ContactModes& modes, std::vector<RowMode>& rows);

/// Adds what rides on the pressure of a soft contact: friction of sliding, rolling and spinning.
void addSoftFriction(const ContactFrame& frame, const ContactModes& modes, std::size_t contact, double pressure,
                     std::vector<Vector6>& accelerations, std::vector<double>& impulses);
/// Adds what motors do that push with all their force.
void addPushes(const ContactFrame& frame, const ContactModes& modes, std::vector<Vector6>& accelerations);

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
/// Direction in which a point of a patch begins to slip: against the force that held it. A unit vector or 0.
Eigen::Vector3d slipBegun(const ContactFrame& frame, std::size_t patch, std::size_t contact, const PatchLoad& load);
/// By how much friction that sticks stays below what it can be: < 0 where it has to slip.
double gripOf(const ContactFrame& frame, std::size_t patch, const PatchLoad& load);
/// The same of friction against rolling, and against spinning of a patch that spins apart.
double rollGripOf(const ContactFrame& frame, std::size_t patch, const PatchLoad& load);
double spinGripOf(const ContactFrame& frame, std::size_t patch, const PatchLoad& load);
/// True if all of a patch's rolling is held.
bool isRollHeld(const ContactFrame& frame, const ContactModes& modes, std::size_t patch);

}  // namespace elasto::flow
