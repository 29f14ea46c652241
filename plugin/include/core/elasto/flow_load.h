#pragma once
/// @file flow_load.h
/// Loads that change within a tick: one parabola, or several one after the other.

#include <elasto/eigen.h>
#include <elasto/export.h>

#include <functional>
#include <span>
#include <vector>

namespace elasto {

/// A vector that changes over a tick: value(t) = constant + linear t + quadratic t^2, t [s] from the tick's start, or
/// from that of a LoadChange.
struct ELASTO_API QuadraticLoad {
    Eigen::Vector3d constant = Eigen::Vector3d::Zero();   ///< value at the start [N, N.m]
    Eigen::Vector3d linear = Eigen::Vector3d::Zero();     ///< rate at the start [N/s, N.m/s]
    Eigen::Vector3d quadratic = Eigen::Vector3d::Zero();  ///< half the second derivative [N/s^2, N.m/s^2]

    /// The parabola through the values at the tick's start, middle and end; h [s] > 0 is the tick.
    static QuadraticLoad through(const Eigen::Vector3d& start, const Eigen::Vector3d& middle,
                                 const Eigen::Vector3d& end, double h);
    /// At t [s] from the start.
    Eigen::Vector3d value(double t) const { return constant + t * (linear + t * quadratic); }
    bool isConstant() const { return linear.isZero(0) && quadratic.isZero(0); }  ///< the same at all times
    /// The same load, counted from a later time t [s].
    QuadraticLoad from(double t) const { return {value(t), linear + 2 * t * quadratic, quadratic}; }
    /// Integral over the first h [s].
    Eigen::Vector3d impulse(double h) const { return h * (constant + h * (linear / 2 + h / 3 * quadratic)); }
    QuadraticLoad& operator+=(const QuadraticLoad& other);  ///< adds a load that counts from the same start

    bool operator==(const QuadraticLoad&) const = default;  ///< equal where all coefficients are
};

/// A number that changes over a tick as a QuadraticLoad does, and is never less than 0 [-].
struct ELASTO_API QuadraticShare {
    double constant = 1;   ///< value at the start; 1: all of it
    double linear = 0;     ///< [1/s]
    double quadratic = 0;  ///< [1/s^2]

    /// Value at t [s] from the start, at least 0.
    double at(double t) const;
    /// The same, counted from a later time t [s].
    QuadraticShare from(double t) const;
    bool operator==(const QuadraticShare&) const = default;  ///< equal where all coefficients are
};

/// From a time inside the tick on, other loads on a body of a FlowNetwork, or another strength of an element.
struct LoadChange {
    double time = 0;            ///< [s] from the tick's start, > 0
    int body = 0;               ///< index in FlowNetwork::bodies; -1 where an element changes
    QuadraticLoad force = {};   ///< instead of FlowBody::force, t counted from `time` [N]
    QuadraticLoad torque = {};  ///< instead of FlowBody::torque, t counted from `time` [N.m]
    int element = -1;           ///< index in FlowNetwork::elements; -1 where a body's loads change
    QuadraticShare share = {};  ///< instead of FlowElement::f_normalized, t counted from `time`

    bool operator==(const LoadChange&) const = default;  ///< equal where all fields are
};

/// Where a function of time jumps or has a kink: the first such time later than t [s]; infinity if there is none. An
/// empty one states nothing.
using NextBreak = std::function<double(double t)>;
/// These times, in any order. @throws InvalidParameter unless all are finite
ELASTO_API NextBreak breaksAt(std::vector<double> times);
/// Each multiple of the period, from the first one on: those of a rectangle or a saw.
/// @param period [s] > 0 @throws InvalidParameter unless both are finite and period > 0
ELASTO_API NextBreak breaksEvery(double period, double first = 0);

/// Force [N] and torque [N.m] on a body, one after the other. (A torque on a joint is its first component.)
using LoadValue = Eigen::Matrix<double, 6, 1>;

/// A parabola that holds from its start to that of the next piece, or to the tick's end:
/// value(t) = constant + tau (linear + tau quadratic), tau = t - start.
struct ELASTO_API LoadPiece {
    double start = 0;                         ///< [s] from the tick's start
    LoadValue constant = LoadValue::Zero();   ///< value at `start` [N, N.m]
    LoadValue linear = LoadValue::Zero();     ///< rate at `start` [N/s, N.m/s]
    LoadValue quadratic = LoadValue::Zero();  ///< half the second derivative [N/s^2, N.m/s^2]

    /// Value at t [s] from the tick's start, which the piece must hold at.
    LoadValue value(double t) const { return constant + (t - start) * (linear + (t - start) * quadratic); }
    bool isConstant() const { return linear.isZero(0) && quadratic.isZero(0); }  ///< the same over the piece
    /// Integral from the start to the end [s].
    LoadValue impulse(double end) const;
    /// The force alone [N], t counted from `start`.
    QuadraticLoad force() const { return {constant.head<3>(), linear.head<3>(), quadratic.head<3>()}; }
    /// The torque alone [N.m], t counted from `start`.
    QuadraticLoad torque() const { return {constant.tail<3>(), linear.tail<3>(), quadratic.tail<3>()}; }
};

/// A function of time over a tick of h [s] > 0 as parabolas, as few as hold it within 1e-5 of its largest value in the
/// tick: one where it is constant or bends little. Jumps and kinks are found where they are: at the times that are
/// stated, and else where values differ that lie close together (not if nothing of it is seen at the some ten points of
/// the tick at which it is looked at first: a short pulse has to be stated).
///
/// Impulse and first moment of each part between two breaks are kept: to rounding where the function is a polynomial of
/// degree 3 there, and to terms of the 7th power of the piece's length otherwise. Of more than 24 pieces, neighbours
/// are joined that are most alike, with the same impulse and moments.
/// @param value of a time from the tick's start, finite
/// @param breaks times of jumps and kinks from the tick's start, rising; ones outside the tick are ignored
/// @param pieces at least one; the first starts at 0
ELASTO_API void cutIntoPieces(const std::function<LoadValue(double)>& value, std::span<const double> breaks, double h,
                              std::vector<LoadPiece>& pieces);

/// The parabola with the impulse and the first two moments of the pieces of a tick of h [s].
ELASTO_API LoadPiece joined(std::span<const LoadPiece> pieces, double h);

/// Integral of pieces over a tick of h [s].
ELASTO_API LoadValue impulseOf(std::span<const LoadPiece> pieces, double h);

}  // namespace elasto
