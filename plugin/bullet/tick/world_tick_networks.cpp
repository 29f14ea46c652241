// Each network of a group: whose its tick is, and what is gathered for it.

#include <algorithm>
#include <cstdio>

#include "contacts/contact_line.h"
#include "host/conversion.h"
#include "multibody/multibody_rows.h"
#include "network/body_cache.h"
#include "network/element_access.h"
#include "network/finite_check.h"
#include "network/idle_network.h"
#include "network/joint_feedback.h"
#include "network/multibody_tree.h"
#include "network/write_bodies.h"
#include "network/write_contacts.h"
#include "tick/tuning.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

bool isPowerOfTen(int number) {
    while (number % 10 == 0) number /= 10;
    return number == 1;
}

// What the solution cannot hold, in brackets; empty if that is contacts.
std::string refusalOf(const SolvedNetwork& solved, std::span<const RefusedJoint> refused) {
    for (const RefusedJoint& joint : refused) {
        for (const NetworkBody& entry : solved.bodies) {
            const int id = entry.body->getCompanionId();
            if (entry.isMovable && (id == joint.bodyA || id == joint.bodyB)) {
                return std::string(" (") + joint.reason + ")";
            }
        }
    }
    return {};
}

/// Bodies that are driven past a network are its own, too: what they meet within the tick is looked for.
void addDriven(std::span<btPersistentManifold* const> unwatched, std::vector<btRigidBody*>& others) {
    for (const btPersistentManifold* pair : unwatched) {
        for (const btCollisionObject* object : {pair->getBody0(), pair->getBody1()}) {
            if (!object->isKinematicObject()) continue;
            btRigidBody* body = btRigidBody::upcast(const_cast<btCollisionObject*>(object));
            if (body != nullptr) others.push_back(body);
        }
    }
}

/// The elements of a network that nobody was told of: from now on he was.
template <class Element>
std::vector<const Element*> newlyTold(const std::vector<Element*>& elements) {
    std::vector<const Element*> untold;
    for (Element* element : elements) {
        if (ElementAccess::hasWarned(*element)) continue;
        ElementAccess::setWarned(*element);
        untold.push_back(element);
    }
    return untold;
}

/// Of one element and of others of its network.
std::string labelOf(const ElementCommon& first, std::size_t others) {
    return others > 0 ? first.label() + " and " + std::to_string(others) + " more" : first.label();
}

}  // namespace

void WorldTick::warnUncoupled(const SolvedNetwork& solved) {
    const auto untold = newlyTold(solved.elements);
    if (untold.empty()) return;
    const bool isAlone = untold.size() == 1;
    callbacks.say(labelOf(*untold.front(), untold.size() - 1) + (isAlone ? " is" : " are") +
                  " solved uncoupled: a body of the network has contacts, or joints that the solution cannot hold" +
                  refusalOf(solved, m_plan.refusedJoints()) + (isAlone ? "; it acts" : "; they act") +
                  " with the free bodies' impulse, and rebounds may be lost");
}

void WorldTick::warnInexact(const SolvedNetwork& solved) {
    const TickGrade grade = solved.grade();
    // What was asked for needs no word, and of uncoupled networks more is said elsewhere.
    if (grade.grade == Grade::Exact || grade.cause == GradeCause::Asked || grade.cause == GradeCause::Uncoupled) return;
    if (solved.elementCount() == 0) return;
    bool isNew = false;
    int ticks = 0;
    for (std::size_t e = 0; e < solved.elementCount(); ++e) {
        ElementCommon& element = solved.element(e);
        isNew |= ElementAccess::saysOnce(element, grade.cause);
        ticks = std::max(ticks, ++ElementAccess::inexactTicks(element));
    }
    const bool isMany = ticks >= kManyTicks && isPowerOfTen(ticks);
    if (!isNew && !isMany) return;
    const std::size_t others = solved.elementCount() - 1;
    std::string text = labelOf(solved.element(0), others);
    if (grade.grade == Grade::Failed) {
        text += others == 0 ? " was not solved in a tick: " : " were not solved in a tick: ";
    } else {
        char error[32];
        std::snprintf(error, sizeof error, "%.2g", grade.error);
        text += others == 0 ? " is approximate" : " are approximate";
        text += std::string(", by ") + error + " m (rad) in a tick: ";
    }
    text += textOf(grade.cause);
    text += std::string("; ") + remedyOf(grade.cause);
    if (isMany) text += " (" + std::to_string(ticks) + " ticks so far)";
    callbacks.say(text);
}

// Modelica warns there, too.
void WorldTick::warnShortLines(const SolvedNetwork& solved) {
    for (std::size_t e = 0; e < solved.elements.size(); ++e) {
        const FlowElement& flow = solved.network.elements[e];
        const double length = solved.result.elements[e].s;
        if (flow.geometry != Geometry::AlongLine || length >= flow.s_small) continue;
        if (!ElementAccess::saysShortOnce(*solved.elements[e])) continue;
        char text[192];
        std::snprintf(text, sizeof text,
                      ": its line is %.3g m long at the end of a tick, shorter than s_small = %.3g m, where its "
                      "direction is lost: its force fades with its length there",
                      length, flow.s_small);
        callbacks.say(solved.elements[e]->label() + text);
    }
}

void WorldTick::warnDeepLinks(const std::vector<ContactPoint>& contacts) {
    for (const ContactPoint& point : contacts) {
        // Bullet shows kinematic bodies where they end.
        const bool isDriven = point.bodyA->isKinematicObject() || point.bodyB->isKinematicObject();
        if (isDriven || std::isfinite(point.contact.stiffness)) continue;
        const double depth = -gapOf(point.contact, poseOf(*point.bodyA), poseOf(*point.bodyB));
        if (depth <= kDeepLink) continue;
        for (const btCollisionObject* object : {point.bodyA, point.bodyB}) {
            int link = -1;
            const btMultiBody* body = multiBodyOf(*object, link);
            MultiBodyTable::Entry* entry = body != nullptr ? m_multiBodies.find(*body) : nullptr;
            if (entry == nullptr) continue;
            entry->isDeepSaid.resize(static_cast<std::size_t>(body->getNumLinks()) + 1);
            char& isSaid = entry->isDeepSaid[static_cast<std::size_t>(link + 1)];
            if (isSaid) continue;
            isSaid = 1;
            char depthText[32];
            std::snprintf(depthText, sizeof depthText, "%.2g", depth);
            callbacks.say(
                nameOfLink(*body, link) + " was found " + depthText +
                " m inside what it touches, where nothing had seen it come; it is moved apart, but what it "
                "should have done meanwhile is lost; more ticks per second help, and bodies that start apart");
        }
    }
}

std::shared_ptr<SolvedNetwork> WorldTick::freshNetwork() {
    const std::size_t index = m_networks.size();
    if (index >= m_pool.size()) {
        m_pool.push_back(std::make_shared<SolvedNetwork>());
    } else if (m_pool[index].use_count() > 1) {  // elements that were not solved since keep theirs
        m_pool[index] = std::make_shared<SolvedNetwork>();
    }
    m_pool[index]->tick = results.totals.ticks;
    m_pool[index]->isUncoupled = false;
    m_pool[index]->isIdle = false;
    m_pool[index]->completesContacts = false;
    m_pool[index]->isCutBack = false;
    m_pool[index]->cutEnergy = 0;
    return m_pool[index];
}

void WorldTick::addNetwork(std::shared_ptr<SolvedNetwork> solved, const UncoupledTick& uncoupled) {
    m_networks.push_back(std::move(solved));
    m_uncoupled.push_back(uncoupled);
}

Accuracy WorldTick::accuracyOf(const NetworkPlan& plan) const {
    std::optional<Accuracy> most;
    const auto look = [&](const ElementCommon& element) {
        const Accuracy its = element.accuracy().value_or(settings.flow.accuracy);
        most = most ? std::min(*most, its) : its;
    };
    for (const ForceElement* element : plan.parts.elements) look(*element);
    for (const MultiBodyElement* element : plan.parts.multiBodyElements) look(*element);
    return most.value_or(settings.flow.accuracy);
}

/// Whether Bullet keeps the network, for nothing in it can act within the tick.
Idleness WorldTick::idlenessOf(NetworkPlan& plan, SolvedNetwork& solved) {
    const Idleness idleness = m_plan.idlenessOf(plan, solved);
    if (idleness != Idleness::Idle) return idleness;
    m_plan.findRememberedContacts(plan);
    // Where Bullet has dropped a corner that bears it would tip what stands there.
    solved.completesContacts =
        settings.keepsContacts && !m_plan.isLarge(plan) && m_contactCache.lacksPoints(plan.contacts);
    return solved.completesContacts ? Idleness::Active : idleness;
}

void WorldTick::solveNetwork(SolverGroup& group, NetworkPlan& plan) {
    const std::vector<ForceElement*>& elements = plan.parts.elements;
    for (ForceElement* element : elements) {
        ElementAccess::setHome(*element, weak_from_this());
        ElementAccess::releaseTick(*element);
    }
    const bool hasMultiBodies = !plan.parts.multiBodies.empty();
    const Accuracy accuracy = accuracyOf(plan);
    bool coupled = true;
    if (hasMultiBodies) {
        m_plan.findContacts(plan);
        warnDeepLinks(plan.contacts);
        coupled = m_plan.isCoupled(plan);
        if (!coupled) dropMultiBodies(plan);
        if (plan.parts.isEmpty()) return;
    }
    const std::shared_ptr<SolvedNetwork> solved = freshNetwork();
    EnergyBetweenTicks between = gather(elements, loads.ofTick(), m_tickTime, *solved);
    solved->h = m_tickTime.h;
    solved->settings = settings.flow;
    solved->settings.accuracy = accuracy;
    const Idleness idleness = idlenessOf(plan, *solved);
    if (idleness != Idleness::Idle && !hasMultiBodies) {
        m_plan.findContacts(plan);
        coupled = m_plan.isCoupled(plan);
    }
    const bool isLeft = coupled && accuracy == Accuracy::Uncoupled && !hasMultiBodies && !plan.contacts.empty();
    coupled = coupled && !isLeft;
    solved->isIdle = idleness == Idleness::Idle || (idleness == Idleness::IfUncoupled && !coupled);
    solved->isUncoupled = solved->isIdle || !coupled;
    if (solved->isUncoupled && plan.parts.isEmpty()) {
        if (solved->isIdle) warmStart(group, m_contactCache.resume(plan.contacts));
        return;
    }
    UncoupledTick uncoupled;
    if (solved->isUncoupled) {
        uncoupled = limitForces(*solved);
    } else {
        between += gatherAll(plan, *solved);
    }
    if (solved->isUncoupled && !solved->isIdle && !isLeft) warnUncoupled(*solved);
    solved->between = between;
    if (settings.refusal == Refusal::SwitchOff) requireFiniteBodies(*solved);
    const std::size_t index = m_networks.size();
    addNetwork(solved, uncoupled);
    if (!solved->isUncoupled) {
        m_queue.wait(index);
        for (const HeldJoint* held : plan.joints) {
            noteRows(group, *held, *solved);
            disable(group, *held);
        }
        for (const NetworkBody& entry : solved->bodies) {
            if (entry.isMovable) m_plan.owned()[static_cast<std::size_t>(entry.body->getCompanionId())] = 1;
        }
        return;
    }
    if (solved->isIdle) {
        warmStart(group, m_contactCache.resume(plan.contacts));
        setIdleResult(*solved);
    } else {
        m_queue.solveNow(index);
    }
    noteSolved(*solved);
    if (!solved->isIdle) addImpulses(*solved, m_uncoupled.back(), *group.solverBodies);
}

// Bullet keeps these multibodies, and elements on them do not act.
void WorldTick::dropMultiBodies(NetworkPlan& plan) {
    const auto untold = newlyTold(plan.parts.multiBodyElements);
    if (!untold.empty()) {
        const char* why = nullptr;
        for (const btMultiBody* body : plan.parts.multiBodies) {
            if (why == nullptr) why = m_plan.refusalOf(*body, plan);
        }
        callbacks.say(labelOf(*untold.front(), untold.size() - 1) +
                      (untold.size() == 1 ? " does not act: its multibody" : " do not act: their multibody") +
                      ", or what that touches, has what the solution cannot hold (" +
                      (why != nullptr ? why : "a rigid body with joints or contacts that it does not know") + ")");
    }
    m_counts.uncoupled += static_cast<int>(plan.parts.multiBodyElements.size());
    m_counts.networksPerCause[static_cast<std::size_t>(GradeCause::Uncoupled)] += 1;
    plan.parts.multiBodyElements.clear();
    plan.parts.multiBodies.clear();
}

EnergyBetweenTicks WorldTick::gatherAll(NetworkPlan& plan, SolvedNetwork& solved) {
    const std::vector<JointBound>& bounds = m_multiBodyTick.bounds();
    m_ownedMultiBodies.insert(m_ownedMultiBodies.end(), plan.parts.multiBodies.begin(), plan.parts.multiBodies.end());
    solved.multi.isTree = !plan.parts.multiBodies.empty() && GroupPlan::isTree(plan);
    if (solved.multi.isTree) {
        EnergyBetweenTicks between = gatherTrees(plan.parts, bounds, m_multiBodies, m_tickTime, solved);
        m_others.clear();
        addDriven(plan.unwatched, m_others);
        between += gatherTies({}, {}, m_others, m_bodyTable, loads.ofTick(), m_tickTime, solved);
        solved.unwatched = plan.unwatched;
        return between;
    }
    m_contactCache.slacken(plan.contacts);
    m_contactCache.recogniseRest(plan.contacts);
    putOnLines(plan.contacts);
    if (settings.keepsContacts) {
        const std::span<const ContactPoint> corners = m_faceCorners.addTo(plan.contacts, m_world->getSolverInfo());
        m_contactCache.noteAdded(corners);
        m_counts.remembered += static_cast<int>(corners.size());
        m_counts.remembered += m_contactCache.recall(plan.contacts);
        m_pointsBetween.leaveOut(plan.contacts);
    }
    m_contactCache.reopen(plan.contacts);
    m_contactCache.carryCreep(plan.contacts);
    EnergyBetweenTicks between = gatherMultiBodies(plan.parts, bounds, m_multiBodies, m_tickTime, solved);
    // Bodies that fly are the network's also where nothing touches them yet.
    const std::vector<btRigidBody*>& flying = plan.parts.freeBodies;
    std::vector<btRigidBody*>& others = m_others;
    others.clear();
    if (!plan.parts.multiBodyElements.empty()) others = rigidFlanges(plan.parts.multiBodyElements);
    others.insert(others.end(), flying.begin(), flying.end());
    addDriven(plan.unwatched, others);
    between += gatherTies(plan.joints, plan.contacts, others, m_bodyTable, loads.ofTick(), m_tickTime, solved);
    between += placeOnRigidBodies(solved);
    solved.unwatched = plan.unwatched;
    return between;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
