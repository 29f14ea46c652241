#include "bodies/turn_coordinates.h"

#include "numerics/elementary.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace elasto::flow {

namespace {

/// Cosine of the second Euler angle, squared, below which first and third are left as they are.
constexpr double kNoMeaning = 1e-24;
constexpr double kHalfTurn = std::numbers::pi;
constexpr double kWholeTurn = 2 * kHalfTurn;
/// Swings up to which the angle over its sine is a series.
constexpr double kSmallSwing = 1e-2;

/// A number that changes with the orientation, with its derivatives: what all coordinates are made of.
struct Changing {
    double value = 0;
    Eigen::Vector3d gradient = Eigen::Vector3d::Zero();
    double rate = 0;
    double second = 0;

    Changing operator+(const Changing& other) const {
        return {value + other.value, gradient + other.gradient, rate + other.rate, second + other.second};
    }
    Changing operator*(const Changing& other) const {
        return {value * other.value, value * other.gradient + other.value * gradient,
                value * other.rate + other.value * rate,
                value * other.second + 2 * rate * other.rate + other.value * second};
    }
    Changing operator*(double factor) const {
        return {factor * value, factor * gradient, factor * rate, factor * second};
    }
    /// A function of it, by value and first two derivatives there.
    Changing through(double f, double df, double ddf) const {
        return {f, df * gradient, df * rate, df * second + ddf * rate * rate};
    }
    TurnCoordinate coordinate() const { return {value, gradient, second}; }
};

/// Product of an axis that is fixed in a with one that is fixed in b.
Changing product(const TurningFrames& frames, int axisA, int axisB) {
    const Eigen::Vector3d p = frames.a * Eigen::Vector3d(Eigen::Vector3d::Unit(axisA));
    const Eigen::Vector3d q = frames.b * Eigen::Vector3d(Eigen::Vector3d::Unit(axisB));
    const Eigen::Vector3d dp = frames.spinA.cross(p);
    const Eigen::Vector3d dq = frames.spinB.cross(q);
    Changing result;
    result.value = p.dot(q);
    result.gradient = q.cross(p);
    result.rate = result.gradient.dot(frames.spinB - frames.spinA);
    result.second = frames.spinA.cross(dp).dot(q) + 2 * dp.dot(dq) + p.dot(frames.spinB.cross(dq));
    return result;
}

/// Angle of the point (x, y).
Changing angleOf(const Changing& y, const Changing& x) {
    const double square = x.value * x.value + y.value * y.value;
    Changing angle;
    angle.value = elementary::atan2(y.value, x.value);
    if (!(square > kNoMeaning)) return angle;
    angle.gradient = (x.value * y.gradient - y.value * x.gradient) / square;
    angle.rate = (x.value * y.rate - y.value * x.rate) / square;
    angle.second = (x.value * y.second - y.value * x.second) / square -
                   2 * (x.value * x.rate + y.value * y.rate) / square * angle.rate;
    return angle;
}

/// Of what is > 0.
Changing squareRoot(const Changing& square) {
    const double root = std::sqrt(square.value);
    return square.through(root, 0.5 / root, -0.25 / (root * square.value));
}

/// Angle whose sine this is, in [-pi/2, pi/2].
Changing arcSine(const Changing& sine) {
    const double square = std::max(kNoMeaning, 1 - sine.value * sine.value);
    const double cosine = std::sqrt(square);
    return sine.through(elementary::atan2(sine.value, cosine), 1 / cosine, sine.value / (cosine * square));
}

/// (angle / sine)^2 of the angle whose cosine this is, in [0, pi).
Changing squaredRatio(const Changing& cosine) {
    const double c = std::clamp(cosine.value, -1 + kNoMeaning, 1.0);
    const double s = std::sqrt(1 - c * c);
    if (s < kSmallSwing && c > 0) {
        const double u = 1 - c;  // (angle/sine)^2 = 1 + 2/3 u + 17/45 u^2 + 64/315 u^3 + ...
        return cosine.through(1 + u * (2. / 3 + u * (17. / 45 + u * 64. / 315)),
                              -2. / 3 - u * (34. / 45 + u * 64. / 105), 34. / 45 + u * 128. / 105);
    }
    const double angle = elementary::acos(c);
    const double square = std::max(s * s, kNoMeaning);
    const double f = angle * angle / square;
    // d angle/dc = -1/s: f' = (2 c f - 2 angle/s)/s^2.
    const double df = (2 * c * f - 2 * angle / s) / square;
    const double ratioByCosine = (angle * c / s - 1) / square;  // of angle/s
    const double ddf = (2 * f + 2 * c * df - 2 * ratioByCosine + 2 * c * df) / square;
    return cosine.through(f, df, ddf);
}

}  // namespace

// With the turns about f, m and l: b in a = R_f R_m R_l, whose elements (f, l), (m, l), (l, l), (f, m) and (f, f) hold
// the angles; where f, m, l are no cyclic order, signs change.
TurnCoordinate eulerAngle(const EulerTurns& turns, const TurningFrames& frames) {
    const int f = turns.first;
    const int m = turns.middle();
    const int l = turns.last;
    const double sign = (m - f + 3) % 3 == 1 ? 1 : -1;
    if (turns.about == f) return angleOf(product(frames, m, l) * -sign, product(frames, l, l)).coordinate();
    if (turns.about == l) return angleOf(product(frames, f, m) * -sign, product(frames, f, f)).coordinate();
    return arcSine(product(frames, f, l) * sign).coordinate();
}

// The swing's axis lies across b's x: its parts along b's y and z, times the angle, are those of a's x along b's z and
// y, times angle over sine.
TurnCoordinate swingCone(const Eigen::Vector2d& spans, const TurningFrames& frames) {
    const Changing y = product(frames, 0, 1) * (1 / spans[1]);
    const Changing z = product(frames, 0, 2) * (1 / spans[0]);
    const Changing square = squaredRatio(product(frames, 0, 0)) * (y * y + z * z);
    const double scale = spans.minCoeff() / 2;
    TurnCoordinate cone = (square * -scale).coordinate();
    cone.value += scale;
    return cone;
}

// With the swing's parts as of swingCone, the sine of the swing over that of its parts' share of the spans is the
// bound.
TurnCoordinate swingClearance(const Eigen::Vector2d& spans, const TurningFrames& frames) {
    const Changing y = product(frames, 0, 1);
    const Changing z = product(frames, 0, 2);
    const Changing square = y * y + z * z;
    if (!(square.value > kNoMeaning)) {  // leans no way, or every way: the narrowest bound is that of one of them
        TurnCoordinate upright;
        upright.value = spans.minCoeff() - (product(frames, 0, 0).value > 0 ? 0 : kHalfTurn);
        return upright;
    }
    const Changing sine = squareRoot(square);
    const Changing scaledY = y * (1 / spans[1]);
    const Changing scaledZ = z * (1 / spans[0]);
    const Changing share = squareRoot(scaledY * scaledY + scaledZ * scaledZ);
    const Changing swing = angleOf(sine, product(frames, 0, 0));
    // No swing comes near a bound of a whole turn, which spans that stand for none would make as large as they are.
    if (share.value * kWholeTurn < sine.value) return (Changing{.value = kWholeTurn} + swing * -1).coordinate();
    const double inverse = 1 / share.value;
    const Changing bound = sine * share.through(inverse, -inverse * inverse, 2 * inverse * inverse * inverse);
    return (bound + swing * -1).coordinate();
}

}  // namespace elasto::flow
