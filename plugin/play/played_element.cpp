#include "played_element.h"

#include "movable.h"
#include "played_joint.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <algorithm>
#include <stdexcept>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Place = PlayedElement::Place;

bool turns(const btMultiBody& body, int link) {
    return body.getLink(link).m_jointType == btMultibodyLink::eRevolute;
}

Geometry geometryOf(const MultiBodyElement& element) {
    struct Visitor {
        Geometry operator()(const JointCoordinate& joint) const { return of(*joint.body, joint.link); }
        Geometry operator()(const Drive& drive) const { return of(*drive.body, drive.link); }
        Geometry operator()(const GearPair& pair) const { return (*this)(pair.first); }
        Geometry operator()(const LinkPlacement& placement) const { return placement.geometry(); }
        Geometry operator()(const RotorCoordinate& /*rotor*/) const { return Geometry::AboutAxis; }
        static Geometry of(const btMultiBody& body, int link) {
            return turns(body, link) ? Geometry::AboutAxis : Geometry::AlongAxis;
        }
    };
    return std::visit(Visitor{}, element.placing());
}

/// The link that an element on a joint moves; nobody's for one that is on none.
GuestLink movedLink(const MultiBodyElement& element) {
    if (const auto* joint = std::get_if<JointCoordinate>(&element.placing())) return {joint->body, joint->link};
    if (const auto* drive = std::get_if<Drive>(&element.placing())) return {drive->body, drive->link};
    if (const auto* pair = std::get_if<GearPair>(&element.placing())) return {pair->first.body, pair->first.link};
    if (const auto* rotor = std::get_if<RotorCoordinate>(&element.placing())) return movedLink(*rotor->drive);
    return {};
}

PlayedElement describe(const MultiBodyElement& element, std::size_t index) {
    PlayedElement described;
    described.geometry = geometryOf(element);
    described.law = element.law();
    described.type = typeOf(element.law(), described.geometry == Geometry::AboutAxis);
    described.name = element.name();
    if (described.name.empty()) described.name = "element" + std::to_string(index + 1);
    described.animation.animation = false;
    if (std::holds_alternative<JointCoordinate>(element.placing())) {
        described.place = Place::Joint;
    } else if (const auto* drive = std::get_if<Drive>(&element.placing())) {
        described.place = Place::Drive;
        described.ratio = drive->ratio;
    } else if (const auto* pair = std::get_if<GearPair>(&element.placing())) {
        described.place = Place::GearPair;
        described.ratio = pair->ratio;
    } else if (std::holds_alternative<RotorCoordinate>(element.placing())) {
        described.place = Place::Motor;
    } else {
        described.place = Place::Links;
    }
    return described;
}

double coordinateOf(const JointCoordinate& joint) {
    return joint.sign * (static_cast<double>(joint.body->getJointPos(joint.link)) - joint.offset);
}

/// Puts in where its flanges are; s_rel is what b is ahead of a.
void addFlanges(const MultiBodyElement& element, ElementSample& sample) {
    if (const auto* drive = std::get_if<Drive>(&element.placing())) {
        sample.flange_a = element.motorAngle() / drive->ratio;
    } else if (const auto* pair = std::get_if<GearPair>(&element.placing())) {
        sample.flange_a = pair->ratio * coordinateOf(pair->second);
    }
    sample.flange_b = sample.flange_a + sample.s;
}

ElementSample sampleOf(const MultiBodyElement& element) {
    const Readout now = element.readout();
    ElementSample sample;
    sample.s = now.s_rel;
    sample.v = now.v_rel;
    sample.force = now.force;
    sample.meanForce = element.tickLength() > 0 ? element.meanForce() : now.force.f;
    sample.lossPower = now.lossPower;
    sample.dissipatedPower = now.dissipatedPower;
    sample.heat = element.heat();
    sample.storedEnergy = now.storedEnergy;
    sample.s_damper = now.s_damper;
    addFlanges(element, sample);
    return sample;
}

/// Whether it only stands for something: what holds a joint, or lets the Plugin move a robot that has no elements.
bool isHidden(const MultiBodyElement& element, const std::vector<RobotGuest*>& robots) {
    if (dynamic_cast<const HoldElement*>(&element) != nullptr) return true;
    return std::any_of(robots.begin(), robots.end(), [&](const RobotGuest* robot) {
        const RobotDescription& description = robot->robot().description();
        return description.elements.empty() && element.name() == description.name;
    });
}

}  // namespace

std::vector<MultiBodyElement*> guestElements(const SceneWorld& world) {
    std::vector<MultiBodyElement*> elements;
    if (world.multiBodyWorld() == nullptr) return elements;
    auto& multiBodyWorld = const_cast<btMultiBodyDynamicsWorld&>(*world.multiBodyWorld());
    const std::vector<RobotGuest*> robots = robotsOf(world);
    for (int i = 0; i < multiBodyWorld.getNumMultiBodyConstraints(); ++i) {
        auto* element = dynamic_cast<MultiBodyElement*>(multiBodyWorld.getMultiBodyConstraint(i));
        if (element != nullptr && !isHidden(*element, robots)) elements.push_back(element);
    }
    return elements;
}

std::vector<PlayedElement> playedElements(const SceneWorld& world) {
    std::vector<PlayedElement> elements;
    for (const SceneElement& element : world.scene().elements) elements.push_back({element});
    const std::vector<GuestLink> links = guestLinks(world);
    for (const MultiBodyElement* element : guestElements(world)) {
        elements.push_back(describe(*element, elements.size()));
        const auto link = std::find(links.begin(), links.end(), movedLink(*element));
        if (link != links.end())
            elements.back().body = static_cast<int>(world.bodies()) + static_cast<int>(link - links.begin());
    }
    return elements;
}

SceneSample playedSample(const SceneWorld& world) {
    SceneSample sample = world.sample();
    for (const GuestLink& link : guestLinks(world)) sample.bodies.push_back(stateOf(link));
    for (const MultiBodyElement* element : guestElements(world)) sample.elements.push_back(sampleOf(*element));
    return sample;
}

// --- ElementHandle ---

ElementHandle::ElementHandle(const SceneWorld& world, std::size_t index) {
    if (index < world.elements()) {
        m_element = const_cast<ForceElement*>(&world.element(index));
        return;
    }
    const std::vector<MultiBodyElement*> guests = guestElements(world);
    const std::size_t guest = index - world.elements();
    if (guest >= guests.size()) {
        throw std::out_of_range("no element " + std::to_string(index) + "; there are " +
                                std::to_string(world.elements() + guests.size()));
    }
    m_guest = guests[guest];
}

const ElementCommon& ElementHandle::common() const {
    if (m_guest != nullptr) return *m_guest;
    return *m_element;
}

bool ElementHandle::isEnabled() const {
    return m_guest != nullptr ? m_guest->isEnabled() : m_element->isEnabled();
}

void ElementHandle::setEnabled(bool isEnabled) const {
    if (m_guest != nullptr) {
        m_guest->setEnabled(isEnabled);
    } else {
        m_element->setEnabled(isEnabled);
    }
    wake();
}

void ElementHandle::setParameter(std::string_view symbol, double value) const {
    if (m_guest != nullptr) {
        m_guest->setLaw(withParameter(m_guest->law(), symbol, value, m_guest->label()));
    } else {
        play::setParameter(*m_element, symbol, value);
    }
    wake();
}

void ElementHandle::wake() const {
    if (m_guest == nullptr) {
        m_element->getRigidBodyA().activate();
        m_element->getRigidBodyB().activate();
        return;
    }
    for (btMultiBody* body : {m_guest->getMultiBodyA(), m_guest->getMultiBodyB()}) {
        if (body != nullptr) body->wakeUp();
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
