#pragma once
/// @file coupled_plan.h
/// What `elasto verify coupled` checks: the cases and targets of assets/verify_coupled.json.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json_output.h"

namespace elasto::tools {

/// What is measured of a run.
enum class CoupledMeasure {
    Nrmse,       ///< of the worst signal, at the tick times [%]
    MeanForce,   ///< |mean of the ticks' mean forces - expected| / |expected| [%]
    Ripple,      ///< (largest - smallest mean force of a tick) / |expected| [%]
    Drift,       ///< largest change of a coordinate [mm]
    Speeds,      ///< largest error of a speed at the end, of the largest speed [%]
    EnergyRise,  ///< largest rise in one tick: kinetic, potential, stored energy and heat of the elements [J]
    HandOver,    ///< largest gain of speed in one tick, or largest speed if that is worse, each beyond that of the same
                 ///< scene without elements [m/s]; while networks are ours and in the first tick in which they are
                 ///< Bullet's own again; 0: not beyond
};
/// "NRMSE" and so on.
const char* measureName(CoupledMeasure measure);
/// "%", "mm", "J", "m/s".
const char* measureUnit(CoupledMeasure measure);

/// One thing that is asked of a case.
struct CoupledCheck {
    CoupledMeasure measure = CoupledMeasure::Nrmse;
    std::vector<std::string> signals;  ///< patterns over signal names; none for EnergyRise
    double from = 0;                   ///< [s] what is before does not count
    std::optional<double> expected;    ///< forces [N, N.m]; without it what the oracle has
    std::map<double, double> targets;  ///< largest value [measureUnit] by rate [Hz]
};

/// A scene with some of its values changed.
struct CoupledVariant {
    std::string label;                                  ///< "c 1e5, d 50"; empty: the scene as it is
    std::string scene;                                  ///< in the folder of scenes, without .json
    std::vector<std::pair<std::string, Json>> changes;  ///< JSON path -> value
};

/// Where the oracle comes from.
struct CoupledOracle {
    std::string scene;        ///< another scene, with the same changes, solved by the reference; empty: the same scene
    std::string slidingBody;  ///< not empty: one body with Coulomb friction on that scene
    double slidingFriction = 0;  ///< its friction force while it slides [N]
    std::string partingJoint;    ///< not empty: a joint that stands for a contact and opens when that would pull
};

/// Variants of a scene, and what is asked of each.
struct CoupledCase {
    std::string name;
    std::string why;  ///< the reason for the targets
    std::vector<CoupledVariant> variants;
    CoupledOracle oracle;
    std::vector<CoupledCheck> checks;
};

/// The contents of verify_coupled.json.
struct CoupledPlan {
    std::vector<double> rates;  ///< [Hz]
    double singleFactor = 1;    ///< single precision: targets are multiplied by this,
    double singleLeast = 0;     ///< and those in % are at least this
    std::vector<CoupledCase> cases;

    /// The target at a rate in Bullet's precision; empty: none.
    std::optional<double> target(const CoupledCheck& check, double rate, bool single) const;
};

/// @throws FileError if the file cannot be read, InputError naming file, field and value if its content is wrong
CoupledPlan loadCoupledPlan(const std::filesystem::path& file);
/// The same from text. @param source what messages call it
CoupledPlan parseCoupledPlan(std::string_view text, const std::string& source);

}  // namespace elasto::tools
