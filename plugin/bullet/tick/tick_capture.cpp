#include "tick/tick_capture.h"

#include <utility>

#include "host/element_of.h"
#include "network/element_access.h"
#include "network/single_element.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

TickRecord recordOf(const SolvedNetwork& solved, double start, std::string label) {
    TickRecord record;
    record.label = std::move(label);
    record.time = start;
    record.h = solved.h;
    record.settings = solved.settings;
    record.grade = solved.grade();
    if (solved.multi.isTree) {
        record.network = solved.multi.trees;
        record.fingerprint = fingerprintOf(solved.multi.result);
    } else {
        record.network = solved.network;
        record.fingerprint = fingerprintOf(solved.result);
    }
    return record;
}

std::vector<TickRecord> WorldTick::capture() const {
    std::vector<TickRecord> records;
    if (m_world == nullptr) return records;
    const double start = results.time - m_lastLength;
    const std::int64_t last = results.totals.ticks - 1;
    // What the networks know of their elements is no longer certain: an element may be gone.
    const auto labelOf = [&](const SolvedNetwork& solved) {
        for (int i = 0; i < m_world->getNumConstraints(); ++i) {
            const ForceElement* element = elementOf(m_world->getConstraint(i));
            if (element != nullptr && ElementAccess::lastTick(*element) == &solved) return element->label();
        }
        return std::string("a network");
    };
    for (const auto& solved : m_pool) {
        if (solved->tick == last && !solved->isUncoupled) {
            records.push_back(recordOf(*solved, start, labelOf(*solved)));
        }
    }
    for (int i = 0; i < m_world->getNumConstraints(); ++i) {
        const ForceElement* element = elementOf(m_world->getConstraint(i));
        const SingleRecord* single = element != nullptr ? ElementAccess::singleTick(*element) : nullptr;
        if (single == nullptr || single->tick != last) continue;
        records.push_back(recordOf(networkOf(*single, *element), start, element->label()));
    }
    return records;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
