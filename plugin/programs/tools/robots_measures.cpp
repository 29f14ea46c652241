#include "robots_measures.h"

#include <elasto/elasto_gap_law.h>
#include <elasto/reference/nrmse.h>
#include <elasto/spring_damper_law.h>
#include <fmt/format.h>

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "robots_bed.h"
#include "tool_errors.h"

namespace elasto::tools {

using Eigen::Vector3d;

namespace {

std::vector<double> tickTimes(double duration, double rate) {
    const auto count = static_cast<int>(std::lround(duration * rate));
    std::vector<double> times;
    for (int k = 0; k <= count; ++k) times.push_back(k / rate);
    return times;
}

/// Ends of the ticks that are compared, from 0 on. @param untilDivergence up to the model's horizon() only
std::vector<double> comparedTimes(const RobotModel& model, bool untilDivergence, double rate) {
    std::vector<double> times = tickTimes(model.duration, rate);
    if (untilDivergence) {
        const double last = horizon(model, times);
        std::erase_if(times, [&](double time) { return time > last; });
    }
    return times;
}

/// Ticks to the end. @return false if `proceed` said no
template <class AfterTick>
bool run(RobotBed& world, double duration, double rate, const Continue& proceed, const AfterTick& afterTick) {
    const auto count = static_cast<int>(std::lround(duration * rate));
    for (int k = 1; k <= count; ++k) {
        world.tick(rate);
        afterTick(k / rate);
        if (!proceed(static_cast<double>(k) / count)) return false;
    }
    return true;
}

CoupledValue worstOf(const Trajectory& oracle, const Trajectory& reached) {
    const std::vector<SignalError> errors = compareSignals(oracle, reached);
    const SignalError* worst = worstSignal(errors);
    return {100 * worst->nrmse, worst->signal};
}

/// The model's trees as they stand in a state.
std::vector<FlowTree> treesAt(const RobotModel& model, const std::vector<TreeTick>& states) {
    std::vector<FlowTree> trees = model.problem.network.trees;
    for (std::size_t k = 0; k < trees.size(); ++k) {
        static_cast<BodyState&>(trees[k].base) = states[k].base;
        for (std::size_t i = 0; i < trees[k].links.size(); ++i) {
            static_cast<TreeJointState&>(trees[k].links[i]) = states[k].links[i];
        }
        for (std::size_t i = 0; i < trees[k].rotors.size(); ++i) {
            trees[k].rotors[i].phi = states[k].rotors[i].phi;
            trees[k].rotors[i].w = states[k].rotors[i].w;
        }
    }
    return trees;
}

struct Momenta {
    Vector3d linear = Vector3d::Zero();
    Vector3d angular = Vector3d::Zero();  ///< about the origin
    Vector3d moment = Vector3d::Zero();   ///< sum of mass times position
    double mass = 0;

    Vector3d aboutCenter() const { return angular - (moment / mass).cross(linear); }
};

Momenta momentaOf(const std::vector<FlowTree>& trees) {
    Momenta sum;
    const auto add = [&](const BodyState& frame, const Vector3d& center, double mass, const Eigen::Matrix3d& inertia) {
        const Vector3d arm = frame.orientation * center;
        const Vector3d position = frame.position + arm;
        const Vector3d momentum = mass * (frame.velocity + frame.angularVelocity.cross(arm));
        const Eigen::Matrix3d turned =
            frame.orientation.toRotationMatrix() * inertia * frame.orientation.toRotationMatrix().transpose();
        sum.linear += momentum;
        sum.angular += position.cross(momentum) + turned * frame.angularVelocity;
        sum.moment += mass * position;
        sum.mass += mass;
    };
    for (const FlowTree& tree : trees) {
        if (!tree.base.isFixed) add(tree.base, Vector3d::Zero(), tree.base.mass, tree.base.inertia);
        for (std::size_t i = 0; i < tree.links.size(); ++i) {
            const TreeLink& link = tree.links[i];
            add(linkFrame(tree, static_cast<int>(i)), link.centerOfMass, link.mass, link.inertia);
        }
    }
    return sum;
}

double kineticEnergy(const std::vector<FlowTree>& trees) {
    double energy = 0;
    for (const FlowTree& tree : trees) energy += kineticEnergy(tree);
    return energy;
}

double storedEnergy(const RobotInBullet& robot) {
    double energy = 0;
    for (std::size_t k = 0; k < robot.elementCount(); ++k) energy += robot.element(k).storedEnergy();
    return energy;
}

}  // namespace

RobotOutcome measureCoordinates(const RobotModel& model, bool untilDivergence, RobotBed& world,
                                const std::function<std::vector<double>()>& coordinates, double rate,
                                const Continue& proceed) {
    const std::vector<double> times = comparedTimes(model, untilDivergence, rate);
    Trajectory reached;
    reached.signals = coordinateNames(model);
    reached.columns.resize(reached.signals.size());
    const auto record = [&](double time) {
        reached.time.push_back(time);
        const std::vector<double> values = coordinates();
        for (std::size_t k = 0; k < values.size(); ++k) reached.columns[k].push_back(values[k]);
    };
    record(0);
    if (!run(world, times.back(), rate, proceed, record)) return std::nullopt;
    CoupledValue worst = worstOf(oracleOf(model, times), reached);
    if (untilDivergence) worst.signal += fmt::format(" to {:.3g} s", times.back());
    return RobotValue{worst, world.plugin().totals()};
}

RobotOutcome measureAngles(const RobotModel& model, bool untilDivergence, double rate, const Continue& proceed) {
    RobotInBullet robot(model);
    const auto angles = [&] { return coordinatesOf(robot.trees()); };
    return measureCoordinates(model, untilDivergence, robot.world, angles, rate, proceed);
}

RobotOutcome measureMomentum(const RobotModel& model, double rate, const Continue& proceed) {
    RobotInBullet robot(model);
    const Momenta start = momentaOf(treesAt(model, robot.trees()));
    RobotValue result;
    const auto compare = [&](double time) {
        const Momenta now = momentaOf(treesAt(model, robot.trees()));
        const double linear = (now.linear - start.linear).norm() / start.linear.norm();
        const double angular = (now.aboutCenter() - start.aboutCenter()).norm() / start.aboutCenter().norm();
        const double worst = std::max(linear, angular);
        if (!(worst > result.reached.value)) return;
        result.reached = {worst, fmt::format("{}momentum at {:.3g} s", angular > linear ? "angular " : "", time)};
    };
    if (!run(robot.world, model.duration, rate, proceed, compare)) return std::nullopt;
    result.totals = robot.world.plugin().totals();
    if (result.totals.events == 0) throw FailureError("no link has struck its stop");
    return result;
}

RobotOutcome measureEnergy(const RobotModel& model, double rate, const Continue& proceed) {
    RobotInBullet robot(model);
    // The zero of the heights is arbitrary; the scale is what the arm has when it hangs.
    double fastest = 0;
    const auto energy = [&] {
        const std::vector<FlowTree> trees = treesAt(model, robot.trees());
        const double kinetic = kineticEnergy(trees);
        fastest = std::max(fastest, kinetic);
        return kinetic - model.gravity.dot(momentaOf(trees).moment) + storedEnergy(robot);
    };
    const double start = energy();
    RobotValue result;
    double rise = -std::numeric_limits<double>::infinity();
    const auto compare = [&](double time) {
        const double now = energy() - start;
        if (!(now > rise)) return;
        rise = now;
        result.reached.signal = fmt::format("at {:.3g} s", time);
    };
    if (!run(robot.world, model.duration, rate, proceed, compare)) return std::nullopt;
    result.reached.value = rise / fastest;
    result.totals = robot.world.plugin().totals();
    return result;
}

RobotOutcome measurePress(Support support, double c, double d, double rate, const Continue& proceed) {
    constexpr double kForce = 100;  // [N]
    RobotModel model;
    FlowTree& tree = model.problem.network.trees.emplace_back();
    for (const int parent : {kTreeBase, 0}) {
        TreeLink& link = tree.links.emplace_back();
        link.joint = TreeJoint::Prismatic;
        link.parent = parent;
        link.axis = Vector3d::UnitY();
        link.pivot = {0, parent == kTreeBase ? 0.5 : 1, 0};
        link.mass = 1;
        link.inertia = Vector3d(0.1, 0.1, 0.1).asDiagonal();
    }
    tree.links[1].q = -kForce / c;  // where the gap holds the force
    TreeElement gap{ElastoGapLaw({.c = c, .d = d})};
    gap.terms = {TreeTerm::joint(0, 1)};
    model.problem.network.elements.push_back(gap);

    RobotInBullet robot(model);
    btMultiBody& body = robot.multiBody(0);
    robot.world.addCollider(body, 0, std::make_unique<btBoxShape>(btVector3(0.5, 0.5, 0.5)));
    if (support == Support::Floor) {
        robot.world.addBody(0, std::make_unique<btBoxShape>(btVector3(5, 1, 5)), {0, -1, 0});
    } else if (support == Support::Limit) {
        robot.world.constrain<btMultiBodyJointLimitConstraint>(&body, 0, btScalar(0), btScalar(10))
            .setMaxAppliedImpulse(btScalar(1e10));
    } else {
        robot.world.constrain<btMultiBodyJointMotor>(&body, 0, btScalar(0), btScalar(1e10));
    }
    double sum = 0;
    int count = 0;
    const auto push = [&] { body.addLinkForce(1, btVector3(0, btScalar(-kForce), 0)); };
    const auto average = [&](double time) {
        if (2 * time > model.duration) {
            sum += robot.element(0).meanForce();
            ++count;
        }
        push();
    };
    push();
    if (!run(robot.world, model.duration, rate, proceed, average)) return std::nullopt;
    return RobotValue{{100 * std::abs(sum / count + kForce) / kForce, "gap.f_mean"}, robot.world.plugin().totals()};
}

namespace {

/// Two masses on a line with a spring between them. @param apart, speed of the second one at the start
TreeReferenceProblem massesOnLine(const SpringDamperLaw& law, const std::array<double, 2>& masses, double apart,
                                  double speed) {
    TreeReferenceProblem line;
    FlowTree& tree = line.network.trees.emplace_back();
    for (const double mass : masses) {
        TreeLink& link = tree.links.emplace_back();
        link.joint = TreeJoint::Prismatic;
        link.axis = Vector3d::UnitX();
        link.mass = mass;
        link.inertia.setIdentity();
    }
    tree.links[1].q = apart;
    tree.links[1].qd = speed;
    TreeElement spring{law};
    spring.terms = {TreeTerm::joint(0, 1), TreeTerm::joint(0, 0, -1)};
    line.network.elements.push_back(spring);

    return line;
}

}  // namespace

RobotOutcome measureHeldBody(double c, double d, double rate, const Continue& proceed) {
    constexpr double kLinkMass = 1.5;
    constexpr double kBodyMass = 1;
    constexpr double kPush = 2;  // [m/s] of the body away from the link
    constexpr double kApart = 1.5;

    // In Bullet: an arm that can be lifted and pushed, with a box at its end.
    RobotModel model;
    model.gravity = {0, -9.81, 0};
    FlowTree& tree = model.problem.network.trees.emplace_back();
    for (const int parent : {kTreeBase, 0}) {
        TreeLink& link = tree.links.emplace_back();
        link.joint = TreeJoint::Prismatic;
        link.parent = parent;
        link.axis = parent == kTreeBase ? Vector3d::UnitY() : Vector3d::UnitX();
        link.pivot = {0, parent == kTreeBase ? 0.5 : 0, 0};
        link.mass = parent == kTreeBase ? 0.5 : kLinkMass;
        link.inertia = Vector3d(0.1, 0.1, 0.1).asDiagonal();
    }
    RobotInBullet robot(model);
    RobotBed& world = robot.world;
    btMultiBody& body = robot.multiBody(0);
    const auto box = [] { return std::make_unique<btBoxShape>(btVector3(0.5, 0.5, 0.5)); };
    world.addCollider(body, 1, box()).setFriction(0);
    world.addBody(0, std::make_unique<btBoxShape>(btVector3(20, 1, 20)), {0, -1, 0}).setFriction(0);
    btRigidBody& held = world.addBody(kBodyMass, box(), {btScalar(kApart), btScalar(0.5), 0});
    held.setFriction(0);
    held.setLinearVelocity({btScalar(kPush), 0, 0});
    btTransform frame = btTransform::getIdentity();
    const SpringDamperLaw law({.c = c, .d = d, .s_rel0 = kApart});
    world.constrain<MultiBodyElement>(LinkPlacement::alongAxis({body, 1}, held, frame, frame), law);

    const TreeReferenceProblem line = massesOnLine(law, {kLinkMass, kBodyMass}, kApart, kPush);
    Trajectory oracle;
    oracle.time = tickTimes(model.duration, rate);
    oracle.signals = {"link.r_0[1]", "body.r_0[1]"};
    oracle.columns.resize(2);
    Trajectory reached = oracle;
    for (const ReferenceState& state : solveReference(line, oracle.time).states) {
        for (const std::size_t k : {0U, 1U}) oracle.columns[k].push_back(state.trees[0].links[k].q);
    }
    const auto record = [&](double) {
        reached.columns[0].push_back(static_cast<double>(body.getJointPos(1)));
        reached.columns[1].push_back(static_cast<double>(held.getWorldTransform().getOrigin().x()));
    };
    record(0);
    if (!run(world, model.duration, rate, proceed, record)) return std::nullopt;
    if (std::abs(static_cast<double>(body.getJointPos(0))) > 1e-3) throw FailureError("the link has left the floor");
    return RobotValue{worstOf(oracle, reached), world.plugin().totals()};
}

}  // namespace elasto::tools
