#include "recording/joint_kinds.h"

#include <elasto/errors.h>

#include <BulletDynamics/ConstraintSolver/btConeTwistConstraint.h>
#include <BulletDynamics/ConstraintSolver/btFixedConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGearConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpringConstraint.h>
#include <BulletDynamics/ConstraintSolver/btHinge2Constraint.h>
#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/ConstraintSolver/btPoint2PointConstraint.h>
#include <BulletDynamics/ConstraintSolver/btSliderConstraint.h>
#include <BulletDynamics/ConstraintSolver/btUniversalConstraint.h>

#include <string>
#include <typeinfo>

#include "host/class_of.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Make = std::unique_ptr<btTypedConstraint> (*)(btRigidBody& a, btRigidBody& b);

struct JointKind {
    const std::type_info& type;
    Make make;
};

template <class Joint, class... More>
std::unique_ptr<btTypedConstraint> between(btRigidBody& a, btRigidBody& b, const More&... more) {
    return std::make_unique<Joint>(a, b, more...);
}

const btTransform& here() {
    return btTransform::getIdentity();
}

const btVector3 kX(1, 0, 0);
const btVector3 kY(0, 1, 0);

// Numbers in files: new ones go to the end.
const JointKind kJointKinds[] = {
    {typeid(btPoint2PointConstraint),
     [](auto& a, auto& b) { return between<btPoint2PointConstraint>(a, b, btVector3(0, 0, 0), btVector3(0, 0, 0)); }},
    {typeid(btHingeConstraint),
     [](auto& a, auto& b) { return between<btHingeConstraint>(a, b, here(), here(), false); }},
    {typeid(btHingeAccumulatedAngleConstraint),
     [](auto& a, auto& b) { return between<btHingeAccumulatedAngleConstraint>(a, b, here(), here(), false); }},
    {typeid(btSliderConstraint),
     [](auto& a, auto& b) { return between<btSliderConstraint>(a, b, here(), here(), false); }},
    {typeid(btConeTwistConstraint),
     [](auto& a, auto& b) { return between<btConeTwistConstraint>(a, b, here(), here()); }},
    {typeid(btGearConstraint), [](auto& a, auto& b) { return between<btGearConstraint>(a, b, kX, kX); }},
    {typeid(btFixedConstraint), [](auto& a, auto& b) { return between<btFixedConstraint>(a, b, here(), here()); }},
    {typeid(btGeneric6DofConstraint),
     [](auto& a, auto& b) { return between<btGeneric6DofConstraint>(a, b, here(), here(), false); }},
    {typeid(btGeneric6DofSpringConstraint),
     [](auto& a, auto& b) { return between<btGeneric6DofSpringConstraint>(a, b, here(), here(), false); }},
    {typeid(btGeneric6DofSpring2Constraint),
     [](auto& a, auto& b) { return between<btGeneric6DofSpring2Constraint>(a, b, here(), here()); }},
    {typeid(btHinge2Constraint),
     [](auto& a, auto& b) -> std::unique_ptr<btTypedConstraint> {
         btVector3 anchor(0, 0, 0);
         btVector3 first = kX;
         btVector3 second = kY;
         return std::make_unique<btHinge2Constraint>(a, b, anchor, first, second);
     }},
    {typeid(btUniversalConstraint),
     [](auto& a, auto& b) -> std::unique_ptr<btTypedConstraint> {
         return std::make_unique<btUniversalConstraint>(a, b, btVector3(0, 0, 0), kX, kY);
     }},
};

}  // namespace

std::int8_t kindOfJoint(const btTypedConstraint& joint) {
    std::int8_t kind = 0;
    for (const JointKind& known : kJointKinds) {
        if (known.type == classOf(joint)) return kind;
        ++kind;
    }
    throw InvalidParameter("Plugin::record", std::string("a joint is of class ") + classOf(joint).name() +
                                                 ", which a recording cannot make again");
}

std::unique_ptr<btTypedConstraint> makeJoint(std::int8_t kind, btRigidBody& a, btRigidBody& b) {
    if (kind < 0 || kind >= static_cast<int>(std::size(kJointKinds))) {
        throw InvalidParameter("recording", "kind of a joint", static_cast<double>(kind),
                               "one that this version knows (0 to " + std::to_string(std::size(kJointKinds) - 1) + ")");
    }
    return kJointKinds[kind].make(a, b);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
