#pragma once
// Functions of time as parabolas over a tick.

#include <elasto/precision.h>

#include "gather.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// The parabola through the values at the three points of Gauss's rule in the tick. What a body gets of a force, its
/// integral and its first moment, differ from the function's own by terms of h^7 only; with the parabola through start,
/// middle and end each tick would move the body by a term of h^5.
/// @param value of a time [s] @tparam Curve QuadraticLoad or QuadraticTorque
template <class Curve, class Function>
Curve curveOf(const Function& value, const TickTime& time) {
    constexpr double kAside = 0.38729833462074168852;  // sqrt(15) / 10: from the middle, of the tick
    const auto first = value(time.t + time.h * (0.5 - kAside));
    const auto middle = value(time.t + time.h * 0.5);
    const auto last = value(time.t + time.h * (0.5 + kAside));
    if (first == middle && middle == last) {  // exactly constant, so that closed forms serve
        Curve constant;
        constant.constant = middle;
        return constant;
    }
    const decltype(value(0.)) slope = (last - first) / (4 * kAside);
    const decltype(value(0.)) bend = (first - 2 * middle + last) / (8 * kAside * kAside);
    return Curve::through(middle - slope + bend, middle, middle + slope + bend, time.h);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
