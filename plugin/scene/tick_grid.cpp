#include <elasto/errors.h>
#include <elasto/scene/description.h>
#include <elasto/scene/tick_grid.h>

#include <LinearMath/btScalar.h>

#include <cmath>
#include <sstream>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// A run of so many ticks would take centuries, and beyond it their number is not exact.
constexpr double kMostTicks = 1e15;

double checkedRate(const std::string& owner, double rate) {
    if (!(rate > 0 && rate <= kHighestRate)) {
        std::ostringstream rule;
        rule << "> 0 and <= " << kHighestRate;
        throw InvalidParameter(owner, "rate", rate, rule.str());
    }
    return rate;
}

}  // namespace

TickGrid::TickGrid(const std::string& owner, double rate) : m_rate(checkedRate(owner, rate)), m_length(1 / rate) {
    // In single precision the tick is what fits a float, unless the rate is whole (see Plugin).
    if (m_rate != std::floor(m_rate)) m_length = static_cast<double>(static_cast<btScalar>(m_length));
}

double TickGrid::timeOf(long count) const {
    const double ticks = static_cast<double>(count);
    return m_rate == std::floor(m_rate) ? ticks / m_rate : ticks * m_length;
}

long TickGrid::ticksIn(double duration, const std::string& owner) const {
    const double ticks = duration / m_length;
    constexpr double kRounding = 1e-6;  // a duration of one tick, written in decimal
    if (!(ticks >= 1 - kRounding && ticks <= kMostTicks)) {
        std::ostringstream rule;
        rule << "at least one tick, " << m_length << " s, and at most " << kMostTicks << " ticks";
        throw InvalidParameter(owner, "duration", duration, rule.str());
    }
    return std::lround(ticks);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
