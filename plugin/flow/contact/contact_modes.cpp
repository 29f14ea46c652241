#include "contact/contact_modes.h"

#include <cmath>

namespace elasto::flow {

namespace {

bool isRolling(const ContactFrame& frame, const ContactModes& modes, std::size_t p) {
    return modes.rolling[p] == Friction::Slips && !frame.rollDirection(p).isZero(0);
}

bool isSpinning(const ContactFrame& frame, const ContactModes& modes, std::size_t p) {
    const Patch& patch = frame.patches()[p];
    const Friction friction = patch.spinsApart() ? modes.spinning[p] : modes.friction[p];
    return friction == Friction::Slips && patch.spinningFriction > 0 && frame.spinDirection(p) != 0;
}

void addTurning(const ContactFrame& frame, const ContactModes& modes, std::size_t p, std::vector<RowMode>& rows) {
    const Patch& patch = frame.patches()[p];
    if (isRollHeld(frame, modes, p)) rows[frame.rollOf(p)] = rows[frame.rollOf(p) + 1] = RowMode::held();
    if (modes.spinning[p] == Friction::Sticks) rows[frame.spinOf(p)] = RowMode::held();
    const bool rolls = isRolling(frame, modes, p), spins = isSpinning(frame, modes, p);
    for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
        if (!modes.bears[i] || frame.isSoft(i)) continue;
        const FlowContact& contact = frame.network().contacts[i];
        const auto normal = static_cast<int>(frame.normalOf(i));
        if (rolls) rows[frame.rollingOf(p, i)] = RowMode::riding(normal, -contact.rollingFriction);
        if (spins) rows[frame.spinningOf(p, i)] = RowMode::riding(normal, -contact.spinningFriction);
    }
}

}  // namespace

void rowModes(const ContactFrame& frame, const ContactModes& modes, std::vector<RowMode>& rows) {
    rows.assign(frame.rowCount(), RowMode());
    for (std::size_t k = 0; k < frame.jointCount(); ++k) rows[k] = RowMode::held();
    for (std::size_t k = 0; k < modes.bounded.size(); ++k) {
        if (modes.bounded[k] != BoundedPhase::Held) continue;
        rows[frame.boundedOf(k)] = isMotor(frame.network().bounded[k]) ? RowMode::ofMotor() : RowMode::held();
    }
    for (std::size_t p = 0; p < frame.patches().size(); ++p) {
        const Patch& patch = frame.patches()[p];
        int bearing = 0;
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            if (!modes.bears[i]) continue;
            ++bearing;
            if (frame.isSoft(i)) continue;
            rows[frame.normalOf(i)] = RowMode::held();
            const double friction = frame.network().contacts[i].friction;
            if (modes.friction[p] == Friction::Slips && !frame.slipDirection(i).isZero(0)) {
                rows[frame.slipOf(i)] = RowMode::riding(static_cast<int>(frame.normalOf(i)), -friction);
            }
        }
        if (bearing > 0 && frame.resistsTurning() && patch.resistsTurning()) addTurning(frame, modes, p, rows);
        if (bearing == 0 || modes.friction[p] != Friction::Sticks) continue;
        rows[frame.tangentOf(p)] = rows[frame.tangentOf(p) + 1] = RowMode::held();
        const bool resists = bearing > 1 || (patch.spinningFriction > 0 && !patch.spinsApart());
        if (resists && modes.holdsTurn(p)) rows[frame.spinOf(p)] = RowMode::held();
    }
}

bool isRollHeld(const ContactFrame& frame, const ContactModes& modes, std::size_t p) {
    const Patch& patch = frame.patches()[p];
    int bearing = 0;
    for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) bearing += modes.bears[i] ? 1 : 0;
    // What three points bear cannot roll.
    return modes.rolling[p] == Friction::Sticks && bearing > 0 && bearing < 3;
}

void addSoftFriction(const ContactFrame& frame, const ContactModes& modes, std::size_t i, double pressure,
                     std::vector<Vector6>& accelerations, std::vector<double>& impulses) {
    const std::size_t p = frame.patchOf(i);
    const FlowContact& contact = frame.network().contacts[i];
    const auto ride = [&](std::size_t row, double friction) {
        impulses[row] -= friction * pressure;
        frame.push(frame.row(row), -friction * pressure, accelerations);
    };
    if (modes.friction[p] == Friction::Slips && !frame.slipDirection(i).isZero(0)) {
        ride(frame.slipOf(i), contact.friction);
    }
    if (!frame.resistsTurning() || !frame.patches()[p].resistsTurning()) return;
    if (isRolling(frame, modes, p)) ride(frame.rollingOf(p, i), contact.rollingFriction);
    if (isSpinning(frame, modes, p)) ride(frame.spinningOf(p, i), contact.spinningFriction);
}

void addPushes(const ContactFrame& frame, const ContactModes& modes, std::vector<Vector6>& accelerations) {
    for (std::size_t k = 0; k < modes.bounded.size(); ++k) {
        const double push = pushOf(frame.network().bounded[k], modes.bounded[k]);
        if (push != 0) frame.push(frame.boundedOf(k), push, accelerations);
    }
}

PatchLoad loadOf(const ContactFrame& frame, std::size_t p, const ContactModes& modes,
                 const std::vector<double>& impulses) {
    const Patch& patch = frame.patches()[p];
    PatchLoad load;
    for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
        if (!modes.bears[i]) continue;
        const double impulse = impulses[frame.normalOf(i)];
        const double lever = (frame.measure(i).point - patch.middle).norm();
        load.normal += impulse;
        if (!patch.spinsApart()) load.spinLimit += (patch.friction * lever + patch.spinningFriction) * impulse;
    }
    if (modes.friction[p] == Friction::Sticks) {
        const Tangents& tangents = patch.tangents;
        load.friction =
            impulses[frame.tangentOf(p)] * tangents.first + impulses[frame.tangentOf(p) + 1] * tangents.second;
        load.spin = impulses[frame.spinOf(p)];
    }
    if (!frame.resistsTurning() || !patch.resistsTurning()) return load;
    if (modes.spinning[p] == Friction::Sticks) load.spin = impulses[frame.spinOf(p)];
    if (isRollHeld(frame, modes, p)) {
        const Tangents& tangents = patch.tangents;
        load.roll = impulses[frame.rollOf(p)] * tangents.first + impulses[frame.rollOf(p) + 1] * tangents.second;
    }
    return load;
}

Eigen::Vector3d slipBegun(const ContactFrame& frame, std::size_t p, std::size_t i, const PatchLoad& load) {
    const Patch& patch = frame.patches()[p];
    const double spin = load.spinLimit > 0 ? load.spin / load.spinLimit : 0;
    const double most = patch.friction * load.normal;
    const Eigen::Vector3d shift = most > 0 ? Eigen::Vector3d(load.friction / most) : Eigen::Vector3d(load.friction);
    const Eigen::Vector3d lever = frame.measure(i).point - patch.middle;
    const double length = lever.norm();
    const Eigen::Vector3d turn =
        length > 0 ? Eigen::Vector3d(patch.normal.cross(lever) / length) : Eigen::Vector3d::Zero();
    return -(shift + spin * turn).normalized();
}

double rollGripOf(const ContactFrame& frame, std::size_t p, const PatchLoad& load) {
    return frame.patches()[p].rollingFriction * load.normal - load.roll.norm();
}

double spinGripOf(const ContactFrame& frame, std::size_t p, const PatchLoad& load) {
    return frame.patches()[p].spinningFriction * load.normal - std::abs(load.spin);
}

double gripOf(const ContactFrame& frame, std::size_t p, const PatchLoad& load) {
    const double most = frame.patches()[p].friction * load.normal;
    const double spin = load.spinLimit > 0 ? load.spin / load.spinLimit : 0;
    if (!(most > 0)) return -load.friction.norm();
    return most * (1 - std::hypot(load.friction.norm() / most, spin));  // together inside an ellipse
}

}  // namespace elasto::flow
