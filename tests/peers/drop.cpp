#include "drop.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace elasto::peers {

namespace {

constexpr int kPerPeriod = 400;

}  // namespace

DropOracle::DropOracle(const Drop& drop, double until) : m_drop(drop) {
    m_phases.push_back({false, 0, drop.height, 0});
    while (m_phases.back().start < until) {
        const Phase now = m_phases.back();
        if (!now.isContact) {
            const double above = now.z + now.v * now.v / (2 * kGravity);
            if (above <= 0) {
                // It turns back below the stop's face, and meets the force again where c x + d v is 0 once more.
                const double after = 2 * (drop.c * now.v - drop.d * kGravity) / (drop.c * kGravity);
                if (!(after > 0)) break;
                m_phases.push_back({true, now.start + after, now.z + after * (now.v - kGravity * after / 2),
                                    now.v - kGravity * after});
                continue;
            }
            // Down to the stop, from above it or on the way up from below.
            const double fall = (now.v + std::sqrt(now.v * now.v + 2 * kGravity * now.z)) / kGravity;
            if (m_phases.size() == 1) m_begin = fall;
            m_phases.push_back({true, now.start + fall, 0, now.v - kGravity * fall});
            continue;
        }
        const std::optional<double> lasts = contactTime(now);
        if (!lasts) break;
        double rate = 0;
        const double x = compression(now, *lasts, &rate);
        if (m_phases.size() == 2) {
            m_end = now.start + *lasts;
            m_top = -x + rate * rate / (2 * kGravity);
            for (int i = 0; i <= 100 * kPerPeriod; ++i) {
                double v = 0;
                const double at = compression(now, *lasts * i / (100 * kPerPeriod), &v);
                m_peak = std::max(m_peak, drop.c * at + drop.d * v);
            }
        }
        m_phases.push_back({false, now.start + *lasts, -x, -rate});
    }
}

double DropOracle::compression(const Phase& phase, double after, double* rate) const {
    const double omega = std::sqrt(m_drop.c / m_drop.mass);
    const double decay = m_drop.d / (2 * m_drop.mass);
    const double damped = std::sqrt(omega * omega - decay * decay);
    const double rest = kGravity / (omega * omega);
    const double a = -phase.z - rest;
    const double b = (-phase.v + decay * a) / damped;
    const double fading = std::exp(-decay * after);
    const double cosine = std::cos(damped * after);
    const double sine = std::sin(damped * after);
    if (rate != nullptr) {
        *rate = fading * ((b * damped - a * decay) * cosine - (a * damped + b * decay) * sine);
    }
    return rest + fading * (a * cosine + b * sine);
}

std::optional<double> DropOracle::contactTime(const Phase& phase) const {
    const auto force = [&](double after) {
        double rate = 0;
        const double x = compression(phase, after, &rate);
        return m_drop.c * x + m_drop.d * rate;
    };
    const double step = 2 * std::numbers::pi / std::sqrt(m_drop.c / m_drop.mass) / kPerPeriod;
    for (int i = 1; i <= 2 * kPerPeriod; ++i) {
        if (force(i * step) > 0) continue;
        double good = (i - 1) * step;
        double bad = i * step;
        for (int halving = 0; halving < 80; ++halving) {
            const double middle = (good + bad) / 2;
            (force(middle) > 0 ? good : bad) = middle;
        }
        return bad;
    }
    return std::nullopt;
}

double DropOracle::height(double time) const {
    std::size_t i = m_phases.size() - 1;
    while (i > 0 && m_phases[i].start > time) --i;
    const Phase& phase = m_phases[i];
    const double after = time - phase.start;
    if (phase.isContact) return -compression(phase, after, nullptr);
    return phase.z + after * (phase.v - kGravity * after / 2);
}

}  // namespace elasto::peers
