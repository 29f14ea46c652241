#include <elasto/errors.h>
#include <elasto/load.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "host/conversion.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

void requireFinite(const char* field, double value) {
    if (!std::isfinite(value)) {
        throw InvalidParameter("Load", field, value, "finite");
    }
}

void requireFinite(const char* field, const btVector3& value) {
    for (int i = 0; i < 3; ++i) {
        requireFinite(field, static_cast<double>(value[i]));
    }
}

btVector3 scaled(const btVector3& direction, double value) {
    return toBullet(Eigen::Vector3d(value * toEigen(direction)));
}

}  // namespace

Load::Load(btRigidBody& body, Kind kind, Function value, NextBreak nextBreak)
    : m_body(&body), m_kind(kind), m_value(std::move(value)), m_nextBreak(std::move(nextBreak)) {
    if (!m_value) {
        throw InvalidParameter("Load", "value is an empty function; give one that returns a vector");
    }
}

Load Load::at(const btVector3& point) const {
    if (m_kind == Kind::Torque) {
        throw InvalidParameter("Load", "a torque has no point; give a point to a force");
    }
    requireFinite("point", point);
    Load result = *this;
    result.m_point = point;
    return result;
}

Load Load::resolvedIn(Axes axes) const {
    Load result = *this;
    result.m_axes = axes;
    return result;
}

double Load::nextBreak(double t) const {
    return m_nextBreak ? m_nextBreak(t) : std::numeric_limits<double>::infinity();
}

Load Load::constant(btRigidBody& body, Kind kind, const btVector3& value, double startTime, double endTime) {
    requireFinite("value", value);
    if (std::isnan(startTime) || startTime == std::numeric_limits<double>::infinity()) {
        throw InvalidParameter("Load", "startTime", startTime, "a number, or -infinity");
    }
    if (!(endTime > startTime)) throw InvalidParameter("Load", "endTime", endTime, "later than startTime");
    if (std::isinf(startTime) && std::isinf(endTime)) return {body, kind, [value](double) { return value; }};
    std::vector<double> breaks;
    for (const double time : {startTime, endTime}) {
        if (std::isfinite(time)) breaks.push_back(time);
    }
    return {
        body, kind,
        [value, startTime, endTime](double t) { return t >= startTime && t < endTime ? value : btVector3(0, 0, 0); },
        breaksAt(std::move(breaks))};
}

Load Load::sine(btRigidBody& body, Kind kind, const btVector3& direction, const SineParameters& parameters) {
    requireFinite("direction", direction);
    requireFinite("amplitude", parameters.amplitude);
    requireFinite("phase", parameters.phase);
    requireFinite("offset", parameters.offset);
    requireFinite("startTime", parameters.startTime);
    if (!(parameters.f >= 0) || !std::isfinite(parameters.f)) {
        throw InvalidParameter("Load", "f", parameters.f, "finite and >= 0");
    }
    return {body, kind,
            [direction, parameters](double t) {
                constexpr double kTwoPi = 2 * std::numbers::pi;
                const double since = t - parameters.startTime;
                const double sine =
                    since < 0 ? 0 : parameters.amplitude * std::sin(kTwoPi * parameters.f * since + parameters.phase);
                return scaled(direction, parameters.offset + sine);
            },
            breaksAt({parameters.startTime})};
}

Load Load::table(btRigidBody& body, Kind kind, const btVector3& direction,
                 std::vector<std::pair<double, double>> points) {
    requireFinite("direction", direction);
    if (points.empty()) {
        throw InvalidParameter("Load", "the table has no points; give at least one");
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        requireFinite("time of a point", points[i].first);
        requireFinite("value of a point", points[i].second);
        if (i > 0 && points[i].first < points[i - 1].first) {
            throw InvalidParameter("Load", "time of a point", points[i].first,
                                   "not less than that of the point before");
        }
        if (i > 1 && points[i].first == points[i - 2].first) {
            throw InvalidParameter("Load", "time of a point", points[i].first,
                                   "that of two points at most: a jump from the first one's value to the second one's");
        }
    }
    std::vector<double> breaks;
    for (const auto& point : points) breaks.push_back(point.first);
    return {body, kind,
            [direction, points = std::move(points)](double t) {
                const auto next = std::upper_bound(points.begin(), points.end(), t,
                                                   [](double time, const auto& point) { return time < point.first; });
                if (next == points.begin()) {
                    return scaled(direction, next->second);
                }
                const auto& last = *std::prev(next);
                if (next == points.end()) {
                    return scaled(direction, last.second);
                }
                const double share = (t - last.first) / (next->first - last.first);
                return scaled(direction, last.second + share * (next->second - last.second));
            },
            breaksAt(std::move(breaks))};
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
