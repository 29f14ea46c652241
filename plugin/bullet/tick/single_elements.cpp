#include "tick/single_elements.h"

#include "host/prefetch.h"
#include "network/element_access.h"
#include "network/write_bodies.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void fetchForTick(const btRigidBody& body) {
    fetch(&body.getWorldTransform(), &body.getInterpolationAngularVelocity() + 1);
    fetch(&body.getLinearVelocity(), &body.getTotalTorque() + 1);
}

void SingleElements::begin(const TickTime& time, bool movesAtOnce, std::weak_ptr<ElementHome> home) {
    m_time = time;
    m_movesAtOnce = movesAtOnce;
    m_home = std::move(home);
}

double SingleElements::take(ForceElement& element, btRigidBody& body, const RestThresholds& thresholds,
                            bool hasLatency) {
    if (!solveSingle(element, body, m_time, thresholds, m_sums, m_events)) return -1;
    ElementAccess::setHome(element, m_home);
    SingleRecord& record = ElementAccess::singleRecord(element);
    m_taken.push_back({&element, &body, &record});
    writeVelocity(record, body);
    if (m_movesAtOnce && record.isStraight) moveAtOnce(record, body, hasLatency);
    m_eventCount += static_cast<int>(m_events.size());
    for (const ContactEvent& event : m_events) {
        if (ElementAccess::contactCallback(element, event.begin)) m_contacts.emplace_back(&element, event);
    }
    return record.steps;
}

void SingleElements::leaveOut(UnmovedBodies& unmoved, btDiscreteDynamicsWorld& world) {
    if (unmoved.takeOut(world, m_taken.size(), [this](std::size_t i) { return m_taken[i].body; })) return;
    for (const Taken& taken : m_taken) leaveToBullet(*taken.record, *taken.body);
}

void SingleElements::writePoses() const {
    for (const Taken& taken : m_taken) writePose(*taken.record, *taken.body);
}

void SingleElements::abandon(bool isWritten) {
    if (isWritten) {
        writePoses();
    } else {
        for (const Taken& taken : m_taken) takeBack(*taken.record, *taken.body, m_time.bulletH);
    }
    clear();
}

void SingleElements::keepAsWritten() {
    writePoses();
    for (const Taken& taken : m_taken) taken.record->isMoved = false;
    clear();
}

void SingleElements::clear() {
    m_taken.clear();
    m_contacts.clear();
    m_sums = {};
    m_eventCount = 0;
}

void SingleElements::finish(std::int64_t tick, bool hasLatency, TickStatistics& counts, CallbackQueue& callbacks) {
    const ForceElement* worst = nullptr;
    for (std::size_t i = 0; i < m_taken.size(); ++i) {
        if (i + kFetchAhead < m_taken.size()) {
            const Taken& later = m_taken[i + kFetchAhead];
            ElementAccess::fetchState(*later.element);
            fetch(*later.record);
            if (!m_movesAtOnce) fetchForTick(*later.body);
        }
        const Taken& taken = m_taken[i];
        SingleRecord& record = *taken.record;
        counts.elementsPerMethod[static_cast<std::size_t>(record.method)] += 1;
        counts.steps += record.steps;
        counts.cost += record.steps;
        if (record.steps > counts.worstSteps) {
            counts.worstSteps = record.steps;
            worst = taken.element;
        }
        finishSingle(*taken.element, record, *taken.body, tick, hasLatency);
    }
    if (worst != nullptr) counts.worstNetwork = worst->label();
    counts.networks += static_cast<int>(m_taken.size());
    counts.elements += static_cast<int>(m_taken.size());
    counts.events += m_eventCount;
    for (const auto& [element, event] : m_contacts) callbacks.add(*element, event);
    clear();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
