#pragma once
/// @file time_course.h
/// How loads and wanted positions of scene files depend on time.

#include <elasto/export.h>

#include <array>
#include <limits>
#include <vector>

namespace elasto {

/// A factor as a function of time [s]: Modelica's Constant, Sine or a table.
struct ELASTO_API TimeCourse {
    /// How the factor is stated; see factor().
    enum class Type {
        Constant,  ///< 1 from startTime to endTime
        Sine,      ///< Modelica.Blocks.Sources.Sine
        Table,     ///< linear between points
    };
    Type type = Type::Constant;                                ///< decides which of the fields below count
    double frequency = 1;                                      ///< Sine [Hz]
    double phase = 0;                                          ///< Sine [rad]
    double offset = 0;                                         ///< Sine: added to the factor [-]
    double startTime = 0;                                      ///< Constant, Sine [s]
    double endTime = std::numeric_limits<double>::infinity();  ///< Constant [s], > startTime
    std::vector<std::array<double, 2>> points;  ///< Table: {time [s], factor [-]}; two at one time are a jump

    /// Constant: 1 from startTime to endTime, 0 before and after
    /// Sine:     offset + (t < startTime ? 0 : sin(2 pi frequency (t - startTime) + phase))
    /// Table:    linear interpolation; before the first and after the last point their values; where two points have
    ///           one time, the second one holds from there on
    double factor(double t) const;
    /// Its rate [1/s]: what it is from t on where it has a kink there. A jump is none: the rate beside it counts.
    double slope(double t) const;
    /// The first time later than t at which the factor jumps or has a kink; infinity if there is none.
    double nextBreak(double t) const;
};

}  // namespace elasto
