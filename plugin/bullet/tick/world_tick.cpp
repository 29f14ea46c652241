#include "tick/world_tick.h"

#include <LinearMath/btIDebugDraw.h>

#include <algorithm>
#include <cmath>

#include "contacts/closed_pairs.h"
#include "contacts/fast_contacts.h"
#include "host/conversion.h"
#include "host/prefetch.h"
#include "host/tick_rollback.h"
#include "network/body_cache.h"
#include "network/element_access.h"
#include "network/multibody_tree.h"
#include "tick/debug_draw.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// Adds what multibodies and their elements have.
void addEnergy(const btMultiBodyDynamicsWorld& world, const MultiBodyTable& table, EnergyBook& book) {
    for (int i = 0; i < world.getNumMultiBodyConstraints(); ++i) {
        auto* constraint = const_cast<btMultiBodyConstraint*>(world.getMultiBodyConstraint(i));
        const MultiBodyElement* element = elementOf(constraint);
        if (element == nullptr || !element->isEnabled()) continue;
        book.stored += element->storedEnergy();
        const auto* drive = std::get_if<Drive>(&element->placing());
        if (drive == nullptr) continue;
        const std::vector<BodyState> links = linkStates(*drive->body, table.presentState(*drive->body));
        book.kinetic += rotorEnergy(*drive, element->motorSpeed(), links);
    }
    for (int i = 0; i < world.getNumMultibodies(); ++i) {
        const btMultiBody& body = *world.getMultiBody(i);
        if (table.find(body) != nullptr) {
            book.kinetic += kineticEnergy(body, linkStates(body, table.presentState(body)));
        }
    }
}

}  // namespace

void WorldTick::install() {
    m_solver.emplace(*m_world, *this);
    m_islandManager.emplace(*m_world, [this] {
        const TickRollback rollback(*m_world);
        insist([this] { checkNewElements(); });  // before Bullet joins the islands of bodies that it may not have
        m_islands.hideConstraints(*m_world, *this);
    });
    m_action.emplace(*m_world, *this);
}

void WorldTick::uninstall() {
    abandonTick();
    watcher.reset();  // while the world is known
    m_action.reset();
    m_islandManager.reset();
    m_solver.reset();
    m_world = nullptr;
    callbacks.clear();
}

void WorldTick::solverDestroyed() {
    if (m_solver) {
        m_solver->worldIsGone();
    }
    if (m_action) {
        m_action->worldIsGone();
    }
    m_unmoved.forget();
    m_world = nullptr;
}

void WorldTick::forget(ForceElement& element) {
    m_islands.forget(element);
    callbacks.forget(element);
}

std::uint64_t WorldTick::destroyed() const {
    return ElementAccess::destroyed().load();
}

bool WorldTick::mayTakeSingle(btTypedConstraint& constraint) {
    ForceElement* element = elementOf(&constraint);
    if (element == nullptr || element->placement().isGearPair()) return false;
    const btRigidBody& world = Placement::world();
    if (&element->getRigidBodyA() != &world && &element->getRigidBodyB() != &world) return false;
    ElementAccess::setHome(*element, weak_from_this());  // which is told when it is destroyed
    return true;
}

bool WorldTick::mayTouch(const btPersistentManifold& manifold, const btContactSolverInfo& info) {
    const btCollisionObject& a = *manifold.getBody0();
    const btCollisionObject& b = *manifold.getBody1();
    return manifold.getNumContacts() > 0 || touchesWithin(manifold, info) || isClosed(a, b, info, false) ||
           m_contactCache.has(a, b);
}

void WorldTick::fetchSingle(btTypedConstraint& later, btTypedConstraint& soon) {
    if (m_islands.wereHidden()) {
        ElementAccess::fetchState(static_cast<ForceElement&>(later));
        if (ElementAccess::hasRecord(static_cast<ForceElement&>(soon))) {
            fetch(ElementAccess::singleRecord(static_cast<ForceElement&>(soon)));
        }
    } else {
        fetch(later);
    }
    const bool isBodyA = &soon.getRigidBodyB() == &Placement::world();
    fetchForTick(isBodyA ? soon.getRigidBodyA() : soon.getRigidBodyB());
}

// Solved before all networks: what the world's budget leaves to whom does not touch it, for there is nothing to save.
bool WorldTick::takeSingle(btTypedConstraint& constraint, btCollisionObject& islandsBody) {
    // What was hidden is known to be an element.
    ForceElement* element = m_islands.wereHidden() ? static_cast<ForceElement*>(&constraint) : elementOf(&constraint);
    btRigidBody* body = element != nullptr ? singleBody(*element) : nullptr;
    // Loads are functions of the user's, which networks know how to ask.
    if (body == nullptr || body != &islandsBody || loads.isLoaded(*body)) return false;
    if (!(m_tickTime.h > 0) || !std::isfinite(m_tickTime.h)) return false;  // networks refuse such ticks
    const bool hasLatency = m_world->getLatencyMotionStateInterpolation();
    const double cost = m_singles.take(*element, *body, settings.restThresholds, hasLatency);
    if (cost < 0) return false;
    m_queue.spend(cost);
    return true;
}

EnergyBook WorldTick::energyNow() const {
    EnergyBook book = results.energy;
    book.kinetic = 0;
    book.stored = 0;
    if (m_world == nullptr) {
        return book;
    }
    std::vector<const btRigidBody*> counted;
    const auto count = [&](const btRigidBody& body, const SavedBody& cache) {
        if (!body.isStaticOrKinematicObject() && std::find(counted.begin(), counted.end(), &body) == counted.end()) {
            counted.push_back(&body);
            book.kinetic += kineticEnergy(massOf(body), presentState(cache, body));
        }
    };
    for (int i = 0; i < m_world->getNumConstraints(); ++i) {
        ForceElement* element = elementOf(m_world->getConstraint(i));
        if (element != nullptr && element->isEnabled()) {
            book.stored += element->storedEnergy();
            ElementAccess::forEachBody(*element, count);
        }
    }
    const btCollisionObjectArray& objects = m_world->getCollisionObjectArray();
    for (int i = 0; i < objects.size(); ++i) {
        const btRigidBody* body = btRigidBody::upcast(objects[i]);
        const SavedBody* cache = body != nullptr ? m_bodyTable.find(*body) : nullptr;
        if (cache != nullptr) {
            count(*body, *cache);
        }
    }
    if (const btMultiBodyDynamicsWorld* world = multiBodyWorld(m_world)) addEnergy(*world, m_multiBodies, book);
    return book;
}

void WorldTick::debugDraw(btIDebugDraw* drawer) {
    for (int i = 0; i < m_world->getNumConstraints(); ++i) {
        if (const ForceElement* element = elementOf(m_world->getConstraint(i))) {
            drawElement(*element, *drawer);
        }
    }
    if ((drawer->getDebugMode() & btIDebugDraw::DBG_DrawContactPoints) != 0) {
        for (const Eigen::Vector3d& place : m_contactCache.places()) {
            drawRememberedContact(toBullet(place), *drawer);
        }
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
