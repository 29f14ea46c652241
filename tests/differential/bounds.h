#pragma once
// What is wrong: the one place that says it.

namespace elasto::differential {

/// Shares of a signal's range, and what signals that hardly move are compared with.
struct Bounds {
    // Issue of taste, not of measurement: what one sees in a plot.
    double apart = 1e-3;          ///< without contacts: largest error, of the signal's range
    double apartTouching = 1e-2;  ///< with contacts
    /// A signal that moves less than this share of the one that moves most of its kind is compared with that share of
    /// it: the sideways motion of a rope that swings in a plane is rounding.
    double least = 1e-2;
    double leastPlace = 1e-4;  ///< range that a place has at least [m]
    double leastTurn = 1e-2;   ///< range that a part of a quaternion, or an angle, has at least [rad]
    // Contacts give way by a few micrometres and tilt what stands on them.
    double leastPlaceTouching = 1e-3, leastTurnTouching = 0.05;
    double leastHeat = 1e-2;        ///< range that heat has at least, as a share of the energy in play
    double leastHeatAtAll = 1e-12;  ///< [J] and where there is none in play: the rounding of what stands still

    // Invariants. Momentum is exact up to rounding in any method that knows actio and reactio; angular momentum up to
    // the tolerance of the integrators, 1e-9 a step.
    double momentum = 1e-8;         ///< of the sum of all bodies' |m v|
    double angularMomentum = 1e-6;  ///< of the sum of all bodies' |r x m v| + |I w|
    double energy = 1e-4;           ///< of the energy in play
    double heat = 1e-7;             ///< that nothing can have made, of the energy in play
    double opening = 1e-4;          ///< of joints [m, rad]
    double spin = 1e-8;             ///< change of a constant spin, of itself

    /// Bullet keeps states with 24 bits there: places of metres jump by 1e-7 m, and a thousand ticks add that up.
    static Bounds single() {
        Bounds bounds;
        bounds.leastPlace = 1e-2;
        bounds.leastTurn = 0.1;
        bounds.leastPlaceTouching = 1e-2;
        bounds.leastTurnTouching = 0.1;
        bounds.momentum = 1e-4;
        bounds.angularMomentum = 1e-3;
        bounds.energy = 1e-3;
        bounds.heat = 1e-5;
        bounds.opening = 1e-3;
        bounds.spin = 1e-5;
        return bounds;
    }
};

/// The disturbance by which chaos is told: of a body's velocity [m/s].
inline constexpr double kDisturbance = 1e-6;
/// The rate that a run is compared with, about: the multiple of its own rate that is nearest [Hz].
inline constexpr double kFineRate = 4000;

}  // namespace elasto::differential
