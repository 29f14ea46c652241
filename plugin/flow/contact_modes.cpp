#include "contact_modes.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

constexpr int kTrials = 40;
/// Share of the largest impulse below which one counts as 0.
constexpr double kNoImpulse = 1e-9;

class Trials {
public:
    Trials(ContactFrame& frame, ContactTask& task, ContactModes& modes)
        : m_frame(frame), m_task(task), m_modes(modes) {}

    std::optional<ContactAnswer> run() {
        for (int trial = 0; trial < kTrials; ++trial) {
            ++m_task.trials;
            if (!solve()) return std::nullopt;
            if (!changePoints() && !changeFriction()) return m_answer;
        }
        return std::nullopt;
    }

private:
    bool solve() {
        const std::vector<RowMode> modes = rowModes(m_frame, m_modes);
        BlockFactor& factor = m_frame.factor();
        if (!factor.factor(modes)) return false;
        std::vector<double> wanted(m_frame.rowCount());
        m_frame.rates(m_task.free, m_task.isImpact, m_rates);
        for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = m_task.wanted[i] - m_rates[i];
        m_answer.impulses.resize(wanted.size());
        m_answer.change.resize(m_frame.network().bodies.size());
        factor.solve(wanted, m_answer.impulses, m_answer.change);
        m_largest = 0;
        for (const double impulse : m_answer.impulses) m_largest = std::max(m_largest, std::abs(impulse));
        return std::isfinite(m_largest);
    }

    double rateAfter(std::size_t row) const { return m_rates[row] + m_frame.rate(row, m_answer.change); }

    // Of each patch the point that pulls most is let go; where none pulls, the one that is passed fastest is taken.
    bool changePoints() {
        bool changed = false;
        for (const Patch& patch : m_frame.patches()) {
            std::size_t worst = 0;
            double pull = kNoImpulse * m_largest;
            for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
                const double impulse = m_answer.impulses[m_frame.normalOf(i)];
                if (m_modes.bears[i] && -impulse > pull) {
                    worst = i;
                    pull = -impulse;
                }
            }
            if (pull > kNoImpulse * m_largest) {
                m_modes.bears[worst] = false;
                changed = true;
                continue;
            }
            double approach = m_task.tolerance;
            for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
                if (m_modes.bears[i] || !m_task.isClosed[i]) continue;
                const std::size_t row = m_frame.normalOf(i);
                const double left = m_task.wanted[row] - rateAfter(row);
                if (left > approach) {
                    worst = i;
                    approach = left;
                }
            }
            if (approach > m_task.tolerance) {
                m_modes.bears[worst] = true;
                changed = true;
            }
        }
        return changed;
    }

    bool changeFriction() {
        bool changed = false;
        for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
            Friction& friction = m_modes.friction[p];
            const PatchLoad load = loadOf(m_frame, p, m_modes, m_answer.impulses);
            if (friction == Friction::Sticks && gripOf(m_frame, p, load) < -kNoImpulse * m_largest) {
                beginToSlip(p, load);
                friction = Friction::Slips;
                changed = true;
            } else if (friction == Friction::Slips && !m_task.mustSlip[p] && isReversed(p)) {
                friction = Friction::Sticks;
                changed = true;
            }
        }
        return changed;
    }

    // Against the force that held it.
    void beginToSlip(std::size_t p, const PatchLoad& load) {
        const Patch& patch = m_frame.patches()[p];
        const double spin = load.spinLimit > 0 ? load.spin / load.spinLimit : 0;
        const double most = patch.friction * load.normal;
        const Eigen::Vector3d shift = most > 0 ? Eigen::Vector3d(load.friction / most) : Eigen::Vector3d(load.friction);
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            const Eigen::Vector3d lever = m_frame.measure(i).point - patch.middle;
            const double length = lever.norm();
            const Eigen::Vector3d turn =
                length > 0 ? Eigen::Vector3d(patch.normal.cross(lever) / length) : Eigen::Vector3d::Zero();
            const Eigen::Vector3d way = -(shift + spin * turn);
            m_frame.setSlipDirection(i, way.norm() > 0 ? way.normalized() : Eigen::Vector3d::Zero());
        }
    }

    // The points that bear would slip the other way.
    bool isReversed(std::size_t p) const {
        const Patch& patch = m_frame.patches()[p];
        double power = 0;
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            if (m_modes.bears[i]) power += m_answer.impulses[m_frame.normalOf(i)] * rateAfter(m_frame.slipOf(i));
        }
        return power < -m_task.tolerance * m_largest;
    }

    ContactFrame& m_frame;
    ContactTask& m_task;
    ContactModes& m_modes;
    ContactAnswer m_answer;
    std::vector<double> m_rates;  // if no row pushed
    double m_largest = 0;
};

}  // namespace

std::vector<RowMode> rowModes(const ContactFrame& frame, const ContactModes& modes) {
    std::vector<RowMode> rows(frame.rowCount());
    for (std::size_t k = 0; k < frame.jointCount(); ++k) rows[k] = RowMode::held();
    for (std::size_t p = 0; p < frame.patches().size(); ++p) {
        const Patch& patch = frame.patches()[p];
        int bearing = 0;
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            if (!modes.bears[i]) continue;
            ++bearing;
            rows[frame.normalOf(i)] = RowMode::held();
            const double friction = frame.network().contacts[i].friction;
            if (modes.friction[p] == Friction::Slips && !frame.slipDirection(i).isZero(0)) {
                rows[frame.slipOf(i)] = RowMode::riding(static_cast<int>(frame.normalOf(i)), -friction);
            }
        }
        if (bearing == 0 || modes.friction[p] != Friction::Sticks) continue;
        rows[frame.tangentOf(p)] = rows[frame.tangentOf(p) + 1] = RowMode::held();
        if (bearing > 1 || patch.spinningFriction > 0) rows[frame.spinOf(p)] = RowMode::held();
    }
    return rows;
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
        load.spinLimit += (patch.friction * lever + patch.spinningFriction) * impulse;
    }
    if (modes.friction[p] == Friction::Sticks) {
        const Tangents tangents(patch.normal);
        load.friction =
            impulses[frame.tangentOf(p)] * tangents.first + impulses[frame.tangentOf(p) + 1] * tangents.second;
        load.spin = impulses[frame.spinOf(p)];
    }
    return load;
}

double gripOf(const ContactFrame& frame, std::size_t p, const PatchLoad& load) {
    const double most = frame.patches()[p].friction * load.normal;
    const double spin = load.spinLimit > 0 ? load.spin / load.spinLimit : 0;
    if (!(most > 0)) return -load.friction.norm();
    return most * (1 - std::hypot(load.friction.norm() / most, spin));  // together inside an ellipse
}

std::optional<ContactAnswer> findModes(ContactFrame& frame, ContactTask& task, ContactModes& modes) {
    return Trials(frame, task, modes).run();
}

}  // namespace elasto::flow
