#include "row_oracle.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace elasto::test {

namespace {

using State = OracleState::Matrix;
constexpr int kColumns = 6;

/// The formula that a law follows for now.
enum class Branch { Free, Law, SpringAndDamper, TwiceTheSpring, Nothing };
struct Regime {
    Branch branch = Branch::Free;
    int side = 0;
    bool operator==(const Regime&) const = default;
};
using Regimes = std::vector<Regime>;

Regime regimeOf(const Law& law, double s, double v) {
    if (std::holds_alternative<SpringDamperLaw>(law) || std::holds_alternative<SpringDamperSeriesLaw>(law)) {
        return {Branch::Law, 0};
    }
    const ForceTerms terms = evaluate(law, s, v, 0);
    if (!terms.contact) return {Branch::Free, 0};
    const int side = terms.f_c > 0 ? 1 : -1;
    if (terms.f == 0 && terms.f_d2 != 0) return {Branch::Nothing, side};
    const bool limited = std::abs(terms.f_d) != std::abs(terms.f_d2);
    return {limited ? Branch::TwiceTheSpring : Branch::SpringAndDamper, side};
}

struct Contact {
    double c;
    double d;
    double edge;
};

Contact contactOf(const Law& law, int side) {
    if (const auto* gap = std::get_if<ElastoGapLaw>(&law)) {
        return {gap->parameters().c, gap->parameters().d, gap->parameters().s_rel0};
    }
    const ElastoBacklashParameters& p = std::get<ElastoBacklashLaw>(law).parameters();
    return {p.c, p.d, p.phi_rel0 + side * p.b / 2};
}

struct Force {
    double f = 0;
    double lost = 0;  ///< power
};

Force forceOn(const Law& law, Regime regime, double s, double v, double z) {
    if (regime.branch == Branch::Law) return {evaluate(law, s, v, z).f, dissipatedPower(law, s, v, z)};
    if (regime.branch == Branch::Free) return {};
    const Contact contact = contactOf(law, regime.side);
    const double spring = contact.c * (s - contact.edge);
    double f = 0;
    if (regime.branch == Branch::SpringAndDamper) f = spring + contact.d * v;
    if (regime.branch == Branch::TwiceTheSpring) f = 2 * spring;
    return {f, (f - spring) * v};
}

class Integrator {
public:
    Integrator(const OracleNetwork& network, double tolerance, double speed, double length)
        : m_network(network), m_tolerance(tolerance), m_speed(speed), m_length(length) {}

    void hold(const Regimes& regimes) { m_regimes = regimes; }
    bool isHeld(const State& y) const { return regimes(y) == m_regimes; }

    Regimes regimes(const State& y) const {
        Regimes all;
        for (Eigen::Index i = 0; i < y.cols(); ++i) {
            all.push_back(regimeOf(law(i), y(OracleState::kS, i), y(OracleState::kV, i)));
        }
        return all;
    }

    /// One extrapolated step; returns the error relative to the tolerance.
    double step(double t, const State& y, double dt, State& end) const {
        std::array<State, kColumns> table;  // table[j]: column j of the row before
        const State rate0 = rates(t, y);
        double error = 0;
        for (int k = 0; k < kColumns; ++k) {
            State value = midpoint(t, y, rate0, dt, 2 * (k + 1));
            for (int j = 0; j < k; ++j) {
                const double ratio = static_cast<double>(k + 1) / static_cast<double>(k - j);
                const State better = value + (value - table[static_cast<std::size_t>(j)]) / (ratio * ratio - 1);
                table[static_cast<std::size_t>(j)] = value;
                if (k == kColumns - 1 && j == k - 1) error = errorOf(better, value);
                value = better;
            }
            table[static_cast<std::size_t>(k)] = value;
        }
        end = table[kColumns - 1];
        return error;
    }

    /// First of some shares of the step at which a cubic through its ends leaves the regimes, or 1.
    double suspiciousShare(double t, const State& y, double dt, const State& end) const {
        const State rate0 = rates(t, y);
        const State rate1 = rates(t + dt, end);
        for (const double x : suspects(y, end)) {
            const State between = y * ((1 + 2 * x) * (1 - x) * (1 - x)) + end * (x * x * (3 - 2 * x)) +
                                  dt * (rate0 * (x * (1 - x) * (1 - x)) - rate1 * (x * x * (1 - x)));
            if (!isHeld(between)) return x;
        }
        return 1;
    }

    /// The branches must be those of the laws.
    void checkBranches(const State& y) const {
        for (Eigen::Index i = 0; i < y.cols(); ++i) {
            const double s = y(OracleState::kS, i);
            const double v = y(OracleState::kV, i);
            const double z = y(OracleState::kZ, i);
            const Regime regime = regimeOf(law(i), s, v);
            if (regime.side == 0) continue;
            const ForceTerms terms = evaluate(law(i), s, v, z);
            const double rounding = 1e-15 * contactOf(law(i), regime.side).c * (1 + std::abs(s));
            const double size = std::abs(terms.f_c) + std::abs(terms.f_d2);
            const double difference = std::abs(forceOn(law(i), regime, s, v, z).f - terms.f);
            if (difference > 1e-9 * size + rounding) FAIL("the oracle holds a wrong branch");
        }
    }

private:
    /// Nine shares of a step, and where an element turns back: there it may touch an edge for a moment.
    std::vector<double> suspects(const State& y, const State& end) const {
        std::vector<double> shares = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
        for (Eigen::Index i = 0; i < y.cols(); ++i) {
            const double v0 = y(OracleState::kV, i);
            const double v1 = end(OracleState::kV, i);
            if (v0 * v1 < 0) shares.push_back(v0 / (v0 - v1));
        }
        std::sort(shares.begin(), shares.end());
        return shares;
    }

    const Law& law(Eigen::Index i) const { return m_network.laws[static_cast<std::size_t>(i)]; }

    State rates(double t, const State& y) const {
        const Eigen::Index m = y.cols();
        State rate = State::Zero(y.rows(), m);
        Eigen::Matrix<double, Eigen::Dynamic, 1, 0, OracleState::kMostElements, 1> f(m);
        for (Eigen::Index i = 0; i < m; ++i) {
            const Force force = forceOn(law(i), m_regimes[static_cast<std::size_t>(i)], y(OracleState::kS, i),
                                        y(OracleState::kV, i), y(OracleState::kZ, i));
            f(i) = force.f;
            rate(OracleState::kHeat, i) = force.lost;
            if (const auto* series = std::get_if<SpringDamperSeriesLaw>(&law(i))) {
                rate(OracleState::kZ, i) = series->damperRate(force.f);
            }
        }
        const Eigen::Vector3d powers(1, t, t * t);
        rate.row(OracleState::kS) = y.row(OracleState::kV);
        rate.row(OracleState::kV) = (m_network.a.lazyProduct(powers) - m_network.W.lazyProduct(f)).transpose();
        rate.row(OracleState::kP) = f.transpose();
        rate.row(OracleState::kSigma) = y.row(OracleState::kP);
        rate.row(OracleState::kSigmaT) = t * y.row(OracleState::kP);
        rate.row(OracleState::kSigmaTT) = t * t * y.row(OracleState::kP);
        return rate;
    }

    State midpoint(double t, const State& y, const State& rate0, double dt, int n) const {
        const double d = dt / n;
        State before = y;
        State now = y + d * rate0;
        for (int i = 1; i < n; ++i) {
            State next = before + 2 * d * rates(t + i * d, now);
            before = std::move(now);
            now = std::move(next);
        }
        return now;
    }

    double errorOf(const State& a, const State& b) const {
        double length = 0;
        double speed = 0;
        for (Eigen::Index i = 0; i < a.cols(); ++i) {
            const auto difference = (a.col(i) - b.col(i)).cwiseAbs().eval();
            length = std::max({length, difference(OracleState::kS), difference(OracleState::kZ)});
            speed = std::max(speed, difference(OracleState::kV));
        }
        const double error = std::max(length / m_length, speed / m_speed) / m_tolerance;
        return error < 1e30 ? error : 1e30;  // not a number either
    }

    const OracleNetwork& m_network;
    double m_tolerance;
    double m_speed;
    double m_length;
    Regimes m_regimes;
};

/// Length of the step from (t, y) just after which the regimes change.
double locateChange(const Integrator& integrator, double t, const State& y, double dt) {
    double low = 0;
    double high = dt;
    State end;
    for (int i = 0; i < 70 && high - low > 1e-17 * (t + high); ++i) {
        const double middle = 0.5 * (low + high);
        integrator.step(t, y, middle, end);
        (integrator.isHeld(end) ? low : high) = middle;
    }
    return high;
}

}  // namespace

std::optional<OracleState> integrate(const OracleNetwork& network, const OracleState& start, double h,
                                     double longestStep, int maxSteps, double tolerance) {
    const double acceleration = (network.a.cwiseAbs() * Eigen::Vector3d(1, h, h * h)).maxCoeff();
    const double speed = std::max({start.y.row(OracleState::kV).cwiseAbs().maxCoeff(), 0.1 * h * acceleration, 1e-9});
    const double rounding = 1e-15 * start.y.row(OracleState::kS).cwiseAbs().maxCoeff();
    const double reach = std::max(speed * std::min(h, longestStep), rounding / tolerance);
    Integrator integrator(network, tolerance, speed, reach);
    OracleState now = start;
    double t = 0;
    double dt = std::min(longestStep, h) / 16;
    bool changed = true;
    for (int steps = 0; t < h; ++steps) {
        if (steps > maxSteps) return std::nullopt;
        dt = std::min({dt, longestStep, h - t});
        State end;
        if (changed) {
            // A start on a boundary belongs to what follows it.
            integrator.hold(integrator.regimes(now.y));
            integrator.step(t, now.y, 1e-9 * dt, end);
            integrator.hold(integrator.regimes(end));
            integrator.checkBranches(end);
            changed = false;
        }
        const double error = integrator.step(t, now.y, dt, end);
        const double factor = std::clamp(0.8 * std::pow(std::max(error, 1e-12), -1.0 / 11), 0.2, 3.0);
        const bool tiny = dt < 1e-14 * h;
        if (error > 1 && !tiny) {
            dt *= std::min(factor, 0.8);
            continue;
        }
        double length = dt;
        const double suspect = integrator.suspiciousShare(t, now.y, dt, end);
        if (suspect < 1) {
            length = suspect * dt;
            integrator.step(t, now.y, length, end);
        }
        if (!integrator.isHeld(end)) {
            length = locateChange(integrator, t, now.y, length);
            integrator.step(t, now.y, length, end);
            changed = true;
        }
        now.y = end;
        t = length >= h - t ? h : t + length;
        dt = std::max(dt, 1e-3 * longestStep) * factor;
    }
    return now;
}

}  // namespace elasto::test
