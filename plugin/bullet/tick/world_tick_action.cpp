// The tick's second part: called as an action, when Bullet has moved the bodies.

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

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
    if (!solved.isTree) return energy;
    for (std::size_t i = 0; i < solved.multiBodies.size(); ++i) {
        energy += solved.multiBodies[i].endKinetic;
        const std::vector<TreeRotor>& rotors = solved.trees.trees[i].rotors;
        for (std::size_t r = 0; r < rotors.size(); ++r) {
            const double w = solved.treeResult.trees[i].rotors[r].w;
            energy += rotors[r].inertia * w * w / 2;
        }
    }
    return energy;
}

bool hasContact(const SolvedNetwork& solved) {
    return std::any_of(solved.result.elements.begin(), solved.result.elements.end(),
                       [](const ElementTick& element) { return element.force.contact; });
}

}  // namespace

void WorldTick::updateAction(btCollisionWorld* /*world*/, btScalar bulletH) {
    const std::shared_ptr<WorldTick> keepAlive = shared_from_this();  // a callback may destroy the plugin
    const ThrownTick thrown(*m_world);
    const TickEnd end(m_isTicking);
    m_unmoved.putBack();
    if (!m_solver->isInPlace()) {
        throw std::logic_error(
            "elasto::Plugin: the world's solver was replaced while the Plugin is installed; destroy the Plugin first");
    }
    if (!m_isTicking) return;  // the plugin was made by one of the user's actions: its first tick is the next one
    const double h = exactTick(bulletH);
    for (const auto& solved : m_networks) {
        if (!solved->isUncoupled) {
            restoreMotionClamping(*solved);
            writePoses(*solved);
            for (const MovedMultiBody& moved : solved->multiBodies) writeExactly(moved);
        }
    }
    if (!m_networks.empty()) writeSingle();  // bodies of networks may be swept against them
    m_isWritten = false;
    try {
        cutBackMotion();
        for (const auto& solved : m_networks) {
            reportImpulses(*solved, bulletH);
        }
        energy = settleBook();  // nothing throws any more, up to the callbacks: the sums are of whole ticks
    } catch (...) {
        // Elements alone have nothing to do with it; the next tick finds their bodies as the user leaves them.
        writeSingle();
        for (const Isolated& alone : m_isolated) alone.record->isMoved = false;
        clearIsolated();
        throw;
    }
    const double left = rememberTiedBodies();
    energy.exchanged += left;
    energy.carried += left;
    m_contactMemory.endTick();
    for (std::size_t i = 0; i < m_networks.size(); ++i) {
        finishNetwork(i);
    }
    addHeat(m_networks);
    finishIsolated(m_world->getLatencyMotionStateInterpolation());
    for (const auto& solved : m_networks) {
        if (!solved->isUncoupled) {
            setDrawnMotion(*solved, h, m_world->getLatencyMotionStateInterpolation());
        }
        if (solved->elementCount() > 0 && !solved->isIdle && !isAtRest(*solved, restThresholds, m_restSpace)) {
            keepAwake(*solved);
        }
    }
    m_counts.ticks = 1;
    statistics = m_counts;
    totals += m_counts;
    time += h;
    m_lastLength = h;
    m_between = {};
    m_networks.clear();
    m_uncoupled.clear();
    wakeSleepers(h);
    runCallbacks();
}

void WorldTick::cutBackMotion() {
    for (std::size_t i = 0; i < m_networks.size(); ++i) {
        const std::shared_ptr<SolvedNetwork>& solved = m_networks[i];
        if (solved->isUncoupled) {
            continue;  // Bullet's own motion clamping has worked
        }
        if (const std::optional<double> hit = sweepMotion(*m_world, *solved, solved->settings)) {
            // The whole network stops there, so that elements and bodies stay together; the rest of the tick is lost,
            // as with Bullet's motion clamping. The next tick finds an ordinary contact.
            TickResult cut;
            solveFlow(*solved, i, *hit, cut);
            solved->result = std::move(cut);
            requireFiniteEnd(*solved);
            solved->h = *hit;
            solved->isCutBack = true;
            writePoses(*solved);
            for (MovedMultiBody& moved : solved->multiBodies) {
                readEnd(moved, solved->result, *hit);
                writeExactly(moved);
            }
            writeContacts(*solved, m_world->getSolverInfo(), m_contactTicks);
        }
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
        for (const MovedMultiBody& moved : solved->multiBodies) m_multiBodies.remember(moved);
    }
    return m_bodyTable.forgetOthers() + m_multiBodies.forgetOthers();
}

// The book with this tick in it.
EnergyBook WorldTick::settleBook() {
    EnergyBook book = energy;
    book.pushed += m_between.pushed + m_isolatedSums.between.pushed;
    book.damping += m_between.damping + m_isolatedSums.between.damping;
    book.exchanged -= m_between.tied;
    book.carried -= m_between.tied;
    book.dissipated += m_isolatedSums.heat;
    book.work += m_isolatedSums.gain - m_isolatedSums.handedOut;
    book.numerical += m_isolatedSums.handedOut + m_isolatedSums.heat;
    book.handedOut = std::max(book.handedOut, m_isolatedSums.mostHandedOut);
    for (std::size_t i = 0; i < m_networks.size(); ++i) {
        SolvedNetwork& solved = *m_networks[i];
        double dissipated = 0;
        if (solved.isUncoupled) {
            dissipated = settle(solved, m_uncoupled[i], m_restSpace.end);
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
        keepBook(i, dissipated, book);
        requireFiniteBook(solved, book);
    }
    return book;
}

void WorldTick::finishNetwork(std::size_t index) {
    const SolvedNetwork& solved = *m_networks[index];
    countNetwork(solved);
    warnFirstOrder(solved);
    for (const ContactEvent& event : solved.result.events) {
        const auto e = static_cast<std::size_t>(event.element);
        if (e >= solved.elementCount()) continue;  // a joint's spring
        if (e >= solved.elements.size()) {
            MultiBodyElement* element = solved.multiBodyElements[e - solved.elements.size()];
            if (ElementAccess::contactCallback(*element, event.begin)) {
                m_pending.push_back({nullptr, element, event.begin, {event.time, event.speed}, m_pending.size()});
            }
            continue;
        }
        ForceElement* element = solved.elements[e];
        if (ElementAccess::contactCallback(*element, event.begin)) {
            m_pending.push_back({element, nullptr, event.begin, {event.time, event.speed}, m_pending.size()});
        }
    }
    const std::shared_ptr<const SolvedNetwork> kept = m_networks[index];
    for (std::size_t e = 0; e < solved.elements.size(); ++e) finishElement(kept, e);
    for (std::size_t e = solved.elements.size(); e < solved.elementCount(); ++e) {
        finishMultiBodyElement(solved, e);
    }
}

void WorldTick::keepBook(std::size_t index, double dissipated, EnergyBook& book) const {
    const SolvedNetwork& solved = *m_networks[index];
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
        book.exchanged -= gain - m_uncoupled[index].newlyWithheld - loadWork + dissipated;
        book.handedOut = std::max(book.handedOut, -m_uncoupled[index].available);
        return;
    }
    // With contacts the repairs are part of what these took.
    double repaired = solved.network.contacts.empty() ? solved.result.energyRepaired : 0;
    if (solved.isTree) repaired = std::copysign(repaired, solved.result.energyHandedOut + dissipated);  // either way
    const double handedOut = solved.result.energyHandedOut - repaired;
    const double taken = solved.result.contactLoss + solved.result.limitLoss;
    book.work += gain - handedOut - solved.result.jointEnergy + taken;
    book.contacts += solved.result.contactLoss;
    book.exchanged += solved.result.limitLoss - solved.result.jointEnergy + toSprings;
    book.carried += toSprings;
    book.numerical += handedOut + dissipated;
    book.repaired += solved.result.energyRepaired;
    book.handedOut = std::max(book.handedOut, handedOut);
}

void WorldTick::countNetwork(const SolvedNetwork& solved) {
    const int elements = static_cast<int>(solved.elementCount());
    if (elements == 0) return;  // a body in flight
    m_counts.networks += 1;
    m_counts.elements += elements;
    m_counts.elementsPerMethod[static_cast<std::size_t>(solved.result.method)] += elements;
    m_counts.events += static_cast<int>(solved.result.events.size());
    m_counts.steps += solved.result.steps;
    m_counts.fallbacks += solved.result.overBudget ? 1 : 0;
    m_counts.implicit += solved.result.method == FlowMethod::Implicit ? 1 : 0;
    m_counts.substeps += solved.result.substeps;
    m_counts.firstOrder += solved.result.isFirstOrder ? 1 : 0;
    m_counts.cost += solved.result.cost;
    m_counts.mostCost += solved.isTree ? solved.result.cost : solved.result.mostCost;
    const bool isLimited = solved.isShort && solved.result.leastCost >= solved.settings.maxCost;
    m_counts.outOfBudget += solved.result.overBudget && isLimited ? 1 : 0;
    m_counts.repairs += solved.result.energyRepaired > 0 ? 1 : 0;
    m_counts.uncoupled += solved.isUncoupled && !solved.isIdle ? elements : 0;
    m_counts.coupled += solved.network.contacts.empty() ? 0 : 1;
    m_counts.setChanges += solved.result.setChanges;
    m_counts.idle += solved.isIdle ? 1 : 0;
    m_counts.cutBack += solved.isCutBack ? 1 : 0;
    if (solved.result.steps > m_counts.worstSteps || m_counts.worstNetwork.empty()) {
        m_counts.worstSteps = solved.result.steps;
        ElementAccess::writeLabel(solved.element(0), m_counts.worstNetwork);
    }
}

void WorldTick::wakeSleepers(double h) {
    // Of the next tick; asked for itself, as the user may change what loads depend on before it.
    m_nextLoads.begin(loads, {}, {time, h, 0});
    for (const auto& load : loads) {
        const LoadTable::OfBody* next = m_nextLoads.find(load->body());
        // A load that steps with the next tick's end is constant in that one and in the next.
        const bool steps = next != nullptr && load->value(time + h).distance2(load->value(time)) > 0;
        if (next != nullptr && (steps || !next->isConstant())) load->body().activate();
    }
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
        const auto wakeIfMoved = [](btRigidBody& sleeper, const btRigidBody& other, const SavedBody* memory) {
            if (sleeper.getActivationState() == ISLAND_SLEEPING && !sleeper.isStaticOrKinematicObject() &&
                other.isStaticOrKinematicObject() && memory != nullptr && memory->known &&
                !isPoseRemembered(*memory, other)) {
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

void WorldTick::runCallbacks() {
    makeLoadChanges();
    std::vector<std::string> messages;
    messages.swap(m_messages);
    const std::function<void(const std::string&)> handler = messages.empty() ? nullptr : messageHandler;
    for (const std::string& message : messages) {
        if (handler) handler(message);
    }
    // What was called before one of them threw stays in front.
    std::sort(m_pending.begin() + static_cast<std::ptrdiff_t>(m_called), m_pending.end(),
              [](const PendingCallback& x, const PendingCallback& y) {
                  return std::tie(x.info.time, x.order) < std::tie(y.info.time, y.order);
              });
    while (m_called < m_pending.size()) {
        const PendingCallback pending = m_pending[m_called++];
        if (pending.element != nullptr) {
            // A copy: the callback may delete the element, and itself with it.
            const ForceElement::ContactCallback callback =
                ElementAccess::contactCallback(*pending.element, pending.begins);
            if (callback) {
                callback(*pending.element, pending.info);
            }
        } else if (pending.multiBodyElement != nullptr) {
            const MultiBodyElement::ContactCallback callback =
                ElementAccess::contactCallback(*pending.multiBodyElement, pending.begins);
            if (callback) {
                callback(*pending.multiBodyElement, pending.info);
            }
        }
    }
    m_pending.clear();
    m_called = 0;
    // What these defer runs after the next tick, and so does what stands behind one that throws.
    std::vector<std::function<void()>> deferred;
    deferred.swap(m_deferred);
    for (std::size_t i = 0; i < deferred.size(); ++i) {
        try {
            deferred[i]();
        } catch (...) {
            m_deferred.insert(m_deferred.begin(), deferred.begin() + static_cast<std::ptrdiff_t>(i + 1),
                              deferred.end());
            throw;
        }
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
