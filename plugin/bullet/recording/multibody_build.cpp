#include "recording/multibody_build.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyFixedConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyGearConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <BulletDynamics/Featherstone/btMultiBodySliderConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodySphericalJointLimit.h>
#include <BulletDynamics/Featherstone/btMultiBodySphericalJointMotor.h>

#include <string>
#include <typeinfo>

#include "host/class_of.h"
#include "network/element_access.h"
#include "recording/placement_access.h"
#include "snapshot/snapshot_values.h"
#include "tick/call_tape.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// The ends of a constraint that is made.
struct Ends {
    btMultiBody& bodyA;
    int linkA;
    btMultiBody* bodyB;
    int linkB;
    btRigidBody* rigidB;
};

struct MultiBodyJointKind {
    const std::type_info& type;
    std::unique_ptr<btMultiBodyConstraint> (*make)(const Ends& ends);
};

// With a multibody or a rigid body at the other end.
template <class Joint, class... More>
std::unique_ptr<btMultiBodyConstraint> joining(const Ends& ends, const More&... more) {
    if (ends.rigidB != nullptr) return std::make_unique<Joint>(&ends.bodyA, ends.linkA, ends.rigidB, more...);
    return std::make_unique<Joint>(&ends.bodyA, ends.linkA, ends.bodyB, ends.linkB, more...);
}

const btVector3 kNowhere(0, 0, 0);
const btVector3 kAnAxis(1, 0, 0);

// Numbers in files: new ones go to the end.
const MultiBodyJointKind kMultiBodyJointKinds[] = {
    {typeid(btMultiBodyJointLimitConstraint),
     [](const Ends& e) -> std::unique_ptr<btMultiBodyConstraint> {
         return std::make_unique<btMultiBodyJointLimitConstraint>(&e.bodyA, e.linkA, btScalar(0), btScalar(0));
     }},
    {typeid(btMultiBodyJointMotor),
     [](const Ends& e) -> std::unique_ptr<btMultiBodyConstraint> {
         return std::make_unique<btMultiBodyJointMotor>(&e.bodyA, e.linkA, btScalar(0), btScalar(0));
     }},
    {typeid(btMultiBodySphericalJointMotor),
     [](const Ends& e) -> std::unique_ptr<btMultiBodyConstraint> {
         return std::make_unique<btMultiBodySphericalJointMotor>(&e.bodyA, e.linkA, btScalar(0));
     }},
    {typeid(btMultiBodySphericalJointLimit),
     [](const Ends& e) -> std::unique_ptr<btMultiBodyConstraint> {
         return std::make_unique<btMultiBodySphericalJointLimit>(&e.bodyA, e.linkA, btScalar(0), btScalar(0),
                                                                 btScalar(0), btScalar(0));
     }},
    {typeid(btMultiBodyGearConstraint),
     [](const Ends& e) -> std::unique_ptr<btMultiBodyConstraint> {
         return std::make_unique<btMultiBodyGearConstraint>(&e.bodyA, e.linkA, e.bodyB, e.linkB, kNowhere, kNowhere,
                                                            btMatrix3x3::getIdentity(), btMatrix3x3::getIdentity());
     }},
    {typeid(btMultiBodyPoint2Point),
     [](const Ends& e) { return joining<btMultiBodyPoint2Point>(e, kNowhere, kNowhere); }},
    {typeid(btMultiBodySliderConstraint),
     [](const Ends& e) {
         return joining<btMultiBodySliderConstraint>(e, kNowhere, kNowhere, btMatrix3x3::getIdentity(),
                                                     btMatrix3x3::getIdentity(), kAnAxis);
     }},
    {typeid(btMultiBodyFixedConstraint),
     [](const Ends& e) {
         return joining<btMultiBodyFixedConstraint>(e, kNowhere, kNowhere, btMatrix3x3::getIdentity(),
                                                    btMatrix3x3::getIdentity());
     }},
};

int placeOf(const btMultiBodyLinkCollider* collider) {
    return collider != nullptr ? collider->getWorldArrayIndex() : -1;
}

int placeOf(const MultiBodyElement& element, const SnapshotWorld& world) {
    for (int i = 0; i < world.multiBodyJointCount(); ++i) {
        if (world.multiBodies->getMultiBodyConstraint(i) == &element) return i;
    }
    world.refuse("what rubs on a rotor has a drive that is not in the world");
}

CoordinateRecord recordOf(const JointCoordinate& joint, const SnapshotWorld& world) {
    return {world.placeOf(joint.body), joint.link, joint.offset, joint.sign};
}

FlangeRecord recordOf(const Flange& flange, const SnapshotWorld& world) {
    FlangeRecord record{world.placeOf(flange.multiBody()), flange.link(), -1};
    if (flange.rigidBody() != nullptr) record.rigid = flange.rigidBody()->getWorldArrayIndex();
    const bool isLost =
        (flange.multiBody() != nullptr && record.multiBody < 0) || (flange.rigidBody() != nullptr && record.rigid < 0);
    if (isLost) world.refuse("an element acts on a body that is not in the world");
    return record;
}

PlacingRecord recordOf(const MultiBodyElement::Placing& placing, const SnapshotWorld& world) {
    PlacingRecord record;
    record.index = static_cast<std::uint8_t>(placing.index());
    if (const auto* joint = std::get_if<JointCoordinate>(&placing)) {
        record.first = recordOf(*joint, world);
    } else if (const auto* drive = std::get_if<Drive>(&placing)) {
        record.first = {world.placeOf(drive->body), drive->link, 0, 1};
        record.inertia = drive->inertia;
        record.ratio = drive->ratio;
    } else if (const auto* pair = std::get_if<GearPair>(&placing)) {
        record.first = recordOf(pair->first, world);
        record.second = recordOf(pair->second, world);
        record.ratio = pair->ratio;
    } else if (const auto* rotor = std::get_if<RotorCoordinate>(&placing)) {
        record.second.body = placeOf(*rotor->drive, world);
    } else {
        const auto& line = std::get<LinkPlacement>(placing);
        record.a = recordOf(line.a(), world);
        record.b = recordOf(line.b(), world);
        record.geometry = line.geometry();
        record.pointA = line.pointA();
        record.pointB = line.pointB();
        record.axis = line.axis();
        record.frameA = line.frameA();
        record.frameB = line.frameB();
    }
    return record;
}

Flange flangeOf(const FlangeRecord& record, const BodiesByPlace& bodies) {
    if (record.multiBody >= 0) return {bodies.multiBody(record.multiBody), record.link};
    if (record.rigid >= 0) return {bodies.rigid(record.rigid)};
    return Flange::world();
}

btQuaternion quaternionOf(const std::array<btScalar, 4>& q) {
    return {q[0], q[1], q[2], q[3]};
}

}  // namespace

MultiBodyBuild describe(btMultiBody& body, const SnapshotWorld& /*world*/) {
    MultiBodyBuild build;
    build.hasFixedBase = body.hasFixedBase();
    build.canSleep = body.getCanSleep();
    build.baseMass = body.getBaseMass();
    build.baseInertia = valuesOf(body.getBaseInertia());
    build.baseCollider = placeOf(body.getBaseCollider());
    for (int i = 0; i < body.getNumLinks(); ++i) {
        const btMultibodyLink& link = body.getLink(i);
        LinkBuild& made = build.links.emplace_back();
        made.jointType = link.m_jointType;
        made.parent = link.m_parent;
        made.mass = link.m_mass;
        made.inertia = valuesOf(link.m_inertiaLocal);
        for (int k = 0; k < 4; ++k) made.zeroTurn[static_cast<std::size_t>(k)] = link.m_zeroRotParentToThis[k];
        made.d = valuesOf(link.m_dVector);
        made.e = valuesOf(link.m_eVector);
        for (int dof = 0; dof < link.m_dofCount; ++dof) {
            made.axes[static_cast<std::size_t>(2 * dof)] = valuesOf(link.getAxisTop(dof));
            made.axes[static_cast<std::size_t>(2 * dof + 1)] = valuesOf(link.getAxisBottom(dof));
        }
        made.notes = {link.m_jointDamping,    link.m_jointFriction, link.m_jointLowerLimit,
                      link.m_jointUpperLimit, link.m_jointMaxForce, link.m_jointMaxVelocity};
        made.collider = placeOf(link.m_collider);
    }
    return build;
}

MultiBodyJointBuild describe(btMultiBodyConstraint& joint, const SnapshotWorld& world) {
    MultiBodyJointBuild build;
    if (const MultiBodyElement* element = elementOf(&joint)) {
        build.placing = recordOf(element->placing(), world);
        build.law = static_cast<std::uint8_t>(element->law().index());
        build.hasTorque = static_cast<bool>(ElementAccess::motorTorque(*element));
        build.hasTorqueBreak = static_cast<bool>(ElementAccess::motorBreak(*element));
        build.hasShare = static_cast<bool>(ElementAccess::f_normalized(*element));
        build.hasShareBreak = static_cast<bool>(ElementAccess::nextBreak(*element));
        return build;
    }
    std::int8_t kind = 0;
    for (const MultiBodyJointKind& known : kMultiBodyJointKinds) {
        if (known.type == classOf(joint)) build.kind = kind;
        ++kind;
    }
    if (build.kind < 0) {
        world.refuse(std::string("a constraint on multibodies is of class ") + classOf(joint).name() +
                     ", which a recording cannot make again");
    }
    return build;
}

std::unique_ptr<btMultiBody> makeMultiBody(const MultiBodyBuild& build) {
    auto body = std::make_unique<btMultiBody>(static_cast<int>(build.links.size()), build.baseMass,
                                              vectorOf(build.baseInertia), build.hasFixedBase, build.canSleep);
    for (int i = 0; i < static_cast<int>(build.links.size()); ++i) {
        const LinkBuild& from = build.links[static_cast<std::size_t>(i)];
        const btVector3 inertia = vectorOf(from.inertia);
        const btQuaternion turn = quaternionOf(from.zeroTurn);
        if (from.parent < -1 || from.parent >= i) {
            throw InvalidParameter("recording", "a link's parent is not before it: the file is damaged");
        }
        switch (from.jointType) {
            case btMultibodyLink::eRevolute:
                body->setupRevolute(i, from.mass, inertia, from.parent, turn, kAnAxis, kNowhere, kNowhere);
                break;
            case btMultibodyLink::ePrismatic:
                body->setupPrismatic(i, from.mass, inertia, from.parent, turn, kAnAxis, kNowhere, kNowhere, false);
                break;
            case btMultibodyLink::eSpherical:
                body->setupSpherical(i, from.mass, inertia, from.parent, turn, kNowhere, kNowhere);
                break;
            case btMultibodyLink::ePlanar:
                body->setupPlanar(i, from.mass, inertia, from.parent, turn, kAnAxis, kNowhere);
                break;
            case btMultibodyLink::eFixed:
                body->setupFixed(i, from.mass, inertia, from.parent, turn, kNowhere, kNowhere);
                break;
            default:
                throw InvalidParameter("recording",
                                       "a joint of a multibody is of a kind that this version does not "
                                       "know");
        }
        // To the bit: what the functions above computed of them is another thing.
        btMultibodyLink& link = body->getLink(i);
        link.m_zeroRotParentToThis = turn;
        link.m_dVector = vectorOf(from.d);
        link.m_eVector = vectorOf(from.e);
        for (int dof = 0; dof < link.m_dofCount; ++dof) {
            link.setAxisTop(dof, vectorOf(from.axes[static_cast<std::size_t>(2 * dof)]));
            link.setAxisBottom(dof, vectorOf(from.axes[static_cast<std::size_t>(2 * dof + 1)]));
        }
        link.m_jointDamping = from.notes[0];
        link.m_jointFriction = from.notes[1];
        link.m_jointLowerLimit = from.notes[2];
        link.m_jointUpperLimit = from.notes[3];
        link.m_jointMaxForce = from.notes[4];
        link.m_jointMaxVelocity = from.notes[5];
    }
    body->finalizeMultiDof();
    return body;
}

std::unique_ptr<btMultiBodyConstraint> makeMultiBodyJoint(const MultiBodyJointBuild& build,
                                                          const MultiBodyJointRecord& record,
                                                          const BodiesByPlace& bodies) {
    if (build.kind < 0 || build.kind >= static_cast<int>(std::size(kMultiBodyJointKinds))) {
        throw InvalidParameter("recording", "a constraint on multibodies is of a kind that this version does not know");
    }
    const Ends ends{bodies.multiBody(record.bodyA), record.linkA,
                    record.bodyB >= 0 ? &bodies.multiBody(record.bodyB) : nullptr, record.linkB,
                    record.rigidB >= 0 ? &bodies.rigid(record.rigidB) : nullptr};
    std::unique_ptr<btMultiBodyConstraint> joint = kMultiBodyJointKinds[build.kind].make(ends);
    joint->finalizeMultiDof();
    return joint;
}

std::unique_ptr<MultiBodyElement> makeMultiBodyElement(const MultiBodyJointBuild& build, const Law& law,
                                                       const BodiesByPlace& bodies, CallTape& answers) {
    const PlacingRecord& placing = build.placing;
    const auto coordinate = [&](const CoordinateRecord& of) {
        return JointCoordinate{&bodies.multiBody(of.body), of.link, of.offset, of.sign};
    };
    std::unique_ptr<MultiBodyElement> element;
    const auto answer = [&answers](double) { return answers.again(); };
    if (placing.index == 0) {
        element = std::make_unique<MultiBodyElement>(coordinate(placing.first), law);
    } else if (placing.index == 1) {
        const Drive drive{&bodies.multiBody(placing.first.body), placing.first.link, placing.inertia, placing.ratio};
        element = std::make_unique<MultiBodyElement>(drive, law);
        if (build.hasTorque) {
            element->setMotorTorque(answer, build.hasTorqueBreak ? NextBreak(answer) : NextBreak());
        }
    } else if (placing.index == 2) {
        element = std::make_unique<MultiBodyElement>(
            GearPair{coordinate(placing.first), coordinate(placing.second), placing.ratio}, law);
    } else if (placing.isOnRotor()) {
        element = std::make_unique<MultiBodyElement>(RotorCoordinate{&bodies.drive(placing.second.body)}, law);
    } else {
        element = std::make_unique<MultiBodyElement>(
            PlacementAccess::placementOf(placing, flangeOf(placing.a, bodies), flangeOf(placing.b, bodies)), law);
    }
    if (build.hasShare) element->setF_normalized(answer, build.hasShareBreak ? NextBreak(answer) : NextBreak());
    return element;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
