#include "rigid/rigid_tick.h"

#include "balance/energy_repair.h"
#include "balance/heat_balance.h"
#include "balance/network_energy.h"
#include "rigid/rigid_closing.h"
#include "rigid/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

/// Steps that a network may take: they cost more the larger it is.
int budgetOf(const FlowNetwork& network, int maxSteps) {
    const auto size = static_cast<double>(network.bodies.size() + network.elements.size() +
                                          (network.joints.size() + network.bounded.size()) / 4);
    const double share = std::clamp(kRigidFullBudgetSize / size, kSmallestBudget, 1.);
    return static_cast<int>(std::ceil(share * maxSteps));
}

/// True for networks whose swinging needs no more than steps of order 5.
bool isJointed(const FlowNetwork& network) {
    return !network.joints.empty();
}

/// What an implicit step costs, in explicit ones: it solves for all bodies at once, in cubic time.
int implicitWeight(const FlowNetwork& network) {
    const auto bodies = static_cast<double>(network.bodies.size());
    const double cubic = isJointed(network) ? kJointedCubic : kCubic;
    return 1 + (isJointed(network) ? kJointedColumns : 0) +
           static_cast<int>(cubic * bodies * bodies * bodies / (bodies + static_cast<double>(network.elements.size())));
}

/// Work of the loads on what rounding does to the poses that joints hold: what hangs at rest has no other motion.
double hangingRounding(const FlowNetwork& network, double h) {
    double sum = 0;
    for (const FlowBody& body : network.bodies) sum += body.position.norm() * body.force.impulse(h).norm() / h;
    return isJointed(network) ? kPoseRounding * sum : 0;
}

/// DOP853 (Dormand-Prince where joints make each step costly and nothing rings), then RODAS4: see explicitThenImplicit.
void advance(RigidSpace& space, double& t, TickResult& result) {
    RigidSystem& system = space.system;
    const FlowSettings& settings = space.settings;
    const FlowNetwork& network = system.network();
    const int budget = budgetOf(network, settings.maxSteps);
    const bool isMechanism = isJointed(network);
    const auto explicitly = [&] {
        const bool isFast = !isMechanism || system.isFast(t, space.y);
        const bool isBounded = !network.bounded.empty();
        const double swinging = isBounded ? kBoundedLooseness : space.swinging;
        const double looseness = !isMechanism ? kRigidShare : isFast ? kRigidRingingLooseness : swinging;
        space.hasSwung |= isMechanism && !isFast && !isBounded;
        isMechanism ? system.steps().explicitly(isFast) : system.steps().explicitly();
        system.setSwinging(isMechanism && !isFast);
        system.setRinging(isMechanism && isFast);
        system.setTolerance(looseness * settings.tolerance);
        result.method = isFast ? FlowMethod::Dop853 : FlowMethod::DormandPrince;
        Stepper& stepper = isFast ? static_cast<Stepper&>(space.dop853) : space.dormandPrince;
        return integrate(system, stepper, t, space.h, space.y, budget, result.steps, space.integration);
    };
    const auto implicitly = [&] {
        result.method = FlowMethod::Rodas4;
        system.steps().implicitly();
        system.setSwinging(false);
        system.setRinging(false);
        system.setTolerance(kRodas4Looseness * settings.tolerance);
        const int weight = implicitWeight(network);
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
    for (std::size_t k = 0; k < now.bounded.size(); ++k) now.bounded[k].phi = system.boundedRow(k, t, y).s;
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
    ledger.limitLoss = 0;
    ledger.reactions.clear();
    ledger.held.clear();
}

/// Joints that stand still and springs without damping take nothing: what steps of order 5 have lost goes back.
/// @param share of the kinetic energy, at most
void restoreEnergy(const FlowNetwork& start, double share, RigidLedger& ledger) {
    for (const FlowBody& body : start.bodies) {
        if (!carriedMotion(body).isZero(0)) return;
    }
    for (std::size_t e = 0; e < start.elements.size(); ++e) {
        const HybridLaw law = HybridLaw::from(start.elements[e].law);
        const bool canLose = law.kind == HybridLaw::Kind::Series || law.d > 0;
        // A spring that its damper holds back, so that it does not push, loses what it holds.
        const auto k = static_cast<Eigen::Index>(e);
        if (canLose && (ledger.impulses[k] != 0 || ledger.heat[k] != 0)) return;
    }
    for (const int k : ledger.held) {
        if (start.bounded[static_cast<std::size_t>(k)].kind == BoundedRow::Kind::Motor) return;  // it keeps its rate
    }
    giveEnergy(ledger.now, -handedOut(ledger), share);
}

/// Share of the kinetic energy by which bodies may be slowed down: where they turn round there is little of it, and
/// what the integration got wrong is measured by what was in play.
double shareToTake(const RigidLedger& ledger, double least) {
    const double kinetic = kineticEnergy(ledger.now);
    return kinetic > 0 ? std::clamp(kTrustedError * scaleOf(ledger) / kinetic, least, kMostToTake) : 0;
}

/// Where limits and motors say what the motion is, they have also done what nothing else can have done: impacts took
/// less than their impulses tell, motors worked more.
void takeFromBounded(RigidLedger& ledger) {
    const double fromLimits = std::clamp(handedOut(ledger), 0.0, kTurningRepair * ledger.limitLoss);
    ledger.limitLoss -= fromLimits;
    ledger.work += fromLimits;
    const double fromMotors = std::clamp(handedOut(ledger), 0.0, kTurningRepair * std::abs(ledger.driveWork));
    ledger.driveWork += fromMotors;
    ledger.work += fromMotors;
}

/// @return false if the energy gained cannot be taken back
bool integratePart(RigidSpace& space, double& t, TickResult& result) {
    const RigidSystem& system = space.system;
    RigidLedger& ledger = space.ledger;
    Eigen::VectorXd& y = space.y;
    y = system.startState();
    advance(space, t, result);
    space.leastSteps = std::max(space.leastSteps, system.leastSteps());
    result.events = system.events();
    readNetwork(system, t, y, ledger.now);
    ledger.held = system.heldBounded();
    valuesOf(ledger, ledger.held, space.values);
    if (!holdPoses(ledger.now, space.values, space.hold, ledger.held)) return false;
    holdVelocitiesHere(ledger.now, space.hold);
    system.centroidal().project(ledger.now, system.network(), t, system.moment(y));
    ledger.work = system.work(y);
    ledger.driveWork = system.driveWork(y);
    ledger.limitLoss = system.limitLoss();
    for (std::size_t k = 0; k < ledger.now.bounded.size(); ++k) {
        ledger.boundedImpulses[static_cast<Eigen::Index>(k)] = system.boundedImpulse(k, y);
        ledger.boundedWork[static_cast<Eigen::Index>(k)] = system.boundedWork(k, y);
    }
    system.boundedForces(t, y, ledger.boundedForces);
    for (std::size_t k = 0; k < system.reactionCount(); ++k) ledger.reactions.push_back(system.reaction(k, y));
    for (std::size_t i = 0; i < ledger.now.bodies.size(); ++i) {
        const FlowBody& body = system.network().bodies[i];
        if (body.force.isConstant()) ledger.work += forceWork(body, ledger.now.bodies[i].position - body.position);
    }
    for (std::size_t e = 0; e < ledger.now.elements.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        ledger.impulses[k] = system.impulse(e, y);
        ledger.heat[k] = system.heat(e, y);
    }
    const double gain = handedOut(ledger);
    if (!std::isfinite(gain) || !isBroughtBy(space, ledger)) return false;
    if (gain > 0 && (!ledger.now.elements.empty() || isJointed(ledger.now))) {
        const double share = shareToTake(ledger, space.hasSwung ? kSwingingShare : kTurningRepair);
        result.energyRepaired =
            takeEnergy(ledger.now, gain, share, ledger.impulses, ledger.work, space.damping, ledger.held);
        takeFromBounded(ledger);
        // What cannot be taken out of the motion is in the springs.
        const double scale = scaleOf(ledger) + loadEnergy(space.start, space.h);
        const double rounding = storedRounding(ledger.now) + hangingRounding(space.start, space.h);
        return handedOut(ledger) <= kTurningRounding * scale + rounding;
    }
    if (isJointed(ledger.now)) restoreEnergy(space.start, space.hasSwung ? kSwingingLoss : kTurningRepair, ledger);
    return true;
}

/// The energy that is missing is the heat; how it divides among the elements is what integration found.
void closeBalance(RigidLedger& ledger) {
    closeHeat(ledger.heat, ledger.impulses, -handedOut(ledger), scaleOf(ledger));
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
             .isHeld = std::find(ledger.held.begin(), ledger.held.end(), static_cast<int>(k)) != ledger.held.end()});
    }
    result.reactions = ledger.reactions;
    result.driveWork = ledger.driveWork;
    result.limitLoss = ledger.limitLoss;
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
    const int most = space.settings.maxSteps;
    // A few more for rounding; see budgetOf.
    const double share = static_cast<double>(budgetOf(space.start, most)) / most;
    const double needed = std::ceil((result.steps + 4) / share);
    const int least = static_cast<int>(std::min<double>(most, std::max(needed, std::ceil(space.leastSteps))));
    return budgetOf(space.start, least) > result.steps ? least : most;
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
    space.system.begin(h);
    double t = 0;
    const auto beginAgain = [&] {
        begin(space.start, space.hold, false, ledger);
        result.events.clear();
        result.energyRepaired = 0;
        t = 0;
    };
    space.swinging = kLooseSwinging;
    space.hasSwung = false;
    bool isSolved = isHeld && integratePart(space, t, result);
    if (!isSolved && space.hasSwung) {
        space.swinging = kSwinging;
        space.system.begin(h);
        beginAgain();
        isSolved = integratePart(space, t, result);
    }
    if (isHeld && !isSolved && closeHairlines(space, result)) {
        space.system.begin(h);
        beginAgain();
        isSolved = integratePart(space, t, result);
    }
    result.overBudget = !isSolved || t < h;
    if (result.overBudget) return settings.maxSteps;
    closeJoints(space, result);
    result.energyHandedOut = handedOut(ledger) + result.energyRepaired;
    closeBalance(ledger);
    read(given, space, result);
    return leastSteps(space, result);
}

}  // namespace elasto::flow
