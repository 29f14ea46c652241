#include "contact/slow_slip.h"

#include "contact/tuning.h"

#include <algorithm>

namespace elasto::flow {

namespace {

/// A direction of slip in its patch as it is now.
Eigen::Vector3d alongPatch(const Patch& patch, const Eigen::Vector3d& direction) {
    const Eigen::Vector3d along = direction - patch.normal * patch.normal.dot(direction);
    return along.isZero(0) ? along : Eigen::Vector3d(along.normalized());
}

}  // namespace

void SlowSlip::begin(const ContactFrame& frame, std::span<const double> pulls, double h) {
    m_slips.clear();
    for (std::size_t i = 0; i < frame.network().contacts.size(); ++i) m_slips.push_back(frame.slipDirection(i));
    m_driven.assign(m_slips.size(), Eigen::Vector3d::Zero());
    m_slow.clear();
    for (std::size_t p = 0; p < frame.patches().size(); ++p) {
        m_slow.push_back(kNoDirection * h * frame.patches()[p].friction * pulls[p]);
    }
}

void SlowSlip::noteDirections(const ContactFrame& frame) {
    for (std::size_t i = 0; i < m_slips.size(); ++i) {
        if (!frame.slipDirection(i).isZero(0)) m_slips[i] = frame.slipDirection(i);
    }
}

Eigen::Vector3d SlowSlip::directionOf(const Eigen::Vector3d& velocity, const Eigen::Vector3d& last, double slow) {
    const double along = velocity.dot(last);
    const double across = (velocity - along * last).norm() / (kAcross * slow);
    const double straight = across < 1 ? (1 - across * across) * (1 - across * across) : 0;
    const Eigen::Vector3d direction = velocity + straight * std::max(2 * slow - along, 0.) * last;
    const double length = direction.norm();
    return length > kAcross * slow / 2 ? Eigen::Vector3d(direction / length) : last;
}

void SlowSlip::turn(ContactFrame& frame, const ContactModes& modes, std::span<const Vector6> u) {
    m_speeds.assign(frame.patches().size(), kFast);
    for (std::size_t p = 0; p < frame.patches().size(); ++p) {
        const Patch& patch = frame.patches()[p];
        for (std::size_t i = patch.first; modes.friction[p] == Friction::Slips && i < patch.first + patch.count; ++i) {
            if (!modes.bears[i]) continue;
            const Eigen::Vector3d slip = frame.slipVelocity(p, i, u);
            if (slip.norm() < 2 * m_slow[p]) {
                const double speed = slip.norm() / m_slow[p];
                m_speeds[p] = isSlow(p) ? std::min(m_speeds[p], speed) : speed;
            }
            const bool isDriven = !m_driven[i].isZero(0);
            const Eigen::Vector3d last = alongPatch(patch, isDriven ? m_driven[i] : m_slips[i]);
            frame.setSlipDirection(i, directionOf(slip, last, isDriven ? m_slow[p] : kStopping * m_slow[p]));
        }
    }
}

bool SlowSlip::isAny() const {
    return std::any_of(m_speeds.begin(), m_speeds.end(), [](double speed) { return speed != kFast; });
}

/// The modes in which a patch is held, with those that are about as slow.
void SlowSlip::stick(const ContactModes& modes, std::size_t p) {
    m_next = modes;
    const double own = std::max(m_speeds[p], kBegun);
    for (std::size_t q = 0; q < m_speeds.size(); ++q) {
        const double other = std::max(m_speeds[q], kBegun);
        if (isSlow(q) && own <= kAsSlow * other && other <= kAsSlow * own) m_next.friction[q] = Friction::Sticks;
    }
}

/// @param forces of all rows in those modes
void SlowSlip::driveBy(const ContactFrame& frame, std::size_t p, const std::vector<double>& forces) {
    const Patch& patch = frame.patches()[p];
    const PatchLoad load = loadOf(frame, p, m_stuck, forces);
    for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
        if (!m_stuck.bears[i]) continue;
        const Eigen::Vector3d driven = slipBegun(frame, p, i, load);
        if (driven.dot(alongPatch(patch, m_slips[i])) > 0) m_found[i] = driven;
    }
}

}  // namespace elasto::flow
