#include "numerics/polynomial_crossing.h"
#include "numerics/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

/// Degree of the polynomial that is looked at first.
constexpr std::size_t kShortOrder = 8;

template <std::size_t kDegree>
using BernsteinOf = std::array<double, kDegree + 1>;
using Bernstein = BernsteinOf<kOrder>;

/// C(j, k) / C(degree, k): Bernstein coefficient j from the power coefficients k <= j.
template <std::size_t kDegree>
struct ConversionTable {
    double share[kDegree + 1][kDegree + 1] = {};  // by k, then j
    constexpr ConversionTable() {
        double binomial[kDegree + 1][kDegree + 1] = {};
        for (std::size_t j = 0; j <= kDegree; ++j) {
            binomial[j][0] = 1;
            for (std::size_t k = 1; k <= j; ++k)
                binomial[j][k] = binomial[j - 1][k - 1] + (k < j ? binomial[j - 1][k] : 0);
        }
        for (std::size_t j = 0; j <= kDegree; ++j) {
            for (std::size_t k = 0; k <= j; ++k) share[k][j] = binomial[j][k] / binomial[kDegree][k];
        }
    }
};
template <std::size_t kDegree>
constexpr ConversionTable<kDegree> kConversion;

/// Of the terms up to the degree.
template <std::size_t kDegree>
BernsteinOf<kDegree> toBernstein(const UnitPolynomial& polynomial) {
    BernsteinOf<kDegree> b;
    b.fill(polynomial[0]);
    for (std::size_t k = 1; k <= kDegree; ++k) {
        for (std::size_t j = 0; j <= kDegree; ++j) b[j] += kConversion<kDegree>.share[k][j] * polynomial[k];
    }
    return b;
}

/// True if the first terms suffice to tell that it does not fall, whatever the others add.
bool staysAbove(const UnitPolynomial& polynomial) {
    double others = 0;
    for (std::size_t k = kShortOrder + 1; k <= kOrder; ++k) others += std::abs(polynomial[k]);
    if (!(polynomial[0] >= others)) return false;
    const BernsteinOf<kShortOrder> b = toBernstein<kShortOrder>(polynomial);
    return *std::min_element(b.begin(), b.end()) >= others;
}

struct Jet {
    double value;
    double slope;
    double curvature;
};

Jet evaluate(const UnitPolynomial& polynomial, double x) {
    Jet p{0, 0, 0};
    for (std::size_t k = kOrder + 1; k-- > 0;) {
        p.curvature = p.curvature * x + 2 * p.slope;
        p.slope = p.slope * x + p.value;
        p.value = p.value * x + polynomial[k];
    }
    return p;
}

int signChanges(const Bernstein& b) {
    int changes = 0;
    for (std::size_t j = 1; j <= kOrder; ++j) changes += (b[j] < 0) != (b[j - 1] < 0) ? 1 : 0;
    return changes;
}

/// Where the line through the coefficients, evenly spaced in [low, high], first falls below zero: near the zero.
double polygonCrossing(const Bernstein& b, double low, double high) {
    std::size_t j = 1;
    while (j < kOrder && !(b[j] < 0)) ++j;
    const double from = std::max(b[j - 1], 0.0);
    const double share = (static_cast<double>(j - 1) + from / (from - b[j])) / static_cast<double>(kOrder);
    return low + share * (high - low);
}

/// The only zero in [low, high], >= 0 at low and < 0 at high: Halley's iteration inside the bracket.
double onlyZero(const UnitPolynomial& polynomial, double low, double high, double x) {
    for (int iteration = 0; iteration < 100 && high - low > 1e-15 * high; ++iteration) {
        const Jet p = evaluate(polynomial, x);
        if (p.value == 0 && x > low) return x;
        (p.value < 0 ? high : low) = x;
        const double newton = p.value / p.slope;
        const double bend = p.curvature / p.slope;
        const double step = newton / (1 - 0.5 * newton * bend);
        const double next = x - step;
        const bool inside = next > low && next < high;  // false for NaN, too
        // What is left after a step goes with its third power where the zero is well apart from others: by the
        // curvature, and by the third derivative even where that vanishes.
        const double left = std::abs(step * step * step) * (bend * bend + kThird);
        if (inside && (std::abs(step) <= 1e-15 * x || left <= 1e-16 * x)) return next;
        x = inside ? next : 0.5 * (low + high);
    }
    return high;
}

/// The lowest point in [low, high] if the polynomial first falls and then rises there, else the lower end.
double lowestPoint(const UnitPolynomial& polynomial, double low, double high) {
    if (evaluate(polynomial, low).slope >= 0) return low;
    if (evaluate(polynomial, high).slope <= 0) return high;
    double x = 0.5 * (low + high);
    for (int iteration = 0; iteration < 60; ++iteration) {
        const Jet p = evaluate(polynomial, x);
        (p.slope < 0 ? low : high) = x;
        const double next = x - p.slope / p.curvature;
        const bool inside = next > low && next < high;
        if (inside && std::abs(next - x) <= 1e-10 * x) return next;
        x = inside ? next : 0.5 * (low + high);
    }
    return x;
}

/// De Casteljau's halving: b becomes the left half, the right half is returned.
Bernstein splitOff(Bernstein& b) {
    Bernstein right = b;
    for (std::size_t j = 0; j <= kOrder; ++j) {
        b[j] = right[0];
        for (std::size_t k = 0; k + j < kOrder; ++k) right[k] = 0.5 * (right[k] + right[k + 1]);
    }
    return right;
}

double firstCrossingWithin(const UnitPolynomial& polynomial, Bernstein b, double low, double high, double tolerance,
                           int depth) {
    if (*std::min_element(b.begin(), b.end()) >= -tolerance) return kNoCrossing;
    if (b.front() < -tolerance) return low;
    if (b.back() < -tolerance && signChanges(b) == 1)
        return onlyZero(polynomial, low, high, polygonCrossing(b, low, high));
    if (depth == kDepth) {
        const double lowest = lowestPoint(polynomial, low, high);
        if (evaluate(polynomial, lowest).value >= -tolerance) return kNoCrossing;
        return onlyZero(polynomial, low, lowest, 0.5 * (low + lowest));
    }
    const double middle = 0.5 * (low + high);
    const Bernstein right = splitOff(b);
    const double crossing = firstCrossingWithin(polynomial, b, low, middle, tolerance, depth + 1);
    return crossing != kNoCrossing ? crossing
                                   : firstCrossingWithin(polynomial, right, middle, high, tolerance, depth + 1);
}

}  // namespace

double firstCrossingOf(const UnitPolynomial& polynomial, double tolerance) {
    if (staysAbove(polynomial)) return kNoCrossing;
    return firstCrossingWithin(polynomial, toBernstein<kOrder>(polynomial), 0, 1, tolerance, 0);
}

}  // namespace elasto::flow
