#include "controls.h"

#include <elasto/errors.h>

#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/ConstraintSolver/btSliderConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <algorithm>
#include <cmath>

#include "host/conversion.h"
#include "played_element.h"
#include "played_joint.h"

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// Undamped angular frequency of drags [1/s]: critically damped, they are there after about 1/3 s and sag by 4 cm under
/// the weight of what they hold, whatever it is.
constexpr double kDragFrequency = 15;

DragConstants criticallyDamped(double inertia) {
    return {kDragFrequency * kDragFrequency * inertia, 2 * kDragFrequency * inertia};
}

/// Force of a spring and damper at the end of a step of h, where `mobility` is what it sets in motion.
Eigen::Vector3d implicitForce(const Eigen::Vector3d& distance, const Eigen::Vector3d& velocity, double c, double d,
                              double mobility, double h) {
    return (c * (distance - h * velocity) - d * velocity) / (1 + h * mobility * (d + h * c));
}

void require(bool isGood, const char* what, const char* field, double value, const char* allowed) {
    if (!isGood) throw InvalidParameter(what, field, value, allowed);
}

void requireFinite(const char* what, const char* field, const Eigen::Vector3d& value) {
    for (const double number : value) {
        require(std::isfinite(static_cast<btScalar>(number)), what, field, number,
                "finite, also in the precision of Bullet");
    }
}

void requireConstants(const char* what, double c, double d) {
    require(std::isfinite(c) && c >= 0, what, "c", c, "finite and >= 0");
    require(std::isfinite(d) && d >= 0, what, "d", d, "finite and >= 0");
}

Movable movableBody(const SceneWorld& world, int index, const char* what) {
    Movable body(world, static_cast<std::size_t>(index));
    if (!body.isMovedByForces()) throw InvalidParameter(what, "body '" + body.name() + "' is not moved by forces");
    return body;
}

/// Performs one action; those that only change Controls need no more than to be checked.
class Performer {
public:
    Performer(SceneWorld& world, std::size_t balls) : m_world(world), m_balls(balls) {}

    void operator()(const DragBegin& drag) const {
        requireFinite("drag", "point", drag.point);
        requireFinite("drag", "target", drag.target);
        requireConstants("drag", drag.c, drag.d);
        movableBody(m_world, drag.body, "drag").activate();
    }
    void operator()(const DragMove& move) const { requireFinite("drag", "target", move.target); }
    void operator()(const DragEnd&) const {}
    void operator()(const TurnBegin& turn) const {
        requireConstants("turn", turn.c, turn.d);
        movableBody(m_world, turn.body, "turn").activate();
    }
    void operator()(const TurnMove& move) const {
        require(move.orientation.coeffs().allFinite(), "turn", "orientation", move.orientation.w(), "finite");
    }
    void operator()(const TurnEnd&) const {}

    void operator()(const Throw& input) const {
        requireFinite("throw", "position", input.position);
        requireFinite("throw", "velocity", input.velocity);
        btRigidBody& ball = m_world.body(m_balls + static_cast<std::size_t>(input.ball));
        ball.setCenterOfMassTransform(btTransform(btQuaternion::getIdentity(), toBullet(input.position)));
        ball.setLinearVelocity(toBullet(input.velocity));
        ball.setAngularVelocity({0, 0, 0});
        ball.clearForces();
        ball.forceActivationState(ACTIVE_TAG);
        ball.setDeactivationTime(0);
        ball.setInterpolationLinearVelocity(ball.getLinearVelocity());
        ball.setInterpolationAngularVelocity(ball.getAngularVelocity());
    }

    void operator()(const ParameterEdit& edit) const {
        ElementHandle(m_world, static_cast<std::size_t>(edit.element)).setParameter(edit.parameter, edit.value);
    }
    void operator()(const ElementSwitch& input) const {
        ElementHandle(m_world, static_cast<std::size_t>(input.element)).setEnabled(input.enabled);
    }

    void operator()(const MotorEdit& edit) const {
        require(std::isfinite(edit.velocity), "motor", "velocity", edit.velocity, "finite");
        require(std::isfinite(edit.maxForce) && edit.maxForce >= 0, "motor", "maxForce", edit.maxForce,
                "finite and >= 0");
        btTypedConstraint& joint = m_world.joint(static_cast<std::size_t>(edit.joint));
        const auto velocity = static_cast<btScalar>(edit.velocity);
        if (auto* hinge = dynamic_cast<btHingeConstraint*>(&joint)) {
            // A hinge of Bullet takes an impulse per tick.
            hinge->enableAngularMotor(true, velocity, static_cast<btScalar>(edit.maxForce * m_world.tickLength()));
        } else if (auto* slider = dynamic_cast<btSliderConstraint*>(&joint)) {
            slider->setPoweredLinMotor(true);
            slider->setTargetLinMotorVelocity(velocity);
            slider->setMaxLinMotorForce(static_cast<btScalar>(edit.maxForce));
        } else {
            throw InvalidParameter("motor", "joint '" + nameOf(edit.joint) + "' is neither a hinge nor a slider");
        }
        joint.getRigidBodyA().activate();
        joint.getRigidBodyB().activate();
    }

    void operator()(const IterationsEdit& edit) const {
        require(edit.iterations >= 1, "world", "iterations", edit.iterations, ">= 1");
        m_world.world().getSolverInfo().m_numIterations = edit.iterations;
    }
    void operator()(const GravityEdit& edit) const {
        requireFinite("world", "gravity", edit.gravity);
        const btVector3 gravity = toBullet(edit.gravity);
        m_world.world().setGravity(gravity);
        // Bullet leaves out the bodies that sleep.
        for (std::size_t i = 0; i < m_world.bodies(); ++i) {
            btRigidBody& body = m_world.body(i);
            if (body.isStaticOrKinematicObject()) continue;
            body.setGravity(gravity);
            body.activate();
        }
        for (const GuestLink& link : guestLinks(m_world)) link.body->wakeUp();
    }

    void operator()(const JointPlacing& placing) const {
        const PlayedJoint joint = jointAt(placing.joint);
        robotOf(joint).place(joint.joint, placing.q);
        if (!placing.isTarget) return;
        if (joint.servo) {
            robotOf(joint).setTarget(joint.joint, placing.q);
        } else {
            moveHeld(joint, placing.q);
        }
    }
    void operator()(const JointTarget& target) const {
        const PlayedJoint joint = jointAt(target.joint);
        if (!joint.servo && target.value) {
            moveHeld(joint, *target.value);
        } else {
            robotOf(joint).setTarget(joint.joint, target.value);
        }
    }
    void operator()(const JointsHold& hold) const { holdJoints(hold.joints, m_world); }

private:
    PlayedJoint jointAt(int index) const {
        const std::vector<PlayedJoint> joints = playedJoints(m_world);
        if (index < 0 || static_cast<std::size_t>(index) >= joints.size()) {
            throw std::out_of_range("no joint " + std::to_string(index) + "; there are " +
                                    std::to_string(joints.size()));
        }
        return joints[static_cast<std::size_t>(index)];
    }
    RobotGuest& robotOf(const PlayedJoint& joint) const {
        return *robotsOf(m_world)[static_cast<std::size_t>(joint.robot)];
    }
    /// A joint that is held already gets another target.
    void moveHeld(const PlayedJoint& joint, double target) const {
        RobotGuest& robot = robotOf(joint);
        if (robot.heldJoint(joint.joint) == nullptr) {
            throw InvalidParameter("joint '" + joint.name + "'", "it has no servo, and is not held");
        }
        std::vector<HeldJoint> joints = robot.held();
        joints[static_cast<std::size_t>(joint.joint)].target = target;
        robot.hold(joints);
    }
    std::string nameOf(int joint) const { return m_world.scene().joints[static_cast<std::size_t>(joint)].name; }

    SceneWorld& m_world;
    std::size_t m_balls;
};

}  // namespace

DragConstants dragConstants(const Movable& body, const Eigen::Vector3d& point) {
    return criticallyDamped(1 / body.mobility(point));
}

DragConstants turnConstants(const Movable& body) {
    const double inverse = body.rotationalMobility();
    return inverse > 0 ? criticallyDamped(1 / inverse) : DragConstants{};
}

void holdJoints(const std::vector<HeldJoint>& held, const SceneWorld& world) {
    const std::vector<PlayedJoint> joints = playedJoints(world);
    if (!held.empty() && held.size() != joints.size()) {
        throw InvalidParameter("hold", "size of joints", static_cast<double>(held.size()),
                               "0 or " + std::to_string(joints.size()));
    }
    const std::vector<RobotGuest*> robots = robotsOf(world);
    for (std::size_t i = 0; i < robots.size(); ++i) {
        if (!robots[i]->canBeHeld()) continue;
        std::vector<HeldJoint> own;
        if (!held.empty()) own.resize(robots[i]->robot().description().joints.size());
        for (std::size_t k = 0; k < held.size(); ++k) {
            if (joints[k].robot == static_cast<int>(i)) own[static_cast<std::size_t>(joints[k].joint)] = held[k];
        }
        robots[i]->hold(own);
    }
}

Controls Controls::of(const Scene& scene) {
    Controls controls;
    controls.iterations = scene.solverIterations;
    controls.gravity = scene.gravity;
    return controls;
}

void Controls::take(const Action& action) {
    if (const auto* begun = std::get_if<DragBegin>(&action)) {
        drag = *begun;
    } else if (const auto* moved = std::get_if<DragMove>(&action)) {
        if (drag) drag->target = moved->target;
    } else if (std::holds_alternative<DragEnd>(action)) {
        drag.reset();
    } else if (const auto* turned = std::get_if<TurnBegin>(&action)) {
        turn = *turned;
    } else if (const auto* turnMoved = std::get_if<TurnMove>(&action)) {
        if (turn) turn->orientation = turnMoved->orientation;
    } else if (std::holds_alternative<TurnEnd>(action)) {
        turn.reset();
    } else if (const auto* iterationsEdit = std::get_if<IterationsEdit>(&action)) {
        iterations = iterationsEdit->iterations;
    } else if (const auto* gravityEdit = std::get_if<GravityEdit>(&action)) {
        gravity = gravityEdit->gravity;
    } else if (const auto* hold = std::get_if<JointsHold>(&action)) {
        held = hold->joints;
    } else if (const auto* placing = std::get_if<JointPlacing>(&action)) {
        if (placing->isTarget) takeTarget(placing->joint, placing->q);
    } else if (const auto* target = std::get_if<JointTarget>(&action)) {
        takeTarget(target->joint, target->value);
    }
}

void Controls::takeTarget(int joint, std::optional<double> target) {
    const auto index = static_cast<std::size_t>(joint);
    if (index < held.size() && held[index].c > 0) {
        held[index].target = target.value_or(held[index].target);
    } else if (target) {
        targets[joint] = *target;
    } else {
        targets.erase(joint);
    }
}

void Controls::putSettings(SceneWorld& world) const {
    putTargets(world);
    world.world().getSolverInfo().m_numIterations = iterations;
    // btDiscreteDynamicsWorld::setGravity would give all bodies this gravity too, and wake them.
    std::vector<btVector3> ofBodies;
    for (std::size_t i = 0; i < world.bodies(); ++i) ofBodies.push_back(world.body(i).getGravity());
    const btVector3 wanted = toBullet(gravity);
    if (!(world.world().getGravity() == wanted)) {
        world.world().setGravity(wanted);
        for (std::size_t i = 0; i < world.bodies(); ++i) world.body(i).setGravity(ofBodies[i]);
    }
}

void Controls::putTargets(const SceneWorld& world) const {
    holdJoints(held, world);
    const std::vector<PlayedJoint> joints = playedJoints(world);
    const std::vector<RobotGuest*> robots = robotsOf(world);
    for (std::size_t i = 0; i < joints.size(); ++i) {
        if (!joints[i].servo) continue;
        const auto set = targets.find(static_cast<int>(i));
        robots[static_cast<std::size_t>(joints[i].robot)]->setTarget(
            joints[i].joint, set == targets.end() ? std::nullopt : std::optional(set->second));
    }
}

Eigen::Vector3d dragForce(const DragBegin& drag, const Movable& body, double h) {
    const Eigen::Vector3d point = body.toWorld(drag.point);
    return implicitForce(drag.target - point, body.velocityAt(point), drag.c, drag.d, body.mobility(drag.point), h);
}

Eigen::Vector3d turnTorque(const TurnBegin& turn, const Movable& body, double h) {
    const Eigen::AngleAxisd left(turn.orientation * body.orientation().conjugate());
    // The shorter way round.
    const double angle = left.angle() > M_PI ? left.angle() - 2 * M_PI : left.angle();
    return implicitForce(angle * left.axis(), body.angularVelocity(), turn.c, turn.d, body.rotationalMobility(), h);
}

void perform(const Action& action, SceneWorld& world, std::size_t balls) {
    std::visit(Performer(world, balls), action);
}

void pull(const Controls& controls, SceneWorld& world) {
    if (controls.drag) {
        const Movable body(world, static_cast<std::size_t>(controls.drag->body));
        body.activate();
        body.applyForce(dragForce(*controls.drag, body, world.tickLength()), body.toWorld(controls.drag->point));
    }
    if (controls.turn) {
        const Movable body(world, static_cast<std::size_t>(controls.turn->body));
        body.activate();
        body.applyTorque(turnTorque(*controls.turn, body, world.tickLength()));
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
