// A function of time over a tick as parabolas.

#include "balance/tuning.h"

#include <elasto/errors.h>
#include <elasto/flow_load.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace elasto {
namespace flow {
namespace {

/// Where a piece is compared with the function, in shares of its length: between the points at which the parabola is
/// the function, and as good as at both ends, so that a jump anywhere lies between two looks. (At the ends themselves
/// the function may have the value of beyond a jump.)
constexpr std::array<double, 4> kLooks = {1e-7, 0.3, 0.7, 1 - 1e-7};

/// The outer points of Gauss's rule lie so far from the middle, in shares of a piece: sqrt(15) / 10.
constexpr double kAside = 0.38729833462074168852;

/// Largest force and torque.
struct Scale {
    double force = 0;
    double torque = 0;

    void take(const LoadValue& value) {
        force = std::max(force, value.head<3>().norm());
        torque = std::max(torque, value.tail<3>().norm());
    }
    /// A difference, measured by the scale.
    double share(const LoadValue& difference) const {
        const double ofForce = difference.head<3>().norm();
        const double ofTorque = difference.tail<3>().norm();
        return std::max(ofForce > 0 ? ofForce / force : 0, ofTorque > 0 ? ofTorque / torque : 0);
    }
};

struct Interval {
    LoadPiece piece;
    double end = 0;

    double length() const { return end - piece.start; }
};

/// Sums of a function with weights 1, x and x^2 - 1/3 over a group of pieces, x from -1 to 1 in it: they make the
/// parabola with the same impulse and moments.
class Moments {
public:
    Moments(double start, double end) : m_start(start), m_length(end - start) {}

    void add(const Interval& part) {
        // Exact for what a parabola times a parabola is.
        constexpr std::array<double, 3> places = {0.5 - kAside, 0.5, 0.5 + kAside};
        constexpr std::array<double, 3> weights = {5. / 18, 8. / 18, 5. / 18};
        for (std::size_t k = 0; k < places.size(); ++k) {
            const double t = part.piece.start + places[k] * part.length();
            const double x = 2 * (t - m_start) / m_length - 1;
            const LoadValue value = weights[k] * part.length() / m_length * part.piece.value(t);
            m_sums[0] += value;
            m_sums[1] += x * value;
            m_sums[2] += (x * x - 1. / 3) * value;
        }
    }

    LoadPiece parabola() const {
        const LoadValue slope = 3 * m_sums[1];  // a + b x + c (x^2 - 1/3)
        const LoadValue bend = 45. / 4 * m_sums[2];
        const LoadValue middle = m_sums[0] - bend / 3;  // value at x = 0
        LoadPiece piece;
        piece.start = m_start;
        piece.constant = middle - slope + bend;
        piece.linear = 2 / m_length * (slope - 2 * bend);
        piece.quadratic = 4 / (m_length * m_length) * bend;
        return piece;
    }

private:
    double m_start;
    double m_length;
    std::array<LoadValue, 3> m_sums = {LoadValue::Zero(), LoadValue::Zero(), LoadValue::Zero()};
};

class Cutter {
public:
    Cutter(const std::function<LoadValue(double)>& value, double h) : m_value(value), m_h(h) {}

    void cut(std::span<const double> breaks, std::vector<LoadPiece>& pieces) {
        std::vector<double> ends;
        for (const double time : breaks) {
            const double last = ends.empty() ? 0 : ends.back();
            if (time - last > kSameTime * m_h && m_h - time > kSameTime * m_h) ends.push_back(time);
        }
        ends.push_back(m_h);
        // The scale first: each piece is compared with the largest value of all.
        double start = 0;
        for (const double end : ends) {
            m_parts.push_back(fit(start, end));
            start = end;
        }
        std::vector<Interval> whole;
        whole.swap(m_parts);
        for (const Interval& part : whole) refine(part, kHalvings);
        while (m_parts.size() > kMany && joinPairs()) continue;
        join(kMisfit);
        for (double tolerance = 8 * kMisfit; m_parts.size() > kMostPieces; tolerance *= 8) join(tolerance);
        pieces.clear();
        for (const Interval& part : m_parts) pieces.push_back(part.piece);
    }

private:
    LoadValue at(double t) {
        const LoadValue value = m_value(t);
        m_scale.take(value);
        return value;
    }

    /// The parabola through the values at the three points of Gauss's rule. What a body gets of a force, its integral
    /// and its first moment, differ from the function's own by terms of h^7 only; with the parabola through start,
    /// middle and end each piece would move the body by a term of h^5.
    Interval fit(double start, double end) {
        const double length = end - start;
        const LoadValue first = at(start + length * (0.5 - kAside));
        const LoadValue middle = at(start + length * 0.5);
        const LoadValue last = at(start + length * (0.5 + kAside));
        Interval part;
        part.end = end;
        part.piece.start = start;
        if (first == middle && middle == last) {  // exactly constant, so that closed forms serve
            part.piece.constant = middle;
        } else {
            const LoadValue slope = (last - first) / (4 * kAside);
            const LoadValue bend = (first - 2 * middle + last) / (8 * kAside * kAside);
            part.piece.constant = middle - slope + bend;
            part.piece.linear = (2 * slope - 4 * bend) / length;
            part.piece.quadratic = 4 / (length * length) * bend;
        }
        return part;
    }

    double misfit(const Interval& part) {
        double most = 0;
        for (const double look : kLooks) {
            const double t = part.piece.start + look * part.length();
            const LoadValue value = at(t);
            most = std::max(most, m_scale.share(value - part.piece.value(t)));
        }
        return most;
    }

    void refine(const Interval& part, int halvings) {
        if (misfit(part) <= kMisfit) {
            m_parts.push_back(part);
        } else if (halvings > 0) {
            const double middle = (part.piece.start + part.end) / 2;
            refine(fit(part.piece.start, middle), halvings - 1);
            refine(fit(middle, part.end), halvings - 1);
        } else {
            const double found = m_found < kMostFound ? breakIn(part) : part.end;
            if (found < part.end) {
                ++m_found;
                m_parts.push_back(fit(part.piece.start, found));
                m_parts.push_back(fit(found, part.end));
            } else {
                m_parts.push_back(part);
            }
        }
    }

    /// The jump or kink inside a piece; its end if it bends all over.
    double breakIn(const Interval& part) {
        double start = part.piece.start;
        double end = part.end;
        while (end - start > kSameTime * m_h) {
            const double middle = (start + end) / 2;
            const double first = misfit(fit(start, middle));
            const double second = misfit(fit(middle, end));
            if (std::max(first, second) <= kMisfit) break;
            if (std::min(first, second) > kMisfit) return part.end;
            (first > second ? end : start) = middle;
        }
        const double found = (start + end) / 2;
        const bool isInside = found - part.piece.start > kSameTime * m_h && part.end - found > kSameTime * m_h;
        return isInside ? found : part.end;
    }

    /// Makes one of two neighbours that one parabola holds: of many, in a time that grows with their number.
    /// @return false if there were none
    bool joinPairs() {
        std::vector<Interval> joined;
        for (std::size_t i = 0; i < m_parts.size(); i += 2) {
            if (i + 1 == m_parts.size()) {
                joined.push_back(m_parts[i]);
                break;
            }
            const Interval both = joinedOf(i, i + 1);
            if (isHeld(both, i, i + 1, kMisfit)) {
                joined.push_back(both);
            } else {
                joined.insert(joined.end(), {m_parts[i], m_parts[i + 1]});
            }
        }
        const bool isFewer = joined.size() < m_parts.size();
        m_parts.swap(joined);
        return isFewer;
    }

    /// Makes one of neighbours that one parabola holds.
    void join(double tolerance) {
        std::vector<Interval> joined;
        std::size_t first = 0;
        for (std::size_t next = 1; next <= m_parts.size(); ++next) {
            if (next < m_parts.size()) {
                const Interval candidate = joinedOf(first, next);
                if (isHeld(candidate, first, next, tolerance)) continue;
            }
            joined.push_back(next - first == 1 ? m_parts[first] : joinedOf(first, next - 1));
            first = next;
        }
        m_parts.swap(joined);
    }

    Interval joinedOf(std::size_t first, std::size_t last) const {
        const LoadPiece& front = m_parts[first].piece;
        const auto isSame = [&](const Interval& part) {
            return part.piece.isConstant() && part.piece.constant == front.constant;
        };
        Interval whole;
        whole.end = m_parts[last].end;
        if (std::all_of(m_parts.begin() + static_cast<std::ptrdiff_t>(first),
                        m_parts.begin() + static_cast<std::ptrdiff_t>(last) + 1, isSame)) {
            whole.piece = front;
            return whole;
        }
        Moments moments(front.start, whole.end);
        for (std::size_t i = first; i <= last; ++i) moments.add(m_parts[i]);
        whole.piece = moments.parabola();
        return whole;
    }

    bool isHeld(const Interval& whole, std::size_t first, std::size_t last, double tolerance) const {
        for (std::size_t i = first; i <= last; ++i) {
            const Interval& part = m_parts[i];
            for (const double t : {part.piece.start, (part.piece.start + part.end) / 2, part.end}) {
                if (m_scale.share(whole.piece.value(t) - part.piece.value(t)) > tolerance) return false;
            }
        }
        return true;
    }

    const std::function<LoadValue(double)>& m_value;
    double m_h;
    Scale m_scale;
    std::vector<Interval> m_parts;
    int m_found = 0;
};

}  // namespace
}  // namespace flow

QuadraticLoad QuadraticLoad::through(const Eigen::Vector3d& start, const Eigen::Vector3d& middle,
                                     const Eigen::Vector3d& end, double h) {
    QuadraticLoad load;
    load.constant = start;
    load.linear = (4 * middle - 3 * start - end) / h;
    load.quadratic = 2 * (start - 2 * middle + end) / (h * h);
    return load;
}

QuadraticLoad& QuadraticLoad::operator+=(const QuadraticLoad& other) {
    constant += other.constant;
    linear += other.linear;
    quadratic += other.quadratic;
    return *this;
}

NextBreak breaksAt(std::vector<double> times) {
    for (const double time : times) {
        if (!std::isfinite(time)) throw InvalidParameter("breaksAt", "time", time, "finite");
    }
    std::sort(times.begin(), times.end());
    return [times = std::move(times)](double t) {
        const auto next = std::upper_bound(times.begin(), times.end(), t);
        return next != times.end() ? *next : std::numeric_limits<double>::infinity();
    };
}

NextBreak breaksEvery(double period, double first) {
    if (!(period > 0) || !std::isfinite(period))
        throw InvalidParameter("breaksEvery", "period", period, "finite and > 0");
    if (!std::isfinite(first)) throw InvalidParameter("breaksEvery", "first", first, "finite");
    return [period, first](double t) {
        if (t < first) return first;
        const double count = std::floor((t - first) / period);
        double next = first + (count + 1) * period;
        if (!(next - t > flow::kSamePeriod * period))
            next = first + (count + 2) * period;  // t is a break, but for rounding
        // Of a period below the rounding of the time each time is a break.
        return std::max(next, std::nextafter(t, std::numeric_limits<double>::infinity()));
    };
}

LoadValue LoadPiece::impulse(double end) const {
    const double length = end - start;
    return length * (constant + length * (linear / 2 + length / 3 * quadratic));
}

void cutIntoPieces(const std::function<LoadValue(double)>& value, std::span<const double> breaks, double h,
                   std::vector<LoadPiece>& pieces) {
    flow::Cutter(value, h).cut(breaks, pieces);
}

LoadPiece joined(std::span<const LoadPiece> pieces, double h) {
    if (pieces.size() == 1) return pieces.front();
    flow::Moments moments(0, h);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        moments.add({pieces[i], i + 1 < pieces.size() ? pieces[i + 1].start : h});
    }
    return moments.parabola();
}

LoadValue impulseOf(std::span<const LoadPiece> pieces, double h) {
    LoadValue sum = LoadValue::Zero();
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        sum += pieces[i].impulse(i + 1 < pieces.size() ? pieces[i + 1].start : h);
    }
    return sum;
}

}  // namespace elasto
