#include "align.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tool_errors.h"

namespace elasto::tools {

namespace {

/// A place between two rows of a table: value = (1 - share) column[row] + share column[row + 1].
struct Place {
    std::size_t row = 0;
    double share = 0;
};

/// Where among the rows of the same time a row is: 0 the first, 1 the last, as a single one.
double orderAt(const std::vector<double>& times, std::size_t k) {
    const auto [first, behind] = std::equal_range(times.begin(), times.end(), times[k]);
    const auto others = behind - first - 1;
    return others == 0 ? 1
                       : static_cast<double>(times.begin() + static_cast<std::ptrdiff_t>(k) - first) /
                             static_cast<double>(others);
}

Place placeOf(const std::vector<double>& times, double t, double order) {
    const auto [first, behind] = std::equal_range(times.begin(), times.end(), t);
    if (first != behind) {
        const auto behindFirst = std::lround(order * static_cast<double>(behind - first - 1));
        return {static_cast<std::size_t>(first - times.begin() + behindFirst), 0};
    }
    const std::size_t row = static_cast<std::size_t>(first - times.begin()) - 1;
    return {row, (t - times[row]) / (times[row + 1] - times[row])};
}

double valueAt(const std::vector<double>& column, const Place& place) {
    if (place.share == 0) return column[place.row];
    return (1 - place.share) * column[place.row] + place.share * column[place.row + 1];
}

}  // namespace

std::pair<Trajectory, Trajectory> align(const Trajectory& reference, const Trajectory& candidate) {
    if (reference.time.empty() || candidate.time.empty()) throw InputError("a file without rows cannot be compared");
    const double begin = std::max(reference.time.front(), candidate.time.front());
    const double end = std::min(reference.time.back(), candidate.time.back());

    Trajectory first;
    Trajectory second;
    std::vector<std::size_t> rows;
    std::vector<Place> places;
    for (std::size_t k = 0; k < reference.time.size(); ++k) {
        const double t = reference.time[k];
        if (!(t >= begin && t <= end)) continue;
        rows.push_back(k);
        places.push_back(placeOf(candidate.time, t, orderAt(reference.time, k)));
        first.time.push_back(t);
        second.time.push_back(t);
    }
    if (rows.empty()) {
        throw InputError(fmt::format("the files have no time in common: one covers {} to {} s, the other {} to {} s",
                                     reference.time.front(), reference.time.back(), candidate.time.front(),
                                     candidate.time.back()));
    }
    std::map<std::string_view, std::size_t> candidates;
    for (std::size_t i = 0; i < candidate.signals.size(); ++i) candidates.emplace(candidate.signals[i], i);
    for (std::size_t i = 0; i < reference.signals.size(); ++i) {
        const auto other = candidates.find(reference.signals[i]);
        if (other == candidates.end()) continue;
        std::vector<double> a;
        std::vector<double> b;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            a.push_back(reference.columns[i][rows[k]]);
            b.push_back(valueAt(candidate.columns[other->second], places[k]));
        }
        first.signals.push_back(reference.signals[i]);
        second.signals.push_back(reference.signals[i]);
        first.columns.push_back(std::move(a));
        second.columns.push_back(std::move(b));
    }
    if (first.signals.empty()) throw InputError("the files have no signal in common besides time");
    alignQuaternions(first, second);
    return {std::move(first), std::move(second)};
}

void alignQuaternions(const Trajectory& reference, Trajectory& candidate) {
    constexpr std::string_view kFirst = ".q[1]";
    for (const std::string& signal : candidate.signals) {
        if (!signal.ends_with(kFirst)) continue;
        const std::string body = signal.substr(0, signal.size() - kFirst.size());
        std::array<const std::vector<double>*, 4> a{};
        std::array<std::vector<double>*, 4> b{};
        bool complete = true;
        for (std::size_t i = 0; i < 4; ++i) {
            const std::string name = fmt::format("{}.q[{}]", body, i + 1);
            const int inReference = reference.find(name);
            const int inCandidate = candidate.find(name);
            complete = complete && inReference >= 0 && inCandidate >= 0;
            if (!complete) break;
            a[i] = &reference.columns[static_cast<std::size_t>(inReference)];
            b[i] = &candidate.columns[static_cast<std::size_t>(inCandidate)];
        }
        if (!complete) continue;
        for (std::size_t row = 0; row < candidate.time.size(); ++row) {
            double product = 0;
            for (std::size_t i = 0; i < 4; ++i) product += (*a[i])[row] * (*b[i])[row];
            if (product >= 0) continue;
            for (std::vector<double>* column : b) (*column)[row] = -(*column)[row];
        }
    }
}

}  // namespace elasto::tools
