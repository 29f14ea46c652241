#include "branch_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace elasto::reference {

namespace {

constexpr int kPerPlace = Characteristic::kMaxBoundaries;

/// Times closer than this are the same.
double timeNoise(double t) {
    return 100 * std::numeric_limits<double>::epsilon() * std::abs(t);
}

}  // namespace

BranchWatch::BranchWatch(const Motion& motion, Motion::Vector errors) : m_motion(motion), m_errors(std::move(errors)) {}

BranchWatch::Sample BranchWatch::sample(double t, const Motion::Vector& y, const Motion::Branches& branches) const {
    Sample sample;
    sample.time = t;
    sample.boundaries.resize(static_cast<std::size_t>(m_motion.boundaryCount()));
    sample.noise.resize(sample.boundaries.size());
    sample.speeds.resize(branches.size());
    m_motion.boundaries(t, y.data(), branches, sample.boundaries.data());
    m_motion.boundaryNoise(t, y.data(), branches, m_errors, sample.noise.data());
    m_motion.speedBounds(t, y.data(), sample.speeds.data());
    for (std::size_t i = 0; i < sample.boundaries.size(); ++i)
        if (sample.boundaries[i] < -sample.noise[i]) sample.violated.push_back(static_cast<int>(i));
    return sample;
}

std::vector<int> BranchWatch::violated(double t, const Motion::Vector& y, const Motion::Branches& branches) const {
    return sample(t, y, branches).violated;
}

BranchWatch::Sample BranchWatch::sampleAt(double t, const Motion::Branches& branches, const CvodeSession& source) {
    source.interpolate(t, m_y);
    return sample(t, m_y, branches);
}

// Distances to the edges of the free range change no faster than the ends move against each other.
bool BranchWatch::mayDip(const Sample& left, const Sample& right, const Motion::Branches& branches) const {
    constexpr double kSafety = 1.1;  // the speed itself changes a little
    const double interval = right.time - left.time;
    for (std::size_t k = 0; k < left.speeds.size(); ++k) {
        const double reach = kSafety * std::max(left.speeds[k], right.speeds[k]) * interval;
        const int distances = m_motion.distanceCount(static_cast<int>(k), branches[k]);
        for (std::size_t i = k * kPerPlace; i < k * kPerPlace + static_cast<std::size_t>(distances); ++i)
            if (left.boundaries[i] + right.boundaries[i] < reach - 2 * left.noise[i]) return true;
    }
    return false;
}

BranchWatch::Violation BranchWatch::bisect(double good, const Sample& bad, const Motion::Branches& branches,
                                           const CvodeSession& source) {
    Violation violation{bad.time, bad.violated};
    while (violation.time - good > timeNoise(violation.time)) {
        const double t = good + (violation.time - good) / 2;
        if (t <= good || t >= violation.time) break;
        source.interpolate(t, m_y);
        std::vector<int> found = violated(t, m_y, branches);
        if (found.empty()) {
            good = t;
        } else {
            violation = {t, std::move(found)};
        }
    }
    return violation;
}

std::optional<BranchWatch::Violation> BranchWatch::search(const Sample& left, const Sample& right, int depth,
                                                          const Motion::Branches& branches,
                                                          const CvodeSession& source) {
    if (!right.violated.empty()) return bisect(left.time, right, branches, source);
    if (depth == 0 || right.time - left.time <= timeNoise(right.time) || !mayDip(left, right, branches))
        return std::nullopt;
    const Sample middle = sampleAt(left.time + (right.time - left.time) / 2, branches, source);
    if (auto found = search(left, middle, depth - 1, branches, source)) return found;
    return search(middle, right, depth - 1, branches, source);
}

// Differences of forces have no such bound; they are smooth, so that a parabola shows a dip between samples.
std::optional<BranchWatch::Violation> BranchWatch::searchBottom(const Sample& left, const Sample& middle,
                                                                const Sample& right, const Motion::Branches& branches,
                                                                const CvodeSession& source) {
    for (std::size_t i = 0; i < middle.boundaries.size(); ++i) {
        const double curvature = left.boundaries[i] - 2 * middle.boundaries[i] + right.boundaries[i];
        const double slope = (right.boundaries[i] - left.boundaries[i]) / 2;
        if (!(curvature > 0) || std::abs(slope) > curvature) continue;
        if (slope * slope < curvature * middle.boundaries[i]) continue;  // the bottom is above half of the middle
        const double bottom = middle.time - (right.time - middle.time) * slope / curvature;
        const Sample lowest = sampleAt(std::clamp(bottom, left.time, right.time), branches, source);
        if (!lowest.violated.empty()) return bisect(left.time, lowest, branches, source);
    }
    return std::nullopt;
}

std::optional<BranchWatch::Violation> BranchWatch::first(double from, double to, bool toIsRoot,
                                                         const Motion::Branches& branches, const CvodeSession& source) {
    if (!m_motion.hasBranches()) return std::nullopt;
    constexpr int kIntervals = 4;
    constexpr int kDepth = 10;
    std::vector<Sample> samples;
    samples.push_back(sampleAt(from, branches, source));
    samples.back().violated.clear();  // dealt with where the branches were set
    for (int k = 1; k <= kIntervals; ++k) {
        samples.push_back(sampleAt(k == kIntervals ? to : from + (to - from) * k / kIntervals, branches, source));
        if (k == kIntervals && toIsRoot) samples.back().violated.clear();
        const std::size_t last = samples.size() - 1;
        if (auto found = search(samples[last - 1], samples[last], kDepth, branches, source)) return found;
        if (last < 2) continue;
        if (auto found = searchBottom(samples[last - 2], samples[last - 1], samples[last], branches, source))
            return found;
    }
    return std::nullopt;
}

}  // namespace elasto::reference
