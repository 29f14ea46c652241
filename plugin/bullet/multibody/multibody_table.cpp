#include "multibody/multibody_table.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <algorithm>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

bool isSamePose(const MultiBodyState& x, const MultiBodyState& y) {
    return x.q == y.q && x.base.position == y.base.position &&
           x.base.orientation.coeffs() == y.base.orientation.coeffs();
}

bool isSameMotion(const MultiBodyState& x, const MultiBodyState& y) {
    return x.rates == y.rates && x.base.velocity == y.base.velocity && x.base.angularVelocity == y.base.angularVelocity;
}

MultiBodyState presentOf(const MultiBodyTable::Entry& entry, const btMultiBody& body) {
    MultiBodyState now = stateOf(body);
    if (!entry.isKnown) return now;
    const bool isMotionKept = isSameMotion(now, entry.rounded);
    if (isSamePose(now, entry.rounded)) {
        now.q = entry.exact.q;
        now.base.position = entry.exact.base.position;
        now.base.orientation = entry.exact.base.orientation;
    }
    if (isMotionKept) {
        now.rates = entry.exact.rates;
        now.base.velocity = entry.exact.base.velocity;
        now.base.angularVelocity = entry.exact.base.angularVelocity;
    }
    return now;
}

}  // namespace

MultiBodyTable::Entry* MultiBodyTable::find(const btMultiBody& body) {
    const auto found =
        std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& entry) { return entry.body == &body; });
    return found == m_entries.end() ? nullptr : &*found;
}

void MultiBodyTable::beginTick(btMultiBodyDynamicsWorld& world) {
    std::vector<Entry> last;
    last.swap(m_entries);
    for (int i = 0; i < world.getNumMultibodies(); ++i) {
        btMultiBody& body = *world.getMultiBody(i);
        const auto known =
            std::find_if(last.begin(), last.end(), [&](const Entry& entry) { return entry.body == &body; });
        Entry& entry = m_entries.emplace_back();
        if (known != last.end()) {
            entry = std::move(*known);
            last.erase(known);
        }
        entry.body = &body;
        entry.isAwake = !isAsleep(body);
        entry.start = presentOf(entry, body);
        entry.loads = loadsOf(body);
        entry.refusal = whyRefused(body);
        const btScalar* velocities = body.getVelocityVector();
        entry.velocities.assign(velocities, velocities + 6 + body.getNumDofs());
        entry.isMoved = false;
    }
    for (Entry& gone : last) {  // its energy is still to be booked
        gone.body = nullptr;
        gone.isAwake = false;
        gone.isMoved = false;
        if (gone.kinetic != 0) m_entries.push_back(std::move(gone));
    }
}

void MultiBodyTable::restore() {
    for (const Entry& entry : m_entries) {
        if (entry.body == nullptr || !entry.isAwake) continue;
        std::copy(entry.velocities.begin(), entry.velocities.end(),
                  const_cast<btScalar*>(entry.body->getVelocityVector()));
    }
}

void MultiBodyTable::remember(const MovedMultiBody& moved) {
    Entry* entry = find(*moved.body);
    entry->isKnown = true;
    entry->isMoved = true;
    entry->exact = moved.end;
    entry->rounded = stateOf(*moved.body);
    entry->kinetic = moved.endKinetic;
}

double MultiBodyTable::forgetOthers() {
    double energy = 0;
    for (Entry& entry : m_entries) {
        if (!entry.isMoved) {
            energy += entry.kinetic;
            entry.kinetic = 0;
            entry.isKnown = false;
        }
    }
    std::erase_if(m_entries, [](const Entry& entry) { return !entry.isMoved; });
    return energy;
}

MultiBodyState MultiBodyTable::presentState(const btMultiBody& body) const {
    const Entry* entry = find(body);
    return entry != nullptr ? presentOf(*entry, body) : stateOf(body);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
