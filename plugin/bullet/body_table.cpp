#include "body_table.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

SavedBody& BodyTable::at(const btRigidBody& body) {
    const auto i = static_cast<std::size_t>(body.getWorldArrayIndex());
    if (m_entries.size() <= i) m_entries.resize(i + 1);
    Entry& entry = m_entries[i];
    if (entry.body != &body) {
        entry.body = &body;
        entry.memory = {};  // its energy stays until forgetOthers has counted it
    }
    return entry.memory;
}

const SavedBody* BodyTable::find(const btRigidBody& body) const {
    const int index = body.getWorldArrayIndex();
    if (index < 0 || static_cast<std::size_t>(index) >= m_entries.size()) return nullptr;
    const Entry& entry = m_entries[static_cast<std::size_t>(index)];
    return entry.body == &body && entry.memory.known ? &entry.memory : nullptr;
}

void BodyTable::keep(const btRigidBody& body, double kinetic) {
    Entry& entry = m_entries[static_cast<std::size_t>(body.getWorldArrayIndex())];
    entry.kinetic = kinetic;
    entry.isTied = true;
}

double BodyTable::forgetOthers() {
    double energy = 0;
    for (Entry& entry : m_entries) {
        if (!entry.isTied) {
            energy += entry.kinetic;
            entry = {};
        }
        entry.isTied = false;
    }
    return energy;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
