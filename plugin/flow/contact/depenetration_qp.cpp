#include "contact/depenetration_qp.h"

#include "balance/network_state.h"
#include "bodies/geometry.h"
#include "law/hybrid_law.h"
#include "numerics/cost_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {

namespace {

/// Ways that count as none, as a share of the largest that is wanted.
constexpr double kNoWay = 1e-6;
/// The longest way of a body, in multiples of it: light ones that are caught between others would give way sideways.
constexpr double kFarthest = 2;

/// An element as a limit that keeps it from being loaded more.
BoundedRow limitOf(const FlowElement& element, const Row& row, const Motion& a, double force) {
    BoundedRow limit;
    limit.geometry = element.geometry;
    limit.a = element.a;
    limit.b = element.b;
    limit.pointA = element.pointA;
    limit.pointB = element.pointB;
    limit.axis = element.axis;
    if (element.geometry == Geometry::AlongLine) {  // what turns the line does not make it longer
        limit.geometry = Geometry::AlongAxis;
        limit.axis = a.q.conjugate() * row.direction;
    }
    limit.frameA = element.frameA;
    limit.frameB = element.frameB;
    limit.turns = element.turns;
    limit.spans = element.spans;
    limit.phi = element.phi;
    if (force == 0) {  // either way it would be
        limit.maxForce = std::numeric_limits<double>::infinity();
    } else {
        limit.kind = BoundedRow::Kind::Limit;
        limit.side = force < 0 ? 1 : -1;
        limit.bound = row.s;
    }
    return limit;
}

void addElements(const FlowNetwork& network, const BodyKinematics& bodies, std::vector<BoundedRow>& bounded) {
    for (const FlowElement& element : network.elements) {
        const auto motionAt = [&](int body) -> const Motion& { return bodies.at(body); };
        const Row row = measureRow(element, motionAt, Turns::of(element));
        const HybridLaw law = HybridLaw::from(element.law);
        const Phase phase = classify(law, row.s, 0, 0, element.s_damper);
        const bool isLoose = law.kind == HybridLaw::Kind::Contact && !phase.inContact();
        if (element.isGeared() || isLoose) continue;
        const double force = forceInPhase(law, phase, row.s, 0, element.s_damper);
        bounded.push_back(limitOf(element, row, bodies.at(element.a), force));
    }
}

}  // namespace

const std::vector<Vector6>* waysPastSprings(const FlowNetwork& network, const BodyKinematics& bodies,
                                            const WantedDisplacements& wanted, DepenetrationQpSpace& space) {
    space.network = network;
    addElements(network, bodies, space.network.bounded);
    ContactFrame& frame = space.frame;
    frame.place(space.network, bodies);
    ContactTask& task = space.task;
    task.clear();
    task.free.assign(network.bodies.size(), Vector6::Zero());
    task.wanted.assign(frame.rowCount(), 0);
    task.isClosed.assign(network.contacts.size(), false);
    task.mustSlip.assign(frame.patches().size(), false);
    ContactModes& modes = space.modes;
    modes = ContactModes();
    double largest = 0;
    const auto want = [&](std::size_t row, double way) {
        task.wanted[row] = way;
        largest = std::max(largest, std::abs(way));
    };
    for (std::size_t k = 0; k < wanted.joints.size(); ++k) want(k, wanted.joints[k]);
    for (std::size_t k = 0; k < space.network.bounded.size(); ++k) {
        const BoundedRow& row = space.network.bounded[k];
        const bool isLimit = row.kind == BoundedRow::Kind::Limit;
        const bool isHeld = isLimit || isPrescribed(row);
        task.mayHold.push_back(isHeld);
        if (isLimit && k < wanted.bounded.size()) want(frame.boundedOf(k), row.side * wanted.bounded[k]);
        const bool doesPush = isHeld && (k >= wanted.bounded.size() || !isLimit || wanted.bounded[k] > 0);
        modes.bounded.push_back(doesPush ? BoundedPhase::Held : isLimit ? BoundedPhase::Open : BoundedPhase::Off);
    }
    for (std::size_t i = 0; i < wanted.contacts.size(); ++i) {
        task.isClosed[i] = !frame.isSoft(i);
        modes.bears.push_back(task.isClosed[i] && wanted.contacts[i] > 0);
        if (task.isClosed[i]) want(frame.normalOf(i), wanted.contacts[i]);
    }
    // Points of a face come out together: what several depths ask of bodies that cannot turn does not go together.
    for (const Patch& patch : frame.patches()) {
        double most = 0;
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            if (task.isClosed[i]) most = std::max(most, task.wanted[frame.normalOf(i)]);
        }
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            if (modes.bears[i]) task.wanted[frame.normalOf(i)] = most;
        }
    }
    modes.friction.assign(frame.patches().size(), Friction::None);
    if (frame.resistsTurning()) {
        modes.rolling = modes.spinning = modes.friction;
        task.mustRoll = task.mustSpin = task.mustSlip;
    }
    task.tolerance = kNoWay * largest;
    const long before = frame.work();
    const ContactAnswer* answer = findModes(frame, task, modes, space.search);
    space.work = frame.work() - before + task.trials * price::kTrial * price::partsOf(network);
    if (answer == nullptr) return nullptr;
    const bool isFar = std::any_of(answer->change.begin(), answer->change.end(),
                                   [&](const Vector6& way) { return way.head<3>().norm() > kFarthest * largest; });
    return isFar ? nullptr : &answer->change;
}

}  // namespace elasto::flow
