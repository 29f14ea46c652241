#include "contact/depenetration.h"

#include "balance/joint_projection.h"
#include "balance/network_energy.h"
#include "balance/network_state.h"
#include "constraints/bounded_phase.h"
#include "contact/contact_problem.h"
#include "numerics/cost_model.h"
#include "numerics/infinity.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

/// Share of the depth that is recovered per tick, and the depth that is left alone [m].
constexpr double kRecoveryShare = 0.2;
constexpr double kSlop = 1e-6, kRoughSlop = 2e-5;
constexpr int kRecoverySweeps = 30, kRoughSweeps = 12;
/// Where springs are in the way; roughly only once bodies are slower than this [m/s], for it takes long.
constexpr int kLongSweeps = 60;
constexpr double kSlow = 0.1;
constexpr double kRecovered = 1e-6, kRoughlyRecovered = 1e-3;
/// The smallest share of the wanted way that is worth moving.
constexpr double kSmallestPart = 1. / 16;
/// Share of the ways past no springs from which on those past springs are worth going.
constexpr double kWorthwhile = 0.1;
/// Way from which on it is worth solving for it: less is Bullet's rounding in single precision [m].
constexpr double kFarOff = 1e-5;
/// Value of a joint's row that is left alone [m, rad].
constexpr double kJointSlop = 1e-6;
/// Energy that springs may take up, per work of the loads: joints follow up to their rounding.
constexpr double kRecoveryRounding = 1e-9;
/// The same where sweeps hold the springs, which they do up to what they leave.
constexpr double kHeldRounding = 1e-3;

double largest(const std::vector<Vector6>& ways) {
    double way = 0;
    for (const Vector6& w : ways) way = std::max(way, w.head<3>().norm());
    return way;
}

double gapOf(const FlowNetwork& network, const FlowContact& contact) {
    return measureContact(contact, motionOf(network, contact.a), motionOf(network, contact.b)).gap;
}

/// Bodies that have moved apart need less slack: the springs do not notice.
void takeSlack(const FlowNetwork& before, FlowNetwork& network) {
    for (std::size_t i = 0; i < network.contacts.size(); ++i) {
        FlowContact& contact = network.contacts[i];
        if (!(contact.slack > 0)) continue;
        const double moved = gapOf(network, contact) - gapOf(before, before.contacts[i]);
        const double taken = std::clamp(moved, 0., contact.slack);
        contact.slack -= taken;
        contact.offset -= taken;
    }
}

bool isSlow(const FlowNetwork& network) {
    return std::all_of(network.bodies.begin(), network.bodies.end(),
                       [](const FlowBody& body) { return body.isImmovable() || body.velocity.norm() < kSlow; });
}

/// Lets no element be loaded any further: what lies on springs comes out upwards.
void holdElements(const FlowNetwork& network, const BodyKinematics& bodies, ContactGaussSeidel& sweeps) {
    for (const FlowElement& element : network.elements) {
        const auto motionAt = [&](int body) -> const Motion& { return bodies.at(body); };
        const Row row = measureRow(element, motionAt, Turns::of(element));
        const ElementRow rows = ElementRow::of(element, row);
        const HybridLaw law = HybridLaw::from(element.law);
        const Phase phase = classify(law, row.s, 0, 0, element.s_damper);
        const bool isLoose = law.kind == HybridLaw::Kind::Contact && !phase.inContact();
        if (rows.isGeared || isLoose) continue;
        const double force = forceInPhase(law, phase, row.s, 0, element.s_damper);
        sweeps.addBounded(rows.own, force < 0 ? 0 : -kInfinity, force > 0 ? 0 : kInfinity, 0);
    }
}

/// @param values  by which the joints are apart, written here
/// @return the largest amount by which a joint is apart or a limit is overrun [m, rad]
double measureApart(const FlowNetwork& network, std::vector<double>& values) {
    double apart = 0;
    values.clear();
    for (const HeldRow& row : network.joints) {
        values.push_back(measureHeld(row, motionOf(network, row.a), motionOf(network, row.b)).value);
        apart = std::max(apart, std::abs(values.back()));
    }
    for (std::size_t k = 0; k < network.bounded.size(); ++k) {
        apart = std::max(apart, std::abs(overrun(network, k, kJointSlop)));
    }
    return apart;
}

/// How far joints, limits and rigid contacts are from where they ought to be, in squares.
double wrong(const FlowNetwork& network) {
    double sum = 0;
    for (const HeldRow& row : network.joints) {
        const double value = measureHeld(row, motionOf(network, row.a), motionOf(network, row.b)).value;
        sum += value * value;
    }
    for (std::size_t k = 0; k < network.bounded.size(); ++k) {
        const double over = overrun(network, k, kJointSlop);
        sum += over * over;
    }
    for (const FlowContact& contact : network.contacts) {
        const double depth = std::isinf(contact.stiffness) ? std::min(gapOf(network, contact), 0.) : 0;
        sum += depth * depth;
    }
    return sum;
}

/// @param joints in: their rows' values; out: the ways that these are to go
void wantJoints(std::vector<double>& joints, ContactGaussSeidel& sweeps) {
    for (std::size_t k = 0; k < joints.size(); ++k) {
        joints[k] = std::abs(joints[k]) > kJointSlop ? -kRecoveryShare * joints[k] : 0;
        if (joints[k] != 0) sweeps.setJoint(k, joints[k]);
    }
}

/// @param bounded out: ways of limits, on their side, at least
void wantBounded(const FlowNetwork& network, const ContactFrame& frame, std::vector<double>& bounded,
                 ContactGaussSeidel& sweeps) {
    bounded.assign(network.bounded.size(), 0);
    for (std::size_t k = 0; k < network.bounded.size(); ++k) {
        const BoundedRow& row = network.bounded[k];
        if (isPrescribed(row)) sweeps.setBounded(k, -kInfinity, kInfinity, 0);
        if (row.kind == BoundedRow::Kind::Motor) continue;
        const double room = row.side * (frame.coordinate(k) - row.bound);
        bounded[k] = room > 0 ? -room : room < -kJointSlop ? -kRecoveryShare * room : 0;
        sweeps.setBounded(k, row.side > 0 ? 0 : -kInfinity, row.side > 0 ? kInfinity : 0, row.side * bounded[k]);
    }
}

}  // namespace

long depenetrationWork(const FlowNetwork& network) {
    const auto pushes = static_cast<long>(network.joints.size() + network.bounded.size() + network.contacts.size());
    return price::kRecovery * price::partsOf(network) +
           (price::kSweepBegin + kRecoverySweeps * price::kSweepPoint) * pushes;
}

Depenetration depenetrate(FlowNetwork& network, double h, const DepenetrationAim& aim, DepenetrationSpace& space) {
    std::vector<double>& wanted = space.wanted;
    wanted.clear();
    const double slop = aim.isRough ? kRoughSlop : kSlop;
    const double apart = measureApart(network, space.joints);
    bool isWanted = aim.closesJoints && apart > kJointSlop;
    for (const FlowContact& contact : network.contacts) {
        const double gap = gapOf(network, contact);
        const bool isDeep = gap < -slop && std::isinf(contact.stiffness);
        const double way = isDeep ? kRecoveryShare * (-gap - slop) : kRecoveryShare * contact.slack;
        wanted.push_back(way > 0 ? way : std::min(-gap, 0.));
        isWanted = isWanted || wanted.back() > 0;
    }
    if (!isWanted) return {};
    space.bodies.read(network);
    ContactFrame& frame = space.frame;
    frame.place(network, space.bodies);
    ContactGaussSeidel& sweeps = space.sweeps;
    const long before = sweeps.work();
    std::vector<Vector6>& ways = space.ways;
    sweeps.begin(frame, wanted, false);
    wantJoints(space.joints, sweeps);
    wantBounded(network, frame, space.bounded, sweeps);
    ways.assign(network.bodies.size(), Vector6::Zero());
    sweeps.run(ways, aim.isRough ? kRoughSweeps : kRecoverySweeps, aim.isRough ? kRoughlyRecovered : kRecovered, false);
    long workPast = 0;
    const auto work = [&] { return sweeps.work() - before + workPast + price::kRecovery * price::partsOf(network); };
    const double stored = storedEnergy(network);
    FlowNetwork& moved = space.moved;
    double gained = 0;
    // Joints that contradict contacts, as those of limbs do that are in each other's way, would send bodies anywhere.
    const bool mayContradict = !network.joints.empty() || !network.bounded.empty();
    const double wrongBefore = mayContradict ? wrong(network) : 0;
    // As far as springs are not loaded by more than rounding of the loads' work, and what is allowed.
    const auto move = [&](double rounding, const auto& allowed) {
        for (double share = 1; share >= kSmallestPart; share /= 2) {
            moved = network;
            moveBodies(moved, ways, share);
            gained = shiftWork(network, moved);
            const bool isFree = storedEnergy(moved) <= stored + rounding * std::abs(gained) + allowed();
            if (isFree && !(mayContradict && wrong(moved) > wrongBefore)) return share;
        }
        return 0.;
    };
    const auto nothing = [] { return 0.; };
    Depenetration recovery;
    double share = move(kRecoveryRounding, nothing);
    const bool isWorthIt = !aim.isRough || apart > kOpenJoint || isSlow(network);
    if (share == 0 && isWorthIt && work() < aim.work) {
        space.freeWays = ways;
        holdElements(network, space.bodies, sweeps);
        sweeps.run(ways, kLongSweeps, kRecovered);
        share = move(kHeldRounding, nothing);
        const auto isLittle = [&] { return share == 0 || largest(ways) < kWorthwhile * largest(space.freeWays); };
        if (isLittle() && !aim.isRough && largest(space.freeWays) > kFarOff && work() < aim.work) {
            const WantedDisplacements all{space.joints, space.bounded, wanted};
            if (const std::vector<Vector6>* past = waysPastSprings(network, space.bodies, all, space.past)) {
                ways = *past;
                share = move(kHeldRounding, nothing);
            }
            workPast = space.past.work;
        }
        if (isLittle()) {
            ways = space.freeWays;
            share = move(kRecoveryRounding, [&] { return softWork(network, moved, h); });
        }
    }
    recovery.work = work();
    if (share == 0) return recovery;
    for (std::size_t k = 0; k < moved.bounded.size(); ++k) {
        if (countsTurns(moved.bounded[k].geometry)) moved.bounded[k].phi = boundedRowOf(moved, k).s;
    }
    recovery.energy = energy(moved) - energy(network) - gained;
    takeSlack(network, moved);
    recovery.way = share * largest(ways);
    network = moved;
    return recovery;
}

}  // namespace elasto::flow
