// What is asked of the last tick's networks, which stay as they were solved until the next tick.

#include "host/conversion.h"
#include "network/joint_forces.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

bool isOf(const SolvedNetwork& solved, std::int64_t ticks) {
    return solved.tick + 1 == ticks && !solved.isUncoupled;
}

}  // namespace

std::optional<MultiBodyReadout> WorldTick::readout(const btMultiBody& body) const {
    if (m_world == nullptr) return std::nullopt;
    for (const auto& solved : m_pool) {
        if (!isOf(*solved, results.totals.ticks)) continue;
        for (const MovedMultiBody& moved : solved->multi.bodies) {
            if (moved.body == &body) return readoutOf(*solved, moved, toEigen(m_world->getGravity()));
        }
    }
    return std::nullopt;
}

std::vector<ContactReadout> WorldTick::contactsOf(const btCollisionObject& object) const {
    std::vector<ContactReadout> readouts;
    for (const auto& solved : m_pool) {
        if (isOf(*solved, results.totals.ticks)) addContactReadouts(*solved, object, readouts);
    }
    return readouts;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
