#include "contact/slow_slip.h"

#include "contact/straight_slip.h"
#include "contact/tuning.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace elasto::flow {

namespace {

/// A direction of slip in its patch as it is now.
Eigen::Vector3d alongPatch(const Patch& patch, const Eigen::Vector3d& direction) {
    const Eigen::Vector3d along = direction - patch.normal * patch.normal.dot(direction);
    return along.isZero(0) ? along : Eigen::Vector3d(along.normalized());
}

/// The one point of a patch that bears.
std::optional<std::size_t> onlyPoint(const Patch& patch, const ContactModes& modes) {
    std::optional<std::size_t> only;
    for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
        if (!modes.bears[i]) continue;
        if (only) return std::nullopt;
        only = i;
    }
    return only;
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

/// Friction turns slip until it is driven along itself; so it begins, and so it comes to rest. Per pressure its
/// acceleration a / N is linear in its direction e, and so is 1 / N: with a = a_0 + N (w - mu W e), and the pressure N
/// the same, or, of rigid bodies, what makes a_n + N (w_nn - mu w_n e) = 0. Three directions tell all.
/// @return 0 where there is no such direction near the last one
Eigen::Vector3d SlowSlip::turnedTo(ContactFrame& frame, std::size_t p, std::size_t i, ForcesInModes& in) {
    const Patch& patch = frame.patches()[p];
    const Eigen::Vector3d last = alongPatch(patch, m_slips[i]);
    const Eigen::Vector3d across = patch.normal.cross(last);
    const Eigen::Vector3d present = frame.slipDirection(i);
    const std::size_t tangent = frame.tangentOf(p);
    Eigen::Vector3d perPressure[3];  // along, across, and 1
    bool isSolved = !last.isZero(0);
    const double cosine = 0.5, sine = 0.5 * std::numbers::sqrt3;
    const Eigen::Vector3d directions[] = {last, cosine * last + sine * across, cosine * last - sine * across};
    for (int k = 0; isSolved && k < 3; ++k) {
        frame.setSlipDirection(i, directions[k]);
        isSolved = in.solve(m_stuck);
        const double pressure = isSolved ? in.forces()[frame.normalOf(i)] : 0;
        isSolved = pressure != 0;
        if (!isSolved) continue;
        const Eigen::Vector3d acceleration =
            in.acceleration(tangent) * patch.tangents.first + in.acceleration(tangent + 1) * patch.tangents.second;
        perPressure[k] = Eigen::Vector3d(acceleration.dot(last), acceleration.dot(across), 1) / pressure;
    }
    frame.setSlipDirection(i, present);
    if (!isSolved) return Eigen::Vector3d::Zero();
    const Eigen::Vector3d constant = perPressure[1] + perPressure[2] - perPressure[0];
    const Eigen::Vector3d byAlong = perPressure[0] - constant;
    const Eigen::Vector3d byAcross = (perPressure[1] - perPressure[2]) / (2 * sine);
    const auto inDirection = [&](const Eigen::Vector2d& along) {
        return Eigen::Vector3d(constant + along[0] * byAlong + along[1] * byAcross);
    };
    const auto straight = straightSlip(Eigen::Vector2d::UnitX(), [&](const Eigen::Vector2d& along) {
        const Eigen::Vector3d driven = inDirection(along);
        return Eigen::Vector2d(std::copysign(1, driven[2]) * driven.head<2>());
    });
    const bool isPressed = straight && inDirection(*straight)[2] > 0;
    return isPressed ? Eigen::Vector3d((*straight)[0] * last + (*straight)[1] * across)
                     : Eigen::Vector3d(Eigen::Vector3d::Zero());
}

bool SlowSlip::drive(ContactFrame& frame, const ContactModes& modes, ForcesInModes& in) {
    m_found.assign(m_driven.size(), Eigen::Vector3d::Zero());
    bool isSolved = false;  // with m_stuck
    for (std::size_t p = 0; p < m_speeds.size(); ++p) {
        if (!isSlow(p)) continue;
        stick(modes, p);
        if (const std::optional<std::size_t> only = onlyPoint(frame.patches()[p], modes)) {
            m_stuck = m_next;
            m_stuck.friction[p] = Friction::Slips;
            m_found[*only] = turnedTo(frame, p, *only, in);
            isSolved = false;
            continue;
        }
        if (!isSolved || m_next.friction != m_stuck.friction) {
            std::swap(m_stuck, m_next);
            isSolved = in.solve(m_stuck);
        }
        if (!isSolved) return false;
        driveBy(frame, p, in.forces());
    }
    m_driven.swap(m_found);
    return true;
}

}  // namespace elasto::flow
