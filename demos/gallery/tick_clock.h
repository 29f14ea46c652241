#pragma once
/// @file tick_clock.h
/// Turns real time into ticks and a place inside a tick. Ticks are fixed; how fast they pass is not.

namespace elasto::gallery {

/// What is shown lies inside the last tick that was computed, so that slow motion goes into the tick: at a speed of
/// 1/1000 a tick of 1/60 s is seen in 1000 frames, from the element's own solution.
class TickClock {
public:
    /// How far the shown instant is in the last tick: > 0 .. 1 (its end).
    double phase() const { return m_phase; }
    bool isAtTick() const { return m_phase >= 1; }
    /// To the end of the last tick: after a step, a seek, or where nothing was computed yet.
    void toTick() { m_phase = 1; }

    /// To a place inside the last tick. @param phase > 0 .. 1
    void toPhase(double phase) { m_phase = phase; }

    /// Real time passes.
    /// @param seconds    since the last call [s], >= 0
    /// @param speed      simulated seconds per second, >= 0
    /// @param tickLength [s], > 0
    /// @return ticks to compute now; phase() is then in the last of them
    long pass(double seconds, double speed, double tickLength);

private:
    double m_phase = 1;
};

}  // namespace elasto::gallery
