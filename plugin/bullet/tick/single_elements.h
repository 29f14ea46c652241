#pragma once
// Elements that are alone with their body in an island: they need neither Bullet's solver nor a network.

#include <elasto/statistics.h>

#include <memory>
#include <utility>
#include <vector>

#include "host/unmoved_bodies.h"
#include "network/element_home.h"
#include "network/single_element.h"
#include "tick/callback_queue.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What a tick of an element alone looks at is on its way from memory.
void fetchForTick(const btRigidBody& body);

class SingleElements {
public:
    /// @param movesAtOnce in this tick nobody looks at bodies before they are where they end
    void begin(const TickTime& time, bool movesAtOnce, std::weak_ptr<ElementHome> home);

    /// Solves an element's tick at once. Its body gets its velocity while it is at hand, and loses it again if the tick
    /// comes to nothing.
    /// @param body that singleBody() gives @param hasLatency see network/write_bodies.h
    /// @return what it cost; negative where it needs a network
    double take(ForceElement& element, btRigidBody& body, const RestThresholds& thresholds, bool hasLatency);

    /// Bullet's own motion would be done for nothing: takes the bodies out of its list.
    void leaveOut(UnmovedBodies& unmoved, btDiscreteDynamicsWorld& world);
    void writePoses() const;
    /// The tick came to nothing. @param isWritten velocities were
    void abandon(bool isWritten);
    /// What comes after the poses threw: the next tick finds the bodies as the user leaves them.
    void keepAsWritten();
    /// The elements' ends. @param tick number of the tick
    void finish(std::int64_t tick, bool hasLatency, TickStatistics& counts, CallbackQueue& callbacks);

    const SingleSums& sums() const { return m_sums; }

private:
    struct Taken {
        ForceElement* element;
        btRigidBody* body;
        SingleRecord* record;
    };

    void clear();

    TickTime m_time;
    bool m_movesAtOnce = false;
    std::weak_ptr<ElementHome> m_home;
    std::vector<Taken> m_taken;
    std::vector<std::pair<ForceElement*, ContactEvent>> m_contacts;  // of those
    SingleSums m_sums;
    std::vector<ContactEvent> m_events;  // of one element
    int m_eventCount = 0;                // of all
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
