// Which elements, joints and contacts of a group belong together, and whose their tick is.
//
// Most piles with an element in them are Bullet's own. So what touches is found first, and how fast it moves; a
// network's contacts only if it needs them.

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cstddef>

#include "host/prefetch.h"
#include "network/element_access.h"
#include "network/multibody_tree.h"
#include "network/uncoupled.h"
#include "tick/group_plan.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr std::ptrdiff_t kFetched = 128;  // bytes

// Flags, place in the world and shape of a body; they follow what can be named.
void fetchPlace(const btRigidBody* body) {
    if (body == nullptr) return;
    const auto* end = reinterpret_cast<const char*>(&body->getAnisotropicFriction() + 1);
    fetch(end, end + kFetched);
}

void fetchShape(const btRigidBody* body) {
    if (body == nullptr || body->getCollisionShape() == nullptr) return;
    const auto* shape = reinterpret_cast<const char*>(body->getCollisionShape());
    fetch(shape, shape + kFetched);
}

}  // namespace

void GroupPlan::begin(SolverGroup& group, btDiscreteDynamicsWorld& world, double h) {
    m_group = &group;
    m_world = &world;
    m_h = h;
    m_elements.clear();
    for (btTypedConstraint* constraint : group.constraints) {
        ForceElement* element = elementOf(constraint);
        if (element != nullptr && element->isEnabled()) m_elements.push_back(element);
    }
}

void GroupPlan::findRows(const BodyTable& table, Flights flights) {
    const SolverGroup& group = *m_group;
    m_freeBodies.find(group, table, flights);
    m_hasRows.assign(static_cast<std::size_t>(group.solverBodies->size()), 0);
    m_isOwned.assign(m_hasRows.size(), 0);
    const auto mark = [&](int solverBody) {
        if (solverBody >= 0) {
            m_hasRows[static_cast<std::size_t>(solverBody)] = 1;
        }
    };
    for (const int solverBody : group.multiBodyPartners) {
        mark(solverBody);
    }
    m_joints.clear();
    if (!m_elements.empty() || (flights == Flights::All && !m_freeBodies.isEmpty())) {
        findJoints(group, m_h, m_joints);
    }
    for (const RefusedJoint& joint : m_joints.refused) {
        mark(joint.bodyA);
        mark(joint.bodyB);
    }
    findForeseen(flights);
    const MultiBodyParts& parts = m_multiBodies.parts();
    const std::span<btMultiBody* const> multiBodies(parts.bodies);
    m_contacts.begin(group, *m_world, parts.elements.empty() ? multiBodies.first(0) : multiBodies, m_isForeseen,
                     m_cache);
    m_motions.clear();
    m_hasManifolds = false;
    m_hasRemembered = false;
}

// Bodies on elements, those that joints tie to them, and those that fly: what they come at is to be met when they do.
// Others, however many lie in a heap with them, are met as Bullet finds them, and so are those that have left a network
// where Bullet is to have all that flies.
void GroupPlan::findForeseen(Flights flights) {
    m_isForeseen.assign(m_hasRows.size(), 0);
    const auto place = [&](const btRigidBody& body) -> char* {
        const bool isOne = isMovable(body) && body.getCompanionId() >= 0;
        return isOne ? &m_isForeseen[static_cast<std::size_t>(body.getCompanionId())] : nullptr;
    };
    for (const ForceElement* element : m_elements) {
        ElementAccess::forEachBody(*element, [&](const btRigidBody& body) {
            if (char* isForeseen = place(body)) *isForeseen = 1;
        });
    }
    for (bool isMore = true; isMore;) {
        isMore = false;
        for (const HeldJoint* held : m_joints.held) {
            char* a = place(held->joint->getRigidBodyA());
            char* b = place(held->joint->getRigidBodyB());
            if (a == nullptr || b == nullptr || *a == *b) continue;
            *a = *b = 1;
            isMore = true;
        }
    }
    if (flights != Flights::All) return;
    for (const btRigidBody* body : m_freeBodies.bodies()) *place(*body) = 1;
}

void GroupPlan::markOthers() {
    for (const btCollisionObject* other : m_contacts.others()) {
        if (isMovable(*other)) m_hasRows[static_cast<std::size_t>(other->getCompanionId())] = 1;
    }
}

// @param untilIdle no more than tell that the group may be one network that is idle, which is as large as that
void GroupPlan::lookAtContacts(bool untilIdle) {
    constexpr int kIdle = static_cast<int>(kMostFollowed);
    std::size_t known = m_contacts.pairs().size(), near = m_contacts.nearPairs().size();
    while (!(untilIdle && m_builder.isOneLarger(kIdle)) && m_contacts.lookOn()) {
        m_builder.touch(std::span(m_contacts.pairs()).subspan(known));
        known = m_contacts.pairs().size();
        m_builder.approach(std::span(m_contacts.nearPairs()).subspan(near));
        near = m_contacts.nearPairs().size();
    }
    markOthers();
}

std::span<NetworkPlan> GroupPlan::networks() {
    m_builder.begin(*m_world, m_elements, m_joints.held, m_multiBodies.parts(), m_freeBodies.bodies());
    if (hasElements() || !m_freeBodies.isEmpty()) {
        lookAtContacts(m_multiBodies.parts().elements.empty() && m_cache.isEmpty());
    }
    std::size_t count = 0;
    for (const NetworkParts& parts : m_builder.finish()) {
        if (m_plans.size() == count) m_plans.emplace_back();
        NetworkPlan& plan = m_plans[count];
        plan.network = static_cast<int>(count++);
        plan.parts = parts;
        plan.contacts.clear();
        plan.unwatched.clear();
    }
    const std::span<NetworkPlan> plans(m_plans.data(), count);
    planJoints(plans);
    return plans;
}

// In their order. @param plans of consecutive networks
void GroupPlan::planJoints(std::span<NetworkPlan> plans) {
    for (NetworkPlan& plan : plans) plan.joints.clear();
    for (const HeldJoint* held : m_joints.held) {
        const int network = std::max(m_builder.networkOf(held->joint->getRigidBodyA()),
                                     m_builder.networkOf(held->joint->getRigidBodyB()));
        if (network >= 0) plans[static_cast<std::size_t>(network)].joints.push_back(held);
    }
}

// What was left is of the only network, or of none.
void GroupPlan::lookAtAllContacts(NetworkPlan& plan) {
    if (m_contacts.isComplete()) return;
    lookAtContacts(false);
    m_motions.clear();
    planJoints({&plan, 1});
}

void GroupPlan::lookAtMotions() {
    const std::size_t networks = m_builder.networks().size();
    m_motions.assign(networks + 1, NetworkMotion(m_loads, m_h));
    const btAlignedObjectArray<btSolverBody>& bodies = *m_group->solverBodies;
    const int ahead = static_cast<int>(kFetchAhead);
    for (int i = 0; i < bodies.size(); ++i) {
        if (i + 2 * ahead < bodies.size()) fetchPlace(bodies[i + 2 * ahead].m_originalBody);
        if (i + ahead < bodies.size()) fetchShape(bodies[i + ahead].m_originalBody);
        const btRigidBody* body = bodies[i].m_originalBody;
        if (body == nullptr) continue;
        const int network = m_builder.networkOf(*body);
        m_motions[network >= 0 ? static_cast<std::size_t>(network) : networks].add(bodies[i]);
    }
    for (const TouchingPair& pair : m_contacts.pairsWithDriven()) {
        const int network = std::max(m_builder.networkOf(*pair.a), m_builder.networkOf(*pair.b));
        if (network < 0) continue;
        m_motions[static_cast<std::size_t>(network)].add(*pair.a);
        m_motions[static_cast<std::size_t>(network)].add(*pair.b);
    }
}

Idleness GroupPlan::idlenessOf(NetworkPlan& plan, const SolvedNetwork& solved) {
    if (!plan.parts.isTouched || !plan.parts.multiBodies.empty() || !areGapsOpen(solved)) return Idleness::Active;
    for (;;) {
        if (m_motions.empty()) lookAtMotions();
        NetworkMotion known = m_motions[static_cast<std::size_t>(plan.network)];
        for (const NetworkBody& entry : solved.bodies) known.add(*entry.body);
        for (const HeldJoint* held : plan.joints) known.add(*held);
        NetworkMotion most = known;
        if (!m_contacts.isComplete()) {
            most.add(m_motions.back());
            for (const HeldJoint* held : m_joints.held) most.add(*held);
        }
        if (const auto idleness = elasto::idlenessOf(solved, known, most, m_h)) return *idleness;
        lookAtAllContacts(plan);
    }
}

void GroupPlan::findContacts(NetworkPlan& plan) {
    lookAtAllContacts(plan);
    if (!m_hasManifolds) {
        m_hasManifolds = true;
        m_manifolds.resize(std::max(m_manifolds.size(), m_builder.networks().size()));
        for (Manifolds& manifolds : m_manifolds) manifolds.clear();
        for (btPersistentManifold* manifold : m_contacts.manifolds()) {
            const int a = m_builder.networkOf(*manifold->getBody0());
            const int b = m_builder.networkOf(*manifold->getBody1());
            if (a >= 0) m_manifolds[static_cast<std::size_t>(a)].push_back(manifold);
            if (b >= 0 && b != a) m_manifolds[static_cast<std::size_t>(b)].push_back(manifold);
        }
    }
    m_contacts.findPoints(m_manifolds[static_cast<std::size_t>(plan.network)], lostOf(plan), plan.contacts,
                          plan.unwatched);
    markOthers();
}

std::span<const TouchingPair> GroupPlan::lostOf(const NetworkPlan& plan) {
    m_lostOfOne.clear();
    for (const TouchingPair& lost : m_contacts.lostPairs()) {
        if (std::max(m_builder.networkOf(*lost.a), m_builder.networkOf(*lost.b)) == plan.network) {
            m_lostOfOne.push_back(lost);
        }
    }
    return m_lostOfOne;
}

void GroupPlan::findRememberedContacts(NetworkPlan& plan) {
    if (m_cache.isEmpty()) return;
    if (!m_hasRemembered) {
        m_hasRemembered = true;
        m_remembered.clear();
        for (btPersistentManifold* manifold : m_group->manifolds) {
            if (m_cache.has(*manifold->getBody0(), *manifold->getBody1())) m_remembered.push_back(manifold);
        }
    }
    m_rememberedOfOne.clear();
    for (btPersistentManifold* manifold : m_remembered) {
        const int a = m_builder.networkOf(*manifold->getBody0());
        const int b = m_builder.networkOf(*manifold->getBody1());
        if (std::max(a, b) == plan.network) m_rememberedOfOne.push_back(manifold);
    }
    m_contacts.findPoints(m_rememberedOfOne, lostOf(plan), plan.contacts, plan.unwatched);
}

bool GroupPlan::isCoupled(const NetworkPlan& plan) const {
    // What flies takes along what it meets, but no machines.
    if (plan.parts.isEmpty() && !(plan.joints.empty() && plan.parts.multiBodies.empty())) return false;
    const std::vector<ForceElement*>& elements = plan.parts.elements;
    const auto isFree = [&](const btCollisionObject& body) {
        return !isMovable(body) || m_hasRows[static_cast<std::size_t>(body.getCompanionId())] == 0;
    };
    const auto areFree = [&](const btTypedConstraint& link) {
        return isFree(link.getRigidBodyA()) && isFree(link.getRigidBodyB());
    };
    return std::all_of(elements.begin(), elements.end(),
                       [&](const ForceElement* element) {
                           return areFree(*element) && isFree(element->placement().carrier()) && !isLimited(*element);
                       }) &&
           std::all_of(plan.joints.begin(), plan.joints.end(),
                       [&](const HeldJoint* held) { return areFree(*held->joint); }) &&
           std::all_of(plan.contacts.begin(), plan.contacts.end(),
                       [&](const ContactPoint& point) { return isFree(*point.bodyA) && isFree(*point.bodyB); }) &&
           std::all_of(plan.parts.freeBodies.begin(), plan.parts.freeBodies.end(),
                       [&](const btRigidBody* body) { return isFree(*body); }) &&
           std::all_of(plan.parts.multiBodies.begin(), plan.parts.multiBodies.end(),
                       [&](const btMultiBody* body) { return refusalOf(*body, plan) == nullptr; });
}

bool GroupPlan::isTree(const NetworkPlan& plan) {
    return elasto::isTree(plan.parts, !plan.joints.empty() || !plan.contacts.empty());
}

const char* GroupPlan::refusalOf(const btMultiBody& body, const NetworkPlan& plan) const {
    if (const char* why = m_multiBodies.refusalOf(body)) return why;
    for (const btCollisionObject* other : m_contacts.others()) {
        int link = -1;
        if (multiBodyOf(*other, link) == &body) return "a contact that it cannot solve";
    }
    return isTree(plan) ? nullptr : whyNotInFlow(body);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
