#include "row_oracle.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace elasto::test {

namespace {

using State = Eigen::MatrixXd;
using Regimes = std::vector<int>;
constexpr int kColumns = 6;

double damperRate(const Law& law, double f) {
    const auto* series = std::get_if<SpringDamperSeriesLaw>(&law);
    return series ? series->damperRate(f) : 0;
}

/// Which branch of its law an element is on.
int regimeOf(const Law& law, double s, double v) {
    if (std::holds_alternative<SpringDamperLaw>(law) || std::holds_alternative<SpringDamperSeriesLaw>(law)) return 0;
    const ForceTerms terms = evaluate(law, s, v, 0);
    if (!terms.contact) return 0;
    const int side = terms.f_c > 0 ? 1 : -1;
    if (terms.f == 0 && terms.f_d2 != 0) return 3 * side;
    const bool limited = std::abs(terms.f_d) != std::abs(terms.f_d2);
    return limited ? 2 * side : side;
}

class Integrator {
public:
    Integrator(const OracleNetwork& network, double tolerance, double speed, double length)
        : m_network(network), m_tolerance(tolerance), m_speed(speed), m_length(length) {}

    State rates(double t, const State& y) const {
        const Eigen::Index m = y.cols();
        State rate = State::Zero(y.rows(), m);
        Eigen::VectorXd f(m);
        for (Eigen::Index i = 0; i < m; ++i) {
            const Law& law = m_network.laws[static_cast<std::size_t>(i)];
            const double s = y(OracleState::kS, i);
            const double v = y(OracleState::kV, i);
            const double z = y(OracleState::kZ, i);
            f(i) = evaluate(law, s, v, z).f;
            rate(OracleState::kZ, i) = damperRate(law, f(i));
            rate(OracleState::kHeat, i) = dissipatedPower(law, s, v, z);
        }
        const Eigen::VectorXd loads = m_network.a * Eigen::Vector3d(1, t, t * t);
        rate.row(OracleState::kS) = y.row(OracleState::kV);
        rate.row(OracleState::kV) = (loads - m_network.W * f).transpose();
        rate.row(OracleState::kP) = f.transpose();
        rate.row(OracleState::kSigma) = y.row(OracleState::kP);
        rate.row(OracleState::kSigmaT) = t * y.row(OracleState::kP);
        rate.row(OracleState::kSigmaTT) = t * t * y.row(OracleState::kP);
        return rate;
    }

    /// One extrapolated step; returns the error relative to the tolerance.
    double step(double t, const State& y, double dt, State& end) const {
        std::array<State, kColumns> table;
        const State rate0 = rates(t, y);
        double error = 0;
        for (int k = 0; k < kColumns; ++k) {
            State value = midpoint(t, y, rate0, dt, 2 * (k + 1));
            for (int j = 0; j < k; ++j) {
                // table[j] holds column j of the row before.
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

    Regimes regimes(const State& y) const {
        Regimes all;
        for (Eigen::Index i = 0; i < y.cols(); ++i) {
            const Law& law = m_network.laws[static_cast<std::size_t>(i)];
            all.push_back(regimeOf(law, y(OracleState::kS, i), y(OracleState::kV, i)));
        }
        return all;
    }

    /// First of some shares of the step at which a cubic through its ends leaves the regimes of its start, or 1.
    double suspiciousShare(const State& y, const State& end, double t, double dt, const Regimes& start) const {
        const State rate0 = rates(t, y);
        const State rate1 = rates(t + dt, end);
        for (const double x : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}) {
            const State between = y * ((1 + 2 * x) * (1 - x) * (1 - x)) + end * (x * x * (3 - 2 * x)) +
                                  dt * (rate0 * (x * (1 - x) * (1 - x)) - rate1 * (x * x * (1 - x)));
            if (regimes(between) != start) return x;
        }
        return 1;
    }

private:
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
        const auto difference = (a - b).cwiseAbs();
        const double length = std::max(difference.row(OracleState::kS).maxCoeff(), difference.row(OracleState::kZ).maxCoeff());
        const double speed = difference.row(OracleState::kV).maxCoeff();
        const double error = std::max(length / m_length, speed / m_speed) / m_tolerance;
        return error < 1e30 ? error : 1e30;
    }

    const OracleNetwork& m_network;
    double m_tolerance;
    double m_speed;
    double m_length;
};

/// Length of the step from (t, y) after which the regimes have just changed.
double locateChange(const Integrator& integrator, double t, const State& y, double dt, const Regimes& start) {
    double low = 0;
    double high = dt;
    State end;
    for (int i = 0; i < 60 && high - low > 1e-16 * (t + high); ++i) {
        const double middle = 0.5 * (low + high);
        integrator.step(t, y, middle, end);
        (integrator.regimes(end) == start ? low : high) = middle;
    }
    return high;
}

} // namespace

std::optional<OracleState> integrate(const OracleNetwork& network, const OracleState& start, double h,
                                     double longestStep, int maxSteps, double tolerance) {
    const double acceleration = (network.a.cwiseAbs() * Eigen::Vector3d(1, h, h * h)).maxCoeff();
    const double speed = std::max({start.y.row(OracleState::kV).cwiseAbs().maxCoeff(), 0.1 * h * acceleration, 1e-9});
    const Integrator integrator(network, tolerance, speed, speed * std::min(h, longestStep));
    OracleState now = start;
    double t = 0;
    double dt = std::min(longestStep, h) / 16;
    for (int steps = 0; t < h; ++steps) {
        if (steps > maxSteps) return std::nullopt;
        dt = std::min({dt, longestStep, h - t});
        State end;
        const double error = integrator.step(t, now.y, dt, end);
        const double factor = std::clamp(0.8 * std::pow(std::max(error, 1e-12), -1.0 / 11), 0.2, 3.0);
        const bool tiny = dt < 1e-14 * h;
        if (error > 1 && !tiny) {
            dt *= std::min(factor, 0.8);
            continue;
        }
        // The regime that holds just after the start: a start on a boundary belongs to what follows.
        State soon;
        integrator.step(t, now.y, 1e-9 * dt, soon);
        const Regimes before = integrator.regimes(soon);
        const double suspect = integrator.suspiciousShare(now.y, end, t, dt, before);
        double length = dt;
        if (!tiny && (suspect < 1 || integrator.regimes(end) != before)) {
            if (suspect < 1) integrator.step(t, now.y, suspect * dt, end);
            if (integrator.regimes(end) == before) {
                dt *= suspect; // a false alarm of the cubic, or a short excursion: look closer
                length = dt;
            } else {
                length = locateChange(integrator, t, now.y, suspect * dt, before);
                integrator.step(t, now.y, length, end);
            }
        }
        now.y = end;
        t = length >= h - t ? h : t + length;
        dt *= factor;
    }
    return now;
}

} // namespace elasto::test
