// Which elements, joints and contacts of a group belong together, and whose their tick is.
//
// Most piles with an element in them are Bullet's own. So what touches is found first, and how fast it moves; a
// network's contacts only if it needs them.

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cstddef>

#include "host/prefetch.h"
#include "network/element_access.h"
#include "tick/world_tick.h"

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

void WorldTick::findRows(const SolverGroup& group, double h) {
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
    if (!m_elements.empty()) {
        findJoints(group, h, m_joints);
    }
    for (const RefusedJoint& joint : m_joints.refused) {
        mark(joint.bodyA);
        mark(joint.bodyB);
    }
    findForeseen();
    m_contacts.begin(group, *m_world, !m_multiBodyParts.elements.empty(), m_isForeseen);
    m_motions.clear();
    m_hasManifolds = false;
    m_hasRemembered = false;
}

// Bodies on elements, and those that joints tie to them: what they come at is to be met when they do. Others, however
// many lie in a heap with them, are met as Bullet finds them.
void WorldTick::findForeseen() {
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
}

void WorldTick::markOthers() {
    for (const btCollisionObject* other : m_contacts.others()) {
        if (isMovable(*other)) m_hasRows[static_cast<std::size_t>(other->getCompanionId())] = 1;
    }
}

// @param untilIdle no more than tell that the group may be one network that is idle, which is as large as that
void WorldTick::lookAtContacts(bool untilIdle) {
    constexpr int kIdle = static_cast<int>(NetworkMotion::kMostFollowed);
    std::size_t known = m_contacts.pairs().size();
    while (!(untilIdle && m_builder.isOneLarger(kIdle)) && m_contacts.lookOn()) {
        m_builder.touch(std::span(m_contacts.pairs()).subspan(known));
        known = m_contacts.pairs().size();
    }
    markOthers();
}

std::span<WorldTick::Plan> WorldTick::planNetworks() {
    m_builder.begin(*m_world, m_elements, m_joints.held, m_multiBodyParts);
    const bool hasElements = !m_elements.empty() || !m_multiBodyParts.elements.empty();
    if (hasElements) lookAtContacts(m_multiBodyParts.elements.empty() && m_contactMemory.isEmpty());
    std::size_t count = 0;
    for (const NetworkParts& parts : m_builder.finish()) {
        if (m_plans.size() == count) m_plans.emplace_back();
        Plan& plan = m_plans[count];
        plan.network = static_cast<int>(count++);
        plan.parts = parts;
        plan.contacts.clear();
    }
    const std::span<Plan> plans(m_plans.data(), count);
    planJoints(plans);
    return plans;
}

// In their order. @param plans of consecutive networks
void WorldTick::planJoints(std::span<Plan> plans) {
    for (Plan& plan : plans) plan.joints.clear();
    for (const HeldJoint* held : m_joints.held) {
        const int network = std::max(m_builder.networkOf(held->joint->getRigidBodyA()),
                                     m_builder.networkOf(held->joint->getRigidBodyB()));
        if (network >= 0) plans[static_cast<std::size_t>(network)].joints.push_back(held);
    }
}

// What was left is of the only network, or of none.
void WorldTick::lookAtAllContacts(Plan& plan) {
    if (m_contacts.isComplete()) return;
    lookAtContacts(false);
    m_motions.clear();
    planJoints({&plan, 1});
}

void WorldTick::lookAtMotions(const SolverGroup& group, const TickTime& tickTime) {
    const std::size_t networks = m_builder.networks().size();
    m_motions.assign(networks + 1, NetworkMotion(m_loadTable, tickTime.h));
    const btAlignedObjectArray<btSolverBody>& bodies = *group.solverBodies;
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

Idleness WorldTick::idlenessOf(const SolverGroup& group, Plan& plan, const SolvedNetwork& solved,
                               const TickTime& tickTime) {
    if (!plan.parts.isTouched || !plan.parts.multiBodies.empty() || !areGapsOpen(solved)) return Idleness::Active;
    for (;;) {
        if (m_motions.empty()) lookAtMotions(group, tickTime);
        NetworkMotion known = m_motions[static_cast<std::size_t>(plan.network)];
        for (const NetworkBody& entry : solved.bodies) known.add(*entry.body);
        for (const HeldJoint* held : plan.joints) known.add(*held);
        NetworkMotion most = known;
        if (!m_contacts.isComplete()) {
            most.add(m_motions.back());
            for (const HeldJoint* held : m_joints.held) most.add(*held);
        }
        if (const auto idleness = elasto::idlenessOf(solved, known, most, tickTime.h)) return *idleness;
        lookAtAllContacts(plan);
    }
}

// And what else touches its bodies, of which nothing is known until then.
void WorldTick::findContacts(const SolverGroup& group, Plan& plan) {
    lookAtAllContacts(plan);
    if (!m_hasManifolds) {
        m_hasManifolds = true;
        m_manifolds.resize(std::max(m_manifolds.size(), m_builder.networks().size()));
        for (Manifolds& manifolds : m_manifolds) manifolds.clear();
        for (btPersistentManifold* manifold : group.manifolds) {
            const int a = m_builder.networkOf(*manifold->getBody0());
            const int b = m_builder.networkOf(*manifold->getBody1());
            if (a >= 0) m_manifolds[static_cast<std::size_t>(a)].push_back(manifold);
            if (b >= 0 && b != a) m_manifolds[static_cast<std::size_t>(b)].push_back(manifold);
        }
    }
    m_contacts.findPoints(m_manifolds[static_cast<std::size_t>(plan.network)], plan.contacts);
    markOthers();
}

// Those of an idle network, with what Bullet is to begin.
void WorldTick::findRememberedContacts(const SolverGroup& group, Plan& plan) {
    if (m_contactMemory.isEmpty()) return;
    if (!m_hasRemembered) {
        m_hasRemembered = true;
        m_remembered.clear();
        for (btPersistentManifold* manifold : group.manifolds) {
            if (m_contactMemory.has(*manifold->getBody0(), *manifold->getBody1())) m_remembered.push_back(manifold);
        }
    }
    m_rememberedOfOne.clear();
    for (btPersistentManifold* manifold : m_remembered) {
        const int a = m_builder.networkOf(*manifold->getBody0());
        const int b = m_builder.networkOf(*manifold->getBody1());
        if (std::max(a, b) == plan.network) m_rememberedOfOne.push_back(manifold);
    }
    m_contacts.findPoints(m_rememberedOfOne, plan.contacts);
}

// The flow knows all that acts on the network's bodies.
bool WorldTick::isCoupled(const Plan& plan) const {
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
           std::all_of(plan.parts.multiBodies.begin(), plan.parts.multiBodies.end(),
                       [&](const btMultiBody* body) { return refusalOf(*body, plan) == nullptr; });
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
