#pragma once
/// @file tick_grid.h
/// Ticks of a run: their rate, length and number.

#include <elasto/export.h>
#include <elasto/precision.h>

#include <string>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Ticks of equal length from time 0 on.
class ELASTO_API TickGrid {
public:
    /// @param owner whom messages name @param rate ticks per second [Hz]
    /// @throws InvalidParameter unless the rate is in (0, kHighestRate]
    TickGrid(const std::string& owner, double rate);

    double rate() const { return m_rate; }  ///< [Hz]
    /// Length of a tick [s]: 1/rate; in single precision: what Bullet and the Plugin take for it.
    double length() const { return m_length; }
    double timeOf(long ticks) const;  ///< when so many ticks are done [s]
    /// Ticks in a duration [s], rounded to whole ones. @throws InvalidParameter if it is shorter than one tick
    long ticksIn(double duration, const std::string& owner) const;

private:
    double m_rate;
    double m_length;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
