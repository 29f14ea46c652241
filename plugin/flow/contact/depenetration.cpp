#include "contact/depenetration.h"

#include "balance/joint_projection.h"
#include "balance/network_energy.h"
#include "balance/network_state.h"
#include "bodies/geometry.h"
#include "constraints/bounded_phase.h"
#include "contact/contact_problem.h"
#include "contact/tuning.h"
#include "law/hybrid_law.h"
#include "numerics/cost_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace elasto::flow {

namespace {

double largest(const std::vector<Vector6>& displacements) {
    double displacement = 0;
    for (const Vector6& w : displacements) displacement = std::max(displacement, w.head<3>().norm());
    return displacement;
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

/// Largest response of a body to a unit push.
double responseOf(const InverseMassRoot& root) {
    double largest = 0;
    for (int k = 0; k < 6; ++k) {
        largest = std::max(largest, root.transposedTimes(Vector6(Vector6::Unit(k))).squaredNorm());
    }
    return largest;
}

/// Displacements of bodies that rows ask for: those of the least kinetic energy, had they been velocities.
class Displacements {
public:
    Displacements(const ContactFrame& frame, DepenetrationSpace& space) : m_frame(frame), m_space(space) {
        m_space.kick.clear();
        m_space.edges.clear();
    }

    /// A row that pushes between these impulses, to be displaced by this. @param low <= 0 @param high >= 0
    void add(const BlockRow& row, double wanted, double low, double high, double compliance) {
        addParts([&](const auto& visit) { visit(row); }, wanted, low, high, compliance);
    }
    /// The same of one of the frame's rows.
    void add(std::size_t row, double wanted, double low, double high, double compliance) {
        addParts([&](const auto& visit) { m_frame.forEachPart(row, visit); }, wanted, low, high, compliance);
    }

    void solve(std::vector<Vector6>& displacements) {
        implicit::Kick& kick = m_space.kick;
        const std::size_t bodies = m_frame.network().bodies.size();
        kick.setPattern(static_cast<int>(bodies), m_space.edges);
        kick.forget();
        displacements.assign(bodies, Vector6::Zero());
        m_space.still.assign(bodies, Vector6::Zero());
        m_iterations += kick.solve(displacements, m_space.still, kRecoveryIterations).iterations;
        for (std::size_t i = 0; i < bodies; ++i) displacements[i] = m_frame.root(i).times(displacements[i]);
    }

    int iterations() const { return m_iterations; }

private:
    template <class ForEachPart>
    void addParts(const ForEachPart& forEachPart, double wanted, double low, double high, double compliance) {
        implicit::KickClamp& clamp = m_space.kick.clamps.emplace_back();
        double least = kInfinity;  // of the responses: what is light does not make it easier for what is heavy
        const auto addEnd = [&](int body, const Vector6& gradient) {
            if (body < 0) return;
            const InverseMassRoot& root = m_frame.root(static_cast<std::size_t>(body));
            const Vector6 push = root.transposedTimes(gradient);
            // Along what factors lock a direction has but the rounding of its other components: no way leads there.
            if (push.squaredNorm() <= kNoResponse * kNoResponse * responseOf(root) * gradient.squaredNorm()) return;
            clamp.ends.add(body, push);
            least = std::min(least, push.squaredNorm());
        };
        forEachPart([&](const BlockRow& row) {
            addEnd(row.a, row.gradientA);
            addEnd(row.b, row.gradientB);
        });
        if (clamp.ends.count == 0) return m_space.kick.clamps.pop_back();
        const auto ends = clamp.ends.all();
        for (std::size_t i = 0; i < ends.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) m_space.edges.push_back({ends[k].body, ends[i].body});
        }
        clamp.target = wanted;
        clamp.low = low;
        clamp.high = high;
        clamp.R = compliance * least;
    }

    const ContactFrame& m_frame;
    DepenetrationSpace& m_space;
    int m_iterations = 0;
};

void addJoints(const FlowNetwork& network, std::span<const double> values, Displacements& displacements) {
    for (std::size_t k = 0; k < network.joints.size(); ++k) {
        const double wanted = std::abs(values[k]) > kJointSlop ? -kRecoveryShare * values[k] : 0;
        displacements.add(k, wanted, -kInfinity, kInfinity, kOfOthers);
    }
}

void addBounded(const FlowNetwork& network, const ContactFrame& frame, Displacements& displacements) {
    for (std::size_t k = 0; k < network.bounded.size(); ++k) {
        const BoundedRow& bounded = network.bounded[k];
        const std::size_t row = frame.boundedOf(k);
        if (isPrescribed(bounded)) displacements.add(row, 0, -kInfinity, kInfinity, kOfOthers);
        if (bounded.kind == BoundedRow::Kind::Motor) continue;
        const double room = bounded.side * (frame.coordinate(k) - bounded.bound);
        const double least = room > 0 ? -room : room < -kJointSlop ? -kRecoveryShare * room : 0;
        displacements.add(row, bounded.side * least, bounded.side > 0 ? 0 : -kInfinity,
                          bounded.side > 0 ? kInfinity : 0, kOfOthers);
    }
}

/// No element is loaded any further: what lies on springs comes out upwards. Gaps that are open may close.
void addElements(const FlowNetwork& network, const BodyKinematics& bodies, Displacements& displacements) {
    for (const FlowElement& element : network.elements) {
        const auto motionAt = [&](int body) -> const Motion& { return bodies.at(body); };
        const Row row = measureRow(element, motionAt, Turns::of(element));
        const ElementRow rows = ElementRow::of(element, row);
        if (rows.isGeared) continue;
        const HybridLaw law = HybridLaw::from(element.law);
        const Phase phase = classify(law, row.s, 0, 0, element.s_damper);
        const double force = forceInPhase(law, phase, row.s, 0, element.s_damper);
        const bool isOpen = law.kind == HybridLaw::Kind::Contact && !phase.inContact();
        if (isOpen) {
            if (law.below) {
                displacements.add(rows.own, std::min(law.edgeLow - row.s, 0.), 0, kInfinity, kOfOthers);
            }
            if (law.above) {
                const double edge = law.edgeHigh + phase.slipped;
                displacements.add(rows.own, std::max(edge - row.s, 0.), -kInfinity, 0, kOfOthers);
            }
        } else {
            displacements.add(rows.own, 0, force < 0 ? 0 : -kInfinity, force > 0 ? 0 : kInfinity, kOfOthers);
        }
    }
}

/// Depth of rigid contacts [m].
double deepest(const FlowNetwork& network) {
    double depth = 0;
    for (const FlowContact& contact : network.contacts) {
        if (std::isinf(contact.stiffness)) depth = std::max(depth, -gapOf(network, contact));
    }
    return depth;
}

/// By how much each contact is to open, or, where it is negative, may close [m]. @return true if one is to open
bool measureWanted(const FlowNetwork& network, bool isRough, std::vector<double>& wanted) {
    const double slop = isRough ? kRoughSlop : kSlop;
    wanted.clear();
    bool isWanted = false;
    for (const FlowContact& contact : network.contacts) {
        const double gap = gapOf(network, contact);
        const bool isDeep = gap < -slop && std::isinf(contact.stiffness);
        const double depth = isDeep ? -gap - slop : contact.slack;
        const double displacement = kRecoveryShare * depth;
        wanted.push_back(displacement > 0 ? displacement : std::min(-gap, 0.));
        isWanted = isWanted || wanted.back() > 0;
    }
    return isWanted;
}

}  // namespace

long depenetrationWork(const FlowNetwork& network) {
    return price::kRecovery * price::partsOf(network) +
           kRecoveryIterations * price::kNewton * price::implicitPartsOf(network);
}

Depenetration depenetrate(FlowNetwork& network, double h, const DepenetrationAim& aim, DepenetrationSpace& space) {
    std::vector<double>& wanted = space.wanted;
    const double apart = measureApart(network, space.joints);
    const bool isDeep = measureWanted(network, aim.isRough, wanted);
    if (!isDeep && !(aim.closesJoints && apart > kJointSlop)) return {};
    space.bodies.read(network);
    ContactFrame& frame = space.frame;
    frame.place(network, space.bodies);
    std::vector<Vector6>& displacements = space.displacements;
    Depenetration recovery;
    recovery.work = price::kRecovery * price::partsOf(network);
    const auto solve = [&](bool loadsSprings) {
        Displacements program(frame, space);
        addJoints(network, space.joints, program);
        addBounded(network, frame, program);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const double compliance = frame.isSoft(i) ? kOfOthers : kOfContacts;
            program.add(frame.row(frame.normalOf(i)), wanted[i], 0, kInfinity, compliance);
        }
        if (!loadsSprings) addElements(network, space.bodies, program);
        program.solve(displacements);
        recovery.work += program.iterations() * price::kNewton * price::implicitPartsOf(network);
    };
    const double stored = storedEnergy(network);
    FlowNetwork& moved = space.moved;
    double gained = 0;
    const double wrong = std::max(apart, deepest(network));
    // As far as springs are not loaded by more than rounding of the loads' work, and what is allowed. Displacements are
    // what is linear in the bodies' turning: one that leaves more wrong than there was goes too far.
    const auto move = [&](const auto& allowed) {
        for (double share = 1; share >= kSmallestPart; share /= 2) {
            moved = network;
            moveBodies(moved, displacements, share);
            if (std::max(measureApart(moved, space.movedJoints), deepest(moved)) > kMoreWrong * wrong) continue;
            gained = shiftWork(network, moved);
            if (storedEnergy(moved) <= stored + kHeldRounding * std::abs(gained) + allowed()) return share;
        }
        return 0.;
    };
    solve(false);
    double share = move([] { return 0.; });
    const double most = std::accumulate(wanted.begin(), wanted.end(), kRecoveryShare * apart,
                                        [](double one, double other) { return std::max(one, other); });
    const bool isLittle = share * largest(displacements) < kWorthwhile * most;
    if (isLittle && !network.elements.empty() && recovery.work < aim.work) {
        solve(true);
        share = move([&] { return softWork(network, moved, h); });
    }
    if (share == 0) return recovery;
    for (std::size_t k = 0; k < moved.bounded.size(); ++k) {
        Turns::found(moved.bounded[k], boundedRowOf(moved, k)).keepIn(moved.bounded[k]);
    }
    recovery.energy = energy(moved) - energy(network) - gained;
    takeSlack(network, moved);
    recovery.displacement = share * largest(displacements);
    network = moved;
    return recovery;
}

}  // namespace elasto::flow
