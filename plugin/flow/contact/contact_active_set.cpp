#include "contact/contact_active_set.h"
#include "contact/tuning.h"
#include "numerics/largest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace elasto::flow {

namespace {

class Trials {
public:
    Trials(ContactFrame& frame, ContactTask& task, ContactModes& modes, ModesSpace& space)
        : m_frame(frame), m_task(task), m_modes(modes), m_space(space) {}

    bool solveOnce() {
        ++m_task.trials;
        return solve();
    }

    bool run() {
        m_way = Way::AllAtOnce;
        forget();
        for (m_last = m_task.trials + m_task.mostTrials; m_task.trials < m_last;) {
            m_hasChanged = false;
            if (!solveOnce()) {
                if (!tryEvery()) return false;
            } else if (isContradictory() && yield()) {
                continue;
            } else if (comesAgain() && !goOtherWay()) {
                return false;
            }
            if (!change()) return true;
        }
        return false;
    }

    void findExcess() {
        m_answer.excess.clear();
        for (std::size_t r = 0; r < m_frame.rowCount(); ++r) {
            m_answer.excess.push_back(rateAfter(r) - m_task.wanted[r]);
        }
    }

    // Friction that may stick, as if it slipped where the bodies would go without it.
    bool startSlipping() {
        const std::vector<Patch>& patches = m_frame.patches();
        std::vector<std::size_t>& loose = m_space.loose;
        loose.clear();
        for (std::size_t p = 0; p < patches.size(); ++p) {
            if (m_modes.friction[p] == Friction::None || m_task.mustSlip[p]) continue;
            m_modes.friction[p] = Friction::None;
            loose.push_back(p);
        }
        if (loose.empty() || !run()) return false;
        const std::vector<Vector6>& after = motionAfter();
        for (const std::size_t p : loose) slipWith(p, after);
        return true;
    }

private:
    /// How modes that do not fit change: all at once, or, where that has gone round in circles, the first of them
    /// (Murty's least index; see Judice and Pires, Computers and Operations Research 21, 1994). Where that does, too,
    /// as friction that wedges makes it do, whatever did not fit in the circle is tried in every way.
    enum class Way : unsigned char { AllAtOnce, OneByOne, Every };

    /// Whether the solution is one that was found before.
    bool comesAgain() {
        std::vector<TriedModes>& tried = m_space.tried;
        if (tried.size() <= m_tried) tried.resize(m_tried + 1);
        tried[m_tried].modes = m_modes;
        tried[m_tried].largest = m_largest;
        tried[m_tried].left = m_left;
        const auto end = tried.begin() + static_cast<std::ptrdiff_t>(m_tried);
        ++m_tried;
        return std::find(tried.begin(), end, *end) != end;
    }

    bool goOtherWay() {
        if (m_way == Way::AllAtOnce) {
            m_way = Way::OneByOne;
            forget();
            return true;
        }
        return tryEvery();
    }

    void forget() {
        m_tried = 0;
        m_space.unfitPoints.assign(m_modes.bears.size(), false);
        m_space.unfitBounded.assign(m_modes.bounded.size(), false);
    }

    /// Tries points, motors and limits in every way: those that did not fit in the circle, then all where they are few.
    /// @return false if none is right
    bool tryEvery() {
        if (m_way == Way::Every) return false;
        m_way = Way::Every;
        const std::vector<std::size_t> points = listed(m_space.unfitPoints), bounded = listed(m_space.unfitBounded);
        if (tryPoints(points, bounded) || (stick(points) && tryPoints(points, bounded))) return true;
        const std::vector<std::size_t> allPoints = listed(m_task.isClosed), allBounded = listed(m_task.mayHold);
        const double ways = std::ldexp(std::pow(3., allBounded.size()), static_cast<int>(allPoints.size()));
        return ways <= m_last - m_task.trials && tryPoints(allPoints, allBounded);
    }
    /// What slips and wedges stops. @return false if none of these points slips that may stick
    bool stick(std::span<const std::size_t> points) {
        bool changed = false;
        for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
            const Patch& patch = m_frame.patches()[p];
            if (m_modes.friction[p] != Friction::Slips || m_task.mustSlip[p]) continue;
            const bool isUnfit = std::any_of(points.begin(), points.end(), [&](std::size_t i) {
                return i >= patch.first && i < patch.first + patch.count;
            });
            if (!isUnfit) continue;
            m_modes.friction[p] = Friction::Sticks;
            changed = true;
        }
        return changed;
    }

    static std::vector<std::size_t> listed(const std::vector<char>& are) {
        std::vector<std::size_t> list;
        for (std::size_t i = 0; i < are.size(); ++i) {
            if (are[i] != 0) list.push_back(i);
        }
        return list;
    }

    bool tryPoints(std::span<const std::size_t> points, std::span<const std::size_t> bounded) {
        if (m_task.trials >= m_last) return false;
        if (points.empty()) return tryBounded(bounded);
        for (const bool bears : {true, false}) {
            m_modes.bears[points.front()] = bears;
            if (tryPoints(points.subspan(1), bounded)) return true;
        }
        return false;
    }

    bool tryBounded(std::span<const std::size_t> bounded) {
        if (m_task.trials >= m_last) return false;
        if (bounded.empty()) return solveOnce() && isMet() && fits();
        static constexpr std::array kPhases{BoundedPhase::Open, BoundedPhase::Held, BoundedPhase::Below,
                                            BoundedPhase::Above};
        const std::size_t k = bounded.front();
        const bool isLimit = m_frame.network().bounded[k].kind == BoundedRow::Kind::Limit;
        const auto phases = isLimit ? std::span(kPhases).first(2) : std::span(kPhases).last(3);
        for (const BoundedPhase phase : phases) {
            m_modes.bounded[k] = phase;
            if (tryBounded(bounded.subspan(1))) return true;
        }
        return false;
    }

    /// Whether what is held gets what it is to get.
    bool isMet() const {
        double wanted = 0;
        for (std::size_t r = 0; r < m_space.rows.size(); ++r) {
            if (m_space.rows[r].isHeld) wanted = std::max(wanted, std::abs(m_space.wanted[r]));
        }
        return m_left <= std::max(kContradiction * wanted, m_task.tolerance);
    }

    /// Whether points, motors and limits need not change.
    bool fits() {
        m_isLooking = true;
        m_hasChanged = false;
        changePoints();
        changeBounded();
        m_isLooking = false;
        return !std::exchange(m_hasChanged, false);
    }

    // Lets a patch slip where bodies go.
    void slipWith(std::size_t p, const std::vector<Vector6>& motion) {
        m_areRatesKnown = false;
        const Patch& patch = m_frame.patches()[p];
        const Eigen::Vector3d wanted = wantedSlip(p);
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            const Eigen::Vector3d slip = m_frame.slipVelocity(p, i, motion, m_task.isImpact) - wanted;
            m_frame.setSlipDirection(i, slip.normalized());  // zero stays zero
            m_task.wanted[m_frame.slipOf(i)] = m_frame.slipDirection(i).dot(wanted);
        }
        m_modes.friction[p] = Friction::Slips;
    }

    bool change() {
        changePoints();
        changeBounded();
        if (!m_hasChanged) changeFriction();
        return m_hasChanged;
    }

    /// Whether what does not fit may change now.
    bool mayChange() {
        const bool may = !m_isLooking && (m_way == Way::AllAtOnce || !m_hasChanged);
        m_hasChanged = true;
        return may;
    }

    bool solve() {
        if (m_frame.bear(m_modes.bears)) m_areRatesKnown = false;
        rowModes(m_frame, m_modes, m_space.rows);
        BlockFactor& factor = m_frame.factor();
        if (!factor.factor(m_space.rows)) return false;
        std::vector<double>& wanted = m_space.wanted;
        wanted.resize(m_frame.rowCount());
        if (!m_areRatesKnown) m_frame.rates(freeWithPushes(), m_task.isImpact, m_rates);
        m_areRatesKnown = m_modes.bounded.empty() && m_task.pressure.empty();
        for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = m_task.wanted[i] - m_rates[i];
        m_answer.impulses.resize(wanted.size());
        m_answer.change.resize(m_frame.network().bodies.size());
        m_left = factor.solve(wanted, m_answer.impulses, m_answer.change);
        countPushes();
        m_largest = 0;
        for (const double impulse : m_answer.impulses) m_largest = std::max(m_largest, std::abs(impulse));
        m_noImpulse = kNoImpulse * m_largest;
        return std::isfinite(m_largest);
    }

    const std::vector<Vector6>& freeWithPushes() {
        m_soft.clear();
        if (m_modes.bounded.empty() && m_task.pressure.empty()) return m_task.free;
        m_pushed = m_task.free;
        addPushes(m_frame, m_modes, m_pushed);
        m_soft.assign(m_task.pressure.empty() ? 0 : m_frame.rowCount(), 0);
        for (std::size_t i = 0; i < m_task.pressure.size(); ++i) {
            if (m_task.pressure[i] == 0) continue;
            m_soft[m_frame.normalOf(i)] = m_task.pressure[i];
            addSoftFriction(m_frame, m_modes, i, m_task.pressure[i], m_pushed, m_soft);
        }
        return m_pushed;
    }

    void countPushes() {
        for (std::size_t k = 0; k < m_modes.bounded.size(); ++k) {
            const double push = pushOf(m_frame.network().bounded[k], m_modes.bounded[k]);
            if (push != 0) m_answer.impulses[m_frame.boundedOf(k)] = push;
        }
        for (std::size_t r = 0; r < m_soft.size(); ++r) m_answer.impulses[r] += m_soft[r];
    }

    const std::vector<Vector6>& motionAfter() {
        m_space.motion = m_task.free;
        for (std::size_t i = 0; i < m_space.motion.size(); ++i) m_space.motion[i] += m_answer.change[i];
        return m_space.motion;
    }

    // Rates are prescribed that cannot be had, or, where joints leave bodies one way only, those with which they part
    // make them slip.
    bool isContradictory() const {
        const std::vector<BoundedRow>& bounded = m_frame.network().bounded;
        double wanted = 0;
        bool isAny = false;
        for (std::size_t k = 0; k < bounded.size(); ++k) {
            if (!isPrescribed(bounded[k]) || m_modes.bounded[k] != BoundedPhase::Held) continue;
            isAny = true;
            wanted = std::max(wanted, std::abs(m_rates[m_frame.boundedOf(k)]));
        }
        for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
            if (m_modes.friction[p] != Friction::Sticks) continue;
            const Patch& patch = m_frame.patches()[p];
            for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
                if (!m_modes.bears[i]) continue;
                isAny = true;
                const std::size_t row = m_frame.normalOf(i);
                wanted = std::max(wanted, std::abs(m_task.wanted[row] - m_rates[row]));
            }
        }
        return isAny && m_left > std::max(kContradiction * wanted, m_task.tolerance);
    }

    // What sticks, or a motor, gives way to a prescribed rate, and to where joints lead; what does not move at all
    // stops it.
    bool yield() {
        if (yieldMotor()) return true;
        bool changed = false;
        for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
            if (!givesWay(p)) continue;
            const std::size_t row = m_frame.tangentOf(p);
            m_areRatesKnown = false;
            const Patch& patch = m_frame.patches()[p];
            const Eigen::Vector3d shift =
                missing(row) * patch.tangents.first + missing(row + 1) * patch.tangents.second;
            for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
                const Eigen::Vector3d lever = m_frame.measure(i).point - patch.middle;
                const Eigen::Vector3d slip = -shift - missing(row + 2) * patch.normal.cross(lever);
                m_frame.setSlipDirection(i, slip.normalized());
            }
            m_modes.friction[p] = Friction::Slips;
            changed = true;
        }
        if (changed) return true;
        for (std::size_t k = 0; k < m_modes.bounded.size(); ++k) {
            if (!isPrescribed(m_frame.network().bounded[k]) || m_modes.bounded[k] != BoundedPhase::Held) continue;
            m_modes.bounded[k] = BoundedPhase::Off;
            changed = true;
        }
        return changed;
    }

    /// What is left of what a row was to get.
    double missing(std::size_t row) const { return m_task.wanted[row] - rateAfter(row); }
    bool isMissed(double missing) const { return missing > std::max(kContradiction * m_left, m_task.tolerance); }
    /// Whether friction that sticks keeps others from what they are to get.
    bool givesWay(std::size_t p) const {
        const std::size_t row = m_frame.tangentOf(p);
        return m_modes.friction[p] == Friction::Sticks && bearsAny(p) &&
               isMissed(std::hypot(missing(row), missing(row + 1), missing(row + 2)));
    }

    /// Forces of rows that contradict each other grow without end, in proportion to what each of them misses by what
    /// it takes to change it: what comes to its limit first gives way. @return false if that is no motor
    bool yieldMotor() {
        const auto growth = [&](std::size_t row) { return missing(row) / m_frame.factor().response(row); };
        double first = std::numeric_limits<double>::infinity();
        std::size_t motor = m_modes.bounded.size();
        for (std::size_t k = 0; k < m_modes.bounded.size(); ++k) {
            const BoundedRow& bounded = m_frame.network().bounded[k];
            if (!isMotor(bounded) || isPrescribed(bounded) || m_modes.bounded[k] != BoundedPhase::Held) continue;
            const std::size_t row = m_frame.boundedOf(k);
            const double limit = bounded.maxForce / std::abs(growth(row));
            if (!isMissed(std::abs(missing(row))) || !(limit < first)) continue;
            first = limit;
            motor = k;
        }
        for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
            if (!givesWay(p)) continue;
            const std::size_t row = m_frame.tangentOf(p);
            const double limit = m_frame.patches()[p].friction * loadOf(m_frame, p, m_modes, m_answer.impulses).normal;
            if (limit < first * std::hypot(growth(row), growth(row + 1))) return false;
        }
        if (motor == m_modes.bounded.size()) return false;
        m_modes.bounded[motor] = missing(m_frame.boundedOf(motor)) > 0 ? BoundedPhase::Below : BoundedPhase::Above;
        return true;
    }

    bool bearsAny(std::size_t p) const {
        const Patch& patch = m_frame.patches()[p];
        return std::any_of(m_modes.bears.begin() + static_cast<std::ptrdiff_t>(patch.first),
                           m_modes.bears.begin() + static_cast<std::ptrdiff_t>(patch.first + patch.count),
                           [](char bears) { return bears != 0; });
    }

    // As for points: a limit that pulls is let go, one that is passed is taken; so are motors beyond their force, and
    // those whose full force drives them on.
    void changeBounded() {
        for (std::size_t k = 0; k < m_modes.bounded.size(); ++k) {
            if (!m_task.mayHold[k]) continue;
            const BoundedPhase next = nextPhase(k);
            if (next == m_modes.bounded[k]) continue;
            m_space.unfitBounded[k] = true;
            if (mayChange()) m_modes.bounded[k] = next;
        }
    }

    BoundedPhase nextPhase(std::size_t k) const {
        const BoundedRow& bounded = m_frame.network().bounded[k];
        const BoundedPhase phase = m_modes.bounded[k];
        const std::size_t row = m_frame.boundedOf(k);
        const double force = m_answer.impulses[row];
        const double nothing = m_noImpulse;
        const double left = m_task.wanted[row] - rateAfter(row);
        if (bounded.kind == BoundedRow::Kind::Limit) {
            if (phase == BoundedPhase::Held && bounded.side * force < -nothing) return BoundedPhase::Open;
            if (phase == BoundedPhase::Open && bounded.side * left > m_task.tolerance) return BoundedPhase::Held;
        } else if (phase == BoundedPhase::Held && std::abs(force) > bounded.maxForce + nothing) {
            return force > 0 ? BoundedPhase::Below : BoundedPhase::Above;
        } else if ((phase == BoundedPhase::Below && left < -m_task.tolerance) ||
                   (phase == BoundedPhase::Above && left > m_task.tolerance)) {
            return BoundedPhase::Held;
        }
        return phase;
    }

    double rateAfter(std::size_t row) const { return m_rates[row] + m_frame.rate(row, m_answer.change); }

    Eigen::Vector3d wantedSlip(std::size_t p) const {
        const Tangents& tangents = m_frame.patches()[p].tangents;
        return m_task.wanted[m_frame.tangentOf(p)] * tangents.first +
               m_task.wanted[m_frame.tangentOf(p) + 1] * tangents.second;
    }

    // Of each patch the points that pull most are let go; where none pulls, those that are passed fastest are taken:
    // all that do so alike, or rounding would tell which corner of a face bears.
    void changePoints() {
        for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
            const Patch& patch = m_frame.patches()[p];
            const auto changeMost = [&](bool bears, double least, const auto& of) {
                double most = least;
                for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
                    if ((m_modes.bears[i] != 0) == bears) most = std::max(most, of(i));
                }
                if (!(most > least)) return false;
                const double alike = std::max(least, (1 - kAlike) * most);
                const auto forEachAlike = [&](const auto& visit) {
                    for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
                        if ((m_modes.bears[i] != 0) == bears && of(i) > alike) visit(i);
                    }
                };
                forEachAlike([&](std::size_t i) { m_space.unfitPoints[i] = true; });
                if (!mayChange()) return true;
                // What was let go because it pulled where it stuck would do so again: it slips where it goes by itself.
                const bool isTaken = !bears && m_way != Way::AllAtOnce && !bearsAny(p);
                if (isTaken && m_modes.friction[p] == Friction::Sticks) slipWith(p, motionAfter());
                forEachAlike([&](std::size_t i) { m_modes.bears[i] = !bears; });
                return true;
            };
            const auto pullOf = [&](std::size_t i) { return -m_answer.impulses[m_frame.normalOf(i)]; };
            const auto approachOf = [&](std::size_t i) {
                const std::size_t row = m_frame.normalOf(i);
                return m_task.isClosed[i] ? m_task.wanted[row] - rateAfter(row) : 0;
            };
            if (!changeMost(true, m_noImpulse, pullOf)) changeMost(false, m_task.tolerance, approachOf);
        }
    }

    void changeFriction() {
        for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
            const PatchLoad load = loadOf(m_frame, p, m_modes, m_answer.impulses);
            changeSliding(p, load);
            if (m_frame.resistsTurning()) changeTurning(p, load);
        }
        m_areRatesKnown = m_areRatesKnown && !m_hasChanged;
    }

    void changeSliding(std::size_t p, const PatchLoad& load) {
        Friction& friction = m_modes.friction[p];
        if (friction == Friction::Sticks && gripOf(m_frame, p, load) < -m_noImpulse) {
            if (!mayChange()) return;
            // Its torque may be a share of what others hold.
            if (load.spin != 0 && m_modes.holdsTurn(p)) return leaveTurn(p, load);
            letSlip(p, load);
            friction = Friction::Slips;
        } else if (friction == Friction::Sticks && !m_modes.holdsTurn(p) && turns(p)) {
            if (!mayChange()) return;
            letSlip(p, load);
            friction = Friction::Slips;
        } else if (friction == Friction::Slips && !m_task.mustSlip[p] && isReversed(p)) {
            if (!mayChange()) return;
            friction = Friction::Sticks;
        }
    }

    void leaveTurn(std::size_t p, const PatchLoad& load) {
        const std::size_t count = m_frame.patches().size();
        m_modes.isTurnHeld.resize(count, false);
        m_space.loads.resize(count);
        m_modes.isTurnHeld[p] = true;
        m_space.loads[p] = load;
    }
    void letSlip(std::size_t p, const PatchLoad& load) {
        const bool wasHeld = m_modes.holdsTurn(p);
        beginToSlip(p, wasHeld ? load : m_space.loads[p]);
        if (!wasHeld) m_modes.isTurnHeld[p] = false;
    }
    bool turns(std::size_t p) const {
        const std::size_t row = m_frame.spinOf(p);
        return std::abs(rateAfter(row) - m_task.wanted[row]) > m_task.tolerance;
    }

    void changeTurning(std::size_t p, const PatchLoad& load) {
        const double nothing = m_noImpulse;
        const Patch& patch = m_frame.patches()[p];
        Friction& rolling = m_modes.rolling[p];
        Friction& spinning = m_modes.spinning[p];
        const bool mayTurn = bearsAny(p);
        if (rolling == Friction::Sticks && rollGripOf(m_frame, p, load) < -nothing) {
            if (!mayChange()) return;
            m_frame.setRollDirection(p, -load.roll.normalized());
            rolling = Friction::Slips;
        } else if (rolling == Friction::Slips && !m_task.mustRoll[p] && mayTurn &&
                   rateAfter(m_frame.rollingOf(p, patch.first)) < -m_task.tolerance) {
            if (!mayChange()) return;
            rolling = Friction::Sticks;
        }
        if (spinning == Friction::Sticks && spinGripOf(m_frame, p, load) < -nothing) {
            if (!mayChange()) return;
            m_frame.setSpinDirection(p, load.spin > 0 ? -1 : 1);
            spinning = Friction::Slips;
        } else if (spinning == Friction::Slips && !m_task.mustSpin[p] && mayTurn &&
                   rateAfter(m_frame.spinningOf(p, patch.first)) < -m_task.tolerance) {
            if (!mayChange()) return;
            spinning = Friction::Sticks;
        }
    }

    // Against the force that held it.
    void beginToSlip(std::size_t p, const PatchLoad& load) {
        const Patch& patch = m_frame.patches()[p];
        const Eigen::Vector3d wanted = wantedSlip(p);
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            m_frame.setSlipDirection(i, slipBegun(m_frame, p, i, load));
            m_task.wanted[m_frame.slipOf(i)] = m_frame.slipDirection(i).dot(wanted);
        }
        if (patch.spinningFriction > 0 && !patch.spinsApart()) {
            m_frame.setSpinDirection(p, load.spin > 0 ? -1 : load.spin < 0 ? 1 : 0);
        }
    }

    // The points that bear would slip the other way. What presses too little to move anything is rounding, and may pull
    // as well: friction that stuck to that would hold bodies which slide without any pressure.
    bool isReversed(std::size_t p) const {
        const Patch& patch = m_frame.patches()[p];
        double power = 0;
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            const std::size_t normal = m_frame.normalOf(i);
            const double impulse = m_answer.impulses[normal];
            if (!m_modes.bears[i] || !(impulse * m_frame.responseOf(m_frame.row(normal)) > m_task.tolerance)) continue;
            const std::size_t slip = m_frame.slipOf(i);
            power += impulse * (rateAfter(slip) - m_task.wanted[slip]);
        }
        return power < -m_task.tolerance * m_largest;
    }

    ContactFrame& m_frame;
    ContactTask& m_task;
    ContactModes& m_modes;
    ModesSpace& m_space;
    ContactAnswer& m_answer = m_space.answer;
    std::vector<double>& m_rates = m_space.rates;
    std::vector<Vector6>& m_pushed = m_space.pushed;
    std::vector<double>& m_soft = m_space.soft;
    double m_largest = 0;
    double m_left = 0;             // that held rows miss of what is wanted
    double m_noImpulse = 0;        // that counts as 0
    bool m_areRatesKnown = false;  // of the rows' present directions
    Way m_way = Way::AllAtOnce;
    bool m_hasChanged = false;  // since the last solution
    bool m_isLooking = false;   // nothing may change
    int m_last = 0;             // of the trials
    std::size_t m_tried = 0;
};

/// True if turning accelerates points noticeably.
bool isTurning(const ContactTask& task) {
    if (task.isImpact) return false;
    return largestOf(task.wanted) > kTurning * largestOf(task.free);
}

}  // namespace

void ContactTask::clear() {
    free.clear();
    wanted.clear();
    isClosed.clear();
    mustSlip.clear();
    mustRoll.clear();
    mustSpin.clear();
    pressure.clear();
    mayHold.clear();
    isImpact = false;
    tolerance = 0;
    mostTrials = 40;
    trials = 0;
}

const ContactAnswer* findModes(ContactFrame& frame, ContactTask& task, ContactModes& modes, ModesSpace& space) {
    modes.isTurnHeld.clear();
    space.guess = modes;
    Trials trials(frame, task, modes, space);
    if (trials.run()) return &space.answer;
    // Friction that sticks where it cannot makes points of turning bodies pull, and then nothing fits. Where bodies
    // rest it is rounding that does not fit.
    if (!isTurning(task)) return nullptr;
    modes = space.guess;
    if (!trials.startSlipping()) return nullptr;
    return trials.run() ? &space.answer : nullptr;
}

const ContactAnswer* solveModes(ContactFrame& frame, ContactTask& task, ContactModes& modes, ModesSpace& space) {
    Trials trials(frame, task, modes, space);
    if (!trials.solveOnce()) return nullptr;
    trials.findExcess();
    return &space.answer;
}

}  // namespace elasto::flow
