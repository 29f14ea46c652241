#include "contact/contact_tick.h"

#include "balance/centroidal.h"
#include "balance/energy_repair.h"
#include "balance/finer_attempts.h"
#include "balance/network_energy.h"
#include "balance/network_state.h"
#include "balance/settle_events.h"
#include "balance/tuning.h"
#include "constraints/contact_box.h"
#include "contact/contact_budget.h"
#include "contact/contact_resting.h"
#include "contact/contact_trust.h"
#include "contact/soft_contact_entry.h"
#include "contact/tuning.h"
#include "numerics/cost_model.h"
#include "rigid/free_motion.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace elasto::flow {

namespace {

void faceVertices(FlowNetwork& network) {
    for (FlowContact& contact : network.contacts) {
        faceVertex(contact, motionOf(network, contact.a), motionOf(network, contact.b));
    }
}

/// A tick of one or more parts.
class PartedTick {
public:
    PartedTick(const FlowNetwork& network, double h, const FlowSettings& settings, Pause& pause, ContactSpace& space,
               TickResult& result)
        : m_start(network), m_h(h), m_settings(settings), m_pause(pause), m_result(result), m_space(space) {
        m_now = network;
        faceVertices(m_now);
        m_result.method = FlowMethod::Contacts;
        m_result.contacts.resize(network.contacts.size());
        m_result.reactions.resize(reactionCount(network));
        m_bounded.assign(network.bounded.size(), 0);
        m_impulses.setZero(static_cast<Eigen::Index>(network.elements.size()));
        m_heat = m_impulses;
    }

    /// @param isTried another method has tried it, and its budget did not suffice
    void solve(bool isTried) {
        const bool isExact = !isTried && m_settings.accuracy.method() == Accuracy::Method::Exact && !m_pause.isOn();
        m_budget.plan(isExact ? price::kStep * m_settings.maxSteps : 0, m_result);
        const double depth = foundInside();
        if (depth > kOverlap) {
            grade(GradeCause::Overlap);
            m_result.grade.error = depth;
        }
        m_result.contactLoss += bringToRest(m_now);
        m_result.contactLoss += resistEntries(m_now, m_result.contacts);
        for (FlowContact& contact : m_now.contacts) {
            if (std::isinf(contact.stiffness)) contact.slack = 0;
            contact.offset += contact.slack;
        }
        if (isExact || isTried) {
            const double end = isTried ? 0 : solveExactly();
            m_result.overBudget = m_result.overBudget || end < m_h;
            if (end < m_h) solveImplicitly(end);
            m_pause.note(end >= m_h, m_h);
        } else if (!solveImplicitly(0)) {
            // What stands is solved once: its next tick is this one.
            m_pause.pass(m_h);
        }
        keepStanding(m_start, m_impulses, m_result.contacts, m_h, kExactStanding, m_space.speeds, m_now);
        // The implicit step has closed the joints itself; limits it has not.
        const bool isImplicit = m_result.substeps > 0;
        const DepenetrationAim aim{!isImplicit || m_now.contacts.empty(),
                                   isImplicit && m_now.bodies.size() > kFewBodies, static_cast<long>(m_budget.left())};
        CentroidalBalance momenta;
        momenta.begin(m_now);
        const Depenetration recovery = depenetrate(m_now, m_h, aim, m_space.recovery);
        m_result.recovery = recovery.displacement;
        if (recovery.displacement > kOverlap) grade(GradeCause::Overlap);
        // What is moved apart without velocity has the same momenta where it is then.
        momenta.project(m_now, m_now, 0, Eigen::Vector3d::Zero());
        m_result.jointEnergy += recovery.energy - payFor(recovery);
        for (std::size_t i = 0; i < m_result.contacts.size(); ++i) {
            const FlowContact& contact = m_now.contacts[i];
            m_result.contacts[i].gap =
                measureContact(contact, motionOf(m_now, contact.a), motionOf(m_now, contact.b)).gap;
            m_result.contacts[i].isClosed = m_result.contacts[i].gap <= kClosedGap;
            m_result.contacts[i].slack = contact.slack;
        }
        bookLoss();
        readEnd();
        m_budget.countRecovery(recovery.work);
        m_result.cost = m_budget.cost();
    }

private:
    void grade(GradeCause cause) { m_result.grade += TickGrade::of(cause); }

    /// How deep rigid contacts that bore nothing in the tick before begin inside [m]: no tick has seen them come.
    double foundInside() const {
        double depth = 0;
        for (const FlowContact& contact : m_now.contacts) {
            if (contact.impulse > 0 || std::isfinite(contact.stiffness)) continue;
            const Motion a = motionOf(m_now, contact.a), b = motionOf(m_now, contact.b);
            depth = std::max(depth, -measureContact(contact, a, b).gap);
        }
        return depth;
    }

    void count(const Trial& trial) {
        m_result.steps += trial.steps;
        m_budget.count(trial);
    }

    /// @return where what can be followed ends: less than the tick where its budget did, or what was found is not to be
    /// trusted
    double solveExactly() {
        if (!m_budget.hasWork()) return 0;
        if (!followsBodies(m_start)) return solveInParts(0, false);
        if (!areTurning()) {
            attempt(m_h, true);
            const Trial& trial = m_space.trial;
            if (!trial.isCut && trial.length >= m_h && keepsDirections(m_now, m_space.attempts.patches(), trial)) {
                return solveInParts(0, true);
            }
        }
        const double end = followBodies();
        if (end >= m_h || !m_budget.hasWork()) return end;
        grade(GradeCause::Turning);
        return solveInParts(end, false);
    }

    /// Whether bodies turn as the tick begins.
    bool areTurning() const {
        return std::any_of(m_now.bodies.begin(), m_now.bodies.end(), [&](const FlowBody& body) {
            return !body.isImmovable() && body.angularVelocity.norm() * m_h > kFixedTurn;
        });
    }

    /// As the bodies themselves move, from one change of what touches to the next.
    /// @return where it ends
    double followBodies() {
        Trial& trial = m_space.trial;
        const auto reserve = static_cast<long>(kPartsShare * static_cast<double>(m_budget.work()));
        PartEnd before;
        const std::vector<CarriedRotor> rotors = spinningRotors(m_now);
        double t = 0;
        for (int part = 0; t < m_h && part < kMostFollowed; ++part) {
            const long left = m_budget.work() - reserve;
            if (left <= 0) return t;
            const double rest = m_h - t;
            spinCarriers(
                rotors, [&](std::size_t body) -> const Eigen::Vector3d& { return m_now.bodies[body].angularVelocity; },
                [&](std::size_t body) -> Eigen::Vector3d& { return m_now.bodies[body].spinMomentum; });
            m_space.attempts.follow(m_now, m_h, rest, m_settings, left, before, trial);
            count(trial);
            if (trial.isCut) return t;
            if (!takeTrusted(t, std::max(trial.length, kLeastPart * m_h))) return t;
            t = trial.length < rest ? t + trial.length : m_h;
        }
        return t;
    }

    /// Goes on to the trial's end, if it is to be trusted. @param length [s] in which loads may bring energy
    bool takeTrusted(double t, double length) {
        Trial& trial = m_space.trial;
        const double inPlay = inPlayOver(length);
        if (!(trial.gain <= kLargestGain * inPlay) || havePulled(m_now, m_space.attempts.patches(), trial.state)) {
            return false;
        }
        sharePressures(trial.state.contacts);
        if (trial.gain > trustedError(m_settings) * inPlay) grade(GradeCause::Unbalanced);
        note(inPlay);
        slow(inPlay);
        take(t);
        return true;
    }

    /// With gradients that stand still in each of a few parts.
    /// @param isTried the trial is what is left of the tick as one part
    double solveInParts(double t, bool isTried) {
        if (!isTried) attempt(m_h - t, true);
        Trial& trial = m_space.trial;
        double parts = 1;
        if (!trial.isCut && m_budget.hasWorkFor(m_h - t)) {
            const double turn = largestTurn(m_now, trial.state) * m_h / trial.length;
            parts = std::clamp(std::ceil(turn / kTurnPerPart), 1., kMostParts);
        }
        if (trial.opened > kOpened) {
            parts = std::max(parts, std::min(std::ceil(std::sqrt(trial.opened / kOpened)), kMostOpenedParts));
        }
        // Releases make parts shorter, and more of them.
        for (int part = 1; t < m_h; ++part) {
            const double rest = m_h - t;
            const double left = std::round(rest * parts / m_h);
            const double h = left > 1 ? rest / left : rest;
            const bool stops = part < parts + kMostReleases;
            if (part > 1 || trial.length > h) {
                if (!m_budget.hasWork()) return t;
                attempt(h, stops);
            }
            if (trial.isCut) return t;
            follow(h, stops, t);
            const double length = trial.length;
            if (!keepsDirections(m_now, m_space.attempts.patches(), trial)) grade(GradeCause::Turning);
            if (!takeTrusted(t, length)) return t;
            t = length < rest ? t + length : m_h;
        }
        return t;
    }

    /// @return true if it is the trial now
    bool attempt(double h, bool stops, const Trial* first = nullptr) {
        Trial& trial = first != nullptr ? m_space.other : m_space.trial;
        m_space.attempts.attempt(m_now, h, m_settings, m_budget.work(), stops, first, trial);
        count(trial);
        m_budget.noteExact(trial, kLeastShare * m_h);
        // One that the budget has cut short, that gains or opens joints is worse than what it was to better.
        if (first == nullptr) return true;
        if (trial.isCut || trial.opened > std::max(first->opened, kOpened)) return false;
        const bool isGain = trial.gain > std::max(first->gain, 0.);
        if (isGain && trial.gain > kLargestGain * inPlayOver(trial.length)) return false;
        std::swap(m_space.trial, m_space.other);
        return true;
    }

    /// Solves the trial again with gradients of the middle where bodies turn.
    /// @param h the most that it may cover
    void follow(double h, bool stops, double t) {
        Trial& trial = m_space.trial;
        for (int pass = 1; pass < kTickPasses && m_budget.hasWorkFor(m_h - t); ++pass) {
            if (!(largestTurn(m_now, trial.state) > kFixedTurn) || !attempt(h, stops, &trial)) break;
            if (isSame(trial.state.displacement, m_space.other.state.displacement)) break;
        }
    }

    /// Sub-steps that keep energy, shorter ones where their result is not to be trusted, and then such as lose it.
    void findImplicitly(double h, double dt, double inPlay) {
        using Form = implicit::ElementDrift::Form;
        tryImplicitly(h, dt, Form::KeepsEnergy, m_budget.left());
        for (int n = 2; n <= kMostHalved && !isTrusted(inPlay) && m_budget.takesFiner(n, m_result); n *= 2) {
            tryImplicitly(h, dt / n, Form::KeepsEnergy, m_budget.finerOf(n));
        }
        for (int n = 2; n <= kMostHalved && !isTrusted(inPlay); n *= 8) {
            if (n > 2 && !m_budget.takesFiner(n, m_result)) break;
            m_result.isFirstOrder = true;
            tryImplicitly(h, dt / n, Form::LosesEnergy, m_budget.finerOf(n));
        }
        if (!isTrusted(inPlay)) grade(GradeCause::Untrusted);
    }

    void tryImplicitly(double h, double dt, implicit::ElementDrift::Form form, double work) {
        m_space.attempts.attemptImplicitly(m_now, h, dt, form, static_cast<long>(work), m_space.trial);
        count(m_space.trial);
    }
    /// The rest of the tick.
    /// @return true if nothing has moved in it
    bool solveImplicitly(double t) {
        const double h = m_h - t;
        m_result.method = FlowMethod::Implicit;
        for (FlowContact& contact : m_now.contacts) contact.impulse *= h / m_h;
        Trial& trial = m_space.trial;
        const double inPlay = inPlayOver(h);
        m_mostBrought = mostBrought(m_now, h);
        // What turns while it pushes hard needs shorter sub-steps.
        double dt = m_settings.substep;
        if (dt == 0) dt = h / m_budget.substeps();
        findImplicitly(h, dt, inPlay);
        ContactState& state = trial.state;
        const Standing& standing = m_now.contacts.empty() ? kElasticStanding : kImplicitStanding;
        const bool stands = keepStanding(m_now, state.P, state.contacts, h, standing, m_space.speeds, trial.end);
        if (!stands) {
            grade(m_settings.accuracy.method() == Accuracy::Method::Exact ? GradeCause::Budget : GradeCause::Asked);
            if (m_result.isFirstOrder) grade(GradeCause::FirstOrder);
        }
        if (stands) {
            state.work = state.driveWork = state.limitLoss = 0;
            weigh(m_now, trial);
            if (t == 0) keepBearing(m_now.contacts, state.contacts);
        }
        const double jointEnergy = m_result.jointEnergy, repaired = m_result.energyRepaired;
        note(inPlay);
        const bool canPay = std::isfinite(trial.gain) && trial.gain - trial.putRight <= inPlay && isBrought(inPlay);
        if (canPay) payBack(inPlay);
        const bool isPaid = canPay && trial.gain <= (m_now.contacts.empty() ? kStoredApart : kStored) * inPlay;
        if (!isPaid) {
            m_result.jointEnergy = jointEnergy;
            m_result.energyRepaired = repaired;
            m_result.isFirstOrder = true;
            grade(GradeCause::Untrusted);
            m_space.attempts.stand(m_now, h, trial);
            count(trial);
        }
        take(t);
        return stands;
    }

    /// What there is of energy, and what may come in within a time. What is slower than is resolved at all counts.
    double inPlayOver(double h) { return energyInPlay(m_now, h, m_space) + energyAt(m_now, m_settings.velocityFloor); }

    /// What closing joints and limits brings in where nothing touches the motion pays for.
    double payFor(const Depenetration& recovery) {
        if (!m_now.contacts.empty() || !(recovery.energy > 0)) return 0;
        Eigen::VectorXd none = Eigen::VectorXd::Zero(m_impulses.size());
        double work = 0;  // of what carries the network
        return takeEnergy(m_now, recovery.energy, kMostPaid, none, work);
    }

    /// What the trial has gained its motion pays for, and where nothing moves that could, what puts right what was
    /// found wrong.
    void payBack(double inPlay) {
        Trial& trial = m_space.trial;
        slow(inPlay);
        if (trial.gain > kEnergyRounding * inPlay) {
            const double putRight = std::min(trial.gain, trial.putRight);
            m_result.jointEnergy += putRight;
            trial.gain -= putRight;
        }
    }

    /// What the trial has gained is little, but for what puts right what was found wrong; where nothing touches, what
    /// it has lost, too, but for what joints took.
    bool isTrusted(double inPlay) const {
        const Trial& trial = m_space.trial;
        const double gain = trial.gain - trial.putRight;
        const bool mayLose = m_result.isFirstOrder || !m_now.contacts.empty();
        const double most = (m_now.contacts.empty() ? kLargestGainApart : kLargestGain) * inPlay;
        const bool isLost = !mayLose && gain + trial.jointLoss < -most;
        return trial.isSolved && gain <= most && !isLost && isBrought(inPlay);
    }
    /// What drives the network, through joints or by motors, has brought no more than it can have: where rows
    /// contradict each other, or minima were not found, its work is what balances wrong impulses.
    bool isBrought(double inPlay) const {
        const auto isWithin = [&](double most) { return energy(m_space.trial.end) <= most; };
        if (std::isfinite(m_mostBrought)) return isWithin(m_mostBrought + kDriven * inPlay);
        if (m_space.trial.isSolved) return true;
        const auto isMotor = [](const BoundedRow& row) { return row.kind == BoundedRow::Kind::Motor; };
        const bool hasMotors = std::any_of(m_now.bounded.begin(), m_now.bounded.end(), isMotor);
        return !hasMotors || isWithin(kDriven * inPlay);
    }
    /// What the trial got wrong. Where something touches what is missing is what contacts take.
    void note(double inPlay) {
        const Trial& trial = m_space.trial;
        const double gain = trial.gain - trial.putRight;
        TickBalance& balance = m_result.balance;
        balance.energy += m_now.contacts.empty() ? gain : std::max(gain, 0.);
        balance.inPlay = std::max(balance.inPlay, inPlay);
        balance.momentum = std::max(balance.momentum, trial.momentumMissed);
        balance.joints = std::max(balance.joints, trial.opened);
    }
    /// Takes what the trial has gained out of its motion.
    void slow(double inPlay) {
        Trial& trial = m_space.trial;
        if (!(trial.gain > kEnergyRounding * inPlay)) return;
        if (m_now.contacts.empty() || isFloating(m_now)) {  // momenta are kept
            m_result.energyRepaired += takeEnergy(trial.end, trial.gain, 1, trial.state.P, trial.state.work);
            weigh(m_now, trial);
            return;
        }
        const double taken = slowDown(trial.end, std::min(trial.gain, kineticEnergy(trial.end)), 1);
        m_result.energyRepaired += taken;
        trial.gain -= taken;
    }

    /// The trial's end is where the tick is now.
    void take(double t) {
        Trial& trial = m_space.trial;
        m_result.contactLoss += trial.softHeld - (trial.gain + trial.state.limitLoss);
        m_result.limitLoss += trial.state.limitLoss;
        m_jointLoss += trial.jointLoss;
        m_result.driveWork += trial.state.driveWork;
        for (std::size_t k = 0; k < m_bounded.size(); ++k) m_bounded[k] += trial.state.bounded[k];
        for (std::size_t k = 0; k < trial.state.reactions.size(); ++k) {
            m_result.reactions[k] += trial.state.reactions[k];
        }
        m_impulses += trial.state.P.head(m_impulses.size());
        m_heat += trial.state.heat.head(m_heat.size());
        for (std::size_t i = 0; i < m_result.contacts.size(); ++i) {
            ContactTick& sum = m_result.contacts[i];
            const ContactTick& added = trial.state.contacts[i];
            sum.impulse += added.impulse;
            sum.frictionImpulse += added.frictionImpulse;
            sum.frictionTorque += added.frictionTorque;
            sum.creep = added.creep;
        }
        for (ContactEvent event : trial.state.events) {
            event.time += t;
            m_result.events.push_back(event);
        }
        m_result.setChanges += trial.setChanges;
        m_result.substeps += trial.substeps;
        std::swap(m_now, trial.end);
        faceVertices(m_now);
        shiftLoads(m_now, trial.length);
    }

    /// Which points of a face press is not certain where they are many or near each other: none is said to pull.
    void sharePressures(std::vector<ContactTick>& contacts) const {
        for (const Patch& patch : m_space.attempts.patches()) {
            const auto begin = contacts.begin() + static_cast<std::ptrdiff_t>(patch.first);
            const auto end = begin + static_cast<std::ptrdiff_t>(patch.count);
            double sum = 0, pressing = 0;
            for (auto contact = begin; contact != end; ++contact) {
                sum += contact->impulse;
                pressing += std::max(contact->impulse, 0.);
            }
            if (!(sum > 0) || pressing == sum) continue;
            for (auto contact = begin; contact != end; ++contact) {
                contact->impulse = std::max(contact->impulse, 0.) * sum / pressing;
            }
        }
    }

    /// Of friction only impulse and way are known here.
    BoundedTick boundedTick(std::size_t k) {
        const BoundedRow& bounded = m_start.bounded[k];
        const Row row = boundedRowOf(m_now, k);
        BoundedTick tick{.coordinate = row.s, .rate = row.v, .impulse = m_bounded[k], .geared = row.geared};
        if (!bounded.friction.isDry()) {
            tick.force = tick.impulse / m_h;
            tick.isHeld = bounded.kind == BoundedRow::Kind::Limit && tick.impulse != 0;
            return tick;
        }
        constexpr double kYielding = 0.999;  // of its strength, over the tick
        tick.force = tick.impulse / m_h;
        tick.work = tick.force * (row.s - boundedRowOf(m_start, k).s);
        tick.isHeld = std::abs(tick.force) < kYielding * bounded.maxForce;
        m_result.driveWork -= tick.work;
        return tick;
    }

    void readEnd() {
        for (std::size_t i = 0; i < m_start.bodies.size(); ++i) {
            const FlowBody& body = m_start.bodies[i];
            const BodyState free = body.isImmovable() ? BodyState() : freeMotion(body, m_h);
            m_result.bodies.push_back(bodyTick(body, m_now.bodies[i], free));
        }
        for (std::size_t e = 0; e < m_start.elements.size(); ++e) {
            const auto k = static_cast<Eigen::Index>(e);
            const FlowElement& element = m_now.elements[e];
            const Row row = rowOf(m_now, e);
            m_result.elements.push_back(
                elementTick(element.law, row.s, row.v, element.s_damper, m_impulses[k], m_heat[k]));
            m_result.elements.back().geared = row.geared;
            m_result.elements.back().pause = m_pause.now();
        }
        for (std::size_t k = 0; k < m_start.bounded.size(); ++k) {
            m_result.bounded.push_back(boundedTick(k));
        }
        m_result.energyHandedOut = -m_heat.sum();
        settleEvents();
    }

    /// Where nothing touches no contacts have taken what sub-steps lost, but joints may have; what limits are said to
    /// have taken beyond what is missing they have not.
    void bookLoss() {
        if (!m_start.contacts.empty()) return;
        const double given = std::min(std::max(-m_result.contactLoss, 0.), m_result.limitLoss);
        m_result.limitLoss -= given;
        m_result.contactLoss = std::min(m_jointLoss, std::max(m_result.contactLoss + given, 0.));
    }

    /// Solutions go along straight rows and end where the poses are a little elsewhere.
    void settleEvents() {
        std::vector<Seen>& seen = m_space.seen;
        seen.clear();
        for (std::size_t e = 0; e < m_start.elements.size(); ++e) {
            const Row row = rowOf(m_start, e);
            seen.push_back(seenOf(m_start.elements[e].law, row.s, row.v, m_start.elements[e].s_damper));
        }
        flow::settleEvents(seen, m_result.elements, m_h, m_result.events);
    }

    const FlowNetwork& m_start;
    const double m_h;
    const FlowSettings& m_settings;
    double m_jointLoss = 0;
    double m_mostBrought = 0;  // [J] see mostBrought
    Pause& m_pause;
    TickResult& m_result;
    ContactSpace& m_space;
    FlowNetwork& m_now = m_space.now;
    ContactBudget m_budget{m_start, m_h, m_settings};
    Eigen::VectorXd &m_impulses = m_space.impulses, &m_heat = m_space.heat;
    std::vector<double>& m_bounded = m_space.bounded;  // impulses
};

}  // namespace

bool followsBodies(const FlowNetwork& network) {
    // What moves in one way only, as rotors of drives do, turns no gradient.
    const auto turns = [](const FlowBody& body) {
        const Eigen::Array3d linear = body.inverseMass * body.linearFactor.array();
        const Eigen::Array3d angular = body.inverseInertia.array() * body.angularFactor.array();
        return (linear > 0).count() + (angular > 0).count() > 1;
    };
    // Bodies on joints have coordinates together: what counts is what moves for itself.
    auto count = std::count_if(network.bodies.begin(), network.bodies.end(), turns);
    for (std::size_t k = 0; k < network.joints.size(); ++k) {
        const HeldRow& row = network.joints[k];
        if (k > 0 && network.joints[k - 1].a == row.a && network.joints[k - 1].b == row.b) continue;
        if (isMovable(network, row.a) && isMovable(network, row.b)) --count;
    }
    const std::size_t most = network.joints.empty() ? kFollowedContacts : kFollowedContactsOnJoints;
    return count <= kFollowedBodies && network.contacts.size() <= most;
}

void solveContacts(const FlowNetwork& network, double h, const FlowSettings& settings, Pause& pause,
                   ContactSpace& space, TickResult& result) {
    PartedTick(network, h, settings, pause, space, result).solve(false);
}

void solveImplicitly(const FlowNetwork& network, double h, const FlowSettings& settings, Pause& pause,
                     ContactSpace& space, TickResult& result) {
    PartedTick(network, h, settings, pause, space, result).solve(true);
}

}  // namespace elasto::flow
