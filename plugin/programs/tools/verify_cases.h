#pragma once
/// @file verify_cases.h
/// What `elasto verify` checks: the cases and targets of assets/verify.json.

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elasto::tools {

/// Signals that are judged together, by the worst of them.
enum class SignalGroup {
    Positions,   ///< positions, orientations, s_rel, s, phi_rel, s_damper
    Velocities,  ///< velocities, angular velocities, v_rel, v, w_rel
    MeanForce,   ///< mean force or torque of a tick
    Heat,        ///< total heat since the start
};
inline constexpr int kSignalGroups = 4;
/// "positions", "velocities", "mean force", "total heat".
const char* groupName(SignalGroup group);

/// Largest NRMSE per group, as a share (not in percent); empty: no target.
using Targets = std::array<std::optional<double>, kSignalGroups>;

/// A scene and what is asked of it.
struct VerifyCase {
    std::string name;   ///< the scene's file without folder and .json
    std::string scene;  ///< path, or name of a scene that comes with Elasto
    std::string why;    ///< the reason for the targets
    Targets targets;
    std::map<double, Targets> targetsAt;  ///< replaces targets at a rate [Hz], group by group
    std::optional<double> energyRise;     ///< largest rise of the energy over its start, as a share of it

    Targets targetsFor(double rate) const;
};

/// The contents of verify.json.
struct VerifyPlan {
    std::vector<double> rates;  ///< [Hz]
    int energyTicks = 0;
    double singleFactor = 1;  ///< single precision: targets are multiplied by this,
    double singleLeast = 0;   ///< and are at least this (a share)
    std::vector<VerifyCase> cases;
};

/// @throws FileError if the file cannot be read, InputError naming file, field and value if its content is wrong
VerifyPlan loadVerifyPlan(const std::filesystem::path& file);
/// The same from text. @param source what messages call it
VerifyPlan parseVerifyPlan(std::string_view text, const std::string& source);

/// Targets for single precision: those given for double, loosened as the plan says.
Targets singleTargets(const Targets& targets, const VerifyPlan& plan);

}  // namespace elasto::tools
