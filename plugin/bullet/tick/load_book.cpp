#include "tick/load_book.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void LoadBook::begin(const TickTime& time) {
    m_asks = true;
    m_ofTick.begin(loads, jointLoads, time);
    findLoadedBodies();
}

void LoadBook::change(std::function<void()> change) {
    m_changes.push_back(std::move(change));
    if (!m_asks) makeChanges();
}

void LoadBook::makeChanges() {
    m_asks = false;
    for (const auto& change : m_changes) change();
    m_changes.clear();
}

void LoadBook::findLoadedBodies() {
    m_isLoaded.clear();
    for (const LoadTable::OfBody& load : m_ofTick.bodies()) {
        const int place = load.body->getWorldArrayIndex();
        if (place < 0) continue;
        m_isLoaded.resize(std::max(m_isLoaded.size(), static_cast<std::size_t>(place) + 1));
        m_isLoaded[static_cast<std::size_t>(place)] = 1;
    }
}

bool LoadBook::isLoaded(const btRigidBody& body) const {
    const auto place = static_cast<std::size_t>(body.getWorldArrayIndex());
    return place < m_isLoaded.size() && m_isLoaded[place] != 0;
}

// Asked for itself, as the user may change what loads depend on before the next tick.
void LoadBook::wakeForNext(double t, double h) {
    m_ofNext.begin(loads, {}, {t, h, 0});
    for (const auto& load : loads) {
        const LoadTable::OfBody* next = m_ofNext.find(load->body());
        // A load that steps with the next tick's end is constant in that one and in the next.
        const bool steps = next != nullptr && load->value(t + h).distance2(load->value(t)) > 0;
        if (next != nullptr && (steps || !next->isConstant())) load->body().activate();
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
