#pragma once
/// @file study.h
/// What a sweep file says (docs/sweeps.md): which parameters of a scene differ between runs, and what is measured.

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace elasto::sweep {

/// A number, a text or true/false.
using Value = nlohmann::json;

/// Most runs that a sweep may have.
inline constexpr std::size_t kMostRuns = 10'000'000;

enum class Scale { Linear, Log };

/// Something that differs between the runs.
struct Parameter {
    std::string name;              ///< of its column
    std::vector<std::string> set;  ///< places in the scene that get the value, see place.h
    std::vector<Value> values;     ///< to choose from; empty: a range
    double from = 0;               ///< of the range; > 0 where the scale is Log, as `to`
    double to = 0;
    Scale scale = Scale::Linear;
    std::size_t count = 0;  ///< values of the range in a grid, >= 2
};

enum class SampleKind {
    Grid,    ///< every combination; the last parameter changes fastest
    Random,  ///< independent points
    Sobol,   ///< the Sobol sequence without its first point, which is the origin
};

/// How the points are chosen.
struct Sample {
    SampleKind kind = SampleKind::Grid;
    std::size_t runs = 0;  ///< of a grid, too
    std::uint64_t seed = 0;
    std::size_t skip = 0;
};

enum class MetricKind {
    PeakForce,         ///< largest absolute force or torque of an element, inside ticks too [N, N.m]
    DissipatedEnergy,  ///< heat of an element, or of all, at the end [J]
    SettlingTime,      ///< from when on a signal stays within the band around its target [s]
    Min,
    Max,
    Peak,  ///< largest absolute value
    Mean,  ///< over the time, by trapezoids, as Rms
    Rms,
    Final,
};

/// Something that is measured in a run.
struct Metric {
    MetricKind kind = MetricKind::Final;
    std::string name;              ///< of its column
    std::string of;                ///< signal; PeakForce, DissipatedEnergy: element, empty: all
    double band = 0;               ///< SettlingTime [unit of the signal], > 0
    std::optional<double> target;  ///< SettlingTime [unit of the signal]; none: the last value
};

struct Study {
    std::string name;
    std::string scene;               ///< as the file names it
    std::optional<double> rate;      ///< [Hz]; none: the scene's
    std::optional<double> duration;  ///< [s]; none: the scene's
    Sample sample;
    std::vector<Parameter> parameters;
    std::vector<Metric> metrics;
};

}  // namespace elasto::sweep
