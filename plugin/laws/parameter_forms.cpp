#include <elasto/parameter_forms.h>

#include "checks.h"

#include <elasto/errors.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace elasto {

namespace {

/// Throws unless a derived constant is a number that a law takes.
void requireInRange(const std::string& owner, const SpringDamperConstants& constants) {
    if (!std::isfinite(constants.c) || !(constants.c > 0) || !std::isfinite(constants.d)) {
        throw InvalidParameter(owner, "these values lead to c = " + checks::numberText(constants.c) +
                                          ", d = " + checks::numberText(constants.d) +
                                          ", which is out of range; check their units (Hz, s, kg)");
    }
}

void requireConstantsAndMass(const std::string& owner, const SpringDamperConstants& constants, double mass) {
    checks::requirePositive(owner, "c", constants.c);
    checks::requireNotNegative(owner, "d", constants.d);
    checks::requirePositive(owner, "mass", mass);
}

/// sqrt(c / m); two roots, because the quotient may leave the range of numbers where its root does not.
double angularFrequencyOf(const SpringDamperConstants& constants, double mass) {
    return std::sqrt(constants.c) / std::sqrt(mass);
}

double dampingRatioOf(const std::string& owner, const SpringDamperConstants& constants, double mass) {
    const double zeta = constants.d / (2 * std::sqrt(constants.c) * std::sqrt(mass));
    // linearTime() needs four times the ratio.
    if (!std::isfinite(4 * zeta)) {
        throw InvalidParameter(owner, "d", constants.d,
                               "such that the damping ratio d / (2 sqrt(c m)) stays within the range of numbers");
    }
    return zeta;
}

void requireSpeedIndependent(const std::string& owner, GapCharacteristic characteristic) {
    if (characteristic != GapCharacteristic::BoundedDamper && characteristic != GapCharacteristic::NoPull &&
        characteristic != GapCharacteristic::Linear) {
        throw InvalidParameter(owner,
                               "characteristic must be BoundedDamper, NoPull or Linear; the restitution of the "
                               "others depends on the speed of the impact: restitutionAt()");
    }
}

/// Time w t2 during which spring and unlimited damper act together, for a damping ratio zeta.
///
/// The phase begins where the damper stops to be limited by the spring (BoundedDamper) or at touching (NoPull, Linear)
/// and ends where the force vanishes (BoundedDamper, NoPull) or the penetration does (Linear).
double linearTime(double zeta, GapCharacteristic characteristic) {
    const double q = zeta <= 1 ? zeta : 1 / zeta;
    const double root = std::sqrt((1 - q) * (1 + q));
    if (characteristic == GapCharacteristic::Linear) {
        return std::numbers::pi / root;
    }
    const double k = characteristic == GapCharacteristic::BoundedDamper ? 4 : 2;
    if (root == 0) {
        return k / (k - 1);
    }
    if (zeta < 1) {
        return std::atan2(k * zeta * root, k * zeta * zeta - 1) / root;
    }
    // Above critical damping the angle is imaginary. Written with asinh and 1/zeta: no cancellation, no overflow.
    const double rate = zeta * root;
    const double angle = characteristic == GapCharacteristic::BoundedDamper
                             ? std::asinh(4 * rate / std::sqrt(8 + q * q))
                             : 2 * std::asinh(rate);
    return angle / rate;
}

/// Time w t1 during which the damper is limited by the spring, so that the force is twice that of the spring.
double clippedTime(double zeta, GapCharacteristic characteristic) {
    if (characteristic != GapCharacteristic::BoundedDamper) {
        return 0;
    }
    return std::atan(2 * std::numbers::sqrt2 * zeta) / std::numbers::sqrt2;
}

/// The damping ratio that solves zeta w t2(zeta) = -ln e; the left side rises strictly from 0 without bound.
double dampingRatioFor(double restitution, GapCharacteristic characteristic) {
    const double target = -std::log(restitution);
    if (characteristic == GapCharacteristic::Linear) {
        return target / std::hypot(std::numbers::pi, target);
    }
    if (!(target > 0)) {
        return 0;
    }
    double low = 0;
    double high = 1;
    while (high * linearTime(high, characteristic) < target) {
        low = high;
        high *= 2;
    }
    while (true) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) {
            return high;
        }
        (middle * linearTime(middle, characteristic) < target ? low : high) = middle;
    }
}

/// x (1 + e) - ln((1 + x) / (1 - e x)): > 0 for small e at a given x, and for small x at a given e.
double impactBalance(double x, double e) {
    return x * (1 + e) - std::log1p(x) + std::log1p(-e * x);
}

/// Root of a function that falls from a value >= 0 at low; by halving, to the last bit.
template <typename Function>
double rootOfFalling(double low, double high, const Function& function) {
    while (true) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) return low;
        (function(middle) > 0 ? low : high) = middle;
    }
}

void requireRestitution(const std::string& owner, double restitution) {
    if (restitution >= kSmallestRestitution && restitution <= 1) return;
    throw InvalidParameter(owner, "restitution", restitution,
                           "in [" + checks::numberText(kSmallestRestitution) +
                               ", 1]: 1 is d = 0, and 0 is a limit that no finite damping reaches");
}

}  // namespace

double effectiveMass(double m_a, double m_b) {
    const std::string owner = "effectiveMass";
    const auto requireMass = [&](const char* field, double mass) {
        if (!(mass > 0)) {
            throw InvalidParameter(owner, field, mass, "> 0; infinite for a body that does not move");
        }
    };
    requireMass("m_a", m_a);
    requireMass("m_b", m_b);
    if (std::isinf(m_a) && std::isinf(m_b)) {
        throw InvalidParameter(owner, "m_a and m_b are both infinite; one of the bodies must be able to move");
    }
    // The lighter one over one plus a ratio <= 1: neither overflows nor underflows, and an infinite mass needs no case.
    const double lighter = std::min(m_a, m_b);
    return lighter / (1 + lighter / std::max(m_a, m_b));
}

SpringDamperConstants constantsFromFrequency(double frequency, double dampingRatio, double mass) {
    const std::string owner = "constantsFromFrequency";
    checks::requirePositive(owner, "frequency", frequency);
    checks::requireNotNegative(owner, "dampingRatio", dampingRatio);
    checks::requirePositive(owner, "mass", mass);
    const double w = 2 * std::numbers::pi * frequency;
    const SpringDamperConstants constants{mass * w * w, 2 * dampingRatio * mass * w};
    requireInRange(owner, constants);
    return constants;
}

Oscillation oscillationOf(const SpringDamperConstants& constants, double mass) {
    const std::string owner = "oscillationOf";
    requireConstantsAndMass(owner, constants, mass);
    return {angularFrequencyOf(constants, mass) / (2 * std::numbers::pi), dampingRatioOf(owner, constants, mass)};
}

Impact impactOf(const SpringDamperConstants& constants, double mass, GapCharacteristic characteristic) {
    const std::string owner = "impactOf";
    requireConstantsAndMass(owner, constants, mass);
    requireSpeedIndependent(owner, characteristic);
    const double w = angularFrequencyOf(constants, mass);
    const double zeta = dampingRatioOf(owner, constants, mass);
    const bool pulls = characteristic == GapCharacteristic::Linear;
    if (pulls && zeta >= 1) {
        return {0, HUGE_VAL, HUGE_VAL};
    }
    const double linear = linearTime(zeta, characteristic);
    const double contactTime = (clippedTime(zeta, characteristic) + linear) / w;
    return {std::exp(-zeta * linear), contactTime, pulls ? contactTime : contactTime + constants.d / constants.c};
}

SpringDamperConstants constantsFromRestitution(double restitution, double contactTime, double mass,
                                               GapCharacteristic characteristic) {
    const std::string owner = "constantsFromRestitution";
    requireRestitution(owner, restitution);
    checks::requirePositive(owner, "contactTime", contactTime);
    checks::requirePositive(owner, "mass", mass);
    requireSpeedIndependent(owner, characteristic);
    const double zeta = dampingRatioFor(restitution, characteristic);
    const double w = (clippedTime(zeta, characteristic) + linearTime(zeta, characteristic)) / contactTime;
    const SpringDamperConstants constants{mass * w * w, 2 * zeta * mass * w};
    requireInRange(owner, constants);
    return constants;
}

double restitutionAt(double speed, const SpringDamperConstants& constants, double s_ref) {
    const std::string owner = "restitutionAt";
    checks::requirePositive(owner, "speed", speed);
    checks::requirePositive(owner, "c", constants.c);
    checks::requireNotNegative(owner, "d", constants.d);
    checks::requirePositive(owner, "s_ref", s_ref);
    const double x = constants.d / constants.c * (speed / s_ref);
    if (!std::isfinite(x)) throw InvalidParameter(owner, "d", constants.d, "such that d speed / (c s_ref) is finite");
    // Below this the two sides of the balance differ by less than rounding, and the series is exact to it.
    constexpr double kSmall = 1e-4;
    if (x < kSmall) return 1 - 2 * x / 3 + 4 * x * x / 9;
    return rootOfFalling(0, std::min(1., 1 / x), [&](double e) { return impactBalance(x, e); });
}

double dampingForRestitution(double restitution, double speed, double c, double s_ref) {
    const std::string owner = "dampingForRestitution";
    requireRestitution(owner, restitution);
    checks::requirePositive(owner, "speed", speed);
    checks::requirePositive(owner, "c", c);
    checks::requirePositive(owner, "s_ref", s_ref);
    // From a weak damping, where the series of the balance tells, up to where the denominator vanishes.
    const double weak = 1.5 * (1 - restitution);
    constexpr double kSmall = 1e-4;
    const double x = weak < kSmall ? weak + 1.5 * (1 - restitution) * (1 - restitution)
                                   : rootOfFalling(weak / 2, 1 / restitution,
                                                   [&](double value) { return impactBalance(value, restitution); });
    const SpringDamperConstants constants{c, x * c * (s_ref / speed)};
    requireInRange(owner, constants);
    return constants.d;
}

}  // namespace elasto
