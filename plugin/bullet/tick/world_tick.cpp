#include "tick/world_tick.h"

#include <algorithm>

#include <LinearMath/btIDebugDraw.h>

#include "host/conversion.h"
#include "network/body_cache.h"
#include "network/element_access.h"
#include "tick/debug_draw.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void WorldTick::install() {
    m_solver.emplace(*m_world, *this);
    m_islandManager.emplace(*m_world, [this] {
        checkNewElements();  // before Bullet joins the islands of bodies that it may not have
        m_islands.hideConstraints(*m_world, *this);
    });
    m_action.emplace(*m_world, *this);
}

void WorldTick::uninstall() {
    abandonTick();
    m_action.reset();
    m_islandManager.reset();
    m_solver.reset();
    m_world = nullptr;
    m_pending.clear();
    m_called = 0;
    m_deferred.clear();
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

void WorldTick::changeLoads(std::function<void()> change) {
    m_loadChanges.push_back(std::move(change));
    if (!m_asksLoads) makeLoadChanges();
}

void WorldTick::makeLoadChanges() {
    m_asksLoads = false;
    for (const auto& change : m_loadChanges) change();
    m_loadChanges.clear();
}

void WorldTick::forget(ForceElement& element) {
    m_islands.forget(element);
    for (PendingCallback& pending : m_pending) {
        if (pending.element == &element) {
            pending.element = nullptr;
        }
    }
}

void WorldTick::forget(const MultiBodyElement& element) {
    for (PendingCallback& pending : m_pending) {
        if (pending.multiBodyElement == &element) {
            pending.multiBodyElement = nullptr;
        }
    }
}

EnergyBook WorldTick::energyNow() const {
    EnergyBook book = energy;
    book.kinetic = 0;
    book.stored = 0;
    if (m_world == nullptr) {
        return book;
    }
    std::vector<const btRigidBody*> counted;
    const auto count = [&](const btRigidBody& body, const SavedBody& memory) {
        if (!body.isStaticOrKinematicObject() && std::find(counted.begin(), counted.end(), &body) == counted.end()) {
            counted.push_back(&body);
            book.kinetic += kineticEnergy(massOf(body), presentState(memory, body));
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
        const SavedBody* memory = body != nullptr ? m_bodyTable.find(*body) : nullptr;
        if (memory != nullptr) {
            count(*body, *memory);
        }
    }
    addMultiBodyEnergy(book);
    return book;
}

void WorldTick::debugDraw(btIDebugDraw* drawer) {
    for (int i = 0; i < m_world->getNumConstraints(); ++i) {
        if (const ForceElement* element = elementOf(m_world->getConstraint(i))) {
            drawElement(*element, *drawer);
        }
    }
    if ((drawer->getDebugMode() & btIDebugDraw::DBG_DrawContactPoints) != 0) {
        for (const Eigen::Vector3d& place : m_contactMemory.places()) {
            drawRememberedContact(toBullet(place), *drawer);
        }
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
