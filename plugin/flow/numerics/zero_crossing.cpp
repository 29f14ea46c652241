#include "numerics/zero_crossing.h"
#include "numerics/tuning.h"

#include <Eigen/Core>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

constexpr int kDegree = kCrossingSamples - 1;

using Coefficients = std::array<double, kCrossingSamples>;
using Matrix = Eigen::Matrix<double, kCrossingSamples, kCrossingSamples>;

/// Samples at crossingNodes() -> Bernstein coefficients.
const Matrix& toBernstein() {
    static const Matrix matrix = [] {
        Matrix values;
        for (int i = 0; i < kCrossingSamples; ++i) {
            const double x = crossingNodes()[static_cast<std::size_t>(i)];
            double binomial = 1;
            for (int j = 0; j < kCrossingSamples; ++j) {
                double basis = binomial;
                for (int k = 0; k < j; ++k) basis *= x;
                for (int k = j; k < kDegree; ++k) basis *= 1 - x;
                values(i, j) = basis;
                binomial *= static_cast<double>(kDegree - j) / (j + 1);
            }
        }
        return Matrix(values.inverse());
    }();
    return matrix;
}

/// Splits at x into the coefficients of both parts (de Casteljau). @return the value at x
double split(const Coefficients& b, double x, Coefficients& left, Coefficients& right) {
    Coefficients work = b;
    for (std::size_t j = 0; j < kCrossingSamples; ++j) {
        left[j] = work[0];
        right[kDegree - j] = work[kDegree - j];
        for (std::size_t k = 0; k + j < kDegree; ++k) work[k] += x * (work[k + 1] - work[k]);
    }
    return right[0];
}

/// The fall between the ends of coefficients that begin at or above 0 and end below it: regula falsi (Illinois). A zero
/// at the beginning itself is divided out.
ZeroCrossing crossingWithin(const Coefficients& b, double lo, double hi) {
    Coefficients left, right;
    const bool startsAtZero = b[0] == 0;
    double x0 = 0, x1 = 1;
    double g0 = startsAtZero ? kDegree * b[1] : b[0];
    double g1 = b[kDegree];
    int side = 0;
    for (int i = 0; i < 100 && x1 - x0 > 1e-15 * x1; ++i) {
        double x = x0 + (x1 - x0) * (g0 / (g0 - g1));
        if (!(x > x0 && x < x1)) x = 0.5 * (x0 + x1);
        double g = split(b, x, left, right);
        if (startsAtZero) g /= x;
        if (g < 0) {
            x1 = x;
            g1 = g;
            if (side == -1) g0 /= 2;
            side = -1;
        } else {
            x0 = x;
            g0 = g;
            if (side == 1) g1 /= 2;
            side = 1;
            if (g == 0) break;
        }
    }
    const double x = g0 == 0 ? x0 : x1;
    split(b, x, left, right);
    const double slope =
        x < 0.5 ? kDegree * (right[1] - right[0]) / (1 - x) : kDegree * (left[kDegree] - left[kDegree - 1]) / x;
    return {lo + x * (hi - lo), slope / (hi - lo)};
}

std::optional<ZeroCrossing> search(Coefficients b, double lo, double hi, double noise, int depth) {
    b[0] = std::max(b[0], 0.0);  // the part before this one did not fall by more than noise
    if (*std::min_element(b.begin(), b.end()) >= -noise) return {};
    if (b[0] == 0 && b[1] < 0) return ZeroCrossing{lo, kDegree * (b[1] - b[0]) / (hi - lo)};

    int changes = 0;
    for (std::size_t j = 1; j < kCrossingSamples; ++j) changes += (b[j] < 0) != (b[j - 1] < 0);
    const bool endsBelow = b[kDegree] < -noise;
    if (endsBelow && (changes == 1 || depth == kMaxHalvings)) return crossingWithin(b, lo, hi);
    if (depth == kMaxHalvings) return {};

    Coefficients left, right;
    split(b, 0.5, left, right);
    const double middle = 0.5 * (lo + hi);
    if (auto crossing = search(left, lo, middle, noise, depth + 1)) return crossing;
    return search(right, middle, hi, noise, depth + 1);
}

}  // namespace

const std::array<double, kCrossingSamples>& crossingNodes() {
    static const double half = std::sqrt(3.0) / 4;  // cos(30 degrees) / 2
    static const std::array<double, kCrossingSamples> nodes = {0, 0.5 - half, 0.25, 0.5, 0.75, 0.5 + half, 1};
    return nodes;
}

std::optional<ZeroCrossing> firstCrossing(std::array<double, kCrossingSamples> samples, double noise) {
    samples[0] = std::max(samples[0], 0.0);
    Eigen::Map<const Eigen::Matrix<double, kCrossingSamples, 1>> values(samples.data());
    const Eigen::Matrix<double, kCrossingSamples, 1> b = toBernstein() * values;
    if (b.minCoeff() >= 0) return {};
    Coefficients coefficients;
    std::copy(b.begin(), b.end(), coefficients.begin());
    return search(coefficients, 0, 1, std::max(noise, kIgnored * b.cwiseAbs().maxCoeff()), 0);
}

std::optional<ZeroCrossing> crossingOfParabola(double start, double middle, double end, double noise) {
    start = std::max(start, 0.0);
    if (middle >= 0 && end >= 0) return std::nullopt;
    const double ignored = std::max(noise, kIgnored * std::max({start, std::abs(middle), std::abs(end)}));
    // start + linear t + quadratic t^2
    const double linear = 2 * (middle - start);
    const double quadratic = start - 2 * middle + end;
    const bool hasDip = quadratic > 0 && linear < 0 && -linear < 2 * quadratic;
    const double least = hasDip ? start - 0.25 * linear * linear / quadratic : end;
    if (least >= -ignored) return std::nullopt;
    const double root = std::sqrt(std::max(0.0, linear * linear - 4 * quadratic * start));
    if (start == 0) {
        if (linear < 0) return ZeroCrossing{0, linear};
        return ZeroCrossing{std::min(1.0, -linear / quadratic), -linear};
    }
    return ZeroCrossing{std::min(1.0, 2 * start / (root - linear)), -root};
}

}  // namespace elasto::flow
