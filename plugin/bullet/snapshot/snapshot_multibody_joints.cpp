// A snapshot's constraints of multibodies: limits, motors, gears and their like with the impulses they remember, and
// the elements among them.

#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyFixedConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyGearConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <BulletDynamics/Featherstone/btMultiBodySliderConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodySphericalJointLimit.h>
#include <BulletDynamics/Featherstone/btMultiBodySphericalJointMotor.h>

#include <typeinfo>

#include "host/class_of.h"
#include "network/element_access.h"
#include "snapshot/snapshot_parts.h"
#include "snapshot/snapshot_values.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// Values of the base class, and where those of the derived ones begin.
class Internals : private btMultiBodyConstraint {
public:
    static btAlignedObjectArray<btScalar>& data(btMultiBodyConstraint& joint) { return joint.*(&Internals::m_data); }
    static int& dofsFinalized(btMultiBodyConstraint& joint) { return joint.*(&Internals::m_numDofsFinalized); }
    static btScalar& maxImpulse(btMultiBodyConstraint& joint) { return joint.*(&Internals::m_maxAppliedImpulse); }
    static unsigned char* endOfBase(btMultiBodyConstraint& joint) {
        return reinterpret_cast<unsigned char*>(&(joint.*(&Internals::m_data)) + 1);
    }
};

// The rigid bodies of a constraint that may have some.
template <class Joint>
class BodiesOf : private Joint {
public:
    static std::array<const btRigidBody*, 2> read(const Joint& joint) {
        return {joint.*(&BodiesOf::m_rigidBodyA), joint.*(&BodiesOf::m_rigidBodyB)};
    }
    /// Where the values behind the pointers begin.
    static unsigned char* end(Joint& joint) {
        return reinterpret_cast<unsigned char*>(&(joint.*(&BodiesOf::m_rigidBodyB)) + 1);
    }
};

/// A constraint whose class has nothing but values beyond its base and its rigid bodies: read in Bullet 3.24, class by
/// class.
struct Known {
    unsigned char* begin = nullptr;  ///< of these values; null: another class
    unsigned char* end = nullptr;
    std::array<const btRigidBody*, 2> bodies{};
};

template <class Joint>
bool isA(const btMultiBodyConstraint& joint) {
    return classOf(joint) == typeid(Joint);
}

template <class... Joints>
void takeValues(btMultiBodyConstraint& joint, Known& known) {
    const std::size_t size = ((isA<Joints>(joint) ? sizeof(Joints) : 0) + ...);
    if (size == 0) return;
    known.begin = Internals::endOfBase(joint);
    known.end = static_cast<unsigned char*>(dynamic_cast<void*>(&joint)) + size;
}

template <class Joint>
void takeBehindBodies(btMultiBodyConstraint& joint, Known& known) {
    if (!isA<Joint>(joint)) return;
    auto& own = static_cast<Joint&>(joint);
    known.begin = BodiesOf<Joint>::end(own);
    known.end = reinterpret_cast<unsigned char*>(&own) + sizeof(Joint);
    known.bodies = BodiesOf<Joint>::read(own);
}

Known knownOf(btMultiBodyConstraint& joint) {
    Known known;
    takeValues<btMultiBodyJointLimitConstraint, btMultiBodyJointMotor, btMultiBodySphericalJointMotor,
               btMultiBodySphericalJointLimit>(joint, known);
    takeBehindBodies<btMultiBodyGearConstraint>(joint, known);
    takeBehindBodies<btMultiBodyPoint2Point>(joint, known);
    takeBehindBodies<btMultiBodySliderConstraint>(joint, known);
    takeBehindBodies<btMultiBodyFixedConstraint>(joint, known);
    return known;
}

// What the record compares.
MultiBodyJointRecord kindOf(const SnapshotWorld& world, btMultiBodyConstraint& joint) {
    MultiBodyJointRecord kind;
    kind.type = classOf(joint);
    kind.bodyA = world.placeOf(joint.getMultiBodyA());
    kind.bodyB = world.placeOf(joint.getMultiBodyB());
    kind.linkA = joint.getLinkA();
    kind.linkB = joint.getLinkB();
    const auto placeOf = [](const btRigidBody* body) { return body != nullptr ? body->getWorldArrayIndex() : -1; };
    const Known known = knownOf(joint);
    kind.rigidA = placeOf(known.bodies[0]);
    kind.rigidB = placeOf(known.bodies[1]);
    if (const MultiBodyElement* element = elementOf(&joint)) {
        kind.placing = element->placing().index();
        if (const auto* placement = std::get_if<LinkPlacement>(&element->placing())) {
            kind.rigidA = placeOf(placement->a().rigidBody());
            kind.rigidB = placeOf(placement->b().rigidBody());
        }
    }
    return kind;
}

bool isSameKind(const MultiBodyJointRecord& x, const MultiBodyJointRecord& y) {
    return x.type == y.type && x.bodyA == y.bodyA && x.bodyB == y.bodyB && x.linkA == y.linkA && x.linkB == y.linkB &&
           x.rigidA == y.rigidA && x.rigidB == y.rigidB && x.placing == y.placing;
}

void save(btMultiBodyConstraint& joint, MultiBodyJointRecord& saved) {
    const btAlignedObjectArray<btScalar>& data = Internals::data(joint);
    for (int i = 0; i < data.size(); ++i) saved.data.push_back(data[i]);
    saved.dofsFinalized = Internals::dofsFinalized(joint);
    saved.maxImpulse = Internals::maxImpulse(joint);
    const Known known = knownOf(joint);
    saved.values.assign(known.begin, known.end);
}

void restore(btMultiBodyConstraint& joint, const MultiBodyJointRecord& saved) {
    btAlignedObjectArray<btScalar>& data = Internals::data(joint);
    joint.updateJacobianSizes();
    if (!saved.data.empty()) joint.allocateJacobiansMultiDof();  // as many as then: the multibodies are the same
    data.resize(static_cast<int>(saved.data.size()));
    for (int i = 0; i < data.size(); ++i) data[i] = saved.data[static_cast<std::size_t>(i)];
    Internals::dofsFinalized(joint) = saved.dofsFinalized;
    Internals::maxImpulse(joint) = saved.maxImpulse;
    std::memcpy(knownOf(joint).begin, saved.values.data(), saved.values.size());
}

MultiBodyElementRecord recordOf(const MultiBodyElement& element) {
    MultiBodyElementRecord saved{element.law(), ElementAccess::T(element), element.saveState(), {}};
    if (element.heatPort() != nullptr) saved.heatPort = *element.heatPort();
    return saved;
}

void restore(MultiBodyElement& element, const MultiBodyElementRecord& saved) {
    ElementAccess::setParameters(element, saved.law, saved.T);
    element.restoreState(saved.state);
    if (saved.heatPort) *element.heatPort() = *saved.heatPort;
}

}  // namespace

void saveMultiBodyJoints(const SnapshotWorld& from, WorldRecord& record) {
    for (int i = 0; i < from.multiBodyJointCount(); ++i) {
        btMultiBodyConstraint& joint = *from.multiBodies->getMultiBodyConstraint(i);
        MultiBodyJointRecord& saved = record.multiBodyJoints.emplace_back(kindOf(from, joint));
        if (const MultiBodyElement* element = elementOf(&joint)) {
            saved.element = static_cast<int>(record.own.multiBodyElements.size());
            record.own.multiBodyElements.push_back(recordOf(*element));
            continue;
        }
        if (knownOf(joint).begin == nullptr) {
            from.refuse("multibody constraint " + std::to_string(i) + " is of a class (" + classOf(joint).name() +
                        ") whose state a snapshot does not know; run the world again from its start instead");
        }
        save(joint, saved);
    }
}

void checkMultiBodyJoints(const SnapshotWorld& to, const WorldRecord& record) {
    const int count = to.multiBodyJointCount();
    if (count != static_cast<int>(record.multiBodyJoints.size())) {
        to.refuse("the world has " + std::to_string(count) + " constraints and elements on multibodies, the snapshot " +
                  std::to_string(record.multiBodyJoints.size()) +
                  "; it can be restored only while the same ones are in the world");
    }
    for (int i = 0; i < count; ++i) {
        btMultiBodyConstraint& joint = *to.multiBodies->getMultiBodyConstraint(i);
        const MultiBodyJointRecord& saved = record.multiBodyJoints[static_cast<std::size_t>(i)];
        if (!isSameKind(kindOf(to, joint), saved)) {
            to.refuse("multibody constraint or element " + std::to_string(i) +
                      " is of another class or joins other links than in the snapshot; the world must have the same "
                      "ones in the same order");
        }
        const MultiBodyElement* element = elementOf(&joint);
        if (element != nullptr &&
            !isSamePort(record.own.multiBodyElements[static_cast<std::size_t>(saved.element)].heatPort,
                        element->heatPort().get())) {
            to.refuse(element->label() +
                      " has another heat port than in the snapshot; give it one with the same conductance and ambient "
                      "temperature, or none if it had none");
        }
    }
}

void restoreMultiBodyJoints(const SnapshotWorld& to, const WorldRecord& record) {
    for (int i = 0; i < to.multiBodyJointCount(); ++i) {
        btMultiBodyConstraint& joint = *to.multiBodies->getMultiBodyConstraint(i);
        const MultiBodyJointRecord& saved = record.multiBodyJoints[static_cast<std::size_t>(i)];
        if (MultiBodyElement* element = elementOf(&joint)) {
            restore(*element, record.own.multiBodyElements[static_cast<std::size_t>(saved.element)]);
        } else {
            restore(joint, saved);
        }
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
