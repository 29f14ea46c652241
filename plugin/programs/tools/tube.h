#pragma once
/// @file tube.h
/// Whether a run stays within a tube around another one.

#include <elasto/reference/trajectory.h>

#include <string>
#include <vector>

namespace elasto::tools {

/// How wide tubes are.
struct TubeWidth {
    double relative =
        0.002;            ///< half width in time, as a share of the time span, and in value, as a share of the range
    double absolute = 0;  ///< half width in value at least, in the signal's unit
};

/// A signal and its tube.
struct TubeResult {
    std::string signal;
    std::string unit;
    double halfTime = 0;   ///< half width of the tube in time [s]
    double halfValue = 0;  ///< and in value
    double outside = 0;    ///< share of the candidate's rows that are outside
    double firstTime = 0;  ///< time of the first of them [s]
    double largest = 0;    ///< how far it leaves the tube at most
    double timeOfLargest = 0;
    std::vector<double> lower, upper;  ///< the tube at the candidate's rows

    bool isInside() const { return outside == 0; }
};

/// The tube around a curve is all that a rectangle of the tube's widths covers when its middle runs along the curve: a
/// jump that comes a little earlier or later stays inside, as in the comparison tool csv-compare of the Modelica
/// Association. What hardly changes has a tube of at least a millionth of the largest range among the signals of its
/// unit, so that rounding is not told apart.
/// @param reference, candidate with the same signals; the candidate's rows within the reference's time span count
/// @return one per signal, in their order
std::vector<TubeResult> tubes(const Trajectory& reference, const Trajectory& candidate, const TubeWidth& width);

}  // namespace elasto::tools
