#include "rigid/rigid_tick.h"

#include "balance/energy_repair.h"
#include "balance/finer_attempts.h"
#include "balance/network_energy.h"
#include "rigid/rigid_closing.h"
#include "rigid/tuning.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace elasto::flow {

namespace {

bool isJointed(const FlowNetwork& network) {
    return !network.joints.empty();
}

/// Largest distance from the origin.
double reachOf(const FlowNetwork& network) {
    double reach = 1;
    for (const FlowBody& body : network.bodies) reach = std::max(reach, body.position.norm());
    return reach;
}

/// Work of the loads on what rounding does to the poses that joints hold: what hangs at rest has no other motion.
double hangingRounding(const FlowNetwork& network, double h) {
    double sum = 0;
    for (const FlowBody& body : network.bodies) sum += body.position.norm() * body.force.impulse(h).norm() / h;
    return isJointed(network) ? kPoseRounding * sum : 0;
}

/// DOP853, then RODAS4: see explicitThenImplicit.
void advance(RigidSpace& space, double& t, TickResult& result) {
    RigidSystem& system = space.system;
    const FlowSettings& settings = space.settings;
    const FlowNetwork& network = system.network();
    const int budget = settings.maxSteps;
    const auto explicitly = [&] {
        system.steps().explicitly();
        system.setTolerance(space.fineness * (isJointed(network) ? kJointedLooseness : kRigidShare) *
                            settings.stepTolerance());
        system.countSpins(t, space.y, true);
        result.method = FlowMethod::Dop853;
        return integrate(system, space.dop853, t, space.h, space.y, budget, result.steps, space.integration);
    };
    const auto implicitly = [&] {
        result.method = FlowMethod::Rodas4;
        system.steps().implicitly();
        system.setTolerance(space.fineness * kJointedLooseness * settings.stepTolerance());
        system.countSpins(t, space.y, false);
        const int weight = system.implicitWeight();
        int taken = 0;
        const Ended ended = integrate(system, space.rodas4, t, space.h, space.y, (budget - result.steps) / weight,
                                      taken, space.integration);
        result.steps += weight * taken;
        return ended;
    };
    explicitThenImplicit(
        t, space.h, [&] { return system.isStiff(t, space.y); }, explicitly, implicitly);
}

void readNetwork(const RigidSystem& system, double t, const Eigen::VectorXd& y, FlowNetwork& now) {
    now = system.network();
    for (std::size_t i = 0; i < now.bodies.size(); ++i) {
        FlowBody& body = now.bodies[i];
        const Motion motion = system.motionOf(static_cast<int>(i), t, y);
        body.position = motion.x;
        body.orientation = motion.q;
        body.velocity = motion.v;
        body.angularVelocity = motion.w;
    }
    shiftLoads(now, t);
    for (std::size_t e = 0; e < now.elements.size(); ++e) {
        const Row row = system.rowOf(e, t, y);
        FlowElement& element = now.elements[e];
        Turns::found(element, row).keepIn(element);
        element.s_damper = system.innerStateOf(e, row.s, y);
    }
    for (std::size_t k = 0; k < now.bounded.size(); ++k) {
        Turns::found(now.bounded[k], system.boundedRow(k, t, y)).keepIn(now.bounded[k]);
    }
}

double scaleOf(const RigidLedger& ledger) {
    return ledger.startEnergy + std::abs(ledger.work);
}

/// @param isPlaced whether the rows of the joints, without motors and limits, stand at the bodies' poses
void begin(const FlowNetwork& network, HoldSpace& space, bool isPlaced, RigidLedger& ledger) {
    ledger.now = network;
    if (isPlaced) {
        ledger.jointValues = space.rows.values();
    } else {
        readJoints(network, space, ledger.jointValues);
    }
    Eigen::VectorXd& values = ledger.jointValues;
    if (values.size() > 0 && values.lpNorm<Eigen::Infinity>() <= kJointGap) values.setZero();
    ledger.startEnergy = energy(network);
    ledger.work = 0;
    ledger.impulses.setZero(static_cast<Eigen::Index>(network.elements.size()));
    ledger.heat.setZero(ledger.impulses.size());
    ledger.boundedImpulses.setZero(static_cast<Eigen::Index>(network.bounded.size()));
    ledger.boundedWork.setZero(ledger.boundedImpulses.size());
    ledger.driveWork = 0;
    ledger.repaired = ledger.lifted = 0;
    ledger.limitLoss = 0;
    ledger.reactions.clear();
    ledger.held.clear();
}

/// True where nothing but the loads can change the energy: joints that stand still and springs without damping.
bool keepsEnergy(const FlowNetwork& start, const RigidLedger& ledger) {
    if (!isJointed(start)) return false;
    for (const FlowBody& body : start.bodies) {
        if (!carriedMotion(body).isZero(0)) return false;
    }
    for (std::size_t e = 0; e < start.elements.size(); ++e) {
        const HybridLaw law = HybridLaw::from(start.elements[e].law);
        // A spring that its damper holds back, so that it does not push, loses what it holds.
        const auto k = static_cast<Eigen::Index>(e);
        // A bushing without a damper counts as a spring here.
        const bool canLose = law.canLose() && (law.kind != HybridLaw::Kind::Slip || law.d > 0);
        if (canLose && (ledger.impulses[k] != 0 || ledger.heat[k] != 0)) return false;
    }
    return std::none_of(ledger.held.begin(), ledger.held.end(), [&](int k) {
        return start.bounded[static_cast<std::size_t>(k)].kind == BoundedRow::Kind::Motor;  // it keeps its rate
    });
}

/// What the steps have got wrong of the energy [J]: > 0 where it comes from nowhere.
double missed(const RigidLedger& ledger) {
    return handedOut(ledger) + ledger.heat.sum();
}

/// Where limits and motors say what the motion is, they have also done what nothing else can have done: impacts took
/// less than their impulses tell, motors worked more.
void takeFromBounded(RigidLedger& ledger) {
    const double fromLimits = std::clamp(handedOut(ledger), 0.0, kTakenError * ledger.limitLoss);
    ledger.limitLoss -= fromLimits;
    ledger.work += fromLimits;
    const double fromMotors = std::clamp(handedOut(ledger), 0.0, kTakenError * std::abs(ledger.driveWork));
    ledger.driveWork += fromMotors;
    ledger.work += fromMotors;
}

/// Energy that a network has, and that loads may bring, within a tick. What is slower than is resolved at all counts.
double inPlay(const RigidSpace& space) {
    return scaleOf(space.ledger) + loadEnergy(space.start, space.h) +
           energyAt(space.start, space.settings.velocityFloor);
}

/// Energy up to which the balance may be wrong by rounding.
double roundingOf(const RigidSpace& space) {
    return kTurningRounding * inPlay(space) + storedRounding(space.ledger.now) + hangingRounding(space.start, space.h);
}

/// The little that the steps got wrong of the energy does not add up from tick to tick: elements hand out none, so what
/// they gained beyond their heat is taken out of the motion, and what was lost where nothing can take any goes back.
void settleEnergy(RigidSpace& space) {
    RigidLedger& ledger = space.ledger;
    if (ledger.now.elements.empty() && !isJointed(ledger.now)) return;
    const double kinetic = kineticEnergy(ledger.now);
    const double share = kinetic > 0 ? std::min(kTakenError * inPlay(space) / kinetic, kMostToTake) : 0;
    const double gain = handedOut(ledger);
    if (gain > 0) {
        ledger.repaired = takeEnergy(ledger.now, gain, share, ledger.impulses, ledger.work, space.damping, ledger.held);
        takeFromBounded(ledger);
    } else if (keepsEnergy(space.start, ledger)) {
        giveEnergy(ledger.now, -ledger.balance.energy, share);
    }
}

/// True where what the steps got wrong is little enough to be kept, if nothing better is found. What was gained and
/// could not be taken out of the motion is in the springs.
bool isAcceptable(const RigidSpace& space) {
    const RigidLedger& ledger = space.ledger;
    const double rounding = roundingOf(space);
    return std::abs(ledger.balance.energy) <= kTakenError * ledger.balance.inPlay + rounding &&
           handedOut(ledger) <= trustedError(space.settings) * ledger.balance.inPlay + rounding;
}

/// Ways by which the limits that are held are closed to their bound.
void findHairlines(RigidSpace& space) {
    const RigidLedger& ledger = space.ledger;
    const Eigen::Index joints = ledger.jointValues.size();
    space.hairlines.resize(static_cast<Eigen::Index>(ledger.held.size()));
    for (Eigen::Index i = 0; i < space.hairlines.size(); ++i) {
        const auto k = static_cast<std::size_t>(ledger.held[static_cast<std::size_t>(i)]);
        const BoundedRow& row = ledger.now.bounded[k];
        const bool isLimit = row.kind == BoundedRow::Kind::Limit;
        space.hairlines[i] = isLimit ? space.values[joints + i] - (boundedRowOf(ledger.now, k).s - row.bound) : 0;
    }
}

/// Energy by which closing them lifts what they carry.
double liftedBy(const RigidSpace& space) {
    double lifted = 0;
    for (Eigen::Index i = 0; i < space.hairlines.size(); ++i) {
        const auto k = static_cast<std::size_t>(space.ledger.held[static_cast<std::size_t>(i)]);
        lifted += space.hairlines[i] * space.ledger.boundedForces[k];
    }
    return lifted;
}

/// Largest way by which joints have opened.
double openedBy(RigidSpace& space) {
    if (!isJointed(space.start)) return 0;
    readJoints(space.ledger.now, space.hold, space.values);
    return (space.values - space.ledger.jointValues).lpNorm<Eigen::Infinity>();
}

/// Largest speed of a body, as the steps' errors count it [m/s, rad/s].
double fastestOf(const RigidSpace& space) {
    double speed = space.settings.velocityFloor;
    for (const FlowBody& body : space.ledger.now.bodies) {
        if (!body.isImmovable()) speed = std::max({speed, body.velocity.norm(), body.angularVelocity.norm()});
    }
    return speed;
}

/// True where the balance shows no error of the steps but what has been put right.
bool isTrusted(const RigidSpace& space) {
    const TickBalance& balance = space.ledger.balance;
    const double rounding = roundingOf(space);
    return std::abs(balance.energy) <= trustedError(space.settings) * balance.inPlay + rounding &&
           handedOut(space.ledger) <= rounding && balance.momentum <= kTrustedSpeed &&
           balance.joints <= kTrustedSpeed * space.h * fastestOf(space) + kPoseRounding * reachOf(space.start);
}

/// @return false if what was found is no motion
bool integratePart(RigidSpace& space, double& t, TickResult& result) {
    const RigidSystem& system = space.system;
    RigidLedger& ledger = space.ledger;
    Eigen::VectorXd& y = space.y;
    y = system.startState();
    advance(space, t, result);
    space.leastSteps = std::max(space.leastSteps, system.leastSteps());
    ledger.events = system.events();
    readNetwork(system, t, y, ledger.now);
    ledger.held = system.heldBounded();
    ledger.balance = {};
    ledger.balance.joints = openedBy(space);
    valuesOf(ledger, ledger.held, space.values);
    findHairlines(space);
    if (!holdPoses(ledger.now, space.values, space.hold, ledger.held)) return false;
    holdVelocitiesHere(ledger.now, space.hold);
    const double missing = system.centroidal().project(ledger.now, system.network(), t, system.moment(y));
    ledger.work = system.work(y);
    ledger.driveWork = system.driveWork(y);
    ledger.limitLoss = system.limitLoss();
    for (std::size_t k = 0; k < ledger.now.bounded.size(); ++k) {
        ledger.boundedImpulses[static_cast<Eigen::Index>(k)] = system.boundedImpulse(k, y);
        ledger.boundedWork[static_cast<Eigen::Index>(k)] = system.boundedWork(k, y);
    }
    system.boundedForces(t, y, ledger.boundedForces);
    ledger.lifted = liftedBy(space);
    ledger.work += ledger.lifted;
    for (std::size_t k = 0; k < system.reactionCount(); ++k) ledger.reactions.push_back(system.reaction(k, y));
    for (std::size_t i = 0; i < ledger.now.bodies.size(); ++i) {
        const FlowBody& body = system.network().bodies[i];
        if (body.force.isConstant()) ledger.work += forceWork(body, ledger.now.bodies[i].position - body.position);
    }
    for (std::size_t e = 0; e < ledger.now.elements.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        ledger.impulses[k] = system.impulse(e, y);
        ledger.heat[k] = std::max(system.heat(e, y), 0.);  // no law gives any back: less than none is an error of steps
    }
    if (!std::isfinite(handedOut(ledger)) || !isBroughtBy(space, ledger)) return false;
    ledger.balance.energy = missed(ledger);
    ledger.balance.inPlay = inPlay(space);
    ledger.balance.momentum = missing > 0 ? missing / fastestOf(space) : 0;
    settleEnergy(space);
    return true;
}

void read(const FlowNetwork& start, RigidSpace& space, TickResult& result) {
    const RigidLedger& ledger = space.ledger;
    for (std::size_t i = 0; i < start.bodies.size(); ++i) {
        const FlowBody& body = start.bodies[i];
        const BodyState free = body.isImmovable() ? BodyState() : space.free.motion(body, space.h);
        result.bodies.push_back(bodyTick(body, ledger.now.bodies[i], free));
    }
    for (std::size_t e = 0; e < start.elements.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        const FlowElement& element = ledger.now.elements[e];
        const Row row = rowOf(ledger.now, e);
        result.elements.push_back(
            elementTick(element.law, row.s, row.v, element.s_damper, ledger.impulses[k], ledger.heat[k]));
        result.elements.back().geared = row.geared;
    }
    for (std::size_t k = 0; k < start.bounded.size(); ++k) {
        const Row row = boundedRowOf(ledger.now, k);
        const auto index = static_cast<Eigen::Index>(k);
        result.bounded.push_back(
            {.coordinate = row.s,
             .rate = row.v,
             .impulse = ledger.boundedImpulses[index],
             .work = ledger.boundedWork[index],
             .force = ledger.boundedForces[k],
             .isHeld = std::find(ledger.held.begin(), ledger.held.end(), static_cast<int>(k)) != ledger.held.end(),
             .geared = row.geared});
    }
    result.reactions = ledger.reactions;
    result.driveWork = ledger.driveWork;
    result.limitLoss = ledger.limitLoss;
    result.balance = ledger.balance;
}

/// Storage for repairs of energy, the first of which may come late.
void prepareRepairs(const FlowNetwork& network, DampingSpace& space) {
    const auto elements = static_cast<Eigen::Index>(network.elements.size());
    if (space.rates.size() == elements && space.hold.bodies.motions.size() == network.bodies.size()) return;
    readRows(network, space.rows);
    space.responses.find(network, space.rows, space.hold);
    space.responses.inverseMass(space.inverseMass);
    space.rates.setZero(elements);
    space.changes.setZero(elements);
}

/// Least settings.maxSteps that would have left the tick as it is.
int leastSteps(const RigidSpace& space, const TickResult& result) {
    const double needed = std::max<double>(result.steps + 1, std::ceil(space.leastSteps));
    return static_cast<int>(std::min<double>(space.settings.maxSteps, needed));
}

/// Solves the tick from where the space's start stands, with finer steps as long as the balance asks for them.
bool integrateWell(RigidSpace& space, double& t, TickResult& result) {
    const auto attempt = [&](double fineness) {
        space.fineness = fineness;
        begin(space.start, space.hold, false, space.ledger);
        space.system.begin(space.h);
        t = 0;
        return integratePart(space, t, result) && t >= space.h;
    };
    const bool isSolved = solveFinely(
        space.settings.maxSteps, result.steps, attempt, [&] { return isTrusted(space); },
        [&] { std::swap(space.ledger, space.coarser); });
    if (isSolved) t = space.h;
    return isSolved && isAcceptable(space);
}

}  // namespace

int solveRigid(const FlowNetwork& given, double h, const FlowSettings& settings, RigidSpace& space,
               TickResult& result) {
    space.start = given;
    space.settings = settings;
    space.h = h;
    space.leastSteps = 0;
    RigidLedger& ledger = space.ledger;
    space.mostBrought = mostBrought(given, h);
    holdVelocities(space.start, space.hold);
    begin(space.start, space.hold, !given.joints.empty(), ledger);
    const bool isHeld = isBroughtBy(space, ledger);
    if (!isHeld) {
        space.start = given;
        begin(space.start, space.hold, false, ledger);
    }
    if (!given.joints.empty()) result.jointEnergy = kineticEnergy(space.start) - kineticEnergy(given);
    prepareRepairs(space.start, space.damping);
    double t = 0;
    bool isSolved = isHeld && integrateWell(space, t, result);
    const bool isWell = isSolved && isTrusted(space);
    if (isHeld && !isWell && closeHairlines(space, result)) isSolved = integrateWell(space, t, result);
    result.overBudget = !isSolved || t < h;
    if (result.overBudget) return settings.maxSteps;
    if (!isTrusted(space)) result.grade += TickGrade::of(GradeCause::Unbalanced);
    result.jointEnergy += ledger.lifted;
    result.energyRepaired = ledger.repaired;
    result.events = ledger.events;
    closeJoints(space, result);
    result.energyHandedOut = handedOut(ledger) + result.energyRepaired;
    read(given, space, result);
    return leastSteps(space, result);
}

}  // namespace elasto::flow
