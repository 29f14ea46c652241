#include "network/body_table.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

SavedBody& BodyTable::at(const btRigidBody& body) {
    const auto i = static_cast<std::size_t>(body.getWorldArrayIndex());
    m_size = std::max(m_size, i + 1);
    if (m_entries.size() < m_size) m_entries.resize(m_size);
    Entry& entry = m_entries[i];
    if (entry.body != &body) {
        entry.body = &body;
        entry.cache = {};  // its energy stays until forgetOthers has counted it
        entry.step.reset();
    }
    return entry.cache;
}

const KinematicStep& BodyTable::step(const btRigidBody& body, double h) {
    SavedBody& cache = at(body);
    std::optional<KinematicStep>& step = m_entries[static_cast<std::size_t>(body.getWorldArrayIndex())].step;
    if (!step) step = nextSubstep(cache, body, h);
    return *step;
}

void BodyTable::beginTick() {
    for (Entry& entry : m_entries) entry.step.reset();
}

const SavedBody* BodyTable::find(const btRigidBody& body) const {
    const int index = body.getWorldArrayIndex();
    if (index < 0 || static_cast<std::size_t>(index) >= m_size) return nullptr;
    const Entry& entry = m_entries[static_cast<std::size_t>(index)];
    return entry.body == &body && entry.cache.known ? &entry.cache : nullptr;
}

void BodyTable::keep(const btRigidBody& body, double kinetic) {
    Entry& entry = m_entries[static_cast<std::size_t>(body.getWorldArrayIndex())];
    entry.kinetic = kinetic;
    entry.isTied = true;
}

double BodyTable::forgetOthers() {
    double energy = 0;
    for (std::size_t i = 0; i < m_size; ++i) {
        Entry& entry = m_entries[i];
        if (!entry.isTied) {
            energy += entry.kinetic;
            entry = {};
        }
        entry.isTied = false;
    }
    while (m_size > 0 && m_entries[m_size - 1].body == nullptr) --m_size;
    return energy;
}

std::vector<BodyTable::Kept> BodyTable::save(const btCollisionObjectArray& objects) const {
    std::vector<Kept> kept;
    for (std::size_t i = 0; i < m_size; ++i) {
        const Entry& entry = m_entries[i];
        if (entry.body != nullptr) {
            const int place = static_cast<int>(i);
            const bool isGone = place >= objects.size() || objects[place] != entry.body;
            kept.push_back({place, isGone, entry.cache, entry.kinetic});
        }
    }
    return kept;
}

void BodyTable::restore(const std::vector<Kept>& kept, const btCollisionObjectArray& objects) {
    m_entries.clear();
    m_size = 0;
    for (const Kept& from : kept) {
        const auto i = static_cast<std::size_t>(from.place);
        m_size = std::max(m_size, i + 1);
        m_entries.resize(m_size);
        m_entries[i].body = from.isGone ? nullptr : btRigidBody::upcast(objects[from.place]);
        m_entries[i].cache = from.cache;
        m_entries[i].kinetic = from.kinetic;
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
