// A snapshot's share of the plugin itself: what elements, plugin and heat ports remember from tick to tick.
//
// Everything that WorldTick or an element keeps between ticks belongs here: a new memory gets a member of OwnRecord, a
// line in saveOwn and one in restoreOwn (and in checkOwn what may not fit). Settings, loads, callbacks and deferred
// functions are the user's and stay as they are.

#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include "network/element_access.h"
#include "snapshot/snapshot_parts.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

std::vector<ForceElement*> elementsOf(const btDiscreteDynamicsWorld& world) {
    std::vector<ForceElement*> elements;
    for (int i = 0; i < world.getNumConstraints(); ++i) {
        // The world's list is of joints that may be changed, which its constant access hides.
        auto* constraint = const_cast<btTypedConstraint*>(world.getConstraint(i));
        if (ForceElement* element = elementOf(constraint)) {
            elements.push_back(element);
        }
    }
    return elements;
}

// To the last bit, whatever the bodies are.
bool isSameLine(const Placement& x, const Placement& y) {
    const auto areSame = [](const Eigen::Quaterniond& p, const Eigen::Quaterniond& q) {
        return p.coeffs() == q.coeffs();
    };
    const bool isSame = x.geometry() == y.geometry() && x.pointA() == y.pointA() && x.pointB() == y.pointB() &&
                        x.axis() == y.axis() && areSame(x.frameA(), y.frameA()) && areSame(x.frameB(), y.frameB()) &&
                        x.turns() == y.turns() && x.spans() == y.spans() && x.isGearPair() == y.isGearPair() &&
                        x.ratio() == y.ratio();
    if (!isSame || !x.isGearPair()) return isSame;
    const GearFrames& p = x.gearFrames();
    const GearFrames& q = y.gearFrames();
    return areSame(p.inWheel1, q.inWheel1) && areSame(p.inWheel2, q.inWheel2) &&
           areSame(p.ofWheel1InCarrier, q.ofWheel1InCarrier) && areSame(p.ofWheel2InCarrier, q.ofWheel2InCarrier);
}

}  // namespace

bool isSamePort(const std::optional<HeatPort>& saved, const HeatPort* present) {
    if (!saved || present == nullptr) {
        return !saved && present == nullptr;
    }
    return saved->conductance() == present->conductance() &&
           saved->ambientTemperature() == present->ambientTemperature();
}

void saveOwn(const WorldTick& from, const SnapshotWorld& world, WorldRecord& record) {
    OwnRecord& own = record.own;
    for (const ForceElement* element : elementsOf(world.world)) {
        ElementRecord& saved = own.elements.emplace_back(ElementRecord{element->placement(),
                                                                       element->law(),
                                                                       element->s_small(),
                                                                       ElementAccess::T(*element),
                                                                       element->saveState(),
                                                                       {}});
        if (element->heatPort() != nullptr) {
            saved.heatPort = *element->heatPort();
        }
    }
    own.time = from.results.time;
    own.energy = from.results.energy;
    own.statistics = from.results.statistics;
    own.totals = from.results.totals;
    own.tiedBodies = from.bodyTable().save(world.objects);
    own.multiBodies = from.multiBodies().save(world);
    own.contacts = from.contactCache().save(world.objects);
}

void checkOwn(const SnapshotWorld& to, const WorldRecord& record) {
    const std::vector<ForceElement*> elements = elementsOf(to.world);  // as many as in the record: checkJoints
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (!isSameLine(record.own.elements[i].placement, elements[i]->placement())) {
            to.refuse(
                elements[i]->label() +
                " acts along or about another line than in the snapshot, or the order of the elements is another one");
        }
        if (!isSamePort(record.own.elements[i].heatPort, elements[i]->heatPort().get())) {
            to.refuse(elements[i]->label() +
                      " has another heat port than in the snapshot; give it one with the same "
                      "conductance and ambient temperature, or none if it had none");
        }
    }
}

void restoreOwn(WorldTick& to, const SnapshotWorld& world, const WorldRecord& record) {
    const OwnRecord& own = record.own;
    const std::vector<ForceElement*> elements = elementsOf(world.world);
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const ElementRecord& saved = own.elements[i];
        ElementAccess::setParameters(*elements[i], saved.law, saved.s_small, saved.T);
        elements[i]->restoreState(saved.state);
        if (saved.heatPort) {
            *elements[i]->heatPort() = *saved.heatPort;  // more than once where elements share it
        }
    }
    to.results.time = own.time;
    to.results.energy = own.energy;
    to.results.statistics = own.statistics;
    to.results.totals = own.totals;
    to.forgetLastTick();
    to.bodyTable().restore(own.tiedBodies, world.objects);
    to.multiBodies().restore(own.multiBodies, world);
    for (int i = 0; i < world.multiBodyJointCount(); ++i) {  // they read the exact states there
        if (MultiBodyElement* element = elementOf(world.multiBodies->getMultiBodyConstraint(i))) {
            ElementAccess::setHome(*element, to.weak_from_this());
        }
    }
    to.contactCache().restore(own.contacts, world.objects);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
