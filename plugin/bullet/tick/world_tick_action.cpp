// The tick's second part: called as an action, when Bullet has moved the bodies.

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "host/tick_length.h"
#include "host/tick_rollback.h"
#include "network/body_cache.h"
#include "network/element_access.h"
#include "network/element_tick.h"
#include "network/finite_check.h"
#include "network/joint_feedback.h"
#include "network/motion_ccd.h"
#include "network/multibody_hand_over.h"
#include "network/sleep_test.h"
#include "network/write_bodies.h"
#include "network/write_contacts.h"
#include "tick/tick_capture.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// However the action ends.
class TickEnd {
public:
    explicit TickEnd(bool& isTicking) : m_isTicking(isTicking) {}
    ~TickEnd() { m_isTicking = false; }
    TickEnd(const TickEnd&) = delete;
    TickEnd& operator=(const TickEnd&) = delete;

private:
    bool& m_isTicking;
};

// Kinetic energy of trees and their rotors [J].
double endOfTrees(const SolvedNetwork& solved) {
    double energy = 0;
    if (!solved.multi.isTree) return energy;
    for (const MovedMultiBody& moved : solved.multi.bodies) energy += moved.endKinetic + moved.endRotors;
    return energy;
}

/// What a network's tick has changed. @param uncoupled what is known of it if it is
void keepBook(const SolvedNetwork& solved, const UncoupledTick& uncoupled, double dissipated, EnergyBook& book) {
    double gain = -solved.startEnergy + endOfTrees(solved);
    double loadWork = 0;
    for (std::size_t i = 0; i < solved.bodies.size(); ++i) {
        const FlowBody& start = solved.network.bodies[i];
        const BodyState& end = solved.result.bodies[i];
        gain += kineticEnergy(start, end);
        if (solved.bodies[i].isMovable) {
            const LoadValue impulse = solved.network.loadImpulse(i, solved.h);
            loadWork += impulse.head<3>().dot(end.position - start.position) / solved.h;
        }
    }
    // Springs of joints are no elements: what they take goes to the joints.
    double toSprings = -solved.jointSprings;
    double springHeat = 0;
    for (std::size_t e = 0; e < solved.result.elements.size(); ++e) {
        const ElementTick& element = solved.result.elements[e];
        gain += element.storedEnergy;
        if (e < solved.elementCount()) continue;
        toSprings += element.storedEnergy + element.heat;
        springHeat += element.heat;
    }
    book.dissipated += dissipated - springHeat;
    if (solved.isUncoupled) {
        book.work += loadWork;
        book.exchanged -= gain - uncoupled.newlyWithheld - loadWork + dissipated;
        book.handedOut = std::max(book.handedOut, -uncoupled.available);
        return;
    }
    // With contacts the repairs are part of what these took.
    double repaired = solved.network.contacts.empty() ? solved.result.energyRepaired : 0;
    if (solved.multi.isTree)
        repaired = std::copysign(repaired, solved.result.energyHandedOut + dissipated);  // either way
    const double handedOut = solved.result.energyHandedOut - repaired;
    const double taken = solved.result.contactLoss + solved.result.limitLoss;
    book.work += gain - solved.cutEnergy - handedOut - solved.result.jointEnergy + taken;
    book.contacts += solved.result.contactLoss;
    book.exchanged += solved.result.limitLoss - solved.result.jointEnergy + toSprings - solved.cutEnergy;
    book.carried += toSprings;
    book.numerical += handedOut + dissipated;
    book.repaired += solved.result.energyRepaired;
    book.handedOut = std::max(book.handedOut, handedOut);
}

void countNetwork(const SolvedNetwork& solved, TickStatistics& counts) {
    const int elements = static_cast<int>(solved.elementCount());
    if (elements == 0) {
        counts.flying += static_cast<int>(std::count_if(solved.bodies.begin(), solved.bodies.end(),
                                                        [](const NetworkBody& b) { return b.isMovable; }));
    } else {
        counts.networks += 1;
        counts.elements += elements;
        counts.elementsPerMethod[static_cast<std::size_t>(solved.result.method)] += elements;
    }
    counts.events += static_cast<int>(solved.result.events.size());
    counts.steps += solved.result.steps;
    counts.fallbacks += solved.result.overBudget ? 1 : 0;
    counts.implicit += solved.result.method == FlowMethod::Implicit ? 1 : 0;
    counts.substeps += solved.result.substeps;
    counts.firstOrder += solved.result.isFirstOrder ? 1 : 0;
    const TickGrade grade = solved.grade();
    counts.networksPerCause[static_cast<std::size_t>(grade.cause)] += 1;
    counts.failed += grade.grade == Grade::Failed ? 1 : 0;
    if (grade.grade != Grade::Exact && (grade.error > counts.error || counts.errorAt.empty())) {
        counts.error = grade.error;
        if (elements > 0) {
            ElementAccess::writeLabel(solved.element(0), counts.errorAt);
        } else {
            counts.errorAt = nameOf(solved);
        }
    }
    counts.cost += solved.result.cost;
    counts.mostCost += solved.multi.isTree ? solved.result.cost : solved.result.mostCost;
    const bool isLimited = solved.isShort && solved.result.leastCost >= solved.settings.maxCost;
    counts.outOfBudget += solved.result.overBudget && isLimited ? 1 : 0;
    counts.repairs += solved.result.energyRepaired > 0 ? 1 : 0;
    counts.uncoupled += solved.isUncoupled && !solved.isIdle ? elements : 0;
    counts.coupled += solved.network.contacts.empty() ? 0 : 1;
    counts.setChanges += solved.result.setChanges;
    counts.idle += solved.isIdle ? 1 : 0;
    counts.cutBack += solved.isCutBack ? 1 : 0;
    if (elements > 0 && (solved.result.steps > counts.worstSteps || counts.worstNetwork.empty())) {
        counts.worstSteps = solved.result.steps;
        ElementAccess::writeLabel(solved.element(0), counts.worstNetwork);
    }
}

void countGrade(double start, TickStatistics& counts) {
    const Grade grade = counts.grade().grade;
    counts.failedTicks = grade == Grade::Failed ? 1 : 0;
    counts.approximateTicks = grade == Grade::Approximate ? 1 : 0;
    if (grade != Grade::Exact) counts.inexactFrom = start;
    counts.errorTime = start;
}

bool hasContact(const SolvedNetwork& solved) {
    return std::any_of(solved.result.elements.begin(), solved.result.elements.end(),
                       [](const ElementTick& element) { return element.force.contact; });
}

}  // namespace

void WorldTick::writeExactPoses() {
    for (const auto& solved : m_networks) {
        if (solved->isUncoupled) continue;
        restoreMotionClamping(*solved);
        writePoses(*solved);
        for (const MovedMultiBody& moved : solved->multi.bodies) writeExactly(moved);
    }
}

void WorldTick::updateAction(btCollisionWorld* /*world*/, btScalar bulletH) {
    const std::shared_ptr<WorldTick> keepAlive = shared_from_this();  // a callback may destroy the plugin
    const TickRollback rollback(*m_world);
    const TickEnd end(m_isTicking);
    m_unmoved.putBack();
    if (!m_solver->isInPlace()) {
        throw std::logic_error(
            "elasto::Plugin: the world's solver was replaced while the Plugin is installed; destroy the Plugin first");
    }
    if (!m_isTicking) return;  // the plugin was made by one of the user's actions: its first tick is the next one
    const double h = m_hasLength ? exactTick(bulletH) : 0;
    writeExactPoses();
    if (!m_networks.empty()) m_singles.writePoses();  // bodies of networks may be swept against them
    m_isWritten = false;
    try {
        cutBackMotion();
        for (const auto& solved : m_networks) {
            reportImpulses(*solved, bulletH);
        }
        results.energy = settleBook();  // nothing throws any more, up to the callbacks: the sums are of whole ticks
    } catch (...) {
        m_singles.keepAsWritten();  // they have nothing to do with it
        throw;
    }
    const double left = rememberTiedBodies();
    results.energy.exchanged += left;
    results.energy.carried += left;
    m_contactCache.endTick();
    for (std::size_t i = 0; i < m_networks.size(); ++i) {
        finishNetwork(i);
    }
    addHeat(m_networks);
    const bool hasLatency = m_world->getLatencyMotionStateInterpolation();
    m_singles.finish(results.totals.ticks, hasLatency, m_counts, callbacks);
    for (const auto& solved : m_networks) {
        if (!solved->isUncoupled) setDrawnMotion(*solved, h, hasLatency);
        if (!solved->isIdle && !isAtRest(*solved, settings.restThresholds, m_restSpace)) {
            keepAwake(*solved);
        }
    }
    m_counts.ticks = 1;
    countGrade(results.time, m_counts);
    results.statistics = m_counts;
    results.totals += m_counts;
    results.time += h;
    m_lastLength = h;
    m_between = {};
    m_networks.clear();
    m_uncoupled.clear();
    suspectNobody();
    if (m_hasLength) attempt([&] { loads.wakeForNext(results.time, h); });
    wakeSleepers();
    if (watcher) watcher->tickEnds(bulletH);
    loads.makeChanges();
    callbacks.run(settings.messageHandler);
}

void WorldTick::cutBackMotion() {
    for (const std::shared_ptr<SolvedNetwork>& solved : m_networks) {
        if (solved->isUncoupled) continue;  // Bullet's own motion clamping has worked
        suspect(*solved);
        attempt([&] {
            if (stopWhatHits(*m_world, *solved).empty()) return;
            requireFiniteEnd(*solved);
            solved->isCutBack = true;
            writePoses(*solved);
            for (MovedMultiBody& moved : solved->multi.bodies) {
                readEnd(moved, solved->multi.bounds, solved->result, solved->h);
                writeExactly(moved);
            }
        });
    }
}

// Elements remember their own bodies. Returns the energy of those that no joint ties to a network any more.
double WorldTick::rememberTiedBodies() {
    for (const auto& solved : m_networks) {
        for (std::size_t i = 0; i < solved->bodies.size(); ++i) {
            const NetworkBody& entry = solved->bodies[i];
            if (entry.isTied && entry.isMovable) {
                const BodyState& end = solved->result.bodies[i];
                remember(m_bodyTable.at(*entry.body), *entry.body, end);
                m_bodyTable.keep(*entry.body, kineticEnergy(massOf(*entry.body), end));
            } else if (entry.isTied) {
                m_bodyTable.keep(*entry.body, 0);  // it knows its path
            }
        }
        for (const MovedMultiBody& moved : solved->multi.bodies) m_multiBodies.remember(moved);
    }
    return m_bodyTable.forgetOthers() + m_multiBodies.forgetOthers();
}

// The book with this tick in it.
EnergyBook WorldTick::settleBook() {
    EnergyBook book = results.energy;
    book.pushed += m_between.pushed + m_singles.sums().between.pushed;
    book.damping += m_between.damping + m_singles.sums().between.damping;
    book.exchanged -= m_between.tied;
    book.carried -= m_between.tied;
    book.dissipated += m_singles.sums().heat;
    book.work += m_singles.sums().gain - m_singles.sums().handedOut;
    book.numerical += m_singles.sums().handedOut + m_singles.sums().heat;
    book.handedOut = std::max(book.handedOut, m_singles.sums().mostHandedOut);
    for (std::size_t i = 0; i < m_networks.size(); ++i) {
        const EnergyBook before = book;
        suspect(*m_networks[i]);
        if (!attempt([&] { keepBookOf(i, book); })) book = before;
    }
    return book;
}

void WorldTick::keepBookOf(std::size_t index, EnergyBook& book) {
    SolvedNetwork& solved = *m_networks[index];
    double dissipated = 0;
    if (solved.isUncoupled) {
        dissipated = settle(solved, m_uncoupled[index], m_restSpace.end);
        requireFiniteEnd(solved);
        if (solved.isIdle && hasContact(solved)) {
            solved.isIdle = false;  // and its elements owe what their springs hold
            m_counts.missed += 1;
        }
    } else {
        for (const ElementTick& element : solved.result.elements) {
            dissipated += element.heat;
        }
    }
    keepBook(solved, m_uncoupled[index], dissipated, book);
    requireFiniteBook(solved, book);
}

void WorldTick::finishNetwork(std::size_t index) {
    const SolvedNetwork& solved = *m_networks[index];
    countNetwork(solved, m_counts);
    warnInexact(solved);
    warnShortLines(solved);
    if (settings.tickHandler && !solved.isUncoupled && solved.grade().grade >= settings.tickHandlerFrom) {
        callbacks.defer([handler = settings.tickHandler, record = recordOf(solved, results.time, nameOf(solved))] {
            handler(record);
        });
    }
    for (const ContactEvent& event : solved.result.events) {
        const auto e = static_cast<std::size_t>(event.element);
        if (e >= solved.elementCount()) continue;  // a joint's spring
        if (e < solved.elements.size()) {
            callbacks.add(*solved.elements[e], event);
        } else {
            callbacks.add(*solved.multi.elements[e - solved.elements.size()], event);
        }
    }
    const std::shared_ptr<const SolvedNetwork> kept = m_networks[index];
    for (std::size_t e = 0; e < solved.elements.size(); ++e) finishElement(kept, e);
    for (std::size_t e = solved.elements.size(); e < solved.elementCount(); ++e) {
        finishMultiBodyElement(solved, e);
    }
}

void WorldTick::wakeSleepers() {
    if (!m_islands.hasSleepers()) return;
    const auto isAsleep = [](const btRigidBody& body) { return body.getActivationState() == ISLAND_SLEEPING; };
    for (int i = 0; i < m_world->getNumConstraints(); ++i) {
        btTypedConstraint* constraint = m_world->getConstraint(i);
        if (!isAsleep(constraint->getRigidBodyA()) && !isAsleep(constraint->getRigidBodyB())) continue;
        ForceElement* element = elementOf(constraint);
        if (element == nullptr || !element->isEnabled()) {
            continue;
        }
        btRigidBody& a = element->getRigidBodyA();
        btRigidBody& b = element->getRigidBodyB();
        const auto wakeIfMoved = [](btRigidBody& sleeper, const btRigidBody& other, const SavedBody* cache) {
            if (sleeper.getActivationState() == ISLAND_SLEEPING && !sleeper.isStaticOrKinematicObject() &&
                other.isStaticOrKinematicObject() && cache != nullptr && cache->known &&
                !isPoseRemembered(*cache, other)) {
                sleeper.activate();
            }
        };
        wakeIfMoved(a, b, ElementAccess::knownB(*element));
        wakeIfMoved(b, a, ElementAccess::knownA(*element));
        if (element->placement().isGearPair()) {
            for (btRigidBody* wheel : {&a, &b}) {
                wakeIfMoved(*wheel, element->placement().carrier(), &ElementAccess::savedCarrier(*element));
            }
        }
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
