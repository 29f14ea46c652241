#include "straight/linear_mode.h"

#include "numerics/elementary.h"
#include "straight/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

constexpr double kPi = 3.14159265358979323846;

/// Terms s_n t^(n-1), n = 1, 2, ..., of S/t = sum s_n t^(n-1): s_(n+2) = -(b (n+1) s_(n+1) + k s_n) / ((n+2) (n+1)).
class SeriesTerms {
public:
    SeriesTerms(double bt, double ktt) : m_bt(bt), m_ktt(ktt) {}
    double n() const { return m_n; }
    double term() const { return m_term; }
    /// Two terms in a row, as every second one is zero without damping.
    bool matters() const { return std::abs(m_term) + std::abs(m_next) > 1e-18; }
    void advance() {
        const double afterNext = -(m_bt * (m_n + 1) * m_next + m_ktt * m_term) / ((m_n + 2) * (m_n + 1));
        m_term = m_next;
        m_next = afterNext;
        m_n += 1;
    }

private:
    double m_bt;
    double m_ktt;
    double m_n = 1;
    double m_term = 1;
    double m_next = -0.5 * m_bt;
};

LinearMode::Response shortResponse(double k, double b, double t) {
    double S = 0;
    double I = 0;
    for (SeriesTerms series(b * t, k * t * t); series.matters(); series.advance()) {
        S += series.term();
        I += series.term() / (series.n() + 1);
    }
    S *= t;
    I *= t * t;
    return {S, 1 - b * S - k * I, I};
}

LinearMode::Integrals shortIntegrals(double k, double b, double t) {
    LinearMode::Integrals sum{0, 0, 0};
    for (SeriesTerms series(b * t, k * t * t); series.matters(); series.advance()) {
        const double n = series.n();
        const double once = series.term() / (n + 1);
        sum.I += once;
        sum.J += once / (n + 2);
        sum.K += once / ((n + 2) * (n + 3));
    }
    const double tt = t * t;
    return {tt * sum.I, t * tt * sum.J, tt * tt * sum.K};
}

/// (1 - e^(-l t)) / l.
double decayIntegral(double l, double t) {
    return l * t > 1e-17 ? -elementary::expm1(-l * t) / l : t;
}

/// Once, twice and three times integrated e^(-l t).
LinearMode::Integrals decayIntegrals(double l, double t) {
    const double x = l * t;
    const double once = decayIntegral(l, t);
    if (x > 1) {
        const double twice = (t - once) / l;
        return {once, twice, (0.5 * t * t - twice) / l};
    }
    double twice = 0;
    double thrice = 0;
    double term = 0.5;  // (-x)^n / (n + 2)!
    for (double n = 0; std::abs(term) > 1e-18; n += 1) {
        twice += term;
        thrice += term / (n + 3);
        term *= -x / (n + 3);
    }
    return {once, t * t * twice, t * t * t * thrice};
}

}  // namespace

LinearMode::LinearMode(double k, double b) : m_k(k), m_b(b), m_decay(0.5 * b) {
    if (k == 0 && b == 0) return;
    const double discriminant = k - m_decay * m_decay;
    if (discriminant > 0) {
        m_kind = Kind::Underdamped;
        m_frequency = std::sqrt(discriminant);
        return;
    }
    m_kind = Kind::Overdamped;
    const double root = std::sqrt(-discriminant);
    m_fast = m_decay + root;
    m_slow = k / m_fast;  // b / 2 - root would cancel
    m_spread = m_fast - m_slow;
}

LinearMode::Response LinearMode::response(double t) const {
    if (m_kind == Kind::ForceFree) return {t, 1, 0.5 * t * t};
    if (isShort(t, kShort)) return shortResponse(m_k, m_b, t);
    if (m_kind == Kind::Underdamped) {
        const double decayed = m_b > 0 ? elementary::exp(-m_decay * t) : 1;
        const double S = decayed * elementary::sin(m_frequency * t) / m_frequency;
        const double cosine = decayed * elementary::cos(m_frequency * t);
        return {S, cosine - m_decay * S, (1 - cosine - m_decay * S) / m_k};
    }
    const double decayed = elementary::exp(-m_slow * t);
    const double spread = decayIntegral(m_spread, t);
    const double S = decayed * spread;
    const double rate = decayed * (1 - m_fast * spread);
    if (m_spread * t < kCloseRates) return {S, rate, (1 - rate - m_b * S) / m_k};
    return {S, rate, (decayIntegral(m_slow, t) - decayIntegral(m_fast, t)) / m_spread};
}

LinearMode::Integrals LinearMode::integrals(double t) const {
    if (m_kind == Kind::ForceFree || isShort(t, kShortIntegrals)) return shortIntegrals(m_k, m_b, t);
    if (m_kind == Kind::Overdamped && m_spread * t > kCloseRates) return overdampedIntegrals(t);
    // Neither short nor far beyond critical damping: k t^2 is at least about 1, so that nothing cancels.
    const Response r = response(t);
    const double J = (t - r.S - m_b * r.I) / m_k;
    return {r.I, J, (0.5 * t * t - r.I - m_b * J) / m_k};
}

LinearMode::Integrals LinearMode::overdampedIntegrals(double t) const {
    const Integrals slow = decayIntegrals(m_slow, t);
    const Integrals fast = decayIntegrals(m_fast, t);
    return {(slow.I - fast.I) / m_spread, (slow.J - fast.J) / m_spread, (slow.K - fast.K) / m_spread};
}

void LinearMode::advance(double t, double a, double& x, double& v) const {
    const Response r = response(t);
    const double push = a - m_k * x;
    x += v * r.S + push * r.I;
    v = v * r.rate + push * r.S;
}

/// g' obeys the homogeneous equation, so that g - g(0) = g'(0) S + (g''(0) + b g'(0)) I.
struct LinearMode::Watched {
    const LinearMode& mode;
    double start;
    double slope;
    double curvature;

    struct Jet {
        double value;
        double slope;
        double curvature;
    };
    Jet at(double t) const {
        const Response r = mode.response(t);
        const double q = curvature + mode.m_b * slope;
        const double change = slope * r.S + q * r.I;
        const double rate = slope * r.rate + q * r.S;
        return {start + change, rate, q - mode.m_b * rate - mode.m_k * change};
    }
    double firstGuess(Interval interval, double valueAtEnd) const;
    double crossing(Interval interval, double valueAtEnd) const;
};

/// The interval with the lowest minimum of g: amplitudes decay, so that the first minimum is the lowest.
LinearMode::Interval LinearMode::fallingInterval(double slope, double curvature) const {
    const bool falls = slope < 0 || (slope == 0 && curvature < 0);
    if (m_kind == Kind::Underdamped) {
        const double half = kPi / m_frequency;
        if (slope == 0) return falls ? Interval{0, half} : Interval{half, 2 * half};
        // The zero of slope cos + (curvature + ...) sin between 0 and pi; adding pi would cost the digits of a small
        // one.
        const double sign = falls ? 1 : -1;
        const double phase = elementary::atan2(-sign * slope * m_frequency, sign * (curvature + m_decay * slope));
        const double turn = phase / m_frequency;
        return falls ? Interval{0, turn} : Interval{turn, turn + half};
    }
    double turn = kNever;
    const double share = -slope / (curvature + m_slow * slope);
    if (share > 0 && share * m_spread < 1) {
        turn = share * m_spread > 1e-12 ? -elementary::log1p(-share * m_spread) / m_spread : share;
    }
    return falls ? Interval{0, turn} : Interval{turn, kNever};
}

double LinearMode::firstCrossing(double end, double a, double x, double v, double byX, double byV) const {
    const double value = std::max(byX * x + byV * v, 0.0);
    const double acceleration = a - m_k * x - m_b * v;
    const double slope = byX * v + byV * acceleration;
    const double curvature = byX * acceleration - byV * (m_k * v + m_b * acceleration);
    if (m_kind == Kind::ForceFree) return firstCrossingOfParabola(end, value, slope, 0.5 * curvature);

    Interval interval = fallingInterval(slope, curvature);
    if (interval.begin >= end) return kNever;
    if (interval.begin == 0 && value == 0) return 0;
    interval.end = std::min(interval.end, end);
    const Watched g{*this, value, slope, curvature};
    const double valueAtEnd = g.at(interval.end).value;
    return valueAtEnd < 0 ? g.crossing(interval, valueAtEnd) : kNever;
}

double LinearMode::Watched::firstGuess(Interval interval, double valueAtEnd) const {
    const double middle = 0.5 * (interval.begin + interval.end);
    if (mode.m_kind == Kind::Underdamped && mode.m_b == 0) {
        // g = mean + amplitude cos(w t - phase): the root itself, up to rounding.
        const double mean = start + curvature / mode.m_k;
        const double sine = slope / mode.m_frequency;
        const double cosine = -curvature / mode.m_k;
        const double amplitude = std::sqrt(sine * sine + cosine * cosine);
        const double phase = elementary::atan2(sine, cosine);
        double angle = phase + elementary::acos(std::clamp(-mean / amplitude, -1.0, 1.0));
        const double turn = 2 * kPi;
        angle -= turn * std::floor((angle - mode.m_frequency * interval.begin) / turn);
        const double t = angle / mode.m_frequency;
        return t > interval.begin && t < interval.end ? t : middle;
    }
    const double valueAtBegin = interval.begin == 0 ? start : at(interval.begin).value;
    const double share = valueAtBegin / (valueAtBegin - valueAtEnd);
    const double t = interval.begin + (interval.end - interval.begin) * share;
    return t > interval.begin && t < interval.end ? t : middle;
}

/// Halley's iteration inside a bracket on which g falls from >= 0 to < 0.
double LinearMode::Watched::crossing(Interval interval, double valueAtEnd) const {
    double t = firstGuess(interval, valueAtEnd);
    for (int iteration = 0; iteration < 80; ++iteration) {
        const Jet g = at(t);
        (g.value >= 0 ? interval.begin : interval.end) = t;
        if (interval.end - interval.begin <= 4e-16 * interval.end) break;
        const double newton = -g.value / g.slope;
        const double correction = 1 + 0.5 * newton * g.curvature / g.slope;
        const double next = t + newton / std::clamp(correction, 0.6, 2.0);
        // A small step alone does not mean convergence: on the flat tail of an overdamped g the step must also be small
        // against the time in which g bends. The iteration is cubic, so that these limits give all digits.
        const bool converged = std::abs(newton) < 1e-7 * t && std::abs(correction - 1) < 1e-4;
        if (converged) return std::clamp(next, interval.begin, interval.end);
        const bool inside = next > interval.begin && next < interval.end;  // false for NaN, too
        t = inside ? next : 0.5 * (interval.begin + interval.end);
    }
    return t;
}

double firstCrossingOfParabola(double end, double g0, double g1, double g2) {
    const double g = std::max(g0, 0.0);
    double t = kNever;
    if (g2 == 0) {
        if (g1 < 0) t = -g / g1;
    } else {
        const double discriminant = g1 * g1 - 4 * g * g2;
        if (g2 > 0) {
            // Falls only where it comes down steeply enough; a mere touch is no fall.
            if (g1 < 0 && discriminant > 0) t = 2 * g / (-g1 + std::sqrt(discriminant));
        } else {
            const double root = std::sqrt(discriminant);
            t = g1 > 0 ? (-g1 - root) / (2 * g2) : (root > 0 || g1 < 0 ? 2 * g / (-g1 + root) : 0);
        }
    }
    return t <= end ? t : kNever;
}

}  // namespace elasto::flow
