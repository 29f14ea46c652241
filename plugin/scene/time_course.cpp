#include <elasto/scene/time_course.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace elasto {

namespace {

double tableFactor(const std::vector<std::array<double, 2>>& points, double t) {
    const auto after = std::upper_bound(points.begin(), points.end(), t,
                                        [](double time, const auto& point) { return time < point[0]; });
    if (after == points.begin()) return points.front()[1];
    if (after == points.end()) return points.back()[1];
    const auto& [t0, y0] = *(after - 1);
    const auto& [t1, y1] = *after;
    return y0 + (y1 - y0) * ((t - t0) / (t1 - t0));
}

double tableSlope(const std::vector<std::array<double, 2>>& points, double t) {
    const auto after = std::upper_bound(points.begin(), points.end(), t,
                                        [](double time, const auto& point) { return time < point[0]; });
    if (after == points.begin() || after == points.end()) return 0;
    const auto& [t0, y0] = *(after - 1);
    const auto& [t1, y1] = *after;
    return (y1 - y0) / (t1 - t0);
}

}  // namespace

double TimeCourse::factor(double t) const {
    switch (type) {
        case Type::Constant:
            return t >= startTime && t < endTime ? 1 : 0;
        case Type::Sine:
            if (t < startTime) return offset;
            return offset + std::sin(2 * std::numbers::pi * frequency * (t - startTime) + phase);
        case Type::Table:
            return tableFactor(points, t);
    }
    return 0;
}

double TimeCourse::slope(double t) const {
    if (type == Type::Table) return tableSlope(points, t);
    if (type == Type::Constant || t < startTime) return 0;
    const double turn = 2 * std::numbers::pi * frequency;
    return turn * std::cos(turn * (t - startTime) + phase);
}

double TimeCourse::nextBreak(double t) const {
    double next = std::numeric_limits<double>::infinity();
    const auto take = [&](double time) {
        if (time > t) next = std::min(next, time);
    };
    if (type == Type::Table) {
        const auto after = std::upper_bound(points.begin(), points.end(), t,
                                            [](double time, const auto& point) { return time < point[0]; });
        if (after != points.end()) next = (*after)[0];
    } else {
        take(startTime);
        take(endTime);
    }
    return next;
}

}  // namespace elasto
