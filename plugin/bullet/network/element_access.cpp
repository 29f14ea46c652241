#include "network/element_access.h"

#include <algorithm>

#include "network/body_cache.h"
#include "network/element_home.h"
#include "network/single_element.h"
#include "network/solved_network.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

FlowElement ElementAccess::flowElement(const ForceElement& element) {
    const Placement& placement = element.m_placement;
    FlowElement flow{element.m_law};
    flow.geometry = placement.geometry();
    flow.pointA = placement.pointA();
    flow.pointB = placement.pointB();
    flow.axis = placement.axis();
    flow.frameA = placement.frameA();
    flow.frameB = placement.frameB();
    flow.turns = placement.turns();
    flow.spans = placement.spans();
    flow.s_small = element.m_small;
    flow.s_damper = element.m_damperLength;
    flow.phi = element.m_angle;
    flow.pause = element.m_pause;
    if (placement.isGearPair()) {
        const GearFrames& frames = placement.gearFrames();
        flow.frameA = frames.ofWheel1InCarrier;
        flow.frameB = frames.inWheel1;
        flow.axis = flow.frameA * Eigen::Vector3d::UnitZ();
        flow.geared.ratio = placement.ratio();
        flow.geared.frameA = frames.ofWheel2InCarrier;
        flow.geared.frameB = frames.inWheel2;
        flow.geared.axis = flow.geared.frameA * Eigen::Vector3d::UnitZ();
        flow.geared.phi = element.m_angle2;
    }
    return flow;
}

// Made when it is first asked for, whoever asks.
SavedBody& ElementAccess::cache(const std::unique_ptr<SavedBody>& own, const btRigidBody& body) {
    static SavedBody ofWorld;  // nobody writes to it
    if (&body == &Placement::world()) return ofWorld;
    if (!own) const_cast<std::unique_ptr<SavedBody>&>(own) = std::make_unique<SavedBody>();
    return *own;
}

SavedBody& ElementAccess::savedA(const ForceElement& element) {
    return upToDate(element, cache(element.m_savedA, element.getRigidBodyA()), element.getRigidBodyB());
}

SavedBody& ElementAccess::savedB(const ForceElement& element) {
    return upToDate(element, cache(element.m_savedB, element.getRigidBodyB()), element.getRigidBodyA());
}

SavedBody& ElementAccess::upToDate(const ForceElement& element, SavedBody& saved, const btRigidBody& other) {
    const bool isSingle = &other == &Placement::world();
    if (isSingle && element.m_single && element.m_single->holdsBody) remember(saved, element.m_single->end());
    return saved;
}

SavedBody& ElementAccess::savedCarrier(const ForceElement& element) {
    static SavedBody ofNone;
    return element.placement().isGearPair() ? cache(element.m_savedCarrier, element.placement().carrier()) : ofNone;
}

void ElementAccess::releaseBody(ForceElement& element) {
    if (!element.m_single) return;
    if (element.m_single->holdsBody) {
        savedA(element);
        savedB(element);
    }
    element.m_single->holdsBody = element.m_single->isReady = false;
}

void ElementAccess::leaveHome(ForceElement& element) {
    if (const auto home = element.m_home.lock()) home->forget(element);
}

void ElementAccess::leaveHome(MultiBodyElement& element) {
    if (const auto home = element.m_home.lock()) home->forget(element);
}

void ElementAccess::releaseTick(ForceElement& element) {
    element.m_lastTick.reset();
    if (!element.m_single) return;
    releaseBody(element);
    element.m_single->isValid = false;
}

SingleRecord& ElementAccess::singleRecord(ForceElement& element) {
    if (!element.m_single) element.m_single = std::make_unique<SingleRecord>();
    return *element.m_single;
}

bool ElementAccess::isReadySingle(const ForceElement& element) {
    return element.m_single && element.m_single->isReady;
}

const SingleRecord* ElementAccess::singleTick(const ForceElement& element) {
    return element.m_single && element.m_single->isValid ? element.m_single.get() : nullptr;
}

void ElementAccess::adopt(ForceElement& element, const SingleRecord& record) {
    element.m_damperLength = record.s_damperEnd;
    if (countsTurns(element.geometry())) element.m_angle = record.s;
    element.m_impulse = record.impulse;
    element.m_heat += record.heat;
    element.m_storedEnergy = record.storedEnergy;
    element.m_tick = record.h;
    element.m_method = record.method;
    element.m_grade = {};
    element.m_lastTick.reset();
    element.internalSetAppliedImpulse(static_cast<btScalar>(record.impulse));
}

void ElementAccess::adopt(ForceElement& element, const std::shared_ptr<const SolvedNetwork>& network, int index) {
    const auto i = static_cast<std::size_t>(index);
    const ElementTick& end = network->result.elements[i];
    element.m_damperLength = end.s_damper;
    if (countsTurns(network->network.elements[i].geometry)) {
        element.m_angle = end.s + network->network.elements[i].geared.ratio * end.geared;
        element.m_angle2 = end.geared;
    }
    element.m_impulse = end.impulse;
    element.m_storedEnergy = end.storedEnergy;
    element.m_tick = network->h;
    element.m_method = network->result.method;
    element.m_grade = network->grade();
    element.m_pause = end.pause;
    element.m_uncoupled = network->isUncoupled && !network->isIdle;
    if (!element.m_uncoupled) {
        element.m_debt = std::max(0.0, element.m_debt);  // the exact flow has no lead to pay for
    }
    element.m_lastTick = network;
    element.m_indexInTick = index;
    element.internalSetAppliedImpulse(static_cast<btScalar>(end.impulse));
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
